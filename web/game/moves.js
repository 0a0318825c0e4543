// What a person may do with one piece: go somewhere, by one die or by several.

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
 * @property {Step[]} steps what the turn grows by
 * @property {number[]} dice those that it plays, in order; none in a tafl game
 * @property {import("./places.js").SideName} [side] whose piece it is, where those of both sides are moved
 */

/**
 * The moves that the legal steps allow. Of those that lead from the same place to the same,
 * the one with the fewest and the lowest dice comes first.
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

/** The places that something can move from. @param {Move[]} moves @returns {Set<PlaceId>} */
export const origins = (moves) => new Set(moves.map(({ from }) => from));

/**
 * The move that a piece makes by the next die that it can play.
 * @param {Move[]} moves
 * @param {PlaceId} from
 * @param {number[]} order the dice, the next one first
 * @returns {Move | undefined} none if there is nothing to play, or a choice that no die decides
 */
export function byNextDie(moves, from, order) {
  const singles = moves.filter((move) => move.from === from && move.dice.length === 1);
  const die = order.find((next) => singles.some(({ dice }) => dice[0] === next));
  const found = singles.filter(({ dice }) => dice[0] === die);
  return found.length === 1 ? found[0] : undefined;
}

/**
 * The values thrown, the next to be played first, once the next of those that are left is put last.
 * @param {number[]} order
 * @param {number[]} left
 */
export function reordered(order, left) {
  const isLeft = (/** @type {number} */ die) => left.includes(die);
  const [next, ...others] = order.filter(isLeft);
  return [...order.filter((die) => !isLeft(die)), ...others, next];
}

/** Dice as they lie when those to be played next come first. @param {number[]} dice @param {number[]} order */
export const inOrder = (dice, order) => order.flatMap((value) => dice.filter((die) => die === value));

/**
 * Where the piece of a place can go, each with the move that is made there.
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
