// The sound of a struck object: the sum of its tones, each decaying in its own time, and the short noise of the blow
// itself.

/** @typedef {"wood" | "stone" | "bone" | "bronze"} Material the struck object, hit by bone unless it is bronze */

/**
 * The sound of a material.
 * @typedef {object} Ring
 * @property {[number, number, number][]} tones frequency in hertz, strength, and the seconds after which a third is left
 * @property {number} blow the strength of the blow's noise
 * @property {number} dull the low-pass filter of the noise: how much of the previous sample is kept, from 0 to 1
 * @property {number} lasts the length in seconds
 */

/** @type {Record<Material, Ring>} */
export const RINGS = {
  // A box of walnut: low and short, the air in it below, the edge of the piece above.
  wood: {
    tones: [[164, 0.9, 0.05], [271, 0.8, 0.042], [437, 0.6, 0.032], [702, 0.45, 0.022], [1180, 0.25, 0.013], [2350, 0.12, 0.006]],
    blow: 0.5, dull: 0.72, lasts: 0.3,
  },
  // A slab: little resonance, clear and dry.
  stone: {
    tones: [[238, 0.3, 0.02], [1320, 0.5, 0.03], [2140, 0.6, 0.028], [3370, 0.45, 0.02], [5020, 0.3, 0.012], [7100, 0.15, 0.007]],
    blow: 0.55, dull: 0.25, lasts: 0.24,
  },
  // Piece on piece, or a die that turns over.
  bone: {
    tones: [[1240, 0.4, 0.014], [2260, 0.7, 0.016], [3480, 0.5, 0.011], [5150, 0.3, 0.007]],
    blow: 0.4, dull: 0.4, lasts: 0.12,
  },
  // A small bowl: its partials are not harmonic, and the high ones decay first.
  bronze: {
    tones: [[523, 0.7, 0.5], [526, 0.25, 0.46], [1423, 0.4, 0.3], [2710, 0.25, 0.16], [4310, 0.12, 0.08]],
    blow: 0.06, dull: 0.5, lasts: 1.6,
  },
};

/** The length of a blow in seconds. */
const BLOW_S = 0.004;

/** The fade-in that avoids a click. */
const ATTACK_S = 0.0006;

/**
 * The samples of a blow, at most 1.
 * @param {Ring} ring
 * @param {object} how
 * @param {number} how.rate samples a second
 * @param {number} [how.pitch] the factor of its pitch
 * @param {() => number} [how.random] numbers from 0 to 1, so that no two blows sound the same
 * @returns {Float32Array<ArrayBuffer>}
 */
export function struck({ tones, blow, dull, lasts }, { rate, pitch = 1, random = Math.random }) {
  const samples = new Float32Array(Math.ceil(lasts * rate));
  for (const [frequency, strength, decay] of tones) {
    const detuned = frequency * pitch * (1 + 0.02 * (random() - 0.5));
    const loud = strength * (0.8 + 0.4 * random());
    const step = (2 * Math.PI * detuned) / rate;
    const fades = Math.exp(-1 / (decay * rate));
    for (let nth = 0, left = loud; nth < samples.length; nth += 1, left *= fades) samples[nth] += left * Math.sin(step * nth);
  }
  let kept = 0;
  for (let nth = 0; nth < Math.min(samples.length, 8 * BLOW_S * rate); nth += 1) {
    kept = dull * kept + (1 - dull) * (2 * random() - 1);
    samples[nth] += 3 * blow * kept * Math.exp(-nth / (BLOW_S * rate));
  }
  let most = 0;
  for (let nth = 0; nth < samples.length; nth += 1) {
    samples[nth] *= Math.min(1, nth / (ATTACK_S * rate));
    most = Math.max(most, Math.abs(samples[nth]));
  }
  return samples.map((sample) => sample / (most || 1));
}
