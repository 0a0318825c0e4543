// A variation of a finished match: turns for both sides from any moment of it, with any dice, and the computer's
// evaluation. The server plays every turn and stores none.

import { Problem, ask } from "../api/rest.js";
import { factsOf } from "../game/games.js";
import { next } from "../game/story.js";
import { Trial, patiently, rulesOf } from "./trial.js";

/** @typedef {import("../api/wire").components["schemas"]["Evaluation"]} Evaluation */
/** @typedef {import("../api/wire").components["schemas"]["EvaluationQuestion"]} EvaluationQuestion */
/** @typedef {import("../game/story.js").Moment} Moment */
/** @typedef {import("../game/story.js").SideName} SideName */
/** @typedef {import("./trial.js").Step} Step */

/** The most turns that the server accepts. */
export const TURNS_MAX = 40;

/** Bytes from here on would make some throws more likely than others. */
const FAIR_BELOW = 252;

/**
 * A turn of a variation.
 * @typedef {object} Played
 * @property {SideName} side
 * @property {number[]} dice none in a tafl game
 * @property {Step[]} steps
 * @property {string} notation
 * @property {number | undefined} lost the loss, once the computer has evaluated it
 * @property {Moment} before the moment before its throw
 */

/** A saved turn, with the position after it. @typedef {Pick<Played, "dice" | "steps" | "notation"> & {position: import("./trial.js").Position}} Kept */

/** Requests the computer's evaluation of a variation of a match. @param {string} id of the match @returns {(question: EvaluationQuestion) => Promise<Evaluation>} */
export const evaluationsOf = (id) => (question) => patiently(() => ask("POST", `/matches/${id}/evaluation`, { body: question }));

/** The same for a variation from any position. @param {Moment} base @returns {(question: EvaluationQuestion) => Promise<Evaluation>} */
export const evaluationsFrom = ({ game, options, position }) => ({ turns, dice }) =>
  patiently(() => ask("POST", `/rules/${game}/evaluation`, { body: { options, position, turns, dice } }));

/** Fair dice. @param {number} count */
export function throwDice(count) {
  /** @type {number[]} */
  const dice = [];
  while (dice.length < count) {
    const [byte] = crypto.getRandomValues(new Uint8Array(1));
    if (byte < FAIR_BELOW) dice.push((byte % 6) + 1);
  }
  return dice;
}

/** Whether a variation can begin at a moment. @param {Moment | undefined} moment */
export const canBegin = (moment) => moment?.position !== undefined && moment.gameNumber > 0;

/** Events: `change`; `turn` when the position has changed; `refused` with the problem in `detail`. */
export class Variation extends EventTarget {
  /**
   * @param {Moment} base where it begins
   * @param {(question: EvaluationQuestion) => Promise<Evaluation>} evaluate
   * @param {import("./trial.js").Rules} [rules]
   */
  constructor(base, evaluate, rules = rulesOf(base)) {
    super();
    this.seq = base.seq;
    this.evaluate = evaluate;
    this.trial = new Trial(rules);
    /** The moment shown: as if it were played, without clocks. @type {Moment} */
    this.moment = { ...base, state: "playing", clocks: undefined, result: undefined, lagMs: { 1: 0, 2: 0 } };
    /** @type {Played[]} */
    this.turns = [];
    /** The computer's evaluation of the position, with its dice. @type {Evaluation | undefined} */
    this.opinion = undefined;
    this.asked = 0;
    /** Whether the server is playing a turn. */
    this.isPlaying = false;
    this.trial.addEventListener("change", () => this.built());
    this.trial.addEventListener("refused", (event) => this.refused(/** @type {CustomEvent} */ (event).detail));
  }

  /** The number of dice in a throw; 0 in a tafl game. */
  get diceCount() {
    return factsOf(this.moment.game).dice ?? 0;
  }

  /** The side to move; none when the game is over. @returns {SideName | undefined} */
  get side() {
    return this.isOver ? undefined : this.moment.position?.to_move;
  }

  /** Whether the variation ends the game. */
  get isOver() {
    return this.opinion?.outcome != null;
  }

  /** Whether dice must be thrown or chosen now. */
  get needsDice() {
    return this.diceCount > 0 && !this.moment.toPlay && !this.isOver && !this.isPlaying && this.turns.length < TURNS_MAX;
  }

  /** Whether anything can be taken back. */
  get canTakeBack() {
    return !this.isPlaying && (this.trial.steps.length > 0 || this.turns.length > 0 || (this.diceCount > 0 && this.moment.toPlay !== undefined));
  }

  /** Begins the variation: with the dice of the match if there are any, or after saved turns. @param {Kept[]} [kept] */
  begin(kept = []) {
    for (const turn of kept) {
      const side = /** @type {SideName} */ (this.moment.position?.to_move);
      const before = turn.dice.length > 0 ? thrownIn(this.moment, side, turn.dice) : this.moment;
      this.turns.push({ ...turn, side, lost: undefined, before });
      this.moment = after(before, side, turn);
    }
    this.goOn();
  }

  /** Its turns as they are saved. @returns {Kept[]} */
  get kept() {
    const after = [...this.turns.slice(1).map(({ before }) => before), this.moment];
    return this.turns.map(({ dice, steps, notation }, nth) => ({ dice, steps, notation, position: /** @type {any} */ (after[nth].position) }));
  }

