// Accounts: opening, signing in, changing, erasing.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { at as arrive, here, keepCodes, open, owned, proof, prove, signIn } from "../support/account.js";
import { fitsNarrowest, judgeBothThemes } from "../support/axe.js";
import { PASSWORD, Stage } from "../support/stage.js";
import { test } from "../support/test.js";

const stage = new Stage({ alone: true });

/** @typedef {import("node:test").TestContext} TestContext */

const NEW_PASSWORD = "four rolls of the dice";

/** A person at a page. @param {TestContext} t @param {string} path @param {object} [guest] */
const at = (t, path, guest) => arrive(stage, t, path, guest);

/** A person with an account, at its page. @param {TestContext} t @param {string} handle */
async function holder(t, handle) {
  const guest = await stage.account(handle, handle);
  const shown = await at(t, "/account", guest);
  await owned(shown.page);
  return { ...shown, guest };
}

/** Another device signed in to an account. @param {string} handle */
async function elsewhere(handle) {
  const { id, name, token } = await stage.server.ask("POST", "/sign-in", { handle, password: PASSWORD, device: "Tablet" });
  return { id, name, token };
}

/** Whether the server refuses a sign-in. @param {string} handle @param {string} password */
const signsIn = (handle, password) =>
  stage.server.ask("POST", "/sign-in", { handle, password }).then(() => true, () => false);

test("an account whose response was lost is shown at the next attempt", async (t) => {
  const { guests: [guest] } = await stage.match("tablut");
  const { page, person } = await at(t, "/account", guest);
  person.expecting.push(/status of 4\d\d/, /Failed to load resource/);
  await person.context.route("**/api/v1/me/account", async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    await route.fetch();
    await route.abort();
  });
  await open(page, "Isidoros");
  await page.locator("lusoria-open-account .wrong").filter({ hasText: /\S/ }).first().waitFor();
  await person.context.unroute("**/api/v1/me/account");
  await page.getByRole("button", { name: "Create the account" }).click();
  await owned(page);
  await page.getByText("The account had already been created").waitFor();
});

test("a guest opens an account by the header's button, stores the codes, and stays the same guest", async (t) => {
  const { guests: [guest] } = await stage.match("tablut");
  const { page, goto, person } = await at(t, "/", guest);
  await person.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: "Your name: Agathias. Change it" }).click();
  await page.getByRole("link", { name: "Create an account" }).click();
  await page.getByText("You are Agathias and stay so").waitFor();
  await judgeBothThemes(page, "/account of a guest");
  await fitsNarrowest(page, "/account of a guest");

  await page.getByLabel("Handle", { exact: true }).fill("Ag äthias");
  await page.getByText("A handle has only letters from a to z, digits, - and _.").waitFor();
  await open(page, "Agathias_1", "seven");
  await page.getByText("A password has 8 to 256 characters.").waitFor();
  await page.locator("lusoria-open-account #password").fill("Agathias_1");
  await page.getByText("Easy to guess.").waitFor();
  await page.getByRole("button", { name: "Show the password" }).click();
  assert.equal(await page.locator("lusoria-open-account #password").getAttribute("type"), "text");
  await open(page, "Agathias_1");

  const codes = page.locator("lusoria-recovery-codes");
  await codes.getByRole("heading").waitFor();
  await judgeBothThemes(page, "recovery codes");
  const shown = await codes.getByRole("listitem").allTextContents();
  assert.equal(shown.length, 8);
  await codes.getByRole("button", { name: "Copy" }).click();
  await codes.getByText("The codes have been copied.").waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    codes.getByRole("button", { name: "Save as a file" }).click(),
  ]);
  assert.equal(file.suggestedFilename(), "lusoria-Agathias_1.txt");
  const saved = await readFile(await file.path(), "utf8");
  assert.equal(saved, copied);
  for (const code of shown) assert.ok(saved.includes(code), code);

  await keepCodes(page);
  await page.getByText("8 recovery codes are left.").waitFor();
  const now = await here(page);
  assert.deepEqual([now.id, now.token, now.handle], [guest.id, guest.token, "Agathias_1"]);
  assert.ok(await signsIn("agathias_1", PASSWORD));
  await page.reload();
  await owned(page);
  assert.equal(await page.locator("lusoria-recovery-codes").count(), 0, "they are shown once");
  await page.getByRole("button", { name: /^Your name/ }).click();
  for (const name of ["Account", "Your profile", "My devices"]) {
    await page.getByRole("navigation", { name: "Your menu" }).getByRole("link", { name, exact: true }).waitFor();
  }
  assert.equal(await page.getByRole("link", { name: "Sign in", exact: true }).count(), 0);
  await goto("/");
});

