// Marks on a board: what can move and where, the last move, arrows.

import { cellOf } from "../game/places.js";
import { nothing, svg } from "../lit.js";
import { landing } from "./arrange.js";
import { canShow, faces, reachOf } from "./faces.js";
import { inset } from "./plate.js";
import { pointOf } from "./points.js";

/** @typedef {import("./layout.js").Layout} Layout */
/** @typedef {import("./arrange.js").Lies} Lies */
/** @typedef {import("./layout.js").Spot} Spot */
/** @typedef {import("../game/moves.js").Move} Move */
/** @typedef {import("../game/places.js").PlaceId} PlaceId */
/** @typedef {import("../game/places.js").SideName} SideName */
/** @typedef {import("../game/position.js").Piece} Piece */
/** @typedef {{place: PlaceId, kind: "last" | "captured" | "check" | "hint"}} Mark */
/** @typedef {{from: PlaceId, to: PlaceId}} Arrow */

/** @param {Lies} lies */
const at = ({ x, y, size }) => `translate(${x} ${y}) scale(${size})`;

/**
 * The marks under the pieces.
 * @param {Layout} layout
 * @param {Mark[]} marks
 */
export const lowMarks = (layout, marks) =>
  svg`${marks
    .filter(({ kind }) => kind === "last" || kind === "hint")
    .map(({ place, kind }) => {
      const spot = layout.spots.get(place);
      if (!spot) return nothing;
      const form = outline(layout, place, spot);
      return svg`<g class="mark ${kind}"><g class="behind">${form}</g>${form}</g>`;
    })}`;

/** The outline of a place, a little larger. @param {Layout} layout @param {PlaceId} place @param {Spot} spot */
function outline(layout, place, spot) {
  const { x, y, box } = spot;
  const round = layout.held.family === "rows" && !layout.trays.some((tray) => tray.place === place);
  if (round) return svg`<circle cx=${x} cy=${y} r=".5"/>`;
  if (layout.held.family === "points" && cellOf(layout.entry, place)) {
    const { at, form } = pointOf(layout, spot);
    return svg`<path transform=${at} d=${form}/>`;
  }
  const { x: left, y: top, w, h } = inset(box, 0.04);
  return svg`<rect x=${left} y=${top} width=${w} height=${h} rx=".1"/>`;
}

/**
 * The marks over the pieces.
 * @param {Layout} layout
 * @param {{marks: Mark[], arrows: Arrow[], movable: Lies[], chosen?: Lies}} shown
 */
export const highMarks = (layout, { marks, arrows, movable, chosen }) => svg`
  ${movable.map((lies) => svg`<circle class="can" transform=${at(lies)} r=".51"/>`)}
  ${chosen ? svg`<circle class="chosen" transform=${at(chosen)} r=".58"/>` : nothing}
  ${marks.map(({ place, kind }) => signed(layout, place, kind))}
  ${arrows.map((arrow) => arrowed(layout, arrow))}`;

/** @param {Layout} layout @param {PlaceId} place @param {Mark["kind"]} kind */
function signed(layout, place, kind) {
  const spot = layout.spots.get(place);
  if (!spot || kind === "last" || kind === "hint") return nothing;
  const form =
    kind === "check" ? svg`<circle r=".5"/><path d="M0-.62V-.5M0 .62V.5M-.62 0H-.5M.62 0H.5"/>` : CROSS;
  return svg`<g class="mark ${kind}" transform="translate(${spot.x} ${spot.y})">${form}</g>`;
}

const CROSS = svg`<path d="M-.2-.2 .2 .2M.2-.2-.2 .2"/>`;

/** @param {Layout} layout @param {Arrow} arrow */
function arrowed({ spots }, { from, to }) {
  const a = spots.get(from);
  const b = spots.get(to);
  if (!a || !b) return nothing;
  const long = Math.hypot(b.x - a.x, b.y - a.y);
  const angle = (Math.atan2(b.y - a.y, b.x - a.x) * 180) / Math.PI;
  const end = Math.max(long - 0.12, 0.3);
  return svg`<path class="arrow" transform="translate(${a.x} ${a.y}) rotate(${angle})"
    d="M.2-.07H${end - 0.32}V-.22L${end} 0 ${end - 0.32} .22V.07H.2Z"/>`;
}

/**
 * A target: a dot, the dice that lead there if several do, and a ring around a piece that would be hit.
 * @param {Layout} layout
 * @param {Map<PlaceId, Move>} targets
 * @param {Piece[]} pieces
 * @param {SideName} side
 */
export const targetMarks = (layout, targets, pieces, side) =>
  svg`${[...targets].map(([place, { dice }]) => {
    const isHit = pieces.some((piece) => piece.place === place && piece.side !== side);
    const spot = layout.spots.get(place);
    const lies = isHit && spot ? spot : landing(layout, place, pieces, side);
    return svg`<g class="target ${isHit ? "hit" : "free"}" data-place=${place} transform=${at(lies)}>
    ${isHit ? svg`<circle class="ring" r=".56"/>` : nothing}
    ${canShow(dice) ? several(dice) : isHit ? nothing : svg`<circle class="dot" r=".17"/>`}</g>`;
  })}`;

/** Several dice on a disc. @param {number[]} dice */
const several = (dice) => svg`<circle class="disc" r=".46"/><g transform="scale(${DISC / reachOf(dice)})">${faces(dice)}</g>`;

/** How far from its centre one may draw on the disc. */
const DISC = 0.4;
