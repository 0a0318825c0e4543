// Ratings of players: the best of a game, and a player's history.

import { Problem, ask } from "../api/rest.js";

/** @typedef {import("../api/wire").components["schemas"]["Game"]} Game */
/** @typedef {import("../api/wire").components["schemas"]["PlayerRating"]} PlayerRating */
/** @typedef {import("../api/wire").components["schemas"]["Rating"]} Rating */
/** @typedef {import("../api/wire").components["schemas"]["LeaderboardPlace"]} Place */
/** @typedef {import("../api/wire").components["schemas"]["RatedMatch"]} Change */
/** @typedef {import("../api/wire").components["schemas"]["RatingCurve"]} RatingCurve */

/** Live games and correspondence games have separate ratings. @typedef {PlayerRating["pace"]} RatedPace */

/** @type {RatedPace[]} */
export const PACES = ["live", "days"];

/** The conditions for a place on a leaderboard; the server decides (docs/ratings.md). */
export const PLACED = { matches: 20, deviation: 75, days: 90 };

const DAY_MS = 86_400_000;
/** The number of changes in a page. */
const PAGE = 200;
/** Of longer histories, only the latest part is loaded. */
const CHANGES_MAX = 10_000;

/** @param {string} player their handle or id @param {string} game @param {string} pace */
const curveOf = (player, game, pace) => `/players/${encodeURIComponent(player)}/ratings/${game}/${pace}`;

/**
 * The best players of a game at a pace, people or bots.
 * @param {Game} game @param {RatedPace} pace
 * @param {{bots?: boolean, limit?: number, signal?: AbortSignal}} [of]
 * @returns {Promise<Place[]>}
 * @throws {Problem}
 */
export async function leaderboard(game, pace, { bots = false, limit = 50, signal } = {}) {
  const { places } = await ask("GET", `/leaderboards/${game}/${pace}?bots=${bots}&limit=${limit}`, { signal });
  return places;
}

/** The ratings of a player, grouped by game. @param {PlayerRating[]} ratings @param {Game[]} games in their order */
export const inOrder = (ratings, games) =>
  ratings.toSorted((one, other) => games.indexOf(one.game) - games.indexOf(other.game) || PACES.indexOf(one.pace) - PACES.indexOf(other.pace));

/**
 * The present rating of a player; before their first rated match has ended, the initial rating.
 * @param {string} player their handle or id @param {string} game @param {RatedPace} pace
 * @returns {Promise<Rating>}
 * @throws {Problem}
 */
export async function ratingNow(player, game, pace) {
  /** @type {RatingCurve} */
  const { rating } = await ask("GET", `${curveOf(player, game, pace)}?limit=1`);
  return rating;
}

/** The key of a rating: "tavla-live". @param {{game: string, pace: string}} rating */
export const ratingName = ({ game, pace }) => `${game}-${pace}`;

/**
 * What a player is missing for a place.
 * @typedef {object} Short
 * @property {number} matches still to be played, rated
 * @property {boolean} isUnsure whether the deviation is too large
 * @property {boolean} isOld whether the last rated match was too long ago
 */

/** @param {PlayerRating | undefined} rating none before the first rated match @param {number} now @returns {Short} */
export function shortOf(rating, now) {
  return {
    matches: Math.max(0, PLACED.matches - (rating?.matches ?? 0)),
    isUnsure: rating !== undefined && rating.rating.deviation > PLACED.deviation,
    isOld: rating !== undefined && now - rating.played_at > PLACED.days * DAY_MS,
  };
}

/** The history of a player's rating, match by match, loaded page by page. Event: `change`. */
export class RatingHistory extends EventTarget {
  /** @param {string} handle @param {PlayerRating} rating */
  constructor(handle, { game, pace, matches }) {
    super();
    this.path = curveOf(handle, game, pace);
    /** The first match that is not loaded. */
    this.after = Math.max(0, matches - CHANGES_MAX);
    /** @type {Change[]} the oldest first */
    this.changes = [];
    this.isLoading = false;
    /** Whether all are loaded. */
    this.isWhole = false;
    /** Whether there are older matches than those loaded. */
    this.isCut = this.after > 0;
    /** @type {Problem | undefined} why the last attempt failed */
    this.problem = undefined;
  }

