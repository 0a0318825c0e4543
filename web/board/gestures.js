// How moves are animated: a piece is lifted and put down; a hit piece is knocked away, a pinned one pressed down, a
// captured one turned over, and a king that has escaped leaps.

import { cellOf, kindOf } from "../game/places.js";

/** @typedef {import("./arrange.js").Lies} Lies */
/** @typedef {import("../game/places.js").CatalogueEntry} CatalogueEntry */
/** @typedef {import("../game/position.js").Piece} Piece */
/** @typedef {"move" | "hit" | "pin" | "pinned" | "capture" | "escape"} Gesture */

/**
 * The gestures of pieces between two positions, by their keys; pieces that do not move have none.
 * @param {CatalogueEntry} entry
 * @param {Piece[]} before
 * @param {Piece[]} after
 * @returns {Map<string, Gesture>}
 */
export function gesturesOf(entry, before, after) {
  const were = new Map(before.map((piece) => [piece.key, piece]));
  const changed = after.filter(({ key, place, pinned }) => {
    const old = were.get(key);
    return old && (old.place !== place || Boolean(old.pinned) !== Boolean(pinned));
  });
  const pressed = new Set(changed.filter(({ pinned }) => pinned).map(({ place }) => place));
  /** @type {Map<string, Gesture>} */
  const found = new Map();
  for (const piece of changed) {
    const from = were.get(piece.key)?.place;
    if (piece.place === from) {
      if (piece.pinned) found.set(piece.key, "pinned");
    } else if (piece.king && isEdge(entry, piece.place)) found.set(piece.key, "escape");
    else if (kindOf(piece.place) === "captured") found.set(piece.key, "capture");
    else if (isSent(entry, piece.place) && from && !isSent(entry, from)) found.set(piece.key, "hit");
    else found.set(piece.key, pressed.has(piece.place) ? "pin" : "move");
  }
  return found;
}

/** Whether one of the gestures is a hit, a pin or a capture. @param {Map<string, Gesture>} gestures */
export const doesStrike = (gestures) => [...gestures.values()].some((gesture) => ["hit", "pin", "capture"].includes(gesture));

/** Whether hit pieces go to this place. @param {CatalogueEntry} entry @param {string} place */
const isSent = (entry, place) =>
  kindOf(place) === "bar" || Boolean(cellOf(entry, place)?.table?.startsWith("middle"));

/** Whether a king on this place has escaped. @param {CatalogueEntry} entry @param {string} place */
function isEdge(entry, place) {
  const cell = cellOf(entry, place);
  const last = entry.board.height - 1;
  return Boolean(cell && [cell.x, cell.y].some((at) => at === 0 || at === last));
}

/** How long a piece takes to move, in milliseconds. */
export const MOVE_MS = 300;

/** How long gestures take; those that begin when another piece arrives take longer. */
const LASTS_MS = { move: MOVE_MS, pin: 420, pinned: 420, hit: 620, capture: 620, escape: 800 };

/** How long everything between two positions takes. @param {Iterable<Gesture>} gestures */
export const lastsMs = (gestures) => Math.max(LASTS_MS.move, ...[...gestures].map((gesture) => LASTS_MS[gesture]));

/**
 * A keyframe of a gesture.
 * @typedef {object} Frame
 * @property {number} at from 0, when it begins, to 1
 * @property {number} way how far the piece has moved, from 0 to 1
 * @property {number} [rise] its height above the board, as a part of its size
 * @property {number} [scale] its scale; 1 by default
 * @property {number} [wide] its horizontal scale, negative when it is turned over
 * @property {number} [turn] its rotation in degrees
 * @property {string} [easing] the easing from here to the next keyframe
 */

const RISING = "cubic-bezier(.3, 0, .6, .7)";
const FALLING = "cubic-bezier(.35, .3, .5, 1)";

