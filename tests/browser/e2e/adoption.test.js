// A guest without an account: an account of the same person adopts their matches, or they are erased.

import assert from "node:assert/strict";
import { at, here, owned, signIn } from "../support/account.js";
import { judgeBothThemes } from "../support/axe.js";
import { Stage } from "../support/stage.js";
import { test } from "../support/test.js";

const stage = new Stage();

/** The previous guests of this device, as stored. @param {import("playwright-core").Page} page */
const left = (page) => page.evaluate(() => JSON.parse(localStorage.getItem("lusoria.left") ?? "[]"));

/** Confirms the adoption of the offered guest. @param {import("playwright-core").Page} page */
async function take(page) {
  await page.getByRole("button", { name: "Move the matches of Agathias to my account" }).click();
  await page.getByRole("button", { name: "Move them" }).click();
}

/** Gives seat 1 of a match to a guest. @param {string} match @param {string} id */
async function sits(match, id) {
  const { players } = await stage.snapshot(match);
  assert.equal(players[1].id, id);
}

test("after a sign-in the account adopts the matches of the device's guest, and continues them", async (t) => {
  const account = await stage.account("Eudokia", "Eudokia");
  const { id, guests: [guest] } = await stage.match("tavla");
  const { page, goto } = await at(stage, t, "/sign-in?next=/account", guest);
  await signIn(page, "Eudokia");
  await page.getByText("You played here as Agathias (one match).").waitFor();
  await take(page);
  await page.getByText(/The matches of Agathias (are now yours|are becoming yours)/).waitFor();
  await judgeBothThemes(page, "a guest who has been taken in");
  assert.deepEqual(await left(page), []);
  await sits(id, account.id);
  await assert.rejects(stage.server.ask("GET", "/me", undefined, guest.token), /unknown_token/);
  await page.getByRole("button", { name: "Continue" }).click();
  await owned(page);
  assert.equal(await page.getByRole("heading", { name: "Matches you played as a guest" }).count(), 0);
  await goto(`/match/${id}`);
  await page.locator("lusoria-board .places rect[tabindex]").first().waitFor({ state: "attached" });
});

test("a previous guest is adopted from the page of the account", async (t) => {
  const account = await stage.account("Theodora", "Theodora");
  const { id, guests: [guest] } = await stage.match("tablut");
  const { page } = await at(stage, t, "/sign-in?next=/account", guest);
  await signIn(page, "Theodora");
  await page.getByRole("button", { name: "Not now" }).click();
  await page.getByRole("heading", { name: "Matches you played as a guest" }).waitFor();
  await take(page);
  await page.getByText(/The matches of Agathias (are now yours|are becoming yours)/).waitFor();
  await page.getByRole("heading", { name: "Matches you played as a guest" }).waitFor({ state: "detached" });
  assert.deepEqual(await left(page), []);
  await sits(id, account.id);
});

test("a guest with an account is not offered for adoption", async (t) => {
  await stage.account("Narses", "Narses");
  const { guests: [guest] } = await stage.match("tablut");
  const { page, person } = await at(stage, t, "/sign-in", guest);
  await signIn(page, "Narses");
  await page.getByText("You played here as Agathias (one match).").waitFor();
  person.expecting.push(/status of 4\d\d/);
  const body = { handle: "Agathias", password: "three rolls of the dice" };
  await stage.server.ask("POST", "/me/account", body, guest.token);
  await take(page);
  await page.getByText("This guest now has an account: sign in to that.").waitFor();
  assert.equal((await left(page)).length, 1);
});

test("a guest without an account erases themselves", async (t) => {
  const { guests: [guest] } = await stage.match("tablut");
  const { page } = await at(stage, t, "/account", guest);
  await page.getByRole("button", { name: "Erase me …" }).click();
  await page.getByLabel("To confirm, type: Agathias").fill("agathias");
  await page.getByRole("button", { name: "Erase me permanently" }).click();
  await page.getByRole("heading", { name: "You have been erased" }).waitFor();
  assert.equal(await here(page), null);
  await assert.rejects(stage.server.ask("GET", "/me", undefined, guest.token), /unknown_token/);
});
