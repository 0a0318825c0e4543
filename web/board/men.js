// Pieces: counters of bone and of ebony, domes of bone and of jet, a crowned king.
//
// The sides differ in their engraving as well as in colour. Each piece is drawn around (0, 0) with a diameter of one.

import { markup } from "./markup.js";
import { hexafoil } from "./ornaments.js";

/** @typedef {import("./layout.js").Family} Family */

const gradient = (/** @type {string} */ id, /** @type {string} */ name) =>
  markup`<radialGradient id=${id} cx=".36" cy=".3" r=".8">
    <stop offset="0" class="${name}-high"/><stop offset=".55" class="${name}-mid"/>
    <stop offset="1" class="${name}-low"/>
  </radialGradient>`;

/** The number of variants of a piece. */
const VARIANTS = 4;

/**
 * The forms of pieces, by the ids that `formOf` returns.
 * @param {Family} family
 * @param {import("./materials.js").Sheet} [sheet] their picture; without it they are drawn
 */
export const men = (family, sheet) => (sheet ? painted(sheet) : drawn(family));

/**
 * The id of a piece's form. @param {import("../game/position.js").Piece} piece
 * @param {boolean} isFirst whether its side is the first one in the catalogue
 */
export function formOf({ king, key }, isFirst) {
  if (king) return "#king";
  let sum = 0;
  for (const letter of key) sum += letter.charCodeAt(0);
  return `#${isFirst ? "first" : "second"}-${sum % VARIANTS}`;
}

/** @param {import("./materials.js").Sheet} sheet */
const painted = ({ href, wide }) => markup`${shade}
  ${Array.from({ length: wide }, (_, nth) => {
    const kind = ["first", "second", "king"][Math.floor(nth / VARIANTS)];
    const size = kind === "king" ? 1.14 : 1;
    return markup`<g id=${kind === "king" ? kind : `${kind}-${nth % VARIANTS}`} transform="scale(${size})">${shadow}
      <svg x="-.5" y="-.5" width="1" height="1" viewBox="${nth} 0 1 1"><image href=${href} width=${wide}
        height="1"/></svg></g>`;
  })}`;

/** Drawn pieces of a kind all look the same. @param {string} kind */
const alike = (kind) =>
  Array.from({ length: VARIANTS }, (_, nth) => markup`<use id="${kind}-${nth}" href="#${kind}"/>`);

const shade = markup`<radialGradient id="shade"><stop offset=".55" class="shade-in"/>
    <stop offset="1" class="shade-out"/></radialGradient>`;

/** @param {Family} family */
const drawn = (family) => markup`
  ${shade}
  ${gradient("face-first", "first")}${gradient("face-second", "second")}${gradient("face-king", "king")}
  <g id="first">${family === "tafl" ? dome("first") : counter("first")}</g>
  <g id="second">${family === "tafl" ? dome("second") : counter("second")}</g>
  ${alike("first")}${alike("second")}
  <g id="king">${king}</g>`;

const shadow = markup`<ellipse class="shadow" cx=".07" cy=".1" rx=".56" ry=".55" fill="url(#shade)"/>`;

/** @param {"first" | "second"} which */
const counter = (which) => markup`${shadow}
  <circle class="man-edge ${which}" cy=".035" r=".48"/>
  <circle class="man-face ${which}" cy="-.015" r=".47" fill="url(#face-${which})"/>
  ${which === "first" ? rings : petalled}`;

const rings = markup`
  <g class="man-light first" transform="translate(.012 .004)"><circle r=".35"/><circle r=".13"/></g>
  <g class="man-cut first" transform="translate(0 -.015)">
    <circle r=".35"/><circle r=".13"/><circle class="dot" r=".035"/></g>`;

const petalled = markup`<g class="man-cut second" transform="translate(0 -.015)">
  <circle r=".37"/><path d=${hexafoil(0.31)}/></g>`;

/** @param {"first" | "second"} which */
const dome = (which) => markup`${shadow}
  <circle class="man-edge ${which}" cy=".03" r=".48"/>
  <circle class="man-face ${which}" cy="-.01" r=".47" fill="url(#face-${which})"/>
  <ellipse class="gloss" cx="-.15" cy="-.21" rx=".15" ry=".09" transform="rotate(-32 -.15 -.21)"/>
  ${
    which === "first"
      ? markup`<g class="man-cut first"><circle r=".27"/><circle class="dot" r=".06"/></g>`
      : markup`<g class="man-cut second"><path d="M-.2-.2 .2 .2M.2-.2-.2 .2"/></g>`
  }`;

const king = markup`<ellipse class="shadow" cx=".06" cy=".11" rx=".66" ry=".64" fill="url(#shade)"/>
  <circle class="man-edge king" cy=".04" r=".56"/>
  <circle class="man-face king" cy="-.01" r=".55" fill="url(#face-king)"/>
  <circle class="king-ring" cy="-.01" r=".46"/>
  <path class="crown" d="M-.29 .2V-.13L-.15 .02 0-.25 .15 .02 .29-.13V.2ZM-.29 .27H.29"/>
  <ellipse class="gloss" cx="-.2" cy="-.3" rx=".13" ry=".07" transform="rotate(-35 -.2 -.3)"/>`;
