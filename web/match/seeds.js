// Reveals the seeds that this device brings to a match, once both players have sat down.

import { askedSeeds } from "../player/once.js";
import { canCommit, freshSeed, keep, keptOf, seedHash } from "../player/seeds.js";

/** The suffix under which the seed for a rematch is stored. */
const REMATCH = ".rematch";

/**
 * The fields of an offer of a rematch, or of its acceptance: the hash of one's own seed, which is stored for it. Empty
 * where nothing can be hashed.
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
 * Reveals the seeds as soon as the match waits for them, and stores the server's commitment until then.
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
 * The committed seed: of the match itself, of a match whose creation was not confirmed because the connection broke, or
 * of a rematch.
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
