// The board itself, without its trays: its size, and where its cells are.

/** @typedef {import("./layout.js").Spot} Spot */
/** @typedef {import("./layout.js").Box} Box */
/** @typedef {import("./layout.js").Held} Held */
/** @typedef {import("../game/places.js").CatalogueEntry} CatalogueEntry */
/** @typedef {import("../game/places.js").PlaceId} PlaceId */
/** @typedef {import("../game/places.js").SideName} SideName */

/** The width of the frame: wider where numbers stand in it. @param {Held} held */
export function frameOf({ family, quarter }) {
  if (family === "points") return quarter ? { x: 0.56, y: 0.25 } : { x: 0.4, y: 0.56 };
  const wide = { rows: quarter ? 0.25 : 0.42, tafl: 0.58 }[family];
  return { x: wide, y: wide };
}

/** The gap between the two ranks of points. */
const BETWEEN = 0.9;

/** How much narrower the middle of a board is if no pieces wait between its halves. */
const NARROWER = 0.3;

/** How far a row with few pieces is shifted towards the last one, to lie halfway. @param {Held} held */
const shiftOf = (held) => (held.deep / 2 - labelRoom(held)) * (held.half ? -1 : 1);

/** The space for the numbers of a row, below its cells or, upright, to their left. @param {Held} held */
export const labelRoom = ({ quarter }) => (quarter ? 0.52 : 0.34);

/** The size of a board with its frame. @param {CatalogueEntry} entry @param {Held} held */
export function sizeOf(entry, held) {
  const { wide, high } = insideOf(entry, held);
  const frame = frameOf(held);
  return { w: (held.quarter ? high : wide) + 2 * frame.x, h: (held.quarter ? wide : high) + 2 * frame.y };
}

/**
 * Where things are on a board: `put` maps the catalogue's coordinates.
 * @param {CatalogueEntry} entry
 * @param {SideName} viewer
 * @param {Held} held
 * @returns {{put: (x: number, y: number) => {x: number, y: number}, spots: Map<PlaceId, Spot>}}
 */
export function slabOf(entry, viewer, held) {
  const { wide, high } = insideOf(entry, held);
  const frame = frameOf(held);
  const put = (/** @type {number} */ x, /** @type {number} */ y) => {
    let at = { x, y };
    if (held.mirrored) at = { x: at.x, y: high - at.y };
    if (held.half) at = { x: wide - at.x, y: high - at.y };
    if (held.quarter) at = { x: high - at.y, y: at.x };
    return { x: rounded(at.x + frame.x), y: rounded(at.y + frame.y) };
  };
  /** @type {Map<PlaceId, Spot>} */
  const spots = new Map();
  for (const cell of entry.board.cells) {
    const x = held.snug && cell.x > 6 ? cell.x - NARROWER : cell.x;
    const box = boxed(put, { x, y: deepened(held, cell.y), w: 1, h: depthOf(held, cell) });
    spots.set(cell.id, spotIn[held.family](box, held, cell));
  }
  const middle = middleOf(entry, held, spots);
  for (const { kind, side, x, y } of entry.board.places) {
    if (kind !== "bar") continue;
    if (held.family === "rows") spots.set(`bar:${side}`, ringSpot(middle, held, side === viewer));
    else
      spots.set(
        `bar:${side}`,
        barSpot(boxed(put, { x, y: deepened(held, y), w: 1, h: held.deep }), held, middle),
      );
  }
  return { put, spots };
}

/**
 * The playing field before it is turned: in rows, the cells with the room above them.
 * @param {CatalogueEntry} entry
 * @param {Held} held
 */
export function insideOf(entry, held) {
  const wide = Math.max(...entry.board.cells.map(({ x }) => x)) + 1;
  const rooms = held.snug ? 2 : 3;
  const high = { rows: 3 + rooms * held.deep, points: 2 * held.deep + BETWEEN, tafl: wide }[held.family];
  return { wide: held.snug ? wide - NARROWER : wide, high };
}

/** The y coordinates of rows in the catalogue, from the top one to the last. */
const [FIRST_ROW, MIDDLE_ROW, LAST_ROW] = [0.5, 2.5, 4.5];

/** Converts a y coordinate of the catalogue to this layout. @param {Held} held @param {number} y */
export function deepened(held, y) {
  const { family, deep, snug } = held;
  if (family === "rows" && snug) return { 0.5: 0, 2.5: 1 + deep + shiftOf(held), 4.5: 2 + deep + shiftOf(held) }[y] ?? 0;
  if (family === "rows") return ((y - 0.5) / 2) * (1 + deep);
  if (family === "points") return y < 5 ? 0 : deep + BETWEEN;
  return y;
}