/** The gestures; a moving piece arrives after about half of the time. @type {Record<Gesture, Frame[]>} */
const FRAMES = {
  move: [
    { at: 0, way: 0, easing: RISING },
    { at: 0.5, way: 0.5, rise: 0.14, scale: 1.13, easing: FALLING },
    { at: 1, way: 1 },
  ],
  pin: [
    { at: 0, way: 0, easing: RISING },
    { at: 0.4, way: 0.62, rise: 0.3, scale: 1.26, easing: "ease-in" },
    { at: 0.66, way: 1, scale: 0.93 },
    { at: 0.82, way: 1, scale: 1.04 },
    { at: 1, way: 1 },
  ],
  pinned: [
    { at: 0, way: 0 },
    { at: 0.62, way: 0 },
    { at: 0.7, way: 1, scale: 0.92, turn: -5 },
    { at: 0.84, way: 1, scale: 1.02, turn: 4 },
    { at: 1, way: 1 },
  ],
  hit: [
    { at: 0, way: 0 },
    { at: 0.42, way: 0, easing: "ease-out" },
    { at: 0.52, way: 0.06, scale: 0.9, turn: -30, easing: "ease-out" },
    { at: 0.74, way: 0.55, rise: 0.45, scale: 1.28, turn: -210, easing: "ease-in" },
    { at: 0.93, way: 1, scale: 0.95, turn: -350 },
    { at: 1, way: 1, turn: -360 },
  ],
  capture: [
    { at: 0, way: 0 },
    { at: 0.42, way: 0, easing: "ease-in" },
    { at: 0.54, way: 0, scale: 0.84, easing: RISING },
    { at: 0.68, way: 0.3, rise: 0.3, scale: 1.15, wide: 0.08 },
    { at: 0.82, way: 0.75, rise: 0.2, scale: 1.1, wide: -1, easing: FALLING },
    { at: 0.9, way: 0.92, rise: 0.05, wide: 0.08 },
    { at: 1, way: 1 },
  ],
  escape: [
    { at: 0, way: 0, easing: RISING },
    { at: 0.25, way: 0.5, rise: 0.14, scale: 1.13, easing: FALLING },
    { at: 0.45, way: 1, scale: 0.94, easing: "ease-out" },
    { at: 0.62, way: 1, rise: 0.42, scale: 1.5, easing: "ease-in" },
    { at: 0.78, way: 1, scale: 0.92, easing: "ease-out" },
    { at: 0.88, way: 1, rise: 0.1, scale: 1.12, easing: "ease-in" },
    { at: 1, way: 1 },
  ],
};

/** Nearer than this, in widths of a cell, a piece is shoved, not lifted. */
const SHOVED = 0.6;

/**
 * The frames of a piece between two stops.
 * @param {Gesture | undefined} gesture none for a piece that only makes room
 * @param {Lies} from
 * @param {Lies} to
 * @param {number} share the share of the stage that a plain move takes; a move with consequences ends earlier
 * @returns {(Keyframe & {offset: number})[]}
 */
export function keyframes(gesture, from, to, share) {
  const far = Math.hypot(to.x - from.x, to.y - from.y);
  const isPlain = !gesture || gesture === "move";
  const lifts = gesture && (far > SHOVED || !isPlain);
  const frames = lifts ? FRAMES[gesture] : [{ at: 0, way: 0, easing: "ease-in-out" }, { at: 1, way: 1 }];
  const shown = frames.map(({ at, way, rise = 0, scale = 1, wide = 1, turn = 0, easing = "linear" }) => {
    const x = from.x + (to.x - from.x) * way;
    const size = from.size + (to.size - from.size) * way;
    const y = from.y + (to.y - from.y) * way - rise * size;
    const transform = `translate(${x}px, ${y}px) rotate(${turn}deg) scale(${size * scale * wide}, ${size * scale})`;
    return { transform, easing, offset: isPlain ? at * share : at };
  });
  const last = shown[shown.length - 1];
  return last.offset < 1 ? [...shown, { ...last, offset: 1 }] : shown;
}
