// A board that shows a position and lets a person move what he may.
//
// What stays as it is lies in a drawing of its own, so that moving pieces never paints it again;
// the pieces are elements that are moved, not rendered.

import { LitElement, html, render, svg } from "../lit.js";
import { origins } from "../game/moves.js";
import { afterStep, follow, piecesOf } from "../game/position.js";
import { moving, preferences, preferred } from "../player/preferences.js";
import { arrange } from "./arrange.js";
import { ground } from "./ground.js";
import { Hand } from "./hand.js";
import { layOut } from "./layout.js";
import { highMarks, lowMarks, targetMarks } from "./marks.js";
import { men } from "./men.js";
import { placeName } from "./names.js";
import { skins } from "./skins.js";
import { frame } from "./style.js";
import { Table } from "./table.js";
import { textures } from "./textures.js";

/** @typedef {import("./layout.js").Layout} Layout */
/** @typedef {import("./marks.js").Arrow} Arrow */
/** @typedef {import("./marks.js").Mark} Mark */
/** @typedef {import("../game/moves.js").Move} Move */
/** @typedef {import("../game/places.js").CatalogueEntry} CatalogueEntry */
/** @typedef {import("../game/places.js").PlaceId} PlaceId */
/** @typedef {import("../game/places.js").SideName} SideName */
/** @typedef {import("../game/position.js").Piece} Piece */
/** @typedef {import("../game/position.js").Position} Position */
/** @typedef {import("../api/wire").components["schemas"]["Step"]} Step */

/**
 * @fires lusoria-move {detail: {move: Move}} a piece was put where it can go; the board shows it
 *   there until `position` is set
 * @fires lusoria-refused {detail: {from: PlaceId, to?: PlaceId}} a piece was tried that cannot go
 */
export class Board extends LitElement {
  static properties = {
    entry: { attribute: false },
    position: { attribute: false, hasChanged: () => true },
    mover: { attribute: false },
    steps: { attribute: false },
    viewer: { attribute: false },
    turned: { type: Boolean },
    moves: { attribute: false },
    marks: { attribute: false },
    arrows: { attribute: false },
    label: { type: String },
  };

  static styles = [skins, frame];

