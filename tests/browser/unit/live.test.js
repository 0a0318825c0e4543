// A live match: reconnections, and the turn being built.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { kept } from "./device.js";
import { httpOver } from "./line.js";

const { Problem } = await import("../../../web/api/rest.js");
const { LiveMatch } = await import("../../../web/match/live.js");
const { Turn } = await import("../../../web/match/turn.js");

const ME = { id: "me", name: "Me" };
const YOU = { id: "you", name: "You" };
const STEP = { die: 2, from: "supply", to: "2" };
const POSITION = { white: { supply: 15 }, black: { supply: 15 }, to_move: "white" };

/** @param {object} [more] */
const snapshot = (more) => ({
  head: 5,
  game: "scripta",
  clock: { kind: "none" },
  state: "playing",
  players: { 1: { ...ME, connected: true }, 2: { ...YOU, connected: true } },
  sides: { 1: "white", 2: "black" },
  position: POSITION,
  score: { 1: 0, 2: 0 },
  dice: { commitment: "c", seeds: { 1: {} } },
  to_play: { seat: 1, side: "white", seq: 5, dice: [2], since_at: 0, first_turn: false },
  turns: 4,
  ...more,
});

const legal = (steps) => ({
  seq: 5,
  to_play: "white",
  dice_left: steps.length ? [] : [2],
  complete: steps.length === 1,
  steps: steps.length ? [] : [STEP],
  position: POSITION,
});

/** A connection that records requests, and responds as the test says. */
class Line {
  token = () => null;
  asked = [];
  answers = { legal: ({ steps }) => legal(steps), building: () => ({}), snapshot: () => snapshot() };
  watch = (_, reader) => ((this.reader = reader), () => {});
  opened = () => Promise.resolve();
  now = () => 0;
  async ask(op, fields) {
    this.asked.push([op, fields]);
    return this.answers[op](fields);
  }
  http = httpOver((op, fields) => this.ask(op, fields));
  /** @param {string} op */
  times = (op) => this.asked.filter(([asked]) => asked === op).length;
}

/** A match that has received its snapshot, and its turn. */
async function played() {
  const line = new Line();
  const live = new LiveMatch(line, "m");
  const turn = new Turn(live);
  live.start();
  line.reader.onSnapshot(snapshot());
  await settled();
  return { line, live, turn };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));
const keptTurn = () => JSON.parse(kept.get("lusoria.turn.m") ?? "null");

beforeEach(() => {
  kept.clear();
  kept.set("lusoria.guest", JSON.stringify({ ...ME, token: "t" }));
});

test("after a reconnection, who is connected is loaded again", async () => {
  const { line, live } = await played();
  line.answers.snapshot = () => snapshot({ players: { 1: ME, 2: { ...YOU, connected: false, gone_since_at: 7 } } });
  assert.equal(live.here[2], true);
  line.reader.onResumed();
  await settled();
  assert.deepEqual([live.here[2], live.goneSince[2]], [false, 7]);
});

test("after a gap in the events the past is loaded up to them", async () => {
  const { line, live } = await played();
  const read = [];
  globalThis.fetch = async (path) => {
    const since = Number(new URL(path, "http://x").searchParams.get("since"));
    read.push(since);
    const made = { type: "created", seq: 1, at: 0, game: "scripta", player: ME, seed: {} };
    const events = Array.from({ length: 8 }, (_, nth) => (nth ? { type: "none", seq: nth + 1, at: nth } : made));
    return new Response(JSON.stringify({ events: events.slice(since, live.moment.seq) }));
  };
  live.followPast();
  await live.reading;
  assert.equal(live.past.length, 5);
  line.reader.onSnapshot(snapshot({ head: 8 }));
  await live.reading;
  assert.equal(live.past.length, 8);
  assert.deepEqual(read, [0, 5]);
});

test("a past that could not be loaded is loaded after the reconnection", async () => {
  const { line, live } = await played();
  let tried = 0;
  globalThis.fetch = async () => {
    tried += 1;
    throw new TypeError("no line");
  };
  live.followPast();
  await live.reading?.catch(() => {});
  line.reader.onResumed();
  await live.reading?.catch(() => {});
  assert.equal(tried, 2);
});

test("a throw is covered, but not the opening throw", async () => {
  const { line, turn } = await played();
  assert.equal(turn.isCovered, true);
  line.reader.onSnapshot(snapshot({ game: "tavla", to_play: null }));
  line.reader.onEvent({ type: "opening_thrown", seq: 6, at: 1, white: 5, black: 2, begins: "white" });
  assert.equal(turn.seq, 6);
  assert.equal(turn.isCovered, false);
});

