// The preferences at this device.

import { guest } from "./identity.js";

/**
 * @typedef {object} Preferences
 * @property {"auto" | "light" | "dark"} theme
 * @property {"own" | "wood" | "stone" | "inscribed" | "contrast"} board the material of boards: `own` is the default of each game
 * @property {"click" | "auto"} throwing whether the person clicks to roll
 * @property {"one" | "two"} clicks whether a click on a piece plays the next die, or selects the piece
 * @property {"ask" | "choice" | "auto"} confirming when a complete turn is sent without confirmation: never, if the
 *   dice left no choice or there are none, or always
 * @property {"tap" | "auto"} forced whether forced turns are played automatically
 * @property {"on" | "off"} ahead whether premoves can be entered
 * @property {"on" | "off"} talk whether talk is shown beside matches
 * @property {"on" | "off"} tv whether the matches of an account may be on TV; applied by the server
 * @property {"on" | "off"} keys whether letters are shortcuts while playing
 * @property {"slow" | "normal" | "quick" | "none"} pace how fast the opponents' turns are shown
 * @property {boolean} sounds
 * @property {"low" | "medium" | "high"} volume the volume of sounds
 * @property {"auto" | "none"} motion whether moves are animated
 */

const KEPT_AS = "lusoria.preferences";

/** @type {Preferences} */
const USUAL = {
  theme: "auto",
  board: "own",
  throwing: "click",
  clicks: "one",
  confirming: "choice",
  forced: "tap",
  ahead: "on",
  talk: "on",
  tv: "on",
  keys: "on",
  pace: "normal",
  sounds: true,
  volume: "medium",
  motion: "auto",
};

/** Reports every change, in this tab or another: event `change`. */
export const preferences = new EventTarget();

/** @type {Preferences} */
let now = read();

addEventListener("storage", (stored) => {
  if (stored.key !== KEPT_AS) return;
  now = read();
  preferences.dispatchEvent(new Event("change"));
});

/** @returns {Preferences} */
function read() {
  try {
    return { ...USUAL, ...JSON.parse(localStorage.getItem(KEPT_AS) ?? "{}") };
  } catch {
    return { ...USUAL };
  }
}

/** The value of a preference. @template {keyof Preferences} K @param {K} name @returns {Preferences[K]} */
export const preferred = (name) => now[name];

/** The changes on this page that the account has not received yet. @type {Set<string>} */
export const changedHere = new Set();

/** Sets a preference, as the person wants it. @template {keyof Preferences} K @param {K} name @param {Preferences[K]} value */
export function prefer(name, value) {
  if (guest()?.handle) changedHere.add(name);
  keep({ [name]: value });
}

/** @param {Partial<Preferences>} changed */
function keep(changed) {
  now = { ...now, ...changed };
  try {
    localStorage.setItem(KEPT_AS, JSON.stringify(now));
  } catch {
    // It is remembered until the page is closed.
  }
  preferences.dispatchEvent(new Event("change"));
}

/** All values, as text. @returns {Record<string, string>} */
export const allPreferred = () =>
  Object.fromEntries(Object.keys(USUAL).map((name) => [name, asText(now[/** @type {keyof Preferences} */ (name)])]));

/** @param {unknown} value */
const asText = (value) => (typeof value === "string" ? value : JSON.stringify(value));

/** Sets several at once; ignores those that this page does not know. @param {Record<string, string>} texts */
export function preferAll(texts) {
  const known = Object.entries(USUAL).filter(([name]) => texts[name] !== undefined);
  keep(Object.fromEntries(known.map(([name, usual]) => [name, valueOf(usual, texts[name])])));
}

/** @param {unknown} usual the default, which decides the type @param {string} text */
function valueOf(usual, text) {
  if (typeof usual === "string") return text;
  try {
    const value = JSON.parse(text);
    return typeof value === typeof usual ? value : usual;
  } catch {
    return usual;
  }
}

/** Whether moves should be animated. */
export const moving = () =>
  now.motion === "auto" && !matchMedia("(prefers-reduced-motion: reduce)").matches;
