// The places of a board as a person reaches them: each is pressed, focused and read out.

import { placeName } from "./names.js";

/** @typedef {import("./layout.js").Layout} Layout */
/** @typedef {import("./marks.js").Mark} Mark */
/** @typedef {import("../game/moves.js").Move} Move */
/** @typedef {import("../game/places.js").PlaceId} PlaceId */
/** @typedef {import("../game/position.js").Piece} Piece */

/**
 * What can be done.
 * @typedef {object} Doable
 * @property {Set<PlaceId>} from where pieces can be taken
 * @property {PlaceId | null} chosen where one was taken
 * @property {Map<PlaceId, Move>} targets where it can go
 */

/** The places, over all that is drawn. */
export class Grid {
  /** @type {Map<PlaceId, SVGRectElement>} */
  #rects = new Map();
  /** @type {PlaceId | undefined} where the keyboard enters */
  #entrance;

  /** @param {SVGGElement} group */
  constructor(group) {
    this.group = group;
  }

  /** Draws the places of a layout; the focus stays on its place. @param {Layout} layout */
  draw(layout) {
    const focused = [...this.#rects].find(([, rect]) => rect.matches(":focus"))?.[0];
    this.#rects = new Map([...layout.spots].map(([place, { box }]) => [place, rectOf(place, box)]));
    this.group.replaceChildren(...this.#rects.values());
    if (this.#entrance) this.enterAt(this.#entrance);
    if (focused) this.focus(focused);
  }

  /** Lets the keyboard enter there. @param {PlaceId} place */
  enterAt(place) {
    this.#rects.get(this.#entrance ?? "")?.setAttribute("tabindex", "-1");
    this.#entrance = place;
    this.#rects.get(place)?.setAttribute("tabindex", "0");
  }

  /** Leads the keyboard to where it enters. */
  enter() {
    if (this.#entrance) this.focus(this.#entrance);
  }

  /** Leads the keyboard to a place. @param {PlaceId} place */
  focus(place) {
    this.enterAt(place);
    this.#rects.get(place)?.focus();
  }

  /**
   * Says of every place what lies there and what can be done.
   * @param {Layout} layout
   * @param {Piece[]} pieces
   * @param {Mark[]} marks
   * @param {Doable} doable
   */
  name({ entry, namer }, pieces, marks, { from, chosen, targets }) {
    /** @type {Map<PlaceId, Piece[]>} */
    const lying = new Map([...this.#rects.keys()].map((place) => [place, []]));
    for (const piece of pieces) lying.get(piece.place)?.push(piece);
    for (const [place, rect] of this.#rects) {
      const move = targets.get(place);
      const kinds = marks.filter((mark) => mark.place === place).map(({ kind }) => kind);
      const state = { movable: from.has(place), chosen: place === chosen, move, marks: [...new Set(kinds)] };
      set(rect, "aria-label", placeName(entry, namer, place, lying.get(place) ?? [], state));
      set(rect, "aria-disabled", String(!state.movable && !move));
      set(rect, "aria-pressed", String(state.chosen));
      rect.classList.toggle("can", state.movable || Boolean(move));
    }
    if (!this.#rects.has(this.#entrance ?? "")) this.enterAt([...from][0] ?? [...this.#rects.keys()][0]);
  }
}

/** @param {PlaceId} place @param {import("./layout.js").Box} box */
function rectOf(place, { x, y, w, h }) {
  const rect = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  const attributes = { x, y, width: w, height: h, rx: 0.1, role: "button", tabindex: -1 };
  for (const [name, value] of Object.entries(attributes)) rect.setAttribute(name, String(value));
  rect.dataset.place = place;
  return rect;
}

/** @param {Element} element @param {string} name @param {string} value */
function set(element, name, value) {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}
