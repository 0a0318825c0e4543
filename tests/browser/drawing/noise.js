// Noise for textures: deterministic, and seamless where a picture repeats.

/** The fixed random number of a lattice point, from 0 to 1. @param {number} x @param {number} y @param {number} seed */
function hashed(x, y, seed) {
  let bits = Math.imul(x, 374761393) ^ Math.imul(y, 668265263) ^ Math.imul(seed, 2246822519);
  bits = Math.imul(bits ^ (bits >>> 15), 2246822519);
  bits = Math.imul(bits ^ (bits >>> 13), 3266489917);
  return ((bits ^ (bits >>> 16)) >>> 0) / 4294967296;
}

/** A sequence of random numbers from 0 to 1 for a seed. @param {number} seed */
export function numbers(seed) {
  let nth = 0;
  return () => hashed((nth += 1), 7 * nth + 3, seed);
}

/** @param {number} t */
const eased = (t) => t * t * t * (t * (t * 6 - 15) + 10);

/** @param {number} from @param {number} to @param {number} t */
export const between = (from, to, t) => from + (to - from) * t;

/** @param {number} low @param {number} high @param {number} value from 0 below `low` to 1 above `high`, smoothly */
export function step(low, high, value) {
  const t = Math.min(1, Math.max(0, (value - low) / (high - low)));
  return t * t * (3 - 2 * t);
}

/**
 * Gradient noise from about -1 to 1 that repeats after whole numbers of cells.
 * @param {number} x in cells @param {number} y
 * @param {number} wide the cells of a period @param {number} high
 * @param {number} seed
 */
export function noise(x, y, wide, high, seed) {
  const left = Math.floor(x);
  const top = Math.floor(y);
  const dx = x - left;
  const dy = y - top;
  const pull = (/** @type {number} */ across, /** @type {number} */ down) => {
    const column = (((left + across) % wide) + wide) % wide;
    const row = (((top + down) % high) + high) % high;
    const angle = 2 * Math.PI * hashed(column, row, seed);
    return Math.cos(angle) * (dx - across) + Math.sin(angle) * (dy - down);
  };
  const u = eased(dx);
  const upper = between(pull(0, 0), pull(1, 0), u);
  return 1.5 * between(upper, between(pull(0, 1), pull(1, 1), u), eased(dy));
}

/**
 * Noise of several octaves, each half as large and half as strong as the previous one.
 * @param {number} x from 0 to 1 over the picture @param {number} y
 * @param {number} wide the number of the largest cells @param {number} high
 * @param {number} sizes the number of octaves
 * @param {number} seed
 */
export function layered(x, y, wide, high, sizes, seed) {
  let sum = 0;
  let strength = 1;
  for (let nth = 0; nth < sizes; nth += 1) {
    const times = 2 ** nth;
    sum += strength * noise(x * wide * times, y * high * times, wide * times, high * times, seed + nth);
    strength /= 2;
  }
  return sum;
}
