// The best first turns of the games, as the computer has found them by playing them on (docs/findings.md).

import { isTafl } from "../game/games.js";
import { standing } from "./trial.js";

/** @typedef {import("../game/places.js").CatalogueEntry} CatalogueEntry */
/** @typedef {import("../game/story.js").Moment} Moment */

/**
 * The best turn for a throw at the start of a game.
 * @typedef {object} Opening
 * @property {string} game
 * @property {string} dice "6-4", the higher first
 * @property {string} turn in notation
 * @property {number} wins of a hundred games
 * @property {string} next the second best turn; "" if there is only one
 * @property {number} behind so many games fewer of a hundred
 * @property {boolean} isSure whether the first is surely better
 */

/** The openings of a file. @param {string} text @returns {Opening[]} */
export function openingsIn(text) {
  const [head = "", ...lines] = text.trim().split("\n");
  const names = head.split(",");
  return lines.map((line) => {
    const cells = line.split(",");
    const of = Object.fromEntries(names.map((name, nth) => [name, cells[nth] ?? ""]));
    const hundredths = (/** @type {string} */ name) => 100 * Number(of[name]);
    return { game: of.game, dice: of.throw, turn: of.turn, wins: hundredths("wins"), next: of.next, behind: hundredths("behind"), isSure: of.is_sure === "1" };
  });
}

/** @type {Promise<Opening[]> | undefined} */
let read;

/** All of them, read once. Without a line there are none. @returns {Promise<Opening[]>} */
export function openings() {
  const file = new URL("../docs/findings/first-turns.csv", import.meta.url);
  read ??= fetch(file).then(async (answer) => (answer.ok ? openingsIn(await answer.text()) : []));
  return read.catch(() => {
    read = undefined;
    return [];
  });
}

/** Whether it is the first turn of a game that is played by its usual options, and thrown. @param {CatalogueEntry} entry @param {Moment | undefined} moment */
export const isFirstTurn = (entry, moment) =>
  !isTafl(entry.id) && moment?.position !== undefined && (moment.toPlay?.dice.length ?? 0) > 0 && standing(moment.position) === standing(entry.start) &&
  entry.options.every(({ name, default: usual }) => (moment.options[name] ?? usual) === usual);

/** The one for the throw of a first turn. @param {Opening[]} all @param {Moment} moment */
export function openingFor(all, { game, toPlay }) {
  const dice = [...(toPlay?.dice ?? [])].sort((a, b) => b - a).join("-");
  return all.find((opening) => opening.game === game && opening.dice === dice);
}