/** @param {Held} held @param {{y: number, h: number}} cell */
function depthOf(held, { y, h }) {
  const { family, deep, snug } = held;
  if (family === "rows" && snug) return { 0.5: 1 + deep + shiftOf(held), 2.5: 1, 4.5: 1 + deep - shiftOf(held) }[y] ?? 0;
  return { rows: 1 + deep, points: deep, tafl: h }[family];
}

/** @param {(x: number, y: number) => {x: number, y: number}} put @param {Box} box @returns {Box} */
export function boxed(put, { x, y, w, h }) {
  const a = put(x, y);
  const b = put(x + w, y + h);
  return {
    x: Math.min(a.x, b.x),
    y: Math.min(a.y, b.y),
    w: rounded(Math.abs(a.x - b.x)),
    h: rounded(Math.abs(a.y - b.y)),
  };
}

/** Removes rounding errors. @param {number} value */
export const rounded = (value) => Math.round(value * 1000) / 1000;

/** @type {Record<import("./layout.js").Family, (box: Box, held: Held, cell: {shape: string, y: number}) => Spot>} */
const spotIn = {
  // Piles grow away from the number: upwards, or to the right on an upright board.
  rows(box, held, { y }) {
    const label = labelRoom(held);
    const room = held.deep - label - 0.06;
    const lying = { step: 0.24, room, size: held.snug ? 0.92 : 0.88, box };
    const [dx, dy] = held.quarter ? [1, 0] : [0, -1];
    if (held.snug && y === MIDDLE_ROW) {
      return { x: box.x + 0.5, y: box.y + 0.5, dx, dy, ...lying, room: 0.3 };
    }
    // The farther outer row stays where it would be without the shift of the middle row.
    const isFar = held.snug && y === (held.half ? LAST_ROW : FIRST_ROW);
    const off = isFar ? Math.abs(shiftOf(held)) : 0;
    if (held.quarter) return { x: rounded(box.x + off + label + 0.5), y: box.y + 0.5, dx, dy, ...lying };
    return { x: box.x + 0.5, y: rounded(box.y + box.h - off - label - 0.5), dx, dy, ...lying };
  },
  points(box, held, { shape }) {
    const up = (shape === "point_up") !== (held.mirrored !== held.half);
    const { dx, dy } = held.quarter ? { dx: up ? 1 : -1, dy: 0 } : { dx: 0, dy: up ? -1 : 1 };
    const x = held.quarter ? (up ? box.x + 0.5 : box.x + box.w - 0.5) : box.x + 0.5;
    const y = held.quarter ? box.y + 0.5 : up ? box.y + box.h - 0.5 : box.y + 0.5;
    return { x, y, dx, dy, step: 0.95, room: held.deep - 1.05, size: 0.94, box };
  },
  tafl: (box) => ({ x: box.x + 0.5, y: box.y + 0.5, dx: 0, dy: -1, step: 0.2, room: 0.4, size: 0.8, box }),
};

/** @typedef {{x: number, y: number}} Point */

/**
 * The middle of the board; with rows, of the middle row.
 * @param {CatalogueEntry} entry
 * @param {Held} held
 * @param {Map<PlaceId, Spot>} spots
 */
function middleOf(entry, held, spots) {
  const cells = entry.board.cells.filter(({ y }) => held.family !== "rows" || y === 2.5);
  const all = cells.map(({ id }) => /** @type {Spot} */ (spots.get(id)));
  const mean = (/** @type {number[]} */ of) => of.reduce((sum, one) => sum + one, 0) / of.length;
  return { x: mean(all.map(({ x }) => x)), y: mean(all.map(({ y }) => y)) };
}

/**
 * A side's half of the ring in the middle.
 * @param {Point} middle
 * @param {Held} held
 * @param {boolean} own
 * @returns {Spot}
 */
function ringSpot({ x, y }, { quarter }, own) {
  const dx = quarter ? (own ? -1 : 1) : 0;
  const dy = quarter ? 0 : own ? 1 : -1;
  const box = quarter
    ? { x: own ? x - 1.2 : x, y: y - 0.5, w: 1.2, h: 1 }
    : { x: x - 0.5, y: own ? y : y - 1.2, w: 1, h: 1.2 };
  return { x: x + dx * 0.45, y: y + dy * 0.45, dx, dy, step: 0.14, room: 0.4, size: 0.8, box };
}

/**
 * Hit pieces lie from the middle outwards.
 * @param {Box} box
 * @param {Held} held
 * @param {Point} middle
 * @returns {Spot}
 */
function barSpot(box, { quarter }, middle) {
  const centre = { x: box.x + box.w / 2, y: box.y + box.h / 2 };
  const dx = quarter ? Math.sign(centre.x - middle.x) : 0;
  const dy = quarter ? 0 : Math.sign(centre.y - middle.y);
  const inset = (quarter ? box.w : box.h) / 2 - 0.5;
  const x = centre.x - dx * inset;
  const y = centre.y - dy * inset;
  return { x, y, dx, dy, step: 0.95, room: 2 * inset, size: 0.94, box };
}
