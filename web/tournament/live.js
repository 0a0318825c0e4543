// A tournament that is looked at: it is read again when the server says that it has changed, at most once a second and
// only while somebody can see it. An entrant who is called or checks in says by it that they are here.

import { Problem } from "../api/rest.js";
import * as server from "./tournaments.js";

/** @typedef {import("../api/socket.js").Connection} Connection */
/** @typedef {import("./tournaments.js").Tournament} Tournament */

/** @typedef {Pick<typeof server, "tournament" | Part | "entry" | "direct">} Reads */

/** What can be read besides the tournament itself. @typedef {"standings" | "pairings" | "events" | "luck"} Part */

/** The least time between two readings. */
const READ_EVERY_MS = 1_000;
/** The pause before a failed reading is repeated. */
const AGAIN_MS = 5_000;
/** "Here" lasts 10 minutes; it is said again when half of that is over. */
const HERE_HALF_MS = 5 * 60_000;

/** Reads a tournament. Events: `change`; `refused` (it cannot be read, in `detail`). */
export class LiveTournament extends EventTarget {
  /**
   * @param {Connection} connection @param {string} id
   * @param {{isQuiet?: boolean, read?: Reads}} [how] whether it never says that the person is here; what reads it
   */
  constructor(connection, id, { isQuiet = false, read = server } = {}) {
    super();
    this.connection = connection;
    this.id = id;
    this.read = read;
    this.isQuiet = isQuiet;
    /** @type {Tournament | undefined} */
    this.tournament = undefined;
    /** @type {import("./tournaments.js").Standings | undefined} */
    this.standings = undefined;
    /** @type {import("./tournaments.js").Pairings | undefined} */
    this.pairings = undefined;
    /** @type {import("./tournaments.js").Events | undefined} */
    this.events = undefined;
    /** @type {import("./tournaments.js").Luck | undefined} */
    this.luck = undefined;
    /** The parts that are shown, with the head at which each was read. @type {Map<Part, number>} */
    this.wanted = new Map();
    /** The round of a Swiss whose pairings are shown; undefined for the present one. @type {number | undefined} */
    this.round = undefined;
    this.isReading = false;
    this.isStale = true;
    this.readAt = -Infinity;
    this.timer = 0;
    this.saying = 0;
    connection.addEventListener("line", () => connection.line === "open" && this.stale());
    connection.addEventListener("notice", (event) => this.hear(/** @type {CustomEvent} */ (event).detail));
    document.addEventListener("visibilitychange", () => this.look());
  }

  /** Begins. @param {Part[]} parts that are shown besides */
  start(parts) {
    for (const part of parts) this.wanted.set(part, -1);
    this.connection.follow("tournament", { tournament: this.id });
    this.look();
  }

  /** Shows another part. @param {Part} part */
  want(part) {
    if (this.wanted.has(part)) return;
    this.wanted.set(part, -1);
    this.stale();
  }

  /** Shows the pairings of another round. @param {number} round */
  choose(round) {
    this.round = round;
    if (!this.wanted.has("pairings")) return;
    this.wanted.set("pairings", -1);
    this.readParts().catch(() => this.stale());
  }

  /** The round to ask for: the pairings of a Swiss are many, those of others are read together. */
  get asked() {
    const { format, round } = this.tournament ?? {};
    return format?.kind === "swiss" ? (this.round ?? round ?? undefined) : undefined;
  }

  /** @param {{notice: string, tournament?: string, head?: number}} notice */
  hear({ notice, tournament, head = Infinity }) {
    if (tournament !== this.id || !notice.startsWith("tournament_")) return;
    if (head > (this.tournament?.head ?? 0)) this.stale();
  }

  /** What is known may be old. */
  stale() {
    this.isStale = true;
    this.look();
  }

  /** Reads, if that is due and somebody looks. */
  look() {
    if (document.visibilityState !== "visible") return clearTimeout(this.saying);
    this.sayHere();
    if (!this.isStale || this.isReading) return;
    clearTimeout(this.timer);
    const wait = this.readAt + READ_EVERY_MS - performance.now();
    if (wait > 0) this.timer = window.setTimeout(() => this.look(), wait);
    else this.readAll();
  }

  async readAll() {
    this.isReading = true;
    this.isStale = false;
    this.readAt = performance.now();
    try {
      this.take(await this.read.tournament(this.id));
      await this.readParts();
    } catch (why) {
      if (!(why instanceof Problem)) throw why;
      this.failed(why);
    } finally {
      this.isReading = false;
    }
    this.look();
  }

  /** Reads the parts that are older than the tournament. */
  async readParts() {
    const { tournament } = this;
    if (!tournament) return;
    const old = [...this.wanted].filter(([, head]) => head !== tournament.head);
    await Promise.all(old.map(async ([part]) => {
      const { asked } = this;
      const read = part === "events"
        ? await this.read.events(this.id, tournament.head, this.events)
        : await this.read[part](this.id, asked);
      if (part !== "pairings" || asked === this.asked) /** @type {any} */ (this)[part] = read;
      this.wanted.set(part, tournament.head);
    }));
    if (old.length > 0) this.changed();
  }

  /** @param {Problem} why */
  failed(why) {
    this.dispatchEvent(new CustomEvent("refused", { detail: why }));
    if (!why.mayPass) return;
    this.isStale = true;
    this.readAt = performance.now() + AGAIN_MS;
  }

  /** @param {Tournament} tournament newly read, or the answer to a command */
  take(tournament) {
    // The answer to a command may overtake a reading that began earlier.
    if (this.tournament && tournament.head < this.tournament.head) return;
    this.tournament = tournament;
    this.changed();
    this.sayHere();
  }

  changed() {
    this.dispatchEvent(new Event("change"));
  }

  /** Does something as an entrant or as the organiser. @param {"entry" | "direct"} how @param {import("./tournaments.js").Command} command @throws {Problem} */
  async do(how, command) {
    this.take(await this.read[how](this.id, command));
    this.readParts().catch(() => this.stale());
  }

  /** Says that the person is here, while the page is seen and that counts; and again before it ends. */
  sayHere() {
    clearTimeout(this.saying);
    if (this.isQuiet || !this.tournament?.you) return;
    const wait = hereIn(this.tournament, this.connection.now());
    if (wait === undefined || document.visibilityState !== "visible") return;
    this.saying = window.setTimeout(async () => {
      try {
        await this.do("entry", { command: "here" });
      } catch (why) {
        // What has changed meanwhile is being told.
        if (!(why instanceof Problem)) throw why;
        if (why.mayPass) this.saying = window.setTimeout(() => this.sayHere(), AGAIN_MS);
      }
    }, Math.max(0, wait));
  }
}

/**
 * In how many milliseconds the page itself has to say that the person is here: during check-in, while their pairing is
 * called, and as long as it has been said. Undefined if it has nothing to say: entrants who pause or were absent say it by
 * hand.
 * @param {Tournament} tournament @param {number} now the server's time
 */
export function hereIn({ clock, phase, you }, now) {
  if (!you?.entrant || clock.kind === "days" || phase === "ended" || phase === "announced") return undefined;
  const { here_until: until = 0, pairing, state } = you;
  if (["paused", "absent", "out", "withdrawn", "excluded", "playing"].includes(state ?? "")) return undefined;
  const isHere = (until ?? 0) > now;
  const isWanted = phase === "check_in" || (pairing?.until ?? undefined) !== undefined;
  if (!isHere && !isWanted) return undefined;
  return Math.max(0, (until ?? 0) - HERE_HALF_MS - now);
}
