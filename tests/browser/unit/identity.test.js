// The guest of this device: taken over, left, restored, signed out.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

/** Fake localStorage. */
const kept = new Map();
globalThis.addEventListener ??= () => {};
globalThis.localStorage = {
  getItem: (name) => kept.get(name) ?? null,
  setItem: (name, value) => kept.set(name, value),
  removeItem: (name) => kept.delete(name),
};
const { LEFT_MOST, comeBack, guest, left, loseSession, seenSignedOut, signedOut, takeOver } =
  await import("../../../web/player/identity.js");
const { deviceName } = await import("../../../web/player/device.js");
const { codeIn, makeCode, sessions } = await import("../../../web/player/devices.js");

/** Every request: method, path, body, token. @type {[string, string, any, string | undefined][]} */
let asked = [];
/** @type {(path: string, token?: string) => {status: number, body?: unknown}} */
let answer;

beforeEach(() => {
  kept.clear();
  asked = [];
  globalThis.fetch = async (address, { method, headers, body }) => {
    const path = String(address).replace("/api/v1", "");
    const token = headers.authorization?.replace("Bearer ", "");
    asked.push([method, path, body && JSON.parse(body), token]);
    const { status, body: told } = answer(path, token);
    return new Response(told === undefined ? null : JSON.stringify(told), { status });
  };
});

const somebody = (id) => ({ id, name: `name of ${id}`, token: `token of ${id}` });
const am = (id) => kept.set("lusoria.guest", JSON.stringify(somebody(id)));
const spends = (id) => (answer = () => ({ status: 201, body: { ...somebody(id), kind: "person" } }));

test("taking over a guest keeps the device's previous guest", async () => {
  am("a");
  spends("b");
  await takeOver("code", "My phone");
  assert.deepEqual(asked, [["POST", "/device-codes/spend", { code: "code", device: "My phone" }, undefined]]);
  assert.deepEqual(guest(), somebody("b"));
  assert.deepEqual(left(), [somebody("a")]);
});

test("an invalid code changes nothing", async () => {
  am("a");
  answer = () => ({ status: 404, body: { code: "unknown_code" } });
  await assert.rejects(takeOver("code"), { code: "unknown_code" });
  assert.deepEqual([guest(), left()], [somebody("a"), []]);
});

test("taking over the same guest revokes the earlier token", async () => {
  am("a");
  answer = (path) => (path === "/me/token" ? { status: 204 } : { status: 201, body: { ...somebody("a"), token: "new" } });
  await takeOver("code");
  assert.deepEqual([guest()?.token, left()], ["new", []]);
  assert.deepEqual(asked.at(-1), ["DELETE", "/me/token", undefined, "token of a"]);
});

test("a device returns to a previous guest, and back again", async () => {
  am("a");
  spends("b");
  await takeOver("code");
  answer = (_, token) => ({ status: 200, body: { name: `renamed, ${token}` } });
  await comeBack("a");
  assert.deepEqual(guest(), { ...somebody("a"), name: "renamed, token of a" });
  assert.deepEqual(left(), [somebody("b")]);
  await comeBack("b");
  assert.equal(left()[0].id, "a");
});

test("a device cannot return to a guest whose session has ended", async () => {
  am("a");
  spends("b");
  await takeOver("code");
  answer = () => ({ status: 401, body: { code: "unknown_token" } });
  await assert.rejects(comeBack("a"), { code: "unknown_token" });
  assert.deepEqual([guest(), left()], [somebody("b"), []]);
});

test("the number of previous guests is limited", async () => {
  am("0");
  for (let n = 1; n <= LEFT_MOST + 2; n += 1) {
    spends(String(n));
    await takeOver("code");
  }
  assert.deepEqual(left().map(({ id }) => id), Array.from({ length: LEFT_MOST }, (_, n) => String(LEFT_MOST + 1 - n)));
});

test("a device that was signed out names the guest, until that has been seen", async () => {
  am("a");
  loseSession("token of a");
  assert.deepEqual([guest(), signedOut()], [null, "name of a"]);
  loseSession("token of a");
  assert.equal(signedOut(), "name of a");
  seenSignedOut();
  assert.equal(signedOut(), null);
  am("a");
  loseSession("token of a");
  spends("a");
  await takeOver("code");
  assert.equal(signedOut(), null);
});

test("a refusal of a token that this device no longer has changes nothing", () => {
  kept.set("lusoria.guest", JSON.stringify({ ...somebody("a"), token: "new" }));
  loseSession("token of a");
  assert.deepEqual([guest()?.token, signedOut()], ["new", null]);
});

test("times are converted to the device's own clock, however wrong it is", async () => {
  const QUARTER_MS = 15 * 60_000;
  am("a");
  for (const aheadMs of [QUARTER_MS, -QUARTER_MS]) {
    const server = Date.now() + aheadMs;
    globalThis.fetch = async (address) => {
      const told = String(address).endsWith("/sessions")
        ? { sessions: [{ id: "1", seen_at: server }] }
        : { code: "code", expires_at: server + QUARTER_MS };
      return new Response(JSON.stringify(told), { headers: { date: new Date(server).toUTCString() } });
    };
    const { until } = await makeCode();
    // The server's header has no fractions of a second.
    assert.ok(Math.abs(until - Date.now() - QUARTER_MS) < 2_000, `${until - Date.now()} ms`);
    const [{ seen_at: seenAt }] = await sessions();
    assert.ok(Math.abs(seenAt - Date.now()) < 2_000, `${seenAt - Date.now()} ms`);
  }
});

test("browsers and systems are known by their user agents", () => {
  const agents = {
    "Firefox, Android": "Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0",
    "Chrome, Android": "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0.0.0 Mobile Safari/537.36",
    "Safari, iPhone": "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
    "Edge, Windows": "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0.0.0 Safari/537.36 Edg/139.0.0.0",
    "Firefox, Linux": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
    Windows: "Something (Windows)",
  };
  for (const [name, agent] of Object.entries(agents)) assert.equal(deviceName(agent), name);
  assert.equal(deviceName("Something else"), undefined);
});

test("a code is found in the link with it", () => {
  for (const text of ["q7Zb-3", " q7Zb-3\n", "https://example.org/devices#q7Zb-3", "#q7Zb-3", "q7Z b-3"]) {
    assert.equal(codeIn(text), "q7Zb-3");
  }
  assert.equal(codeIn(""), "");
});
