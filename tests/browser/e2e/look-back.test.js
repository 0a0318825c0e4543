// Looking back at a match that is over, to learn from it: practising mistakes.

import assert from "node:assert/strict";
import { test } from "node:test";
import { judgeBothThemes } from "../support/axe.js";
import { FAST } from "../support/browser.js";
import { Stage } from "../support/stage.js";

const stage = new Stage();

/** How long the computer may look at a match, beside everything else that the machine does. */
const LOOKS_MS = 120_000;

/** A match of some turns that was given up, and what the computer makes of it. @param {string} game @param {number} turns */
async function analysed(game, turns) {
  const { id, guests } = await stage.match(game);
  for (let turn = 0; turn < turns; turn += 1) await stage.playOne(id, guests);
  await stage.server.ask("POST", `/matches/${id}/resign`, {}, guests[0].token);
  return { id, guests };
}

/** The moves of the board that begin with a step. @param {import("../support/table.js").Table} table @param {{die?: number, from: string, to: string}} step */
async function moveOf(table, step) {
  const found = await table.page.waitForFunction((step) => {
    const { moves } = /** @type {any} */ (document.querySelector("lusoria-match")).renderRoot.querySelector("lusoria-board");
    const move = moves.find(({ steps }) => steps.length === 1 && steps[0].from === step.from && steps[0].to === step.to && steps[0].die === step.die);
    return move && { from: move.from, to: move.to };
  }, step);
  return /** @type {any} */ (await found.jsonValue());
}

/** Plays steps on the board, one after the other. @param {import("../support/table.js").Table} table @param {any[]} steps */
async function plays(table, steps) {
  for (const [nth, step] of steps.entries()) {
    const { from, to } = await moveOf(table, step);
    await table.page.evaluate(({ from, to }) => {
      const board = document.querySelector("lusoria-match").renderRoot.querySelector("lusoria-board");
      board.play(board.moves.find((move) => move.from === from && move.to === to));
    }, { from, to });
    await table.page.waitForFunction((count) => {
      const { practice, variation } = /** @type {any} */ (document.querySelector("lusoria-match")).aside;
      const { trial } = practice ?? variation;
      return trial.legal && trial.steps.length >= count;
    }, nth + 1);
  }
}

test("a person practises their costliest mistakes: the computer's turn is right, that of then is not", async (t) => {
  const { id, guests } = await analysed("tavla", 8);
  const { page, table } = await stage.at(t, id, { guest: guests[0], preferences: { ...FAST, motion: "none" } });
  await page.locator(".ending").getByRole("button", { name: "Analysis" }).click();
  const practise = page.getByRole("button", { name: "Practise your mistakes" });
  await practise.waitFor({ timeout: LOOKS_MS });
  const analysis = await stage.server.ask("GET", `/matches/${id}/analysis`);
  const mine = analysis.games[0].turns.filter(({ seat, lost }) => seat === 1 && lost >= 0.005).sort((a, b) => b.lost - a.lost || a.seq - b.seq);
  await practise.click();
  const told = page.locator(".told");
  await told.getByText(`Mistake 1 of ${mine.length}`).waitFor();
  assert.equal(await page.locator(".better").count(), 0, "what was best is not told before");
  await judgeBothThemes(page, "a mistake is practised");
  const [first] = mine;
  const events = await stage.events(id);
  const then = events.find(({ seq }) => seq === first.seq).steps;
  assert.ok(await table.button("Check").isDisabled());
  await plays(table, then);
  await table.able("Check").click();
  await told.getByText("That is what you played in the match: it costs").waitFor();
  await table.able("Try again").click();
  await plays(table, first.best.steps);
  await table.able("Check").click();
  await told.getByText("Correct! The computer would play this too.").waitFor();
  await page.getByRole("complementary").getByText("not found").waitFor();
  for (let nth = 2; nth <= mine.length; nth += 1) {
    await table.able("Next").click();
    await told.getByText(`Mistake ${nth} of ${mine.length}`).waitFor();
    await table.able("Solution").click();
    await told.getByText("Best is").waitFor();
    assert.ok((await page.locator("lusoria-board .high .arrow").count()) > 0);
  }
  await table.able("Finish").click();
  await table.word.getByText(`Found at the first try: 0 of ${mine.length}.`).waitFor();
  await practise.waitFor();
});

test("whoever has watched has no mistakes to practise", async (t) => {
  const { id } = await analysed("tavla", 4);
  const { page } = await stage.at(t, id);
  await page.locator(".bar").getByRole("button", { name: "Analysis" }).click();
  await page.getByRole("img", { name: /^Chance of .* to win, after each of/ }).waitFor({ timeout: LOOKS_MS });
  await page.waitForFunction(() => /** @type {any} */ (document.querySelector("lusoria-match")).lookBack.analysis.isReady, null, { timeout: LOOKS_MS });
  assert.equal(await page.getByRole("button", { name: "Practise your mistakes" }).count(), 0);
});
