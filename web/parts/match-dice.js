// The dice on the board of a match, and the order in which clicks play them.

import { html } from "../lit.js";
import { preferred } from "../player/preferences.js";

/** @typedef {import("./match.js").MatchElement} Match */

/** The same object each time, so that the board sees no change. @type {number[]} */
const NO_ORDER = [];

/** The turn whose dice are played on the board: that of the match, or of a trial beside it. @param {Match} match */
export function orderedIn({ aside, at, turn }) {
  if (aside) return aside.trial;
  return at === undefined && turn.seq !== undefined ? turn : undefined;
}

/** The dice in the order in which clicks play them; empty where a click selects a piece. @param {Match} match */
export const orderOf = (match) => (preferred("clicks") === "one" && orderedIn(match)?.order) || NO_ORDER;

/** The dice on the board. @param {Match} match */
export function diceOn(match) {
  const { dice = [], states = [], seq, covered = false, mine = false, side = "" } = match.lastThrow ?? {};
  const isOrdered = orderOf(match).length > 1 && orderedIn(match)?.hasOrder;
  return html`<lusoria-dice slot="dice" .dice=${dice} .states=${states} .seq=${seq} .covered=${covered} .watched=${!mine}
    .ordered=${isOrdered} .side=${side} @lusoria-throw=${() => uncover(match)}></lusoria-dice>`;
}

/** Rolls. The button, which may have had the focus, is removed. @param {Match} match */
function uncover(match) {
  match.uncover();
  match.enterBoard();
}
