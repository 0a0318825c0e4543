// Chooses the look of a game's board by the style that the person prefers.

import { factsOf } from "./games.js";

/** @typedef {"wood" | "stone" | "contrast"} Skin the colours of a board (skins.js) */
/** @typedef {"own" | "wood" | "stone" | "inscribed" | "contrast"} Style a style to prefer */

/**
 * @typedef {object} Look
 * @property {Skin} skin
 * @property {boolean} painted whether textures are drawn over the colours
 * @property {boolean} inscribed whether words stand on the rows instead of letters
 */

/**
 * The look of a game's board. By default each has the material of ancient boards.
 * @param {Style} style
 * @param {string | undefined} game
 * @returns {Look}
 */
export function lookOf(style, game) {
  const own = factsOf(game).stone ? "stone" : "wood";
  const skin = style === "own" ? own : style === "inscribed" ? "stone" : style;
  return { skin, painted: skin !== "contrast", inscribed: style === "inscribed" };
}
