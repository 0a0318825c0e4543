// Pieces of wood or stone that boards are made of.

import { svg } from "../lit.js";

/** @typedef {import("./layout.js").Box} Box */

/**
 * A flat piece with rounded corners: its colour, its grain, the light on its edge.
 * @param {Box} box
 * @param {number} rx
 * @param {string} kind
 */
export function plate({ x, y, w, h }, rx, kind) {
  const rect = (/** @type {string} */ name) =>
    svg`<rect class=${name} x=${x} y=${y} width=${w} height=${h} rx=${rx}/>`;
  return svg`${rect(kind)}${rect("texture")}${rect(`${kind} rim`)}`;
}

/** The box within a box. @param {Box} box @param {number} by @param {number} [down] @returns {Box} */
export const inset = ({ x, y, w, h }, by, down = by) => ({
  x: x + by,
  y: y + down,
  w: w - 2 * by,
  h: h - 2 * down,
});
