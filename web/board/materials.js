// The materials of boards and pieces: pictures rendered in advance (`npm run materials` in tests/browser).
//
// Grain is nearly white. It is multiplied with the colour of the material, so one picture serves the frame, the field
// and the inlays, in light and dark; until it has loaded, the plain colour shows.

import { nothing } from "../lit.js";
import { markup } from "./markup.js";

/** @typedef {import("./layout.js").Family} Family */
/** @typedef {import("../game/looks.js").Skin} Skin */

/** The size of a picture of grain on a board, in widths of a cell. */
const GRAINS = {
  wood: { href: new URL("../style/materials/walnut.webp", import.meta.url).href, wide: 9, high: 4.5 },
  stone: { href: new URL("../style/materials/marble.webp", import.meta.url).href, wide: 9.5, high: 9.5 },
};

/** The pieces of a board, from left to right: those of the first side, of the second, the king. */
const SHEETS = {
  counters: { href: new URL("../style/materials/counters.webp", import.meta.url).href, wide: 8 },
  domes: { href: new URL("../style/materials/domes.webp", import.meta.url).href, wide: 9 },
};

/** @typedef {{href: string, wide: number}} Sheet a picture, and how many pieces are in it */

/** The picture of the pieces for a kind of board. @param {Family} family @returns {Sheet} */
export const sheetOf = (family) => SHEETS[family === "tafl" ? "domes" : "counters"];

/** @type {Map<string, Promise<boolean>>} */
const asked = new Map();
/** @type {Set<string>} */
const come = new Set();

/** Whether a picture has loaded. @param {string} href */
export const isHere = (href) => come.has(href);

/** Loads a picture, once. @param {string} href @returns {Promise<boolean>} whether it loaded */
export function load(href) {
  const known = asked.get(href);
  if (known) return known;
  const picture = new Image();
  picture.src = href;
  const loaded = picture.decode().then(
    () => Boolean(come.add(href)),
    () => false,
  );
  asked.set(href, loaded);
  return loaded;
}

/** How far the grain of neighbouring boards is shifted, in widths of a cell. */
const SHIFTS = [
  [0, 0],
  [3.1, 1.3],
  [5.7, 2.9],
  [1.9, 3.7],
];

/**
 * Grain to fill shapes with, by its ids: `along-0` to `along-3` from left to right, `across-0` to `across-3` from top
 * to bottom. Stone has no direction.
 * @param {Skin} skin
 */
export function grains(skin) {
  if (skin === "contrast") return nothing;
  const { href, wide, high } = GRAINS[skin];
  return markup`${SHIFTS.map(([x, y], nth) =>
    ["along", "across"].map((way) => {
      const turn = way === "across" ? "rotate(90)" : "";
      return markup`<pattern id="${way}-${nth}" patternUnits="userSpaceOnUse" x=${x} y=${y} width=${wide} height=${high}
        patternTransform=${turn}><image href=${href} width=${wide} height=${high} preserveAspectRatio="none"/></pattern>`;
    }),
  )}`;
}

/** The grain that fills a shape; nothing without a texture. @param {"along" | "across"} way @param {number} nth */
export const grain = (way, nth) => `url(#${way}-${nth % SHIFTS.length}) none`;
