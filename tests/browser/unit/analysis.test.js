// The computer's analysis of a finished match.

import assert from "node:assert/strict";
import { test } from "node:test";
import "./device.js";

const { Analysis, canLookBack, dearest, isLight, judgedIn, placeOf, totalsOf, unknownOf, wayOf } = await import("../../../web/match/analysis.js");
const { LookBack } = await import("../../../web/parts/look-back.js");

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
  luck,
  lost: best - win,
  ...more,
});
const total = (lost, luck, turns) => ({ lost, luck, turns, mistakes: 0 });
const GAMES = [
  {
    game: 1,
    turns: [turn(5, 1, 0.5, 0.6, 0.1), turn(7, 2, 0.55, 0.55, -0.2), turn(9, 1, 0.4, 0.402, 0.05)],
    passes: [],
    totals: { 1: total(0.102, 0.15, 2), 2: total(0, -0.2, 1) },
  },
  { game: 2, turns: [turn(15, 2, 0.2, 0.5)], passes: [], totals: { 1: total(0, 0, 0), 2: total(0.3, 0.1, 2) } },
];
const TOLD = { state: "ready", done: 4, turns: 4, games: GAMES };
const judged = (games = GAMES, unit = "chances") => judgedIn(games, unit);
/** A single game of some turns. */
const game = (turns, passes = []) => [{ game: 1, turns, passes, totals: { 1: total(0, 0, 0), 2: total(0, 0, 0) } }];
const close = (found, expected) => assert.ok(Math.abs(found - expected) < 1e-9, `${found}, not ${expected}`);

test("turns are numbered within their games", () => {
  const turns = judged();
  assert.deepEqual(turns.map(({ game, nth, seq, before }) => [game, nth, seq, before]), [[1, 1, 5, 4], [1, 2, 7, 6], [1, 3, 9, 8], [2, 1, 15, 14]]);
});

test("loss and luck come from the server, which knows the unit", () => {
  const told = { ...turn(5, 1, 0.5, 0.6, 0.1), lost: 0.37, luck: -0.21 };
  const pass = { seq: 7, seat: 2, side: "black", before: value(0.5), thrown: value(0.3), luck: -0.44 };
  const [played, passed] = judged(game([told], [pass]), "points");
  assert.deepEqual([played.lost, played.luck, passed.lost, passed.luck], [0.37, -0.21, 0, -0.44]);
});

test("a mistake loses half a per cent or more, in a series a hundredth of a point", () => {
  const lost = (lost) => ({ ...turn(5, 1, 0.5, 0.5), lost });
  const counts = (what, unit) => judged(game([lost(what)]), unit)[0].isFault;
  assert.deepEqual([0.004, 0.005].map((what) => counts(what, "chances")), [false, true]);
  assert.deepEqual([0.009, 0.01].map((what) => counts(what, "points")), [false, true]);
});

test("a draw is half a win", () => {
  const [found] = judged(game([turn(5, 1, 0, 0.6, 0, { played: value(0.2, 0.4) })]));
  close(found.chance, 0.4);
});

test("the worst mistakes come first, and turns as good as the best are left out", () => {
  const turns = judged();
  assert.deepEqual(dearest(turns, 5).map(({ seq }) => seq), [15, 5]);
  assert.deepEqual(dearest(turns, 1).map(({ seq }) => seq), [15]);
});

test("the unexplained rest adds up, whichever side it favours", () => {
  const [one, two] = GAMES;
  close(unknownOf([{ ...one, unknown: 0.12 }, { ...two, unknown: -0.3 }]), 0.42);
  // A record from before the field existed.
  close(unknownOf(GAMES), 0);
});

test("each side's totals cover all games from the server", () => {
  const { 1: one, 2: two } = totalsOf(GAMES);
  close(one.lost, 0.102);
  close(one.perTurn, 0.051);
  close(one.luck, 0.15);
  close(two.lost, 0.3);
  close(two.perTurn, 0.1);
  close(two.luck, -0.1);
  assert.equal(totalsOf([])[1].perTurn, 0);
});

test("the chart's marker is at the turn just played, or at the marked turn that is shown", () => {
  const turns = judged().slice(0, 3);
  const [first, second, third] = turns;
  assert.deepEqual([4, 5, 6, 7, 8, 9, 20].map((shown) => placeOf(turns, [], shown)), [-1, 0, 0, 1, 1, 2, 2]);
  assert.deepEqual([4, 5, 6].map((shown) => placeOf(turns, [first, second], shown)), [0, 0, 1]);
  assert.equal(placeOf(turns, [third], third.before), 2);
});

