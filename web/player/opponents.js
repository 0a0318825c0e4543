// The person's seeks, and the challenges made and received, kept up to date.

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

/** The seeks and challenges of this tab: when one becomes a match, this tab opens it, and no other. */
const KEPT_AS = "lusoria.awaited";
/** Declined challenges that the person has seen on this device. */
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
    // The match is among the person's own; a declined challenge is reported once more.
  }
}

const awaited = () => kept(() => sessionStorage, KEPT_AS);
const keepAwaited = (/** @type {string[]} */ ids) => keep(() => sessionStorage, KEPT_AS, ids);
const seen = () => kept(() => localStorage, SEEN_AS);

/** Events: `change`; `met` with the id of the match that this tab waited for. */
export class Opponents extends EventTarget {
  /** @param {Connection} [connection] follows the person's topic; without one, changes go unnoticed */
  constructor(connection) {
    super();
    /** @type {Seek[]} open ones, the newest first */
    this.seeks = [];
    /** @type {Challenge[]} open ones, the newest first */
    this.challenges = [];
    /** @type {Challenge[]} the person's recently declined challenges, until they have seen them */
    this.declined = [];
    /** Counts the notices: one that arrives during a reload is newer than it. */
    this.heard = 0;
    connection?.addEventListener("line", () => connection.line === "open" && this.refresh());
    connection?.addEventListener("notice", (told) =>
      this.hear(/** @type {CustomEvent<Notice>} */ (told).detail),
    );
  }

  changed() {
    this.dispatchEvent(new Event("change"));
  }

  /** Reloads everything: there are no notices about expiry. @returns {Promise<void>} */
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
      // A failed request is repeated when the connection is back.
      if (!(why instanceof Problem)) throw why;
    }
  }

  /** Applies all present challenges. @param {Challenge[]} challenges */
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

  /** Remembers what this tab waits for. @param {string} id */
  await(id) {
    keepAwaited([id, ...awaited().filter((other) => other !== id)]);
  }

  /** A seek or challenge has become a match. @param {string} id of the seek or challenge @param {string} match */
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
   * Withdraws a seek. If it has become a match in the meantime, the match stands.
   * @param {string} id
   * @returns {Promise<boolean>} whether it was withdrawn
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
   * Plays the computer instead of waiting for an opponent.
   * @param {Seek} seek
   * @param {Wishes} wishes
   * @throws {Problem}
   */
  async playComputer(seek, wishes) {
    if (!(await this.withdrawSeek(seek.id))) return;
    const { match } = await create(wishes, { bringSeed: true });
    this.dispatchEvent(new CustomEvent("met", { detail: match.id }));
  }

  /** Challenges a player. @param {CreateChallenge} wishes @throws {Problem} */
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

  /** Notes that the person has seen a declined challenge. @param {Challenge} challenge */
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

/** Whether the person made it, and has not seen yet that it was declined. @param {Challenge} challenge */
const isDeclined = ({ id, from, state }) => state === "declined" && from.id === guest()?.id && !seen().includes(id);

/** @template {{id: string}} T @param {T[]} all @param {string} id */
const without = (all, id) => all.filter((one) => one.id !== id);

/** @template {{id: string}} T @param {T[]} all @param {T} one */
const withNew = (all, one) => [one, ...without(all, one.id)];
