// Signing in without a password: passkeys are added, used, renamed, removed.

import assert from "node:assert/strict";
import { at, here, keepCodes, open, owned, proof, prove } from "../support/account.js";
import { withAuthenticator } from "../support/authenticator.js";
import { judgeBothThemes } from "../support/axe.js";
import { FAST } from "../support/browser.js";
import { PASSWORD, Stage } from "../support/stage.js";
import { Table } from "../support/table.js";
import { test } from "../support/test.js";

const stage = new Stage({ prepare: () => stage.server.callByName() });

/** @typedef {import("playwright-core").Page} Page */

/** The region for passkeys on the account's page. @param {Page} page */
const part = (page) => page.locator("lusoria-passkeys");

/** The names of the passkeys. @param {Page} page */
const listed = (page) => part(page).getByRole("listitem").locator("strong").allTextContents();

/** Creates a passkey; a proof is required. @param {Page} page @param {string} name */
async function make(page, name) {
  await part(page).getByRole("button", { name: "Add a passkey" }).click();
  await part(page).getByLabel("Name of the passkey").fill(name);
  await part(page).locator("form").first().getByRole("button", { name: "Add the passkey" }).click();
}

/** Adds a passkey with the password. @param {Page} page @param {string} name */
async function add(page, name) {
  await make(page, name);
  await prove(page, "Add the passkey");
  await part(page).getByText(`The passkey “${name}” has been added.`).waitFor();
  await part(page).getByRole("listitem").filter({ hasText: name }).waitFor();
}

/**
 * A browser without autofill of passkeys. Other browsers have it, and the virtual authenticator, whose owner is always
 * present, would respond at once.
 * @param {import("playwright-core").BrowserContext} context
 */
const withoutOffer = (context) => context.addInitScript(() => {
  PublicKeyCredential.isConditionalMediationAvailable = async () => false;
});

/** A person at the page of their account, with an authenticator. @param {import("node:test").TestContext} t @param {object} guest @param {boolean} [offered] */
async function arrive(t, guest, offered = true) {
  /** @type {Awaited<ReturnType<typeof withAuthenticator>>} */
  let authenticator;
  const shown = await at(stage, t, "/account", guest, { preferences: FAST }, async (page) => {
    authenticator = await withAuthenticator(page);
    if (!offered) await withoutOffer(page.context());
  });
  return { ...shown, guest, authenticator };
}

/** A person with an account, at its page. @param {import("node:test").TestContext} t @param {string} handle @param {boolean} [offered] */
async function holder(t, handle, offered) {
  const shown = await arrive(t, await stage.account(handle, handle), offered);
  await owned(shown.page);
  return shown;
}

