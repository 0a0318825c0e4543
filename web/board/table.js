// The pieces on a board, as elements that are moved and never redrawn.

import { arrange } from "./arrange.js";
import { MOVE_MS, gesturesOf, keyframes, lastsMs } from "./gestures.js";
import { LETTER } from "./letters.js";
import { formOf } from "./men.js";

/** @typedef {import("./arrange.js").Lies} Lies */
/** @typedef {import("./arrange.js").Pile} Pile */
/** @typedef {import("./layout.js").Layout} Layout */
/** @typedef {import("../game/position.js").Piece} Piece */

const SVG = "http://www.w3.org/2000/svg";

/** The longest animation of all steps of a turn together, in milliseconds. */
const TURN_MS = 1400;

/** How long a move with a consequence takes, such as a hit. */
const BEFORE = 0.45;

/** How much larger a held piece looks. */
const LIFTED = 1.18;

/** Piles of at least this height show their number on the top piece. */
const COUNTED = { rows: 4, points: 6, tafl: 4 };

/** @typedef {{element: SVGGElement, piece: Piece, lies: Lies, order: number}} Man */

/** Lays pieces down and moves them. */
export class Table {
  /** @type {Map<string, Man>} */
  #men = new Map();
  /** @type {Animation[]} */
  #running = [];
  #order = 0;
  /** @type {Map<string, SVGTextElement>} */
  #counts = new Map();

  /**
   * @param {SVGGElement} below the parent of the pieces
   * @param {SVGGElement} above the parent of their numbers
   */
  constructor(below, above) {
    this.below = below;
    this.above = above;
  }

  /**
   * Places the pieces; moves those that lie elsewhere.
   * @param {Layout} layout
   * @param {Piece[]} pieces
   * @param {Piece[][]} [stages] positions on the way; empty: no animation
   */
  lay(layout, pieces, stages) {
    this.finish();
    const { at, piles } = arrange(layout, pieces);
    const ways = stages ? this.#ways(layout, stages, at) : new Map();
    const told = this.#told(layout, pieces, stages ?? []);
    this.#drop(at);
    for (const piece of pieces) {
      const lies = at.get(piece.key);
      if (lies) this.#put(layout, piece, lies, ways.has(piece.key));
    }
    this.#stack(pieces);
    const lasts = told.map((gestures) => lastsMs(gestures.values()));
    const whole = lasts.reduce((sum, each) => sum + each, 0);
    const duration = Math.min(whole, TURN_MS);
    for (const [key, way] of ways) {
      this.#glide(key, way, told.map((gestures) => gestures.get(key)), lasts.map((each) => each / whole), duration);
    }
    this.#count(layout, piles, ways.size ? duration : 0);
  }

  /** Ends all animations. */
  finish() {
    for (const animation of this.#running) animation.cancel();
    this.#running = [];
  }

  /**
   * Holds a piece over a point, until the pieces are placed again.
   * @param {string} key
   * @param {{x: number, y: number}} point
   * @param {SVGGElement} group the group above everything
   */
  lift(key, { x, y }, group) {
    const man = this.#men.get(key);
    if (!man) return;
    if (man.element.parentNode !== group) {
      this.finish();
      group.append(man.element);
    }
    man.lies = { x, y, size: man.lies.size };
    man.element.setAttribute("transform", `translate(${x} ${y}) scale(${man.lies.size * LIFTED})`);
  }

  /** Lifts the selected piece a little, if any. @param {string | undefined} key */
  take(key) {
    for (const [each, { element }] of this.#men) element.classList.toggle("taken", each === key);
  }

  /** Removes all pieces. */
  clear() {
    this.finish();
    this.#drop(new Map());
  }

  /**
   * The places that each moving piece passes.
   * @param {Layout} layout
   * @param {Piece[][]} stages
   * @param {Map<string, Lies>} last
   * @returns {Map<string, Lies[]>}
   */
  #ways(layout, stages, last) {
    const passed = stages.slice(0, -1).map((stage) => arrange(layout, stage).at);
    /** @type {Map<string, Lies[]>} */
    const ways = new Map();
    for (const [key, { lies }] of this.#men) {
      const end = last.get(key);
      if (!end) continue;
      const way = [lies, ...passed.map((stage) => stage.get(key) ?? lies), end];
      if (way.some((stop) => !same(stop, lies))) ways.set(key, way);
    }
    return ways;
  }

  /**
   * The gestures of pieces from stage to stage.
   * @param {Layout} layout
   * @param {Piece[]} pieces
   * @param {Piece[][]} stages
   */
  #told({ entry }, pieces, stages) {
    const now = [...this.#men.values()].map(({ piece }) => piece);
    return stages.map((stage, nth) => {
      const isLast = nth === stages.length - 1;
      return gesturesOf(entry, nth ? stages[nth - 1] : now, isLast ? pieces : stage);
    });
  }

  /** @param {Map<string, Lies>} kept */
  #drop(kept) {
    for (const [key, { element }] of this.#men) {
      if (kept.has(key)) continue;
      element.remove();
      this.#men.delete(key);
    }
  }

