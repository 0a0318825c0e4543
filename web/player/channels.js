// TV: the match that each channel shows, as the server tells it.

import { Problem } from "../api/rest.js";
import { stream } from "../api/stream.js";

/** @typedef {import("../api/wire").components["schemas"]["Game"]} Game */
/** @typedef {import("../api/wire").components["schemas"]["MatchCard"]} MatchCard */
/** @typedef {import("../api/wire").components["schemas"]["TvChannel"]} Channel */

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
const SECOND_MS = 1_000;

/**
 * The channels, for as long as the page is seen: a stream is one of the few connections that a browser has to a server.
 * Events: `change` (a channel shows something else, `channel` in `detail`), `line` (it is told of them now, or not any
 * more).
 */
export class Channels extends EventTarget {
  /** @param {typeof stream} [read] how the stream is read */
  constructor(read = stream) {
    super();
    this.read = read;
    /** What is known of them, in the order of the catalogue. @type {Map<Game, Channel>} */
    this.all = new Map();
    /** Whether what is known is still told. */
    this.isOpen = false;
    this.isWanted = false;
    this.failures = 0;
    /** @type {AbortController | undefined} the stream that is read */
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

  /** What is known stays. */
  stop() {
    this.isWanted = false;
    this.look();
  }

  /** Does not wait for the end of a pause. */
  retryNow() {
    if (!this.isWanted || this.reading) return;
    this.look();
  }

  /** Reads or does not, as it is wanted and seen. */
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
      // What is left is aborted, and nobody asks why.
      if (reading !== this.reading) return;
      if (!(why instanceof Problem)) throw why;
      retryAfterS = why.retryAfterS ?? 0;
    }
    if (reading !== this.reading) return;
    this.close();
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** this.failures, LONGEST_PAUSE_MS);
    this.failures += 1;
    // Not all who were cut off come back at the same moment.
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
 * The channel to watch where there is room for one: what is played before what is over, people before programs; of
 * equals the one that is watched, then the one in which something has happened last.
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
