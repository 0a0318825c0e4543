// TV: the current match of each channel, from the server's stream.

import { Problem } from "../api/rest.js";
import { stream } from "../api/stream.js";

/** @typedef {import("../api/wire").components["schemas"]["Game"]} Game */
/** @typedef {import("../api/wire").components["schemas"]["MatchCard"]} MatchCard */
/** @typedef {import("../api/wire").components["schemas"]["TvChannel"]} Channel */

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
const SECOND_MS = 1_000;

/**
 * The channels; read only while the page is visible: a stream takes one of the few connections of a browser to a
 * server. Events: `change` (a channel shows something else, `channel` in `detail`), `line` (the stream has connected or
 * broken).
 */
export class Channels extends EventTarget {
  /** @param {typeof stream} [read] reads the stream */
  constructor(read = stream) {
    super();
    this.read = read;
    /** The known channels, in the order of the catalogue. @type {Map<Game, Channel>} */
    this.all = new Map();
    /** Whether the stream is connected. */
    this.isOpen = false;
    this.isWanted = false;
    this.failures = 0;
    /** @type {AbortController | undefined} aborts the stream */
    this.reading = undefined;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    document.addEventListener("visibilitychange", () => this.look());
    addEventListener("online", () => this.retryNow());
  }

  /** Begins, and goes on until `stop`. */
  start() {
    this.isWanted = true;
    this.look();
  }

  /** Stops; keeps the known channels. */
  stop() {
    this.isWanted = false;
    this.look();
  }

  /** Retries now, without waiting for the end of a pause. */
  retryNow() {
    if (!this.isWanted || this.reading) return;
    this.look();
  }

  /** Opens or closes the stream: it is open while wanted and visible. */
  look() {
    clearTimeout(this.timer);
    const isRead = this.isWanted && document.visibilityState === "visible";
    if (isRead === (this.reading !== undefined)) return;
    if (isRead) this.open();
    else this.close();
  }

  close() {
    const { reading } = this;
    this.reading = undefined;
    reading?.abort();
    this.become(false);
  }

  async open() {
    const reading = new AbortController();
    this.reading = reading;
    let retryAfterS = 0;
    try {
      await this.read("/tv", (notice) => reading === this.reading && this.hear(notice), reading.signal);
    } catch (why) {
      // An aborted stream needs no retry.
      if (reading !== this.reading) return;
      if (!(why instanceof Problem)) throw why;
      retryAfterS = why.retryAfterS ?? 0;
    }
    if (reading !== this.reading) return;
    this.close();
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** this.failures, LONGEST_PAUSE_MS);
    this.failures += 1;
    // Spreads the reconnections of many clients.
    const wait = Math.max(pause * (0.5 + Math.random() / 2), retryAfterS * SECOND_MS);
    this.timer = setTimeout(() => this.look(), wait);
  }

  /** @param {{notice: string, channel: Channel}} notice */
  hear({ notice, channel }) {
    if (notice !== "tv_switched") return;
    this.failures = 0;
    this.all.set(channel.game, channel);
    this.become(true);
    this.dispatchEvent(new CustomEvent("change", { detail: channel }));
  }

  /** @param {boolean} isOpen */
  become(isOpen) {
    if (this.isOpen === isOpen) return;
    this.isOpen = isOpen;
    this.dispatchEvent(new Event("line"));
  }
}

/**
 * The channel for a place with room for one: a live match before a finished one, people before bots; among equals the
 * one shown now, then the one with the newest event.
 * @param {Iterable<Channel>} channels @param {Game} [watched]
 * @returns {Channel | undefined} none if no channel has a match
 */
export function best(channels, watched) {
  const isOfPeople = (/** @type {MatchCard} */ { players }) => [players[1], players[2]].every((player) => player?.kind === "person");
  /** @param {Channel} channel */
  const order = ({ game, live, match }) => [live, live && match && isOfPeople(match), game === watched, match?.updated_at].map(Number);
  const shown = [...channels].filter(({ match }) => match);
  const ordered = shown.map((channel) => /** @type {const} */ ([order(channel), channel]));
  ordered.sort(([a], [b]) => b.map((part, nth) => part - a[nth]).find((difference) => difference !== 0) ?? 0);
  return ordered[0]?.[1];
}
