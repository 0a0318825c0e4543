// A live match: its state, and its commands.

import { ask, freshKey, Problem } from "../api/rest.js";
import { begin, fromSnapshot, next } from "../game/story.js";
import { guest } from "../player/identity.js";

/** @typedef {import("../api/wire").components["schemas"]["Event"]} MatchEvent */
/** @typedef {import("../api/wire").components["schemas"]["Notice"]} Notice */
/** @typedef {import("../api/wire").components["schemas"]["Snapshot"]} Snapshot */
/** @typedef {import("../api/wire").components["schemas"]["Step"]} Step */
/** @typedef {import("../game/story.js").Moment} Moment */
/** @typedef {import("../game/story.js").Seat} Seat */
/** @typedef {{seat: Seat, answers: number, steps: Step[], position: any}} BuiltByOther */

/** How many events are requested at once when the past is read. */
const PAGE = 200;

/** How often a request is repeated when the server is overloaded, each time after twice the pause. */
const BUSY_MAX = 4;

/**
 * A match. Events: `moment` (the match has advanced, with the event in `detail.event`, none after a jump), `presence`,
 * `building`, `uncovered` (another player has rolled), `past` (more of the past is loaded), `refused` (the match cannot
 * be read, in `detail`).
 */
export class LiveMatch extends EventTarget {
  /**
   * @param {import("../api/socket.js").Connection} connection @param {string} id
   * @param {() => string | undefined} [me] the viewer; the guest of this device by default
   */
  constructor(connection, id, me = () => guest()?.id) {
    super();
    this.connection = connection;
    this.id = id;
    this.me = me;
    /** The present moment. @type {Moment | undefined} */
    this.moment = undefined;
    /** The events from the first, as far as they are loaded without a gap. @type {MatchEvent[]} */
    this.past = [];
    /** The moment after each of those events. @type {Moment[]} */
    this.moments = [];
    /** Who is connected. @type {{1: boolean, 2: boolean}} */
    this.here = { 1: false, 2: false };
    /** The number of spectators, this page included. */
    this.spectators = 0;
    /** Since when a player is disconnected, if known. @type {{1?: number, 2?: number}} */
    this.goneSince = {};
    /** The turn that another player is building. @type {BuiltByOther | undefined} */
    this.building = undefined;
    /** The event of the last throw that its player rolled, as far as this page knows. @type {number | undefined} */
    this.uncovered = undefined;
    /** The tournament that it belongs to, if lists show that. @type {Snapshot["tournament"]} */
    this.tournament = undefined;
    this.wantsPast = false;
    /** @type {Promise<void> | undefined} */
    this.reading = undefined;
    this.stop = () => {};
  }

  /** Begins to read. */
  start() {
    this.stop = this.connection.watch(this.id, {
      since: () => this.moment?.seq,
      onSnapshot: (snapshot) => this.jump(snapshot),
      onEvent: (event) => this.happened(event),
      onResumed: () => this.resumed(),
      onNotice: (notice) => this.noticed(/** @type {any} */ (notice)),
      onRefused: (problem) => this.dispatchEvent(new CustomEvent("refused", { detail: problem })),
    });
  }

  /** Whether it is no match, but a position that is put together. */
  get isSetup() {
    return this.id === "";
  }

  /** The seats that the guest of this device plays. @returns {Seat[]} */
  get mySeats() {
    const me = this.me();
    const players = this.moment?.players;
    if (!me || !players) return [];
    return /** @type {Seat[]} */ ([1, 2]).filter((seat) => players[seat]?.id === me);
  }

  /** Whether the guest of this device created it and lets the computer play for them. */
  get isWatchedOver() {
    const me = this.me();
    return me !== undefined && this.moment?.madeBy?.id === me;
  }

  /** The seat of this device if it is to move. @returns {Seat | undefined} */
  get myTurn() {
    const seat = this.moment?.toPlay?.seat;
    return seat && this.mySeats.includes(seat) ? seat : undefined;
  }

  /**
   * Whether the dice stay covered for all, because a person at another device has still to roll. Throws of bots and the
   * computer are never covered, nor is the opening throw.
   */
  get isThrowCovered() {
    const { toPlay, opening, players } = this.moment ?? {};
    if (!toPlay || toPlay.dice.length === 0 || toPlay.again || opening || this.uncovered === toPlay.seq) return false;
    const kind = players?.[toPlay.seat]?.kind ?? "person";
    return kind === "person" && !this.mySeats.includes(toPlay.seat) && this.here[toPlay.seat];
  }

  /** @param {Snapshot} snapshot */
  jump(snapshot) {
    const known = this.moments[snapshot.head - 1];
    this.moment = known ?? fromSnapshot(snapshot);
    this.tournament = snapshot.tournament;
    this.see(snapshot);
    this.building = undefined;
    this.show(snapshot);
    this.look();
    if (this.wantsPast) this.followPast();
  }

  /** The viewer may have changed, and with them the seats. */
  look() {
    this.dispatchEvent(new CustomEvent("moment", { detail: {} }));
  }

  /** The connection is back: events follow by themselves, but who is connected must be loaded again. */
  async resumed() {
    if (this.wantsPast) this.followPast();
    const snapshot = await this.connection.http("GET", `/matches/${this.id}`).catch(later);
    if (!snapshot) return;
    this.see(snapshot);
    this.show(snapshot);
    this.dispatchEvent(new Event("presence"));
  }

