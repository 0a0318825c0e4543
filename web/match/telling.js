// Describes events in a sentence, for the live region and the status line.

import { factsOf, isTafl } from "../game/games.js";
import { hasSeveralGames, seatOf } from "../game/story.js";
import { changeSaid, changeText, unratedText } from "../text/rating.js";
import { find, listed, t } from "../text/text.js";
import { calledText, computerText, markedText, notationText, sideName } from "../text/words.js";
import { throwCall } from "./calls.js";

/** @typedef {import("../game/story.js").Moment} Moment */
/** @typedef {import("../game/story.js").Seat} Seat */

/** @type {Seat[]} */
const SEATS = [1, 2];

/** A player's name, or the side where one person plays both. @param {Moment} moment @param {Seat} seat */
export function playerName(moment, seat) {
  const { players, sides } = moment;
  const side = sides?.[seat];
  const player = players[seat];
  if (players[1]?.id === players[2]?.id && side) {
    const isComputer = player?.kind === "computer" && player.level;
    return isComputer ? computerText(player.level ?? 0, side) : sideName(side);
  }
  return player ? calledText(player) : side ? sideName(side) : t("match.nobody");
}

/** The seat of a person who plays one side; none if they play both, or watch. @param {Seat[]} mine */
const ownOf = (mine) => (mine.length === 1 ? mine[0] : undefined);

/** Dice as text. @param {number[]} dice */
export const diceText = (dice) => dice.join("-");

/** A throw, with its call in games with calls. @param {Moment} moment @param {number[]} dice */
export function thrownText(moment, dice) {
  const call = factsOf(moment.game).called && dice.length === 2 ? ` (${throwCall(dice)})` : "";
  return diceText(dice) + call;
}

/**
 * An event as told to the players of some seats; empty for events that need no announcement.
 * @param {any} event
 * @param {Moment} moment the moment after it
 * @param {Seat[]} [mine]
 * @returns {string}
 */
export function told(event, moment, mine = []) {
  const name = event.seat ? playerName(moment, event.seat) : "";
  const agreed = (/** @type {string} */ what) =>
    event.seat === ownOf(mine) ? t(`match.you.${what}`) : t(`match.${what}`, { name });
  switch (event.type) {
    case "joined":
      return t("match.joined", { name: markedText(event.player) });
    case "game_started":
      return hasSeveralGames(moment) ? t("match.gameStarted", { number: event.game_number }) : t("match.started");
    case "opening_thrown":
      return openingText(event, moment);
    case "thrown":
      return t("match.thrown", { name, dice: thrownText(moment, event.dice) });
    case "turned":
      return [t("match.turned", { name, turn: notationText(event.notation) }), callText(event.call)].filter(Boolean).join(" ");
    case "passed":
      return passedText(moment);
    case "taken_back":
      return agreed("takenBack");
    case "takeback_offered":
      return agreed("takebackOffered");
    case "takeback_declined":
      return agreed("takebackDeclined");
    case "draw_offered":
      return agreed("drawOffered");
    case "draw_declined":
      return agreed("drawDeclined");
    case "credited":
      return t("match.credited");
    case "game_ended":
      return gameEndedText(event, moment);
    case "match_ended":
      return matchEndedText(moment);
    case "rated":
      return ratedSaid(moment);
    case "unrated":
      return unratedText(event.reason);
    case "rematch_offered":
      // The computer always accepts a rematch: its offer is no news.
      return moment.players[/** @type {Seat} */ (event.seat)]?.kind === "computer" ? "" : agreed("rematchOffered");
    case "rematch_declined":
      return agreed("rematchDeclined");
    default:
      return "";
  }
}

/** @param {{white: number, black: number, begins?: string}} event @param {Moment} moment */
function openingText({ white, black, begins }, moment) {
  if (!begins) return t("match.openingTie", { white, black });
  const seat = seatOf(moment, /** @type {any} */ (begins));
  return t("match.opening", { white, black, name: seat ? playerName(moment, seat) : "" });
}

/** The warning of a tafl game. @param {string | undefined | null} call */
export const callText = (call) => (call ? t(`match.${call}`) : "");

/** Why there was no legal turn. @param {Moment} moment */
export function passedText(moment) {
  const { last, position } = moment;
  if (!last) return "";
  const name = playerName(moment, last.seat);
  const dice = diceText(last.dice);
  const pieces = position && !("board" in position) ? position[/** @type {"white"} */ (last.side)] : undefined;
  const middle = Object.keys(pieces?.points ?? {}).some((cell) => cell.startsWith("m"));
  const why = (pieces?.bar ?? 0) > 0 ? "Bar" : middle ? "Middle" : (pieces?.supply ?? 0) > 0 ? "Supply" : "";
  return t(`match.passed${why}`, { name, dice });
}

/** @param {any} event @param {Moment} moment */
export function gameEndedText(event, moment) {
  const winner = event.winner_seat ?? event.winner;
  if (event.reason === "aborted") return t("match.gameBroken");
  const why = find(`ends.${event.reason}`) ?? event.reason;
  if (!winner) return t("match.gameDrawn", { why });
  const name = playerName(moment, winner);
  return t("match.gameWon", { name, why, count: event.points });
}

