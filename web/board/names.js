// The names of places for screen readers.

import { cellOf, kindOf, nameOf, sideOf } from "../game/places.js";
import { listed, t } from "../text/text.js";

/** @typedef {import("../game/places.js").CatalogueEntry} CatalogueEntry */
/** @typedef {import("../game/places.js").PlaceId} PlaceId */
/** @typedef {import("../game/places.js").SideName} SideName */
/** @typedef {import("../game/position.js").Piece} Piece */
/** @typedef {import("../game/moves.js").Move} Move */

/** A cache of spoken texts: plural forms are slow to compute. @type {Map<string, string>} */
const said = new Map();

/** @param {string} key @param {string | number} param @param {() => string} text */
function once(key, param, text) {
  const id = `${key} ${param}`;
  const known = said.get(id) ?? text();
  said.set(id, known);
  return known;
}

/**
 * The name of a place.
 * @param {CatalogueEntry} entry
 * @param {SideName} viewer
 * @param {PlaceId} place
 */
export function placeTitle(entry, viewer, place) {
  const side = sideOf(place);
  if (side) return once("place", place, () => t(`board.${kindOf(place)}.${side}`));
  const name = nameOf(entry, viewer, place);
  if (cellOf(entry, place)?.table?.startsWith("middle")) return t("board.middle", { cell: name.slice(1) });
  return name;
}

/**
 * A place, its pieces, and its possible moves.
 * @param {CatalogueEntry} entry
 * @param {SideName} viewer
 * @param {PlaceId} place
 * @param {Piece[]} lying
 * @param {{movable: boolean, chosen: boolean, move?: Move, marks: string[]}} state
 */
export function placeName(entry, viewer, place, lying, { movable, chosen, move, marks }) {
  const parts = [placeTitle(entry, viewer, place), ...holdings(lying)];
  if (chosen) parts.push(t("board.chosen"));
  else if (move) parts.push(moveName(move));
  else if (movable) parts.push(t("board.movable"));
  return [...parts, ...marks.map((mark) => t(`board.mark.${mark}`))].join(", ");
}

/** @param {Piece[]} lying */
function holdings(lying) {
  if (!lying.length) return [t("board.empty")];
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { side, king, pinned } of lying) {
    const kind = king ? "king" : pinned ? `pinned.${side}` : side;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return [...counts].map(([kind, count]) => once(kind, count, () => t(`board.pieces.${kind}`, { count })));
}

/** @param {Move} move */
const moveName = ({ dice }) =>
  dice.length
    ? once("reach", dice.join(), () => t("board.reach", { dice: listed(dice.map(String)) }))
    : t("board.target");
