// The games, in the order in which they are offered, and what the page must know of one where
// it has no catalogue. Their pictures are in parts/pictures.js, their names in the texts.

/** @typedef {import("../api/wire").components["schemas"]["Game"]} Game */

/**
 * @typedef {object} GameFacts
 * @property {number} dice in a throw; 0 in a tafl game
 * @property {boolean} [opening] whether each side throws a die to find out who begins
 * @property {boolean} [called] whether throws have names that are called out
 * @property {boolean} [double] whether a game counts twice against a side that has borne off nothing
 * @property {boolean} [unfair] whether it favours those who begin, so that a pair of games is fair
 * @property {boolean} [arches] whether the points of its board are arches instead of arrows
 */

/** @type {Record<Game, GameFacts>} */
const FACTS = {
  zeno: { dice: 3, unfair: true },
  scripta: { dice: 2 },
  tabula: { dice: 3, arches: true },
  tavla: { dice: 2, opening: true, called: true, double: true },
  tablut: { dice: 0 },
};

/** All games. */
export const GAMES = /** @type {Game[]} */ (Object.keys(FACTS));

/** What is known of a game; nothing if there is no such game. @param {unknown} game @returns {Partial<GameFacts>} */
export const factsOf = (game) => (GAMES.some((known) => known === game) ? FACTS[/** @type {Game} */ (game)] : {});

/** Whether it is a tafl game: a hunt without dice. @param {string} game */
export const isTafl = (game) => factsOf(game).dice === 0;
