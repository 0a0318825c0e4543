// The talk beside a match, reports, and an operator's messages.

import assert from "node:assert/strict";
import { fitsNarrowest } from "../support/axe.js";
import { proof } from "../support/account.js";
import { PASSWORD, Stage } from "../support/stage.js";
import { test } from "../support/test.js";

const stage = new Stage({ alone: true });

/** The size of a window with the talk beside the board. */
const WIDE = { context: { viewport: { width: 1280, height: 900 } } };
const PHONE = { context: { viewport: { width: 390, height: 844 } } };

test("a phrase is sent with one tap and read in the reader's language", async (t) => {
  const { id, guests } = await stage.match("tablut");
  const { page: one } = await stage.at(t, id, { guest: guests[0], ...WIDE });
  const french = { viewport: { width: 1280, height: 900 }, locale: "fr-FR" };
  const { page: two } = await stage.at(t, id, { guest: guests[1], context: french });
  await two.getByText("Parler avec votre adversaire").waitFor();
  await one.getByRole("button", { name: "Good luck!" }).click();
  await one.getByRole("log").getByText("Good luck!").waitFor();
  await two.getByRole("log").getByText("Bonne chance").waitFor();
  await two.reload();
  await two.getByRole("log").getByText("Bonne chance").waitFor();
  assert.equal(await one.locator("lusoria-talk input").count(), 0, "there are no words here");
});

test("spectators talk to spectators, by phrases that suit them", async (t) => {
  const { id, guests } = await stage.match("tablut");
  const { page: player } = await stage.at(t, id, { guest: guests[0], ...WIDE });
  const [one, other] = await Promise.all(["Theodora", "Procopius"].map(async (name) =>
    (await stage.at(t, id, { guest: await stage.guest(name), ...WIDE })).page));
  await one.getByRole("button", { name: "What a throw!" }).click();
  await other.getByRole("log").getByText("What a throw!").waitFor();
  assert.equal(await one.getByRole("button", { name: "I have to think." }).count(), 0);
  assert.equal(await player.getByRole("button", { name: "I have to think." }).count(), 1);
  assert.equal(await player.getByText("What a throw!").count(), 1, "its button alone");
});

test("on a phone the talk is in the sheet, closed, and can be hidden", async (t) => {
  const { id, guests } = await stage.match("tablut");
  const { page } = await stage.at(t, id, { guest: guests[0], ...PHONE });
  await stage.server.ask("POST", `/matches/${id}/talk`, { room: "players", phrase: "hello" }, guests[1].token);
  await page.getByRole("button", { name: "Turns and more" }).first().click();
  const summary = page.locator("lusoria-talk summary");
  await summary.waitFor();
  assert.ok(!(await page.getByRole("button", { name: "Good luck!" }).isVisible()));
  await summary.click();
  await page.getByRole("log").getByText("Hello!").waitFor();
  await fitsNarrowest(page, "the talk");
  const hidden = await stage.at(t, id, { guest: guests[1], preferences: { talk: "off" }, ...WIDE });
  await hidden.page.locator("lusoria-replay").first().waitFor({ state: "attached" });
  assert.equal(await hidden.page.locator("lusoria-talk summary").count(), 0);
});

test("on a phone the opponent's remark is shown above the board, and waits in the sheet", async (t) => {
  const { id, guests } = await stage.match("tablut");
  const { page } = await stage.at(t, id, { guest: guests[0], ...PHONE });
  const more = page.getByRole("button", { name: /^Turns and more/ }).first();
  const says = (/** @type {number} */ seat, /** @type {string} */ phrase) =>
    stage.server.ask("POST", `/matches/${id}/talk`, { room: "players", phrase }, guests[seat].token);
  await page.waitForFunction(() => document.querySelector("lusoria-match").talk?.isThere);
  await says(1, "good_luck");
  await page.locator(".told .word").getByText("Zeno: Good luck!").waitFor();
  assert.equal(await more.getAttribute("aria-label"), "Turns and more, 1 new message");
  await more.click();
  await page.locator("lusoria-talk summary").click();
  await page.getByRole("log").getByText("Good luck!").waitFor();
  await page.keyboard.press("Escape");
  await page.locator("lusoria-talk").waitFor({ state: "detached" });
  assert.equal(await more.getAttribute("aria-label"), "Turns and more");
});

test("a warning is shown until it was read, and a ban says why", async (t) => {
  const me = await stage.guest("Agathias");
  await stage.server.admin("warn", me.id, "--say", "Be nice to others.");
  const { page, goto } = await stage.visitor(t, { guest: me });
  await goto("/");
  await page.getByText("Be nice to others.").waitFor();
  await page.getByRole("button", { name: "I have read it" }).click();
  await page.getByText("Be nice to others.").waitFor({ state: "detached" });
  const { warnings } = await stage.server.ask("GET", "/me/standing", undefined, me.token);
  assert.deepEqual(warnings, []);
  await stage.server.admin("ban", me.id, "--for", "1d", "--say", "That was enough.");
  await page.reload();
  await page.getByText("That was enough.").waitFor();
  await page.getByText("you can neither play nor talk").waitFor();
});

test("children's mode is left with the password", async (t) => {
  const me = await stage.account("Agathias", "agathias-talks");
  const { page, goto } = await stage.visitor(t, { guest: me });
  await goto("/account");
  const box = page.getByRole("checkbox", { name: "Children’s mode" });
  await box.check();
  await page.getByText("Saved.").waitFor();
  await box.click();
  const asked = proof(page).last();
  await asked.getByLabel("Your password").fill(PASSWORD);
  await asked.getByRole("button", { name: "Leave children’s mode" }).click();
  const { childrens_mode: on } = await waitFor(() => stage.server.ask("GET", "/me/talk-settings", undefined, me.token));
  assert.equal(on, false);
});

/** Repeats a request until children's mode is off. @param {() => Promise<any>} ask */
async function waitFor(ask) {
  for (;;) {
    const settings = await ask();
    if (!settings.childrens_mode) return settings;
  }
}
