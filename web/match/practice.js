// Practises one's costliest mistakes: the person plays each turn again, and learns whether it is the computer's choice,
// the one played then, or another.

import { Problem } from "../api/rest.js";
import { dearest } from "./analysis.js";
import { Trial, rulesOf, standing } from "./trial.js";

/** @typedef {import("../game/story.js").Moment} Moment */
/** @typedef {import("./analysis.js").Judged} Judged */

/** A turn with less loss than this is as good as the best: in chances, in a series points. */
const AS_GOOD = 0.005;

/** The most mistakes to practise. */
const PRACTISED = 8;

/**
 * The state of a mistake: its turn is being played or judged; it was the computer's choice, another one as good, the
 * one played then, or another; or the computer's choice has been shown.
 * @typedef {"playing" | "judging" | "best" | "good" | "same" | "other" | "shown"} Phase
 */

/** The mistakes of some seats, in descending order of loss. @param {Judged[]} turns @param {import("../game/story.js").Seat[]} seats */
export const mistakesOf = (turns, seats) => dearest(turns.filter(({ seat }) => seats.includes(seat)), PRACTISED);

/** A step as the API takes it, without its effects. @param {import("./trial.js").Step} step @returns {import("./trial.js").Step} */
const plain = ({ die, from, to }) => (die ? { die, from, to } : { from, to });

/** Events: `change`; `mistake` when the next one begins; `judged`; `refused` with the problem in `detail`. */
export class Practice extends EventTarget {
  /**
   * @param {Judged[]} mistakes at least one
   * @param {(seq: number) => Moment} momentAt the match after an event
   * @param {(question: import("../api/wire").components["schemas"]["EvaluationQuestion"]) => Promise<import("../api/wire").components["schemas"]["Evaluation"]>} evaluate
   * @param {import("./trial.js").Rules} [rules]
   */
  constructor(mistakes, momentAt, evaluate, rules = rulesOf(momentAt(mistakes[0].before))) {
    super();
    this.evaluate = evaluate;
    /** The loss of the new turn; undefined until the computer has judged it. @type {number | undefined} */
    this.lost = undefined;
    this.mistakes = mistakes;
    this.momentAt = momentAt;
    this.rules = rules;
    this.trial = new Trial(rules);
    this.nth = 0;
    /** @type {Phase} */
    this.phase = "playing";
    /** Whether each finished mistake was solved at the first try. @type {Map<Judged, boolean>} */
    this.found = new Map();
    this.trial.addEventListener("change", () => this.built());
    this.trial.addEventListener("refused", (event) => this.refused(/** @type {CustomEvent} */ (event).detail));
  }

  /** The current mistake. */
  get mistake() {
    return this.mistakes[this.nth];
  }

  /** The match before the current mistake. */
  get moment() {
    return this.momentAt(this.mistake.before);
  }

  /** Whether it is the last one. */
  get isLast() {
    return this.nth === this.mistakes.length - 1;
  }

  /** How many were solved at the first try. */
  get foundCount() {
    return [...this.found.values()].filter(Boolean).length;
  }

  /** Whether the turn can be played: it is complete, or has only one continuation. */
  get isReady() {
    return this.phase === "playing" && (this.trial.isComplete || this.trial.forced.length > 0);
  }

  /** Begins a mistake. @param {number} nth */
  begin(nth) {
    this.nth = nth;
    this.phase = "playing";
    this.lay();
    this.dispatchEvent(new Event("mistake"));
  }

  /** Shows the position before it, with its dice. */
  lay() {
    const { position, toPlay } = this.moment;
    if (position && toPlay) this.trial.begin(position, toPlay.side, toPlay.dice);
  }

  /** Tries the same one again. */
  again() {
    this.phase = "playing";
    this.lay();
  }

  /** Shows the computer's choice. */
  show() {
    if (!this.found.has(this.mistake)) this.found.set(this.mistake, false);
    this.phase = "shown";
    this.lay();
  }

  /** Plays the turn, with its only continuation if there is one. */
  play() {
    if (!this.isReady) return;
    this.phase = "judging";
    if (this.trial.forced.length > 0) this.trial.play(this.trial.forced);
    else this.judge();
  }

  /** A turn with an only continuation is judged when the server has accepted it. */
  built() {
    if (this.phase === "judging" && this.trial.isComplete) this.judge();
    else this.changed();
  }

  /** Compares the end of the turn with the ends of the others. */
  async judge() {
    const { mistake, trial } = this;
    const asked = trial.asked;
    const end = trial.legal?.position;
    if (!end) return;
    try {
      const then = (this.momentAt(mistake.seq).last?.steps ?? []).map(plain);
      const ends = await Promise.all([mistake.better, then].map((steps) => this.rules(trial.question(steps))));
      if (asked !== trial.asked) return;
      const [isBest, isSame] = ends.map(({ position }) => standing(position) === standing(end));
      if (isBest || isSame) return this.judged(isBest ? "best" : "same");
      const { position: _, ...turn } = trial.question(trial.steps.map(plain));
      const { last } = await this.evaluate(/** @type {any} */ ({ seq: mistake.before, turns: [turn] }));
      if (asked !== trial.asked) return;
      this.lost = last?.lost;
      this.judged(this.lost !== undefined && this.lost < AS_GOOD ? "good" : "other");
    } catch (why) {
      if (!(why instanceof Problem)) throw why;
      if (asked === trial.asked) this.refused(why);
    }
  }

  /** @param {Phase} phase */
  judged(phase) {
    this.phase = phase;
    if (!this.found.has(this.mistake)) this.found.set(this.mistake, ["best", "good"].includes(phase));
    this.changed();
    this.dispatchEvent(new Event("judged"));
  }

  /** @param {Problem} why */
  refused(why) {
    if (this.phase === "judging") this.phase = "playing";
    this.dispatchEvent(new CustomEvent("refused", { detail: why }));
    this.changed();
  }

  changed() {
    this.dispatchEvent(new Event("change"));
  }
}
