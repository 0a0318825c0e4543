// The players whom the person follows or has blocked.

import { Problem, ask } from "../api/rest.js";
import { identity, loseSession, token } from "./identity.js";
import { seated } from "./seats.js";

/** @typedef {import("../api/wire").components["schemas"]["ChallengeSettings"]} ChallengeSettings */
/** @typedef {import("../api/wire").components["schemas"]["OtherPlayer"]} OtherPlayer */

/** Event: `change`. */
class People extends EventTarget {
  constructor() {
    super();
    /** @type {OtherPlayer[]} the latest first */
    this.followed = [];
    /** @type {OtherPlayer[]} the latest first */
    this.blocked = [];
    /** Whether the lists have been loaded. */
    this.isKnown = false;
    /** The guest whose lists these are. @type {string | null | undefined} */
    this.asker = undefined;
    /** Counts the person's changes: a response to an earlier request may lack them. */
    this.changes = 0;
    identity.addEventListener("change", () => this.asker !== undefined && this.asker !== token() && this.load().catch(() => {}));
  }

  /** Loads the lists. @returns {Promise<void>} @throws {Problem} */
  async load() {
    const key = token();
    const { changes } = this;
    this.asker = key;
    const [{ followed }, { blocked }] = key === null ? [{ followed: [] }, { blocked: [] }] : await this.ask(key);
    // The guest may have changed in the meantime.
    if (key !== token() || changes !== this.changes) return this.load();
    Object.assign(this, { followed, blocked, isKnown: true });
    this.changed();
  }

  /** @param {string} key @returns {Promise<any[]>} */
  async ask(key) {
    try {
      return await Promise.all(["/me/follows", "/me/blocks"].map((path) => ask("GET", path, { token: key })));
    } catch (why) {
      if (why instanceof Problem && why.code === "unknown_token") loseSession(key);
      throw why;
    }
  }

  /** @param {string} id */
  follows(id) {
    return this.followed.some((one) => one.id === id);
  }

  /** @param {string} id */
  blocks(id) {
    return this.blocked.some((one) => one.id === id);
  }

  /** @param {OtherPlayer} player @throws {Problem} */
  follow({ id, name, kind }) {
    return this.change("PUT", `/me/follows/${id}`, () => (this.followed = [{ id, name, kind }, ...without(this.followed, id)]));
  }

  /** @param {string} id @throws {Problem} */
  unfollow(id) {
    return this.change("DELETE", `/me/follows/${id}`, () => (this.followed = without(this.followed, id)));
  }

  /** @param {OtherPlayer} player @throws {Problem} */
  block({ id, name, kind }) {
    return this.change("PUT", `/me/blocks/${id}`, () => (this.blocked = [{ id, name, kind }, ...without(this.blocked, id)]));
  }

  /** @param {string} id @throws {Problem} */
  unblock(id) {
    return this.change("DELETE", `/me/blocks/${id}`, () => (this.blocked = without(this.blocked, id)));
  }

  /** @param {string} method @param {string} path @param {() => unknown} done */
  async change(method, path, done) {
    await seated((token) => ask(method, path, { token }));
    this.changes += 1;
    done();
    this.changed();
  }

  changed() {
    this.dispatchEvent(new Event("change"));
  }
}

/** @param {OtherPlayer[]} all @param {string} id */
const without = (all, id) => all.filter((one) => one.id !== id);

/** The lists of this device's guest. */
export const people = new People();

/** Who may challenge the person, and to which games. @returns {Promise<ChallengeSettings>} @throws {Problem} */
export const challengeSettings = () => seated((token) => ask("GET", "/me/challenge-settings", { token }));

/** Stores the settings. @param {ChallengeSettings} settings @returns {Promise<ChallengeSettings>} @throws {Problem} */
export const keepChallengeSettings = (settings) =>
  seated((token) => ask("PUT", "/me/challenge-settings", { body: settings, token }));
