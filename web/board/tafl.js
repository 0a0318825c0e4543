// The board of a tafl game: squares, the throne in the middle, the camps at the sides.

import { nothing } from "../lit.js";
import { markup } from "./markup.js";
import { knot } from "./ornaments.js";

/** @typedef {import("./layout.js").Layout} Layout */

/** The squares that are special. @param {Layout} layout */
export function fieldTafl({ entry, spots }) {
  return markup`${entry.board.cells.map(({ id, shape }) => {
    const box = spots.get(id)?.box;
    if (!box || shape === "square") return nothing;
    return markup`<rect class=${shape} x=${box.x} y=${box.y} width="1" height="1"/>`;
  })}`;
}

/** The grid and its marks. @param {Layout} layout */
export function cutTafl({ entry, spots, put }) {
  const size = entry.board.height;
  const lines = Array.from({ length: size + 1 }, (_, n) => n);
  const at = (/** @type {number} */ x, /** @type {number} */ y) => {
    const point = put(x, y);
    return `${point.x} ${point.y}`;
  };
  return markup`<path d=${lines.map((n) => `M${at(n, 0)}L${at(n, size)}M${at(0, n)}L${at(size, n)}`).join("")}/>
    ${entry.board.cells.map(({ id, shape }) => {
      const spot = spots.get(id);
      if (!spot || shape === "square") return nothing;
      return markup`<g transform="translate(${spot.x} ${spot.y})">${shape === "throne" ? knot : CAMP}</g>`;
    })}`;
}

const CAMP = markup`<path d="M-.2 0 0-.2 .2 0 0 .2Z"/>`;
