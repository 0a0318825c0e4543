// The last known state of the person's matches, to be shown while the server is unreachable.

import { waits } from "./badge.js";
import { guest } from "./identity.js";

/** @typedef {import("../api/wire").components["schemas"]["MatchCard"]} MatchCard */
/** @typedef {import("../api/wire").components["schemas"]["Game"]} Game */
/** @typedef {import("../text/words.js").Called} Called */
/** @typedef {{id: string, game: Game, opponent?: Called, waits: boolean}} Known */
/** @typedef {{guest: string, at: number, matches: Known[]}} Kept */

const KEPT_AS = "lusoria.lastKnown";
const MATCHES_MAX = 12;

/** The prefix of the key under which a turn is stored until it is acknowledged (match/turn.js); the match's id follows. */
const TURNS_AS = "lusoria.turn.";

/** Stores the cards. @param {MatchCard[]} cards where it is the person's turn first */
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
    // Nothing is known without the server.
  }
}

function forgetMatches() {
  try {
    localStorage.removeItem(KEPT_AS);
  } catch {
    // Nothing was stored.
  }
}

/** @param {MatchCard} card @param {string} me @returns {Called | undefined} */
function opponentOf({ players }, me) {
  const other = [players[1], players[2]].find((player) => player && player.id !== me);
  return other ? { name: other.name, kind: other.kind, level: other.level } : undefined;
}

/** The stored cards, if they are of the same guest. @returns {Kept | undefined} */
export function lastKnown() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEPT_AS) ?? "null");
    return kept !== null && kept.guest === guest()?.id ? kept : undefined;
  } catch {
    return undefined;
  }
}

/** The matches with a stored turn that was begun, or sent but not acknowledged yet. @returns {string[]} */
export function keptTurns() {
  try {
    const names = Object.keys(localStorage).filter((name) => name.startsWith(TURNS_AS));
    const begun = names.filter((name) => JSON.parse(localStorage.getItem(name) ?? "null")?.steps?.length > 0);
    return begun.map((name) => name.slice(TURNS_AS.length));
  } catch {
    return [];
  }
}