test("a new visitor opens an account at once", async (t) => {
  const { page } = await at(t, "/account");
  await page.getByText("No e-mail address is needed.").waitFor();
  await open(page, "Newcomer");
  await keepCodes(page);
  const { handle } = await stage.server.ask("GET", "/me", undefined, (await here(page)).token);
  assert.equal(handle, "Newcomer");
});

test("a handle that is not available is refused beside its field", async (t) => {
  await stage.account("Zeno", "Zeno");
  const { page, person } = await at(t, "/account", await stage.guest("Zeno"));
  person.expecting.push(/status of 409/);
  for (const [handle, told] of [["zen0", "This handle, or one that looks like it, is taken."], ["Admin", "This handle is not available."]]) {
    await open(page, handle);
    await page.getByText(told).waitFor();
    assert.equal(await page.getByLabel("Handle", { exact: true }).getAttribute("aria-invalid"), "true");
  }
  await open(page, "Zeno_of_Elea");
  await keepCodes(page);
});

test("closed sign-ups say so, and invite-only ones take a code", async (t) => {
  t.after(() => stage.server.admin("sign-ups", "open"));
  await stage.server.admin("sign-ups", "closed");
  const { page, person } = await at(t, "/account", await stage.guest("Hypatia"));
  person.expecting.push(/status of 40[34]/);
  await open(page, "Hypatia");
  await page.getByText("This server does not open new accounts").waitFor();
  await judgeBothThemes(page, "a server that opens no accounts");

  await stage.server.admin("sign-ups", "invite-only");
  await page.reload();
  await open(page, "Hypatia");
  await page.getByText("To create an account on this server you need a code from its operator.").waitFor();
  const code = page.getByLabel("Sign-up code");
  assert.equal(await code.evaluate((field) => field.getRootNode().activeElement === field), true);
  await page.getByRole("button", { name: "Create the account" }).click();
  await page.getByText("Enter the sign-up code.").waitFor();
  await code.fill("ABCD-EFGH-JKMN-PQRS");
  await page.getByRole("button", { name: "Create the account" }).click();
  await page.getByText("This sign-up code is not valid, or no longer valid.").waitFor();
  await judgeBothThemes(page, "a sign-up code that is not good");
  const { codes } = await stage.server.admin("sign-up-codes", "--count", "1");
  await code.fill(codes[0]);
  await page.getByRole("button", { name: "Create the account" }).click();
  await keepCodes(page);
});

