// The games, in the order in which they are offered, the easiest first, and what the page must know of one where
// it has no catalogue. Their pictures are in parts/pictures.js, their names in the texts.

/** @typedef {import("../api/wire").components["schemas"]["Game"]} Game */

/**
 * @typedef {object} GameFacts
 * @property {number} dice in a throw; 0 in a tafl game
 * @property {1 | 2 | 3} difficulty how much there is to understand before one plays well: little, some, much
 * @property {number} turns of both sides in a game, about; the catalogue's "typical_turns"
 * @property {[number, number]} minutes of a game with the quick and with the normal clock, to the nearest five
 * @property {boolean} [opening] whether each side throws a die to find out who begins
 * @property {boolean} [called] whether throws have names that are called out
 * @property {boolean} [double] whether a game counts twice against a side that has borne off nothing
 * @property {boolean} [stone] whether its board is of stone unless another is preferred, as those that were found
 * @property {boolean} [arches] whether the points of its board are arches instead of arrows
 */

/** @type {Record<Game, GameFacts>} */
const FACTS = {
  tavla: { dice: 2, difficulty: 1, turns: 90, minutes: [15, 30], opening: true, called: true, double: true },
  tabula: { dice: 3, difficulty: 1, turns: 120, minutes: [20, 40], arches: true },
  tablut: { dice: 0, difficulty: 2, turns: 125, minutes: [10, 35] },
  scripta: { dice: 2, difficulty: 2, turns: 280, minutes: [20, 45], stone: true },
  zeno: { dice: 3, difficulty: 3, turns: 75, minutes: [20, 40] },
};

/** All games. */
export const GAMES = /** @type {Game[]} */ (Object.keys(FACTS));

/** What the page knows of one of them. @param {Game} game @returns {GameFacts} */
export const factsOfGame = (game) => FACTS[game];

/** What is known of a game; nothing if there is no such game. @param {unknown} game @returns {Partial<GameFacts>} */
export const factsOf = (game) => (GAMES.some((known) => known === game) ? FACTS[/** @type {Game} */ (game)] : {});

/** Whether it is a tafl game: a hunt without dice. @param {string} game */
export const isTafl = (game) => factsOf(game).dice === 0;
