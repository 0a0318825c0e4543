// A first game: the stations of a lesson, one after the other, each a turn to be played.
//
// The server says what is legal; the script, which turn is expected (docs/learn.md).

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
 * @property {SideName} side the learner's side
 * @property {string[]} [marks] cells to highlight, by the names of `side`
 * @property {string} say the text before the turn, by its key
 * @property {{steps?: Step[], any?: true, pass?: true}} expect
 * @property {string} [hint] the text after another legal turn
 * @property {string} then the text after the turn
 * @property {{dice?: number[], steps: Step[]}} [reply] the other side's turn after it
 */

/** @typedef {{game: string, options?: Record<string, unknown>, stations: Station[]}} Script */

/**
 * The state of a station: the turn is being played; another legal turn was played; the turn was right; the other side
 * has replied; the server could not be reached.
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
    /** The steps of the turn until now. @type {Step[]} */
    this.steps = [];
    /** The server's last response about this turn. @type {RulesAnswer | undefined} */
    this.answer = undefined;
    /** All dice of the turn, doubles as often as they count. @type {number[]} */
    this.hand = [];
    /** The values thrown, the next one to be played first. @type {number[]} */
    this.order = [];
    /** The other side's reply. @type {RulesAnswer | undefined} */
    this.reply = undefined;
    /** The steps that led to this position, to be animated; none after a jump. @type {Step[] | null} */
    this.led = null;
    /** Each request makes the responses to earlier ones void. */
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

  /** Continues: with the other side's reply, or with the next station. */
  async next() {
    const { station } = this;
    if (this.phase === "right" && station?.reply) return this.showReply(station.reply);
    return this.go(this.at + 1);
  }

  /** Repeats the station, or returns to the previous one. */
  back() {
    return this.go(this.steps.length > 0 || this.reply ? this.at : this.at - 1);
  }

  /** Restarts the station. */
  again() {
    return this.go(this.at);
  }

  /** Adds steps to the turn. @param {Step[]} steps legal ones */
  add(steps) {
    if (this.phase !== "playing") return Promise.resolve();
    return this.ask([...this.steps, ...steps], steps);
  }

  /** Whether another die can be played first. */
  get hasOrder() {
    return this.phase === "playing" && new Set(this.left).size > 1;
  }

  /** Moves the next die to the end of the order. */
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
   * Why a piece cannot go there, or cannot move at all.
   * @param {string} from by the learner's name for the place
   * @param {string} [to]
   * @returns {Promise<Reason | undefined>}
   */
  async why(from, to) {
    // Without a die, the target is unknown.
    if (this.stationDice === 0 && !to) return undefined;
    const dice = this.stationDice === 0 ? [undefined] : [...new Set(this.left)];
    /** @type {Reason | undefined} */
    let elsewhere;
    for (const die of dice) {
      let reason = await this.refusal({ die, from, to: to ?? "off" });
      // The refusal names the target: ask why the piece cannot go there.
      if (!to && reason?.code === "wrong_target") {
        reason = await this.refusal({ die, from, to: String(reason.params?.expected) });
      }
      if (reason && reason.code !== "wrong_target") return reason;
      elsewhere ??= reason;
    }
    return dice.length === 1 ? elsewhere : undefined;
  }

  /** The number of dice thrown. */
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
 * Whether the played steps include all of these, each as often.
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
 * The state of each die of a turn, in the order of `hand`.
 * @param {number[]} hand all dice of the turn
 * @param {number[]} left the dice not played
 * @param {boolean} complete whether none of those can be played
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
