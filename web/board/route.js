// The route of a side over the board, from where its pieces enter to where they leave; without a route, the cells by
// which a game is decided.

import { svg } from "../lit.js";
import { edgeOf, routeOf } from "../game/route.js";
import { SIGNS } from "./signs.js";

/** @typedef {import("./layout.js").Layout} Layout */
/** @typedef {import("./layout.js").Spot} Spot */
/** @typedef {import("../game/places.js").SideName} SideName */
/** @typedef {{x: number, y: number}} Point */

/** How far along a point the route runs: behind most of its pieces. */
const IN_A_POINT = 0.62;

/** Longer steps than this, in widths of a cell, pass beside other cells. */
const NEXT_MAX = 2.2;

/** How far such a step curves outward at an edge. */
const BOW = 0.54;

/** Cells between two arrowheads. */
const HEADS = 3;

/**
 * The drawing under the pieces.
 * @param {Layout} layout
 * @param {SideName | null} side whose route is shown; null: none
 */
export function routeMarks(layout, side) {
  if (!side) return svg``;
  const places = routeOf(layout.entry, side);
  if (places.length === 0) return edge(layout);
  const points = places.flatMap((place) => {
    const spot = layout.spots.get(place);
    return spot ? [onWay(layout, spot)] : [];
  });
  const first = layout.entry.sides[0].id === side ? "first" : "second";
  const isEntered = layout.spots.has(`supply:${side}`);
  return svg`<g class="route">
    <path class="behind" d=${line(layout, points)}/><path class="along" d=${line(layout, points)}/>
    ${points.slice(1).map((point, nth) => (nth % HEADS === HEADS - 1 ? head(points[nth], point, bowOf(layout, points[nth], point)) : svg``))}
    ${isEntered ? end(points[0], first, "supply") : svg`<circle class="from" cx=${points[0].x} cy=${points[0].y} r=".16"/>`}
    ${end(points[points.length - 1], first, "off")}</g>`;
}

/** Where the route passes a cell: through the middle of round cells, behind the pieces of points. @param {Layout} layout @param {Spot} spot */
function onWay({ held }, { x, y, dx, dy, room }) {
  const off = held.family === "points" ? (room + 1) * IN_A_POINT : 0;
  return { x: x + dx * off, y: y + dy * off };
}

/** @param {Layout} layout @param {Point[]} points */
const line = (layout, points) =>
  points
    .map((point, nth) => {
      if (nth === 0) return `M${point.x} ${point.y}`;
      const before = points[nth - 1];
      const bow = bowOf(layout, before, point);
      // A curve bends three quarters of the way to its control points.
      const bent = (/** @type {Point} */ { x, y }) => `${x + (bow.x * 4) / 3} ${y + (bow.y * 4) / 3}`;
      return bow.x || bow.y ? `C${bent(before)} ${bent(point)} ${point.x} ${point.y}` : `L${point.x} ${point.y}`;
    })
    .join("");

/** How far a step from row to row curves outward, past the cell of the row between. @param {Layout} layout @param {Point} from @param {Point} to @returns {Point} */
function bowOf({ held, slab }, from, to) {
  const along = { x: Math.abs(to.x - from.x), y: Math.abs(to.y - from.y) };
  if (held.family !== "rows" || Math.hypot(along.x, along.y) <= NEXT_MAX) return { x: 0, y: 0 };
  if (along.y > along.x) return { x: Math.sign(from.x - slab.x - slab.w / 2) * BOW, y: 0 };
  return { x: 0, y: Math.sign(from.y - slab.y - slab.h / 2) * BOW };
}

/** An arrowhead halfway between two cells. @param {Point} from @param {Point} to @param {Point} bow */
function head(from, to, bow) {
  const [x, y] = [(from.x + to.x) / 2 + bow.x, (from.y + to.y) / 2 + bow.y];
  const angle = (Math.atan2(to.y - from.y, to.x - from.x) * 180) / Math.PI;
  return svg`<path class="head" transform="translate(${x} ${y}) rotate(${angle})" d="M-.15-.15 .2 0-.15 .15-.07 0Z"/>`;
}

/** Where the route begins or ends, with the sign of the tray there. @param {Point} at @param {"first" | "second"} side @param {"supply" | "off"} kind */
const end = ({ x, y }, side, kind) => svg`<g class="sign ${side}" transform="translate(${x} ${y})"><circle r=".3"/><path d=${SIGNS[kind]}/></g>`;

/** The cells on the edge. @param {Layout} layout */
const edge = ({ entry, spots }) =>
  svg`<g class="route">${edgeOf(entry).map((id) => {
    const box = spots.get(id)?.box;
    return box ? svg`<rect class="goal" x=${box.x + 0.06} y=${box.y + 0.06} width=${box.w - 0.12} height=${box.h - 0.12} rx=".12"/>` : svg``;
  })}</g>`;
