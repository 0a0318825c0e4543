// The turn that is being built on this device.
//
// It is kept here until the server has acknowledged it: a reload comes back to it, and after
// a broken line it is sent again, which plays nothing twice (the same turn again gets the
// same answer again).

import { Problem } from "../api/rest.js";
import { reordered } from "../game/moves.js";
import { preferred } from "../player/preferences.js";
import { reasonsWhy } from "./why.js";

/** @typedef {import("../api/wire").components["schemas"]["Legal"]} Legal */
/** @typedef {import("../api/wire").components["schemas"]["Step"]} Step */
/** @typedef {{seq: number, steps: Step[], uncovered: boolean, sent: boolean}} Kept */

/** Refusals after which the turn cannot be played any more, in whatever way. */
const TOO_LATE = ["wrong_seq", "not_your_turn", "already_answered", "match_over", "not_playing", "time_over"];

/** The turn of the match. Events: `change`; `played` when it has been acknowledged; `refused` with the problem in `detail`. */
export class Turn extends EventTarget {
  /** @param {import("./live.js").LiveMatch} live */
  constructor(live) {
    super();
    this.live = live;
    /** The event that gave the turn; undefined if it is nobody's turn here. @type {number | undefined} */
    this.seq = undefined;
    /** @type {Step[]} */
    this.steps = [];
    /** What is legal after those steps; undefined until the server has said. @type {Legal | undefined} */
    this.legal = undefined;
    /** Whether the throw has been uncovered here. */
    this.uncovered = false;
    /** Whether the turn is on its way. */
    this.sending = false;
    this.asked = 0;
    /** The throw that others have been told is uncovered. @type {number | undefined} */
    this.toldOf = undefined;
    /** Whether the dice left no choice from the first step on. */
    this.isForced = false;
    /** The values thrown, the next to be played first; empty as long as they are in the order of the throw. @type {number[]} */
    this.ordered = [];
    live.addEventListener("moment", () => this.sync());
  }

  /** Whether the person must uncover his throw first; who begins, the opening throw has told, and a turn that was
   * taken back is known. */
  get isCovered() {
    const { toPlay, opening } = this.live.moment ?? {};
    const dice = opening || toPlay?.again ? 0 : (toPlay?.dice.length ?? 0);
    return this.seq !== undefined && dice > 0 && !this.uncovered && preferred("throwing") === "click";
  }

  /** Whether it can be sent. */
  get isComplete() {
    return this.legal?.complete === true && !this.isCovered;
  }

  /** The values thrown, the next to be played first. */
  get order() {
    return this.ordered.length > 0 ? this.ordered : [...new Set(this.live.moment?.toPlay?.dice)];
  }

  /** Whether there is an order of the dice to be changed. */
  get hasOrder() {
    return !this.isCovered && !this.sending && new Set(this.legal?.dice_left).size > 1 && !this.isComplete;
  }

  /** Makes the die after the next one the next. */
  reorder() {
    if (!this.hasOrder) return;
    this.ordered = reordered(this.order, this.legal?.dice_left ?? []);
    this.changed();
  }

  /** The rest of the turn, if there is only one. @returns {Step[]} */
  get forced() {
    return this.isCovered ? [] : (this.legal?.forced ?? []);
  }

  /** The last step, if the same can be done again. @returns {Step | undefined} */
  get again() {
    const last = this.steps.at(-1);
    if (!last || this.isCovered) return undefined;
    return this.legal?.steps.find((step) => same(step, last));
  }

  /** Follows the match: begins a turn, takes up the one that was kept, or forgets it. */
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
    // Of a later turn, another tab knows already.
    if (!goesOn && kept && kept.seq <= (this.live.moment?.seq ?? 0)) this.forget();
    this.changed();
    if (this.seq === undefined) return;
    if (goesOn && kept.sent) this.send();
    else this.ask();
  }

  /** Uncovers the throw. */
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

  /** Plays the rest of a turn that can go only one way, and sends it. */
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

  /** Sends it. */
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

  /** Lets others see it; nothing depends on that. */
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
      // What was kept may be from an older server: begin anew.
      else if (steps.length > 0) this.reset();
    }
  }

  /** Lets others see the throw, once it is seen here. */
  tell() {
    const { toPlay, opening } = this.live.moment ?? {};
    if (this.seq === undefined || this.toldOf === this.seq || this.isCovered) return;
    if (!toPlay || toPlay.dice.length === 0 || toPlay.again || opening) return;
    this.toldOf = this.seq;
    this.show();
  }

  /** Does by itself what the person prefers not to do. */
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

  /** It has been acknowledged. */
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
   * Why a piece cannot go: the reason for each die that is left.
   * @param {string} from the mover's name of the place
   * @param {string} [to] where it was to go; wherever the dice lead if left out
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

  // --- what is kept on the device -------------------------------------------------------

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
      // Nothing was kept.
    }
  }
}

/** @param {Step} a @param {Step} b */
const same = (a, b) => a.die === b.die && a.from === b.from && a.to === b.to;