test("a turn is stored until it is acknowledged, and sent again after a reload", async () => {
  const { line, turn } = await played();
  turn.uncover();
  turn.play([STEP]);
  await settled();
  line.answers.turn = () => new Promise(() => {});
  turn.confirm();
  assert.deepEqual(keptTurn(), { seq: 5, steps: [STEP], uncovered: true, sent: true });
  const reloaded = new Line();
  const turned = { type: "turned", seq: 6, at: 1, seat: 1, side: "white", steps: [STEP], position: POSITION };
  reloaded.answers.turn = () => ({ events: [turned] });
  const live = new LiveMatch(reloaded, "m");
  const again = new Turn(live);
  live.start();
  reloaded.reader.onSnapshot(snapshot());
  await settled();
  assert.deepEqual(reloaded.asked, [["turn", { match: "m", seq: 5, steps: [STEP] }]]);
  assert.equal(live.moment.seq, 6);
  assert.equal(again.seq, undefined);
  assert.equal(keptTurn(), null);
});

test("a turn whose response is lost is sent again, and played once", async () => {
  const { line, live, turn } = await played();
  turn.uncover();
  turn.play([STEP]);
  await settled();
  const turned = { type: "turned", seq: 6, at: 1, seat: 1, side: "white", steps: [STEP], position: POSITION };
  line.answers.turn = () => {
    if (line.times("turn") === 1) throw new Problem({ code: "offline" });
    // The event arrives before the response to the second request.
    line.reader.onEvent(turned);
    return { events: [turned] };
  };
  turn.confirm();
  await settled();
  assert.equal(line.times("turn"), 2);
  assert.deepEqual([live.moment.seq, turn.sending, turn.seq, keptTurn()], [6, false, undefined, null]);
});

test("a tab that lags behind does not touch what another has stored of the next turn", async () => {
  const { line } = await played();
  kept.set("lusoria.turn.m", JSON.stringify({ seq: 8, steps: [STEP], uncovered: true, sent: false }));
  line.reader.onEvent({ type: "turned", seq: 6, at: 1, seat: 1, side: "white", steps: [STEP], position: POSITION });
  assert.equal(keptTurn().seq, 8);
});

test("the legal moves are requested until the server can respond", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const line = new Line();
  line.answers.legal = ({ steps }) => {
    if (line.times("legal") <= 6) throw new Problem({ code: "unavailable", retry_after_s: 1 });
    return legal(steps);
  };
  const live = new LiveMatch(line, "m");
  const turn = new Turn(live);
  live.start();
  line.reader.onSnapshot(snapshot());
  for (let n = 0; n < 20 && !turn.legal; n += 1) {
    await settled();
    context.mock.timers.tick(20_000);
  }
  assert.equal(turn.legal?.seq, 5);
});

test("a device that switches to another guest has their turn at once", async () => {
  kept.set("lusoria.guest", JSON.stringify({ id: "other", token: "o" }));
  const { live, turn } = await played();
  assert.equal(turn.seq, undefined);
  kept.set("lusoria.guest", JSON.stringify({ ...ME, token: "t" }));
  live.look();
  assert.equal(turn.seq, 5);
});

/** The throw of the other player arrives. @param {any} line */
function othersThrow(line) {
  const turned = { type: "turned", seq: 6, at: 1, seat: 1, side: "white", steps: [STEP], position: POSITION };
  line.reader.onEvent(turned);
  line.reader.onEvent({ type: "thrown", seq: 7, at: 2, seat: 2, side: "black", dice: [2, 3] });
}

test("the throw of a person stays covered for the others until they roll", async () => {
  const { line, live } = await played();
  let told = 0;
  live.addEventListener("uncovered", () => (told += 1));
  othersThrow(line);
  assert.ok(live.isThrowCovered);
  line.reader.onNotice({ notice: "building", answers: 7, seat: 2, steps: [], position: POSITION });
  assert.deepEqual([live.isThrowCovered, told], [false, 1]);
  line.reader.onNotice({ notice: "building", answers: 7, seat: 2, steps: [STEP], position: POSITION });
  assert.equal(told, 1);
});

/** The match at the next throw of the other player. @param {object} [more] */
const LATER = (more) => snapshot({ head: 9, to_play: { seat: 2, side: "black", seq: 9, dice: [1, 2], since_at: 0 }, ...more });

test("a viewer who arrives during a turn sees as much of it as has been shown", async () => {
  const { line, live } = await played();
  line.reader.onSnapshot(LATER());
  assert.ok(live.isThrowCovered);
  const building = { steps: [STEP], position: POSITION };
  line.reader.onSnapshot(LATER({ building }));
  assert.equal(live.isThrowCovered, false);
  assert.deepEqual(live.building, { seat: 2, answers: 9, ...building });
  line.reader.onResumed();
  await settled();
  assert.equal(live.isThrowCovered, false, "a line that breaks covers nothing again");
});