  /** Sets dice for the side to move. @param {number[]} dice */
  throw(dice) {
    const { moment, side } = this;
    if (!this.needsDice || !side) return;
    this.moment = thrownIn(moment, side, dice);
    this.goOn();
  }

  /** Begins the next turn, and requests an evaluation. */
  goOn() {
    const { position, toPlay } = this.moment;
    this.opinion = undefined;
    if (position && toPlay) this.trial.begin(position, toPlay.side, toPlay.dice);
    else this.trial.end();
    this.ask();
    this.dispatchEvent(new Event("turn"));
    this.changed();
  }

  /** @returns {EvaluationQuestion} */
  get question() {
    const { dice = [] } = this.moment.toPlay ?? {};
    return /** @type {EvaluationQuestion} */ ({ seq: this.seq, turns: this.turns.map(tried), ...(dice.length > 0 ? { dice } : {}) });
  }

  /** Requests an evaluation of the position. */
  async ask() {
    const asked = ++this.asked;
    try {
      const opinion = await this.evaluate(this.question);
      if (asked !== this.asked) return;
      this.opinion = opinion;
      this.changed();
    } catch (why) {
      if (asked === this.asked) this.refused(why);
    }
  }

  /** A complete turn is played at once: it can be taken back. */
  built() {
    const { trial } = this;
    if (trial.isComplete && trial.steps.length > 0 && !this.isPlaying) this.play();
    else this.changed();
  }

  /** Plays the turn: the server returns the position and the loss. */
  async play() {
    const { moment, trial } = this;
    const { toPlay } = moment;
    if (!toPlay || !trial.isComplete || this.isPlaying) return;
    const { side, dice } = toPlay;
    const steps = trial.steps;
    const turn = { side, dice, steps, notation: trial.legal?.notation ?? "", lost: undefined, before: moment };
    this.isPlaying = true;
    this.changed();
    const asked = ++this.asked;
    try {
      const opinion = await this.evaluate(/** @type {any} */ ({ seq: this.seq, turns: [...this.turns, turn].map(tried) }));
      if (asked !== this.asked) return;
      this.isPlaying = false;
      this.turns = [...this.turns, { ...turn, lost: opinion.last?.lost }];
      this.moment = after(moment, side, { ...turn, position: opinion.position });
      this.opinion = opinion;
      // In a tafl game the other side is to move at once.
      if (this.moment.toPlay && !this.isOver && this.moment.position) this.trial.begin(this.moment.position, this.moment.toPlay.side, []);
      else this.trial.end();
      this.dispatchEvent(new Event("turn"));
      this.changed();
    } catch (why) {
      if (asked !== this.asked) return;
      this.isPlaying = false;
      this.refused(why);
      this.trial.reset();
    }
  }

  /** Plays the only continuation of a turn; or passes. */
  playForced() {
    const { trial } = this;
    if (trial.forced.length > 0) trial.play(trial.forced);
    else if (trial.isComplete && trial.steps.length === 0) this.play();
  }

  /** Plays a turn that the computer suggests. @param {Step[]} steps */
  playSteps(steps) {
    const { position, toPlay } = this.moment;
    if (position && toPlay && !this.isPlaying) this.trial.begin(position, toPlay.side, toPlay.dice, steps);
  }

  /** Takes back a step, the dice, or the last turn but not its dice. */
  takeBack() {
    if (!this.canTakeBack) return;
    if (this.trial.steps.length > 0) return this.trial.undo();
    const thrown = this.diceCount > 0 && this.moment.toPlay !== undefined;
    if (thrown) {
      // A throw changes nothing on the board.
      this.moment = { ...this.moment, toPlay: undefined };
    } else {
      const last = /** @type {Played} */ (this.turns.at(-1));
      this.turns = this.turns.slice(0, -1);
      this.moment = last.before;
    }
    this.goOn();
  }

  /** @param {unknown} why */
  refused(why) {
    if (!(why instanceof Problem)) throw why;
    this.dispatchEvent(new CustomEvent("refused", { detail: why }));
    this.changed();
  }

  changed() {
    this.dispatchEvent(new Event("change"));
  }
}

/** The moment after a throw. @param {Moment} moment @param {SideName} side @param {number[]} dice */
const thrownIn = (moment, side, dice) => next(moment, /** @type {any} */ ({ type: "thrown", seq: moment.seq + 1, at: moment.at, side, dice }));

/** The moment after a turn. @param {Moment} moment @param {SideName} side @param {Kept} turn @returns {Moment} */
function after(moment, side, { steps, notation, position }) {
  const { at, seq, sides } = moment;
  const type = steps.length > 0 ? "turned" : "passed";
  const event = { type, seq: seq + 1, at, seat: sides?.[1] === side ? 1 : 2, side, steps, notation, position };
  return { ...next(moment, /** @type {any} */ (event)), position };
}

/** A turn as the API takes it. @param {{dice: number[], steps: Step[]}} turn */
const tried = ({ dice, steps }) => ({
  ...(dice.length > 0 ? { dice } : {}),
  steps: steps.map(({ die, from, to }) => (die ? { die, from, to } : { from, to })),
});
