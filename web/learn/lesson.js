// A first game: the stations of a script, one after the other, each a turn to be played.
//
// What is legal the server says; what the turn should be, the script (docs/learn.md).

import { reordered } from "../game/moves.js";

/** @typedef {import("../api/wire").components["schemas"]["Position"]} Position */
/** @typedef {import("../api/wire").components["schemas"]["RulesAnswer"]} RulesAnswer */
/** @typedef {import("../api/wire").components["schemas"]["RulesQuestion"]} RulesQuestion */
/** @typedef {import("../api/wire").components["schemas"]["SideName"]} SideName */
/** @typedef {import("../api/wire").components["schemas"]["Step"]} Step */
/** @typedef {import("../text/words.js").Reason} Reason */

/**
 * A turn to be played.
 * @typedef {object} Station
 * @property {Position} position
 * @property {number[]} [dice]
 * @property {SideName} side who the learner is
 * @property {string[]} [marks] cells to set off, as `side` calls them
 * @property {string} say what is told before the turn: the name of a text
 * @property {{steps?: Step[], any?: true, pass?: true}} expect
 * @property {string} [hint] what is told when a legal turn was another one
 * @property {string} then what is told after the turn
 * @property {{dice?: number[], steps: Step[]}} [reply] the other side's turn after it
 */

/** @typedef {{game: string, options?: Record<string, unknown>, stations: Station[]}} Script */

/**
 * How a station stands: the turn is being played; another legal turn was played; the turn was
 * right; the other side has replied; the server could not be asked.
 * @typedef {"playing" | "other" | "right" | "replied" | "failed"} Phase
 */

/** @type {Record<SideName, SideName>} */
const OTHER = { white: "black", black: "white", defenders: "attackers", attackers: "defenders" };

/** A first game being played. Event: `change`. */
export class Lesson extends EventTarget {
  /**
   * @param {Script} script
   * @param {(question: RulesQuestion) => Promise<RulesAnswer>} rules
   */
  constructor(script, rules) {
    super();
    this.script = script;
    this.rules = rules;
    /** The station, from 0; after the last the lesson has ended. */
    this.at = 0;
    /** @type {Phase} */
    this.phase = "playing";
    /** The steps of the turn so far. @type {Step[]} */
    this.steps = [];
    /** What the rules said last of this turn. @type {RulesAnswer | undefined} */
    this.answer = undefined;
    /** All dice of the turn, doubles as often as they count. @type {number[]} */
    this.hand = [];
    /** The values thrown, the next to be played first. @type {number[]} */
    this.order = [];
    /** How the other side replied. @type {RulesAnswer | undefined} */
    this.reply = undefined;
    /** The steps that led to this position, for those who see it; none after a leap. @type {Step[] | null} */
    this.led = null;
    /** Every question makes the answers to those before it void. */
    this.asked = 0;
  }

  get stations() {
    return this.script.stations;
  }

  /** @returns {Station | undefined} */
  get station() {
    return this.stations[this.at];
  }

  get ended() {
    return this.at >= this.stations.length;
  }

  /** The position to show. @returns {Position | undefined} */
  get position() {
    return this.reply?.position ?? this.answer?.position ?? this.station?.position;
  }

  /** The side that made the steps shown last. @returns {SideName | undefined} */
  get mover() {
    const side = this.station?.side;
    return side && this.reply ? OTHER[side] : side;
  }

  /** The dice still to play. */
  get left() {
    return this.answer?.dice_left ?? [];
  }

  /** Goes to a station. @param {number} at from 0 */
  async go(at) {
    this.at = Math.max(0, Math.min(at, this.stations.length));
    this.steps = [];
    this.answer = undefined;
    this.reply = undefined;
    this.hand = [];
    this.order = [...new Set(this.station?.dice)];
    this.led = null;
    this.phase = "playing";
    this.changed();
    if (this.ended) return;
    await this.ask([], null);
    this.hand = [...this.left];
    this.changed();
  }

  /** Plays on: what the other side replies, or the next station. */
  async next() {
    const { station } = this;
    if (this.phase === "right" && station?.reply) return this.showReply(station.reply);
    return this.go(this.at + 1);
  }

  /** The station once more, or the one before it. */
  back() {
    return this.go(this.steps.length > 0 || this.reply ? this.at : this.at - 1);
  }

  /** The station from its beginning. */
  again() {
    return this.go(this.at);
  }

  /** Adds to the turn. @param {Step[]} steps legal ones */
  add(steps) {
    if (this.phase !== "playing") return Promise.resolve();
    return this.ask([...this.steps, ...steps], steps);
  }

