// The names of games, sides, problems and times.

import { currentLocale, find, t } from "./text.js";

/** @typedef {import("../api/wire").components["schemas"]["Game"]} Game */
/** @typedef {import("../api/wire").components["schemas"]["SideName"]} SideName */
/** @typedef {import("../api/wire").components["schemas"]["Clock"]} Clock */
/** @typedef {{code: string, params?: Record<string, unknown>}} Reason */
/** @typedef {{code: string, detail?: string, title?: string, reason?: Reason, retryAfterS?: number}} Told */

/** @param {Game} game */
export const gameName = (game) => t(`games.${game}`);

/** A game's name in a sentence. @param {Game} game */
export const gameLine = (game) => t(`games.${game}.line`);

/** @param {SideName} side */
export const sideName = (side) => t(`sides.${side}`);

/** The name of a level of the computer. @param {number} level */
export const levelName = (level) => find(`levels.${level}`) ?? String(level);

/**
 * The terms worth mentioning: the length of a match, unless it is a single game, and that it is rated.
 * @param {{points: number, games?: number | null, rated?: boolean}} terms
 * @returns {string[]}
 */
export function lengthAndStake({ points, games, rated }) {
  const length = games ? [t("match.pair")] : points > 1 ? [t("match.series", { count: points })] : [];
  return rated ? [...length, t("match.rated")] : length;
}

/**
 * A player: a person, a bot, or the computer at a level.
 * @typedef {{name: string, kind?: "person" | "bot" | "computer", level?: number | null}} Called
 */

/** The placeholder for an erased name. */
const ERASED = "Erased guest";

/** A name as shown: an erased one is named in the reader's language. @param {string} name */
export const nameText = (name) => (name === ERASED ? t("common.erased") : name);

/** A player's name: the computer by its level, in the person's language. @param {Called} player */
export const calledText = ({ name, kind, level }) =>
  kind === "computer" && level ? t("levels.computer", { level: levelName(level) }) : nameText(name);

/** The computer's name where it plays itself at the same level. @param {number} level @param {SideName} side */
export const computerText = (level, side) => t("levels.computer.side", { level: levelName(level), side: sideName(side) });

/** A player's name where no mark stands beside it. @param {Called} player */
export const markedText = (player) =>
  player.kind === "bot" ? t("levels.bot.name", { name: nameText(player.name) }) : calledText(player);

/**
 * Why something is refused, in the person's language if there is a text.
 * @param {Told} problem
 */
export function problemText(problem) {
  const reason = problem.reason && reasonText(problem.reason);
  if (reason) return reason;
  const params = { retry: problem.retryAfterS ?? 1 };
  return find(`problems.${problem.code}`, params) ?? problem.detail ?? problem.title ?? problem.code;
}

/**
 * Why a step is not legal.
 * @param {Reason} reason
 * @returns {string | undefined}
 */
export function reasonText(reason) {
  /** @type {Record<string, string | number>} */
  const params = {};
  for (const [name, value] of Object.entries(reason.params ?? {})) {
    params[name] = typeof value === "number" ? value : spoken(name, String(value));
  }
  // A piece that is borne off has no target.
  const isOff = reason.params?.expected === "off";
  return (isOff && find(`reasons.${reason.code}.off`, params)) || find(`reasons.${reason.code}`, params);
}

/** @param {string} name @param {string} value */
function spoken(name, value) {
  if (name === "side" || name === "to_play") return find(`sides.${value}`) ?? value;
  if (name === "game") return find(`games.${value}`) ?? value;
  return placeName(value);
}

/** The name of a place in a sentence: a cell by its id. @param {string} place */
export const placeName = (place) => find(`board.place.${place}`) ?? place;

/** A turn in notation, with the places beside the board in the person's language. @param {string} notation */
export const notationText = (notation) =>
  notation.replace(/\b(?:supply|bar|off)\b/g, (place) => t(`board.notation.${place}`));

/** A clock's terms. @param {Clock} clock */
export function clockText(clock) {
  const minutes = (/** @type {number} */ ms) => ms / 60_000;
  const seconds = (/** @type {number} */ ms) => ms / 1_000;
  switch (clock.kind) {
    case "fischer":
      return t("clock.fischer", { minutes: minutes(clock.base_ms), seconds: seconds(clock.increment_ms) });
    case "delay":
      return t("clock.delay", { minutes: minutes(clock.base_ms), seconds: seconds(clock.delay_ms) });
    case "days":
      return t("clock.days", { count: clock.days });
    default:
      return t("clock.none");
  }
}

/** A rough duration in the past. @param {number} ms */
export function ago(ms) {
  const format = new Intl.RelativeTimeFormat(currentLocale(), { numeric: "auto" });
  const minutes = Math.round(ms / 60_000);
  if (minutes < 1) return t("common.justNow");
  if (minutes < 60) return format.format(-minutes, "minute");
  const hours = Math.round(minutes / 60);
  return hours < 48 ? format.format(-hours, "hour") : format.format(-Math.round(hours / 24), "day");
}

/** How many games have been counted, and in how many matches. @param {number} games @param {number} matches */
export const countedText = (games, matches) =>
  t("statistics.counted", {
    games: t("statistics.count.games", { count: games }),
    matches: t("statistics.count.matches", { count: matches }),
  });

/** A date and time. @param {number} at milliseconds since the epoch */
export const moment = (at) =>
  new Intl.DateTimeFormat(currentLocale(), { dateStyle: "medium", timeStyle: "short" }).format(at);
