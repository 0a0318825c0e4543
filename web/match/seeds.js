// The seeds that this device brings to a match are revealed once both have sat down.

import { askedSeeds } from "../player/once.js";
import { canCommit, freshSeed, keep, keptOf, seedHash } from "../player/seeds.js";

/** The seed for the rematch of a match is kept under its name and this. */
const REMATCH = ".rematch";

/**
 * What is sent with the offer of a rematch, or with its acceptance: the hash of a seed of one's
 * own, which is kept for it. Nothing where none can be hashed.
 * @param {string} match the match that has ended
 * @returns {Promise<{seed_hash?: string}>}
 */
export async function seedForRematch(match) {
  if (!canCommit()) return {};
  const seed = keptOf(match + REMATCH)?.seed ?? freshSeed();
  keep(match + REMATCH, { seed, commitment: "" });
  return { seed_hash: await seedHash(seed) };
}

/**
 * Reveals the seeds as soon as the match waits for them, and keeps what the server has bound
 * itself to until then.
 * @param {import("./live.js").LiveMatch} live
 */
export function revealInTime(live) {
  /** @type {Set<number>} */
  const asked = new Set();
  live.addEventListener("moment", async () => {
    if (live.moment?.state !== "awaiting_seeds") return;
    for (const seat of live.mySeats) {
      const hash = live.moment.seeds[seat]?.seed_hash;
      if (!hash || asked.has(seat)) continue;
      asked.add(seat);
      const seed = await seedOf(live, hash);
      if (seed) await live.do("seed", { seed }).catch(() => asked.delete(seat));
    }
  });
}

/**
 * The seed that was committed to: of the match itself, of one whose making was never answered
 * because the line broke, or of a rematch.
 * @param {import("./live.js").LiveMatch} live
 * @param {string} hash
 */
async function seedOf({ id, moment }, hash) {
  if (!moment || !canCommit()) return keptOf(id)?.seed;
  const ofRematch = moment.rematchOf && keptOf(moment.rematchOf + REMATCH)?.seed;
  for (const seed of [keptOf(id)?.seed, ofRematch, ...askedSeeds()]) {
    if (!seed || (await seedHash(seed)) !== hash) continue;
    keep(id, { seed, commitment: moment.commitment });
    return seed;
  }
  return undefined;
}
