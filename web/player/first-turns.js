// How many turns of each game a person has played at this device: the first ones are explained more.

/** @typedef {import("../api/wire").components["schemas"]["Game"]} Game */

const KEPT_AS = "lusoria.turns";

/** For so many turns of a game it is shown where one's pieces go. */
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

/** How many of their first turns of a game a person has played here, as a part of them all. @param {Game} game */
export const partPlayed = (game) => Math.min(1, (known()[game] ?? 0) / FIRST_TURNS);

/** Whether a person still plays their first turns of a game here. @param {Game} game */
export const isNewTo = (game) => (known()[game] ?? 0) < FIRST_TURNS;

/** Notes that a turn has been played. @param {Game} game */
export function notePlayed(game) {
  if (!isNewTo(game)) return;
  counts = { ...known(), [game]: (known()[game] ?? 0) + 1 };
  try {
    localStorage.setItem(KEPT_AS, JSON.stringify(counts));
  } catch {
    // It is known until the page is left.
  }
}
