// The one socket of a page: it reconnects by itself, and resumes its matches.

import { Problem } from "./rest.js";

/** @typedef {import("./wire").components["schemas"]["Event"]} MatchEvent */
/** @typedef {import("./wire").components["schemas"]["Notice"]} Notice */
/** @typedef {import("./wire").components["schemas"]["Snapshot"]} Snapshot */
/** @typedef {"connecting" | "open" | "waiting" | "closed"} Line */
/** @typedef {"lobby" | "personal" | "tournament"} Topic */

/**
 * A reader of a match.
 * @typedef {object} Reader
 * @property {() => number | undefined} since the sequence number of its last event; none for a snapshot
 * @property {(snapshot: Snapshot) => void} onSnapshot the present state; events follow
 * @property {(event: MatchEvent) => void} onEvent the next event
 * @property {(notice: Notice) => void} [onNotice] a message that is not stored
 * @property {() => void} [onResumed] reading continues after `since`: messages that are not stored were missed
 * @property {(problem: Problem) => void} [onRefused] the match cannot be watched
 * @property {boolean} [isAfar] whether it draws a small board, whose watcher does not count as a spectator
 */

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 20_000;
/** After a connection has lasted this long, the next pause is short again. */
const SETTLED_MS = 10_000;
/** The server sends something every 20 seconds: a connection that is silent for longer is dead. */
const SILENCE_MS = 45_000;
/** After sleep, a connection that was silent for longer is dead: timers sleep too. */
const SPOKEN_EVERY_MS = 25_000;
const ANSWER_WITHIN_MS = 15_000;

/**
 * A connection. Events: `line` (its state has changed), `notice` (not about a match, in `detail`), `time` (the server's
 * time has arrived), `stranger` (the server does not know the token, and closes the connection), `blocked` (the guest
 * was blocked; likewise), `rewritten` (the journals were restored from a backup: events known here may not exist any
 * more).
 */
