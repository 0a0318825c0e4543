// Whom the person plays next: what they seek, and the challenges that they made or got, kept up to date.

import { Problem, ask } from "../api/rest.js";
import { guest, token } from "./identity.js";
import { create, seated } from "./seats.js";

/** @typedef {import("../api/socket.js").Connection} Connection */
/** @typedef {import("../api/socket.js").Notice} Notice */
/** @typedef {import("../api/wire").components["schemas"]["Challenge"]} Challenge */
/** @typedef {import("../api/wire").components["schemas"]["CreateChallenge"]} CreateChallenge */
/** @typedef {import("../api/wire").components["schemas"]["CreateSeek"]} CreateSeek */
/** @typedef {NonNullable<Challenge["reason"]>} DeclineReason */
/** @typedef {import("../api/wire").components["schemas"]["Seek"]} Seek */
/** @typedef {import("./seats.js").Wishes} Wishes */

/** What this tab waits for: when it becomes a match, this tab goes there, and no other. */
const KEPT_AS = "lusoria.awaited";
/** Challenges whose refusal the person has seen on this device. */
const SEEN_AS = "lusoria.seenDeclined";
const KEPT_MAX = 20;

/** @param {() => Storage} storage @param {string} name @returns {string[]} ids of seeks and challenges */
function kept(storage, name) {
  try {
    return JSON.parse(storage().getItem(name) ?? "[]");
  } catch {
    return [];
  }
}

/** @param {() => Storage} storage @param {string} name @param {string[]} ids */
function keep(storage, name, ids) {
  try {
    storage().setItem(name, JSON.stringify(ids.slice(0, KEPT_MAX)));
  } catch {
    // The match stands among the person's own; a refusal is told once more.
  }
}

const awaited = () => kept(() => sessionStorage, KEPT_AS);
const keepAwaited = (/** @type {string[]} */ ids) => keep(() => sessionStorage, KEPT_AS, ids);
const seen = () => kept(() => localStorage, SEEN_AS);

/** Events: `change`; `met` with the id of the match that this tab waited for. */
export class Opponents extends EventTarget {
  /** @param {Connection} [connection] which follows the person's own topic; without one what changes is not heard */
  constructor(connection) {
    super();
    /** @type {Seek[]} those that wait, the newest first */
    this.seeks = [];
    /** @type {Challenge[]} those that wait, the newest first */
    this.challenges = [];
    /** @type {Challenge[]} those that the person made and that were declined lately, until they have seen it */
    this.declined = [];
    /** How many notices have come: one that comes while everything is asked for knows better. */
    this.heard = 0;
    connection?.addEventListener("line", () => connection.line === "open" && this.refresh());
    connection?.addEventListener("notice", (told) =>
      this.hear(/** @type {CustomEvent<Notice>} */ (told).detail),
    );
  }

  changed() {
    this.dispatchEvent(new Event("change"));
  }

  /** Asks for everything anew: what has expired is not told. @returns {Promise<void>} */
  async refresh() {
    const key = token();
    const { heard } = this;
    try {
      const [{ seeks }, { challenges }] =
        key === null
          ? [{ seeks: [] }, { challenges: [] }]
          : await Promise.all([
              ask("GET", "/seeks", { token: key }),
              ask("GET", "/challenges", { token: key }),
            ]);
      if (this.heard !== heard || key !== token()) return this.refresh();
      this.seeks = seeks.filter((/** @type {Seek} */ seek) => !seek.match);
      this.take(challenges);
      for (const seek of seeks) if (seek.match) this.met(seek.id, seek.match);
      for (const { id, state } of challenges) if (state === "accepted") this.met(id, id);
    } catch (why) {
      // What cannot be asked now is asked when the line is back.
      if (!(why instanceof Problem)) throw why;
    }
  }

  /** Takes over all challenges as they stand. @param {Challenge[]} challenges */
  take(challenges) {
    this.challenges = challenges.filter(isWaiting);
    this.declined = challenges.filter(isDeclined);
    this.changed();
  }

  /** @param {Notice} notice */
  hear(notice) {
    if (notice.notice === "seek") this.heardOfSeek(notice.seek);
    if (notice.notice === "challenge") this.heardOfChallenge(notice.challenge);
  }

  /** @param {Seek} seek */
  heardOfSeek(seek) {
    this.heard += 1;
    this.seeks = seek.match ? without(this.seeks, seek.id) : withNew(this.seeks, seek);
    this.changed();
    if (!seek.match) return;
    this.met(seek.id, seek.match);
    // Other seeks and challenges may have ended with it.
    this.refresh();
  }

