// When the turns of other players are shown.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { kept } from "./device.js";
import { entryOf } from "./vectors.js";

const { LiveMatch } = await import("../../../web/match/live.js");
const { Pace } = await import("../../../web/match/pace.js");
const { prefer } = await import("../../../web/player/preferences.js");

const ENTRY = entryOf("tavla");
const SEATS = { 1: "white", 2: "black" };
const PLAYERS = {
  1: { id: "me", name: "Me", connected: true },
  2: { id: "c3", name: "Computer 3", kind: "computer", level: 3 },
};
const A = { die: 3, from: "24", to: "21" };
const B = { die: 1, from: "24", to: "23" };

const snapshot = (more) => ({
  head: 10,
  game: "tavla",
  points: 1,
  clock: { kind: "none" },
  state: "playing",
  players: PLAYERS,
  sides: SEATS,
  position: ENTRY.start,
  score: { 1: 0, 2: 0 },
  dice: { commitment: "c", seeds: { 1: {} } },
  to_play: { seat: 1, side: "white", seq: 10, dice: [3, 1], since_at: 0, first_turn: false },
  turns: 4,
  ...more,
});

/** The match, whose events arrive one after the other, and what was shown when. */
function shown({ more = {}, pace = "normal" } = {}, context) {
  context.mock.timers.enable({ apis: ["setTimeout", "Date"] });
  prefer("pace", pace);
  const line = { watch: (_, reader) => ((line.reader = reader), () => {}), now: () => Date.now() };
  const live = new LiveMatch(line, "m");
  live.start();
  line.reader.onSnapshot(snapshot(more));
  const seen = [];
  const shows = new Pace(live, ENTRY, () => Date.now());
  const begun = Date.now();
  shows.addEventListener("shown", ({ detail }) => seen.push([Date.now() - begun, detail.event.type]));
  shows.addEventListener("step", () => seen.push([Date.now() - begun, `${shows.now.built.steps.length} of it`]));
  const tell = (...events) => events.forEach((event) => line.reader.onEvent({ at: 0, seq: live.moment.seq + 1, ...event }));
  const wait = (ms) => {
    for (let n = 0; n < ms; n += 10) context.mock.timers.tick(10);
  };
  return { live, shows, seen, tell, wait, line };
}

const turned = (seat, ...steps) => ({
  type: "turned",
  seat,
  side: SEATS[seat],
  steps,
  notation: "",
  position: { ...ENTRY.start, to_move: SEATS[3 - seat] },
});
const thrown = (seat, ...dice) => ({ type: "thrown", seat, side: SEATS[seat], dice });

beforeEach(() => {
  kept.clear();
  kept.set("lusoria.guest", JSON.stringify({ id: "me", name: "Me", token: "t" }));
});

test("the opponent's throw is shown, then one step after the other; one's own turn is not animated", (context) => {
  const { live, shows, seen, tell, wait } = shown({}, context);
  tell(turned(1, A, B), thrown(2, 3, 1), turned(2, A, B), thrown(1, 6, 5));
  assert.equal(live.moment.seq, 14, "what has happened is known");
  assert.equal(live.myTurn, 1);
  assert.deepEqual(seen, [[0, "turned"], [0, "thrown"]]);
  assert.deepEqual(shows.frame.moment.toPlay.dice, [3, 1]);
  wait(1_000);
  const { built } = shows.frame;
  assert.deepEqual([built.steps, built.rest], [[A], [B]]);
  assert.equal(built.position.black.points["21"], 1);
  wait(4_000);
  assert.deepEqual(seen.slice(2).map(([, what]) => what), ["1 of it", "turned", "thrown"]);
  const [first, second, third] = seen.slice(2).map(([at]) => at);
  assert.ok(first >= 900 && second - first >= 650 && third - second >= 650, JSON.stringify(seen));
  assert.equal(shows.frame, undefined);
});

test("a viewer who does not want to wait sees the present", (context) => {
  const { shows, seen, tell, wait } = shown({}, context);
  tell(turned(1, A), thrown(2, 3, 1), turned(2, A, B), thrown(1, 6, 5));
  shows.skip();
  assert.deepEqual(seen.map(([at, what]) => `${at} ${what}`), ["0 turned", "0 thrown", "0 1 of it", "0 turned", "0 thrown"]);
  assert.equal(shows.frame, undefined);
  wait(5_000);
  assert.equal(seen.length, 5, "nothing is seen twice");
});

