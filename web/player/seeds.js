// The chance that a player brings to the dice: kept on this device together with what the server
// committed to, from before the first throw.

import { hex } from "../api/rest.js";

/** @typedef {{seed?: string, commitment: string}} Kept no seed where the player brought none */

const KEPT_AS = "lusoria.seed.";
const SEED_BYTES = 16;
/** Of more matches nothing is kept: the ids of matches sort by time. */
const MATCHES_MAX = 300;

/** Whether a seed can be hashed here: browsers do it on secure pages only. */
export const canCommit = () => globalThis.crypto?.subtle !== undefined;

/** A new seed. */
export const freshSeed = () => hex(crypto.getRandomValues(new Uint8Array(SEED_BYTES)));

/** What is told of a seed before it is revealed. @param {string} seed */
export async function seedHash(seed) {
  return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(seed))));
}

/** What was kept of a match. @param {string} match @returns {Kept | null} */
export function keptOf(match) {
  try {
    return JSON.parse(localStorage.getItem(KEPT_AS + match) ?? "null");
  } catch {
    return null;
  }
}

/** Keeps it; null forgets it. @param {string} match @param {Kept | null} kept */
export function keep(match, kept) {
  try {
    if (kept === null) return localStorage.removeItem(KEPT_AS + match);
    const names = Object.keys(localStorage).filter((name) => name.startsWith(KEPT_AS));
    for (const name of names.sort().slice(0, Math.max(0, names.length + 1 - MATCHES_MAX))) {
      localStorage.removeItem(name);
    }
    localStorage.setItem(KEPT_AS + match, JSON.stringify(kept));
  } catch {
    // Nothing lasts on this device: the throws can still be checked against the record.
  }
}
