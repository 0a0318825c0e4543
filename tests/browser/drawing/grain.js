// The grain of wood and the veins of marble, nearly white: the page multiplies them with the colour of the material, so
// that one picture serves frame, field and inlays, in light and dark.

import { between, layered, noise, step } from "./noise.js";

/** @typedef {[number, number, number]} Colour red, green and blue, from 0 to 255 */
/** @typedef {{width: number, height: number, data: Uint8ClampedArray}} Picture */

/**
 * Renders a picture pixel by pixel.
 * @param {number} width in pixels @param {number} height
 * @param {(x: number, y: number) => number[]} colour the colour at a point (coordinates from 0 to 1 over the picture), with opacity
 *   (0 to 255) or without
 * @returns {Picture}
 */
export function painted(width, height, colour) {
  const data = new Uint8ClampedArray(width * height * 4);
  for (let row = 0, at = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1, at += 4) {
      const [red, green, blue, opacity = 255] = colour((column + 0.5) / width, (row + 0.5) / height);
      data.set([red, green, blue, opacity], at);
    }
  }
  return { width, height, data };
}

/** @param {Colour} from @param {Colour} to @param {number} t @returns {Colour} */
export const mixed = (from, to, t) => [
  between(from[0], to[0], t),
  between(from[1], to[1], t),
  between(from[2], to[2], t),
];

/** @type {Colour} */ const EARLY = [255, 250, 240];
/** @type {Colour} */ const LATE = [176, 140, 112];
/** @type {Colour} */ const PORE = [112, 78, 56];

/**
 * Walnut, sawn along its rings: the grain runs from left to right.
 * @param {number} width in pixels @param {number} height
 */
export function walnut(width, height) {
  return painted(width, height, (x, y) => {
    const bend = layered(x, y, 1, 2, 3, 12);
    const waver = layered(x, y, 4, 10, 3, 23);
    // Rings lie closer in some years than in others.
    const rings = 15 * y + 2.1 * bend + 0.28 * waver;
    const year = rings - Math.floor(rings);
    const age = Math.floor(rings) % 15;
    const late = step(0.1, 0.8, year) * (1 - step(0.8, 1, year));
    const strength = 0.4 + 0.22 * noise(x * 2, (age + 15) % 15, 2, 15, 31);
    const streak = 0.5 + 0.5 * layered(x, y + 0.05 * bend, 2, 40, 3, 41);
    const fine = 0.5 + 0.5 * noise(x * 16, y * 170, 16, 170, 53);
    const cloud = layered(x, y, 3, 2, 2, 61);
    const shade = late * strength + 0.3 * streak + 0.2 * fine + 0.16 * cloud - 0.1;
    const pore = step(0.45, 0.85, noise(x * 40, (y + 0.05 * bend) * 230, 40, 230, 67)) * (0.35 + 0.65 * late);
    return mixed(mixed(EARLY, LATE, Math.min(1, Math.max(0, shade))), PORE, 0.42 * pore);
  });
}

/** @type {Colour} */ const CLEAR = [255, 253, 249];
/** @type {Colour} */ const CLOUD = [222, 216, 208];
/** @type {Colour} */ const VEIN = [134, 132, 134];
/** @type {Colour} */ const OCHRE = [206, 172, 122];

/**
 * Weathered marble: clouds, grey veins with ochre along them, pits.
 * @param {number} width in pixels @param {number} height
 */
export function marble(width, height) {
  return painted(width, height, (x, y) => {
    const bentX = x + 0.09 * layered(x, y, 3, 3, 4, 101);
    const bentY = y + 0.09 * layered(x, y, 3, 3, 4, 131);
    const cloud = 0.5 + 0.5 * layered(bentX, bentY, 3, 3, 5, 151);
    const veins = Math.max(
      vein(bentX, bentY, 2, 0.05, 171) * step(-0.25, 0.5, layered(x, y, 3, 3, 2, 181)),
      0.6 * vein(bentX, bentY, 5, 0.06, 191) * step(-0.1, 0.6, layered(x, y, 4, 4, 2, 201)),
    );
    const halo = vein(bentX, bentY, 2, 0.3, 171) * step(0, 0.7, layered(x, y, 4, 4, 3, 211));
    const crystals = 0.5 + 0.5 * noise(x * 260, y * 260, 260, 260, 221);
    const pit = step(0.62, 0.8, noise(x * 70, y * 70, 70, 70, 231)) * step(0.1, 0.6, layered(x, y, 6, 6, 2, 241));
    let colour = mixed(CLEAR, CLOUD, Math.min(1, 0.75 * cloud + 0.16 * crystals));
    colour = mixed(colour, OCHRE, 0.42 * halo);
    colour = mixed(colour, VEIN, 0.72 * veins);
    return mixed(colour, VEIN, 0.5 * pit);
  });
}

/**
 * How near a point is to a zero of the noise: gives lines that branch and end.
 * @param {number} x @param {number} y @param {number} cells @param {number} wide their width @param {number} seed
 */
function vein(x, y, cells, wide, seed) {
  const off = Math.abs(layered(x, y, cells, cells, 4, seed));
  return Math.max(0, 1 - off / wide) ** 1.6;
}
