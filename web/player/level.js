// The level of the computer in the last match against it from this device.

const KEPT_AS = "lusoria.level";

/** The computer's levels, the weakest first. */
export const LEVELS = /** @type {const} */ ([1, 2, 3, 4, 5]);

/** @typedef {(typeof LEVELS)[number]} Level */

/** The last chosen level, if any. @returns {Level | undefined} */
export function lastLevel() {
  try {
    const kept = Number(localStorage.getItem(KEPT_AS));
    return LEVELS.find((level) => level === kept);
  } catch {
    return undefined;
  }
}

/** Stores the level. @param {Level} level */
export function keepLevel(level) {
  try {
    localStorage.setItem(KEPT_AS, String(level));
  } catch {
    // It will not be remembered.
  }
}