test("luck and skill add up turn by turn, one side's against the other's", () => {
  const [first, second] = wayOf(judged().slice(0, 2), 2);
  close(first.chance, 0.5);
  close(first.luck, -0.1);
  close(first.skill, 0.1);
  close(second.chance, 0.55);
  close(second.luck, -0.3);
  close(second.skill, 0.1);
});

test("a throw without a legal turn is a turn without a choice", () => {
  const pass = { seq: 7, seat: 2, side: "black", before: value(0.5), thrown: value(0.3), luck: -0.4 };
  const turns = judged(game([turn(5, 1, 0.5, 0.6, 0.1), turn(9, 1, 0.4, 0.4)], [pass]));
  assert.deepEqual(turns.map(({ seq, nth, before }) => [seq, nth, before]), [[5, 1, 4], [7, 2, 7], [9, 3, 8]]);
  const [, passed] = wayOf(turns, 2);
  close(passed.luck, -0.5);
  close(passed.chance, 0.3);
});

test("a seat that has not played has the side opposite to the other's", () => {
  const [own] = judged();
  assert.equal(isLight([own], 1), true);
  assert.equal(isLight([own], 2), false);
});

test("an aborted or live match has no analysis", () => {
  const ended = { state: "ended", gameNumber: 1, result: { result: "won" } };
  assert.equal(canLookBack(ended), true);
  assert.equal(canLookBack({ ...ended, result: { result: "aborted" } }), false);
  assert.equal(canLookBack({ ...ended, state: "playing", result: undefined }), false);
});

const LIVE = { id: "m", moment: { points: 1 } };

test("it is requested until it is ready, while an element wants it", async (context) => {
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

test("a refusal is reported, and the request is repeated when the server says", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const busy = () => new Response(JSON.stringify({ code: "too_many_requests" }), { status: 429, headers: { "retry-after": "7" } });
  const answers = [() => Promise.reject(new TypeError("no line")), busy, () => new Response(JSON.stringify(TOLD))];
  let asked = 0;
  globalThis.fetch = async () => answers[asked++]();
  const analysis = new Analysis(LIVE);
  const changes = [];
  analysis.addEventListener("change", () => changes.push(analysis.trouble?.code));
  analysis.want();
  await settled();
  context.mock.timers.tick(1_500);
  await settled();
  assert.deepEqual(changes, ["offline", "too_many_requests"]);
  context.mock.timers.tick(6_900);
  await settled();
  assert.equal(asked, 2, "not before the server wants it");
  context.mock.timers.tick(100);
  await settled();
  assert.deepEqual([asked, analysis.isReady, analysis.trouble], [3, true, undefined]);
});

test("whatever the response, the analysis can be requested again", async () => {
  globalThis.fetch = async () => new Response(JSON.stringify({ state: "ready" }));
  const analysis = new Analysis(LIVE);
  analysis.wanted = 1;
  await assert.rejects(analysis.ask());
  globalThis.fetch = async () => new Response(JSON.stringify(TOLD));
  await analysis.ask();
  assert.equal(analysis.isReady, true);
});

test("a failed load is reported, and can be tried again", async () => {
  const loads = [() => Promise.reject(new TypeError("no line")), () => Promise.resolve()];
  const told = [];
  const lookBack = new LookBack(LIVE, () => told.push("changed"), () => told.push("missed"), () => loads.shift()());
  await lookBack.turnTo(true);
  assert.deepEqual([told, lookBack.isOpen], [["missed"], false]);
  await lookBack.turnTo(true);
  assert.deepEqual([told, lookBack.isOpen], [["missed", "changed"], true]);
  await lookBack.turnTo(false);
  assert.equal(lookBack.isOpen, false);
});

test("the reason for a refusal is reported", async () => {
  globalThis.fetch = async () => new Response(JSON.stringify({ code: "match_not_over" }), { status: 409 });
  const analysis = new Analysis(LIVE);
  const told = [];
  analysis.addEventListener("refused", ({ detail }) => told.push(detail.code));
  analysis.want();
  await settled();
  assert.deepEqual(told, ["match_not_over"]);
});

/** Waits for requests and their responses. */
const settled = async () => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};
