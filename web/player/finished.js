// The person's finished matches, the newest first, and their outcomes.

import { Problem, ask } from "../api/rest.js";
import { token } from "./identity.js";

/** @typedef {import("../api/socket.js").Connection} Connection */
/** @typedef {import("../api/socket.js").Notice} Notice */
/** @typedef {import("../api/wire").components["schemas"]["Game"]} Game */
/** @typedef {import("../api/wire").components["schemas"]["MatchCard"]} MatchCard */

/** @typedef {"won" | "lost" | "drawn" | "aborted" | "both"} Outcome Outcome for the person; "both": they played both sides */
/** @typedef {{game: Game, won: number, lost: number, drawn: number}} GameResult */

/** The number of matches in a request. */
const PAGE = 50;

/** Finished matches. Event: `change`. */
export class Finished extends EventTarget {
  /** @param {Connection} connection follows the person's topic */
  constructor(connection) {
    super();
    /** @type {MatchCard[]} the newest first */
    this.cards = [];
    /** @type {string | undefined} the cursor of older matches */
    this.cursor = undefined;
    /** Whether the newest matches have been loaded. */
    this.known = false;
    /** @type {GameResult[] | undefined} the server's counts of public matches, for accounts */
    this.counted = undefined;
    connection.addEventListener("line", () => connection.line === "open" && this.refresh());
    connection.addEventListener("notice", (told) =>
      this.hear(/** @type {CustomEvent<Notice>} */ (told).detail),
    );
  }

  /** The results by game: from the server, or of the matches known here. */
  get results() {
    return this.counted ?? resultsOf(this.cards);
  }

  /** Reloads the newest matches; keeps the older ones. @returns {Promise<void>} */
  async refresh() {
    const key = token();
    try {
      const { matches, next } = key === null ? { matches: [], next: undefined } : await this.ask(key);
      const counted = matches.length > 0 && key !== null ? await count(key) : undefined;
      if (key !== token()) return this.refresh();
      const oldest = matches.at(-1);
      const older = oldest ? after(this.cards, oldest.id) : undefined;
      this.cards = [...matches, ...(older ?? [])];
      // The list may have grown by more than a page since.
      if (older === undefined || older.length === 0) this.cursor = next ?? undefined;
      this.counted = counted;
      this.known = true;
      this.changed();
    } catch (why) {
      // A failed request is repeated when the connection is back.
      if (!(why instanceof Problem)) throw why;
    }
  }

  /** Loads older matches. @throws {Problem} */
  async more() {
    const key = token();
    const { cursor } = this;
    if (key === null || cursor === undefined) return;
    const { matches, next } = await this.ask(key, cursor);
    if (cursor !== this.cursor || key !== token()) return;
    this.cards = [...this.cards, ...matches];
    this.cursor = next ?? undefined;
    this.changed();
  }

  /** @param {string} key @param {string} [cursor] @returns {Promise<{matches: MatchCard[], next?: string | null}>} */
  ask(key, cursor) {
    const from = cursor === undefined ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    return ask("GET", `/me/matches?state=finished&limit=${PAGE}${from}`, { token: key });
  }

  /** @param {Notice} notice */
  hear(notice) {
    if (notice.notice !== "match_changed" || notice.match.state !== "finished") return;
    if (!this.cards.some(({ id }) => id === notice.match.id)) this.refresh();
  }

  changed() {
    this.dispatchEvent(new Event("change"));
  }
}

/** The cards after the one with an id; none if it is not in the list. @param {MatchCard[]} cards @param {string} id */
function after(cards, id) {
  const at = cards.findIndex((card) => card.id === id);
  return at < 0 ? undefined : cards.slice(at + 1);
}

/** The server's counts for an account. @param {string} key @returns {Promise<GameResult[] | undefined>} */
async function count(key) {
  const { handle } = await ask("GET", "/me", { token: key });
  if (!handle) return undefined;
  const { results } = await ask("GET", `/players/${handle}`);
  return results.games;
}

/** The outcome of a finished match for the person. @param {MatchCard} card @returns {Outcome} */
export function outcomeOf({ result, winner_seat: winner, your_seats: seats }) {
  if (result === "aborted") return "aborted";
  if ((seats ?? []).length > 1) return "both";
  if (result === "drawn") return "drawn";
  return winner && seats?.includes(winner) ? "won" : "lost";
}

/** Counts results by game; a match in which turns were taken back does not count. @param {MatchCard[]} cards @returns {GameResult[]} only games with results */
export function resultsOf(cards) {
  const games = [...new Set(cards.map(({ game }) => game))];
  const results = games.map((game) => {
    const outcomes = cards.filter((card) => card.game === game && !card.takebacks).map(outcomeOf);
    const times = (/** @type {Outcome} */ wanted) => outcomes.filter((outcome) => outcome === wanted).length;
    return { game, won: times("won"), lost: times("lost"), drawn: times("drawn") };
  });
  return results.filter(({ won, lost, drawn }) => won + lost + drawn > 0);
}
