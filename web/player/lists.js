// The matches on home, kept up to date: the person's own, open ones, and some live ones.

import { ask } from "../api/rest.js";
import { waits } from "./badge.js";
import { hiding, isHidden } from "./hidden.js";
import { guest, token } from "./identity.js";
import { Watched } from "./watched.js";

/** @typedef {import("../api/socket.js").Connection} Connection */
/** @typedef {import("../api/socket.js").Notice} Notice */
/** @typedef {import("../api/wire").components["schemas"]["MatchCard"]} MatchCard */
/** @typedef {import("../api/wire").components["schemas"]["Position"]} Position */
/** @typedef {import("../api/wire").components["schemas"]["Seek"]} Seek */

const OPEN_MAX = 50;
/** The most seeks of a guest; of more, the newest are shown. */
const MINE_MAX = 100;
/** Boards of the person's own matches that are shown by default. */
export const BOARDS_MAX = 12;
/** Boards that are loaded in parallel. */
const BOARDS_TOGETHER = 6;
/** Live matches of others that are watched. */
const WATCHED_MAX = 6;
const LIVE_ASKED = 20;
/** The most pages to load: some matches may be the person's own, which are shown elsewhere. */
const PAGES_MAX = 5;
/** Notices within this time cause a single reload. */
const TOGETHER_MS = 1_000;
/** There are no notices about other players' seeks: they are polled. */
const SEEKS_EVERY_MS = 10_000;

/** The lists. Event: `change`. */
export class Lists extends EventTarget {
  /** @param {Connection} connection */
  constructor(connection) {
    super();
    this.connection = connection;
    /** @type {MatchCard[]} open matches of others; the newest first */
    this.open = [];
    /** @type {Seek[]} seeks of others that the person can join; the newest first */
    this.seeks = [];
    /** @type {MatchCard[]} the person's unfinished matches; those where it is their turn first */
    this.unfinished = [];
    /** @type {Map<string, Position>} the state of the person's matches */
    this.boards = new Map();
    /** @type {Map<string, number>} the event of that state */
    this.heads = new Map();
    /** @type {Map<string, Watched>} */
    this.watched = new Map();
    /** @type {Map<string, () => void>} stops watching */
    this.ends = new Map();
    /** Which lists have been loaded: until then, an empty list means nothing. */
    this.known = { open: false, mine: false, live: false };
    this.timer = 0;
    connection.addEventListener("line", () => this.heardOfLine());
    connection.addEventListener("notice", (told) =>
      this.hear(/** @type {CustomEvent<Notice>} */ (told).detail),
    );
    document.addEventListener("visibilitychange", () => this.seen());
    hiding.addEventListener("change", () => this.changed());
    addEventListener("pageshow", (shown) => shown.persisted && this.seen());
    setInterval(() => document.visibilityState === "visible" && this.askSeeks().catch(() => {}), SEEKS_EVERY_MS);
  }

  /** Begins. Loads the person's own matches before the socket is connected, so that they appear soon. @returns {Promise<void>} */
  start() {
    this.connection.follow("lobby");
    this.connection.follow("personal");
    this.connection.open();
    return this.askMine();
  }

  /** The unfinished matches that are shown. */
  get mine() {
    return this.unfinished.filter(({ id }) => !isHidden(id));
  }

  /** The unfinished matches that the person has hidden. */
  get hidden() {
    return this.unfinished.filter(({ id }) => isHidden(id));
  }

  /** Notices during a lost connection are missed: everything is reloaded. */
  heardOfLine() {
    const { line } = this.connection;
    if (line === "open" || (line === "waiting" && !this.known.live)) this.refresh();
  }

  /** A hidden page watches nothing. */
  seen() {
    if (document.visibilityState === "visible") return this.refresh();
    for (const id of [...this.ends.keys()]) this.unwatch(id);
  }

  changed() {
    this.dispatchEvent(new Event("change"));
  }

