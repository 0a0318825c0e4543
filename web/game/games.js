// The games in the order in which they are offered, the easiest first, and the facts that the page needs without a
// catalogue. Their pictures are in parts/pictures.js, their names in the texts.

/** @typedef {import("../api/wire").components["schemas"]["Game"]} Game */

/**
 * @typedef {object} GameFacts
 * @property {number} dice in a throw; 0 in a tafl game
 * @property {1 | 2 | 3} difficulty how much one must understand to play well: little, some, much
 * @property {number} turns a typical number of turns of both sides in a game; the catalogue's "typical_turns"
 * @property {[number, number]} minutes the length of a game with the fast and with the normal clock, to the nearest five
 * @property {boolean} [opening] whether each side throws a die to decide who begins
 * @property {boolean} [called] whether throws have names that players call out
 * @property {boolean} [double] whether a game counts double against a side that has borne off nothing
 * @property {boolean} [stone] whether its board is of stone by default, like those that were found
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

/** The facts of a game. @param {Game} game @returns {GameFacts} */
export const factsOfGame = (game) => FACTS[game];

/** The facts of a game; empty if there is no such game. @param {unknown} game @returns {Partial<GameFacts>} */
export const factsOf = (game) => (GAMES.some((known) => known === game) ? FACTS[/** @type {Game} */ (game)] : {});

/** Whether it is a tafl game: a game of hunting without dice. @param {string} game */
export const isTafl = (game) => factsOf(game).dice === 0;
