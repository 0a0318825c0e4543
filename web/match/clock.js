// The displays of the clocks.

import { t } from "../text/text.js";

/** @typedef {import("../game/story.js").Moment} Moment */
/** @typedef {import("../game/story.js").Seat} Seat */

/**
 * The time left of a seat, in milliseconds; undefined without a clock.
 * @param {Moment} moment @param {Seat} seat
 * @param {number} now the server's time
 */
export function remaining(moment, seat, now) {
  const { clocks } = moment;
  if (!clocks) return undefined;
  const has = clocks.remainingMs[seat];
  if (clocks.running !== seat || clocks.deadlineAt === undefined) return has;
  // The first moments of a turn may be free: then the deadline is later than the clock's remaining time.
  const left = Math.max(0, clocks.deadlineAt - now);
  return moment.clock.kind === "days" ? left : Math.min(has, left);
}

/**
 * How long a side has for its first turn, before the match is aborted.
 * @param {Moment} moment @param {number} now
 */
export function firstTurnLeft(moment, now) {
  const { toPlay, clocks } = moment;
  if (!toPlay?.firstTurn || clocks?.deadlineAt === undefined) return undefined;
  return Math.max(0, clocks.deadlineAt - now);
}

/**
 * The lag returned to a seat in its last turn, in seconds; undefined if it was less than a hundredth. A running clock
 * shows none of it: it may run out before any is returned.
 * @param {Moment} moment @param {Seat} seat
 */
export function givenBack(moment, seat) {
  const hundredths = Math.round(moment.lagMs[seat] / 10);
  return hundredths > 0 ? hundredths / 100 : undefined;
}

/** A duration as on a clock: 3 d 4 h, 1:02:03, 12:34, 0:09.4 below twenty seconds. @param {number} ms */
export function written(ms) {
  const tenths = Math.floor(ms / 100);
  const seconds = Math.floor(tenths / 10);
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), seconds % 60];
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  if (h >= 48) return t("clock.left", { days: Math.floor(h / 24), hours: h % 24 });
  if (h > 0) return `${h}:${two(m)}:${two(s)}`;
  return seconds < 20 ? `${m}:${two(s)}.${tenths % 10}` : `${m}:${two(s)}`;
}
