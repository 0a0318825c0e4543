// Players with accounts: the search, their results, and their matches.

import { Problem, ask, load } from "../api/rest.js";
import { loseSession, token } from "./identity.js";

/** @typedef {import("../api/wire").components["schemas"]["AccountPlayer"]} AccountPlayer */
/** @typedef {import("../api/wire").components["schemas"]["HeadToHead"]} HeadToHead */
/** @typedef {import("../api/wire").components["schemas"]["MatchCard"]} MatchCard */
/** @typedef {import("../api/wire").components["schemas"]["MatchList"]} MatchList */
/** @typedef {import("../api/wire").components["schemas"]["Profile"]} Profile */

/** The result of a match for a player, or its state. @typedef {"won" | "lost" | "drawn" | "aborted" | "live" | "open"} Played */

/** A filter of matches, as in the query of the URL; empty fields do not filter. @typedef {Partial<Record<typeof FILTERS[number], string>>} Filter */

/** Shorter beginnings find nobody. */
export const SEARCH_MIN = 2;
export const HANDLE_MAX = 20;

/** The fields of a filter. Days are written as `2026-03-31`, in this device's time zone. */
export const FILTERS = /** @type {const} */ (["game", "opponent", "result", "points", "clock", "from", "until"]);

/** A page may be empty although there are more: this many are loaded at once. */
const PAGES_AT_ONCE = 5;
const PAGE_MATCHES = 20;

/** Whether a handle can begin like this. @param {string} beginning */
export const isOfHandle = (beginning) => /^[a-z0-9_-]*$/i.test(beginning) && beginning.length <= HANDLE_MAX;

/** Whether a player is named by an id; no handle looks like one. @param {string} named */
export const isId = (named) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(named);

/** The URL of a player's page; guests without an account have none, and the page says so. @param {string} player their handle or id */
export const pageOf = (player) => `/player/${encodeURIComponent(player)}`;

/**
 * Sends a request as the person, if there is a token; else anonymously.
 * @param {string} path
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 * @throws {Problem}
 */
const look = (path, signal) => asEither((token) => ask("GET", path, { token, signal }));

/** @template T @param {(token: string | null) => Promise<T>} send @returns {Promise<T>} */
async function asEither(send) {
  const key = token();
  try {
    return await send(key);
  } catch (why) {
    if (!(why instanceof Problem) || why.code !== "unknown_token" || key === null) throw why;
    loseSession(key);
    return send(null);
  }
}

/**
 * Players whose handles begin so.
 * @param {string} beginning
 * @param {AbortSignal} signal
 * @returns {Promise<AccountPlayer[]>}
 * @throws {Problem}
 */
export async function search(beginning, signal) {
  const { players } = await ask("GET", `/players?search=${encodeURIComponent(beginning)}`, { signal });
  return players;
}

/**
 * A player, and their results.
 * @param {string} player their handle or id
 * @returns {Promise<Profile>}
 * @throws {Problem} `no_such_guest` if it is no player with an account
 */
export const profile = (player) => ask("GET", `/players/${encodeURIComponent(player)}`);

/**
 * The results of one player against another.
 * @param {string} handle
 * @param {string} other
 * @returns {Promise<HeadToHead>}
 * @throws {Problem}
 */
export const against = (handle, other) =>
  ask("GET", `/players/${encodeURIComponent(handle)}/against/${encodeURIComponent(other)}`);

/** The filter in a query. @param {string} query @returns {Filter} */
export function filterOf(query) {
  const asked = new URLSearchParams(query);
  return Object.fromEntries(FILTERS.map((name) => [name, asked.get(name)?.trim() ?? ""]).filter(([, value]) => value));
}

/**
 * The query of a filter: empty, or with its question mark.
 * @param {Filter} filter
 * @param {string} [before] the present query, whose other fields are kept
 */
export function queryOf(filter, before = "") {
  const asked = new URLSearchParams(before);
  for (const name of FILTERS) asked.delete(name);
  for (const [name, value] of given(filter)) asked.set(name, value);
  return asked.size > 0 ? `?${asked}` : "";
}

/** @param {Filter} filter @returns {[string, string][]} */
const given = (filter) => FILTERS.flatMap((name) => (filter[name] ? [/** @type {[string, string]} */ ([name, filter[name]])] : []));

