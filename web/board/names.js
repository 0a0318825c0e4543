// What places are called to those who do not see them.

import { cellOf, kindOf, nameOf, sideOf } from "../game/places.js";
import { listed, t } from "../text/text.js";

/** @typedef {import("../game/places.js").CatalogueEntry} CatalogueEntry */
/** @typedef {import("../game/places.js").PlaceId} PlaceId */
/** @typedef {import("../game/places.js").SideName} SideName */
/** @typedef {import("../game/position.js").Piece} Piece */
/** @typedef {import("../game/moves.js").Move} Move */

/**
 * What a place itself is called.
 * @param {CatalogueEntry} entry
 * @param {SideName} viewer
 * @param {PlaceId} place
 */
export function placeTitle(entry, viewer, place) {
  const side = sideOf(place);
  if (side) return t(`board.${kindOf(place)}.${side}`);
  const name = nameOf(entry, viewer, place);
  if (cellOf(entry, place)?.table?.startsWith("middle")) return t("board.middle", { cell: name.slice(1) });
  return name;
}

/**
 * A place, what lies there, and what can be done with it.
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
  return [...counts].map(([kind, count]) => t(`board.pieces.${kind}`, { count }));
}

/** @param {Move} move */
const moveName = ({ dice }) =>
  dice.length ? t("board.reach", { dice: listed(dice.map(String)) }) : t("board.target");
