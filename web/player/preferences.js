// What the person at this device prefers.

/**
 * @typedef {object} Preferences
 * @property {"auto" | "light" | "dark"} theme
 * @property {"stone" | "wood" | "contrast"} board how boards are drawn
 * @property {"click" | "auto"} throwing whether a throw is uncovered by a click
 * @property {"ask" | "auto"} confirming whether a complete turn is sent by itself
 * @property {"tap" | "auto"} forced whether a forced turn is played by itself
 * @property {"on" | "off"} keys whether letters are shortcuts while playing
 * @property {"slow" | "normal" | "quick" | "none"} pace how fast the others' turns are shown
 * @property {boolean} sounds
 * @property {"auto" | "none"} motion whether pieces are seen to move
 */

const KEPT_AS = "lusoria.preferences";

/** @type {Preferences} */
const USUAL = {
  theme: "auto",
  board: "wood",
  throwing: "click",
  confirming: "ask",
  forced: "tap",
  keys: "on",
  pace: "normal",
  sounds: true,
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

/** Changes it. @template {keyof Preferences} K @param {K} name @param {Preferences[K]} value */
export function prefer(name, value) {
  now = { ...now, [name]: value };
  try {
    localStorage.setItem(KEPT_AS, JSON.stringify(now));
  } catch {
    // It holds until the page is left.
  }
  preferences.dispatchEvent(new Event("change"));
}

/** Whether pieces should be seen to move. */
export const moving = () =>
  now.motion === "auto" && !matchMedia("(prefers-reduced-motion: reduce)").matches;
