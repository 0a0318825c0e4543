// Variations that the person has saved in this browser, under names of their own.

const KEPT_AS = "lusoria.variations";

/** There is room for so many. */
export const SAVED_MAX = 100;

/** The longest name, in characters. */
export const NAME_MAX = 60;

/**
 * @typedef {object} Saved
 * @property {string} name
 * @property {import("../text/words.js").Game} game
 * @property {string} query the position where it begins, as links have it
 * @property {import("../match/variation.js").Kept[]} turns
 */

/** All of them, the last one first. @returns {Saved[]} */
export function saved() {
  try {
    const found = JSON.parse(localStorage.getItem(KEPT_AS) ?? "[]");
    return Array.isArray(found) ? found.slice(0, SAVED_MAX) : [];
  } catch {
    return [];
  }
}

/**
 * Saves one, in the place of another of its name.
 * @param {Saved} variation
 * @returns {"saved" | "full" | "unsaved"} whether there was room, and whether the browser keeps it
 */
export function save(variation) {
  const others = without(variation);
  return others.length >= SAVED_MAX ? "full" : keep([variation, ...others]);
}

/** Deletes one. @param {Saved} variation */
export const forget = (variation) => keep(without(variation));

/** @param {Saved} variation */
const without = ({ game, name }) => saved().filter((other) => other.game !== game || other.name !== name);

/** @param {Saved[]} all */
function keep(all) {
  try {
    localStorage.setItem(KEPT_AS, JSON.stringify(all));
    return "saved";
  } catch {
    return "unsaved";
  }
}