  /** Reloads all lists, once for all reasons that come together. */
  refresh() {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => {
      if (document.visibilityState !== "visible") return;
      // A failed request is repeated when the connection is back.
      for (const list of [this.askOpen(), this.askSeeks(), this.askMine(), this.askLive()]) list.catch(() => {});
    }, this.known.live ? TOGETHER_MS : 0);
  }

  async askOpen() {
    this.open = await others("open", OPEN_MAX, OPEN_MAX);
    this.known.open = true;
    this.changed();
  }

  async askSeeks() {
    const { seeks } = await ask("GET", "/seeks/waiting", { token: token() });
    this.seeks = seeks;
    this.changed();
  }

  /** @returns {Promise<void>} */
  async askMine() {
    const key = token();
    if (key === null) {
      this.unfinished = [];
      this.known.mine = true;
      return this.changed();
    }
    const list = (/** @type {string} */ state) =>
      ask("GET", `/me/matches?state=${state}&limit=${MINE_MAX}`, { token: key });
    const [live, open] = await Promise.all([list("live"), list("open")]);
    if (key !== token()) return this.askMine();
    this.unfinished = [...live.matches, ...open.matches].sort(byTurn);
    this.known.mine = true;
    this.changed();
    // Nothing else waits for the boards.
    this.askBoards(this.mine.slice(0, BOARDS_MAX)).catch(() => {});
  }

  /** Loads the state of the person's matches, some in parallel. @param {MatchCard[]} cards */
  async askBoards(cards) {
    const played = cards.filter(({ state }) => state === "live");
    for (let from = 0; from < played.length; from += BOARDS_TOGETHER) {
      await Promise.all(played.slice(from, from + BOARDS_TOGETHER).map((card) => this.askBoard(card)));
      this.changed();
    }
  }

  /** @param {MatchCard} card */
  async askBoard({ id, head }) {
    if (this.heads.get(id) === head) return;
    // A snapshot over HTTP: watching one's own match would tell the opponent that one is connected to it.
    const { position, head: seen } = await ask("GET", `/matches/${id}`);
    this.heads.set(id, seen);
    if (position) this.boards.set(id, position);
  }

  async askLive() {
    const cards = await others("live", WATCHED_MAX, LIVE_ASKED);
    const shown = new Set(cards.map(({ id }) => id));
    for (const id of [...this.watched.keys()]) {
      if (shown.has(id)) continue;
      this.unwatch(id);
      this.watched.delete(id);
    }
    for (const card of cards) this.watch(card);
    this.known.live = true;
    this.changed();
  }

  /** @param {MatchCard} card */
  watch(card) {
    if (this.ends.has(card.id)) return;
    const watched = this.watched.get(card.id) ?? new Watched(card, () => this.moved(watched));
    this.watched.set(card.id, watched);
    this.ends.set(card.id, this.connection.watch(card.id, watched));
  }

  /** @param {string} id */
  unwatch(id) {
    this.ends.get(id)?.();
    this.ends.delete(id);
  }

  /** @param {Watched} watched */
  moved(watched) {
    this.changed();
    if (watched.ended) this.refresh();
  }

  /** @param {Notice} notice */
  hear(notice) {
    switch (notice.notice) {
      case "opened":
        if (notice.match.players[1].id === guest()?.id) return;
        this.open = [notice.match, ...without(this.open, notice.match.id)].slice(0, OPEN_MAX);
        return this.changed();
      case "closed":
        this.open = without(this.open, notice.match);
        this.changed();
        // A player has joined: there may be a new board to show.
        return this.refresh();
      case "your_turn":
      case "match_changed":
        this.unfinished = [notice.match, ...without(this.unfinished, notice.match.id)]
          .filter(({ state }) => state !== "finished")
          .sort(byTurn);
        this.changed();
        return void this.askBoard(notice.match).then(() => this.changed(), () => {});
      default:
        return undefined;
    }
  }
}

/**
 * Matches in which the person does not play, the newest first.
 * @param {"open" | "live"} state
 * @param {number} wanted
 * @param {number} limit of matches in a page
 * @returns {Promise<MatchCard[]>}
 */
async function others(state, wanted, limit) {
  const me = guest()?.id;
  /** @type {MatchCard[]} */
  const found = [];
  let from = "";
  for (let page = 0; page < PAGES_MAX; page += 1) {
    /** @type {{matches: MatchCard[], next?: string | null}} */
    const { matches, next } = await ask("GET", `/matches?state=${state}&limit=${limit}${from}`);
    found.push(
      // The second seat of an open match is empty, as is a stranger's id.
      ...matches.filter(({ players }) => me === undefined || (players[1].id !== me && players[2]?.id !== me)),
    );
    if (found.length >= wanted || !next) break;
    from = `&cursor=${encodeURIComponent(next)}`;
  }
  return found.slice(0, wanted);
}

/** @param {MatchCard[]} cards @param {string} id */
const without = (cards, id) => cards.filter((card) => card.id !== id);

/** Orders the matches where it is the person's turn first, then the latest changes. @param {MatchCard} a @param {MatchCard} b */
function byTurn(a, b) {
  return Number(waits(b)) - Number(waits(a)) || b.updated_at - a.updated_at;
}