test("a person signs in on another device, and returns to the page they came from", async (t) => {
  const guest = await stage.account("Theodora", "Theodora");
  const { page, person } = await at(t, "/players");
  person.expecting.push(/status of 403/);
  await page.getByRole("button", { name: "Choose a name" }).click();
  await page.getByRole("link", { name: "Sign in", exact: true }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await judgeBothThemes(page, "/sign-in");
  await fitsNarrowest(page, "/sign-in");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByText("Enter your handle and your password.").waitFor();
  await signIn(page, "theodora", "not the password");
  await page.getByText("Wrong handle or password.").waitFor();
  await signIn(page, "theodora");
  await page.waitForURL(({ pathname }) => pathname === "/players");
  const { id, handle } = await here(page);
  assert.deepEqual([id, handle], [guest.id, "Theodora"]);
  await page.goBack();
  assert.notEqual(new URL(page.url()).pathname, "/sign-in", "signing in is not gone back to");
});

test("signing in leads only to pages of this server", async (t) => {
  await stage.account("Prokopios", "Prokopios");
  const { page } = await at(t, "/sign-in?next=//example.org/");
  await signIn(page, "Prokopios");
  await page.waitForURL(`${stage.server.address}/`);
});

test("signing in keeps a guest with matches, and offers to adopt them", async (t) => {
  await stage.account("Eudokia", "Eudokia");
  const { id, guests: [guest] } = await stage.match("tavla");
  const { page, goto } = await at(t, "/sign-in", guest);
  await page.getByText("You are Agathias on this device, without an account.").waitFor();
  await signIn(page, "Eudokia");
  await page.getByRole("heading", { name: "You are signed in as Eudokia" }).waitFor();
  await page.getByText("You played here as Agathias (one match).").waitFor();
  await page.getByRole("button", { name: "Move the matches of Agathias to my account" }).click();
  await page.getByRole("group", { name: /Move all matches of Agathias to your account\?/ }).waitFor();
  await judgeBothThemes(page, "a guest who may be taken in");
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Not now" }).click();
  await page.waitForURL(`${stage.server.address}/`);
  await goto("/account");
  await page.getByRole("heading", { name: "Matches you played as a guest" }).waitFor();
  await page.getByText("You played here as Agathias (one match).").waitFor();
  assert.equal((await stage.snapshot(id)).players[1].id, guest.id);
});

test("signing in keeps a guest without matches, and offers nothing", async (t) => {
  await stage.account("Narses", "Narses");
  const { page } = await at(t, "/sign-in", await stage.guest("Agathias"));
  await signIn(page, "Narses");
  await page.waitForURL(`${stage.server.address}/`);
  const left = await page.evaluate(() => JSON.parse(localStorage.getItem("lusoria.left")));
  assert.deepEqual(left.map(({ name }) => name), ["Agathias"]);
});

test("a recovery code sets a new password and signs in", async (t) => {
  const guest = await stage.guest("Belisarios");
  const body = { handle: "Belisarios", password: PASSWORD };
  const { recovery_codes: codes } = await stage.server.ask("POST", "/me/account", body, guest.token);
  const { page, person } = await at(t, "/sign-in");
  person.expecting.push(/status of 403/);
  await page.getByRole("link", { name: "Use a recovery code" }).click();
  await page.getByRole("heading", { name: "Use a recovery code" }).waitFor();
  await judgeBothThemes(page, "/sign-in#recover");
  await page.goBack();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await page.goForward();
  await page.getByLabel("Handle", { exact: true }).fill("Belisarios");
  await page.getByLabel("Recovery code").fill("AAAA-BBBB-CCCC-DDDD");
  await page.getByLabel("New password").fill(NEW_PASSWORD);
  await page.getByRole("button", { name: "Set the password and sign in" }).click();
  await page.getByText("Wrong handle or code, or the code has been used.").waitFor();
  await page.getByLabel("Recovery code").fill(codes[0].toLowerCase().replaceAll("-", ""));
  await page.getByRole("button", { name: "Set the password and sign in" }).click();
  await page.waitForURL(`${stage.server.address}/`);
  assert.equal((await here(page)).id, guest.id);
  assert.deepEqual([await signsIn("Belisarios", PASSWORD), await signsIn("Belisarios", NEW_PASSWORD)], [false, true]);
});

test("a new password signs all other devices out, and they say so", async (t) => {
  const { page, person, guest } = await holder(t, "Antonina");
  person.expecting.push(/status of 403/);
  const other = await at(t, "/account", await elsewhere("Antonina"));
  other.person.expecting.push(/status of 401/);
  await owned(other.page);
  await page.getByRole("button", { name: "Change the password" }).click();
  await page.getByLabel("New password").fill(NEW_PASSWORD);
  await page.getByRole("button", { name: "Save the new password" }).click();
  await prove(page, "Save the new password", "not the password");
  await proof(page).getByText("Wrong password.").waitFor();
  await judgeBothThemes(page, "a wrong proof");
  await prove(page, "Save the new password");
  await page.getByText("You have a new password. All other devices have been signed out.").waitFor();
  assert.deepEqual([await signsIn("Antonina", PASSWORD), await signsIn("Antonina", NEW_PASSWORD)], [false, true]);
  await other.page.reload();
  await other.page.getByText("This device has been signed out: it no longer plays as Antonina.").waitFor();
  await other.page.getByRole("link", { name: "Sign in", exact: true }).first().waitFor();
  await page.reload();
  await owned(page);
  assert.equal((await here(page)).token, guest.token);
});

test("a common password is refused beside its field, and after a change the page says what remains", async (t) => {
  const { page, person, guest } = await holder(t, "Germanos");
  person.expecting.push(/status of 422/);
  const program = { name: "A board", scopes: ["match:read"], password: PASSWORD };
  await stage.server.ask("POST", "/me/tokens", program, guest.token);
  await page.getByRole("button", { name: "Change the password" }).click();
  await page.getByLabel("New password").fill("Password1");
  await page.getByRole("button", { name: "Save the new password" }).click();
  await prove(page, "Save the new password");
  await page.getByText("This password is too common.").first().waitFor();
  await page.locator("#new-password:focus").waitFor();
  await page.getByLabel("New password").fill(NEW_PASSWORD);
  await page.getByRole("button", { name: "Save the new password" }).click();
  await prove(page, "Save the new password");
  await page.getByText("One token of a program is still valid. You can remove").waitFor();
  assert.equal(await signsIn("Germanos", NEW_PASSWORD), true);
});

test("new recovery codes replace the old ones", async (t) => {
  const { page } = await holder(t, "Justinian");
  await page.getByRole("button", { name: "Create new recovery codes" }).click();
  await prove(page, "Create new codes");
  const [code] = await keepCodes(page);
  await stage.server.ask("POST", "/sign-in/recover", { handle: "Justinian", code, new_password: NEW_PASSWORD });
});

test("devices are counted, and signed out", async (t) => {
  const { page } = await holder(t, "Tribonian");
  await page.getByText("You are signed in on this device only.").waitFor();
  await elsewhere("Tribonian");
  await page.reload();
  await page.getByText("You are signed in on 2 devices.").waitFor();
  await page.getByRole("button", { name: "Sign out everywhere else" }).press("Enter");
  await page.getByRole("group", { name: "Sign out 1 other device?" }).waitFor();
  // The focus is on the harmless answer.
  await page.keyboard.press("Enter");
  await page.getByRole("group", { name: "Sign out 1 other device?" }).waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Sign out everywhere else" }).click();
  await page.getByRole("group", { name: "Sign out 1 other device?" }).getByRole("button", { name: "Sign out" }).click();
  await page.getByText("All other devices have been signed out.").waitFor();
  await page.getByText("You are signed in on this device only.").waitFor();
  const { token } = await here(page);
  await page.getByRole("button", { name: "Sign out here" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  assert.equal(await here(page), null);
  await assert.rejects(stage.server.ask("GET", "/me", undefined, token), /unknown_token/);
});

test("the list of devices says how each was signed in", async (t) => {
  const { page, goto } = await holder(t, "Symmachos");
  await elsewhere("Symmachos");
  await goto("/devices");
  await page.getByText("Signed in with the password").waitFor();
  await page.getByRole("button", { name: "Sign out “Unnamed device”" }).click();
  await page.getByRole("group", { name: /You can come back by signing in to your account\./ }).waitFor();
});

test("two tabs have the same guest", async (t) => {
  const { page, person } = await at(t, "/account", await stage.guest("Boethius"));
  const second = await person.newPage();
  await second.goto(page.url());
  await second.getByRole("heading", { name: "Create an account" }).waitFor();
  await open(page, "Boethius");
  await keepCodes(page);
  await owned(second);
  await second.getByLabel("Display name").fill("Anicius");
  await second.getByRole("button", { name: "Save" }).first().click();
  await second.getByText("Your name has been changed.").waitFor();
  await page.getByRole("button", { name: "Your name: Anicius. Change it" }).waitFor();
  await page.getByRole("button", { name: "Sign out here" }).click();
  await second.getByRole("heading", { name: "Create an account" }).waitFor();
});

test("all stored data is downloaded as a file", async (t) => {
  const { page } = await holder(t, "Kassiodor");
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download everything" }).click(),
  ]);
  assert.equal(file.suggestedFilename(), "lusoria.zip");
  const bytes = await readFile(await file.path());
  assert.equal(bytes.subarray(0, 2).toString(), "PK");
  assert.ok(bytes.includes("README.txt"));
  await page.getByText("lusoria.zip has been saved").waitFor();
});

test("an account becomes a bot's after two confirmations, and stays one", async (t) => {
  const { page, guest } = await holder(t, "Talos");
  await page.getByRole("button", { name: "Declare it a bot account" }).click();
  await page.getByRole("button", { name: "Yes, a bot account" }).click();
  await page.getByRole("group", { name: /This can never be undone/ }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Declare it a bot account" }).waitFor();
  assert.equal((await stage.server.ask("GET", "/me", undefined, guest.token)).kind, "person");
  await page.getByRole("button", { name: "Declare it a bot account" }).click();
  await page.getByRole("button", { name: "Yes, a bot account" }).click();
  await page.getByRole("button", { name: "Make it a bot permanently" }).click();
  await page.getByText("This is a bot account, and stays one.").waitFor();
  assert.equal((await stage.server.ask("GET", "/me", undefined, guest.token)).kind, "bot");
});

test("an account that has played cannot become a bot's", async (t) => {
  const guest = await stage.account("Herakleios", "Herakleios");
  await stage.server.ask("POST", "/matches", { game: "tavla" }, guest.token);
  const { page, person } = await at(t, "/account", guest);
  person.expecting.push(/status of 409/);
  await page.getByRole("button", { name: "Declare it a bot account" }).click();
  await page.getByRole("button", { name: "Yes, a bot account" }).click();
  await page.getByRole("button", { name: "Make it a bot permanently" }).click();
  await page.getByText("You have already played: this account stays a person’s.").waitFor();
});

test("an account is erased after the handle is typed and a proof is given", async (t) => {
  const { page, person, guest } = await holder(t, "Phokas");
  person.expecting.push(/status of 403/);
  await page.getByRole("button", { name: "Erase me …" }).click();
  await page.getByLabel("To confirm, type: Phokas").fill("Phocas");
  await page.getByRole("button", { name: "Erase me permanently" }).click();
  await page.getByText("This is not your name: Phokas.").waitFor();
  await judgeBothThemes(page, "the erasure of an account");
  await page.getByLabel("To confirm, type: Phokas").fill("phokas");
  await page.getByRole("button", { name: "Erase me permanently" }).click();
  await prove(page, "Erase me permanently");
  await page.getByRole("heading", { name: "You have been erased" }).waitFor();
  await judgeBothThemes(page, "an account that is erased");
  assert.equal(await here(page), null);
  await assert.rejects(stage.server.ask("GET", "/players/Phokas"), /no_such_guest/);
  await assert.rejects(stage.server.ask("GET", "/me", undefined, guest.token), /unknown_token/);
  await page.reload();
  await page.getByRole("heading", { name: "Create an account" }).waitFor();
});

test("axe finds nothing on the page of an account with everything open", async (t) => {
  const { page } = await holder(t, "Maurikios");
  await page.getByRole("button", { name: "Change the password" }).click();
  await page.getByRole("button", { name: "Create a token" }).click();
  await page.getByRole("button", { name: "Declare it a bot account" }).click();
  await page.getByRole("button", { name: "Erase me …" }).click();
  await judgeBothThemes(page, "/account");
  await fitsNarrowest(page, "/account");
});

test("an account that failed to load is loaded again", async (t) => {
  const { page, person } = await holder(t, "Leontios");
  person.expecting.push(/Failed to load resource/);
  await page.route("**/api/v1/me/account", (route) => route.abort());
  await page.reload();
  await page.getByText("Your account could not be loaded.").waitFor();
  await page.unroute("**/api/v1/me/account");
  await page.getByRole("button", { name: "Try again" }).click();
  await owned(page);
});

test("where browsers allow no passkeys, none are offered", async (t) => {
  const { page, goto } = await holder(t, "Zosimos");
  await page.getByText("Passkeys cannot be used here").waitFor();
  assert.equal(await page.getByRole("button", { name: "Add a passkey" }).count(), 0);
  await goto("/sign-in");
  await page.getByRole("button", { name: "Sign in", exact: true }).waitFor();
  assert.equal(await page.getByRole("button", { name: "Sign in with a passkey" }).count(), 0);
});

// This test must be the last: the server remembers the address.
test("after too many wrong passwords the page counts down until the next attempt", async (t) => {
  await stage.account("Tiberios", "Tiberios");
  const { page, person } = await at(t, "/sign-in");
  person.expecting.push(/status of (403|429)/);
  const told = page.getByText("Too many failed attempts.");
  for (let attempt = 0; attempt < 10 && !(await told.isVisible()); attempt += 1) {
    const [answer] = await Promise.all([
      page.waitForResponse("**/sign-in"),
      signIn(page, "Tiberios", "not the password"),
    ]);
    await answer.finished();
    await page.getByText(/Wrong handle or password\.|Too many failed attempts\./).waitFor();
  }
  await page.getByRole("timer").getByText(/You can try again in 0:0\d\./).waitFor();
  assert.equal(await page.getByRole("button", { name: "Sign in", exact: true }).getAttribute("aria-disabled"), "true");
  await judgeBothThemes(page, "too many wrong attempts");
  await page.getByRole("timer").waitFor({ state: "detached" });
  await signIn(page, "Tiberios");
  await page.waitForURL(`${stage.server.address}/`);
});
