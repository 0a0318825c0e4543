// The turn that is being built on this device.
//
// It is stored here until the server has acknowledged it: a reload restores it, and after a lost connection it is sent
// again, which has no second effect (the same turn gets the same response).

import { Problem } from "../api/rest.js";
import { reordered } from "../game/moves.js";
import { preferred } from "../player/preferences.js";
import { reasonsWhy } from "./why.js";

/** @typedef {import("../api/wire").components["schemas"]["Legal"]} Legal */
/** @typedef {import("../api/wire").components["schemas"]["Step"]} Step */
/** @typedef {{seq: number, steps: Step[], uncovered: boolean, sent: boolean}} Kept */

/** Refusals after which the turn can no longer be played in any way. */
const TOO_LATE = ["wrong_seq", "not_your_turn", "already_answered", "match_over", "not_playing", "time_over"];

/** The turn of the match. Events: `change`; `played` when it has been acknowledged; `refused` with the problem in `detail`. */
export class Turn extends EventTarget {
  /** @param {import("./live.js").LiveMatch} live */
  constructor(live) {
    super();
    this.live = live;
    /** The event that gave the turn; undefined if no seat here is to move. @type {number | undefined} */
    this.seq = undefined;
    /** @type {Step[]} */
    this.steps = [];
    /** The legal continuations; undefined until the server has responded. @type {Legal | undefined} */
    this.legal = undefined;
    /** Whether the person has rolled. */
    this.uncovered = false;
    /** Whether the turn has been sent. */
    this.sending = false;
    this.asked = 0;
    /** The throw that has been shown to others. @type {number | undefined} */
    this.toldOf = undefined;
    /** Whether the turn was forced from its first step. */
    this.isForced = false;
    /** The values thrown, the next one to be played first; empty while they are in the order of the throw. @type {number[]} */
    this.ordered = [];
    live.addEventListener("moment", () => this.sync());
  }

  /** Whether the person must roll first; the opening throw and a turn that was taken back are already known. */
  get isCovered() {
    const { toPlay, opening } = this.live.moment ?? {};
    const dice = opening || toPlay?.again ? 0 : (toPlay?.dice.length ?? 0);
    return this.seq !== undefined && dice > 0 && !this.uncovered && preferred("throwing") === "click";
  }

  /** Whether the turn can be sent. */
  get isComplete() {
    return this.legal?.complete === true && !this.isCovered;
  }

  /** The values thrown, the next one to be played first. */
  get order() {
    return this.ordered.length > 0 ? this.ordered : [...new Set(this.live.moment?.toPlay?.dice)];
  }

  /** Whether another die can be played first. */
  get hasOrder() {
    return !this.isCovered && !this.sending && new Set(this.legal?.dice_left).size > 1 && !this.isComplete;
  }

  /** Moves the next die to the end of the order. */
  reorder() {
    if (!this.hasOrder) return;
    this.ordered = reordered(this.order, this.legal?.dice_left ?? []);
    this.changed();
  }

  /** The only continuation of the turn, if there is just one. @returns {Step[]} */
  get forced() {
    return this.isCovered ? [] : (this.legal?.forced ?? []);
  }

  /** The last step, if it can be repeated. @returns {Step | undefined} */
  get again() {
    const last = this.steps.at(-1);
    if (!last || this.isCovered) return undefined;
    return this.legal?.steps.find((step) => same(step, last));
  }

  /** Follows the match: begins a turn, restores a stored one, or discards it. */
  sync() {
    const toPlay = this.live.myTurn ? this.live.moment?.toPlay : undefined;
    if (toPlay?.seq === this.seq) return;
    this.seq = toPlay?.seq;
    this.legal = undefined;
    this.sending = false;
    this.isForced = false;
    this.ordered = [];
    this.asked += 1;
    const kept = this.kept();
    const goesOn = kept !== undefined && kept.seq === this.seq;
    this.steps = goesOn ? kept.steps : [];
    this.uncovered = goesOn && kept.uncovered;
    // Another tab has stored a later turn.
    if (!goesOn && kept && kept.seq <= (this.live.moment?.seq ?? 0)) this.forget();
    this.changed();
    if (this.seq === undefined) return;
    if (goesOn && kept.sent) this.send();
    else this.ask();
  }

  /** Rolls. */
  uncover() {
    if (!this.isCovered) return;
    this.uncovered = true;
    this.keep(false);
    this.changed();
    this.goOn();
  }

  /** Adds steps. @param {Step[]} steps */
  play(steps) {
    if (this.seq === undefined || this.sending || this.isCovered) return;
    this.steps = [...this.steps, ...steps];
    this.built();
  }

  /** Takes the last step back. */
  undo() {
    if (this.steps.length === 0 || this.sending) return;
    this.steps = this.steps.slice(0, -1);
    this.built();
  }

  /** Takes all steps back. */
  reset() {
    if (this.steps.length === 0 || this.sending) return;
    this.steps = [];
    this.built();
  }