  /** Whether there is an order of the dice to be changed. */
  get hasOrder() {
    return this.phase === "playing" && new Set(this.left).size > 1;
  }

  /** Makes the die after the next one the next. */
  reorder() {
    if (!this.hasOrder) return;
    this.order = reordered(this.order, this.left);
    this.changed();
  }

  /** Takes the last step back. */
  async undo() {
    if (this.steps.length === 0) return;
    await this.ask(this.steps.slice(0, -1), null);
  }

  /**
   * Why a piece cannot go there, or cannot go at all.
   * @param {string} from as the learner's side calls it
   * @param {string} [to]
   * @returns {Promise<Reason | undefined>}
   */
  async why(from, to) {
    // Without a die nothing says where it would have to go.
    if (this.stationDice === 0 && !to) return undefined;
    const dice = this.stationDice === 0 ? [undefined] : [...new Set(this.left)];
    /** @type {Reason | undefined} */
    let elsewhere;
    for (const die of dice) {
      let reason = await this.refusal({ die, from, to: to ?? "off" });
      // Where it would have to go is told: ask why it cannot.
      if (!to && reason?.code === "wrong_target") {
        reason = await this.refusal({ die, from, to: String(reason.params?.expected) });
      }
      if (reason && reason.code !== "wrong_target") return reason;
      elsewhere ??= reason;
    }
    return dice.length === 1 ? elsewhere : undefined;
  }

  /** How many dice were thrown. */
  get stationDice() {
    return this.station?.dice?.length ?? 0;
  }

  /** Why a step is refused. @param {Step} step @returns {Promise<Reason | undefined>} */
  async refusal(step) {
    try {
      await this.rules(this.question([...this.steps, step]));
      return undefined;
    } catch (problem) {
      return /** @type {any} */ (problem)?.reason;
    }
  }

  /** @param {Step[]} steps @returns {RulesQuestion} */
  question(steps) {
    const { position, dice } = /** @type {Station} */ (this.station);
    return { position, ...(dice && { dice }), steps, ...this.options };
  }

  get options() {
    const { options } = this.script;
    return options && { options };
  }

  /** @param {Step[]} steps @param {Step[] | null} led */
  async ask(steps, led) {
    const asked = ++this.asked;
    try {
      const answer = await this.rules(this.question(steps));
      if (asked !== this.asked) return;
      this.steps = steps;
      this.answer = answer;
      this.led = led;
      this.phase = this.judged(answer);
    } catch {
      if (asked !== this.asked) return;
      this.phase = "failed";
    }
    this.changed();
  }

  /** @param {RulesAnswer} answer @returns {Phase} */
  judged(answer) {
    if (!answer.complete) return "playing";
    const { expect } = /** @type {Station} */ (this.station);
    return contains(this.steps, expect.steps ?? []) ? "right" : "other";
  }

  /** @param {{dice?: number[], steps: Step[]}} reply */
  async showReply({ dice, steps }) {
    const asked = ++this.asked;
    const { position: after } = /** @type {RulesAnswer} */ (this.answer);
    const side = OTHER[/** @type {Station} */ (this.station).side];
    const position = /** @type {Position} */ ({ ...after, to_move: side });
    try {
      const answer = await this.rules({ position, ...(dice && { dice }), steps, ...this.options });
      if (asked !== this.asked) return;
      this.reply = answer;
      this.led = steps;
      this.phase = "replied";
    } catch {
      if (asked !== this.asked) return;
      this.phase = "failed";
    }
    this.changed();
  }

  changed() {
    this.dispatchEvent(new Event("change"));
  }
}

/**
 * Whether all these steps are among those played, each as often.
 * @param {Step[]} played
 * @param {Step[]} wanted
 */
function contains(played, wanted) {
  const rest = played.map(same);
  return wanted.every((step) => {
    const at = rest.indexOf(same(step));
    if (at >= 0) rest.splice(at, 1);
    return at >= 0;
  });
}

/** @param {Step} step */
const same = ({ die, from, to }) => `${die ?? ""} ${from} ${to}`;

/**
 * How each die of a turn stands, in the order of `hand`.
 * @param {number[]} hand all dice of the turn
 * @param {number[]} left those not played
 * @param {boolean} complete whether none of them can be played
 * @returns {("ready" | "played" | "unplayable")[]}
 */
export function standing(hand, left, complete) {
  const rest = [...left];
  return hand.map((die) => {
    const at = rest.indexOf(die);
    if (at < 0) return "played";
    rest.splice(at, 1);
    return complete ? "unplayable" : "ready";
  });
}
