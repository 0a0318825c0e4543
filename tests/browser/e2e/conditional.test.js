// Conditional turns of a correspondence match: entered on the page, played while the person is away.

import assert from "node:assert/strict";
import { fitsNarrowest, judgeBothThemes } from "../support/axe.js";
import { FAST } from "../support/browser.js";
import { Stage } from "../support/stage.js";
import { test } from "../support/test.js";

const stage = new Stage();

const DAYS = { clock: { kind: "days", days: 3 } };

/** The turns of the match so far. @param {string} id */
const turns = async (id) =>
  (await stage.events(id)).filter(({ type }) => type === "turned").map(({ steps: [{ from, to }] }) => `${from}–${to}`);

/** Plays a step for a guest, without a page. @param {string} id @param {{token: string}} guest @param {{from: string, to: string}} step */
async function play(id, guest, step) {
  const { to_play } = await stage.snapshot(id);
  return stage.server.ask("POST", `/matches/${id}/turn`, { seq: to_play.seq, steps: [step] }, guest.token);
}

/** Moves on the board of the dialogue, once it is possible. @param {import("playwright-core").Page} page @param {string} from @param {string} to */
async function move(page, from, to) {
  const board = page.locator("lusoria-conditional lusoria-board").first();
  await page.waitForFunction((from) => {
    const match = document.querySelector("lusoria-match").renderRoot;
    const board = match.querySelector("lusoria-conditional").renderRoot.querySelector("lusoria-board");
    return board?.moves.some((move) => move.from === from);
  }, from);
  for (const place of [from, to]) {
    await board.locator(`.places rect[data-place="${place}"]`).focus();
    await page.keyboard.press("Enter");
  }
}

test("a line is entered on a board of its own, and played while the person is away", async (t) => {
  const { id, guests: [attackers, defenders] } = await stage.match("tablut", DAYS);
  const { page, table, person } = await stage.at(t, id, { guest: defenders, preferences: FAST });
  await page.getByRole("button", { name: "Conditional turns" }).click();
  const dialog = page.locator("lusoria-conditional");
  await dialog.getByText("If they play…").waitFor();
  const before = await table.shown();
  await move(page, "d1", "c1");
  await dialog.getByText("d1–c1 · …you reply").waitFor();
  assert.equal(await dialog.getByRole("button", { name: "Add the line" }).isEnabled(), false);
  await move(page, "e4", "f4");
  await dialog.getByText("d1–c1 e4–f4 · If they play…").waitFor();
  await dialog.getByRole("button", { name: "Add the line" }).click();
  await dialog.getByRole("listitem").filter({ hasText: "d1–c1 e4–f4" }).waitFor();
  await judgeBothThemes(page, "conditional turns");
  assert.deepEqual((await table.shown()).board, before.board, "the board of the match has not moved");

  // Removes another line.
  await move(page, "d1", "b1");
  await move(page, "e4", "g4");
  await dialog.getByRole("button", { name: "Add the line" }).click();
  await dialog.getByRole("button", { name: "Remove the line d1–b1 e4–g4" }).click();
  await dialog.getByRole("listitem").filter({ hasText: "d1–b1" }).waitFor({ state: "detached" });
  const { lines } = await stage.server.ask("GET", `/matches/${id}/conditional-turns`, undefined, defenders.token);
  assert.deepEqual(lines, [[{ from: "d1", to: "c1" }, { from: "e4", to: "f4" }]]);

  await person.goto("/rules/tablut");
  await play(id, attackers, { from: "d1", to: "c1" });
  await person.goto(`/match/${id}`);
  await table.ready();
  await page.waitForFunction(() => document.querySelector("lusoria-match").live.moment.last?.notation === "e4-f4");
  assert.deepEqual(await turns(id), ["d1–c1", "e4–f4"]);
});

test("on one's own turn lines cannot be entered, and forced turns can be left to the server in every game", async (t) => {
  for (const [game, guest] of [["tablut", 0], ["zeno", 1]]) {
    const { id, guests } = await stage.match(game, DAYS);
    const { page } = await stage.at(t, id, { guest: guests[guest], preferences: { ...FAST, forced: "tap", confirming: "ask", throwing: "click" } });
    await page.getByRole("button", { name: "Conditional turns" }).click();
    const dialog = page.locator("lusoria-conditional");
    const box = dialog.getByRole("checkbox", { name: "Play turns for me that leave no choice" });
    await box.check();
    assert.equal(await dialog.getByText("It is your turn.").count(), game === "tablut" ? 1 : 0);
    await page.waitForFunction(async ({ id, token }) => {
      const answer = await fetch(`/api/v1/matches/${id}/conditional-turns`, { headers: { authorization: `Bearer ${token}` } });
      return (await answer.json()).forced === true;
    }, { id, token: guests[guest].token }, { polling: 250 });
  }
});

test("on a phone they are in the sheet", async (t) => {
  const { id, guests: [, defenders] } = await stage.match("tablut", DAYS);
  const { page } = await stage.at(t, id, { guest: defenders, preferences: FAST, context: { viewport: { width: 360, height: 740 } } });
  await page.locator(".bar .tools button.narrow").click();
  const inSheet = page.locator("dialog.sheet lusoria-conditional");
  await inSheet.getByRole("button", { name: "Conditional turns" }).click();
  await inSheet.getByText("If they play…").waitFor();
  await fitsNarrowest(page, "conditional turns");
  const [wide, room] = await inSheet.locator(".all").evaluate((all) => {
    const dialog = all.closest("lusoria-dialog").renderRoot.querySelector("dialog");
    return [dialog.scrollWidth, dialog.clientWidth];
  });
  assert.ok(wide <= room, `${wide} px in ${room} px`);
});

test("a match that is not by correspondence has none", async (t) => {
  const { id, guests } = await stage.match("tablut");
  const { page } = await stage.at(t, id, { guest: guests[1], preferences: FAST });
  assert.equal(await page.getByRole("button", { name: "Conditional turns" }).count(), 0);
});
