// What of a board stays as it is: the slab or the wood, what is cut into it, numbers, trays.

import { nothing, svg } from "../lit.js";
import { kindOf, nameOf, sideOf } from "../game/places.js";
import { cutPoints, fieldPoints } from "./points.js";
import { cutRows } from "./rows.js";
import { FRAME, LABEL, onSlab } from "./slab.js";
import { cutTafl, fieldTafl } from "./tafl.js";

/** @typedef {import("./layout.js").Layout} Layout */
/** @typedef {import("./layout.js").Box} Box */
/** @typedef {{text: string, x: number, y: number}} Label */

/**
 * All of it, to be drawn once for a layout.
 * @param {Layout} layout
 * @param {boolean} textured
 */
export function ground(layout, textured) {
  const { slab, held } = layout;
  const inner = inset(slab, FRAME[held.family] - 0.14);
  return svg`
    ${layout.trays.map(({ place, box }) => tray(layout, place, box))}
    <rect class="under" x=${slab.x} y=${slab.y + 0.06} width=${slab.w} height=${slab.h} rx=".2"/>
    ${plate(slab, 0.16, "frame", textured)}
    ${held.family === "rows" ? nothing : plate(inner, 0.06, "field", textured)}
    ${held.family === "points" ? fieldPoints(layout) : nothing}
    ${held.family === "tafl" ? fieldTafl(layout) : nothing}
    ${cut(svg`${held.family === "rows" ? border(slab) : nothing}${CUTTERS[held.family](layout)}`)}
    <g class="labels">${labels(layout).map(({ text, x, y }) => svg`<text x=${x} y=${y}>${text}</text>`)}</g>`;
}

const CUTTERS = { rows: cutRows, points: cutPoints, tafl: cutTafl };

/** @param {Box} box @param {number} by @returns {Box} */
export const inset = ({ x, y, w, h }, by) => ({ x: x + by, y: y + by, w: w - 2 * by, h: h - 2 * by });

/** @param {Box} box @param {number} rx @param {string} kind @param {boolean} textured */
function plate({ x, y, w, h }, rx, kind, textured) {
  const rect = (/** @type {string} */ name) =>
    svg`<rect class=${name} x=${x} y=${y} width=${w} height=${h} rx=${rx}/>`;
  return svg`${rect(kind)}${textured ? rect("texture") : nothing}${rect(`${kind} rim`)}`;
}

/** Lines as the chisel leaves them: a dark one, and the light on its edge. @param {unknown} lines */
const cut = (lines) =>
  svg`<g class="light" transform="translate(.018 .025)">${lines}</g><g class="cut">${lines}</g>`;

/** Two lines along the edge. @param {Box} slab */
function border(slab) {
  return [0.13, 0.2].map((by) => {
    const { x, y, w, h } = inset(slab, by);
    return svg`<rect x=${x} y=${y} width=${w} height=${h} rx=".06"/>`;
  });
}

/** @param {Layout} layout @param {string} place @param {Box} box */
function tray(layout, place, { x, y, w, h }) {
  const end = layout.spots.get(place);
  const first = sideOf(place) === layout.entry.sides[0].id;
  return svg`<rect class="tray" x=${x} y=${y} width=${w} height=${h} rx=".18"/>
    <g class="sign ${first ? "first" : "second"}" transform="translate(${end?.x} ${end?.y})">
      <circle r=".4"/>${SIGNS[kindOf(place)]}</g>`;
}

/** What an empty tray is for: pieces come from it, or have left. @type {Record<string, unknown>} */
const SIGNS = {
  supply: svg`<path d="M.16 0H-.18M-.04-.15-.19 0-.04 .15"/>`,
  off: svg`<path d="M-.17 .02-.04 .15 .18-.14"/>`,
  captured: svg`<path d="M-.14-.14 .14 .14M.14-.14-.14 .14"/>`,
};

/** @param {Layout} layout @returns {Label[]} */
function labels(layout) {
  if (layout.held.family === "tafl") return taflLabels(layout);
  const { entry, viewer, held, slab } = layout;
  return entry.board.cells.flatMap((cell) => {
    const spot = layout.spots.get(cell.id);
    if (!spot || !onSlab(cell.id) || cell.table?.startsWith("middle")) return [];
    const text = nameOf(entry, viewer, cell.id).replace(/^[A-E]/, "");
    if (held.family === "rows") {
      const off = 0.5 + LABEL / 2;
      return [{ text, x: spot.x - spot.dx * off, y: spot.y - spot.dy * off }];
    }
    const edge = FRAME.points / 2 - 0.03;
    if (held.quarter) return [{ text, x: spot.dx > 0 ? slab.x + edge : slab.x + slab.w - edge, y: spot.y }];
    return [{ text, x: spot.x, y: spot.dy > 0 ? slab.y + edge : slab.y + slab.h - edge }];
  });
}

/** Letters along the bottom, numbers along the left. @param {Layout} layout @returns {Label[]} */
function taflLabels({ entry, slab, spots }) {
  const edge = FRAME.tafl / 2 - 0.03;
  const at = (/** @type {string} */ id) => /** @type {import("./layout.js").Spot} */ (spots.get(id));
  return entry.board.cells.flatMap(({ id }) => {
    const [letter, number] = id;
    return [
      ...(number === "1" ? [{ text: letter, x: at(id).x, y: slab.y + slab.h - edge }] : []),
      ...(letter === "a" ? [{ text: number, x: slab.x + edge, y: at(id).y }] : []),
    ];
  });
}
