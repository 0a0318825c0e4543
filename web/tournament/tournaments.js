// Tournaments on the server: what this page asks for, and what it gets.

import { Problem, ask, freshKey, send } from "../api/rest.js";
import { loseSession, token } from "../player/identity.js";
import { currentLanguage } from "../text/text.js";

/** @typedef {import("../api/wire").components["schemas"]["Game"]} Game */
/** @typedef {import("../api/wire").components["schemas"]["Tournament"]} Tournament */
/** @typedef {import("../api/wire").components["schemas"]["TournamentCard"]} Card */
/** @typedef {import("../api/wire").components["schemas"]["YouInTournament"]} You */
/** @typedef {import("../api/wire").components["schemas"]["StandingRow"]} Standing */
/** @typedef {import("../api/wire").components["schemas"]["Standings"]} Standings */
/** @typedef {import("../api/wire").components["schemas"]["TournamentPairing"]} Pairing */
/** @typedef {import("../api/wire").components["schemas"]["PairingList"]} Pairings */
/** @typedef {import("../api/wire").components["schemas"]["LuckTable"]} Luck */
/** @typedef {import("../api/wire").components["schemas"]["TournamentBye"]} Bye */
/** @typedef {import("../api/wire").components["schemas"]["TournamentEvent"]} TournamentEvent */
/** @typedef {{head: number, events: TournamentEvent[]}} Events the last ones, up to `head` */
/** @typedef {"announced" | "running" | "ended"} Stage */
/** @typedef {{command: string} & Record<string, unknown>} Command */

/** The address of a tournament's page. @param {string} id */
export const pageOf = (id) => `/tournament/${id}`;

/** The address of the page about how tournaments are played, in the person's language. */
export const rulesPage = () => `/tournaments/rules?lang=${currentLanguage()}`;

/** What can be downloaded: its path, its type and the end of its name. */
export const FILES = /** @type {const} */ ({
  calendar: { path: "calendar", type: "text/calendar", end: "ics" },
  csv: { path: "standings", type: "text/csv", end: "csv" },
  records: { path: "records", type: "application/zip", end: "zip" },
});

/** Downloads something. @param {string} id @param {keyof typeof FILES} what @returns {Promise<Blob>} @throws {Problem} */
export async function file(id, what) {
  const { path, type } = FILES[what];
  const answer = await send(`/tournaments/${id}/${path}`, { headers: { accept: type } });
  return answer.blob().catch(() => {
    throw new Problem({ code: "offline" });
  });
}

/**
 * Sends a request as the person, or as a stranger if the server does not know them any more.
 * @param {string} path
 * @returns {Promise<any>}
 * @throws {Problem}
 */
async function look(path) {
  const key = token();
  try {
    return await ask("GET", path, { token: key });
  } catch (why) {
    if (!(why instanceof Problem) || why.code !== "unknown_token" || key === null) throw why;
    loseSession(key);
    return ask("GET", path);
  }
}

/**
 * A page of the listed tournaments.
 * @param {Stage} state @param {{game?: Game, cursor?: string, limit?: number, signal?: AbortSignal}} [of]
 * @returns {Promise<{tournaments: Card[], next?: string | null}>}
 * @throws {Problem}
 */
export function listed(state, { game, cursor, limit, signal } = {}) {
  const asked = new URLSearchParams({ state, ...(game && { game }), ...(cursor && { cursor }), ...(limit && { limit: String(limit) }) });
  return ask("GET", `/tournaments?${asked}`, { signal });
}

/** The newest tournaments of a player. @param {string} player their handle or id @returns {Promise<{tournaments: Card[]}>} @throws {Problem} */
export const tournamentsOf = (player) => look(`/players/${encodeURIComponent(player)}/tournaments`);

/** A tournament, with the person's own part. @param {string} id @returns {Promise<Tournament>} @throws {Problem} */
export const tournament = (id) => look(`/tournaments/${id}`);

/** The same for a stranger. @param {string} id @returns {Promise<Tournament>} @throws {Problem} */
export const tournamentOfStrangers = (id) => ask("GET", `/tournaments/${id}`);

/** @param {string} id @returns {Promise<Standings>} @throws {Problem} */
export const standings = (id) => ask("GET", `/tournaments/${id}/standings`);

/** The pairings of a round, or of all. @param {string} id @param {number} [round] @returns {Promise<Pairings>} @throws {Problem} */
export const pairings = (id, round) => ask("GET", `/tournaments/${id}/pairings${round === undefined ? "" : `?round=${round}`}`);

/** How many of the last events are read. */
const EVENTS_MAX = 200;

/** The last events, with those that are known. @param {string} id @param {number} head @param {Events} [known] @returns {Promise<Events>} @throws {Problem} */
export async function events(id, head, known) {
  const since = Math.max(known?.head ?? 0, head - EVENTS_MAX);
  const { events: read } = await ask("GET", `/tournaments/${id}/events?since=${since}&limit=${EVENTS_MAX}`);
  const all = [...(known?.events ?? []), ...read].slice(-EVENTS_MAX);
  return { head: all.at(-1)?.seq ?? since, events: all };
}

/** The table with luck taken out. @param {string} id @returns {Promise<Luck>} @throws {Problem} */
export const luck = (id) => ask("GET", `/tournaments/${id}/luck`);

/** Something that an entrant does. @param {string} id @param {Command} command @returns {Promise<Tournament>} @throws {Problem} */
export const entry = (id, command) => ask("POST", `/tournaments/${id}/entry`, { body: command, token: token() });

/** Something that the organiser does. @param {string} id @param {Command} command @returns {Promise<Tournament>} @throws {Problem} */
export const direct = (id, command) => ask("POST", `/tournaments/${id}/direction`, { body: command, token: token() });

/** @param {object} body @param {string} key the same for the same form, so that it is made once @returns {Promise<Tournament>} @throws {Problem} */
export const create = (body, key = freshKey()) => ask("POST", "/tournaments", { body, key, token: token() });

/** @param {string} id @param {object} body what is to change @returns {Promise<Tournament>} @throws {Problem} */
export const edit = (id, body) => ask("PATCH", `/tournaments/${id}`, { body, token: token() });