export class Connection extends EventTarget {
  /** @param {() => string | null} token returns the token; called for each connection */
  constructor(token) {
    super();
    this.token = token;
    /** @type {Line} */
    this.line = "closed";
    /** The time of the next attempt, in this device's time; 0 if none is planned. */
    this.retryAt = 0;
    /** How far the server's time is ahead of this device's, in milliseconds. */
    this.ahead = 0;
    /** @type {WebSocket | undefined} */
    this.socket = undefined;
    /** @type {Map<string, Reader>} */
    this.readers = new Map();
    /** The subscriptions, by their JSON. @type {Map<string, [Topic, object]>} */
    this.topics = new Map();
    /** @type {Map<number, {resolve: (ok: any) => void, reject: (why: Problem) => void, timer: number}>} */
    this.waiting = new Map();
    this.nextId = 1;
    this.failures = 0;
    this.settling = 0;
    this.timer = 0;
    this.silence = 0;
    /** When the last message arrived, in this device's time. */
    this.heardAt = 0;
    /** The history in the server's last hello. @type {string | undefined} */
    this.history = undefined;
    /** The token with which the connection was opened. @type {string | null} */
    this.asker = null;
    addEventListener("online", () => this.wake());
    // Without a network, the connection would seem alive until it had been silent for long.
    addEventListener("offline", () => this.socket && this.lost(this.socket));
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") this.wake();
    });
  }

  /** The server's time, in milliseconds since the epoch. */
  now() {
    return Date.now() + this.ahead;
  }

  /** Connects, and stays connected until `close`. */
  open() {
    if (this.line !== "closed" && this.line !== "waiting") return;
    clearTimeout(this.timer);
    this.retryAt = 0;
    this.become("connecting");
    this.asker = this.token();
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${location.host}/api/v1/socket`);
    this.socket = socket;
    socket.addEventListener("open", () => this.greet());
    socket.addEventListener("message", (message) => this.hear(socket, String(message.data)));
    socket.addEventListener("close", () => this.lost(socket));
    this.listen();
  }

  /** Closes the connection. */
  close() {
    this.become("closed");
    clearTimeout(this.timer);
    clearTimeout(this.silence);
    const socket = this.socket;
    this.socket = undefined;
    socket?.close();
    this.forget();
  }

  /** Reconnects if the token has changed. */
  reopen() {
    if (this.line !== "closed" && this.token() === this.asker) return;
    this.close();
    this.open();
  }

  /** Reconnects now, without waiting for the end of the pause. */
  retryNow() {
    if (this.line === "waiting") this.open();
  }

  /** Checks the connection, and reconnects at once if it is dead. */
  wake() {
    if (this.socket && Date.now() - this.heardAt > SPOKEN_EVERY_MS) this.lost(this.socket);
    this.retryNow();
  }

  /** Waits for a connection. @returns {Promise<void>} */
  opened() {
    if (this.line === "open") return Promise.resolve();
    return new Promise((resolve) => {
      const look = () => {
        if (this.line !== "open") return;
        this.removeEventListener("line", look);
        resolve();
      };
      this.addEventListener("line", look);
    });
  }

  /**
   * Watches a match from now on. @param {string} id @param {Reader} reader
   * @returns {() => void} stops watching
   */
  watch(id, reader) {
    this.readers.set(id, reader);
    if (this.line === "open") this.begin(id, reader);
    return () => {
      if (this.readers.get(id) !== reader) return;
      this.readers.delete(id);
      if (this.line === "open") this.ask("unwatch", { match: id }).catch(() => {});
    };
  }

  /** Subscribes to a topic: its messages arrive as `notice`. @param {Topic} topic @param {object} [which] the tournament's id */
  follow(topic, which = {}) {
    this.topics.set(JSON.stringify([topic, which]), [topic, which]);
    if (this.line === "open") this.ask(topic, { ...which, on: true }).catch(() => {});
  }

  /**
   * Sends a request.
   * @param {string} op an operation of the socket
   * @param {Record<string, unknown>} [fields]
   * @returns {Promise<any>}
   * @throws {Problem} `offline` if the connection is lost before the response
   */
  ask(op, fields = {}) {
    const socket = this.socket;
    if (!socket || socket.readyState !== WebSocket.OPEN || (this.line !== "open" && op !== "hello")) {
      return Promise.reject(new Problem({ code: "offline" }));
    }
    const id = this.nextId++;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => socket === this.socket && this.lost(socket), ANSWER_WITHIN_MS);
      this.waiting.set(id, { resolve, reject, timer });
      socket.send(JSON.stringify({ id, op, ...fields }));
    });
  }

  /**
   * Sends an HTTP request over the socket: the response is the same.
   * @param {string} method
   * @param {string} path below /api/v1
   * @param {{body?: unknown, key?: string}} [more] `key` makes the request safe to repeat
   * @returns {Promise<any>} the body of the response; undefined if empty
   * @throws {Problem} `offline` if the connection is lost before the response
   */
  http(method, path, more = {}) {
    return this.ask("http", { method, path: `/api/v1${path}`, ...more });
  }

  /** @param {Line} line */
  become(line) {
    if (this.line === line) return;
    this.line = line;
    this.dispatchEvent(new Event("line"));
  }

  async greet() {
    const socket = this.socket;
    try {
      const { asker } = this;
      const hello = await this.ask("hello", asker ? { token: asker } : {});
      if (socket !== this.socket) return;
      const before = this.history;
      this.history = hello.history;
      if (before !== undefined && before !== this.history) return this.rewritten();
      this.tellTime(hello.server_time);
      this.settling = setTimeout(() => (this.failures = 0), SETTLED_MS);
      this.become("open");
      for (const [topic, which] of this.topics.values()) this.ask(topic, { ...which, on: true }).catch(() => {});
      for (const [id, reader] of this.readers) this.begin(id, reader);
    } catch (why) {
      // After any other problem the connection closes, and another attempt follows.
      if (socket !== this.socket || !(why instanceof Problem)) return;
      const event = { unknown_token: "stranger", blocked: "blocked" }[why.code];
      if (event === undefined) return;
      this.close();
      this.dispatchEvent(new Event(event));
    }
  }

  /** @param {string} id @param {Reader} reader */
  async begin(id, reader) {
    const since = reader.since();
    try {
      const ok = await this.ask("watch", {
        match: id,
        ...(since === undefined ? {} : { since }),
        ...(reader.isAfar ? { spectating: false } : {}),
      });
      if (this.readers.get(id) !== reader) return;
      if (ok.snapshot) reader.onSnapshot(ok.snapshot);
      else reader.onResumed?.();
    } catch (why) {
      if (!(why instanceof Problem) || why.code === "offline") return;
      if (why.code === "ahead_of_journal") return this.rewritten();
      reader.onRefused?.(why);
    }
  }

  /** The known events may not exist any more: start from a snapshot. */
  rewritten() {
    this.close();
    this.dispatchEvent(new Event("rewritten"));
  }

  /** @param {WebSocket} socket @param {string} text */
  hear(socket, text) {
    if (socket !== this.socket) return;
    this.listen();
    const said = JSON.parse(text);
    if ("re" in said) return this.answered(said);
    if (said.notice === "time") return this.tellTime(said.server_time);
    // Every page shows it (parts/head.js).
    if (said.notice === "tournament_call") dispatchEvent(new CustomEvent("lusoria-called", { detail: { call: said, ahead: this.ahead } }));
    const reader = this.readers.get(typeof said.match === "string" ? said.match : "");
    if (said.notice === undefined) return reader?.onEvent(said);
    if (said.notice === "skipped") return reader?.onSnapshot(said.snapshot);
    if (reader) return reader.onNotice?.(said);
    this.dispatchEvent(new CustomEvent("notice", { detail: said }));
  }

  /** @param {{re: number, ok?: unknown, error?: {code: string}}} said */
  answered({ re, ok, error }) {
    const asked = this.waiting.get(re);
    if (!asked) return;
    this.waiting.delete(re);
    clearTimeout(asked.timer);
    if (error) asked.reject(new Problem(error));
    else asked.resolve(ok);
  }

  /** @param {number} serverTime */
  tellTime(serverTime) {
    this.ahead = serverTime - Date.now();
    this.dispatchEvent(new Event("time"));
  }

  /** Notes that a message arrived. */
  listen() {
    clearTimeout(this.silence);
    this.heardAt = Date.now();
    const socket = this.socket;
    this.silence = setTimeout(() => socket && this.lost(socket), SILENCE_MS);
  }

  /** @param {WebSocket} socket */
  lost(socket) {
    if (socket !== this.socket) return;
    this.socket = undefined;
    clearTimeout(this.silence);
    socket.close();
    this.forget();
    clearTimeout(this.settling);
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** this.failures, LONGEST_PAUSE_MS);
    this.failures += 1;
    // Spreads the reconnections of many clients.
    const wait = pause * (0.5 + Math.random() / 2);
    this.retryAt = Date.now() + wait;
    this.timer = setTimeout(() => this.open(), wait);
    this.become("waiting");
  }

  /** Fails all requests without a response. */
  forget() {
    const waiting = [...this.waiting.values()];
    this.waiting.clear();
    for (const { reject, timer } of waiting) {
      clearTimeout(timer);
      reject(new Problem({ code: "offline" }));
    }
  }
}