test("a throw is shown at once if its player cannot roll it: a bot, a player who left, one who missed the roll", async () => {
  for (const [what, does] of Object.entries({
    bot: ({ live }) => (live.moment.players[2].kind = "bot"),
    left: ({ line }) => line.reader.onNotice({ notice: "presence", seat: 2, connected: false }),
    late: ({ line }) => line.reader.onSnapshot(LATER({ building: { steps: [], position: POSITION } })),
    back: async ({ line }) => {
      const building = { steps: [], position: POSITION };
      line.answers.snapshot = () => snapshot({ head: 7, to_play: { ...LATER().to_play, seq: 7 }, building });
      line.reader.onResumed();
      await settled();
    },
  })) {
    const all = await played();
    othersThrow(all.line);
    assert.ok(all.live.isThrowCovered);
    await does(all);
    assert.equal(all.live.isThrowCovered, false, what);
  }
});

test("a roll here is shown to the others, once", async () => {
  const { line, turn } = await played();
  assert.equal(line.times("building"), 0);
  turn.uncover();
  await settled();
  assert.deepEqual(line.asked.filter(([op]) => op === "building"), [["building", { seq: 5, steps: [] }]]);
  turn.goOn();
  assert.equal(line.times("building"), 1);
});

/** The legal moves of a throw of 2 and 5. @param {object[]} steps @param {object} [more] */
const choice = (steps, more) => ({
  seq: 5,
  to_play: "white",
  dice_left: [2, 5].filter((die) => !steps.some((step) => step.die === die)),
  complete: steps.length === 2,
  steps: [],
  position: POSITION,
  ...more,
});
const FIVE = { die: 5, from: "supply", to: "5" };

/** A turn whose dice have been rolled. @param {object} toPlay @param {(steps: any[]) => any} legal */
async function begun(toPlay, legal) {
  kept.delete("lusoria.turn.m");
  const { line, live, turn } = await played();
  line.answers.legal = ({ steps }) => legal(steps);
  line.answers.turn = () => ({ events: [] });
  line.reader.onSnapshot(snapshot({ head: 6, to_play: { seat: 1, side: "white", since_at: 0, first_turn: false, ...toPlay, seq: 6 } }));
  turn.uncover();
  await settled();
  return { line, live, turn };
}

/** Plays steps one after the other. @param {any} turn @param {object[]} steps */
async function playAll(turn, steps) {
  for (const step of steps) {
    turn.play([step]);
    await settled();
  }
  // By then all requests have been sent.
  await settled();
  await settled();
}

test("dice are played in the order of the throw, until the person chooses another order", async () => {
  const { turn } = await begun({ dice: [5, 2] }, (steps) => ({ ...choice(steps), seq: 6 }));
  assert.deepEqual([turn.order, turn.hasOrder], [[5, 2], true]);
  turn.reorder();
  assert.deepEqual(turn.order, [2, 5]);
  turn.play([STEP]);
  await settled();
  assert.deepEqual([turn.order, turn.hasOrder], [[2, 5], false], "one die has no order");
  turn.reorder();
  assert.deepEqual(turn.order, [2, 5]);
});

test("a turn waits to be confirmed only if the dice left a choice", async () => {
  const free = await begun({ dice: [2, 5] }, (steps) => ({ ...choice(steps), seq: 6 }));
  await playAll(free.turn, [STEP, FIVE]);
  assert.deepEqual([free.turn.isComplete, free.line.times("turn")], [true, 0]);

  const forced = await begun({ dice: [2, 5] }, (steps) => ({ ...choice(steps, { forced: [STEP, FIVE].slice(steps.length) }), seq: 6 }));
  await playAll(forced.turn, [STEP, FIVE]);
  assert.equal(forced.line.times("turn"), 1, "there was nothing to choose");

  const rest = await begun({ dice: [2, 5] }, (steps) => ({ ...choice(steps, { forced: steps.length ? [FIVE] : null }), seq: 6 }));
  await playAll(rest.turn, [STEP, FIVE]);
  assert.equal(rest.line.times("turn"), 0, "there was at first");

  const rook = await begun({ dice: [] }, (steps) => ({ ...choice(steps), dice_left: [], complete: steps.length === 1, seq: 6 }));
  await playAll(rook.turn, [{ from: "d1", to: "c1" }]);
  assert.equal(rook.line.times("turn"), 1, "without dice, a move is a move");
});

test("every turn waits to be confirmed, or none, by preference", async (context) => {
  const { prefer } = await import("../../../web/player/preferences.js");
  context.after(() => prefer("confirming", "choice"));
  for (const [confirming, times] of [["ask", 0], ["auto", 1]]) {
    prefer("confirming", confirming);
    const dice = await begun({ dice: [2, 5] }, (steps) => ({ ...choice(steps), seq: 6 }));
    await playAll(dice.turn, [STEP, FIVE]);
    assert.equal(dice.line.times("turn"), times, confirming);
    const rook = await begun({ dice: [] }, (steps) => ({ ...choice(steps), dice_left: [], complete: steps.length === 1, seq: 6 }));
    await playAll(rook.turn, [{ from: "d1", to: "c1" }]);
    assert.equal(rook.line.times("turn"), times, confirming);
  }
});
