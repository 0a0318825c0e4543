// Looking back at a finished match to learn from it: practising mistakes, playing variations. And the spectators of a
// live match.

import assert from "node:assert/strict";
import { judgeBothThemes } from "../support/axe.js";
import { FAST } from "../support/browser.js";
import { Stage } from "../support/stage.js";
import { test } from "../support/test.js";

const stage = new Stage();

/** How long the computer may analyse a match on a busy machine. */
const LOOKS_MS = 120_000;

/** A match of some turns that was resigned, and its analysis. @param {string} game @param {number} turns */
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

test("a person practises their costliest mistakes: the computer's turn is right, the original one is not", async (t) => {
  const { id, guests } = await analysed("tavla", 8);
  const { page, table } = await stage.at(t, id, { guest: guests[0], preferences: { ...FAST, clicks: "one" } });
  // The computer analyses the match when luck and skill are requested.
  const end = page.locator(".ending");
  await end.getByRole("button", { name: "Luck and skill" }).click();
  await end.getByRole("button", { name: /^Luck [+−]\d+, skill [+−]\d+/ }).click({ timeout: LOOKS_MS });
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
  // Clicks play the dice of the mistake, in an order that can be changed, as in the match.
  const order = () => page.evaluate(() => document.querySelector("lusoria-match").renderRoot.querySelector("lusoria-board").order);
  const dice = await page.evaluate(() => [...new Set(document.querySelector("lusoria-match").aside.practice.moment.toPlay.dice)]);
  assert.ok(dice.length > 0);
  assert.deepEqual(await order(), dice);
  await page.keyboard.press("d");
  assert.deepEqual(await order(), dice.length > 1 ? dice.toReversed() : dice);
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

/**
 * Responds instead of a computer that would play some thousand games (tests/it/computer/rollouts.rs): the second
 * request for a turn finds it ready. @param {import("playwright-core").Page} page
 */
async function playOn(page) {
  const asked = new Set();
  await page.route(/\/rollout\?seq=\d+$/, (route) => {
    const seq = Number(new URL(route.request().url()).searchParams.get("seq"));
    const state = asked.has(seq) ? "ready" : "pending";
    asked.add(seq);
    const turn = { steps: [], games: 144, value: { win: 0.5, double: 0, triple: 0 } };
    const best = { ...turn, notation: "24/18", played: false, behind: 0, behind_error: 0 };
    const played = { ...turn, notation: "24/20", played: true, behind: 0.031, behind_error: 0.004 };
    return route.fulfill({ json: { seq, state, games: 144, games_max: 144, sure: state === "ready", turns: [best, played] } });
  });
}

test("one button rolls out the costliest mistakes, and the page says how much better the best turn is", async (t) => {
  const { id } = await analysed("tavla", 6);
  const { page } = await stage.at(t, id);
  await playOn(page);
  await page.locator(".bar").getByRole("button", { name: "Analysis" }).click();
  const button = page.getByRole("button", { name: "Roll out the costliest mistakes" });
  await button.waitFor({ timeout: LOOKS_MS });
  await button.press("Enter");
  await page.locator(".rollout").first().waitFor();
  await button.waitFor({ state: "detached" });
  assert.ok(await page.locator("lusoria-analysis ol button").first().evaluate((fault) => fault.matches(":focus")));
  const told = await page.locator("p.rollout[role=status]").allInnerTexts();
  assert.ok(told.length > 0);
  for (const one of told) assert.match(one, /^rollout: .*24\/18.* wins [0-9.]+ ± [0-9.]+ percentage points more$/);
  await judgeBothThemes(page, "turns have been played on");
});

test("a spectator has no mistakes to practise", async (t) => {
  const { id } = await analysed("tavla", 4);
  const { page } = await stage.at(t, id);
  await page.locator(".bar").getByRole("button", { name: "Analysis" }).click();
  await page.waitForFunction(() => /** @type {any} */ (document.querySelector("lusoria-match")).lookBack.analysis.isReady, null, { timeout: LOOKS_MS });
  assert.equal(await page.getByRole("button", { name: "Practise your mistakes" }).count(), 0);
});

/** The line above the board. @param {import("playwright-core").Page} page */
const told = (page) => page.locator(".told");

/** Waits until so many turns of the variation have been played. @param {import("../support/table.js").Table} table @param {number} count */
const tried = (table, count) =>
  table.page.waitForFunction((count) => /** @type {any} */ (document.querySelector("lusoria-match")).aside?.variation.turns.length === count, count);

test("other turns are tried from any moment, with any dice, and the computer evaluates them", async (t) => {
  const { id, guests } = await analysed("tavla", 6);
  const [turned] = (await stage.events(id)).filter(({ type }) => type === "turned");
  const { person, page, table } = await stage.at(t, id, { guest: guests[1], preferences: FAST });
  await person.goto(`/match/${id}?at=${turned.seq}`);
  await table.ready();
  const start = await table.shown();
  await page.locator(".bar").getByRole("button", { name: "Try other turns" }).click();
  const side = page.getByRole("complementary");
  await told(page).getByText(/ to roll: wins \d+%/).waitFor();
  await judgeBothThemes(page, "other turns are tried");
  await side.getByRole("combobox", { name: "Die 1" }).selectOption("6");
  await side.getByRole("combobox", { name: "Die 2" }).selectOption("5");
  await side.getByRole("button", { name: "Use these dice" }).click();
  await told(page).getByText(/ to play: wins \d+%/).waitFor();
  const best = side.getByRole("list", { name: "Best turns" }).getByRole("button");
  assert.ok((await best.count()) > 0);

  // The best turn is shown, then another one is played on the board.
  await table.able("Best").click();
  await told(page).getByText(/^Best: /).waitFor();
  assert.ok((await page.locator("lusoria-board .high .arrow").count()) > 0);
  const [first] = (await page.evaluate(() => /** @type {any} */ (document.querySelector("lusoria-match")).aside.variation.opinion.turns)).slice(-1);
  await plays(table, first.steps.slice(0, 1));
  await page.keyboard.press("u");
  await page.waitForFunction(() => /** @type {any} */ (document.querySelector("lusoria-match")).aside.variation.trial.steps.length === 0);
  await best.first().click();
  await tried(table, 1);
  await told(page).getByText("is as good as the best").waitFor();
  assert.notDeepEqual(await table.shown(), start);
  await side.getByRole("list", { name: "Your line" }).getByText("6-5: ").waitFor();

  // The other side rolls; then everything is taken back.
  await table.able("Throw").click();
  await told(page).getByText(/ to play: /).waitFor();
  await table.able("Take back").click();
  await table.able("Take back").click();
  await tried(table, 0);
  await table.able("Take back").click();
  await told(page).getByText(/ to roll: /).waitFor();
  assert.deepEqual(await table.shown(), start);
  assert.ok(await table.button("Take back").isDisabled());
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Back to the end" }).waitFor();
  assert.equal(new URL(page.url()).searchParams.get("at"), String(turned.seq), "it is where it was");
});

test("in tablut both sides are moved in turn, on a phone too", async (t) => {
  const { id } = await analysed("tablut", 3);
  const [started] = (await stage.events(id)).filter(({ type }) => type === "game_started");
  const { person, page, table } = await stage.at(t, id, { preferences: FAST, context: { viewport: { width: 360, height: 740 } } });
  await person.goto(`/match/${id}?at=${started.seq}`);
  await table.ready();
  await page.getByRole("button", { name: "Turns and more" }).click();
  await page.locator("dialog.sheet").getByRole("button", { name: "Try other turns" }).click();
  await told(page).getByText(/^Attackers to play: |Agathias to play: /).waitFor();
  for (const [nth, step] of [{ from: "d1", to: "c1" }, { from: "e3", to: "d3" }].entries()) {
    const { from, to } = await moveOf(table, step);
    await page.evaluate(({ from, to }) => {
      const board = document.querySelector("lusoria-match").renderRoot.querySelector("lusoria-board");
      board.play(board.moves.find((move) => move.from === from && move.to === to));
    }, { from, to });
    await tried(table, nth + 1);
  }
  assert.ok(await table.button("Play the only turn").isDisabled());
  await table.able("Back to the match").click();
  await page.getByRole("button", { name: "Back to the end" }).waitFor();
});

test("a live match has no variations, and shows the number of spectators", async (t) => {
  const { id, guests } = await stage.match("tavla");
  for (let turn = 0; turn < 2; turn += 1) await stage.playOne(id, guests);
  const { page } = await stage.at(t, id, { guest: guests[0], preferences: FAST });
  const watched = page.locator("lusoria-player").getByRole("img", { name: /spectator/ });
  await watched.waitFor({ state: "detached" });
  const strangers = await Promise.all([1, 2].map(() => stage.at(t, id)));
  await page.getByRole("img", { name: "2 spectators", exact: true }).waitFor();
  await strangers[0].page.getByRole("img", { name: "2 spectators", exact: true }).waitFor();
  await judgeBothThemes(page, "a match is watched");
  await strangers[1].person.goto("/players");
  await page.getByRole("img", { name: "1 spectator", exact: true }).waitFor();
  await page.keyboard.press("Home");
  await page.getByRole("button", { name: "Back to live" }).waitFor();
  assert.equal(await page.getByRole("button", { name: "Try other turns" }).count(), 0);
});