  /** @param {Layout} layout @param {Piece} piece @param {Lies} lies @param {boolean} moves */
  #put(layout, piece, lies, moves) {
    let man = this.#men.get(piece.key);
    if (!man) {
      man = { element: this.#make(layout, piece), piece, lies, order: (this.#order += 1) };
      this.#men.set(piece.key, man);
      this.below.append(man.element);
    } else if (man.element.parentNode !== this.below || (moves && piece.place !== man.piece.place)) {
      this.#raise(man);
    }
    if (!same(man.lies, lies) || !man.element.hasAttribute("transform")) {
      man.element.setAttribute("transform", `translate(${lies.x} ${lies.y}) scale(${lies.size})`);
    }
    man.lies = lies;
    man.piece = piece;
  }

  /** @param {Man} man */
  #raise(man) {
    man.order = this.#order += 1;
    this.below.append(man.element);
  }

  /** @param {Layout} layout @param {Piece} piece */
  #make(layout, piece) {
    const element = document.createElementNS(SVG, "g");
    const use = document.createElementNS(SVG, "use");
    use.setAttribute("href", formOf(piece, piece.side === layout.entry.sides[0].id));
    element.append(use);
    return element;
  }

  /** Draws higher pieces above lower ones. @param {Piece[]} pieces */
  #stack(pieces) {
    /** @type {Map<string, number>} */
    const tops = new Map();
    for (const piece of [...pieces].sort((a, b) => a.level - b.level)) {
      const man = this.#men.get(piece.key);
      if (!man) continue;
      if (man.order < (tops.get(piece.place) ?? 0)) this.#raise(man);
      tops.set(piece.place, man.order);
    }
  }

  /**
   * @param {string} key
   * @param {Lies[]} way its stops
   * @param {(import("./gestures.js").Gesture | undefined)[]} gestures from stop to stop
   * @param {number[]} shares the share of the whole time that each takes
   * @param {number} duration
   */
  #glide(key, way, gestures, shares, duration) {
    const element = this.#men.get(key)?.element;
    if (!element) return;
    let begun = 0;
    const frames = shares.flatMap((share, nth) => {
      // A move with a consequence ends before it, in the same step.
      const part = duration * share > MOVE_MS * 1.2 ? BEFORE : 1;
      const between = keyframes(gestures[nth], way[nth], way[nth + 1], part);
      const from = begun;
      begun += share;
      return between.map((frame) => ({ ...frame, offset: Math.min(1, from + frame.offset * share) }));
    });
    this.#running.push(element.animate(frames, { duration }));
  }

  /**
   * Writes the numbers of high piles; new numbers appear when the pieces have arrived.
   * @param {Layout} layout
   * @param {Pile[]} piles
   * @param {number} after
   */
  #count(layout, piles, after) {
    const high = new Map(
      piles
        .filter(({ count }) => count >= COUNTED[layout.held.family])
        .map((pile) => [`${pile.place} ${pile.side}`, pile]),
    );
    for (const [id, text] of this.#counts) {
      if (high.has(id)) continue;
      text.remove();
      this.#counts.delete(id);
    }
    for (const [id, { x, y, size, side, count }] of high) {
      const text = this.#counts.get(id) ?? document.createElementNS(SVG, "text");
      const lies = `translate(${x} ${y - 0.015}) scale(${size * LETTER})`;
      if (text.textContent === String(count) && text.getAttribute("transform") === lies) continue;
      text.setAttribute("class", side === layout.entry.sides[0].id ? "first" : "second");
      text.setAttribute("transform", lies);
      text.textContent = String(count);
      this.#counts.set(id, text);
      this.above.append(text);
      if (after) this.#running.push(text.animate(APPEARING, { duration: after }));
    }
  }
}

const APPEARING = [{ opacity: 0 }, { opacity: 0, offset: 0.95 }, { opacity: 1 }];

/** @param {Lies} a @param {Lies} b */
const same = (a, b) => a.x === b.x && a.y === b.y && a.size === b.size;
