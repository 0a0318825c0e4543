// A match as the computer sees it afterwards.

import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.addEventListener ??= () => {};
globalThis.localStorage ??= { getItem: () => null, setItem: () => {}, removeItem: () => {} };
const { Analysis, canLookBack, dearest, isLight, judgedIn, totalOf, wayOf } = await import("../../../web/match/analysis.js");

const value = (win, draw = 0) => ({ win, win_double: 0, lose_double: 0, draw });
const step = { die: 1, from: "24", to: "23" };

/** A turn as the server judges it. */
const turn = (seq, seat, win, best, luck = 0, more = {}) => ({
  seq,
  answers: seq - 1,
  notation: `turn ${seq}`,
  seat,
  side: seat === 1 ? "white" : "black",
  before: value(0.5),
  thrown: value(0.5 + luck),
  best: { steps: [step], notation: `better ${seq}`, value: value(best) },
  played: value(win),
  luck: 2 * luck,
  lost: 2 * (best - win),
  forced: false,
  ...more,
});
const GAMES = [
  { game: 1, turns: [turn(5, 1, 0.5, 0.6, 0.1), turn(7, 2, 0.55, 0.55, -0.2), turn(9, 1, 0.4, 0.402, 0.05)], passes: [] },
  { game: 2, turns: [turn(15, 2, 0.2, 0.5)], passes: [] },
];
const TOLD = { state: "ready", done: 4, turns: 4, games: GAMES };
const judged = (games = GAMES, countsDouble = false) => judgedIn(games, countsDouble);
/** A single game of some turns. */
const game = (turns, passes = []) => [{ game: 1, turns, passes }];
const close = (found, expected) => assert.ok(Math.abs(found - expected) < 1e-9, `${found}, not ${expected}`);

test("turns are numbered in their games, and what they lost is what the best would have had more", () => {
  const turns = judged();
  assert.deepEqual(turns.map(({ game, nth, seq, before }) => [game, nth, seq, before]), [[1, 1, 5, 4], [1, 2, 7, 6], [1, 3, 9, 8], [2, 1, 15, 14]]);
  close(turns[0].lost, 0.1);
  close(turns[1].lost, 0);
});

test("a draw is half a win", () => {
  const [found] = judged(game([turn(5, 1, 0, 0.6, 0, { played: value(0.2, 0.4) })]));
  close(found.chance, 0.4);
  close(found.lost, 0.2);
});

test("a double win is two where points are counted, and one in a single game", () => {
  const double = (win, more) => ({ ...value(win), ...more });
  const risky = turn(5, 1, 0, 0, 0, {
    played: double(0.5, { win_double: 0.3 }),
    best: { steps: [], notation: "", value: double(0.6, { lose_double: 0.1 }) },
  });
  close(judged(game([risky]))[0].lost, 0.1);
  close(judged(game([risky]), true)[0].lost, 0);
});

test("where there was no choice nothing was lost, and it does not count among the turns", () => {
  const turns = judged(game([turn(5, 1, 0.5, 0.6), turn(7, 1, 0.4, 0.5, 0, { forced: true })]));
  close(turns[1].lost, 0);
  close(totalOf(turns, 1).perTurn, 0.1);
});

test("the dearest turns come first, and those that are as good as the best not at all", () => {
  const turns = judged();
  assert.deepEqual(dearest(turns, 5).map(({ seq }) => seq), [15, 5]);
  assert.deepEqual(dearest(turns, 1).map(({ seq }) => seq), [15]);
});

test("each side's totals are its own", () => {
  const turns = judged();
  const [one, two] = [totalOf(turns, 1), totalOf(turns, 2)];
  close(one.lost, 0.102);
  close(one.perTurn, 0.051);
  close(one.luck, 0.15);
  close(two.lost, 0.3);
  assert.equal(totalOf([], 1).perTurn, 0);
});

test("luck and skill add up turn by turn, each side's counted against the other", () => {
  const [first, second] = wayOf(judged().slice(0, 2), 2);
  close(first.chance, 0.5);
  close(first.luck, -0.1);
  close(first.skill, 0.1);
  close(second.chance, 0.55);
  close(second.luck, -0.3);
  close(second.skill, 0.1);
});

test("a throw with which nothing could be played is a turn without a choice", () => {
  const pass = { seq: 7, seat: 2, side: "black", before: value(0.5), thrown: value(0.3), luck: -0.4 };
  const turns = judged(game([turn(5, 1, 0.5, 0.6, 0.1), turn(9, 1, 0.4, 0.4)], [pass]));
  assert.deepEqual(turns.map(({ seq, nth, isForced }) => [seq, nth, isForced]), [[5, 1, false], [7, 2, true], [9, 3, false]]);
  const [, passed] = wayOf(turns, 2);
  close(passed.luck, -0.3);
  close(passed.chance, 0.3);
  close(totalOf(turns, 2).luck, -0.2);
});

test("a seat that has not played has the other's other side", () => {
  const [own] = judged();
  assert.equal(isLight([own], 1), true);
  assert.equal(isLight([own], 2), false);
});

test("what was broken off or is still played is not looked at again", () => {
  const ended = { state: "ended", gameNumber: 1, result: { result: "won" } };
  assert.equal(canLookBack(ended), true);
  assert.equal(canLookBack({ ...ended, result: { result: "aborted" } }), false);
  assert.equal(canLookBack({ ...ended, state: "playing", result: undefined }), false);
});

const LIVE = { id: "m", moment: { points: 1 } };

test("it is asked for until it is ready, as long as somebody wants it", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const answers = [{ state: "pending", done: 1, turns: 4, games: game(GAMES[0].turns.slice(0, 1)) }, { state: "pending", done: 3, turns: 4, games: [] }, TOLD];
  let asked = 0;
  globalThis.fetch = async () => new Response(JSON.stringify(answers[asked++]));
  const analysis = new Analysis(LIVE);
  analysis.want();
  await settled();
  assert.deepEqual([analysis.progress, analysis.turns.length], [{ done: 1, turns: 4 }, 1]);
  analysis.leave();
  context.mock.timers.tick(10_000);
  await settled();
  assert.equal(asked, 1, "nobody wants it");
  analysis.want();
  analysis.want();
  await settled();
  assert.equal(asked, 2, "two ask once");
  analysis.leave();
  context.mock.timers.tick(10_000);
  await settled();
  assert.deepEqual([asked, analysis.isReady, analysis.turns.length], [3, true, 4]);
  assert.equal(analysis.faultAt(14).seq, 15);
  assert.equal(analysis.faultAt(6), undefined);
});

test("why it cannot be had is told", async () => {
  globalThis.fetch = async () => new Response(JSON.stringify({ code: "match_not_over" }), { status: 409 });
  const analysis = new Analysis(LIVE);
  const told = [];
  analysis.addEventListener("refused", ({ detail }) => told.push(detail.code));
  analysis.want();
  await settled();
  assert.deepEqual(told, ["match_not_over"]);
});

/** What was asked has been answered and read. */
const settled = async () => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};
