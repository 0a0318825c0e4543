// Hints for the turn being built.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { kept } from "./device.js";
import { httpOver } from "./line.js";
import { entryOf } from "./vectors.js";

const { Problem } = await import("../../../web/api/rest.js");
const { Hints, arrowsOf } = await import("../../../web/match/hints.js");
const { LiveMatch } = await import("../../../web/match/live.js");
const { Turn } = await import("../../../web/match/turn.js");
const { prefer } = await import("../../../web/player/preferences.js");

const ENTRY = entryOf("tavla");
const ME = { id: "me", name: "Me" };
const COMPUTER = { id: "c2", name: "Computer 2", kind: "computer", level: 2 };
const A = { die: 3, from: "24", to: "21" };
const B = { die: 1, from: "24", to: "23" };
const value = { win: 0.541, win_double: 0, lose_double: 0, draw: 0 };
const ADVICE = {
  seq: 10,
  turns: [
    { steps: [A, B], notation: "24/21 24/23", value, lost: 0 },
    { steps: [A, A], notation: "24/21(2)", value, lost: 0.1 },
  ],
};

/** The person's turn in a match against an opponent. @param {object} them @param {object} [more] */
async function at(them, more = {}) {
  const asked = [];
  const answers = {
    legal: ({ steps }) => ({ seq: 10, to_play: "white", dice_left: [3, 1].slice(steps.length), complete: steps.length === 2, steps: [A, B], position: ENTRY.start }),
    building: () => ({}),
    hint: () => ADVICE,
    ...more,
  };
  const line = {
    watch: (_, reader) => ((line.reader = reader), () => {}),
    now: () => 0,
    ask: async (op, fields) => (asked.push(op), answers[op](fields)),
    http: httpOver((op, fields) => line.ask(op, fields)),
  };
  const live = new LiveMatch(line, "m");
  const turn = new Turn(live);
  const hints = new Hints(live, turn);
  live.start();
  line.reader.onSnapshot({
    head: 10, game: "tavla", points: 1, clock: { kind: "none" }, state: "playing", players: { 1: ME, 2: them },
    sides: { 1: "white", 2: "black" }, position: ENTRY.start, score: { 1: 0, 2: 0 }, dice: { commitment: "c", seeds: {} },
    to_play: { seat: 1, side: "white", seq: 10, dice: [3, 1], since_at: 0, first_turn: false }, turns: 4,
  });
  await settled();
  return { live, turn, hints, line, asked };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

beforeEach(() => {
  kept.clear();
  kept.set("lusoria.guest", JSON.stringify({ ...ME, token: "t" }));
  prefer("throwing", "auto");
  prefer("confirming", "ask");
});

test("hints are offered against the computer and to a player of both sides, not against people or bots", async () => {
  assert.equal((await at(COMPUTER)).hints.isOffered, true);
  assert.equal((await at(ME)).hints.isOffered, true);
  assert.equal((await at({ id: "you", name: "You" })).hints.isOffered, false);
  assert.equal((await at({ id: "bot", name: "Hal", kind: "bot" })).hints.isOffered, false);
});

test("hints that are not offered are not requested", async () => {
  const { hints, asked } = await at({ id: "you", name: "You" });
  await hints.ask();
  assert.ok(!asked.includes("hint"));
});

test("a covered throw has no hints", async () => {
  prefer("throwing", "click");
  const { hints, turn } = await at(COMPUTER);
  assert.equal(hints.isOffered, false);
  turn.uncover();
  assert.equal(hints.isOffered, true);
});

test("the hints are shown in a circle", async () => {
  const { hints } = await at(COMPUTER);
  await hints.ask();
  assert.equal(hints.shown.notation, "24/21 24/23");
  hints.look(1);
  assert.equal(hints.shown.notation, "24/21(2)");
  hints.look(1);
  hints.look(-1);
  assert.equal(hints.nth, 1);
});

test("hints take back the steps of the turn, and a hint can be built", async () => {
  const { hints, turn } = await at(COMPUTER);
  turn.play([B]);
  await settled();
  await hints.ask();
  assert.deepEqual(turn.steps, []);
  hints.play();
  await settled();
  assert.deepEqual(turn.steps, [A, B]);
  assert.equal(hints.shown, undefined);
});

test("arrows show the rest of the turn; none after other steps", async () => {
  const { hints, turn } = await at(COMPUTER);
  await hints.ask();
  const arrow = ({ from, to }) => arrowsOf(ENTRY, "white", [{ from, to }])[0];
  assert.deepEqual(hints.arrows(ENTRY), [arrow(A), arrow(B)]);
  turn.play([A]);
  assert.deepEqual(hints.arrows(ENTRY), [arrow(B)]);
  turn.play([{ die: 1, from: "21", to: "20" }]);
  assert.deepEqual(hints.arrows(ENTRY), []);
});

test("a repeated step is one arrow", () => {
  assert.equal(arrowsOf(ENTRY, "black", [A, A]).length, 1);
});

test("hints end with their turn", async () => {
  const { hints, live, line } = await at(COMPUTER);
  await hints.ask();
  line.reader.onEvent({ type: "turned", seq: 11, at: 1, seat: 1, side: "white", steps: [A, B], position: ENTRY.start });
  assert.equal(live.moment.seq, 11);
  assert.equal(hints.shown, undefined);
});

test("late hints are not shown", async () => {
  let answer;
  const { hints, line } = await at(COMPUTER, { hint: () => new Promise((resolve) => (answer = resolve)) });
  const asking = hints.ask();
  line.reader.onEvent({ type: "turned", seq: 11, at: 1, seat: 1, side: "white", steps: [A, B], position: ENTRY.start });
  answer(ADVICE);
  await asking;
  assert.deepEqual([hints.shown, hints.isAsking], [undefined, false]);
});

test("a refusal of hints is reported", async () => {
  const { hints } = await at(COMPUTER, { hint: () => { throw new Problem({ code: "no_hints" }); } });
  const told = [];
  hints.addEventListener("refused", ({ detail }) => told.push(detail.code));
  await hints.ask();
  assert.deepEqual([told, hints.isAsking], [["no_hints"], false]);
});
