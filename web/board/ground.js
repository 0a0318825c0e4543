// What does not change on a board: the slab or the wood, engravings, numbers, trays.

import { nothing } from "../lit.js";
import { markup } from "./markup.js";
import { kindOf, nameOf, sideOf } from "../game/places.js";
import { t } from "../text/text.js";
import { writtenAt } from "./letters.js";
import { grains } from "./materials.js";
import { frame, inset, plate, shading, sunk } from "./plate.js";
import { cutPoints, fieldPoints } from "./points.js";
import { cutRows, isLettered } from "./rows.js";
import { SIGNS } from "./signs.js";
import { frameOf, labelRoom } from "./slab.js";
import { cutTafl, fieldTafl } from "./tafl.js";

/** @typedef {import("./layout.js").Layout} Layout */
/** @typedef {import("./layout.js").Box} Box */
/** @typedef {import("../game/looks.js").Look} Look */
/** @typedef {{text: string, x: number, y: number}} Label */

/** All of it, drawn once for a layout. @param {Layout} layout @param {Look} look */
export function ground(layout, look) {
  const { slab, held } = layout;
  const { x, y } = frameOf(held);
  const field = inset(slab, x - EDGE, y - EDGE);
  // Where a cell has a letter of an inscription, its full name stands beside it.
  const isNamed = look.inscribed && held.family === "rows" && isLettered(layout);
  return markup`<defs>${shading}${look.painted ? grains(look.skin) : nothing}</defs>
    ${layout.trays.map((each, nth) => tray(layout, each, nth))}
    ${layout.diceTray ? trayBox(layout.diceTray, 4, "dice-floor") : nothing}
    <rect class="under" x=${slab.x + 0.03} y=${slab.y + 0.07} width=${slab.w} height=${slab.h} rx=".2"/>
    ${frame(slab, field, !held.quarter)}
    ${plate(field, 0, "field", 0)}
    ${held.family === "points" ? fieldPoints(layout) : nothing}
    ${held.family === "tafl" ? fieldTafl(layout) : nothing}
    ${sunk(field, 0, 0.5, "field")}
    ${cut(CUTTERS[held.family](layout, look))}
    <g class="labels ${held.family} ${held.quarter ? "upright" : ""} ${isNamed ? "named" : ""}">${labels(layout, isNamed).map(
      ({ text, x, y }) => markup`<text transform=${writtenAt(x, y)}>${text}</text>`,
    )}</g>`;
}

/** How far the field extends beyond its cells. */
const EDGE = 0.12;

const CUTTERS = { rows: cutRows, points: cutPoints, tafl: cutTafl };

/** Lines as a chisel leaves them: a dark one, and the light on its edge. @param {unknown} lines */
const cut = (lines) =>
  markup`<g class="light" transform="translate(.018 .025)">${lines}</g><g class="cut">${lines}</g>`;

/** @param {Layout} layout @param {{place: string, box: Box}} tray @param {number} nth */
function tray(layout, { place, box }, nth) {
  const end = layout.spots.get(place);
  const own = sideOf(place) === layout.entry.sides[0].id ? "first" : "second";
  return markup`${trayBox(box, nth, "floor")}
    ${trayName(kindOf(place), box)}
    <g class="sign ${own}" transform="translate(${end?.x} ${end?.y})">
      <circle r=".3"/><path d=${SIGNS[kindOf(place)]}/></g>`;
}

/** The material of a tray. @param {Box} box @param {number} nth @param {string} kind of its floor */
function trayBox(box, nth, kind) {
  const floor = inset(box, 0.1);
  const { x, y, w, h } = floor;
  return markup`<rect class="under" x=${box.x + 0.02} y=${box.y + 0.05} width=${box.w} height=${box.h} rx=".2"/>
    ${plate(box, 0.14, "frame", nth)}
    <rect class=${kind} x=${x} y=${y} width=${w} height=${h} rx=".3"/>
    ${sunk(floor, 0.3, 0.32, `tray-${nth}`)}`;
}

/** The width of a letter in a tray's name, about, as a part of its height. */
const LETTER_EM = 0.62;

/** The purpose of a tray, in a word, where no pieces lie. @param {string} kind @param {Box} box */
function trayName(kind, { x, y, w, h }) {
  const name = t(`board.tray.${kind}`);
  if (w > h) return markup`<text class="tray-name" transform=${writtenAt(x + 0.26, y + 0.24)}>${name}</text>`;
  // In a narrow tray each word has a line of its own, and the longest one decides the size of the letters.
  const words = name.split(" ");
  const fits = (w * 100 - 6) / (LETTER_EM * Math.max(...words.map(({ length }) => length)));
  return markup`<text class="tray-name narrow" data-fits=${fits.toFixed(1)} transform=${writtenAt(x + w / 2, y + 0.27)}>${words.map(
    (word, nth) => markup`${nth ? " " : ""}<tspan x="0" dy=${nth ? "1em" : "0"}>${word}</tspan>`,
  )}</text>`;
}

/** @param {Layout} layout @param {boolean} isNamed whether cells show their full names @returns {Label[]} */
function labels(layout, isNamed) {
  if (layout.held.family === "tafl") return taflLabels(layout);
  const { entry, namer, held, slab } = layout;
  return entry.board.cells.flatMap((cell) => {
    const spot = layout.spots.get(cell.id);
    if (!spot || cell.table?.startsWith("middle")) return [];
    const name = nameOf(entry, namer, cell.id);
    const text = isNamed ? name : name.replace(/^[A-E]/, "");
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
