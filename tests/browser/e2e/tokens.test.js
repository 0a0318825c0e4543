// API tokens: they are created, permit their scopes and nothing else, and are revoked.

import assert from "node:assert/strict";
import { at, owned, proof, prove } from "../support/account.js";
import { judgeBothThemes } from "../support/axe.js";
import { Stage } from "../support/stage.js";
import { test } from "../support/test.js";

const stage = new Stage({ alone: true });

const DAY_MS = 86_400_000;

/** @typedef {import("playwright-core").Page} Page */

/** The region for programs on the account's page. @param {Page} page */
const part = (page) => page.locator("lusoria-api-tokens");

/** A person with an account, at its page. @param {import("node:test").TestContext} t @param {string} handle @param {(guest: {token: string}) => Promise<unknown>} [before] */
async function holder(t, handle, before = async () => {}) {
  const guest = await stage.account(handle, handle);
  await before(guest);
  const shown = await at(stage, t, "/account", guest);
  await owned(shown.page);
  return { ...shown, guest };
}

/** Fills in the form for a program. @param {Page} page @param {string} name @param {RegExp[]} scopes */
async function fill(page, name, scopes) {
  await part(page).getByRole("button", { name: "Create a token" }).click();
  await part(page).getByLabel("Name of the program").fill(name);
  for (const scope of scopes) await part(page).getByRole("checkbox", { name: scope }).check();
}

/** Creates a token. @param {Page} page @param {string} name @param {RegExp[]} scopes @returns {Promise<string>} */
async function make(page, name, scopes) {
  await fill(page, name, scopes);
  await part(page).locator("form").first().getByRole("button", { name: "Create the token" }).click();
  await prove(page, "Create the token");
  return part(page).getByLabel("The token", { exact: true }).inputValue();
}

/** The server's response to a program. @param {string} method @param {string} path @param {string} token @param {any} [body] */
const asked = (method, path, token, body) =>
  stage.server.ask(method, path, body, token).then(() => "done", (why) => JSON.parse(why.message.replace(/^.*?(?={)/, "")).code);

test("a token permits its scopes and nothing else, and ends when it is revoked", async (t) => {
  const { page, person, guest } = await holder(t, "Agathias");
  await person.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await fill(page, "", []);
  await part(page).getByRole("button", { name: "Create the token" }).click();
  await part(page).getByText("Enter a name.").waitFor();
  await judgeBothThemes(page, "the form for a token");
  await part(page).getByRole("button", { name: "Cancel" }).click();

  const token = await make(page, "My board", [/See your matches as you do/]);
  assert.match(token, /^lus_/);
  await judgeBothThemes(page, "a token that has been made");
  const shown = part(page).getByRole("group", { name: "The token for “My board”" });
  await shown.getByRole("button", { name: "Copy" }).click();
  await shown.getByRole("button", { name: "Copied" }).waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), token);

  assert.equal(await asked("GET", "/me/matches", token), "done");
  assert.equal(await asked("POST", "/matches", token, { game: "tablut" }), "missing_scope");
  assert.equal(await asked("GET", "/me/follows", token), "missing_scope");
  assert.equal(await asked("DELETE", "/me/sessions", token), "session_required");
  const told = await stage.server.ask("GET", "/token", undefined, token);
  assert.deepEqual([told.kind, told.you.id, told.scopes], ["api_token", guest.id, ["match:read"]]);

  await shown.getByRole("button", { name: "I have it" }).click();
  await page.reload();
  const row = part(page).getByRole("listitem").filter({ hasText: "My board" });
  await row.getByText("match:read").waitFor();
  await row.getByText("Valid until").waitFor();
  assert.equal(await part(page).getByLabel("The token", { exact: true }).count(), 0, "it is shown once");

  await row.getByRole("button", { name: "Revoke the token of “My board”" }).press("Enter");
  await row.getByRole("group", { name: /Revoke the token of “My board”\?/ }).waitFor();
  await page.keyboard.press("Enter");
  await row.getByRole("group").waitFor({ state: "detached" });
  assert.equal(await asked("GET", "/me/matches", token), "done", "the focus was on what changes nothing");
  await row.getByRole("button", { name: "Revoke the token of “My board”" }).click();
  await row.getByRole("button", { name: "Revoke", exact: true }).click();
  await part(page).getByText("The token of “My board” has been revoked.").waitFor();
  await row.waitFor({ state: "detached" });
  assert.equal(await asked("GET", "/me/matches", token), "unknown_token");
});

