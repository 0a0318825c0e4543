// The state of a match follows its events.

import assert from "node:assert/strict";
import { test } from "node:test";
import { begin, fromSnapshot, mayTakeBack, next } from "../../../web/game/story.js";

const [ONE, TWO] = [{ id: "a", name: "Anna" }, { id: "b", name: "Berit" }];
const START = { white: { supply: 15 }, black: { supply: 15 }, to_move: "white" };
const BOARD = { board: "9/9/9/9/4K4/9/9/9/9", to_move: "attackers" };
const MINUTE = 60_000;

/**
 * The moments after a match was created, its second player joined and its first game started, and after further events,
 * each a second later.
 * @param {object} terms @param {object} started @param {object[]} events
 */
function moments(terms, started, events) {
  const made = { type: "created", player: ONE, seed: { kind: "drawn" }, points: 1, commitment: "c", ...terms };
  const all = [made, { type: "joined", player: TWO }, { type: "game_started", game_number: 1, ...started }, ...events];
  const [first, ...rest] = all.map((event, nth) => ({ seq: nth + 1, at: nth * 1_000, ...event }));
  return rest.reduce((found, event) => [...found, next(found.at(-1), event)], [begin(first)]);
}

const SIDES = { 1: "white", 2: "black" };
const thrown = (seat, dice = [1, 2, 3]) => ({ type: "thrown", seat, side: SIDES[seat], dice });
const turned = (seat, more = {}) => ({
  type: "turned",
  seat,
  side: SIDES[seat],
  steps: [],
  notation: "",
  position: { ...START, to_move: SIDES[3 - seat] },
  clocks_ms: { 1: 5 * MINUTE, 2: 5 * MINUTE },
  ...more,
});
/** @param {object} clock @param {object[]} events */
const played = (clock, events) =>
  moments({ game: "zeno", clock }, { sides: SIDES, position: START, clocks_ms: { 1: 5 * MINUTE, 2: 5 * MINUTE } }, events);

const FISCHER = { kind: "fischer", base_ms: 5 * MINUTE, increment_ms: 0 };

test("the side to move of the position is the one that throws", () => {
  const passed = { type: "passed", seat: 2, side: "black" };
  const all = played(FISCHER, [thrown(1), turned(1), thrown(2), passed, thrown(1)]);
  assert.deepEqual(
    all.slice(2).map(({ position }) => position.to_move),
    ["white", "white", "black", "black", "white", "white"],
  );
  assert.equal(all[2].position.to_move, START.to_move, "what was told is left as it was");
});

test("the opening throw of tavla says who begins", () => {
  const opened = { type: "opening_thrown", white: 2, black: 5, begins: "black" };
  const started = { sides: SIDES, position: START };
  const { position, toPlay } = moments({ game: "tavla", clock: { kind: "none" } }, started, [opened]).at(-1);
  assert.equal(position.to_move, "black");
  assert.deepEqual([toPlay.seat, toPlay.dice], [2, [2, 5]]);
});

test("returned lag is shown until the seat's next turn, and no longer than the game", () => {
  const all = played(FISCHER, [
    thrown(1), turned(1, { lag_ms: 150 }), thrown(2), turned(2, { lag_ms: 40 }), thrown(1), turned(1),
    { type: "game_started", game_number: 2, sides: SIDES, position: START },
  ]);
  const told = all.slice(-7).map(({ lagMs }) => [lagMs[1], lagMs[2]]);
  assert.deepEqual(told, [[0, 0], [150, 0], [150, 0], [150, 40], [150, 40], [0, 40], [0, 0]]);
});

test("after a tie it is nobody's turn", () => {
  const tied = { type: "opening_thrown", white: 2, black: 2 };
  const started = { sides: SIDES, position: START };
  const { opening, toPlay } = moments({ game: "tavla", clock: { kind: "none" } }, started, [tied]).at(-1);
  assert.equal(toPlay, undefined);
  assert.deepEqual(opening, { white: 2, black: 2, tie: true });
});

test("a first turn has a deadline of its own, a later one the clock and its delay", () => {
  const delay = { kind: "delay", base_ms: 5 * MINUTE, delay_ms: 12_000 };
  const first = played(delay, [thrown(1)]).at(-1);
  assert.deepEqual([first.clocks.running, first.clocks.deadlineAt], [undefined, 3_000 + MINUTE]);
  const later = played(delay, [thrown(1), turned(1), thrown(2), turned(2), thrown(1)]).at(-1);
  assert.deepEqual([later.clocks.running, later.clocks.deadlineAt], [1, 7_000 + 5 * MINUTE + 12_000]);
});

test("time that is given back moves the deadline", () => {
  const credited = { type: "credited", credit_ms: 30_000 };
  const { clocks } = played(FISCHER, [thrown(1), credited]).at(-1);
  assert.equal(clocks.deadlineAt, 3_000 + MINUTE + 30_000);
});

const COMPUTER = { id: "c", name: "Computer 3", kind: "computer", level: 3 };
/** A game against the computer. @param {object} terms @param {object} started @param {object[]} events */
const againstComputer = (terms, started, events) =>
  moments({ clock: { kind: "none" }, ...terms }, started, [{ type: "joined", player: COMPUTER }, ...events]);

