// Choices that can be made again: each from a seed that a failed test tells.

/** The seed of this run; `SEED` in the environment repeats another. */
export const SEED = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));

/** A source of choices (mulberry32). */
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

  /** One of some things. @template T @param {T[]} things @returns {T} */
  pick(things) {
    return things[Math.floor(this.next() * things.length)];
  }
}

/** Does something, and tells the seed if it fails. @param {() => Promise<void>} what */
export async function seeded(what) {
  try {
    await what();
  } catch (why) {
    throw new Error(`it failed; SEED=${SEED} makes the same choices again`, { cause: why });
  }
}
