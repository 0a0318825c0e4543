// What the computer would play in the person's place: asked for, looked through, played or put away.

import { Problem } from "../api/rest.js";
import { placeOf } from "../game/places.js";
import { other } from "../game/story.js";
import { t } from "../text/text.js";
import { notationText } from "../text/words.js";

/** @typedef {import("../api/wire").components["schemas"]["CatalogueEntry"]} CatalogueEntry */
/** @typedef {import("../api/wire").components["schemas"]["SideName"]} SideName */
/** @typedef {import("../api/wire").components["schemas"]["Step"]} Step */
/** @typedef {import("../api/wire").components["schemas"]["Chances"]} Chances */
/** @typedef {import("../api/wire").components["schemas"]["HintedTurn"]} HintedTurn */

/** Advice for the turn that is being built. Events: `change`; `refused` with the problem in `detail`. */
export class Hints extends EventTarget {
  /** @param {import("./live.js").LiveMatch} live @param {import("./turn.js").Turn} turn */
  constructor(live, turn) {
    super();
    this.live = live;
    this.turn = turn;
    /** The best turns, the best first; none while nothing is advised. @type {HintedTurn[]} */
    this.turns = [];
    /** Which of them is looked at. */
    this.nth = 0;
    /** Whether it is being thought about. */
    this.isAsking = false;
    /** @type {number | undefined} */
    this.seq = undefined;
    turn.addEventListener("change", () => this.sync());
  }

  /** Whether there is any in this match: nobody else's game is spoilt by it. */
  get isPossible() {
    const { live } = this;
    const seats = live.mySeats;
    return seats.length === 2 || live.moment?.players[other(seats[0] ?? 1)]?.kind === "computer";
  }

  /** Whether it can be asked for now. */
  get isOffered() {
    const { turn } = this;
    return this.isPossible && turn.legal !== undefined && !turn.isCovered && !turn.sending && !this.isAsking;
  }

  /** What is looked at. @returns {HintedTurn | undefined} */
  get shown() {
    return this.turns[this.nth];
  }

  /** Asks for it. What has been built of the turn is taken back: it may lead elsewhere. */
  async ask() {
    if (!this.isOffered) return;
    this.seq = this.turn.seq;
    this.isAsking = true;
    this.changed();
    try {
      const { seq, turns } = await this.live.post("hint");
      if (seq !== this.turn.seq) return;
      this.turn.reset();
      this.turns = turns;
      this.nth = 0;
    } catch (why) {
      if (!(why instanceof Problem)) throw why;
      this.dispatchEvent(new CustomEvent("refused", { detail: why }));
    } finally {
      this.isAsking = false;
      this.changed();
    }
  }

  /** Looks at the next, or at the one before. @param {1 | -1} by */
  look(by) {
    const count = this.turns.length;
    if (count === 0) return;
    this.nth = (this.nth + by + count) % count;
    this.changed();
  }

  /** Builds the turn that is looked at. */
  play() {
    const { shown, turn } = this;
    if (!shown) return;
    this.close();
    turn.steps = [];
    turn.play(shown.steps);
  }

  /** Puts it away. */
  close() {
    this.turns = [];
    this.changed();
  }

  /** Advice is for one turn, until that is sent. */
  sync() {
    if (this.turns.length > 0 && (this.seq !== this.turn.seq || this.turn.sending)) this.close();
  }

  /**
   * Where the turn that is looked at still leads, as arrows over the board.
   * @param {CatalogueEntry} entry
   * @returns {import("../board/marks.js").Arrow[]}
   */
  arrows(entry) {
    const side = this.live.moment?.toPlay?.side;
    return side ? arrowsOf(entry, side, stepsLeft(this.shown?.steps ?? [], this.turn.steps)) : [];
  }

  changed() {
    this.dispatchEvent(new Event("change"));
  }
}

/**
 * Steps as arrows; the same one is drawn once.
 * @param {CatalogueEntry} entry @param {SideName} side @param {Step[]} steps
 * @returns {import("../board/marks.js").Arrow[]}
 */
export function arrowsOf(entry, side, steps) {
  const ways = new Map(steps.map(({ from, to }) => [`${from} ${to}`, { from, to }]));
  return [...ways.values()].map(({ from, to }) => ({
    from: placeOf(entry, side, from),
    to: placeOf(entry, side, to),
  }));
}

/**
 * What is left of a turn; nothing once something else has been done.
 * @param {Step[]} steps @param {Step[]} done
 */
function stepsLeft(steps, done) {
  const left = [...steps];
  for (const step of done) {
    const nth = left.findIndex(({ from, to, die }) => from === step.from && to === step.to && die === step.die);
    if (nth < 0) return [];
    left.splice(nth, 1);
  }
  return left;
}

/** Chances below this are not worth a word. */
const TOLD_MIN = 0.005;

/** What can be hoped for, in words: "wins 54%, 9% double". @param {Chances} value */
export function hopeText({ win, win_double: double, draw }) {
  const of = (/** @type {number} */ chance) => Math.round(chance * 100);
  const parts = [t("hints.wins", { count: of(win) })];
  if (double >= TOLD_MIN) parts.push(t("hints.double", { count: of(double) }));
  if (draw >= TOLD_MIN) parts.push(t("hints.draws", { count: of(draw) }));
  return parts.join(", ");
}

/** The turn that is looked at, with its place and what it is worth. @param {Hints} hints */
export function adviceText({ shown, nth, turns }) {
  if (!shown) return "";
  const rank = nth === 0 ? t("hints.best") : t("hints.nth", { nth: nth + 1, count: turns.length });
  return t("hints.advice", { rank, turn: notationText(shown.notation), hope: hopeText(shown.value) });
}
