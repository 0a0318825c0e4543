// The seeds that a player brings to the dice: stored on this device with the server's commitment, from before the first
// throw.

import { hex } from "../api/rest.js";

/** @typedef {{seed?: string, commitment: string}} Kept no seed where the player brought none */

const KEPT_AS = "lusoria.seed.";
const SEED_BYTES = 16;
/** The most matches to store; their ids sort by time. */
const MATCHES_MAX = 300;

/** Whether a seed can be hashed here: browsers do that only on secure pages. */
export const canCommit = () => globalThis.crypto?.subtle !== undefined;

/** A new seed. */
export const freshSeed = () => hex(crypto.getRandomValues(new Uint8Array(SEED_BYTES)));

/** The hash that commits to a seed before it is revealed. @param {string} seed */
export async function seedHash(seed) {
  return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(seed))));
}

/** The stored data of a match. @param {string} match @returns {Kept | null} */
export function keptOf(match) {
  try {
    return JSON.parse(localStorage.getItem(KEPT_AS + match) ?? "null");
  } catch {
    return null;
  }
}

/** Stores the data; null removes it. @param {string} match @param {Kept | null} kept */
export function keep(match, kept) {
  try {
    if (kept === null) return localStorage.removeItem(KEPT_AS + match);
    const names = Object.keys(localStorage).filter((name) => name.startsWith(KEPT_AS));
    for (const name of names.sort().slice(0, Math.max(0, names.length + 1 - MATCHES_MAX))) {
      localStorage.removeItem(name);
    }
    localStorage.setItem(KEPT_AS + match, JSON.stringify(kept));
  } catch {
    // Nothing can be stored on this device: the throws can still be checked against the record.
  }
}