test("a person opens an account, adds a passkey, signs in with it, plays a match to its end, and removes it", async (t) => {
  const other = await stage.guest("Zeno");
  const { page, goto, authenticator } = await arrive(t, await stage.guest("Agathias"), false);
  await open(page, "Agathias");
  await keepCodes(page);
  await add(page, "My telephone");
  assert.deepEqual(await listed(page), ["My telephone"]);
  assert.equal((await authenticator.passkeys()).length, 1);
  await judgeBothThemes(page, "/account with a passkey");

  const before = await here(page);
  await page.getByRole("button", { name: "Sign out here" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  assert.equal(await here(page), null);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await page.waitForURL(`${stage.server.address}/`);
  const now = await here(page);
  assert.deepEqual([now.id, now.handle], [before.id, "Agathias"]);
  assert.notEqual(now.token, before.token);

  const body = { game: "tablut", side: "attackers", clock: { kind: "none" } };
  const { match } = await stage.server.ask("POST", "/matches", body, other.token);
  await stage.server.ask("POST", `/matches/${match.id}/join`, {}, now.token);
  await goto(`/match/${match.id}`);
  const table = await new Table(page).ready();
  for (let turn = 0; turn < 3; turn += 1) {
    await stage.playOne(match.id, [other]);
    const [move] = await table.moves();
    await table.move(move);
    await page.waitForFunction(() => document.querySelector("lusoria-match").live.moment.toPlay?.side === "attackers");
  }
  await stage.server.ask("POST", `/matches/${match.id}/resign`, { scope: "match" }, other.token);
  await page.waitForFunction(() => document.querySelector("lusoria-match").live.moment.state === "ended");
  const { players, result } = await stage.snapshot(match.id);
  assert.deepEqual([players[2].id, result.winner_seat], [now.id, 2]);

  await goto("/account");
  await part(page).getByRole("button", { name: "Remove “My telephone”" }).click();
  await prove(page, "Remove");
  await part(page).getByText("The passkey “My telephone” has been removed.").waitFor();
  await part(page).getByRole("listitem").waitFor({ state: "detached" });
});

test("a passkey whose challenge has expired is created again", async (t) => {
  const { page, person } = await holder(t, "Belisarios");
  person.expecting.push(/status of 4\d\d/);
  await person.context.route("**/api/v1/me/passkeys", (route) =>
    route.request().method() === "POST"
      ? route.fulfill({ status: 409, json: { code: "unknown_passkey_challenge", title: "No such challenge" } })
      : route.continue(), { times: 1 });
  await make(page, "Slow");
  await prove(page, "Add the passkey");
  await part(page).getByText("That took too long. Try again.").waitFor();
  await proof(page).waitFor({ state: "detached" });
  await part(page).locator("form").first().getByRole("button", { name: "Add the passkey" }).click();
  await prove(page, "Add the passkey");
  await part(page).getByText("The passkey “Slow” has been added.").waitFor();
});

test("a passkey proves as a password does, and is renamed", async (t) => {
  const { page, guest } = await holder(t, "Theodora");
  await add(page, "One");
  await part(page).getByRole("button", { name: "Rename “One”" }).click();
  await part(page).getByLabel("Name", { exact: true }).fill("  ");
  await part(page).getByRole("button", { name: "Save" }).click();
  await part(page).getByText("Enter a name.").waitFor();
  await part(page).getByLabel("Name", { exact: true }).fill("In the kitchen");
  await page.keyboard.press("Enter");
  await part(page).getByText("The passkey is now called “In the kitchen”.").waitFor();
  await part(page).getByRole("listitem").filter({ hasText: "In the kitchen" }).getByText("Not used yet").waitFor();

  await page.getByRole("button", { name: "Create new recovery codes" }).click();
  await judgeBothThemes(page, "the dialogue that asks for a proof");
  await proof(page).getByRole("button", { name: "Create new codes: with a passkey" }).click();
  assert.equal((await keepCodes(page)).length, 8);
  await part(page).getByRole("listitem").getByText("Last used").waitFor();
  const { passkeys } = await stage.server.ask("GET", "/me/passkeys", undefined, guest.token);
  assert.equal(passkeys[0].name, "In the kitchen");
});

test("a wrong proof is reported in the dialogue, and the new passkey is not lost", async (t) => {
  const { person, page } = await holder(t, "Hypatia");
  person.expecting.push(/status of 403/);
  await make(page, "Mine");
  await prove(page, "Add the passkey", "not the password");
  await proof(page).getByText("Wrong password.").waitFor();
  await prove(page, "Add the passkey");
  await part(page).getByText("The passkey “Mine” has been added.").waitFor();
});

test("a cancelled passkey is reported, and nothing is added", async (t) => {
  const { page, authenticator } = await holder(t, "Prokopios");
  await authenticator.owner(false);
  await make(page, "Mine");
  await part(page).getByText("No passkey was used. Try again, or choose another way.").waitFor();
  await authenticator.owner(true);
  await part(page).locator("form").first().getByRole("button", { name: "Add the passkey" }).click();
  await proof(page).waitFor();
  await page.keyboard.press("Escape");
  await proof(page).waitFor({ state: "detached" });
  assert.deepEqual(await listed(page), []);
});

test("a device that already has a passkey of the account gets no second one", async (t) => {
  const { page } = await holder(t, "Eudokia");
  await add(page, "One");
  await make(page, "Two");
  await part(page).getByText("This device already has a passkey for your account.").waitFor();
  assert.deepEqual(await listed(page), ["One"]);
});

test("a removed passkey no longer signs in", async (t) => {
  const { person, page, guest } = await holder(t, "Tribonian", false);
  person.expecting.push(/status of 403/);
  await add(page, "One");
  const { passkeys } = await stage.server.ask("GET", "/me/passkeys", undefined, guest.token);
  await stage.server.ask("DELETE", `/me/passkeys/${passkeys[0].id}`, { password: PASSWORD }, guest.token);
  await page.getByRole("button", { name: "Sign out here" }).click();
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await page.getByText("This passkey is not known here: it may have been removed.").waitFor();
  assert.equal(await here(page), null);
});

test("a browser with autofill of passkeys signs in with one, and continues", async (t) => {
  const { page, goto, guest } = await holder(t, "Antonina");
  await add(page, "One");
  await page.evaluate(() => localStorage.removeItem("lusoria.guest"));
  await goto("/sign-in?next=/devices");
  await page.waitForURL(({ pathname }) => pathname === "/devices");
  assert.equal((await here(page)).id, guest.id);
});

test("an account is opened with a passkey alone, gets a password, and loses it again", async (t) => {
  const { page } = await arrive(t, await stage.guest("Kassia"));
  await page.getByLabel("Handle", { exact: true }).fill("Kassia");
  await page.getByRole("radio", { name: "Passkey" }).check();
  await judgeBothThemes(page, "/account with a passkey alone");
  await page.getByRole("button", { name: "Create the account" }).click();
  await keepCodes(page);
  await page.getByText("There is no password: you sign in with a passkey.").waitFor();
  await part(page).getByText("It is your only way to sign in").waitFor();
  assert.equal(await part(page).getByRole("button", { name: /^Remove/ }).count(), 0);

  await page.getByRole("button", { name: "Set a password" }).click();
  await page.getByLabel("New password").fill(PASSWORD);
  await page.getByRole("button", { name: "Save the new password" }).click();
  await proof(page).getByRole("button", { name: "Save the new password: with a passkey" }).click();
  await page.getByText("You can sign in with a password.").waitFor();
  await stage.server.ask("POST", "/sign-in", { handle: "Kassia", password: PASSWORD });

  await page.getByRole("button", { name: "Remove the password" }).click();
  await proof(page).getByRole("button", { name: "Remove the password: with a passkey" }).click();
  await page.getByText("There is no password: you sign in with a passkey.").waitFor();
  await assert.rejects(stage.server.ask("POST", "/sign-in", { handle: "Kassia", password: PASSWORD }), /wrong_credentials/);
});
