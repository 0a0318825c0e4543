// The person's matches as this device has last heard of them, to be named when the server cannot be asked.

import { waits } from "./badge.js";
import { guest } from "./identity.js";

/** @typedef {import("../api/wire").components["schemas"]["MatchCard"]} MatchCard */
/** @typedef {import("../api/wire").components["schemas"]["Game"]} Game */
/** @typedef {import("../text/words.js").Called} Called */
/** @typedef {{id: string, game: Game, opponent?: Called, waits: boolean}} Known */
/** @typedef {{guest: string, at: number, matches: Known[]}} Kept */

const KEPT_AS = "lusoria.lastKnown";
const MATCHES_MAX = 12;

/** Where a turn is kept until the server has acknowledged it (match/turn.js): the match's id follows. */
const TURNS_AS = "lusoria.turn.";

/** Keeps them. @param {MatchCard[]} cards those that wait for the person first */
export function keepMatches(cards) {
  const me = guest()?.id;
  if (me === undefined) return forgetMatches();
  const matches = cards.slice(0, MATCHES_MAX).map((card) => ({
    id: card.id,
    game: card.game,
    opponent: opponentOf(card, me),
    waits: waits(card),
  }));
  try {
    localStorage.setItem(KEPT_AS, JSON.stringify({ guest: me, at: Date.now(), matches }));
  } catch {
    // Then nothing is known without the server.
  }
}

function forgetMatches() {
  try {
    localStorage.removeItem(KEPT_AS);
  } catch {
    // Nothing was kept.
  }
}

/** @param {MatchCard} card @param {string} me @returns {Called | undefined} */
function opponentOf({ players }, me) {
  const other = [players[1], players[2]].find((player) => player && player.id !== me);
  return other ? { name: other.name, kind: other.kind, level: other.level } : undefined;
}

/** What was known last, if it was the same person. @returns {Kept | undefined} */
export function lastKnown() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEPT_AS) ?? "null");
    return kept !== null && kept.guest === guest()?.id ? kept : undefined;
  } catch {
    return undefined;
  }
}

/** The matches of which a turn is kept here that has been begun, or sent and not acknowledged yet. @returns {string[]} */
export function keptTurns() {
  try {
    const names = Object.keys(localStorage).filter((name) => name.startsWith(TURNS_AS));
    const begun = names.filter((name) => JSON.parse(localStorage.getItem(name) ?? "null")?.steps?.length > 0);
    return begun.map((name) => name.slice(TURNS_AS.length));
  } catch {
    return [];
  }
}
