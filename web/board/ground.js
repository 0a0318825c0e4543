// What of a board stays as it is: the slab or the wood, what is cut into it, numbers, trays.

import { nothing, svg } from "../lit.js";
import { kindOf, nameOf, sideOf } from "../game/places.js";
import { inset, plate } from "./plate.js";
import { cutPoints, fieldPoints } from "./points.js";
import { cutRows } from "./rows.js";
import { frameOf, labelRoom } from "./slab.js";
import { cutTafl, fieldTafl } from "./tafl.js";

/** @typedef {import("./layout.js").Layout} Layout */
/** @typedef {import("./layout.js").Box} Box */
/** @typedef {{text: string, x: number, y: number}} Label */

/** All of it, to be drawn once for a layout. @param {Layout} layout */
export function ground(layout) {
  const { slab, held } = layout;
  const { x, y } = frameOf(held);
  return svg`
    ${layout.trays.map(({ place, box }) => tray(layout, place, box))}
    <rect class="under" x=${slab.x} y=${slab.y + 0.07} width=${slab.w} height=${slab.h} rx=".2"/>
    ${plate(slab, 0.16, "frame")}
    ${plate(inset(slab, x - 0.12, y - 0.12), 0.06, "field")}
    ${held.family === "points" ? fieldPoints(layout) : nothing}
    ${held.family === "points" ? grain(layout) : nothing}
    ${held.family === "tafl" ? fieldTafl(layout) : nothing}
    ${cut(CUTTERS[held.family](layout))}
    <g class="labels ${held.family} ${held.quarter ? "upright" : ""}">${labels(layout).map(
      ({ text, x, y }) => svg`<text x=${x} y=${y}>${text}</text>`,
    )}</g>`;
}

/** The grain of what is laid into the field. @param {Layout} layout */
function grain({ slab, held }) {
  const { x, y } = frameOf(held);
  const inner = inset(slab, x, y);
  return svg`<rect class="texture inlaid" x=${inner.x} y=${inner.y} width=${inner.w} height=${inner.h}/>`;
}

const CUTTERS = { rows: cutRows, points: cutPoints, tafl: cutTafl };

/** Lines as the chisel leaves them: a dark one, and the light on its edge. @param {unknown} lines */
const cut = (lines) =>
  svg`<g class="light" transform="translate(.018 .025)">${lines}</g><g class="cut">${lines}</g>`;

/** @param {Layout} layout @param {string} place @param {Box} box */
function tray(layout, place, box) {
  const end = layout.spots.get(place);
  const { x, y, w, h } = inset(box, 0.1);
  const own = sideOf(place) === layout.entry.sides[0].id ? "first" : "second";
  return svg`<rect class="under" x=${box.x} y=${box.y + 0.05} width=${box.w} height=${box.h} rx=".2"/>
    ${plate(box, 0.18, "frame")}
    <rect class="hollow" x=${x} y=${y} width=${w} height=${h} rx=".3"/>
    <g class="sign ${own}" transform="translate(${end?.x} ${end?.y})">
      <circle r=".3"/>${SIGNS[kindOf(place)]}</g>`;
}

/** What an empty tray is for: pieces come from it, or have left. @type {Record<string, unknown>} */
const SIGNS = {
  supply: svg`<path d="M.14 0H-.14M-.03-.12-.15 0-.03 .12"/>`,
  off: svg`<path d="M-.14 .01-.03 .12 .14-.11"/>`,
  captured: svg`<path d="M-.11-.11 .11 .11M.11-.11-.11 .11"/>`,
};

/** @param {Layout} layout @returns {Label[]} */
function labels(layout) {
  if (layout.held.family === "tafl") return taflLabels(layout);
  const { entry, viewer, held, slab } = layout;
  return entry.board.cells.flatMap((cell) => {
    const spot = layout.spots.get(cell.id);
    if (!spot || cell.table?.startsWith("middle")) return [];
    const text = nameOf(entry, viewer, cell.id).replace(/^[A-E]/, "");
    if (held.family === "rows") {
      const off = 0.46 + labelRoom(held) / 2;
      return [{ text, x: spot.x - spot.dx * off, y: spot.y - spot.dy * off }];
    }
    const edge = 0.25;
    if (held.quarter) return [{ text, x: spot.dx > 0 ? slab.x + edge : slab.x + slab.w - edge, y: spot.y }];
    return [{ text, x: spot.x, y: spot.dy > 0 ? slab.y + edge : slab.y + slab.h - edge }];
  });
}

/** Letters along the bottom, numbers along the left. @param {Layout} layout @returns {Label[]} */
function taflLabels({ entry, slab, spots }) {
  const edge = 0.26;
  const at = (/** @type {string} */ id) => /** @type {import("./layout.js").Spot} */ (spots.get(id));
  return entry.board.cells.flatMap(({ id }) => {
    const [letter, number] = id;
    return [
      ...(number === "1" ? [{ text: letter, x: at(id).x, y: slab.y + slab.h - edge }] : []),
      ...(letter === "a" ? [{ text: number, x: slab.x + edge, y: at(id).y }] : []),
    ];
  });
}
