// The board of twenty-four points: arrows of inlaid wood, or slender arches.

import { factsOf } from "../game/games.js";
import { nothing } from "../lit.js";
import { markup } from "./markup.js";
import { rosette, star } from "./ornaments.js";
import { grain } from "./materials.js";
import { plate, raised, shadowOf } from "./plate.js";
import { insideOf } from "./slab.js";

/** @typedef {import("./layout.js").Layout} Layout */
/** @typedef {import("./layout.js").Spot} Spot */

/** The points in their two colours, and the bar. @param {Layout} layout */
export function fieldPoints(layout) {
  const { entry, spots } = layout;
  const shape = factsOf(entry.id).arches ? arch : arrow;
  return markup`${bar(layout)}${entry.board.cells.map((cell, index) => {
    const spot = spots.get(cell.id);
    if (!spot) return nothing;
    const colour = index % 2 ? "light-point" : "dark-point";
    const form = shape(reach(spot));
    return markup`<g transform=${placed(spot)}><path class="point ${colour}" d=${form}/>
      <path class="grain" d=${form} fill=${grain("across", index)}/></g>`;
  })}`;
}

/** The outline of a point. @param {Layout} layout @param {Spot} spot */
export const pointOf = ({ entry }, spot) => ({ at: placed(spot), form: (factsOf(entry.id).arches ? arch : arrow)(reach(spot)) });

/** The engraving of a point. @param {Layout} layout */
export function cutPoints(layout) {
  const { entry, spots, held } = layout;
  const shape = factsOf(entry.id).arches ? arch : arrow;
  const { wide, high } = insideOf(entry, held);
  const stars = [3, 10].map((x) => layout.put(x, high / 2));
  const middle = layout.put(wide / 2, high / 2);
  const sign = factsOf(entry.id).arches ? rosette : star;
  return markup`${entry.board.cells.map((cell) => {
    const spot = spots.get(cell.id);
    return spot ? markup`<path transform=${placed(spot)} d=${shape(reach(spot))}/>` : nothing;
  })}
  ${stars.map(({ x, y }) => markup`<g transform="translate(${x} ${y}) scale(.62)">${sign}</g>`)}
  <g transform="translate(${middle.x} ${middle.y}) scale(.5)">${rosette}</g>`;
}

/** The direction from the edge towards the middle of the board. @param {Spot} spot */
function placed({ x, y, dx, dy }) {
  const angle = (Math.atan2(dy, dx) * 180) / Math.PI + 90;
  return `translate(${x} ${y}) rotate(${angle}) translate(0 .5)`;
}

/** The length of a point. @param {Spot} spot */
const reach = ({ box }) => Math.max(box.w, box.h) - 0.15;

/** @param {number} long */
const arrow = (long) => `M-.46 0 0 ${-long} .46 0Z`;

/** @param {number} long */
const arch = (long) => `M-.4 0V${0.4 - long}A.4.4 0 0 1 .4 ${0.4 - long}V0Z`;

/** The bar between the two halves. @param {Layout} layout */
function bar({ entry, held, put }) {
  const { high } = insideOf(entry, held);
  const a = put(6.06, -0.12);
  const b = put(6.94, high + 0.12);
  const box = { x: Math.min(a.x, b.x), y: Math.min(a.y, b.y), w: Math.abs(a.x - b.x), h: Math.abs(a.y - b.y) };
  return markup`${plate(box, 0, "bar", 2)}${raised(box)}${shadowOf(box, 0.3)}`;
}
