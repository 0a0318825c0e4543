// Ratings of players: the best of a game, and how that of a player went.

import { Problem, ask } from "../api/rest.js";

/** @typedef {import("../api/wire").components["schemas"]["Game"]} Game */
/** @typedef {import("../api/wire").components["schemas"]["PlayerRating"]} PlayerRating */
/** @typedef {import("../api/wire").components["schemas"]["Rating"]} Rating */
/** @typedef {import("../api/wire").components["schemas"]["LeaderboardPlace"]} Place */
/** @typedef {import("../api/wire").components["schemas"]["RatedMatch"]} Change */
/** @typedef {import("../api/wire").components["schemas"]["RatingCurve"]} RatingCurve */

/** Games with a clock are played at once, those by correspondence for days: each has ratings of its own. @typedef {PlayerRating["pace"]} RatedPace */

/** @type {RatedPace[]} */
export const PACES = ["live", "days"];

/** What it takes to have a place; the server decides (docs/ratings.md). */
export const PLACED = { matches: 20, deviation: 75, days: 90 };

const DAY_MS = 86_400_000;
/** A page of changes. */
const PAGE = 200;
/** Of longer histories the latest part is read. */
const CHANGES_MAX = 10_000;

/** @param {string} player their handle or id @param {string} game @param {string} pace */
const curveOf = (player, game, pace) => `/players/${encodeURIComponent(player)}/ratings/${game}/${pace}`;

/**
 * The best of a game at a pace, people or bots.
 * @param {Game} game @param {RatedPace} pace
 * @param {{bots?: boolean, limit?: number, signal?: AbortSignal}} [of]
 * @returns {Promise<Place[]>}
 * @throws {Problem}
 */
export async function leaderboard(game, pace, { bots = false, limit = 50, signal } = {}) {
  const { places } = await ask("GET", `/leaderboards/${game}/${pace}?bots=${bots}&limit=${limit}`, { signal });
  return places;
}

/** The ratings of a player, those of a game one after the other. @param {PlayerRating[]} ratings @param {Game[]} games in their order */
export const inOrder = (ratings, games) =>
  ratings.toSorted((one, other) => games.indexOf(one.game) - games.indexOf(other.game) || PACES.indexOf(one.pace) - PACES.indexOf(other.pace));

/**
 * The rating of a player as it is now; before their first rated match has ended, what everybody begins with.
 * @param {string} player their handle or id @param {string} game @param {RatedPace} pace
 * @returns {Promise<Rating>}
 * @throws {Problem}
 */
export async function ratingNow(player, game, pace) {
  /** @type {RatingCurve} */
  const { rating } = await ask("GET", `${curveOf(player, game, pace)}?limit=1`);
  return rating;
}

/** Which rating is meant: "tavla-live". @param {{game: string, pace: string}} rating */
export const ratingName = ({ game, pace }) => `${game}-${pace}`;

/**
 * What somebody is short of for a place.
 * @typedef {object} Short
 * @property {number} matches rated ones that are still to be played
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

/** How the rating of a player went, match by match, read page by page. Event: `change`. */
export class RatingHistory extends EventTarget {
  /** @param {string} handle @param {PlayerRating} rating */
  constructor(handle, { game, pace, matches }) {
    super();
    this.path = curveOf(handle, game, pace);
    /** The first match that is not read. */
    this.after = Math.max(0, matches - CHANGES_MAX);
    /** @type {Change[]} the oldest first */
    this.changes = [];
    this.isLoading = false;
    /** Whether all is read. */
    this.isWhole = false;
    /** Whether there are older ones than those that are read. */
    this.isCut = this.after > 0;
    /** @type {Problem | undefined} why the last attempt failed */
    this.problem = undefined;
  }

  /** Reads on to the end, or until nobody is interested any more. @param {AbortSignal} [signal] */
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
    // Matches that end meanwhile would be read for ever.
    this.changes = [...this.changes, ...changes].slice(-CHANGES_MAX);
    this.isWhole = next === undefined || next === null || next <= this.after;
    this.after = next ?? this.after;
    this.dispatchEvent(new Event("change"));
  }
}

/**
 * So many points of a curve as can be told apart: of each stretch the lowest and the highest, and both ends.
 * @param {Change[]} changes @param {number} most at least 4
 * @returns {number[]} which of them, in their order
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

/** Between lines of a chart. */
const STEPS = [20, 50, 100, 200, 500, 1000];
const LINES_MAX = 6;
/** A shorter range would make much of little. */
const RANGE_MIN = 100;

/**
 * From where to where a chart reaches, and where its lines are.
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

/** A board as the address names it; without a game those of all games. @typedef {{game?: Game, pace: RatedPace, isBots: boolean}} Board */

/**
 * What the address asks for: `/leaderboards/tavla?pace=days&players=bots`.
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

/** The address of a board. @param {Board} board @param {string} [before] what else the address asks for stays */
export function addressOf({ game, pace, isBots }, before = "") {
  const asked = new URLSearchParams(before);
  for (const name of ["pace", "players"]) asked.delete(name);
  if (pace !== "live") asked.set("pace", pace);
  if (isBots) asked.set("players", "bots");
  return `/leaderboards${game ? `/${game}` : ""}${asked.size > 0 ? `?${asked}` : ""}`;
}
