// Keys on the page of a match: arrows, Home and End step through it, letters are shortcuts, which `?` shows.

import { wayOf } from "../match/way.js";
import { preferred } from "../player/preferences.js";
import { turnRoute } from "./match-route.js";

/** @typedef {import("./match.js").MatchElement} Match */

/** Elements that take text, or have keys of their own. */
const TAKEN = ["INPUT", "TEXTAREA", "SELECT", "DIALOG"];

/** Actions of keys outside of text fields. @typedef {Record<string, (() => void) | undefined>} Keys */

/** Runs the action of a key. @param {Match} match @param {KeyboardEvent} event */
export function pressed(match, event) {
  const way = wayOf(event);
  if (way) {
    event.preventDefault();
    if (!match.aside) match.looking.go(way);
    return;
  }
  const path = /** @type {HTMLElement[]} */ (event.composedPath());
  if (event.key === "Escape" && !path.some(({ tagName }) => tagName === "DIALOG")) {
    match.premove.cancel();
    match.aside?.leave();
  }
  if (preferred("keys") === "off" || event.ctrlKey || event.metaKey || event.altKey) return;
  if (path.some(({ tagName }) => TAKEN.includes(tagName))) return;
  if (event.key === "?") {
    event.preventDefault();
    import("./keys.js").then(({ showKeys }) => showKeys(), () => {});
    return;
  }
  const key = event.key.toLowerCase();
  const does = match.aside ? match.aside.keys[key] : meaningOf(match, key);
  if (!does) return;
  event.preventDefault();
  does();
}

/** @param {Match} match @param {string} key */
function meaningOf(match, key) {
  const { hints, pace, turn } = match;
  if (key === "f") return () => match.flip();
  if (key === "w") return () => turnRoute(match);
  // In the past nothing can be played.
  if (match.at !== undefined) return undefined;
  // While the display is behind, one can only skip or take back.
  if (pace.isBehind) return { s: () => pace.skip(), b: () => takeBack(match) }[key];
  return {
    b: () => takeBack(match),
    u: () => turn.undo(),
    a: () => turn.again && turn.play([turn.again]),
    c: () => (turn.forced.length > 0 ? turn.playForced() : turn.confirm()),
    d: () => turn.reorder(),
    t: () => match.uncover(),
    h: () => (hints.shown ? hints.look(1) : hints.ask()),
  }[key];
}

/** Takes one's last turn back, if allowed: asks first where its button would. @param {Match} match */
async function takeBack(match) {
  const action = match.actions().find(({ op }) => op === "takeback");
  if (!action || action.idle || match.sheet?.open) return;
  if (action.sure && match.beside.isAway) match.openSheet();
  await match.updateComplete;
  const where = match.isSheetOpen ? ".sheet" : ".side";
  const ends = match.renderRoot.querySelector(`${where} lusoria-ends`);
  /** @type {import("./ends.js").EndsElement | null} */ (ends)?.press(action);
}
