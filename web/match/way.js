// The way through the stops of a match that is looked at: where buttons, keys and the wheel lead.

/** @typedef {"first" | "back" | "on" | "last"} Way */

/** What keys stand for. @type {Record<string, Way>} */
const KEYS = { Home: "first", ArrowLeft: "back", ArrowRight: "on", End: "last" };

/** The keys as `aria-keyshortcuts` names them. @type {Record<Way, string>} */
export const KEY_OF = { first: "Home", back: "ArrowLeft", on: "ArrowRight", last: "End" };

/** What has keys of its own, or lies over the page. */
const TAKEN = ["INPUT", "TEXTAREA", "SELECT", "DIALOG"];

/** So far the wheel turns for a stop, in CSS pixels: less than a notch of a mouse, a short stroke on a touchpad. */
const STOP_PX = 60;

/** A wheel that does not tell pixels tells lines or pages: each of its events is a notch. */
const PIXELS = 0;

/** After so long a stroke is over, in milliseconds. */
const STROKE_MS = 250;

/** Which of the stops is shown: the last at or before an event; the first if there is none. @param {number[]} stops @param {number} shown */
export const placeIn = (stops, shown) => Math.max(stops.findLastIndex((stop) => stop <= shown), 0);

/**
 * Where a way leads from an event.
 * @param {number[]} stops
 * @param {number} shown the event that is shown
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

/** Where a key leads; undefined if it means something else where it was pressed. @param {KeyboardEvent} event @returns {Way | undefined} */
export function wayOf(event) {
  const way = KEYS[event.key];
  if (!way || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return undefined;
  const path = /** @type {HTMLElement[]} */ (event.composedPath());
  if (path.some(({ tagName }) => TAKEN.includes(tagName))) return undefined;
  // Arrows lead from place to place on a board, also where there is no further place.
  const isOnBoard = event.key.startsWith("Arrow") && path.some((element) => element.dataset?.place !== undefined);
  return isOnBoard ? undefined : way;
}

/** Whether the wheel leads through the match: with Ctrl it makes the page larger or smaller. @param {WheelEvent} event */
export const isWay = ({ ctrlKey, deltaX, deltaY }) => !ctrlKey && Math.abs(deltaY) > Math.abs(deltaX);

/** A wheel over a board: so much of it is a stop. */
export class Wheel {
  #turned = 0;
  #at = 0;

  /** Where it leads now; undefined as long as it has not been turned far enough. @param {WheelEvent} event @returns {Way | undefined} */
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
