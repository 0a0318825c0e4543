// Input on a board: picks pieces up and puts them down, by pointer, by tap and by keyboard.

import { origins, targets } from "../game/moves.js";
import { placeAt } from "./layout.js";
import { neighbour } from "./paths.js";
import { t } from "../text/text.js";

/** @typedef {import("./board.js").Board} Board */
/** @typedef {import("../game/moves.js").Move} Move */
/** @typedef {import("../game/places.js").PlaceId} PlaceId */
/** @typedef {{x: number, y: number}} Point */

/**
 * @typedef {object} Grip a pointer that went down
 * @property {number} id
 * @property {PlaceId | undefined} place
 * @property {Point} start in screen coordinates
 * @property {DOMMatrix} matrix from screen to board coordinates
 * @property {boolean} touch
 * @property {boolean} dragging
 */

/** How far a pointer moves before it drags, in CSS pixels. */
const SLACK = 6;

/** How far above a finger the piece is held, so that it stays visible. */
const ABOVE_FINGER = 0.95;

/** How many clicks are queued while a move waits for its response. */
const EARLY_MAX = 8;

/** What a person does with the pieces of a board. */
export class Hand {
  /** @type {PlaceId | null} the place of the selected piece */
  chosen = null;
  /** @type {PlaceId | null} the place under the pointer, if a click there plays a move */
  hovered = null;
  /** @type {PlaceId[]} clicks that came before the response to the last move */
  #early = [];
  /** @type {Grip | null} */
  #grip = null;

  /** @param {Board} board */
  constructor(board) {
    this.board = board;
  }