test("a turn that is taken back comes again, with the same dice", () => {
  const from = { ...START, to_move: "white" };
  const all = againstComputer({ game: "zeno" }, { sides: SIDES, position: START }, [
    thrown(1), turned(1), thrown(2), turned(2), thrown(1, [3, 3, 4]), turned(1), thrown(2),
    { type: "taken_back", seat: 1, side: "white", to: 9, turn: 3, turns: 2, dice: [3, 3, 4], position: from },
  ]);
  const [before, after] = [all[8], all.at(-1)];
  assert.deepEqual(
    [after.toPlay.seq, after.toPlay.dice, after.toPlay.seat, after.toPlay.again],
    [12, [3, 3, 4], 1, true],
  );
  assert.deepEqual([after.position, after.last, after.takebacks], [from, before.last, 1]);
  assert.equal(mayTakeBack(after, 1), 6);
  assert.equal(mayTakeBack(after, 2), undefined);
});

test("between people a turn is asked for, and the offer lapses with a turn", () => {
  const asked = { type: "takeback_offered", seat: 1, turned: 6 };
  const joined = { type: "joined", player: TWO };
  const started = { sides: SIDES, position: START };
  const all = (terms, ...events) =>
    moments({ clock: { kind: "none" }, game: "zeno", ...terms }, started, [joined, thrown(1), turned(1), thrown(2), ...events]);
  const last = all({}, asked).at(-1);
  assert.equal(mayTakeBack(last, 1), last.seq - 2);
  assert.deepEqual([last.takebackOffer, last.askedBack[1]], [{ seat: 1, turned: 6 }, 6]);
  assert.equal(all({}, asked, { type: "takeback_declined", seat: 2 }).at(-1).takebackOffer, undefined);
  assert.equal(all({}, asked, turned(2)).at(-1).takebackOffer, undefined);
  assert.equal(mayTakeBack(all({ rated: true }).at(-1), 1), undefined);
});

test("in tablut the positions that no longer count are forgotten", () => {
  const sides = { 1: "attackers", 2: "defenders" };
  const other = { board: "9/9/9/9/3K5/9/9/9/9", to_move: "defenders" };
  const third = { board: "9/9/9/4K4/9/9/9/9/9", to_move: "attackers" };
  const move = (seat, position) => ({ type: "turned", seat, side: sides[seat], steps: [], notation: "", position });
  const all = againstComputer({ game: "tablut" }, { sides, position: BOARD }, [
    move(1, other), move(2, third), move(1, other), move(2, third),
    { type: "taken_back", seat: 1, side: "attackers", to: 6, turn: 3, turns: 2, dice: [], position: third },
    move(1, other),
  ]);
  const repeated = all.slice(-6).map(({ tafl }) => [tafl.repetitions, tafl.sinceCapture]);
  assert.deepEqual(repeated, [[1, 1], [1, 2], [2, 3], [2, 4], [1, 2], [2, 3]]);
});

/** A match in a snapshot of the server. @param {object} more */
const snapshot = (more) =>
  fromSnapshot({
    head: 9,
    game: "zeno",
    clock: FISCHER,
    players: { 1: ONE, 2: TWO },
    sides: SIDES,
    position: START,
    score: { 1: 0, 2: 0 },
    dice: { commitment: "c", seeds: { 1: {} } },
    clocks: { remaining_ms: { 1: 5 * MINUTE, 2: 5 * MINUTE }, running_seat: 2, deadline_at: 1 },
    to_play: { seat: 2, side: "black", seq: 9, dice: [1, 2, 3], since_at: 0, first_turn: true },
    turns: 1,
    ...more,
  });

test("a snapshot names the turn that its reader may take back, before the past is known", () => {
  const seen = { to_play: { seat: 2, side: "black", seq: 9 }, state: "playing", may_take_back: 8, your_seats: [1] };
  assert.equal(mayTakeBack(snapshot(seen), 1), 8);
  assert.equal(mayTakeBack(snapshot(seen), 2), undefined);
});

test("after a snapshot at a first turn, the clock of a player who has played before runs at their next turn", () => {
  const all = [turned(2), thrown(1)].map((event, nth) => ({ seq: 10 + nth, at: 0, ...event }));
  const { toPlay, clocks } = all.reduce(next, snapshot({}));
  assert.equal(toPlay.firstTurn, false);
  assert.equal(clocks.running, 1);
});

test("after a snapshot at the very first turn, the other player has their first turn next", () => {
  const all = [turned(2), thrown(1)].map((event, nth) => ({ seq: 10 + nth, at: 0, ...event }));
  assert.equal(all.reduce(next, snapshot({ turns: 0 })).toPlay.firstTurn, true);
});

test("in a correspondence match the clock runs from the first turn", () => {
  const days = { kind: "days", days: 2 };
  assert.equal(snapshot({ clock: days }).clocks.running, 2);
  assert.equal(played(days, [thrown(1)]).at(-1).clocks.running, 1);
});

test("tablut counts how often a position has occurred, and forgets all of them with a capture", () => {
  const move = (captures, board, side) => ({
    type: "turned",
    seat: side === "defenders" ? 1 : 2,
    side,
    steps: [{ from: "a", to: "b", captures }],
    position: { board, to_move: side === "defenders" ? "attackers" : "defenders" },
  });
  const away = "9/9/9/9/3K5/9/9/9/9";
  const started = { sides: { 1: "defenders", 2: "attackers" }, position: BOARD };
  const there = [move([], BOARD.board, "attackers"), move([], away, "defenders")];
  const back = [move([], away, "attackers"), move([], BOARD.board, "defenders")];
  const events = [...there, ...back, move(["e4"], BOARD.board, "attackers")];
  const all = moments({ game: "tablut", clock: { kind: "none" } }, started, events).slice(2);
  assert.deepEqual(all.map(({ tafl }) => tafl.repetitions), [1, 1, 1, 1, 2, 1]);
  assert.deepEqual(all.map(({ tafl }) => tafl.sinceCapture), [0, 1, 2, 3, 4, 0]);
  assert.equal(all.at(-1).stood.size, 1);
});