  /** Applies the steps shown of a turn that is being built. @param {Snapshot} snapshot */
  show({ to_play: toPlay, building }) {
    if (!building || !toPlay || toPlay.seq !== this.moment?.toPlay?.seq) return;
    this.building = { seat: /** @type {Seat} */ (toPlay.seat), answers: toPlay.seq, ...building };
    this.uncovered = toPlay.seq;
  }

  /** Applies who is connected. @param {Snapshot} snapshot */
  see(snapshot) {
    const { players, spectators } = /** @type {any} */ (snapshot);
    this.spectators = spectators ?? 0;
    for (const seat of /** @type {Seat[]} */ ([1, 2])) {
      this.here[seat] = players[seat]?.connected ?? false;
      this.goneSince[seat] = players[seat]?.gone_since_at;
    }
  }

  /** @param {MatchEvent} event */
  happened(event) {
    const moment = this.moment;
    if (moment && event.seq <= moment.seq) return;
    if (event.seq === this.past.length + 1) this.remember(event);
    const known = this.moments[event.seq - 1];
    this.moment = known ?? (moment ? next(moment, event) : begin(event));
    this.building = undefined;
    this.dispatchEvent(new CustomEvent("moment", { detail: { event } }));
  }

  /** Adds the next event to the past. @param {MatchEvent} event */
  remember(event) {
    const before = this.moments.at(-1);
    this.past.push(event);
    this.moments.push(before ? next(before, event) : begin(event));
  }

  /** @param {any} notice */
  noticed(notice) {
    if (notice.notice === "presence") {
      const seat = /** @type {Seat} */ (notice.seat);
      this.here[seat] = notice.connected;
      this.goneSince[seat] = notice.connected ? undefined : this.connection.now();
      // Show the throws of a player who left at once.
      if (!notice.connected && this.moment?.toPlay?.seat === seat) this.uncovered = this.moment.toPlay.seq;
      this.dispatchEvent(new Event("presence"));
    } else if (notice.notice === "spectators") {
      this.spectators = notice.count;
      this.dispatchEvent(new Event("presence"));
    } else if (notice.notice === "building" && notice.answers === this.moment?.toPlay?.seq) {
      const wasCovered = this.isThrowCovered;
      this.building = notice;
      this.uncovered = notice.answers;
      this.dispatchEvent(new Event("building"));
      if (wasCovered) this.dispatchEvent(new Event("uncovered"));
    }
  }

  /** Loads the past now, and again whenever part of it was missed. */
  followPast() {
    this.wantsPast = true;
    this.readPast().catch(later);
  }

  /** Loads the past from the first event to the present. @throws {Problem} */
  readPast() {
    this.reading ??= this.readPages().finally(() => (this.reading = undefined));
    return this.reading;
  }

  async readPages() {
    while (this.moment && this.past.length < this.moment.seq) {
      const since = this.past.length;
      const path = `/matches/${this.id}/events?since=${since}&limit=${PAGE}`;
      const page = await ask("GET", path, { token: this.connection.token() });
      for (const event of page.events) if (event.seq === this.past.length + 1) this.remember(event);
      if (this.past.length === since) break;
      this.dispatchEvent(new Event("past"));
    }
    const present = this.moment && this.moments[this.moment.seq - 1];
    if (present) this.moment = present;
    this.dispatchEvent(new Event("past"));
  }

  /**
   * Sends a command to the match. The events it causes also arrive by the socket; those in the response are used if
   * they come first.
   * @param {string} op an operation of the socket
   * @param {Record<string, unknown>} [fields]
   * @returns {Promise<any>}
   * @throws {Problem}
   */
  async do(op, fields = {}) {
    const answer = await this.send(op, fields);
    for (const event of answer?.events ?? []) {
      if (event.seq === (this.moment?.seq ?? 0) + 1) this.happened(event);
    }
    return answer;
  }

  /**
   * Repeats a request under the same key if the connection breaks before the response, or if the server is overloaded.
   * @param {string} op @param {Record<string, unknown>} fields
   * @returns {Promise<any>}
   * @throws {Problem}
   */
  send(op, fields) {
    const request = { match: this.id, ...(KEYED.includes(op) ? { key: freshKey() } : {}), ...fields };
    return this.insist(() => this.connection.ask(op, request));
  }

  /**
   * Sends a query about the match, repeated until it is answered.
   * @param {string} what the path below the match's
   * @param {unknown} [body]
   * @returns {Promise<any>}
   * @throws {Problem}
   */
  post(what, body) {
    return this.insist(() => this.connection.http("POST", `/matches/${this.id}/${what}`, { body }));
  }

  /** @template T @param {() => Promise<T>} ask @returns {Promise<T>} @throws {Problem} */
  async insist(ask) {
    for (let busy = 0; ; ) {
      try {
        return await ask();
      } catch (why) {
        if (!(why instanceof Problem) || !why.mayPass || busy === BUSY_MAX) throw why;
        if (why.code === "offline") {
          await this.connection.opened();
        } else {
          await pause((why.retryAfterS ?? 1) * 1_000 * 2 ** busy);
          busy += 1;
        }
      }
    }
  }
}

/** A request that the server could not serve is repeated when the connection is back. @param {unknown} why */
function later(why) {
  if (!(why instanceof Problem)) throw why;
}

/** @param {number} ms @returns {Promise<void>} */
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Operations with a key, which take effect only once. */
const KEYED = ["takeback", "resign", "abort", "claim", "draw", "rematch", "join", "seed"];