  /** @param {SVGSVGElement} svg */
  attach(svg) {
    svg.addEventListener("pointerdown", (event) => this.#down(svg, event));
    svg.addEventListener("pointermove", (event) => this.#move(svg, event));
    svg.addEventListener("pointerleave", () => {
      this.#hover(null);
      this.#overDice(svg, false);
    });
    svg.addEventListener("pointerup", (event) => this.#up(event));
    svg.addEventListener("pointercancel", () => this.#cancel());
    svg.addEventListener(
      "lostpointercapture",
      // Only the board's own capture counts: a finger is first captured by the element it touched, which loses it here.
      (event) => event.target === svg && event.pointerId === this.#grip?.id && this.#cancel(),
    );
    svg.addEventListener("keydown", (event) => this.#key(event));
    svg.addEventListener("focusin", (event) => {
      const place = placeUnder(event);
      if (place) this.board.enterAt(place);
    });
    // Screen readers click without a pointer.
    svg.addEventListener("click", (event) => {
      const place = placeUnder(event);
      if (event.detail === 0 && place) this.tap(place);
    });
  }

  /** Deselects a piece that can no longer move. */
  refresh() {
    if (this.chosen && !origins(this.board.open).has(this.chosen)) this.chosen = null;
    if (this.hovered && !this.board.next(this.hovered)) this.hovered = null;
    this.#catchUp();
    if (this.chosen || !this.#grip?.dragging) return;
    this.letGo();
    this.board.putBack();
  }

  /** Plays the queued clicks, as far as they are still possible. */
  #catchUp() {
    while (this.#early.length > 0 && !this.board.isWaiting) {
      const place = /** @type {PlaceId} */ (this.#early.shift());
      if (this.targets.has(place) || origins(this.board.open).has(place)) this.click(place);
    }
  }

  /** Stops dragging, because the pieces have been laid anew. */
  letGo() {
    if (!this.#grip?.dragging) return;
    this.#grip = null;
    this.chosen = null;
  }

  /** Where the selected piece can go. @returns {Map<PlaceId, Move>} */
  get targets() {
    return this.chosen ? targets(this.board.open, this.chosen) : new Map();
  }

  get isDragging() {
    return this.#grip?.dragging ?? false;
  }

  /** Where the piece under the pointer can go. @returns {Map<PlaceId, Move>} */
  get foreseen() {
    return this.hovered && !this.chosen ? targets(this.board.open, this.hovered) : new Map();
  }

  /** A click of a pointer: plays the next die with the piece there, where that is preferred. @param {PlaceId} place */
  click(place) {
    if (this.board.isWaiting) return void (this.#early.length < EARLY_MAX && this.#early.push(place));
    const move = this.targets.has(place) ? undefined : this.board.next(place);
    if (move) this.board.play(move);
    else this.tap(place);
  }

  /** Selects, puts down, or refuses. @param {PlaceId} place */
  tap(place) {
    const { chosen } = this;
    const move = this.targets.get(place);
    if (move) return this.board.play(move);
    if (chosen === place) return this.#choose(null);
    if (origins(this.board.open).has(place)) return this.#choose(place);
    if (chosen) return this.board.refuse({ from: chosen, to: place });
    if (this.board.holdsOwn(place)) this.board.refuse({ from: place });
  }

  /** @param {PlaceId | null} place */
  #choose(place) {
    this.chosen = place;
    this.board.mark();
  }

  /** @param {SVGSVGElement} svg @param {PointerEvent} event */
  #down(svg, event) {
    if (event.button !== 0 || this.#grip) return;
    const screen = svg.getScreenCTM();
    if (!screen) return;
    const matrix = DOMMatrix.fromMatrix(screen).inverse();
    const start = { x: event.clientX, y: event.clientY };
    const place = placeUnder(event) ?? placeAt(this.board.layout, through(matrix, event));
    this.#grip = {
      id: event.pointerId,
      place,
      start,
      matrix,
      touch: event.pointerType !== "mouse",
      dragging: false,
    };
    if (this.#grip.touch) this.#hover(place);
    svg.setPointerCapture(event.pointerId);
  }

  /** Shows what a click would do. @param {PlaceId | null | undefined} place */
  #hover(place) {
    const hovered = place && this.board.next(place) ? place : null;
    if (hovered === this.hovered) return;
    this.hovered = hovered;
    this.board.mark();
  }

  /** Shows what a click on the dice would do. @param {SVGSVGElement} svg @param {boolean} isOver */
  #overDice(svg, isOver) {
    if (svg.classList.contains("on-dice") === isOver) return;
    svg.classList.toggle("on-dice", isOver);
    this.board.title = isOver ? t("board.dice.order") : "";
  }

  /** @param {SVGSVGElement} svg @param {PointerEvent} event */
  #move(svg, event) {
    const grip = this.#grip;
    if (!grip) {
      if (event.pointerType !== "mouse") return;
      const place = placeUnder(event);
      this.#hover(place);
      this.#overDice(svg, !this.#means(place) && this.board.hasOrder && this.board.isOnDice(event));
      return;
    }
    if (event.pointerId !== grip.id) return;
    if (!grip.dragging) {
      if (Math.hypot(event.clientX - grip.start.x, event.clientY - grip.start.y) < SLACK) return;
      if (!grip.place || !origins(this.board.open).has(grip.place)) return;
      grip.dragging = true;
      this.hovered = null;
      this.#choose(grip.place);
    }
    const point = through(grip.matrix, event);
    this.board.lift(this.#lifted(grip, point));
    this.board.point(this.#aim(grip, point));
  }

  /** @param {Grip} grip @param {Point} point @returns {Point} */
  #lifted = (grip, { x, y }) => ({ x, y: grip.touch ? y - ABOVE_FINGER : y });

  /**
   * The target under the pointer, or under the piece.
   * @param {Grip} grip
   * @param {Point} point
   */
  #aim(grip, point) {
    const { targets } = this;
    const wanted = (/** @type {PlaceId} */ place) => targets.has(place);
    return (
      placeAt(this.board.layout, point, wanted) ??
      placeAt(this.board.layout, this.#lifted(grip, point), wanted)
    );
  }

  /** @param {PointerEvent} event */
  #up(event) {
    const grip = this.#grip;
    if (!grip || event.pointerId !== grip.id) return;
    this.#grip = null;
    if (grip.touch) this.#hover(null);
    if (!grip.dragging) {
      if (!this.#means(grip.place) && this.board.isOnDice(event)) this.board.reorder();
      else if (grip.place) this.click(grip.place);
      else this.#choose(null);
      return;
    }
    const point = through(grip.matrix, event);
    const aim = this.#aim(grip, point);
    const move = aim && this.targets.get(aim);
    const from = this.chosen;
    if (move) return this.board.play(move, true);
    this.#choose(null);
    this.board.putBack();
    const to = placeAt(this.board.layout, point);
    if (from && to && to !== from) this.board.refuse({ from, to });
  }

  /** Whether a click on a place has an effect. @param {PlaceId | undefined} place */
  #means = (place) => place !== undefined && (this.targets.has(place) || origins(this.board.open).has(place));

  #cancel() {
    this.#hover(null);
    if (this.#grip?.dragging) {
      this.#choose(null);
      this.board.putBack();
    }
    this.#grip = null;
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const place = placeUnder(event);
    if (!place || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!this.#press(event.key, place)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {string} key @param {PlaceId} place @returns {boolean} whether the key has an effect here */
  #press(key, place) {
    if (key === "Enter" || key === " ") {
      this.tap(place);
      return true;
    }
    if (key === "Escape") {
      if (!this.chosen) return false;
      this.board.focusPlace(this.chosen);
      this.#choose(null);
      return true;
    }
    if (/^[1-6]$/.test(key) && this.chosen) {
      const move = [...this.targets.values()].find(
        ({ dice }) => dice.length === 1 && dice[0] === Number(key),
      );
      if (move) this.board.play(move);
      return true;
    }
    const next = neighbour(this.board.layout, place, key);
    if (next) this.board.focusPlace(next);
    return Boolean(next);
  }
}

/** The place of an event. @param {Event} event @returns {PlaceId | undefined} */
function placeUnder(event) {
  const [target] = event.composedPath();
  return target instanceof SVGElement ? target.dataset.place : undefined;
}

/** @param {DOMMatrix} matrix @param {{clientX: number, clientY: number}} event @returns {Point} */
function through(matrix, { clientX, clientY }) {
  const { x, y } = matrix.transformPoint({ x: clientX, y: clientY });
  return { x, y };
}