  /** Loads to the end, or until aborted. @param {AbortSignal} [signal] */
  async load(signal) {
    if (this.isLoading || this.isWhole) return;
    this.isLoading = true;
    this.problem = undefined;
    try {
      while (!this.isWhole) await this.page(signal);
    } catch (why) {
      if (signal?.aborted) return;
      if (!(why instanceof Problem)) throw why;
      this.problem = why;
    } finally {
      this.isLoading = false;
      this.dispatchEvent(new Event("change"));
    }
  }

  /** @param {AbortSignal} [signal] */
  async page(signal) {
    /** @type {RatingCurve} */
    const { changes, next } = await ask("GET", `${this.path}?after=${this.after}&limit=${PAGE}`, { signal });
    // Matches that end in the meantime could make this endless.
    this.changes = [...this.changes, ...changes].slice(-CHANGES_MAX);
    this.isWhole = next === undefined || next === null || next <= this.after;
    this.after = next ?? this.after;
    this.dispatchEvent(new Event("change"));
  }
}

/**
 * The points of a curve that stay distinguishable: the lowest and highest of each stretch, and both ends.
 * @param {Change[]} changes @param {number} most at least 4
 * @returns {number[]} their indices, in order
 */
export function thinned(changes, most) {
  const all = changes.map((_, nth) => nth);
  if (all.length <= most) return all;
  const last = all.length - 1;
  const stretches = Math.floor((most - 2) / 2);
  const kept = new Set([0, last]);
  for (let stretch = 0; stretch < stretches; stretch += 1) {
    const [from, to] = [stretch, stretch + 1].map((edge) => 1 + Math.floor((edge * (last - 1)) / stretches));
    const inside = all.slice(from, to);
    const points = (/** @type {number} */ nth) => changes[nth].after.points;
    kept.add(inside.reduce((low, nth) => (points(nth) < points(low) ? nth : low)));
    kept.add(inside.reduce((high, nth) => (points(nth) > points(high) ? nth : high)));
  }
  return [...kept].sort((one, other) => one - other);
}

/** The possible distances between grid lines of a chart. */
const STEPS = [20, 50, 100, 200, 500, 1000];
const LINES_MAX = 6;
/** A smaller range would exaggerate differences. */
const RANGE_MIN = 100;

/**
 * The range of a chart, and its grid lines.
 * @param {number} low @param {number} high
 * @returns {{from: number, to: number, lines: number[]}}
 */
export function scaleOf(low, high) {
  const more = Math.max(0, RANGE_MIN - (high - low)) / 2;
  const [least, greatest] = [low - more, high + more];
  const step = STEPS.find((one) => (greatest - least) / one <= LINES_MAX - 1) ?? STEPS[STEPS.length - 1];
  const first = Math.floor(least / step) * step;
  const count = Math.ceil((greatest - first) / step) + 1;
  const lines = Array.from({ length: count }, (_, nth) => first + nth * step);
  return { from: first, to: lines[lines.length - 1], lines };
}

/** A board by its URL; without a game, the boards of all games. @typedef {{game?: Game, pace: RatedPace, isBots: boolean}} Board */

/**
 * Parses a URL: `/leaderboards/tavla?pace=days&players=bots`.
 * @param {{pathname: string, search: string}} address @param {readonly Game[]} games
 * @returns {Board}
 */
export function boardOf({ pathname, search }, games) {
  const asked = new URLSearchParams(search);
  return {
    game: games.find((game) => game === pathname.split("/")[2]),
    pace: PACES.find((pace) => pace === asked.get("pace")) ?? "live",
    isBots: asked.get("players") === "bots",
  };
}

/** The URL of a board. @param {Board} board @param {string} [before] the present query, whose other fields are kept */
export function addressOf({ game, pace, isBots }, before = "") {
  const asked = new URLSearchParams(before);
  for (const name of ["pace", "players"]) asked.delete(name);
  if (pace !== "live") asked.set("pace", pace);
  if (isBots) asked.set("players", "bots");
  return `/leaderboards${game ? `/${game}` : ""}${asked.size > 0 ? `?${asked}` : ""}`;
}
