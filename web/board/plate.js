// The parts of boards: plates, frames, sunken areas, and the light on their edges.
//
// There is one light, from the upper left. Raised parts are lit on their upper and left edges and cast a shadow to the
// lower right; sunken parts lie in the shadow of their upper and left edges.

import { nothing } from "../lit.js";
import { markup } from "./markup.js";
import { grain } from "./materials.js";

/** @typedef {import("./layout.js").Box} Box */

/** Gradients that shade the parts. */
export const shading = markup`
  <linearGradient id="sheen" x1="0" y1="0" x2=".7" y2="1">
    <stop offset="0" class="sheen-in"/><stop offset=".6" class="sheen-out"/></linearGradient>
  ${[
    ["falls-down", 0, 1],
    ["falls-right", 1, 0],
  ].map(
    ([id, x, y]) => markup`<linearGradient id=${id} x2=${x} y2=${y}>
      <stop offset="0" class="fall-in"/><stop offset=".35" class="fall-mid"/><stop offset="1" class="fall-out"/>
    </linearGradient>`,
  )}
  <linearGradient id="bowl" x1=".15" y1=".08" x2=".85" y2=".92">
    <stop offset="0" class="bowl-in"/><stop offset=".5" class="bowl-mid"/><stop offset="1" class="bowl-out"/>
  </linearGradient>`;

/** @param {Box} box @param {number} rx @param {string} name @param {string} [fill] */
const rect = ({ x, y, w, h }, rx, name, fill) =>
  fill
    ? markup`<rect class=${name} x=${x} y=${y} width=${w} height=${h} rx=${rx} fill=${fill}/>`
    : markup`<rect class=${name} x=${x} y=${y} width=${w} height=${h} rx=${rx}/>`;

/**
 * A flat piece with rounded corners: its colour and its grain, which runs along its longer side.
 * @param {Box} box
 * @param {number} rx
 * @param {string} kind
 * @param {number} nth its place in a row of planks
 */
export const plate = (box, rx, kind, nth) =>
  markup`${rect(box, rx, kind)}${rect(box, rx, "grain", grain(box.h > box.w ? "across" : "along", nth))}`;

/**
 * The four sides between a box and the one in it, mitred at the corners, as paths: top, right, bottom, left.
 * @param {Box} outer
 * @param {Box} inner
 */
function sides(outer, inner) {
  const corners = (/** @type {Box} */ { x, y, w, h }) => [
    [x, y],
    [x + w, y],
    [x + w, y + h],
    [x, y + h],
  ];
  const [out, within] = [corners(outer), corners(inner)];
  return out.map((from, nth) => {
    const next = (nth + 1) % 4;
    return `M${[from, out[next], within[next], within[nth]].map((point) => point.join(" ")).join("L")}Z`;
  });
}

/** The width of the lit edges. */
const BEVEL = 0.055;

/** The light on the edges of a raised part. @param {Box} box */
export function raised(box) {
  const [top, right, bottom, left] = sides(box, inset(box, BEVEL));
  return markup`<g class="bevel"><path class="lit" d="${top}${left}"/><path class="dim" d="${right}${bottom}"/></g>`;
}

/**
 * A frame of four pieces around a field: their colour, grain and edges.
 * @param {Box} box
 * @param {Box} field
 * @param {boolean} strung whether it has an inlaid line of lighter wood
 */
export function frame(box, field, strung) {
  const [top, right, bottom, left] = sides(box, field);
  const edge = inset(field, -BEVEL);
  const [above, beside, below, before] = sides(edge, field);
  return markup`<clipPath id="slab">${rect(box, 0.14, "outline")}</clipPath>
    <g clip-path="url(#slab)">
      ${rect(box, 0, "frame")}
      <path class="grain" d="${top}" fill=${grain("along", 1)}/>
      <path class="grain" d="${bottom}" fill=${grain("along", 2)}/>
      <path class="grain" d="${left}" fill=${grain("across", 1)}/>
      <path class="grain" d="${right}" fill=${grain("across", 3)}/>
      <path class="mitre" d="${top}${right}${bottom}${left}"/>
      ${strung ? rect(inset(field, -0.075), 0, "string") : nothing}
      ${rect(box, 0, "sheen", "url(#sheen)")}
      ${raised(box)}
      <g class="bevel"><path class="dim" d="${above}${before}"/><path class="lit" d="${beside}${below}"/></g>
    </g>`;
}

/**
 * The shadow that the edges of a sunken part cast into it.
 * @param {Box} box
 * @param {number} rx
 * @param {number} deep how far the shadow reaches
 * @param {string} id of its outline; must be unique
 */
export function sunk(box, rx, deep, id) {
  const { x, y, w, h } = box;
  return markup`<clipPath id=${id}>${rect(box, rx, "outline")}</clipPath>
    <g class="fall" clip-path="url(#${id})">
      ${rect({ x, y, w, h: deep }, 0, "", "url(#falls-down)")}
      ${rect({ x, y, w: 0.7 * deep, h }, 0, "", "url(#falls-right)")}
    </g>`;
}

/** The shadow of a raised part: to its right or, if it is wide, below it. @param {Box} box @param {number} deep */
export function shadowOf({ x, y, w, h }, deep) {
  const fall = h > w ? { x: x + w, y, w: deep, h } : { x, y: y + h, w, h: deep };
  return markup`<g class="fall">${rect(fall, 0, "", `url(#falls-${h > w ? "right" : "down"})`)}</g>`;
}

/** The box inside a box. @param {Box} box @param {number} by @param {number} [down] @returns {Box} */
export const inset = ({ x, y, w, h }, by, down = by) => ({
  x: x + by,
  y: y + down,
  w: w - 2 * by,
  h: h - 2 * down,
});
