// How strong the computer was that was last played from this device.

const KEPT_AS = "lusoria.level";

/** The computer's levels, the weakest first. */
export const LEVELS = /** @type {const} */ ([1, 2, 3, 4, 5]);

/** @typedef {(typeof LEVELS)[number]} Level */

/** The level that was chosen last; none if none was. @returns {Level | undefined} */
export function lastLevel() {
  try {
    const kept = Number(localStorage.getItem(KEPT_AS));
    return LEVELS.find((level) => level === kept);
  } catch {
    return undefined;
  }
}

/** Keeps it for the next time. @param {Level} level */
export function keepLevel(level) {
  try {
    localStorage.setItem(KEPT_AS, String(level));
  } catch {
    // It will not be known the next time.
  }
}
