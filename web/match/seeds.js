// The seed that this device brought to a match is revealed once both have sat down.

import { keptOf } from "../player/seeds.js";

/**
 * Reveals the seed as soon as the match waits for it.
 * @param {import("./live.js").LiveMatch} live
 */
export function revealInTime(live) {
  let asked = false;
  live.addEventListener("moment", async () => {
    const waits = live.moment?.state === "awaiting_seeds" && live.mySeats.includes(1);
    const seed = waits && !asked ? keptOf(live.id)?.seed : undefined;
    if (!seed) return;
    asked = true;
    await live.do("seed", { seed }).catch(() => (asked = false));
  });
}
