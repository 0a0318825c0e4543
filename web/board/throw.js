// Where dice lie on a board: in their tray, or on the half of the side that threw them, where they cover the fewest
// pieces.

import { arrange } from "./arrange.js";
import { labelRoom } from "./slab.js";

/** @typedef {import("./layout.js").Layout} Layout */
/** @typedef {import("../game/places.js").SideName} SideName */
/** @typedef {import("../game/position.js").Piece} Piece */

/**
 * Where dice lie: their middle, the size of one, and whether they form a column.
 * @typedef {{x: number, y: number, die: number, upright: boolean}} ThrowSpot
 */

/** The size of a die as a part of a piece; smaller where it would cover a piece. */
const OF_A_PIECE = [0.86, 0.72];

/** The gap between two dice, and between dice and pieces, as a part of a die. */
export const DICE_GAP = 0.34;
const CLEAR = 0.1;

/** How many places along the board are tried. */
const TRIED = 9;

/** How far a throw stays from the edge of its half. */
const MARGIN = 0.6;

/**
 * Finds where the dice of a throw lie.
 * @param {Layout} layout
 * @param {Piece[]} pieces when the dice are thrown
 * @param {SideName} side that throws
 * @param {number} count of dice
 * @returns {ThrowSpot | undefined} none for a game without dice
 */
export function throwSpot(layout, pieces, side, count) {
  const { held } = layout;
  if (held.family === "tafl") return undefined;
  if (layout.diceTray) return inTray(layout, layout.diceTray, count);
  const upright = held.quarter;
  const [any] = layout.spots.values();
  const lying = [...arrange(layout, pieces).at.values()];
  /** @type {{spot: ThrowSpot, cost: number} | undefined} */
  let best;
  for (const part of OF_A_PIECE) {
    const die = any.size * part;
    const long = count * die + (count - 1) * die * DICE_GAP;
    for (const [along, across] of candidates(layout, side, long)) {
      const spot = upright ? { x: across, y: along, die, upright } : { x: along, y: across, die, upright };
      const cost = lying.reduce((sum, lies) => sum + covers(spot, long, lies), 0);
      if (!best || cost < best.cost - 0.001) best = { spot, cost };
    }
    if (best && best.cost <= CLEAR) break;
  }
  return best?.spot;
}

/** The width of a tray's rim. */
const RIM = 0.17;

/**
 * In the middle of the tray, lengthwise.
 * @param {Layout} layout @param {import("./layout.js").Box} tray @param {number} count @returns {ThrowSpot}
 */
function inTray({ spots }, { x, y, w, h }, count) {
  const [any] = spots.values();
  const room = (Math.max(w, h) - 2 * RIM) / (count + (count - 1) * DICE_GAP);
  return { x: x + w / 2, y: y + h / 2, die: Math.min(any.size * OF_A_PIECE[0], room), upright: h > w };
}

/**
 * The places that are tried, the middle of the half first: along the longer side of the board, and across it.
 * @param {Layout} layout
 * @param {SideName} side
 * @param {number} long the length of the dice together
 * @returns {[number, number][]}
 */
function candidates(layout, side, long) {
  const { held, slab, viewer } = layout;
  const isNear = (side === viewer) !== held.half;
  const from = held.quarter ? slab.y : slab.x;
  const size = held.quarter ? slab.h : slab.w;
  // The near side throws to the right, as at a table; on an upright board, to the lower half.
  const [low, high] = isNear ? [from + size / 2, from + size] : [from, from + size / 2];
  const first = (low + high) / 2;
  const free = Math.max(0, (high - low) / 2 - long / 2 - MARGIN);
  const shifts = Array.from({ length: TRIED }, (_, nth) => {
    const away = Math.ceil(nth / 2) / Math.ceil((TRIED - 1) / 2);
    return (nth % 2 ? 1 : -1) * away * free;
  });
  const lanes = lanesOf(layout, isNear);
  return shifts.flatMap((shift) => lanes.map((lane) => /** @type {[number, number]} */ ([first + shift, lane])));
}

/**
 * Where there is room across the board: between the ranks of points, on a row with few pieces, or beside its piles.
 * @param {Layout} layout
 * @param {boolean} isNear whether the near side throws
 */
function lanesOf({ held, slab, entry, spots }, isNear) {
  if (held.family === "points") return [held.quarter ? slab.x + slab.w / 2 : slab.y + slab.h / 2];
  const middle = held.snug && entry.board.cells.find(({ table }) => table?.startsWith("middle"));
  const row = middle && spots.get(middle.id);
  const over = entry.board.cells.find(({ y }) => (held.half ? y < 1 : y > 4));
  if (row && over) {
    const last = /** @type {import("./layout.js").Spot} */ (spots.get(over.id));
    const [here, there] = held.quarter ? [row.x, last.x] : [row.y, last.y];
    return [(here + there) / 2, here];
  }
  const boxes = entry.board.cells.map(({ id }) => /** @type {import("./layout.js").Spot} */ (spots.get(id)).box);
  const label = labelRoom(held);
  if (held.quarter) {
    const columns = [...new Set(boxes.map(({ x }) => x))].sort((a, b) => a - b);
    return columns.map((x) => x + label + 1 + (held.deep - label) / 2);
  }
  // With three rows, the near side throws above the last row, the far side above the middle one.
  const rows = [...new Set(boxes.map(({ y }) => y))].sort((a, b) => a - b);
  return [(isNear ? rows[2] : rows[1]) + (held.deep - label) / 2];
}

/**
 * How much dice and a piece overlap.
 * @param {ThrowSpot} spot @param {number} long @param {import("./arrange.js").Lies} lies
 */
function covers({ x, y, die, upright }, long, lies) {
  const [w, h] = upright ? [die, long] : [long, die];
  const dx = Math.max(0, Math.abs(lies.x - x) - w / 2);
  const dy = Math.max(0, Math.abs(lies.y - y) - h / 2);
  return Math.max(0, lies.size / 2 + CLEAR - Math.hypot(dx, dy));
}
