// Where everything on a board is drawn, in widths of a cell.
//
// The catalogue describes the board; the layout is chosen here: upright or turned by a quarter, its trays beside or
// below, so that the cells are as large as the box allows.

import { kindOf, sideOf } from "../game/places.js";
import { rounded, sizeOf, slabOf } from "./slab.js";

/** @typedef {import("../game/places.js").CatalogueEntry} CatalogueEntry */
/** @typedef {import("../game/places.js").PlaceId} PlaceId */
/** @typedef {import("../game/places.js").SideName} SideName */
/** @typedef {{x: number, y: number, w: number, h: number}} Box */

/**
 * Where the pieces of a place lie.
 * @typedef {object} Spot
 * @property {number} x the centre of the first piece
 * @property {number} y
 * @property {number} dx the direction of further pieces
 * @property {number} dy
 * @property {number} step the distance between pieces where there is room
 * @property {number} room the greatest distance between the first and the last
 * @property {number} size the diameter of a piece
 * @property {Box} box the area that reacts to a touch
 */

/**
 * The layout of a board; `deep` is the room for piles beside cells or on points, `snug` whether only hit pieces wait on
 * the middle one of three rows, so that the others lie closer.
 * @typedef {{family: Family, quarter: boolean, half: boolean, mirrored: boolean, deep: number, snug: boolean}} Held
 */
/** @typedef {"rows" | "points" | "tafl"} Family */

/**
 * @typedef {object} Layout
 * @property {CatalogueEntry} entry
 * @property {SideName} viewer
 * @property {SideName} namer the side whose names the cells show
 * @property {number} width
 * @property {number} height
 * @property {Held} held
 * @property {Box} slab the board with its frame
 * @property {Map<PlaceId, Spot>} spots
 * @property {{place: PlaceId, box: Box}[]} trays
 * @property {Box | undefined} diceTray the tray for dice, on a board where they would cover letters
 * @property {(x: number, y: number) => {x: number, y: number}} put from the catalogue's coordinates to the layout's
 */

const LANE = 1.2;

/** The depth of a tray that lies across: its name stands above its pieces. */
const LANE_BELOW = 1.3;
const GAP = 0.22;

/** The length of the dice tray beside the others, or across two lanes of them. */
const CAST = { 1: 2.6, 2: 1.2 };

/** The part of a gap that is left between trays of one owner. */
const OWN_GAP = 0.12;

/** The space for a tray's name at its end. */
const NAME_ROOM = 0.78;

/** The size of pieces in a tray that lies across, below its name. */
const BELOW_NAME = 0.72;
const EDGE = 0.04;

/** The kind of board, by its cells. @param {CatalogueEntry} entry @returns {Family} */
export function familyOf(entry) {
  const { shape } = entry.board.cells[0];
  return shape === "circle" ? "rows" : shape.startsWith("point") ? "points" : "tafl";
}

/**
 * The layout with the largest cells in a box.
 * @param {CatalogueEntry} entry
 * @param {{viewer?: SideName | null, namer?: SideName | null, turned?: boolean, width: number, height: number}} wish
 * @returns {Layout}
 */
export function layOut(entry, { viewer, namer, turned = false, width, height }) {
  const family = familyOf(entry);
  const own = viewer ?? entry.sides[0].id;
  const snug = entry.board.cells.some(({ table }) => table?.startsWith("middle"));
  const mirrored = family === "points" && own !== entry.sides[0].id;
  /** @type {{frame: Frame, worth: number} | undefined} */
  let best;
  for (const quarter of family === "tafl" ? [false] : [false, true]) {
    for (const deep of DEPTHS[family]) {
      const held = { family, quarter, half: turned, mirrored, deep, snug };
      for (const [below, lanes] of /** @type {const} */ ([
        [false, 1],
        [false, 2],
        [true, 1],
        [true, 2],
      ])) {
        const frame = framed(entry, own, held, below, lanes);
        if (!frame) continue;
        const scale = Math.min(width / frame.width, height / frame.height);
        // As boards stand in museums, unless that costs size; deep boards let pieces lie apart; but first of all, every
        // cell must be large enough to touch.
        const worth =
          scale *
          Math.min(1, scale / TOUCHED) ** 4 *
          (quarter ? 1 : 1.12) *
          (below ? 1 : 1.03) *
          (1 + deep / 60);
        if (!best || worth > best.worth) best = { frame, worth };
      }
    }
  }
  return { ...laid(/** @type {{frame: Frame}} */ (best).frame), namer: namer ?? own };
}

/** The least size of a cell in pixels. */
const TOUCHED = 24;

/** The depths of rows, or lengths of points, to choose from. @type {Record<Family, number[]>} */
const DEPTHS = { rows: [1.1, 1.4, 1.75], points: [3.8, 4.4, 5], tafl: [0] };

/**
 * A layout, and the size of the board in it, with its trays.
 * @typedef {Pick<Layout, "entry" | "viewer" | "width" | "height" | "held" | "slab" | "trays" | "diceTray">} Frame
 */

/**
 * @param {CatalogueEntry} entry
 * @param {SideName} viewer
 * @param {Held} held
 * @param {boolean} below whether the trays lie below the board
 * @param {1 | 2} lanes
 * @returns {Frame | undefined}
 */