  /** @param {Challenge} challenge */
  heardOfChallenge(challenge) {
    this.heard += 1;
    const { id, state } = challenge;
    this.challenges = isWaiting(challenge) ? withNew(this.challenges, challenge) : without(this.challenges, id);
    this.declined = isDeclined(challenge) ? withNew(this.declined, challenge) : without(this.declined, id);
    this.changed();
    if (state !== "accepted") return;
    this.met(id, id);
    this.refresh();
  }

  /** Remembers that this tab waits for something. @param {string} id */
  await(id) {
    keepAwaited([id, ...awaited().filter((other) => other !== id)]);
  }

  /** Something has become a match. @param {string} id what it was @param {string} match */
  met(id, match) {
    const ids = awaited();
    if (!ids.includes(id)) return;
    keepAwaited(ids.filter((other) => other !== id));
    this.dispatchEvent(new CustomEvent("met", { detail: match }));
  }

  /** Seeks an opponent. @param {CreateSeek} wishes @returns {Promise<Seek>} @throws {Problem} */
  async seek(wishes) {
    /** @type {Seek} */
    const seek = await seated((token) => ask("POST", "/seeks", { body: wishes, token }));
    this.await(seek.id);
    this.heardOfSeek(seek);
    return seek;
  }

  /**
   * Withdraws a seek. If it was answered meanwhile, the match stands.
   * @param {string} id
   * @returns {Promise<boolean>} whether it is withdrawn
   * @throws {Problem}
   */
  async withdrawSeek(id) {
    try {
      await ask("DELETE", `/seeks/${id}`, { token: token() });
    } catch (why) {
      if (!(why instanceof Problem) || !["seek_answered", "no_such_seek"].includes(why.code)) throw why;
      await this.refresh();
      return why.code === "no_such_seek";
    }
    this.seeks = without(this.seeks, id);
    this.changed();
    return true;
  }

  /**
   * Plays the computer in place of somebody who was sought.
   * @param {Seek} seek
   * @param {Wishes} wishes
   * @throws {Problem}
   */
  async playComputer(seek, wishes) {
    if (!(await this.withdrawSeek(seek.id))) return;
    const { match } = await create(wishes, { bringSeed: true });
    this.dispatchEvent(new CustomEvent("met", { detail: match.id }));
  }

  /** Challenges somebody. @param {CreateChallenge} wishes @throws {Problem} */
  async challenge(wishes) {
    /** @type {Challenge} */
    const challenge = await seated((token) => ask("POST", "/challenges", { body: wishes, token }));
    this.await(challenge.id);
    this.heardOfChallenge(challenge);
    return challenge;
  }

  /** Accepts a challenge. @param {Challenge} challenge @throws {Problem} */
  accept({ id }) {
    return this.answer(id, async () => {
      await ask("POST", `/challenges/${id}/accept`, { body: {}, token: token() });
      this.await(id);
      this.met(id, id);
    });
  }

  /** Declines a challenge. @param {Challenge} challenge @param {DeclineReason} [reason] @throws {Problem} */
  decline({ id }, reason) {
    return this.answer(id, () => ask("POST", `/challenges/${id}/decline`, { body: { reason }, token: token() }));
  }

  /** The person has seen that a challenge was declined. @param {Challenge} challenge */
  dismiss({ id }) {
    keep(() => localStorage, SEEN_AS, [id, ...seen().filter((other) => other !== id)]);
    this.declined = without(this.declined, id);
    this.changed();
  }

  /** Withdraws a challenge. @param {Challenge} challenge @throws {Problem} */
  withdrawChallenge({ id }) {
    return this.answer(id, () => ask("DELETE", `/challenges/${id}`, { token: token() }));
  }

  /** @param {string} id @param {() => Promise<unknown>} send */
  async answer(id, send) {
    try {
      await send();
      this.challenges = without(this.challenges, id);
      this.changed();
    } catch (why) {
      await this.refresh();
      throw why;
    }
  }
}

/** @param {Challenge} challenge */
const isWaiting = ({ state }) => state === "waiting";

/** Whether the person made it, and has still to be told that it was declined. @param {Challenge} challenge */
const isDeclined = ({ id, from, state }) => state === "declined" && from.id === guest()?.id && !seen().includes(id);

/** @template {{id: string}} T @param {T[]} all @param {string} id */
const without = (all, id) => all.filter((one) => one.id !== id);

/** @template {{id: string}} T @param {T[]} all @param {T} one */
const withNew = (all, one) => [one, ...without(all, one.id)];
