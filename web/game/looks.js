// What the style that a person prefers makes of the board of a game.

import { factsOf } from "./games.js";

/** @typedef {"wood" | "stone" | "contrast"} Skin the colours of a board (skins.js) */
/** @typedef {"own" | "wood" | "stone" | "inscribed" | "contrast"} Style what can be preferred */

/**
 * @typedef {object} Look
 * @property {Skin} skin
 * @property {boolean} painted whether pictures of materials are laid over colours
 * @property {boolean} inscribed whether words stand on the rows in place of letters
 */

/**
 * How the board of a game looks. By itself each is made of what boards of it were made of.
 * @param {Style} style
 * @param {string | undefined} game
 * @returns {Look}
 */
export function lookOf(style, game) {
  const own = factsOf(game).stone ? "stone" : "wood";
  const skin = style === "own" ? own : style === "inscribed" ? "stone" : style;
  return { skin, painted: skin !== "contrast", inscribed: style === "inscribed" };
}
