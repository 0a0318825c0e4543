// Variations of a finished match.

import "./device.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { Problem } from "../../../web/api/rest.js";
import { TURNS_MAX, Variation, throwDice } from "../../../web/match/variation.js";

/** The next side. */
const OTHER = { white: "black", black: "white", attackers: "defenders", defenders: "attackers" };

/**
 * A game in which a turn is one step, and the position counts the turns.
 * @param {string} game @param {any} [more] of the moment where it begins
 */
function world(game, more = {}) {
  const sides = game === "tablut" ? { 1: "attackers", 2: "defenders" } : { 1: "white", 2: "black" };
  const position = { at: 0, to_move: sides[1], ...(game === "tablut" ? { board: "x0" } : {}) };
  const toPlay = game === "tablut" ? { seat: 1, side: sides[1], seq: 7, dice: [] } : undefined;
  const base = /** @type {any} */ ({ seq: 7, at: 0, game, options: {}, state: "ended", gameNumber: 1, sides, position, toPlay, hasPlayed: { 1: true, 2: true },
    hasOffered: { 1: false, 2: false }, lagMs: { 1: 5, 2: 0 }, tafl: { sinceCapture: 0 }, ended: [], result: {}, ...more });
  /** @type {any[]} */
  const asked = [];
  const state = { refuses: false };
  const evaluate = async (/** @type {any} */ question) => {
    asked.push(question);
    if (state.refuses) throw new Problem({ code: "not_playing" });
    const count = question.turns.length;
    const side = count % 2 === 0 ? sides[1] : sides[2];
    const over = count >= 3;
    const last = count > 0 ? { lost: count / 100 } : undefined;
    const next = { ...position, at: count, to_move: side, ...(game === "tablut" ? { board: `x${count}` } : {}) };
    return /** @type {any} */ ({ position: next, turns: [], last, ...(over ? { outcome: { points: 1 } } : { to_play: side, value: { win: 0.5 } }) });
  };
  const rules = async (/** @type {any} */ { steps, position: before, dice }) => {
    // A double six has no legal turn.
    const isBlocked = dice?.every((/** @type {number} */ die) => die === 6);
    return /** @type {any} */ ({ position: { ...before, steps: steps.length }, steps: [], complete: isBlocked || steps.length > 0, notation: steps.map(({ from, to }) => `${from}/${to}`).join(" ") });
  };
  return { asked, state, variation: new Variation(base, evaluate, rules) };
}

/** Waits for a condition. @param {Variation} variation @param {() => unknown} holds */
async function until(variation, holds) {
  while (!holds()) await new Promise((done) => variation.addEventListener("change", done, { once: true }));
}

const STEP = { die: 3, from: "8", to: "5" };

test("dice are thrown or chosen, and the sides take turns until the game is over", async () => {
  const { variation, asked } = world("tavla");
  variation.begin();
  assert.deepEqual([variation.moment.state, variation.moment.clocks, variation.moment.lagMs[1]], ["playing", undefined, 0]);
  for (const side of ["white", "black", "white"]) {
    assert.ok(variation.needsDice);
    assert.equal(variation.side, side);
    variation.throw([3, 1]);
    assert.ok(!variation.needsDice);
    assert.equal(variation.moment.toPlay?.side, side);
    await until(variation, () => variation.trial.legal && variation.opinion);
    assert.deepEqual(asked.at(-1).dice, [3, 1]);
    const count = variation.turns.length;
    variation.trial.play([STEP]);
    await until(variation, () => variation.turns.length > count);
  }
  assert.deepEqual(variation.turns.map(({ side, notation, lost }) => [side, notation, lost]), [["white", "8/5", 0.01], ["black", "8/5", 0.02], ["white", "8/5", 0.03]]);
  assert.ok(variation.isOver && !variation.needsDice && variation.side === undefined);
  assert.deepEqual(asked.at(-1).turns.at(-1), { dice: [3, 1], steps: [STEP] });
  assert.equal(asked.at(-1).seq, 7);
  variation.throw([1, 1]);
  assert.equal(variation.moment.toPlay, undefined, "there is nothing to throw any more");
});