test("a token that may play plays until it expires", async (t) => {
  const { page, guest } = await holder(t, "Zeno");
  await fill(page, "My bot", [/Play as you/, /Look for opponents/]);
  await part(page).getByLabel("Valid for").selectOption({ label: "7 days" });
  await part(page).locator("form").first().getByRole("button", { name: "Create the token" }).click();
  await prove(page, "Create the token");
  const token = await part(page).getByLabel("The token", { exact: true }).inputValue();
  assert.equal(await asked("POST", "/matches", token, { game: "tablut" }), "done");
  const { tokens: [made] } = await stage.server.ask("GET", "/me/tokens", undefined, guest.token);
  assert.deepEqual(made.scopes, ["match:play", "seek:write"]);
  assert.equal(Math.round((made.expires_at - made.created_at) / DAY_MS), 7);
});

test("a token without a scope does what everybody may", async (t) => {
  const { page } = await holder(t, "Theodora");
  const token = await make(page, "Nothing", []);
  assert.equal(await asked("GET", "/games", token), "done");
  assert.equal(await asked("GET", "/me/account", token), "missing_scope");
  await part(page).getByText("Only what everybody can do").waitFor();
});

test("without a proof no token is created", async (t) => {
  const { page, person, guest } = await holder(t, "Hypatia");
  person.expecting.push(/status of 403/);
  await fill(page, "Mine", []);
  await part(page).locator("form").first().getByRole("button", { name: "Create the token" }).click();
  await proof(page).getByRole("button", { name: "Create the token" }).click();
  await proof(page).getByText("Enter your password.").waitFor();
  await prove(page, "Create the token", "not the password");
  await proof(page).getByText("Wrong password.").waitFor();
  await page.keyboard.press("Escape");
  await proof(page).waitFor({ state: "detached" });
  assert.equal(await part(page).getByLabel("Name of the program").inputValue(), "Mine", "what was typed is still there");
  assert.deepEqual((await stage.server.ask("GET", "/me/tokens", undefined, guest.token)).tokens, []);
});

test("while the token is being created the dialogue stays, and the token is shown", async (t) => {
  const { page, person } = await holder(t, "Prokopios");
  /** @type {() => void} */
  let go = () => {};
  const held = new Promise((resolve) => (go = () => resolve(undefined)));
  await person.context.route("**/api/v1/me/tokens", async (route) => {
    if (route.request().method() === "POST") await held;
    await route.continue();
  });
  await fill(page, "Slow", []);
  await part(page).locator("form").first().getByRole("button", { name: "Create the token" }).click();
  const sent = page.waitForRequest((request) => request.method() === "POST" && request.url().endsWith("/me/tokens"));
  await prove(page, "Create the token");
  await sent;
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await page.mouse.click(2, 2);
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).click({ force: true });
  assert.equal(await proof(page).isVisible(), true);
  // Some browsers let the person out all the same.
  await page.evaluate(() => {
    const all = (/** @type {any} */ root) => [...root.querySelectorAll("*")].flatMap((element) => [element, ...(element.shadowRoot ? all(element.shadowRoot) : [])]);
    all(document).filter((element) => element.localName === "dialog" && element.open).forEach((dialog) => dialog.close());
  });
  go();
  await part(page).getByRole("group", { name: "The token for “Slow”" }).waitFor();
  assert.match(await part(page).getByLabel("The token", { exact: true }).inputValue(), /^lus_/);
});

test("a failed copy is not reported as a success", async (t) => {
  const { page, person } = await holder(t, "Menander");
  await person.context.clearPermissions();
  await make(page, "Mine", []);
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new DOMException("no", "NotAllowedError"));
  });
  const shown = part(page).getByRole("group", { name: "The token for “Mine”" });
  await shown.getByRole("button", { name: "Copy" }).click();
  await part(page).getByText("Copying failed. Copy it by hand.").waitFor();
  assert.equal(await shown.getByRole("button", { name: "Copied" }).count(), 0);
});

test("a bot’s tokens can be permitted to play as a bot, and not as a person", async (t) => {
  const { page } = await holder(t, "Talos", ({ token }) =>
    stage.server.ask("POST", "/me/account/bot", undefined, token));
  await part(page).getByRole("button", { name: "Create a token" }).click();
  await part(page).getByRole("checkbox", { name: /Play as this bot/ }).waitFor();
  assert.equal(await part(page).getByRole("checkbox", { name: /Play as you/ }).count(), 0);
  await part(page).getByRole("button", { name: "Cancel" }).click();
  const token = await make(page, "Engine", [/Play as this bot/]);
  assert.equal(await asked("POST", "/matches", token, { game: "tablut" }), "done");
});