test("nothing waits if that is preferred, and a slow pace is slower than a fast one", (context) => {
  const lasts = {};
  for (const pace of ["none", "quick", "slow"]) {
    const { seen, tell, wait } = shown({ pace }, context);
    tell(turned(1, A), thrown(2, 3, 1), turned(2, A, B), thrown(1, 6, 5));
    wait(6_000);
    lasts[pace] = seen.at(-1)[0];
    context.mock.timers.reset();
  }
  assert.equal(lasts.none, 0);
  assert.ok(lasts.quick > 0 && lasts.slow > 3 * lasts.quick, JSON.stringify(lasts));
});

test("steps shown while they were built are not shown again", (context) => {
  const { seen, tell, wait, line } = shown({}, context);
  tell(turned(1, A), thrown(2, 3, 1));
  wait(3_000);
  const position = ENTRY.start;
  line.reader.onNotice({ notice: "building", answers: 12, steps: [A, B], position });
  tell(turned(2, A, B));
  assert.deepEqual(seen.map(([, what]) => what), ["turned", "thrown", "turned"]);
});

test("a passed turn is shown between two throws", (context) => {
  const { seen, tell, wait } = shown({}, context);
  tell(turned(1, A), thrown(2, 3, 1), { type: "passed", seat: 2, side: "black" }, thrown(1, 6, 5));
  wait(1_000);
  assert.equal(seen.at(-1)[1], "passed");
  wait(2_000);
  assert.equal(seen.at(-1)[1], "thrown");
});

test("after many turns at once the display catches up", (context) => {
  const { seen, shows, tell, wait } = shown({ more: { players: { ...PLAYERS, 1: { ...PLAYERS[2], id: "c1" } } } }, context);
  for (let turn = 0; turn < 10; turn += 1) tell(turned(1 + (turn % 2), A, B), thrown(2 - (turn % 2), 3, 1));
  assert.ok(seen.filter(([, what]) => what === "turned").length >= 7, "the oldest are over at once");
  wait(6_000);
  assert.equal(seen.filter(([, what]) => what === "turned").length, 10);
  assert.equal(shows.frame, undefined);
});

test("a player without time left sees the present", (context) => {
  const clock = { kind: "fischer", base_ms: 60_000, increment_ms: 0 };
  const clocks = { remaining_ms: { 1: 10_000, 2: 60_000 }, running_seat: 1, deadline_at: 10_000 };
  const { shows, tell } = shown({ more: { clock, clocks } }, context);
  const clocks_ms = { 1: 10_000, 2: 60_000 };
  tell({ ...turned(1, A), clocks_ms }, thrown(2, 3, 1));
  tell({ ...turned(2, A, B), clocks_ms });
  assert.notEqual(shows.frame, undefined, "the other's clock runs");
  tell(thrown(1, 6, 5));
  assert.equal(shows.frame, undefined);
});

test("a player whose time runs out while watching sees the present at once, not only after the next event", (context) => {
  const clock = { kind: "fischer", base_ms: 60_000, increment_ms: 0 };
  const clocks_ms = { 1: 20_300, 2: 60_000 };
  const clocks = { remaining_ms: clocks_ms, running_seat: 2, deadline_at: 60_000 };
  const to_play = { seat: 2, side: "black", seq: 10, dice: [3, 1], since_at: 0, first_turn: false };
  const { live, shows, seen, tell, wait } = shown({ pace: "slow", more: { clock, clocks, to_play } }, context);
  tell({ ...turned(2, A, B), clocks_ms }, thrown(1, 6, 5));
  assert.equal(live.myTurn, 1);
  wait(290);
  assert.ok(shows.isBehind, "there is time to look");
  wait(20);
  assert.equal(shows.frame, undefined);
  assert.deepEqual(seen.map(([, what]) => what), ["1 of it", "turned", "thrown"]);
});

