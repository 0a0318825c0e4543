// Ornaments of ancient boards, each around (0, 0) and about one unit large.
//
// They are paths without colour: the caller draws them twice, a little apart, so that an edge catches the light.

import { markup } from "./markup.js";

/** Six petals in a circle, drawn with compasses. @param {number} r */
export const hexafoil = (r) => petals(6, r);

/**
 * Petals between arcs around points on a circle.
 * @param {number} count
 * @param {number} r
 */
function petals(count, r) {
  let path = "";
  for (let n = 0; n < count; n += 1) {
    const angle = (n * 2 * Math.PI) / count;
    const x = (r * Math.cos(angle)).toFixed(3);
    const y = (r * Math.sin(angle)).toFixed(3);
    path += `M0 0A${r} ${r} 0 0 1 ${x} ${y}A${r} ${r} 0 0 1 0 0Z`;
  }
  return path;
}

/** A rosette: petals in two rings. */
export const rosette = markup`<circle r=".46"/><circle r=".4"/>
  <path class="filled" d=${hexafoil(0.38)}/>`;

/** An ivy leaf on its stalk: the sign between words in inscriptions. */
export const ivy = markup`<path class="filled" d="M0 .2C-.2 .02-.36-.02-.34-.2-.32-.34-.12-.36 0-.2
  .12-.36.32-.34.34-.2 .36-.02.2.02 0 .2Z"/>
  <path d="M0-.16 0 .2C.01 .36.1 .42.2 .38M0-.02-.16-.14M0-.02.16-.14"/>`;

/** Two half circles, back to back. */
export const halves = markup`<path d="M-.42-.34A.34.34 0 0 1-.42 .34ZM.42-.34A.34.34 0 0 0 .42 .34Z"/>
  <path class="filled" d="M-.42-.14A.14.14 0 0 1-.42 .14ZM.42-.14A.14.14 0 0 0 .42 .14Z"/>`;

/** The cross of a throne, its arms ending in knots. */
export const knot = markup`<path d="M-.3-.3H.3V.3H-.3ZM0-.44 .44 0 0 .44-.44 0Z"/>
  <path class="filled" d=${petals(4, 0.2)}/>`;

/** A star of eight points for marquetry. */
export const star = markup`<path class="filled" d="M0-.5 .12-.12 .5 0 .12 .12 0 .5-.12 .12-.5 0-.12-.12Z"/>
  <path d="M-.3-.3-.1-.16M.3-.3 .1-.16M.3 .3 .1 .16M-.3 .3-.1 .16"/><circle r=".32"/>`;
