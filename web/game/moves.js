// The moves of one piece, by one die or by several.

import { placeOf } from "./places.js";

/** @typedef {import("./places.js").CatalogueEntry} CatalogueEntry */
/** @typedef {import("./places.js").PlaceId} PlaceId */
/** @typedef {import("../api/wire").components["schemas"]["Legal"]} Legal */
/** @typedef {import("../api/wire").components["schemas"]["Step"]} Step */
/** @typedef {{from: string, to: string, steps: Step[]}} Reach */

/**
 * @typedef {object} Move
 * @property {PlaceId} from
 * @property {PlaceId} to
 * @property {Step[]} steps the steps that it adds to the turn
 * @property {number[]} dice the dice that it plays, in order; none in a tafl game
 * @property {import("./places.js").SideName} [side] the side of the piece, in the editor
 */

/**
 * The moves that the legal steps allow. Among moves between the same two places, the one with the fewest and lowest
 * dice comes first.
 * @param {CatalogueEntry} entry
 * @param {Legal & {reach?: Reach[]}} legal
 * @returns {Move[]}
 */
export function movesOf(entry, legal) {
  const side = legal.to_play;
  /** @param {Reach} way @returns {Move} */
  const move = ({ from, to, steps }) => ({
    from: placeOf(entry, side, from),
    to: placeOf(entry, side, to),
    steps,
    dice: steps.flatMap(({ die }) => die ?? []),
  });
  const singles = legal.steps.map((step) => move({ from: step.from, to: step.to, steps: [step] }));
  const several = (legal.reach ?? []).filter(({ steps }) => steps.length > 1).map(move);
  return [...singles, ...several].sort((a, b) => a.dice.length - b.dice.length || pips(a) - pips(b));
}

/** @param {Move} move */
const pips = ({ dice }) => dice.reduce((sum, die) => sum + die, 0);

/** The places from which pieces can move. @param {Move[]} moves @returns {Set<PlaceId>} */
export const origins = (moves) => new Set(moves.map(({ from }) => from));

/**
 * The move of a piece by the next die that it can play.
 * @param {Move[]} moves
 * @param {PlaceId} from
 * @param {number[]} order the dice, the next one first
 * @returns {Move | undefined} none without a move, or where the die leaves a choice
 */
export function byNextDie(moves, from, order) {
  const singles = moves.filter((move) => move.from === from && move.dice.length === 1);
  const die = order.find((next) => singles.some(({ dice }) => dice[0] === next));
  const found = singles.filter(({ dice }) => dice[0] === die);
  return found.length === 1 ? found[0] : undefined;
}

/**
 * The values thrown, the next one to be played first, after the current next one was moved to the end.
 * @param {number[]} order
 * @param {number[]} left
 */
export function reordered(order, left) {
  const isLeft = (/** @type {number} */ die) => left.includes(die);
  const [next, ...others] = order.filter(isLeft);
  return [...order.filter((die) => !isLeft(die)), ...others, next];
}

/** Dice in display order, with those to be played first at the front. @param {number[]} dice @param {number[]} order */
export const inOrder = (dice, order) => order.flatMap((value) => dice.filter((die) => die === value));

/**
 * The targets of the piece on a place, each with its move.
 * @param {Move[]} moves
 * @param {PlaceId} from
 * @returns {Map<PlaceId, Move>}
 */
export function targets(moves, from) {
  /** @type {Map<PlaceId, Move>} */
  const found = new Map();
  for (const move of moves) {
    if (move.from === from && !found.has(move.to)) found.set(move.to, move);
  }
  return found;
}
