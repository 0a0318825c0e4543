// The places of a board as buttons: pressed, focused and read aloud.

import { placeName } from "./names.js";

/** @typedef {import("./layout.js").Layout} Layout */
/** @typedef {import("./marks.js").Mark} Mark */
/** @typedef {import("../game/moves.js").Move} Move */
/** @typedef {import("../game/places.js").PlaceId} PlaceId */
/** @typedef {import("../game/position.js").Piece} Piece */

/**
 * The possible moves.
 * @typedef {object} Doable
 * @property {Set<PlaceId>} from the places whose pieces can move
 * @property {PlaceId | null} chosen the place of the selected piece
 * @property {Map<PlaceId, Move>} targets where the selected piece can go
 */

/** The buttons of the places, above the whole drawing. */
export class Grid {
  /** @type {Map<PlaceId, SVGRectElement>} */
  #rects = new Map();
  /** @type {PlaceId | undefined} the keyboard's entry */
  #entrance;

  /** @param {SVGGElement} group */
  constructor(group) {
    this.group = group;
  }

  /** Draws the places of a layout; the focus stays where it is. @param {Layout} layout */
  draw(layout) {
    const focused = [...this.#rects].find(([, rect]) => rect.matches(":focus"))?.[0];
    this.#rects = new Map([...layout.spots].map(([place, { box }]) => [place, rectOf(place, box)]));
    this.group.replaceChildren(...this.#rects.values());
    if (this.#entrance) this.enterAt(this.#entrance);
    if (focused) this.focus(focused);
  }

  /** Makes a place the keyboard's entry. @param {PlaceId} place */
  enterAt(place) {
    this.#rects.get(this.#entrance ?? "")?.setAttribute("tabindex", "-1");
    this.#entrance = place;
    this.#rects.get(place)?.setAttribute("tabindex", "0");
  }

  /** Focuses the keyboard's entry. */
  enter() {
    if (this.#entrance) this.focus(this.#entrance);
  }

  /** Focuses a place. @param {PlaceId} place */
  focus(place) {
    this.enterAt(place);
    this.#rects.get(place)?.focus();
  }

  /**
   * Labels each place with its pieces and possible moves.
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
