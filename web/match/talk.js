// The talk beside a match: loaded when the socket is connected, then received live.

import { Problem } from "../api/rest.js";

/** @typedef {import("../api/wire").components["schemas"]["Phrase"]} Phrase */
/** @typedef {import("../api/wire").components["schemas"]["Remark"]} Remark */
/** @typedef {import("../api/wire").components["schemas"]["Talk"]} TalkTold */

/** The phrases, in display order. @type {Phrase[]} */
const PHRASES = [
  "hello",
  "good_luck",
  "have_fun",
  "well_played",
  "what_a_throw",
  "lucky",
  "bad_luck",
  "oops",
  "thinking",
  "back_soon",
  "back",
  "thanks",
  "sorry",
  "good_game",
  "another",
  "goodbye",
];

/** The phrases for players only. @type {Phrase[]} */
const PLAYERS_OWN = ["oops", "thinking", "back_soon", "back", "sorry", "another"];

/** The most characters of a remark in free text. */
export const TEXT_MAX = 150;

/** The most remarks that are kept; the oldest are dropped. */
const REMARKS_MAX = 200;

/** The talk of a match. Events: `change`; `heard` with the remark in `detail`, when the opponent writes while the talk is hidden. */
export class Talk extends EventTarget {
  /** @param {import("./live.js").LiveMatch} live */
  constructor(live) {
    super();
    this.live = live;
    /** The oldest first. @type {Remark[]} */
    this.remarks = [];
    /** @type {TalkTold["speech"]} */
    this.speech = "nothing";
    /** Why the person cannot write: the code of a problem. @type {string | undefined} */
    this.why = undefined;
    /** Whether the match has talk, as far as known. */
    this.isThere = false;
    /** Whether the talk is visible. */
    this.isInSight = false;
    /** How many remarks the person has seen. */
    this.seen = 0;
    /** The room and state at the last load. */
    this.asked = "";
    this.leaving = new AbortController();
  }

  /** The person's room. @returns {"players" | "watchers"} */
  get room() {
    return this.live.mySeats.length > 0 ? "players" : "watchers";
  }

  /** The phrases allowed here. */
  get phrases() {
    return this.room === "players" ? PHRASES : PHRASES.filter((phrase) => !PLAYERS_OWN.includes(phrase));
  }

  /** The number of unseen remarks. */
  get unseen() {
    return this.remarks.length - this.seen;
  }

  /** Notes whether the talk is visible. @param {boolean} isInSight */
  show(isInSight) {
    this.isInSight = isInSight;
    if (isInSight) this.seen = this.remarks.length;
  }

  start() {
    const { live } = this;
    const { signal } = (this.leaving = new AbortController());
    this.asked = "";
    live.connection.addEventListener("line", () => this.read(), { signal });
    live.connection.addEventListener("notice", (event) => this.hear(/** @type {CustomEvent} */ (event).detail), { signal });
    // A player joined, or the match ended: other phrases are allowed.
    live.addEventListener("moment", () => this.asked !== this.now && this.read(), { signal });
    this.read();
  }

  stop() {
    this.leaving.abort();
    this.live.connection.ask("talk", { match: this.live.id, room: this.room, on: false }).catch(() => {});
  }

  /** The room and state to load. */
  get now() {
    return `${this.room} ${this.live.moment?.state}`;
  }

  /** Loads the remarks, then receives new ones. */
  async read() {
    const { connection, id } = this.live;
    if (connection.line !== "open") return;
    const { now, room } = this;
    this.asked = now;
    try {
      const { remarks, speech, why } = await connection.ask("talk", { match: id, room });
      if (now !== this.now) return;
      this.remarks = [];
      for (const remark of remarks) this.add(remark);
      this.speech = speech;
      this.why = why;
      this.isThere = speech !== "nothing" || remarks.length > 0 || !["no_talk", "unauthorized"].includes(why);
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      if (problem.code !== "offline") this.isThere = false;
    }
    this.dispatchEvent(new Event("change"));
  }

  /** @param {{notice: string, remark?: Remark}} notice */
  hear({ notice, remark }) {
    if (notice !== "remark" || !remark || remark.match !== this.live.id || remark.room !== this.room) return;
    this.add(remark);
    const isOpponents = this.room === "players" && remark.from.id !== this.live.me();
    if (isOpponents && !this.isInSight) this.dispatchEvent(new CustomEvent("heard", { detail: remark }));
    this.dispatchEvent(new Event("change"));
  }

  /** Inserts a remark in order; ignores a duplicate. @param {Remark} remark */
  add(remark) {
    if (this.remarks.some(({ id }) => id === remark.id)) return;
    // Ids sort by time.
    this.remarks = [...this.remarks, remark].sort((a, b) => (a.id < b.id ? -1 : 1)).slice(-REMARKS_MAX);
  }

  /** Writes a remark. @param {{phrase: Phrase} | {text: string}} what @throws {Problem} */
  async say(what) {
    const { connection, id } = this.live;
    this.add(await connection.http("POST", `/matches/${id}/talk`, { body: { room: this.room, ...what } }));
    this.dispatchEvent(new Event("change"));
  }
}