/**
 * The filter in the API: days become times, and the last day counts whole.
 * @param {Filter} filter
 * @returns {URLSearchParams}
 */
export function wantedOf(filter) {
  const wanted = new URLSearchParams(given(filter));
  const from = dayOf(filter.from, 0);
  const until = dayOf(filter.until, 1);
  wanted.delete("from");
  wanted.delete("until");
  if (from !== undefined) wanted.set("from", String(from));
  if (until !== undefined) wanted.set("until", String(until));
  return wanted;
}

/** The beginning of a day on this device, or of a later one. @param {string | undefined} day @param {number} later @returns {number | undefined} */
function dayOf(day, later) {
  const [, year, month, date] = (/^(\d{4})-(\d\d)-(\d\d)$/.exec(day ?? "") ?? []).map(Number);
  if (year === undefined) return undefined;
  return Math.max(0, new Date(year, month - 1, date + later).getTime());
}

/** The result of a match for a player, or its state. @param {MatchCard} card @param {string} player their id @returns {Played} */
export function playedBy({ state, result, winner_seat, players }, player) {
  if (state !== "finished") return state;
  if (result !== "won") return result ?? "aborted";
  const winner = winner_seat === 1 ? players[1] : players[2];
  return winner?.id === player ? "won" : "lost";
}

/** The matches of a player, loaded page by page. Event: `change`. */
export class PlayedMatches extends EventTarget {
  /** @param {string} handle @param {Filter} filter */
  constructor(handle, filter) {
    super();
    this.handle = handle;
    this.filter = filter;
    /** @type {MatchCard[]} the newest first */
    this.matches = [];
    this.isLoading = false;
    /** Whether there may be more. */
    this.hasMore = true;
    /** @type {Problem | undefined} why the last attempt failed */
    this.problem = undefined;
    /** @type {string | undefined} */
    this.cursor = undefined;
  }

  /** Loads more pages, until there is a new match or a limit is reached. */
  async more() {
    if (this.isLoading || !this.hasMore) return;
    this.isLoading = true;
    this.problem = undefined;
    this.changed();
    try {
      const wished = this.matches.length + PAGE_MATCHES;
      for (let page = 0; page < PAGES_AT_ONCE && this.hasMore && this.matches.length < wished; page += 1) {
        await this.readPage();
      }
    } catch (why) {
      if (!(why instanceof Problem)) throw why;
      this.problem = why;
    } finally {
      this.isLoading = false;
      this.changed();
    }
  }

  async readPage() {
    const wanted = wantedOf(this.filter);
    if (this.cursor) wanted.set("cursor", this.cursor);
    /** @type {MatchList} */
    const { matches, next } = await look(`/players/${encodeURIComponent(this.handle)}/matches?${wanted}`);
    this.matches = [...this.matches, ...matches];
    this.cursor = next ?? undefined;
    this.hasMore = this.cursor !== undefined;
    this.changed();
  }

  changed() {
    this.dispatchEvent(new Event("change"));
  }
}

/** Formats of records. @typedef {"ndjson" | "text"} RecordsForm */

/** The URL of the records of matches, without a token. @param {string} handle @param {Filter} filter @param {RecordsForm} form */
export const recordsAddress = (handle, filter, form) => `/api/v1${recordsPath(handle, filter, form)}`;

/** The name of the file of records. @param {string} handle @param {RecordsForm} form */
export const recordsFile = (handle, form) => `lusoria-${handle}.${form === "text" ? "txt" : "ndjson"}`;

/**
 * The records of the matches, including those that only the person sees.
 * @param {string} handle
 * @param {Filter} filter
 * @param {RecordsForm} form
 * @returns {Promise<Blob>}
 * @throws {Problem}
 */
export const records = (handle, filter, form) => asEither((token) => load(recordsPath(handle, filter, form), { token }));

/** @param {string} handle @param {Filter} filter @param {RecordsForm} form */
function recordsPath(handle, filter, form) {
  const wanted = wantedOf(filter);
  wanted.set("format", form);
  return `/players/${encodeURIComponent(handle)}/records?${wanted}`;
}