function framed(entry, viewer, held, below, lanes) {
  const { w, h } = sizeOf(entry, held);
  const names = trayOrder(entry, viewer, held, below);
  if (lanes === 2 && names.length < 4) return undefined;
  const slots = names.length / lanes;
  const long = below ? w : h;
  const diceTrayLong = held.family === "rows" && !held.snug ? CAST[lanes] : 0;
  const gaps = names.slice(0, slots - 1).map((_, slot) => gapAfter(names, lanes, slot, diceTrayLong));
  const each = (long - gaps.reduce((sum, gap) => sum + gap, 0)) / slots;
  if (each < 2.4) return undefined;
  const lane = below ? LANE_BELOW : LANE;
  const deep = lanes * lane + (lanes - 1) * GAP;
  const width = EDGE * 2 + (below ? w : w + GAP + deep);
  const height = EDGE * 2 + (below ? h + GAP + deep : h);
  const boxAt = (/** @type {number} */ along, /** @type {number} */ size, /** @type {number} */ across, /** @type {number} */ depth) =>
    below
      ? { x: EDGE + along, y: EDGE + h + GAP + across, w: size, h: depth }
      : { x: EDGE + w + GAP + across, y: EDGE + along, w: depth, h: size };
  const trays = names.map((place, index) => {
    const slot = Math.floor(index / lanes);
    const along = slot * each + gaps.slice(0, slot).reduce((sum, gap) => sum + gap, 0);
    return { place, box: boxAt(along, each, (lanes === 2 ? laneOf(place) : 0) * (lane + GAP), lane) };
  });
  const diceTray = diceTrayLong ? boxAt((long - diceTrayLong) / 2, diceTrayLong, 0, deep) : undefined;
  return { entry, viewer, width, height, held, trays, diceTray, slab: { x: EDGE, y: EDGE, w, h } };
}

/** Where everything is in a layout. @param {Frame} frame @returns {Layout} */
function laid(frame) {
  const { entry, viewer, held, trays } = frame;
  const { put, spots } = slabOf(entry, viewer, held);
  const all = new Map([...spots].map(([place, spot]) => [place, shifted(spot)]));
  for (const { place, box } of trays) all.set(place, traySpot(box, spotSize(held)));
  return { ...frame, namer: viewer, spots: all, put: (x, y) => moved(put(x, y)) };
}

/** @param {{x: number, y: number}} point */
const moved = ({ x, y }) => ({ x: rounded(x + EDGE), y: rounded(y + EDGE) });

/** @param {Spot} spot @returns {Spot} */
const shifted = (spot) => ({
  ...spot,
  ...moved(spot),
  box: { ...spot.box, ...moved(spot.box) },
});

/** The size of pieces. @param {Held} held */
export const spotSize = ({ family, snug }) => ({ rows: snug ? 0.92 : 0.88, points: 0.94, tafl: 0.8 })[family];

/** @param {Box} box @param {number} size @returns {Spot} */
function traySpot(box, size) {
  const upright = box.h > box.w;
  const inset = LANE / 2;
  if (!upright) {
    const y = box.y + box.h - 0.12 - BELOW_NAME / 2;
    return { x: box.x + inset, y, dx: 1, dy: 0, step: 0.36, room: box.w - 2 * inset, size: BELOW_NAME, box };
  }
  const room = box.h - 2 * inset - NAME_ROOM;
  return { x: box.x + inset, y: box.y + box.h - inset, dx: 0, dy: -1, step: 0.36, room, size, box };
}

/**
 * The places beside the board, from the top or from the left; those of one owner together, on the owner's side.
 * @param {CatalogueEntry} entry
 * @param {SideName} viewer
 * @param {Held} held
 * @param {boolean} below
 * @returns {PlaceId[]}
 */
function trayOrder(entry, viewer, held, below) {
  const other = entry.sides[entry.sides[0].id === viewer ? 1 : 0].id;
  const has = entry.board.places.map(({ kind }) => kind);
  // Captured pieces lie beside the side that captured them.
  const beside = held.family === "tafl" ? [`captured:${viewer}`, `captured:${other}`] : [`off:${other}`, `off:${viewer}`];
  const order = has.includes("supply") ? [`supply:${other}`, ...beside, `supply:${viewer}`] : beside;
  const turned = held.half !== (held.quarter && below);
  return turned ? order.reverse() : order;
}

/** The lane of a tray where there are two: lane 0 is next to the board. @param {PlaceId} place */
const laneOf = (place) => Number(kindOf(place) === "off");

/**
 * The gap between a slot for trays and the next one: smaller between trays of one owner, with the dice tray in the
 * middle.
 * @param {PlaceId[]} names
 * @param {1 | 2} lanes
 * @param {number} slot
 * @param {number} diceTray the length of the dice tray; 0 without one
 */
function gapAfter(names, lanes, slot, diceTray) {
  const isOwn = lanes === 1 && names.length === 4 && sideOf(names[slot]) === sideOf(names[slot + 1]);
  return isOwn ? OWN_GAP : names.length === 4 ? 2 * GAP + diceTray : GAP;
}

/**
 * The place at a point, or the nearest one within reach.
 * @param {Layout} layout
 * @param {{x: number, y: number}} point
 * @param {(place: PlaceId) => boolean} [wanted] the places to consider
 * @returns {PlaceId | undefined}
 */
export function placeAt(layout, { x, y }, wanted = () => true) {
  /** @type {{place: PlaceId, off: number} | undefined} */
  let nearest;
  for (const [place, { box }] of layout.spots) {
    if (!wanted(place)) continue;
    const off = Math.hypot(
      Math.max(box.x - x, 0, x - box.x - box.w),
      Math.max(box.y - y, 0, y - box.y - box.h),
    );
    if (off < 0.5 && (!nearest || off < nearest.off)) nearest = { place, off };
  }
  return nearest?.place;
}
