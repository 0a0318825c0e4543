// Handles and passwords as they are typed, redirects after signing in, and passkeys.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { beforeEach, test } from "node:test";

/** Fake localStorage. */
const kept = new Map();
globalThis.addEventListener ??= () => {};
globalThis.navigator ??= { userAgent: "Firefox/140.0" };
globalThis.localStorage = {
  getItem: (name) => kept.get(name) ?? null,
  setItem: (name, value) => kept.set(name, value),
  removeItem: (name) => kept.delete(name),
};
const { fitsPassword, handleFault, isTaken, passwordStrength, signIn } = await import("../../../web/player/account.js");
const { guest, learn, left, nowHasAccount, signedOut } = await import("../../../web/player/identity.js");
const { nextOf, signInAddress } = await import("../../../web/player/next.js");
const { base64url, bytesOf } = await import("../../../web/player/base64url.js");
const { scopesFor } = await import("../../../web/player/api-tokens.js");

/** The server's response to a path. @type {(path: string, method: string, body: any) => {status?: number, body?: unknown}} */
let answer;

beforeEach(() => {
  kept.clear();
  globalThis.fetch = async (address, { method, body }) => {
    const { status = 200, body: told } = answer(String(address).replace("/api/v1", ""), method, body && JSON.parse(body));
    return new Response(told === undefined ? null : JSON.stringify(told), { status });
  };
});

const am = (id, more) => kept.set("lusoria.guest", JSON.stringify({ id, name: id, token: `token of ${id}`, ...more }));

test("what is wrong with a handle", () => {
  const faults = {
    Agathias: undefined,
    "a-1": undefined,
    _x_: undefined,
    ab: "short",
    "": "short",
    "123": "letter",
    "-_-": "letter",
    "Ag äth": "letters",
    "a.b.c": "letters",
    ["a".repeat(20)]: undefined,
    ["a".repeat(21)]: "long",
  };
  for (const [handle, fault] of Object.entries(faults)) assert.equal(handleFault(handle), fault, handle);
});

test("the strength of a password", () => {
  const strengths = {
    "": "empty",
    "1234567": "short",
    aaaaaaaa: "weak",
    "Agathias1!": "weak",
    "my agathias rolls": "weak",
    hunter22: "fair",
    "Hunter2!": "fair",
    "Hunter22!": "good",
    "three rolls of the dice": "good",
    ["ab".repeat(129)]: "long",
    // Eight characters, though they are sixteen for JavaScript.
    "🎲🎯🎮🧩♟🃏🀄🎴": "fair",
  };
  for (const [password, strength] of Object.entries(strengths)) {
    assert.equal(passwordStrength(password, "agathias"), strength, password);
    assert.equal(fitsPassword(password), !["empty", "short", "long"].includes(strength), password);
  }
});

test("signing in leads only to pages of this server", () => {
  const ORIGIN = "https://play.example.org";
  const ways = {
    "": "/",
    "?next=/match/1?at=5": "/match/1?at=5",
    "?next=%2Fplayer%2Fzeno%23games": "/player/zeno#games",
    "?next=//evil.example": "/",
    "?next=/%5Cevil.example": "/",
    "?next=/..//evil.example": "/",
    "?next=/%09/evil.example": "/",
    "?next=https://evil.example": "/",
    "?next=javascript:alert(1)": "/",
    "?next=match": "/",
    "?next=/sign-in?next=/account": "/",
  };
  for (const [search, way] of Object.entries(ways)) assert.equal(nextOf(search, ORIGIN), way, search);
});

test("the link to signing in returns to the present page", () => {
  const back = (path) => {
    const address = signInAddress(new URL(path, "https://play.example.org"));
    return nextOf(new URL(address, "https://play.example.org").search, "https://play.example.org");
  };
  for (const path of ["/", "/match/1?at=5&x=%20", "/player/zeno"]) assert.equal(back(path), path);
  assert.equal(back("/sign-in?next=/account"), "/");
});

test("bytes are encoded as the server decodes them", () => {
  for (const bytes of [[], [0], [251, 255, 254], [1, 2, 3, 4, 5, 250]]) {
    const text = base64url(Uint8Array.from(bytes));
    assert.equal(text, Buffer.from(bytes).toString("base64url"));
    assert.deepEqual([...bytesOf(text)], bytes);
  }
});

test("people and bots have different scopes, and each is explained", async () => {
  assert.ok(scopesFor(false).includes("match:play") && !scopesFor(false).includes("bot:play"));
  assert.ok(scopesFor(true).includes("bot:play") && !scopesFor(true).includes("match:play"));
  for (const language of ["en", "fr"]) {
    const { account: told } = JSON.parse(await readFile(new URL(`../../../web/pages/${language}.json`, import.meta.url), "utf8"));
    assert.deepEqual(scopesFor(false).concat(scopesFor(true)).filter((scope) => !told[`scope.${scope}`]), [], language);
  }
});

test("signing in sets the guest with the handle, and keeps the previous guest", async () => {
  am("guest");
  answer = (path, method, body) => {
    if (path === "/me") return { body: { id: "zeno", name: "Zeno", handle: "Zeno_1" } };
    assert.deepEqual([path, method, body.handle, body.password], ["/sign-in", "POST", "zeno_1", "secret words"]);
    return { status: 201, body: { id: "zeno", name: "Zeno", token: "new", kind: "person" } };
  };
  await signIn("zeno_1", "secret words");
  assert.deepEqual(guest(), { id: "zeno", name: "Zeno", token: "new", handle: "Zeno_1" });
  assert.deepEqual(left().map(({ id }) => id), ["guest"]);
});

test("a wrong password changes nothing here", async () => {
  am("guest");
  answer = () => ({ status: 403, body: { code: "wrong_credentials" } });
  await assert.rejects(signIn("zeno", "not it at all"), { code: "wrong_credentials" });
  assert.deepEqual([guest()?.id, left()], ["guest", []]);
});

test("an account opened elsewhere is discovered, and so is an erased one", async () => {
  am("zeno");
  answer = () => ({ body: { id: "zeno", name: "Zeno of Elea", handle: "zeno" } });
  assert.deepEqual(await learn(), { id: "zeno", name: "Zeno of Elea", token: "token of zeno", handle: "zeno" });
  answer = () => ({ body: { id: "zeno", name: "Zeno of Elea" } });
  assert.equal((await learn())?.handle, undefined);
  nowHasAccount("zeno", guest()?.token);
  assert.equal(guest()?.handle, "zeno");
  nowHasAccount("another", "token of another");
  assert.equal(guest()?.handle, "zeno", "somebody else asked for it");
});

test("a guest whom the server no longer knows is told so", async () => {
  am("zeno");
  answer = () => ({ status: 401, body: { code: "unknown_token" } });
  await assert.rejects(learn(), { code: "unknown_token" });
  assert.deepEqual([guest(), signedOut()], [null, "zeno"]);
  assert.equal(await learn(), null);
});

test("a handle is taken if it differs only in case", async () => {
  answer = () => ({ body: { players: [{ handle: "Aga" }, { handle: "Agathias" }] } });
  assert.deepEqual([await isTaken("agathias"), await isTaken("agath")], [true, false]);
});
