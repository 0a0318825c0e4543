// Turns of a match that is over, compared with the best ones by playing them on: asked for one after the other.

import { ask, Problem } from "../api/rest.js";
import { token } from "../player/identity.js";

/** @typedef {import("../api/wire").components["schemas"]["TurnRollout"]} TurnRollout */

/** As long as one is not ready, it is asked for again: no sooner than this. */
const AGAIN_MS = 2_000;

/** Half the width of an interval of 95 %, in standard errors. */
const INTERVAL = 1.96;

/** Event: `change`. */
export class Rollouts extends EventTarget {
  /** @param {string} id the match */
  constructor(id) {
    super();
    this.id = id;
    /** What there is of each, by the event in which the turn was played. @type {Map<number, TurnRollout>} */
    this.found = new Map();
    /** Why one cannot be had. @type {Map<number, Problem>} */
    this.refused = new Map();
    /** Those that are still to be asked for. @type {number[]} */
    this.waiting = [];
    this.isAsking = false;
    this.isLeft = false;
  }

  /** Asks for those until they are ready, or nobody wants them any more. @param {number[]} seqs */
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

  /** Nobody wants them any more. */
  leave() {
    this.isLeft = true;
  }

  /** Reads one as far as it is. @param {number} seq @returns {Promise<number>} when there may be more, in milliseconds; 0 for never */
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
 * What a rollout says of the turn that was played.
 * @typedef {object} Verdict
 * @property {string} best the notation of the best one
 * @property {boolean} isBest whether it is the best itself
 * @property {boolean} isSure whether the best one surely is that
 * @property {boolean} isReady whether that is the last word
 * @property {number} behind how much less than the best it is worth
 * @property {number} error half of the interval of 95 % of that
 */

/** None before its first games. @param {TurnRollout} rollout @returns {Verdict | undefined} */
export function verdictOf({ turns, sure, state }) {
  const [best] = turns;
  const played = turns.find((turn) => turn.played);
  if (!best || !played) return undefined;
  const { behind, behind_error: error } = played;
  return { best: best.notation, isBest: best === played, isSure: sure, isReady: state === "ready", behind, error: INTERVAL * error };
}