  /** @type {Layout} */
  layout;
  /** @type {Piece[]} as the position says */
  #base = [];
  /** @type {Piece[]} as they are shown: moves that wait for an answer included */
  #shown = [];
  #hand = new Hand(this);
  /** @type {Table | undefined} */
  #table;
  #box = { width: 0, height: 0 };
  #sizes = new ResizeObserver(
    ([
      {
        contentRect: { width, height },
      },
    ]) => this.#resize(width, height),
  );
  /** @type {PlaceId | undefined} where the keyboard enters the board */
  #entrance;
  /** @type {Map<PlaceId, SVGRectElement>} */
  #rects = new Map();

  constructor() {
    super();
    /** @type {CatalogueEntry | undefined} */
    this.entry = undefined;
    /** @type {Position | undefined} */
    this.position = undefined;
    /** @type {SideName | null} the side whose steps led here */
    this.mover = null;
    /** @type {Step[] | null} the steps that led here from the position that was shown before */
    this.steps = null;
    /** @type {SideName | null} whose side is at the bottom */
    this.viewer = null;
    this.turned = false;
    /** @type {Move[]} what may be done now */
    this.moves = [];
    /** @type {Mark[]} */
    this.marks = [];
    /** @type {Arrow[]} */
    this.arrows = [];
    this.label = "";
    this.layout = /** @type {any} */ (undefined);
  }

  connectedCallback() {
    super.connectedCallback();
    this.#sizes.observe(this);
    preferences.addEventListener("change", this.#dress);
    this.#dress();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#sizes.disconnect();
    preferences.removeEventListener("change", this.#dress);
  }

  #dress = () => this.setAttribute("skin", preferred("board"));

  render() {
    return html`<svg class="ground" aria-hidden="true">
        <defs>${textures}</defs>
        <g></g>
      </svg>
      <svg class="play" role="group">
        <defs></defs>
        <g class="low" aria-hidden="true"></g>
        <g class="men" aria-hidden="true"></g>
        <g class="counts" aria-hidden="true"></g>
        <g class="high" aria-hidden="true"></g>
        <g class="targets" aria-hidden="true"></g>
        <g class="places"></g>
        <g class="lifted" aria-hidden="true"></g>
      </svg>`;
  }

  firstUpdated() {
    this.#table = new Table(this.#group("men"), this.#group("counts"));
    this.#hand.attach(this.#play);
    const { width, height } = this.getBoundingClientRect();
    this.#box = { width, height };
  }

  /** @param {Map<string, unknown>} changed */
  updated(changed) {
    if (!this.entry || !this.position) return;
    const kept = !["entry", "viewer", "turned"].some((name) => changed.has(name)) && this.#lays();
    if (changed.has("entry")) this.#base = [];
    if (!kept) this.#layOut();
    if (changed.has("position")) this.#take(changed.has("steps"), kept);
    if (changed.has("label")) this.#play.setAttribute("aria-label", this.label);
    if (changed.has("moves")) this.#play.classList.toggle("live", this.moves.length > 0);
    this.#hand.refresh();
    this.mark();
  }

  #lays = () => Boolean(this.layout);

  get #play() {
    return /** @type {SVGSVGElement} */ (this.renderRoot.querySelector(".play"));
  }

  /** @param {string} name */
  #group = (name) => /** @type {SVGGElement} */ (this.renderRoot.querySelector(`.play .${name}`));

  /** @param {number} width @param {number} height */
  #resize(width, height) {
    if (width === this.#box.width && height === this.#box.height) return;
    this.#box = { width, height };
    if (!this.entry || !this.layout) return;
    const { held, width: wide } = this.layout;
    const next = layOut(this.entry, this.#wish());
    if (next.width === wide && next.held.quarter === held.quarter && next.held.deep === held.deep) return;
    this.#layOut();
    this.mark();
  }

  #wish() {
    const { width, height } = this.#box;
    return { viewer: this.viewer, turned: this.turned, width: width || 16, height: height || 10 };
  }

  /** Draws everything anew. */
  #layOut() {
    const entry = /** @type {CatalogueEntry} */ (this.entry);
    this.layout = layOut(entry, this.#wish());
    const { width, height, held } = this.layout;
    this.style.setProperty("--ratio", String({ rows: 2.3, points: 1.4, tafl: 1.15 }[held.family]));
    for (const drawing of this.renderRoot.querySelectorAll("svg")) {
      drawing.setAttribute("viewBox", `0 0 ${width} ${height}`);
    }
    const still = /** @type {SVGGElement} */ (this.renderRoot.querySelector(".ground > g"));
    render(ground(this.layout), still);
    render(men(held.family), /** @type {HTMLElement} */ (this.renderRoot.querySelector(".play defs")));
    this.#table?.clear();
    this.#table?.lay(this.layout, this.#shown);
    this.#drawPlaces();
  }

  #drawPlaces() {
    this.#rects.clear();
    const rects = [...this.layout.spots].map(([place, { box }]) => {
      const rect = document.createElementNS("http://www.w3.org/2000/svg", "rect");
      for (const [name, value] of Object.entries({
        x: box.x,
        y: box.y,
        width: box.w,
        height: box.h,
        rx: 0.1,
      })) {
        rect.setAttribute(name, String(value));
      }
      rect.dataset.place = place;
      rect.setAttribute("role", "button");
      rect.setAttribute("tabindex", "-1");
      this.#rects.set(place, rect);
      return rect;
    });
    this.#group("places").replaceChildren(...rects);
  }

  /** Takes the position that was set. @param {boolean} told whether the steps are about it @param {boolean} seen */
  #take(told, seen) {
    const entry = /** @type {CatalogueEntry} */ (this.entry);
    const position = /** @type {Position} */ (this.position);
    const side = this.mover ?? position.to_move;
    const steps = (told && this.steps) || [];
    const fresh = this.#base.length === 0;
    const waiting = this.#shown !== this.#base;
    const next = fresh ? piecesOf(entry, position) : follow(this.#base, entry, side, steps, position);
    const stages = waiting || !steps.length ? [next] : this.#stages(side, steps, next);
    this.#base = next;
    this.#shown = next;
    this.#table?.lay(this.layout, next, !fresh && seen && moving() ? stages : undefined);
  }

  /** @param {SideName} side @param {Step[]} steps @param {Piece[]} last */
  #stages(side, steps, last) {
    const entry = /** @type {CatalogueEntry} */ (this.entry);
    let pieces = this.#shown;
    const passed = steps.map((step) => (pieces = afterStep(pieces, entry, side, step)));
    return [...passed.slice(0, -1), last];
  }

  /** Makes a move of the person's own. @param {Move} move @param {boolean} [dropped] its piece is there already */
  play(move, dropped = false) {
    const side = this.#moverSide();
    const stages = this.#stages(side, move.steps, []);
    const entry = /** @type {CatalogueEntry} */ (this.entry);
    const last = move.steps.reduce((pieces, step) => afterStep(pieces, entry, side, step), this.#shown);
    this.#shown = last;
    this.#hand.chosen = null;
    this.#table?.lay(
      this.layout,
      last,
      moving() ? (dropped ? [last] : [...stages.slice(0, -1), last]) : undefined,
    );
    if (this.shadowRoot?.activeElement) this.focusPlace(move.to);
    this.mark();
    this.#tell("lusoria-move", { move });
  }

  /** Says that a piece was tried in vain. @param {{from: PlaceId, to?: PlaceId}} tried */
  refuse(tried) {
    this.#tell("lusoria-refused", tried);
  }

  /** @param {string} name @param {object} detail */
  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }

  /** Puts pieces back where the position has them. */
  putBack() {
    this.#shown = this.#base;
    this.#table?.lay(this.layout, this.#shown, moving() ? [this.#shown] : undefined);
    this.mark();
  }

  #moverSide = () => /** @type {Position} */ (this.position).to_move;

  /** Whether a piece of the person's lies there. @param {PlaceId} place */
  holdsOwn(place) {
    const side = this.moves.length ? this.#moverSide() : this.viewer;
    return this.#shown.some((piece) => piece.place === place && piece.side === side);
  }

  /** The piece that moves from a place. @param {PlaceId | null} place */
  #topOf(place) {
    const side = this.#moverSide();
    const own = this.#shown.filter((piece) => piece.place === place && piece.side === side && !piece.pinned);
    return own.sort((a, b) => b.level - a.level)[0];
  }

  /** Holds the chosen piece over a point. @param {{x: number, y: number}} point */
  lift({ x, y }) {
    const piece = this.#topOf(this.#hand.chosen);
    if (piece) this.#table?.lift(piece.key, { x, y }, this.#group("lifted"));
  }

  /** Shows which target is meant. @param {PlaceId | undefined} place */
  point(place) {
    for (const target of this.#group("targets").children) {
      target.classList.toggle("meant", /** @type {SVGElement} */ (target).dataset.place === place);
    }
  }

  /** Leads the keyboard to a place. @param {PlaceId} place */
  focusPlace(place) {
    this.enterAt(place);
    this.#rects.get(place)?.focus();
  }

  /** Lets the keyboard enter the board there. @param {PlaceId} place */
  enterAt(place) {
    this.#rects.get(this.#entrance ?? "")?.setAttribute("tabindex", "-1");
    this.#entrance = place;
    this.#rects.get(place)?.setAttribute("tabindex", "0");
  }

  /** Draws what is marked, and says it to those who do not see it. */
  mark() {
    if (!this.layout || !this.position) return;
    const { chosen, targets } = this.#hand;
    const { at } = arrange(this.layout, this.#shown);
    const from = this.#shown === this.#base ? origins(this.moves) : new Set();
    const lies = (/** @type {PlaceId} */ place) => at.get(this.#topOf(place)?.key ?? "") ?? [];
    const movable = chosen ? [] : [...from].flatMap(lies);
    const [taken] = chosen ? [lies(chosen)].flat() : [];
    render(lowMarks(this.layout, this.marks), this.#group("low"));
    const shown = { marks: this.marks, arrows: this.arrows, movable, chosen: taken };
    render(highMarks(this.layout, shown), this.#group("high"));
    render(targetMarks(this.layout, targets, this.#shown, this.#moverSide()), this.#group("targets"));
    this.#name(from);
    if (!this.#rects.has(this.#entrance ?? "")) this.enterAt([...from][0] ?? [...this.#rects.keys()][0]);
  }

  /** Names every place. @param {Set<PlaceId>} from */
  #name(from) {
    const { chosen, targets } = this.#hand;
    const { entry, viewer } = this.layout;
    /** @type {Map<PlaceId, Piece[]>} */
    const lying = new Map();
    for (const piece of this.#shown) lying.set(piece.place, [...(lying.get(piece.place) ?? []), piece]);
    for (const [place, rect] of this.#rects) {
      const move = targets.get(place);
      const marks = this.marks.filter((mark) => mark.place === place).map(({ kind }) => kind);
      const state = { movable: from.has(place), chosen: place === chosen, move, marks };
      set(rect, "aria-label", placeName(entry, viewer, place, lying.get(place) ?? [], state));
      set(rect, "aria-disabled", String(!state.movable && !move));
      set(rect, "aria-pressed", String(state.chosen));
      rect.classList.toggle("can", state.movable || Boolean(move));
    }
  }
}

/** @param {Element} element @param {string} name @param {string} value */
function set(element, name, value) {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

customElements.define("lusoria-board", Board);
