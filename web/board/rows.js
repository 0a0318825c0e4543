// The board of three rows of twelve, as cut into slabs of stone all over the Roman world.

import { nothing } from "../lit.js";
import { markup } from "./markup.js";
import { inscribed } from "./inscriptions.js";
import { LETTER } from "./letters.js";
import { halves, ivy, rosette } from "./ornaments.js";

/** @typedef {import("./layout.js").Layout} Layout */

/** Whether each cell of a board has a letter. @param {Layout} layout */
export const isLettered = ({ entry }) => entry.board.cells.every(({ id }) => /^[A-Z]/.test(id));

/** The cells and what divides the tables. @param {Layout} layout @param {import("../game/looks.js").Look} look */
export function cutRows(layout, look) {
  const { entry, held, spots } = layout;
  const lettered = isLettered(layout);
  const cells = new Map([...spots].filter(([place]) => entry.board.cells.some(({ id }) => id === place)));
  const words = look.inscribed ? inscribed(cells, held.quarter) : undefined;
  const letterOf = (/** @type {string} */ id) => (lettered ? (words?.get(id) ?? id[0]) : undefined);
  return markup`${entry.board.cells.map((cell) => cutCell(layout, cell, letterOf(cell.id)))}
    ${[0.5, 2.5, 4.5].map((row) => divider(layout, row, lettered))}`;
}

/** @param {Layout} layout @param {import("../game/places.js").Cell} cell @param {string | undefined} letter */
function cutCell(layout, cell, letter) {
  const spot = layout.spots.get(cell.id);
  if (!spot) return nothing;
  const at = `translate(${spot.x} ${spot.y})`;
  if (letter) {
    return markup`<g transform=${at}><circle class="bowl" r=".46"/><text class="letter" transform="scale(${LETTER})">${letter}</text></g>`;
  }
  if (cell.table?.startsWith("middle")) {
    return markup`<g transform=${at}><circle r=".4"/><path d="M-.19-.19 .19 .19M.19-.19-.19 .19"/></g>`;
  }
  return markup`<g transform=${at}>
    <circle class="bowl" r=".46"/><circle r=".36"/><circle class="filled" r=".05"/></g>`;
}

/**
 * The ornament between the two tables of a row.
 * @param {Layout} layout
 * @param {number} row
 * @param {boolean} lettered
 */
function divider(layout, row, lettered) {
  const [a, b] = layout.entry.board.cells.filter(({ x, y }) => y === row && (x === 5 || x === 7));
  const from = layout.spots.get(a.id);
  const to = layout.spots.get(b.id);
  if (!from || !to) return nothing;
  const at = `translate(${(from.x + to.x) / 2} ${(from.y + to.y) / 2}) scale(${layout.held.snug ? 0.74 : 1})`;
  if (row !== 2.5) {
    const turn = layout.held.quarter && !lettered ? " rotate(90)" : "";
    return markup`<g transform="${at}${turn}">${lettered ? ivy : halves}</g>`;
  }
  if (!lettered) return markup`<g transform=${at}>${rosette}</g>`;
  const [rx, ry] = layout.held.quarter ? [1.08, 0.53] : [0.53, 1.08];
  return markup`<g transform=${at}><ellipse rx=${rx} ry=${ry}/><g transform="scale(.7)">${rosette}</g></g>`;
}
