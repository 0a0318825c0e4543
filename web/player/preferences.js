// What the person at this device prefers.

import { guest } from "./identity.js";

/**
 * @typedef {object} Preferences
 * @property {"auto" | "light" | "dark"} theme
 * @property {"own" | "wood" | "stone" | "inscribed" | "contrast"} board how boards are drawn: `own` as suits each game
 * @property {"click" | "auto"} throwing whether a throw is uncovered by a click
 * @property {"one" | "two"} clicks whether a click on a piece moves it by the next die, or takes it up
 * @property {"ask" | "choice" | "auto"} confirming whether a complete turn is sent by itself: never, where dice left
 *   no choice or none are thrown, or always
 * @property {"tap" | "auto"} forced whether a forced turn is played by itself
 * @property {"on" | "off"} ahead whether moves can be entered while the opponent thinks
 * @property {"on" | "off"} talk whether talk is shown beside matches
 * @property {"on" | "off"} tv whether the matches of the holder of an account may be on TV: the server looks at it
 * @property {"on" | "off"} keys whether letters are shortcuts while playing
 * @property {"slow" | "normal" | "quick" | "none"} pace how fast the others' turns are shown
 * @property {boolean} sounds
 * @property {"low" | "medium" | "high"} volume how loud sounds are
 * @property {"auto" | "none"} motion whether pieces are seen to move
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

/** Tells of every change, in this tab or another: event `change`. */
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

/** What is preferred. @template {keyof Preferences} K @param {K} name @returns {Preferences[K]} */
export const preferred = (name) => now[name];

/** What the holder of an account has changed on this page, and the account has not been told yet. @type {Set<string>} */
export const changedHere = new Set();

/** Changes it, as the person wants it. @template {keyof Preferences} K @param {K} name @param {Preferences[K]} value */
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
    // It holds until the page is left.
  }
  preferences.dispatchEvent(new Event("change"));
}

/** All of them, each as text. @returns {Record<string, string>} */
export const allPreferred = () =>
  Object.fromEntries(Object.keys(USUAL).map((name) => [name, asText(now[/** @type {keyof Preferences} */ (name)])]));

/** @param {unknown} value */
const asText = (value) => (typeof value === "string" ? value : JSON.stringify(value));

/** Changes several at once; what this page does not know stays away. @param {Record<string, string>} texts */
export function preferAll(texts) {
  const known = Object.entries(USUAL).filter(([name]) => texts[name] !== undefined);
  keep(Object.fromEntries(known.map(([name, usual]) => [name, valueOf(usual, texts[name])])));
}

/** @param {unknown} usual whose type it has @param {string} text */
function valueOf(usual, text) {
  if (typeof usual === "string") return text;
  try {
    const value = JSON.parse(text);
    return typeof value === typeof usual ? value : usual;
  } catch {
    return usual;
  }
}

/** Whether pieces should be seen to move. */
export const moving = () =>
  now.motion === "auto" && !matchMedia("(prefers-reduced-motion: reduce)").matches;
