// What is said beside a match: read when the line is there, and heard as it is said.

import { Problem } from "../api/rest.js";

/** @typedef {import("../api/wire").components["schemas"]["Phrase"]} Phrase */
/** @typedef {import("../api/wire").components["schemas"]["Remark"]} Remark */
/** @typedef {import("../api/wire").components["schemas"]["Talk"]} TalkTold */

/** What can be said by one tap, in the order in which it is shown. @type {Phrase[]} */
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

/** What those alone say who play. @type {Phrase[]} */
const PLAYERS_OWN = ["oops", "thinking", "back_soon", "back", "sorry", "another"];

/** The most characters of what is said in words of one's own. */
export const TEXT_MAX = 150;

/** The most remarks that are kept; the earliest go. */
const REMARKS_MAX = 200;

/** The talk of a match. Events: `change`; `heard` with the remark in `detail`, when the opponent says something that is not in sight. */
export class Talk extends EventTarget {
  /** @param {import("./live.js").LiveMatch} live */
  constructor(live) {
    super();
    this.live = live;
    /** The earliest first. @type {Remark[]} */
    this.remarks = [];
    /** @type {TalkTold["speech"]} */
    this.speech = "nothing";
    /** Why not more can be said: the code of a problem. @type {string | undefined} */
    this.why = undefined;
    /** Whether there is any talk here, as far as the server has said. */
    this.isThere = false;
    /** Whether the remarks are in sight. */
    this.isInSight = false;
    /** How many of them have been. */
    this.seen = 0;
    /** What it was last asked for. */
    this.asked = "";
    this.leaving = new AbortController();
  }

  /** Where the person is. @returns {"players" | "watchers"} */
  get room() {
    return this.live.mySeats.length > 0 ? "players" : "watchers";
  }

  /** What can be said by one tap here. */
  get phrases() {
    return this.room === "players" ? PHRASES : PHRASES.filter((phrase) => !PLAYERS_OWN.includes(phrase));
  }

  /** How many remarks have not been in sight. */
  get unseen() {
    return this.remarks.length - this.seen;
  }

  /** Notes whether the remarks are in sight. @param {boolean} isInSight */
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
    // Somebody sits down, or the match ends: what can be said is another thing then.
    live.addEventListener("moment", () => this.asked !== this.now && this.read(), { signal });
    this.read();
  }

  stop() {
    this.leaving.abort();
    this.live.connection.ask("talk", { match: this.live.id, room: this.room, on: false }).catch(() => {});
  }

  /** For what the server is to be asked. */
  get now() {
    return `${this.room} ${this.live.moment?.state}`;
  }

  /** Reads what was said, and listens from then on. */
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

  /** Adds a remark in its place; one that is there already stays. @param {Remark} remark */
  add(remark) {
    if (this.remarks.some(({ id }) => id === remark.id)) return;
    // Ids sort by time.
    this.remarks = [...this.remarks, remark].sort((a, b) => (a.id < b.id ? -1 : 1)).slice(-REMARKS_MAX);
  }

  /** Says something. @param {{phrase: Phrase} | {text: string}} what @throws {Problem} */
  async say(what) {
    const { connection, id } = this.live;
    this.add(await connection.http("POST", `/matches/${id}/talk`, { body: { room: this.room, ...what } }));
    this.dispatchEvent(new Event("change"));
  }
}
