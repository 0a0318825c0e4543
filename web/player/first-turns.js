// Counts the turns that a person has played in each game at this device: the first ones come with explanations.

/** @typedef {import("../api/wire").components["schemas"]["Game"]} Game */

const KEPT_AS = "lusoria.turns";

/** The number of first turns in which the route is shown. */
const FIRST_TURNS = 3;

/** @type {Record<string, number> | undefined} */
let counts;

/** @returns {Record<string, number>} */
function known() {
  if (counts) return counts;
  try {
    counts = JSON.parse(localStorage.getItem(KEPT_AS) ?? "{}") ?? {};
  } catch {
    counts = {};
  }
  return /** @type {Record<string, number>} */ (counts);
}

/** The share of the first turns of a game that a person has played here. @param {Game} game */
export const partPlayed = (game) => Math.min(1, (known()[game] ?? 0) / FIRST_TURNS);

/** Whether a person is still in their first turns of a game here. @param {Game} game */
export const isNewTo = (game) => (known()[game] ?? 0) < FIRST_TURNS;

/** Notes that a turn has been played. @param {Game} game */
export function notePlayed(game) {
  if (!isNewTo(game)) return;
  counts = { ...known(), [game]: (known()[game] ?? 0) + 1 };
  try {
    localStorage.setItem(KEPT_AS, JSON.stringify(counts));
  } catch {
    // It is remembered until the page is closed.
  }
}
