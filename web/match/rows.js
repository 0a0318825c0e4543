// The rows of a match in its list of turns.

import { isBorneOff } from "../game/pips.js";
import { hasSeveralGames } from "../game/story.js";
import { t } from "../text/text.js";
import { notationText } from "../text/words.js";
import { diceText, gameEndedText, told, unplayedText } from "./telling.js";

/** @typedef {import("../game/story.js").Moment} Moment */

/**
 * A row of the list.
 * @typedef {object} Row
 * @property {number} seq
 * @property {"game" | "turn" | "end"} kind
 * @property {string} side
 * @property {string} dice
 * @property {string} text
 * @property {string} left the dice that were not played
 * @property {number} number of the turn in its game
 * @property {number} [takenBack] the event since which the turn no longer counts
 */

/**
 * The rows of a match.
 * @param {any[]} events
 * @param {Moment[]} moments the moment after each of them
 * @param {Row[]} [known] the rows of the first events
 * @param {number} [from] how many events they cover
 * @returns {Row[]}
 */
export function rowsOf(events, moments, known = [], from = 0) {
  let rows = [...known];
  let number = rows.findLast(({ takenBack }) => !takenBack)?.number ?? 0;
  events.slice(from).forEach((event, nth) => {
    const moment = moments[from + nth];
    const row = { seq: event.seq, side: "", dice: "", text: "", left: "", number: 0 };
    if (event.type === "game_started") {
      number = 0;
      if (hasSeveralGames(moment)) rows.push({ ...row, kind: "game", text: t("match.game", { number: event.game_number }) });
    } else if (event.type === "turned" || event.type === "passed") {
      number += 1;
      const text = event.type === "passed" ? t("match.passes") : notationText(event.notation);
      const thrown = moment.last?.dice ?? [];
      const left = unplayedText(thrown, moment.last?.steps ?? [], isBorneOff(moment.position, event.side));
      rows.push({ ...row, kind: "turn", side: event.side, dice: diceText(thrown), text, left, number });
    } else if (event.type === "taken_back") {
      number = event.turn - 1;
      rows = rows.map((earlier) => (earlier.seq > event.to ? { takenBack: event.seq, ...earlier } : earlier));
    } else if (event.type === "game_ended") {
      rows.push({ ...row, kind: "end", text: gameEndedText(event, moment) });
    } else if (event.type === "rated" || event.type === "unrated") {
      rows.push({ ...row, kind: "end", text: told(event, moment) });
    }
  });
  return rows;
}
