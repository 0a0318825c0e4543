// Random choices that can be repeated: each from a seed that a failed test reports.

/** The seed of this run; `SEED` in the environment repeats another. */
export const SEED = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));

/** A random generator (mulberry32). */
export class Random {
  /** @param {number} [seed] */
  constructor(seed = SEED) {
    this.state = seed >>> 0;
  }

  /** A number from 0 up to, but not including, 1. */
  next() {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = this.state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A random element. @template T @param {T[]} things @returns {T} */
  pick(things) {
    return things[Math.floor(this.next() * things.length)];
  }
}

/** Runs a test, and reports the seed if it fails. @param {() => Promise<void>} what */
export async function seeded(what) {
  try {
    await what();
  } catch (why) {
    throw new Error(`failed; repeat with SEED=${SEED}`, { cause: why });
  }
}
