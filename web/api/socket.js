// The one connection of a page: it comes back by itself, and goes on where it was.

import { Problem } from "./rest.js";

/** @typedef {import("./wire").components["schemas"]["Event"]} MatchEvent */
/** @typedef {import("./wire").components["schemas"]["Notice"]} Notice */
/** @typedef {import("./wire").components["schemas"]["Snapshot"]} Snapshot */
/** @typedef {"connecting" | "open" | "waiting" | "closed"} Line */

/**
 * Who reads a match.
 * @typedef {object} Reader
 * @property {() => number | undefined} since the number of the last event that it has; none for a snapshot
 * @property {(snapshot: Snapshot) => void} onSnapshot the match as it stands; what follows it comes as events
 * @property {(event: MatchEvent) => void} onEvent the next event
 * @property {(notice: Notice) => void} [onNotice] what need not last
 * @property {() => void} [onResumed] it is read on from `since`: what need not last was missed
 * @property {(problem: Problem) => void} [onRefused] the match cannot be watched
 * @property {boolean} [isAfar] whether a small board is shown, whose watcher is no spectator
 */

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 20_000;
/** A line that has held for so long is good: the next pause is short again. */
const SETTLED_MS = 10_000;
/** The server speaks every 20 seconds: a line that is silent for longer is dead. */
const SILENCE_MS = 45_000;
/** Who was asleep finds the line dead if it was silent for longer: timers sleep too. */
const SPOKEN_EVERY_MS = 25_000;
const ANSWER_WITHIN_MS = 15_000;

/**
 * A connection. Events: `line` (its state has changed), `notice` (of no match, in `detail`),
 * `time` (the server's time was told), `stranger` (the server does not know the token; the
 * connection is closed then), `blocked` (it has blocked whose it is; likewise), `rewritten` (the journals were restored from a backup: what is known
 * of matches may never have happened).
 */
export class Connection extends EventTarget {
  /** @param {() => string | null} token who asks; asked anew for each connection */
  constructor(token) {
    super();
    this.token = token;
    /** @type {Line} */
    this.line = "closed";
    /** When the next attempt is made, in this device's time; 0 if none is planned. */
    this.retryAt = 0;
    /** How far the server's time is ahead of this device's, in milliseconds. */
    this.ahead = 0;
    /** @type {WebSocket | undefined} */
    this.socket = undefined;
    /** @type {Map<string, Reader>} */
    this.readers = new Map();
    /** @type {Set<"lobby" | "personal">} */
    this.topics = new Set();
    /** @type {Map<number, {resolve: (ok: any) => void, reject: (why: Problem) => void, timer: number}>} */
    this.waiting = new Map();
    this.nextId = 1;
    this.failures = 0;
    this.settling = 0;
    this.timer = 0;
    this.silence = 0;
    /** When something was heard last, in this device's time. */
    this.heardAt = 0;
    /** Which history the server told last. @type {string | undefined} */
    this.history = undefined;
    /** Who asked when the connection was opened. @type {string | null} */
    this.asker = null;
    addEventListener("online", () => this.wake());
    // Without a net nobody would tell that the line is dead before it had been silent for long.
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

  /** Ends it. */
  close() {
    this.become("closed");
    clearTimeout(this.timer);
    clearTimeout(this.silence);
    const socket = this.socket;
    this.socket = undefined;
    socket?.close();
    this.forget();
  }

  /** Begins anew if somebody else asks now. */
  reopen() {
    if (this.line !== "closed" && this.token() === this.asker) return;
    this.close();
    this.open();
  }

  /** Does not wait for the end of the pause. */
  retryNow() {
    if (this.line === "waiting") this.open();
  }

  /** Sees whether the line is still there, and comes back at once if it is not. */
  wake() {
    if (this.socket && Date.now() - this.heardAt > SPOKEN_EVERY_MS) this.lost(this.socket);
    this.retryNow();
  }

  /** Waits until there is a line. @returns {Promise<void>} */
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
   * Reads a match from now on. @param {string} id @param {Reader} reader
   * @returns {() => void} ends it
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

  /** Turns a topic on: its notices come as `notice`. @param {"lobby" | "personal"} topic */
  follow(topic) {
    this.topics.add(topic);
    if (this.line === "open") this.ask(topic, { on: true }).catch(() => {});
  }

  /**
   * Asks something.
   * @param {string} op an operation of the socket
   * @param {Record<string, unknown>} [fields]
   * @returns {Promise<any>}
   * @throws {Problem} `offline` if the line is broken or breaks before the answer
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
   * Asks for something that HTTP has, over this line: the answer is the same.
   * @param {string} method
   * @param {string} path below /api/v1
   * @param {{body?: unknown, key?: string}} [more] `key` makes it safe to send the same request again
   * @returns {Promise<any>} what was answered; undefined if nothing
   * @throws {Problem} `offline` if the line is broken or breaks before the answer
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
      for (const topic of this.topics) this.ask(topic, { on: true }).catch(() => {});
      for (const [id, reader] of this.readers) this.begin(id, reader);
    } catch (why) {
      // After anything else its close follows, and another attempt.
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

  /** Nothing that is known can be gone on from. */
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

  /** Notes that something was heard. */
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
    // Not all who were cut off come back at the same moment.
    const wait = pause * (0.5 + Math.random() / 2);
    this.retryAt = Date.now() + wait;
    this.timer = setTimeout(() => this.open(), wait);
    this.become("waiting");
  }

  /** Nobody will answer what was asked. */
  forget() {
    const waiting = [...this.waiting.values()];
    this.waiting.clear();
    for (const { reject, timer } of waiting) {
      clearTimeout(timer);
      reject(new Problem({ code: "offline" }));
    }
  }
}
