// Letters as shortcuts on the page of a match.

import { preferred } from "../player/preferences.js";

/** @typedef {import("./match.js").MatchElement} Match */

/** What can be typed in, or has keys of its own. */
const TAKEN = ["INPUT", "TEXTAREA", "SELECT", "DIALOG"];

/** Does what a letter stands for. @param {Match} match @param {KeyboardEvent} event */
export function pressed(match, event) {
  if (preferred("keys") === "off" || event.ctrlKey || event.metaKey || event.altKey) return;
  const path = /** @type {HTMLElement[]} */ (event.composedPath());
  if (path.some(({ tagName }) => TAKEN.includes(tagName))) return;
  const does = meaningOf(match, event.key.toLowerCase());
  if (!does || match.at !== undefined) return;
  event.preventDefault();
  does();
}

/** @param {Match} match @param {string} key */
function meaningOf(match, key) {
  const { hints, pace, turn } = match;
  // What is not shown yet cannot be answered.
  if (pace.isBehind) return key === "s" ? () => pace.skip() : undefined;
  return {
    u: () => turn.undo(),
    a: () => turn.again && turn.play([turn.again]),
    c: () => turn.confirm(),
    f: () => turn.playForced(),
    t: () => match.uncover(),
    h: () => (hints.shown ? hints.look(1) : hints.ask()),
  }[key];
}
