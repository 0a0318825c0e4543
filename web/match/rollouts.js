// Rollouts of turns of a finished match, compared with the best turns; requested one after the other.

import { ask, Problem } from "../api/rest.js";
import { token } from "../player/identity.js";

/** @typedef {import("../api/wire").components["schemas"]["TurnRollout"]} TurnRollout */

/** While a rollout is not ready, it is requested again, no sooner than this. */
const AGAIN_MS = 2_000;

/** Half the width of an interval of 95 %, in standard errors. */
const INTERVAL = 1.96;

/** Event: `change`. */
export class Rollouts extends EventTarget {
  /** @param {string} id of the match */
  constructor(id) {
    super();
    this.id = id;
    /** The rollouts, by the event in which the turn was played. @type {Map<number, TurnRollout>} */
    this.found = new Map();
    /** Why a rollout is not available. @type {Map<number, Problem>} */
    this.refused = new Map();
    /** Those still to be requested. @type {number[]} */
    this.waiting = [];
    this.isAsking = false;
    this.isLeft = false;
  }

  /** Requests rollouts until they are ready or cancelled. @param {number[]} seqs */
  async want(seqs) {
    this.isLeft = false;
    this.waiting = seqs.filter((seq) => this.found.get(seq)?.state !== "ready");
    for (const seq of seqs) this.refused.delete(seq);
    this.changed();
    if (this.isAsking) return;
    this.isAsking = true;
    try {
      while (this.waiting.length > 0 && !this.isLeft) {
        const waitMs = await this.read(this.waiting[0]);
        if (waitMs === 0) this.waiting.shift();
        this.changed();
        if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
      }
    } finally {
      this.isAsking = false;
      this.changed();
    }
  }

  /** Cancels all requests. */
  leave() {
    this.isLeft = true;
  }

  /** Reads the present state of a rollout. @param {number} seq @returns {Promise<number>} the time until the next request, in milliseconds; 0 if there is none */
  async read(seq) {
    try {
      const told = await ask("GET", `/matches/${this.id}/rollout?seq=${seq}`, { token: token() });
      this.found.set(seq, told);
      return told.state === "ready" ? 0 : AGAIN_MS;
    } catch (why) {
      if (!(why instanceof Problem)) throw why;
      if (why.mayPass) return Math.max(AGAIN_MS, (why.retryAfterS ?? 0) * 1_000);
      this.refused.set(seq, why);
      return 0;
    }
  }

  changed() {
    this.dispatchEvent(new Event("change"));
  }
}

/**
 * The result of a rollout for the turn that was played.
 * @typedef {object} Verdict
 * @property {string} best the notation of the best one
 * @property {boolean} isBest whether the turn itself is the best
 * @property {boolean} isSure whether the difference is significant
 * @property {boolean} isReady whether the result is final
 * @property {number} behind how much less than the best it is worth
 * @property {number} error half of the 95 % interval of that
 */

/** None before its first games. @param {TurnRollout} rollout @returns {Verdict | undefined} */
export function verdictOf({ turns, sure, state }) {
  const [best] = turns;
  const played = turns.find((turn) => turn.played);
  if (!best || !played) return undefined;
  const { behind, behind_error: error } = played;
  return { best: best.notation, isBest: best === played, isSure: sure, isReady: state === "ready", behind, error: INTERVAL * error };
}