/** The end of the match, as told to the players of some seats. @param {Moment} moment @param {Seat[]} [mine] */
export function matchEndedText(moment, mine = []) {
  const { result } = moment;
  if (!result) return "";
  if (result.result === "aborted") return find(`ends.aborted.${result.reason}`) ?? t("ends.aborted");
  if (result.result === "drawn") return t("match.matchDrawn", { score: scoreText(moment) });
  const name = result.winner ? playerName(moment, result.winner) : "";
  const own = ownOf(mine);
  if (own && result.winner) {
    const how = result.winner === own ? "won" : "lost";
    return hasSeveralGames(moment) ? t(`match.youBy.${how}`, { score: scoreText(moment) }) : t(`match.you.${how}`);
  }
  return hasSeveralGames(moment) ? t("match.matchWonBy", { name, score: scoreText(moment) }) : t("match.matchWon", { name });
}

/**
 * The end of a game: the winner, the reason, and the points.
 * @typedef {object} GameEnd
 * @property {string} title
 * @property {string} why
 * @property {string} points
 */

/** The result of the last game, as told to the players of some seats. @param {Moment} moment @param {Seat[]} mine @returns {GameEnd | undefined} */
export function gameEnd(moment, mine) {
  const end = moment.ended.at(-1);
  if (!end || end.reason === "aborted") return undefined;
  const own = ownOf(mine);
  const loser = end.winner && (end.winner === 1 ? 2 : 1);
  const personal = loser && (loser === own ? find(`ends.${end.reason}.you`) : find(`ends.${end.reason}.by`, { name: playerName(moment, loser) }));
  const why = personal ?? find(`ends.${end.reason}`) ?? end.reason;
  const title = !end.winner
    ? t("ends.drawn")
    : own
      ? t(end.winner === own ? "match.you.won" : "match.you.lost")
      : t("match.matchWon", { name: playerName(moment, end.winner) });
  const points = end.winner ? t("ends.points", { count: end.points }) : "";
  return { title, why: why.charAt(0).toLocaleUpperCase() + why.slice(1), points };
}

/** The changes of both ratings, in a sentence each. @param {Moment} moment */
function ratedSaid(moment) {
  const { ratings } = moment;
  if (!ratings) return "";
  const [one, other] = SEATS.map((seat) => changeSaid(playerName(moment, seat), ratings.seats[seat]));
  return t("rating.said.both", { one, other });
}

/**
 * The change of a seat's rating, as told to the players of some seats; nothing if none changed, or the rating of the
 * match was revoked.
 * @param {Moment} moment @param {Seat} seat @param {Seat[]} mine
 */
export function ratedText(moment, seat, mine) {
  const { ratings } = moment;
  if (!ratings || ratings.taken_back) return "";
  const change = changeText(ratings.seats[seat]);
  return seat === ownOf(mine) ? t("rating.yours", { change }) : t("rating.of", { name: playerName(moment, seat), change });
}

/**
 * The dice of a throw that were not played, in words; nothing if all were.
 * @param {number[]} dice @param {{die?: number | null}[]} steps
 * @param {boolean} [isWon] whether the rest was not needed
 */
export function unplayedText(dice, steps, isWon = false) {
  const played = steps.flatMap(({ die }) => (die ? [die] : []));
  const count = (/** @type {number[]} */ of, /** @type {number} */ die) => of.filter((one) => one === die).length;
  const left = [...new Set(dice)].filter((die) => count(played, die) < count(dice, die));
  if (left.length === 0 || dice.length === 0) return "";
  const params = { played: listed(played.map(String)), left: listed(left.map(String)) };
  return t(isWon ? "match.playedUnneeded" : played.length > 0 ? "match.playedBlocked" : "match.blocked", params);
}

/**
 * The verifiable part of a match: its dice or, in a game without dice, the drawing of sides; nothing without both.
 * @param {Moment} moment
 */
export function checkText({ game, isByLot }) {
  if (!isTafl(game)) return t("match.checkDice");
  return isByLot ? t("match.checkLot") : "";
}

/** "2–1", seat 1's points first. @param {Moment} moment */
export const scoreText = ({ score }) => `${score[1]}–${score[2]}`;

/** The player to move, and what they have to do. @param {Moment} moment @param {boolean} mine @param {boolean} covered */
export function turnText(moment, mine, covered) {
  const { toPlay } = moment;
  if (!toPlay) return "";
  if (covered) return mine ? t("turn.throw") : t("match.toThrow", { name: playerName(moment, toPlay.seat) });
  const call = factsOf(moment.game).called && toPlay.dice.length === 2 ? `${throwCall(toPlay.dice)} · ` : "";
  const name = playerName(moment, toPlay.seat);
  const thinks = moment.players[toPlay.seat]?.kind === "computer";
  if (!mine) return call + t(thinks ? "match.thinks" : "match.waitsFor", { name });
  return call + t(isTafl(moment.game) ? "turn.move" : "turn.yours");
}

/** How the match ended and, unless it was a series, why: for its watchers. @param {Moment} moment */
export function endText(moment) {
  const why = hasSeveralGames(moment) ? undefined : gameEnd(moment, [])?.why;
  return [matchEndedText(moment), why].filter(Boolean).join(" ");
}