  /** Plays the only continuation of the turn, and sends it. */
  playForced() {
    const { forced } = this;
    if (forced.length > 0) this.playAll([...this.steps, ...forced]);
  }

  /** Plays and sends a whole turn. @param {Step[]} steps */
  playAll(steps) {
    if (this.seq === undefined || this.sending) return;
    this.steps = steps;
    this.legal = undefined;
    this.keep(false);
    this.changed();
    this.send();
  }

  /** Sends the turn. */
  confirm() {
    if (this.isComplete && !this.sending) this.send();
  }

  built() {
    this.legal = undefined;
    this.keep(false);
    this.changed();
    this.show();
    this.ask();
  }

  /** Shows the turn to others; a failure does not matter. */
  show() {
    const { live, seq, steps } = this;
    live.connection.http("POST", `/matches/${live.id}/building`, { body: { seq, steps } }).catch(() => {});
  }

  async ask() {
    const asked = ++this.asked;
    const { seq, steps } = this;
    try {
      const legal = await this.live.post("legal", { steps });
      if (asked !== this.asked || legal.seq !== seq) return;
      this.legal = legal;
      if (steps.length === 0) this.isForced = (legal.forced ?? []).length > 0;
      this.changed();
      this.goOn();
    } catch (why) {
      if (asked !== this.asked) return;
      this.refused(why);
      if (why instanceof Problem && why.mayPass) this.ask();
      // The stored turn may be from an older server: begin anew.
      else if (steps.length > 0) this.reset();
    }
  }

  /** Shows the throw to others, once it is shown here. */
  tell() {
    const { toPlay, opening } = this.live.moment ?? {};
    if (this.seq === undefined || this.toldOf === this.seq || this.isCovered) return;
    if (!toPlay || toPlay.dice.length === 0 || toPlay.again || opening) return;
    this.toldOf = this.seq;
    this.show();
  }

  /** Does what the person has set to happen automatically. */
  goOn() {
    this.tell();
    if (this.isCovered || this.sending || !this.legal) return;
    if (preferred("forced") === "auto" && this.forced.length > 0) this.playForced();
    else if (this.isComplete && this.steps.length > 0 && !this.asksFirst) this.send();
  }

  /** Whether the person prefers to confirm this turn. */
  get asksFirst() {
    const { toPlay } = this.live.moment ?? {};
    const isChoice = (toPlay?.dice.length ?? 0) > 0 && !this.isForced;
    return preferred("confirming") === "ask" || (preferred("confirming") === "choice" && isChoice);
  }

  async send() {
    const { seq, steps } = this;
    this.sending = true;
    this.keep(true);
    this.changed();
    try {
      await this.live.do("turn", { seq, steps });
      if (seq === this.seq) this.done();
      this.dispatchEvent(new Event("played"));
    } catch (why) {
      if (seq !== this.seq) return;
      this.sending = false;
      this.keep(false);
      const isLate = why instanceof Problem && TOO_LATE.includes(why.code);
      if (isLate) this.steps = [];
      this.refused(why);
      this.changed();
      this.ask();
    }
  }

  /** The turn has been acknowledged. */
  done() {
    this.forget();
    this.sending = false;
    this.sync();
  }

  /** @param {unknown} why */
  refused(why) {
    if (!(why instanceof Problem)) throw why;
    this.dispatchEvent(new CustomEvent("refused", { detail: why }));
  }

  /**
   * Why a piece cannot go: the reason for each remaining die.
   * @param {string} from the mover's name of the place
   * @param {string} [to] its target; by default the places that the dice lead to
   * @returns {Promise<Problem[]>} one for each reason
   */
  why(from, to) {
    const { live } = this;
    const tries = (/** @type {Step} */ step) =>
      live.connection.http("POST", `/matches/${live.id}/legal`, { body: { steps: [...this.steps, step] } });
    return reasonsWhy(tries, this.legal?.dice_left ?? [], from, to);
  }

  changed() {
    this.dispatchEvent(new Event("change"));
  }

  // --- storage -------------------------------------------------------

  get keptAs() {
    return `lusoria.turn.${this.live.id}`;
  }

  /** @returns {Kept | undefined} */
  kept() {
    try {
      return JSON.parse(localStorage.getItem(this.keptAs) ?? "null") ?? undefined;
    } catch {
      return undefined;
    }
  }

  /** @param {boolean} sent */
  keep(sent) {
    if (this.seq === undefined) return;
    const { seq, steps, uncovered } = this;
    try {
      localStorage.setItem(this.keptAs, JSON.stringify({ seq, steps, uncovered, sent }));
    } catch {
      // A reload will begin the turn anew.
    }
  }

  forget() {
    try {
      localStorage.removeItem(this.keptAs);
    } catch {
      // Nothing was stored.
    }
  }
}

/** @param {Step} a @param {Step} b */
const same = (a, b) => a.die === b.die && a.from === b.from && a.to === b.to;
