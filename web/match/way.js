// Steps through the stops of a finished match, by buttons, keys and the wheel.

/** @typedef {"first" | "back" | "on" | "last"} Way */

/** The meaning of keys. @type {Record<string, Way>} */
const KEYS = { Home: "first", ArrowLeft: "back", ArrowRight: "on", End: "last" };

/** The keys in the form of `aria-keyshortcuts`. @type {Record<Way, string>} */
export const KEY_OF = { first: "Home", back: "ArrowLeft", on: "ArrowRight", last: "End" };

/** Elements with keys of their own, or above the page. */
const TAKEN = ["INPUT", "TEXTAREA", "SELECT", "DIALOG"];

/** How far the wheel turns for one stop, in CSS pixels: less than a notch of a mouse, a short stroke on a touchpad. */
const STOP_PX = 60;

/** A wheel that reports lines or pages, not pixels: each of its events is a notch. */
const PIXELS = 0;

/** After this time a stroke is over, in milliseconds. */
const STROKE_MS = 250;

/** The stop shown: the last one at or before an event; the first one if there is none. @param {number[]} stops @param {number} shown */
export const placeIn = (stops, shown) => Math.max(stops.findLastIndex((stop) => stop <= shown), 0);

/**
 * Where a step leads from an event.
 * @param {number[]} stops
 * @param {number} shown the event shown
 * @param {Way} way
 * @returns {number | undefined} the event there; undefined past the last stop, and if there are none
 */
export function leadsTo(stops, shown, way) {
  const place = placeIn(stops, shown);
  switch (way) {
    case "first":
      return stops[0];
    case "back":
      return stops[Math.max(place - 1, 0)];
    case "on":
      return stops[place + 1];
    case "last":
      return place === stops.length - 1 ? undefined : stops.at(-1);
  }
}

/** Where a key leads; undefined if it has another use in its context. @param {KeyboardEvent} event @returns {Way | undefined} */
export function wayOf(event) {
  const way = KEYS[event.key];
  if (!way || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return undefined;
  const path = /** @type {HTMLElement[]} */ (event.composedPath());
  if (path.some(({ tagName }) => TAKEN.includes(tagName))) return undefined;
  // Arrow keys move between places on a board, even at its edge.
  const isOnBoard = event.key.startsWith("Arrow") && path.some((element) => element.dataset?.place !== undefined);
  return isOnBoard ? undefined : way;
}

/** Whether the wheel steps through the match: with Ctrl it zooms. @param {WheelEvent} event */
export const isWay = ({ ctrlKey, deltaX, deltaY }) => !ctrlKey && Math.abs(deltaY) > Math.abs(deltaX);

/** Collects wheel events over a board until they make a stop. */
export class Wheel {
  #turned = 0;
  #at = 0;

  /** Where the wheel leads now; undefined until it has turned far enough. @param {WheelEvent} event @returns {Way | undefined} */
  turn({ deltaY, deltaMode, timeStamp }) {
    if (timeStamp - this.#at > STROKE_MS || deltaY * this.#turned < 0) this.#turned = 0;
    this.#at = timeStamp;
    this.#turned += deltaMode === PIXELS ? deltaY : Math.sign(deltaY) * STOP_PX;
    if (Math.abs(this.#turned) < STOP_PX) return undefined;
    const way = this.#turned < 0 ? "back" : "on";
    this.#turned = 0;
    return way;
  }
}
