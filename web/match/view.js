// What the board and the dice show: the present moment, the turn being built, or the past.

import { inOrder, movesOf } from "../game/moves.js";
import { placeOf } from "../game/places.js";
import { isBorneOff, pips } from "../game/pips.js";
import { isTafl } from "../game/games.js";

/** @typedef {import("../api/wire").components["schemas"]["CatalogueEntry"]} CatalogueEntry */
/** @typedef {import("../api/wire").components["schemas"]["Position"]} Position */
/** @typedef {import("../api/wire").components["schemas"]["Step"]} Step */
/** @typedef {import("../api/wire").components["schemas"]["SideName"]} SideName */
/** @typedef {import("../game/story.js").Moment} Moment */
/** @typedef {import("../game/moves.js").Move} Move */
/** @typedef {"ready" | "played" | "unplayable" | "unneeded"} DieState */

/**
 * What a board shows.
 * @typedef {object} BoardView
 * @property {Position | undefined} position
 * @property {SideName | undefined} mover whose steps led here
 * @property {Step[]} steps all steps of this side in its turn until now
 * @property {Move[]} moves the person's legal moves
 * @property {{place: string, kind: "last" | "captured" | "check"}[]} marks
 */

/** @type {Move[]} */
const NONE = [];

/** The moves of a response: the same list each time, so that the board sees no change. */
const known = /** @type {WeakMap<object, Move[]>} */ (new WeakMap());

/** The legal moves. @param {CatalogueEntry} entry @param {import("../api/wire").components["schemas"]["Legal"]} legal */
export function movesIn(entry, legal) {
  const moves = known.get(legal) ?? movesOf(entry, legal);
  known.set(legal, moves);
  return moves;
}

/**
 * What the board shows now.
 * @param {CatalogueEntry} entry
 * @param {import("./live.js").LiveMatch} live
 * @param {import("./turn.js").Turn} turn
 * @returns {BoardView}
 */
export function presentView(entry, live, turn) {
  const moment = /** @type {Moment} */ (live.moment);
  const { toPlay } = moment;
  if (toPlay && turn.seq === toPlay.seq && (turn.steps.length > 0 || turn.legal)) {
    const free = turn.legal !== undefined && !turn.sending && !turn.isCovered;
    return {
      position: turn.legal?.position ?? undefined,
      mover: toPlay.side,
      steps: turn.steps,
      moves: free ? movesIn(entry, /** @type {any} */ (turn.legal)) : NONE,
      marks: turn.steps.length > 0 ? [] : marksOf(entry, moment),
    };
  }
  const built = live.building;
  // Before the first step, the other player has only rolled.
  if (toPlay && built && built.answers === toPlay.seq && built.steps.length > 0) {
    return { position: built.position, mover: toPlay.side, steps: built.steps, moves: NONE, marks: [] };
  }
  return pastView(entry, moment);
}

/**
 * The board at a moment.
 * @param {CatalogueEntry} entry @param {Moment} moment
 * @returns {BoardView}
 */
export function pastView(entry, moment) {
  return {
    position: moment.position,
    mover: moment.last?.side,
    steps: moment.last?.steps ?? [],
    moves: NONE,
    marks: marksOf(entry, moment),
  };
}

/**
 * The board while a turn is shown step by step.
 * @param {CatalogueEntry} entry @param {import("./pace.js").Frame} frame
 * @returns {BoardView}
 */
export function frameView(entry, { moment, built }) {
  const mover = moment.toPlay?.side;
  if (!built || !mover) return pastView(entry, moment);
  const { position, steps } = built;
  return { position, mover, steps, moves: NONE, marks: stepMarks(entry, mover, steps) };
}

/**
 * @param {CatalogueEntry} entry @param {SideName} side @param {import("../game/story.js").TakenStep[]} steps
 * @returns {BoardView["marks"]}
 */
function stepMarks(entry, side, steps) {
  const at = (/** @type {string} */ name) => placeOf(entry, side, name);
  // Marks overlap and are translucent: each place has only one.
  const moved = new Set(steps.flatMap(({ from, to }) => [at(from), at(to)]));
  const taken = steps.flatMap(({ captures }) => captures ?? []).map(at);
  const marks = (/** @type {Iterable<string>} */ places, /** @type {"last" | "captured"} */ kind) =>
    Array.from(places, (place) => ({ place, kind }));
  return [...marks(moved, "last"), ...marks(taken, "captured")];
}

/** @param {CatalogueEntry} entry @param {Moment} moment @returns {BoardView["marks"]} */
function marksOf(entry, moment) {
  const { last } = moment;
  if (!last) return [];
  const marks = stepMarks(entry, last.side, last.steps);
  const king = last.call ? kingPlace(moment.position) : undefined;
  if (king) marks.push({ place: king, kind: "check" });
  return marks;
}

/** @param {Position | undefined} position */
function kingPlace(position) {
  if (!position || !("board" in position)) return undefined;
  const ranks = position.board.split("/");
  for (const [row, rank] of ranks.entries()) {
    let file = 0;
    for (const letter of rank) {
      if (letter === "K") return `${"abcdefghi"[file]}${9 - row}`;
      file += /\d/.test(letter) ? Number(letter) : 1;
    }
  }
  return undefined;
}

