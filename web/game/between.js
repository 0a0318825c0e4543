// A position during a turn: what the board shows between two steps of the opponent.
//
// The server sends the position after a turn, not after each of its steps. The positions between are predicted here
// from the steps, and corrected by the position that the turn leads to.

import { kindOf, nameOf } from "./places.js";
import { afterStep, piecesOf } from "./position.js";

/** @typedef {import("./places.js").CatalogueEntry} CatalogueEntry */
/** @typedef {import("./places.js").SideName} SideName */
/** @typedef {import("./position.js").Piece} Piece */
/** @typedef {import("./position.js").Position} Position */
/** @typedef {import("./position.js").TablesPosition} TablesPosition */
/** @typedef {import("../api/wire").components["schemas"]["Step"]} Step */

/**
 * The position after some steps of a turn. A turn of a tafl game has only one step.
 * @param {CatalogueEntry} entry
 * @param {Position} position before the turn
 * @param {SideName} side the side to move
 * @param {Step[]} steps
 * @returns {Position}
 */
export function between(entry, position, side, steps) {
  if ("board" in position || steps.length === 0) return position;
  const pieces = steps.reduce((now, step) => afterStep(now, entry, side, step), piecesOf(entry, position));
  const written = { ...position };
  for (const name of /** @type {const} */ (["white", "black"])) {
    written[name] = { ...position[name], ...lying(entry, name, pieces) };
  }
  return written;
}

/**
 * A side's pieces, as positions write them.
 * @param {CatalogueEntry} entry
 * @param {"white" | "black"} side
 * @param {Piece[]} pieces
 */
function lying(entry, side, pieces) {
  const own = pieces.filter((piece) => piece.side === side);
  const beside = (/** @type {string} */ kind) => own.filter(({ place }) => kindOf(place) === kind).length;
  /** @type {Record<string, number>} */
  const points = {};
  /** @type {string[]} */
  const pinned = [];
  for (const piece of own) {
    if (kindOf(piece.place) !== "cell") continue;
    const name = nameOf(entry, side, piece.place);
    points[name] = (points[name] ?? 0) + 1;
    if (piece.pinned) pinned.push(name);
  }
  return { points, pinned, supply: beside("supply"), bar: beside("bar"), off: beside("off") };
}
