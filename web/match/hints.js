// The computer's hints for the person's turn: requests them, shows one after another, plays or closes them.

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

/** Hints for the turn being built. Events: `change`; `refused` with the problem in `detail`. */
export class Hints extends EventTarget {
  /** @param {import("./live.js").LiveMatch} live @param {import("./turn.js").Turn} turn */
  constructor(live, turn) {
    super();
    this.live = live;
    this.turn = turn;
    /** The best turns in order; undefined without hints. @type {HintedTurn[]} */
    this.turns = [];
    /** The index of the hint shown. */
    this.nth = 0;
    /** Whether the computer is thinking. */
    this.isAsking = false;
    /** @type {number | undefined} */
    this.seq = undefined;
    turn.addEventListener("change", () => this.sync());
  }

  /** Whether the match has hints: only where they do not affect another player. */
  get isPossible() {
    const { live } = this;
    const seats = live.mySeats;
    return seats.length === 2 || live.moment?.players[other(seats[0] ?? 1)]?.kind === "computer";
  }

  /** Whether hints can be requested now. */
  get isOffered() {
    const { turn } = this;
    return this.isPossible && turn.legal !== undefined && !turn.isCovered && !turn.sending && !this.isAsking;
  }

  /** The hint shown. @returns {HintedTurn | undefined} */
  get shown() {
    return this.turns[this.nth];
  }

  /** Requests hints. Takes back the steps of the turn: the best turns may begin otherwise. */
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

  /** Shows the next or the previous hint. @param {1 | -1} by */
  look(by) {
    const count = this.turns.length;
    if (count === 0) return;
    this.nth = (this.nth + by + count) % count;
    this.changed();
  }

  /** Builds the turn of the hint shown. */
  play() {
    const { shown, turn } = this;
    if (!shown) return;
    this.close();
    turn.steps = [];
    turn.play(shown.steps);
  }

  /** Closes the hints. */
  close() {
    this.turns = [];
    this.changed();
  }

  /** Hints end when their turn has been sent. */
  sync() {
    if (this.turns.length > 0 && (this.seq !== this.turn.seq || this.turn.sending)) this.close();
  }

  /**
   * The rest of the hint as arrows on the board.
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
 * Steps as arrows, without duplicates.
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
 * The remaining steps of a turn; nothing after other steps.
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

/** Smaller chances than this are not mentioned. */
const TOLD_MIN = 0.005;

/** The chances in words: "wins 54%, 9% double". @param {Chances} value */
export function hopeText({ win, win_double: double, draw }) {
  const of = (/** @type {number} */ chance) => Math.round(chance * 100);
  const parts = [t("hints.wins", { count: of(win) })];
  if (double >= TOLD_MIN) parts.push(t("hints.double", { count: of(double) }));
  if (draw >= TOLD_MIN) parts.push(t("hints.draws", { count: of(draw) }));
  return parts.join(", ");
}

/** The hint shown, with its rank and value. @param {Hints} hints */
export function adviceText({ shown, nth, turns }) {
  if (!shown) return "";
  const rank = nth === 0 ? t("hints.best") : t("hints.nth", { nth: nth + 1, count: turns.length });
  return t("hints.advice", { rank, turn: notationText(shown.notation), hope: hopeText(shown.value) });
}