/**
 * The states of the turn's dice: one for each die to play, doubles as often as they are played, equal dice together at
 * the place of the first.
 * @param {number[]} thrown
 * @param {{steps: Step[], legal?: {dice_left: number[], complete: boolean, steps: Step[], position: Position | undefined, to_play: SideName}} | undefined} built
 * the turn being built, if it may be shown
 * @returns {DieState[]}
 */
export function dieStates(thrown, built) {
  const played = (built?.steps ?? []).flatMap((step) => (step.die ? [step.die] : []));
  if (!built?.legal) {
    // Only the server knows how often a double is played.
    const isSingle = (/** @type {number} */ die) => thrown.indexOf(die) === thrown.lastIndexOf(die);
    const grouped = [...new Set(thrown)].flatMap((value) => thrown.filter((die) => die === value));
    return grouped.map((die) => (isSingle(die) && played.includes(die) ? "played" : "ready"));
  }
  const { dice_left: left, complete, steps, position, to_play: side } = built.legal;
  const idle = isBorneOff(position, side) ? "unneeded" : "unplayable";
  const values = [...new Set(thrown)];
  return values.flatMap((value) => {
    const done = played.filter((die) => die === value).length;
    const open = left.filter((die) => die === value).length;
    const isPlayable = !complete && steps.some((step) => step.die === value);
    /** @type {DieState} */
    const state = isPlayable ? "ready" : idle;
    return [...Array(done).fill("played"), ...Array(open).fill(state)];
  });
}

/**
 * The states of the dice during a turn whose steps are all known.
 * @param {number[]} thrown
 * @param {{steps: Step[], rest: Step[], after: Position | undefined}} built the steps shown, those to come, and the position that they lead to
 * @param {SideName} side whose turn it is
 */
export function dieStatesBetween(thrown, { steps, rest, after }, side) {
  const count = (/** @type {Step[]} */ of, /** @type {number} */ value) => of.filter(({ die }) => die === value).length;
  const left = [...new Set(thrown)].flatMap((value) => {
    const unplayed = count(steps, value) + count(rest, value) === 0;
    return Array(unplayed ? thrown.filter((die) => die === value).length : count(rest, value)).fill(value);
  });
  return dieStates(thrown, { steps, legal: { dice_left: left, complete: false, steps: rest, position: after, to_play: side } });
}

/**
 * The throw on the board.
 * @typedef {object} ThrowView
 * @property {number[]} dice
 * @property {DieState[]} states
 * @property {SideName} side that threw them
 * @property {number} seq the event of the throw
 * @property {boolean} covered whether the throw is still covered
 * @property {boolean} mine whether this device rolls
 */

/**
 * The throw on the board: that of the turn, or of the turn still being shown.
 * @param {{shown: Moment, at: number | undefined, lastThrow: ThrowView | undefined,
 *   live: import("./live.js").LiveMatch, turn: import("./turn.js").Turn, pace: import("./pace.js").Pace}} match
 * @returns {ThrowView | undefined}
 */
export function throwView({ shown, at, lastThrow, live, turn, pace }) {
  const { toPlay, last } = shown;
  const frame = at === undefined ? pace.frame : undefined;
  if (toPlay) {
    const { seq, side, dice: thrown } = toPlay;
    if (thrown.length === 0) return undefined;
    if (at !== undefined) return { dice: thrown, states: dieStates(thrown, undefined), side, seq, covered: false, mine: false };
    const mine = turn.seq === seq;
    // In the order in which the person plays them.
    const dice = mine ? inOrder(thrown, turn.order) : thrown;
    const isNow = live.moment?.toPlay?.seq === seq;
    const built = mine ? { steps: turn.steps, legal: /** @type {any} */ (turn.legal) } : isNow ? live.building : undefined;
    const states = frame?.built ? dieStatesBetween(dice, frame.built, side) : dieStates(dice, built);
    const covered = mine ? turn.isCovered : isNow && live.isThrowCovered;
    return { dice, states, side, seq, covered, mine };
  }
  // After a turn its dice stay until the next throw, or while the moment is shown.
  if (!last || last.dice.length === 0 || (!frame && at === undefined && shown.state !== "ended")) return undefined;
  const { side } = last;
  const isSame = lastThrow?.side === side && lastThrow.dice.toSorted().join() === last.dice.toSorted().join();
  const dice = isSame ? lastThrow.dice : last.dice;
  const states = dieStatesBetween(dice, { steps: last.steps, rest: [], after: shown.position }, side);
  return { dice, states, side, seq: isSame ? lastThrow.seq : shown.seq, covered: false, mine: false };
}

/** The pip counts of both seats; none in a tafl game. @param {CatalogueEntry} entry @param {Moment} moment @param {Position | undefined} position */
export function pipsOf(entry, moment, position) {
  if (!position || "board" in position || isTafl(moment.game) || !moment.sides) return undefined;
  const of = (/** @type {1 | 2} */ seat) =>
    pips(entry, position, /** @type {"white" | "black"} */ (moment.sides?.[seat]));
  return { 1: of(1), 2: of(2) };
}

/** The events that change the board: the stops of a replay. @param {any[]} events */
export const stopsOf = (events) =>
  events
    .filter(({ type }) => ["game_started", "opening_thrown", "thrown", "turned", "passed", "taken_back", "game_ended"].includes(type))
    .map(({ seq }) => seq);