test("steps, dice and turns are taken back, the last first", async () => {
  const { variation } = world("tavla");
  variation.begin();
  variation.throw([3, 1]);
  await until(variation, () => variation.trial.legal);
  variation.trial.play([STEP]);
  await until(variation, () => variation.turns.length === 1 && variation.opinion);
  variation.throw([2, 2]);
  await until(variation, () => variation.trial.legal);
  variation.takeBack();
  assert.deepEqual([variation.moment.toPlay, variation.turns.length, variation.needsDice], [undefined, 1, true]);
  variation.takeBack();
  assert.equal(variation.turns.length, 0);
  assert.deepEqual(variation.moment.toPlay?.dice, [3, 1], "its dice are left lying");
  assert.equal(/** @type {any} */ (variation.moment.position).at, 0);
  variation.takeBack();
  assert.ok(variation.needsDice && !variation.canTakeBack);
});

test("a throw without a legal turn is passed", async () => {
  const { variation } = world("tavla");
  variation.begin();
  variation.throw([6, 6]);
  await until(variation, () => variation.trial.legal);
  assert.equal(variation.turns.length, 0, "not before the person has seen it");
  variation.playForced();
  await until(variation, () => variation.turns.length === 1);
  assert.deepEqual([variation.turns[0].steps, variation.side], [[], "black"]);
});

test("without dice the other side is to move at once", async () => {
  const { variation } = world("tablut");
  variation.begin();
  assert.ok(!variation.needsDice);
  await until(variation, () => variation.trial.legal);
  variation.trial.play([{ from: "a4", to: "a3" }]);
  await until(variation, () => variation.turns.length === 1);
  assert.equal(variation.moment.toPlay?.side, "defenders");
  await until(variation, () => variation.trial.legal);
  variation.takeBack();
  await until(variation, () => variation.trial.legal);
  assert.deepEqual([variation.turns.length, variation.moment.toPlay?.side], [0, "attackers"]);
});

test("a refusal by the server is reported, and the turn can be played otherwise", async () => {
  const { variation, state } = world("tavla");
  variation.begin();
  variation.throw([3, 1]);
  await until(variation, () => variation.trial.legal && variation.opinion);
  state.refuses = true;
  const refused = new Promise((done) => variation.addEventListener("refused", done, { once: true }));
  variation.trial.play([STEP]);
  await refused;
  await until(variation, () => variation.trial.legal);
  assert.deepEqual([variation.turns, variation.trial.steps, variation.isPlaying], [[], [], false]);
});

test("thrown dice are valid, and each number is equally likely", () => {
  const counts = new Map();
  for (const die of throwDice(6_000)) counts.set(die, (counts.get(die) ?? 0) + 1);
  assert.deepEqual([...counts.keys()].sort(), [1, 2, 3, 4, 5, 6]);
  assert.ok(Math.min(...counts.values()) > 800, String([...counts]));
  assert.ok(TURNS_MAX > 0);
});

test("turns that were kept are there again, with what stood before each", async () => {
  for (const game of ["tavla", "tablut"]) {
    const { variation } = world(game);
    variation.begin();
    for (let count = 0; count < 2; count += 1) {
      if (game === "tavla") variation.throw([3, 1]);
      await until(variation, () => variation.trial.legal && variation.opinion);
      variation.trial.play([STEP]);
      await until(variation, () => variation.turns.length > count);
    }
    const { kept } = variation;
    const { variation: again, asked } = world(game);
    again.begin(JSON.parse(JSON.stringify(kept)));
    assert.deepEqual(again.moment, variation.moment);
    assert.deepEqual(again.turns.map(({ before, side, dice, notation }) => ({ before, side, dice, notation })),
      variation.turns.map(({ before, side, dice, notation }) => ({ before, side, dice, notation })));
    assert.equal(asked.at(-1).turns.length, 2);
    await until(again, () => again.opinion);
    again.takeBack();
    assert.deepEqual(again.moment, variation.turns[1].before);
  }
});
