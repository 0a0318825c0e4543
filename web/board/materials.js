// What boards and pieces are made of: pictures that are painted ahead (`npm run materials` in tests/browser).
//
// Grain is nearly white. It is multiplied with the colour of what is made of it, so one picture serves the frame,
// the field and what is laid into it, by day and by night; where it has not come yet, the plain colour is seen.

import { nothing } from "../lit.js";
import { markup } from "./markup.js";

/** @typedef {import("./layout.js").Family} Family */
/** @typedef {import("../game/looks.js").Skin} Skin */

/** How large a picture of grain is on a board, in widths of a cell. */
const GRAINS = {
  wood: { href: new URL("../style/materials/walnut.webp", import.meta.url).href, wide: 9, high: 4.5 },
  stone: { href: new URL("../style/materials/marble.webp", import.meta.url).href, wide: 9.5, high: 9.5 },
};

/** The pieces of a board beside each other: those of the first side, of the second, the king. */
const SHEETS = {
  counters: { href: new URL("../style/materials/counters.webp", import.meta.url).href, wide: 8 },
  domes: { href: new URL("../style/materials/domes.webp", import.meta.url).href, wide: 9 },
};

/** @typedef {{href: string, wide: number}} Sheet a picture, and how many pieces are in it */

/** The picture of the pieces of a kind of board. @param {Family} family @returns {Sheet} */
export const sheetOf = (family) => SHEETS[family === "tafl" ? "domes" : "counters"];

/** @type {Map<string, Promise<boolean>>} */
const asked = new Map();
/** @type {Set<string>} */
const come = new Set();

/** Whether a picture can be drawn at once. @param {string} href */
export const isHere = (href) => come.has(href);

/** Loads a picture, once. @param {string} href @returns {Promise<boolean>} whether it came */
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

/** How far grain is shifted where boards of it lie beside each other, in widths of a cell. */
const SHIFTS = [
  [0, 0],
  [3.1, 1.3],
  [5.7, 2.9],
  [1.9, 3.7],
];

/**
 * Grain to fill shapes with, by its ids: `along-0` to `along-3` from left to right, `across-0` to `across-3` from
 * top to bottom. Stone has none that runs anywhere.
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

/** The grain that fills a shape; nothing where there is none. @param {"along" | "across"} way @param {number} nth */
export const grain = (way, nth) => `url(#${way}-${nth % SHIFTS.length}) none`;
