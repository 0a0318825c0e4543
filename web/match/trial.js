// A turn that is tried out beside a match: the server says what is legal, and stores nothing.

import { Problem, ask } from "../api/rest.js";
import { reordered } from "../game/moves.js";
import { reasonsWhy } from "./why.js";

/** @typedef {import("../api/wire").components["schemas"]["Legal"]} Legal */
/** @typedef {import("../api/wire").components["schemas"]["Position"]} Position */
/** @typedef {import("../api/wire").components["schemas"]["RulesAnswer"]} RulesAnswer */
/** @typedef {import("../api/wire").components["schemas"]["RulesQuestion"]} RulesQuestion */
/** @typedef {import("../api/wire").components["schemas"]["SideName"]} SideName */
/** @typedef {import("../api/wire").components["schemas"]["Step"]} Step */
/** @typedef {RulesAnswer & {to_play: SideName}} Tried */
/** @typedef {(question: RulesQuestion) => Promise<RulesAnswer>} Rules */

/** How often a request is repeated when the server is busy. */
const BUSY_MAX = 4;

/** Asks the rules of a game with the options of a match; repeats if the server is busy. @param {import("../game/story.js").Moment} moment @returns {Rules} */
export function rulesOf({ game, options }) {
  return (question) => patiently(() => ask("POST", `/rules/${game}`, { body: { options, ...question } }));
}

/** Repeats a request a few times, until the server responds. @template T @param {() => Promise<T>} what @returns {Promise<T>} @throws {Problem} */
export async function patiently(what) {
  for (let busy = 0; ; busy += 1) {
    try {
      return await what();
    } catch (why) {
      if (!(why instanceof Problem) || !why.mayPass || busy === BUSY_MAX) throw why;
      await pause((why.retryAfterS ?? 1) * 1_000 * 2 ** busy);
    }
  }
}

/** @param {number} ms @returns {Promise<void>} */
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Events: `change`; `refused` with the problem in `detail`. */
export class Trial extends EventTarget {
  /** @param {Rules} rules */
  constructor(rules) {
    super();
    this.rules = rules;
    /** The position at the start of the turn. @type {Position | undefined} */
    this.position = undefined;
    /** The side to move. @type {SideName | undefined} */
    this.side = undefined;
    /** The dice; empty in a tafl game. @type {number[]} */
    this.dice = [];
    /** @type {Step[]} */
    this.steps = [];
    /** The legal continuations; undefined until the server has responded. @type {Tried | undefined} */
    this.legal = undefined;
    /** The values thrown, the next one to be played first. @type {number[]} */
    this.order = [];
    this.asked = 0;
  }

  /** Begins a turn. @param {Position} position @param {SideName} side @param {number[]} dice @param {Step[]} [steps] its first steps */
  begin(position, side, dice, steps = []) {
    Object.assign(this, { position, side, dice, steps, order: [...new Set(dice)] });
    this.built();
  }

  /** Ends the trial. */
  end() {
    this.asked += 1;
    Object.assign(this, { position: undefined, side: undefined, dice: [], steps: [], order: [], legal: undefined });
  }

  /** Whether another die can be played first. */
  get hasOrder() {
    return new Set(this.legal?.dice_left).size > 1 && !this.isComplete;
  }

  /** Moves the next die to the end of the order. */
  reorder() {
    if (!this.hasOrder) return;
    this.order = reordered(this.order, this.legal?.dice_left ?? []);
    this.changed();
  }

  /** Whether the turn is complete. */
  get isComplete() {
    return this.legal?.complete === true;
  }

  /** The only continuation of the turn, if there is just one. @returns {Step[]} */
  get forced() {
    return this.legal?.forced ?? [];
  }

  /** Adds steps. @param {Step[]} steps */
  play(steps) {
    if (!this.side || steps.length === 0) return;
    this.steps = [...this.steps, ...steps];
    this.built();
  }

  /** Takes the last step back. */
  undo() {
    if (this.steps.length === 0) return;
    this.steps = this.steps.slice(0, -1);
    this.built();
  }

  /** Takes all steps back. */
  reset() {
    if (this.steps.length === 0) return;
    this.steps = [];
    this.built();
  }

  async built() {
    const asked = ++this.asked;
    this.legal = undefined;
    this.changed();
    try {
      const answer = await this.rules(this.question(this.steps));
      if (asked !== this.asked) return;
      this.legal = { ...answer, to_play: /** @type {SideName} */ (this.side) };
      this.changed();
    } catch (why) {
      if (!(why instanceof Problem)) throw why;
      if (asked !== this.asked) return;
      this.dispatchEvent(new CustomEvent("refused", { detail: why }));
      // A refused step is not extended.
      if (this.steps.length > 0) this.reset();
    }
  }

  /** @param {Step[]} steps @returns {RulesQuestion} */
  question(steps) {
    const { position, dice } = this;
    return /** @type {RulesQuestion} */ ({ position, steps, ...(dice.length > 0 ? { dice } : {}) });
  }

  /**
   * Why a piece cannot go: the reason for each remaining die.
   * @param {string} from the mover's name of the place
   * @param {string} [to] its target; by default the places that the dice lead to
   * @returns {Promise<Problem[]>} one for each reason
   */
  why(from, to) {
    const tries = (/** @type {Step} */ step) => this.rules(this.question([...this.steps, step]));
    return reasonsWhy(tries, this.legal?.dice_left ?? [], from, to);
  }

  changed() {
    this.dispatchEvent(new Event("change"));
  }
}

/** The pieces of a position, to compare the ends of turns: the side to move does not matter. @param {Position} position */
export const standing = (position) => JSON.stringify({ ...position, to_move: undefined });
