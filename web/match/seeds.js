// The seed that this device brought to a match is revealed once both have sat down.

import { askedSeeds } from "../player/once.js";
import { canCommit, keep, keptOf, seedHash } from "../player/seeds.js";

/**
 * Reveals the seed as soon as the match waits for it.
 * @param {import("./live.js").LiveMatch} live
 */
export function revealInTime(live) {
  let asked = false;
  live.addEventListener("moment", async () => {
    const waits = live.moment?.state === "awaiting_seeds" && live.mySeats.includes(1);
    if (!waits || asked) return;
    asked = true;
    const seed = keptOf(live.id)?.seed ?? (await foundFor(live));
    if (seed) await live.do("seed", { seed }).catch(() => (asked = false));
  });
}

/**
 * The seed of a match whose making was never answered here: the line broke.
 * @param {import("./live.js").LiveMatch} live
 */
async function foundFor({ id, moment }) {
  const hash = moment?.seeds[1]?.seed_hash;
  if (!moment || !hash || !canCommit()) return undefined;
  for (const seed of askedSeeds()) {
    if ((await seedHash(seed)) !== hash) continue;
    keep(id, { seed, commitment: moment.commitment });
    return seed;
  }
  return undefined;
}