test("an announcement is shown at once, and takes no time from the throw before", (context) => {
  const { seen, tell, wait } = shown({}, context);
  tell(turned(1, A), thrown(2, 3, 1), { type: "draw_offered", seat: 1 }, turned(2, A));
  assert.deepEqual(seen.map(([, what]) => what), ["turned", "thrown", "draw_offered"]);
  wait(800);
  assert.equal(seen.length, 3);
  wait(200);
  assert.equal(seen.at(-1)[1], "turned");
});

test("after a jump the present is shown", (context) => {
  const { shows, seen, tell, wait, line } = shown({}, context);
  tell(turned(1, A), thrown(2, 3, 1), turned(2, A, B));
  line.reader.onSnapshot(snapshot({ head: 40 }));
  assert.equal(shows.frame, undefined);
  wait(3_000);
  assert.deepEqual(seen.map(([, what]) => what), ["turned", "thrown"]);
});

/** The end of a game of a series, and the beginning of the next. */
const SERIES = [
  { type: "game_ended", game_number: 1, reason: "resigned", winner_seat: 1, winner_side: "white", points: 1, score: { 1: 1, 2: 0 } },
  { type: "game_started", game_number: 2, sides: { 1: "black", 2: "white" }, position: ENTRY.start },
  { type: "opening_thrown", white: 3, black: 1, begins: "white" },
];

test("a player looks at the end of a game of a series until they continue", (context) => {
  for (const pace of ["normal", "none"]) {
    const { shows, seen, tell, wait } = shown({ pace, more: { points: 3 } }, context);
    tell(...SERIES);
    wait(60_000);
    shows.skip();
    assert.ok(shows.isHeld);
    assert.equal(shows.frame.moment.ended.length, 1);
    assert.deepEqual(seen.map(([, what]) => what), ["game_ended"]);
    shows.leaveEnd();
    wait(3_000);
    assert.equal(shows.isHeld, false);
    assert.equal(shows.frame, undefined);
    assert.deepEqual(seen.map(([, what]) => what), SERIES.map(({ type }) => type));
    context.mock.timers.reset();
  }
});

test("the next game is shown when the break is over, whatever the clock and the preferences", (context) => {
  for (const [pace, base_ms] of [["none", 25_000], ["normal", 5_000]]) {
    const clock = { kind: "fischer", base_ms, increment_ms: 0 };
    const clocks = { remaining_ms: { 1: base_ms, 2: base_ms }, running_seat: 1, deadline_at: base_ms };
    const { shows, tell, wait } = shown({ pace, more: { points: 3, clock, clocks } }, context);
    tell(SERIES[0], { ...SERIES[1], clocks_ms: { 1: base_ms, 2: base_ms } }, { ...SERIES[2], begins: "black" });
    wait(29_000);
    assert.ok(shows.isHeld);
    wait(1_000);
    assert.equal(shows.frame, undefined, `${pace}, ${base_ms} ms`);
    context.mock.timers.reset();
  }
});

test("an end is shown during the break, but not to spectators", (context) => {
  const clock = { kind: "fischer", base_ms: 25_000, increment_ms: 0 };
  const clocks = { remaining_ms: { 1: 25_000, 2: 25_000 }, running_seat: 1, deadline_at: 25_000 };
  const player = shown({ more: { points: 3, clock, clocks } }, context);
  player.tell(SERIES[0], { ...SERIES[1], clocks_ms: { 1: 25_000, 2: 25_000 } }, { ...SERIES[2], begins: "black" });
  assert.equal(player.live.myTurn, 1);
  player.wait(29_000);
  assert.ok(player.shows.isHeld);
  assert.equal(player.shows.breakLeftMs, 1_000);
  player.wait(1_000);
  assert.equal(player.shows.isHeld, false, "a minute before the first turn must have come");
  context.mock.timers.reset();

  const players = { 1: { ...PLAYERS[1], id: "c1" }, 2: PLAYERS[2] };
  const watcher = shown({ more: { points: 3, players } }, context);
  watcher.tell(...SERIES);
  assert.equal(watcher.shows.isHeld, false);
  watcher.wait(5_000);
  assert.equal(watcher.shows.frame, undefined);
});
