// A board that shows a position and lets a person make their moves.
//
// What does not change is a drawing of its own, so that moving pieces never repaints it; the pieces are elements that
// are moved, not rendered.

import { LitElement, html, render, svg } from "../lit.js";
import { byNextDie, origins } from "../game/moves.js";
import { moving, preferences, preferred } from "../player/preferences.js";
import { arrange } from "./arrange.js";
import { doesStrike, gesturesOf } from "./gestures.js";
import { Grid } from "./grid.js";
import { ground } from "./ground.js";
import { Hand } from "./hand.js";
import { layOut } from "./layout.js";
import { lookOf } from "../game/looks.js";
import { highMarks, lowMarks, targetMarks } from "./marks.js";
import { textOf } from "./markup.js";
import { isHere, load, sheetOf } from "./materials.js";
import { men } from "./men.js";
import { ownTask } from "../own-task.js";
import { advance, newSteps, stagesOf } from "./progress.js";
import { routeMarks } from "./route.js";
import { skins } from "./skins.js";
import { frame } from "./style.js";
import { Table } from "./table.js";
import { throwSpot } from "./throw.js";

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
 * A throw whose dice are shown on the board, in its slot `dice`.
 * @typedef {{seq: number, side: SideName, count: number}} Thrown
 */

/** The least size of a die, in CSS pixels. */
const DIE_MIN_PX = 24;

/**
 * @fires lusoria-move {detail: {move: Move, strikes: boolean}} a piece was put on a legal place; the board shows it
 *   there until `position` is set; `strikes` if it hits or pins another piece
 * @fires lusoria-order the person wants another order of the dice
 * @fires lusoria-refused {detail: {from: PlaceId, to?: PlaceId}} an illegal move was tried
 */
export class Board extends LitElement {
  static properties = {
    entry: { attribute: false },
    position: { attribute: false, hasChanged: () => true },
    mover: { attribute: false },
    steps: { attribute: false },
    viewer: { attribute: false },
    namer: { attribute: false },
    turned: { type: Boolean },
    moves: { attribute: false },
    order: { attribute: false },
    marks: { attribute: false },
    arrows: { attribute: false },
    route: { attribute: false },
    routeOpacity: { attribute: false },
    thrown: { attribute: false },
    flat: { type: Boolean },
    label: { type: String },
    ahead: { type: Boolean, reflect: true },
  };

  static styles = [skins, frame];

  layout = /** @type {Layout} */ (/** @type {unknown} */ (undefined));
  /** @type {Piece[]} in the position */
  #base = [];
  /** Tells whether the position is a new one. */
  #written = "";
  /** @type {Position | undefined} the last position that was applied */
  #taken;
  /** @type {Piece[]} as shown, with moves that wait for a response */
  #shown = [];
  #hand = new Hand(this);
  /** @type {Table | undefined} */
  #table;
  #box = { width: 0, height: 0 };
  /** Whether everything has been drawn once. */
  #isDrawn = false;
  /** Whether something has changed since the first drawing began. */
  #isStale = false;
  /** Resolves after the first drawing. @type {Promise<void> | undefined} */
  #drawing;
  /** The drawing of what does not change. */
  #still = "";
  #sizes = new ResizeObserver(([{ contentRect }]) => this.#resize(contentRect));
  /** @type {() => void} */
  #measured = () => {};
  /** Resolves when the size is known. @type {Promise<void>} */
  #isMeasured = new Promise((resolve) => (this.#measured = resolve));
  /** @type {Grid | undefined} */
  #grid;
  /** @type {import("./progress.js").Told | undefined} the steps that led to the position shown */
  #told;
  /** @type {import("./throw.js").ThrowSpot | undefined} where the dice lie */
  #throwSpot;

  constructor() {
    super();
    /** @type {CatalogueEntry | undefined} */
    this.entry = undefined;
    /** @type {Position | undefined} */
    this.position = undefined;
    /** @type {SideName | null} the side whose steps led here */
    this.mover = null;
    /** @type {Step[] | null} the steps that led here from the previous position */
    this.steps = null;
    /** @type {SideName | null} whose side is at the bottom */
    this.viewer = null;
    /** @type {SideName | null} the side whose names the cells show; the viewer's by default */
    this.namer = null;
    this.turned = false;
    /** @type {Move[]} the legal moves */
    this.moves = [];
    /** @type {number[]} the dice, the next one first: a click plays it; empty: a click picks a piece up */
    this.order = [];
    /** @type {Mark[]} */
    this.marks = [];
    /** @type {Arrow[]} */
    this.arrows = [];
    /** @type {SideName | null} the side whose route is shown */
    this.route = null;
    /** The opacity of the route, 0 to 1. */
    this.routeOpacity = 1;
    /** @type {Thrown | undefined} the throw whose dice lie on the board */
    this.thrown = undefined;
    /** Whether it is drawn without textures. */
    this.flat = false;
    this.label = "";
    /** Whether moves are only entered, to be played later. */
    this.ahead = false;
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

  /** Applies the preferred style. */
  #dress = () => {
    this.toggleAttribute("still", !moving());
    if (this.layout) this.#draw();
  };

  get #look() {
    const look = lookOf(preferred("board"), this.entry?.id);
    return this.flat ? { ...look, painted: false } : look;
  }

  /** Drawn once the size is known; asking for it would lay out the page twice. */
  async scheduleUpdate() {
    if (!this.hasUpdated) {
      await this.#isMeasured;
      await ownTask();
    }
    await super.scheduleUpdate();
  }

  render() {
    return html`<svg class="ground" aria-hidden="true">
        <g></g>
      </svg>
      <svg class="play" role="group">
        <defs></defs>
        <g class="ways" aria-hidden="true"></g>
        <g class="low" aria-hidden="true"></g>
        <g class="men" aria-hidden="true"></g>
        <g class="counts" aria-hidden="true"></g>
        <g class="high" aria-hidden="true"></g>
        <g class="targets" aria-hidden="true"></g>
        <g class="places"></g>
        <g class="lifted" aria-hidden="true"></g>
      </svg>
      <div class="dice" hidden><slot name="dice"></slot></div>`;
  }

  firstUpdated() {
    this.#table = new Table(this.#group("men"), this.#group("counts"));
    this.#grid = new Grid(this.#group("places"));
    this.#hand.attach(this.#play);
  }

  /** @param {Map<string, any>} changed */
  updated(changed) {
    if (changed.has("routeOpacity")) this.style.setProperty("--route-opacity", String(this.routeOpacity));
    if (!this.entry || !this.position) return;
    const isKept = this.layout && !["entry", "viewer", "turned"].some((name) => changed.has(name));
    if (changed.has("entry")) {
      this.#base = this.#shown = [];
      this.#written = "";
    }
    if (!this.#isDrawn) {
      this.#isStale = true;
      this.#drawing ??= this.#begin();
      return;
    }
    if (!isKept) this.#layOut();
    else if (changed.has("namer")) this.#rename();
    if (changed.has("position")) this.#take(isKept);
    // The dice stay where they landed while pieces move.
    const isAnother = changed.has("thrown") && changed.get("thrown")?.seq !== this.thrown?.seq;
    if (isAnother || !isKept) this.#throw();
    if (changed.has("route") && isKept) this.#showRoute();
    this.#tellAll();
  }

  /** Shows the legal moves and describes the board. */
  #tellAll() {
    this.#play.setAttribute("aria-label", this.label);
    this.#play.classList.toggle("live", this.moves.length > 0);
    this.#hand.refresh();
    this.mark();
  }

  /** Draws everything for the first time: each part in a task of its own; begins again if something changes meanwhile. */
  async #begin() {
    const parts = [
      () => this.#hold(),
      () => this.#draw(),
      () => (this.#table?.clear(), this.#take(false)),
      () => this.#throw(),
      // No button may exist without its name.
      () => (this.#grid?.draw(this.layout), this.#tellAll()),
    ];
    while (this.#isStale) {
      this.#isStale = false;
      for (const part of parts) {
        await ownTask();
        part();
      }
    }
    this.#isDrawn = true;
  }

  /** @returns {Promise<boolean>} */
  async getUpdateComplete() {
    const isComplete = await super.getUpdateComplete();
    await this.#drawing;
    return isComplete;
  }

  get #play() {
    return /** @type {SVGSVGElement} */ (this.renderRoot.querySelector(".play"));
  }

  /** @param {string} name */
  #group = (name) => /** @type {SVGGElement} */ (this.renderRoot.querySelector(`.play .${name}`));

  /** @param {{width: number, height: number}} box */
  #resize({ width, height }) {
    if (width === this.#box.width && height === this.#box.height) return;
    this.#box = { width, height };
    this.#measured();
    if (!this.#isDrawn) {
      this.#isStale = true;
      return;
    }
    const entry = /** @type {CatalogueEntry} */ (this.entry);
    const { held, width: wide } = this.layout;
    const next = layOut(entry, this.#wish());
    if (next.width === wide && next.held.quarter === held.quarter && next.held.deep === held.deep) {
      return this.#fit();
    }
    this.#layOut();
    this.#throw();
    this.mark();
  }

  /** Finds a place for the dice. */
  #throw() {
    const { thrown } = this;
    this.#throwSpot = thrown && throwSpot(this.layout, this.#base, thrown.side, thrown.count);
    this.#fit();
  }

  /** The pixels of a cell. */
  get #unit() {
    const { width, height } = this.#box;
    return Math.min(width / this.layout.width, height / this.layout.height);
  }

  /** Places the dice, and makes letters large enough to read. */
  #fit() {
    const unit = this.#unit;
    if (unit > 0) this.style.setProperty("--unit", unit.toFixed(2));
    const spot = this.#throwSpot;
    const box = /** @type {HTMLElement} */ (this.renderRoot.querySelector(".dice"));
    box.hidden = !spot;
    if (!spot) return;
    const { width, height } = this.#box;
    const left = (width - this.layout.width * unit) / 2 + spot.x * unit;
    const top = (height - this.layout.height * unit) / 2 + spot.y * unit;
    box.classList.toggle("upright", spot.upright);
    // A cup with its words is wider than the dice; keep it within the board.
    const across = `clamp(50%, ${left}px, ${width}px - 50%)`;
    box.style.setProperty("transform", `translate(calc(${across} - 50%), calc(${top}px - 50%))`);
    box.style.setProperty("--die", `${Math.max(DIE_MIN_PX, spot.die * unit)}px`);
  }

  #wish() {
    const { width, height } = this.#box;
    return { viewer: this.viewer, namer: this.namer, turned: this.turned, width: width || 1600, height: height || 1000 };
  }

  /** Draws everything anew. */
  #layOut() {
    this.#hold();
    this.#draw();
    this.#table?.clear();
    this.#table?.lay(this.layout, this.#shown);
    this.#grid?.draw(this.layout);
  }

  /** Chooses the layout. */
  #hold() {
    this.layout = layOut(/** @type {CatalogueEntry} */ (this.entry), this.#wish());
    const { width, height, held } = this.layout;
    this.style.setProperty("--ratio", String({ rows: 2.3, points: 1.4, tafl: 1.15 }[held.family]));
    for (const drawing of this.renderRoot.querySelectorAll("svg")) {
      drawing.setAttribute("viewBox", `0 0 ${width} ${height}`);
    }
    this.#showRoute();
  }

  /** Draws the ground and the forms of pieces in the preferred style. */
  #draw() {
    const look = this.#look;
    this.setAttribute("skin", look.skin);
    const still = /** @type {SVGGElement} */ (this.renderRoot.querySelector(".ground > g"));
    const drawing = textOf(ground(this.layout, look));
    if (drawing !== this.#still) {
      still.innerHTML = this.#still = drawing;
      for (const name of /** @type {NodeListOf<SVGElement>} */ (still.querySelectorAll("[data-fits]"))) {
        name.style.setProperty("--fits", `${name.dataset.fits}px`);
      }
    }
    const { family } = this.layout.held;
    const sheet = look.painted ? sheetOf(family) : undefined;
    const isPainted = sheet && isHere(sheet.href);
    const forms = /** @type {HTMLElement} */ (this.renderRoot.querySelector(".play defs"));
    forms.innerHTML = textOf(men(family, isPainted ? sheet : undefined));
    // Draw the pieces until their picture has loaded.
    if (sheet && !isPainted) load(sheet.href).then((hasCome) => hasCome && this.layout && this.#draw());
  }

  /** Writes one side's names on the cells. */
  #rename() {
    this.layout = { ...this.layout, namer: this.namer ?? this.layout.viewer };
    this.#draw();
  }

  /** Draws the route of a side, if one is to be shown. */
  #showRoute() {
    render(routeMarks(this.layout, this.route), this.#group("ways"));
  }

  /** Applies a new position. @param {boolean} seen whether to animate it */
  #take(seen) {
    const entry = /** @type {CatalogueEntry} */ (this.entry);
    const position = /** @type {Position} */ (this.position);
    // The same position set again, while a move waits, is not the response to it.
    if (this.isWaiting && position === this.#taken) return;
    this.#taken = position;
    const told = { side: this.mover ?? position.to_move, steps: this.steps ?? [] };
    const steps = newSteps(this.#told, told);
    this.#told = told;
    const { isWaiting } = this;
    const written = JSON.stringify(position);
    if (written === this.#written && !isWaiting && seen) return;
    const { pieces, stages } = advance(this.#base, entry, told.side, steps, position);
    const moves = seen && this.#written !== "" && moving();
    this.#written = written;
    this.#base = this.#shown = pieces;
    this.#hand.letGo();
    // The waiting moves have been animated already.
    this.#table?.lay(this.layout, pieces, moves ? (isWaiting ? [pieces] : stages) : undefined);
  }

  /**
   * Plays a move of the person.
   * @param {Move} move
   * @param {boolean} [dropped] whether its piece is there already
   */
  play(move, dropped = false) {
    if (this.ahead) {
      this.#hand.chosen = null;
      this.putBack();
      return this.#tell("lusoria-move", { move, strikes: false });
    }
    const entry = /** @type {CatalogueEntry} */ (this.entry);
    const stages = stagesOf(this.#shown, entry, this.#sideAt(move.from), move.steps);
    const last = stages[stages.length - 1];
    const strikes = stages.some((stage, nth) => doesStrike(gesturesOf(entry, nth ? stages[nth - 1] : this.#shown, stage)));
    this.#shown = last;
    this.#hand.chosen = null;
    this.#table?.lay(this.layout, last, moving() ? (dropped ? [last] : stages) : undefined);
    if (this.shadowRoot?.activeElement) this.focusPlace(move.to);
    this.mark();
    this.#tell("lusoria-move", { move, strikes });
  }

  /** Reports a move that is not legal. @param {{from: PlaceId, to?: PlaceId}} tried */
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

  /** The legal moves: none while a move waits for its response. @returns {Move[]} */
  get open() {
    return this.isWaiting ? [] : this.moves;
  }

  /** The side whose pieces move from a place: usually the side to move; both sides in the editor. @param {PlaceId | null | undefined} place */
  #sideAt = (place) =>
    this.open.find(({ from }) => from === place)?.side ?? /** @type {Position} */ (this.position).to_move;

  /** Whether a move waits for its response. */
  get isWaiting() {
    return this.#shown !== this.#base;
  }

  /** The move that a click plays. @param {PlaceId} place */
  next(place) {
    return byNextDie(this.open, place, this.order);
  }

  /** Whether a point of the screen is on dice whose order can be changed. @param {{clientX: number, clientY: number}} point */
  isOnDice({ clientX: x, clientY: y }) {
    const dice = this.order.length > 1 ? this.querySelector("[slot=dice]") : null;
    if (!dice) return false;
    const { left, right, top, bottom } = dice.getBoundingClientRect();
    return x >= left && x <= right && y >= top && y <= bottom;
  }

  /** Whether the order of the dice can be changed now. */
  get hasOrder() {
    const dice = /** @type {import("./dice.js").Dice | null} */ (this.querySelector("[slot=dice]"));
    return this.order.length > 1 && dice?.ordered === true;
  }

  /** Asks for another order of the dice. */
  reorder() {
    this.#tell("lusoria-order", {});
  }

  /** Whether a piece of the person lies there. @param {PlaceId} place */
  holdsOwn(place) {
    const side = this.open.length ? this.#sideAt(place) : this.viewer;
    return this.#shown.some((piece) => piece.place === place && piece.side === side);
  }

  /** The piece that moves from a place. @param {PlaceId | null} place */
  #topOf(place) {
    const side = this.#sideAt(place);
    const own = this.#shown.filter((piece) => piece.place === place && piece.side === side && !piece.pinned);
    return own.sort((a, b) => b.level - a.level)[0];
  }

  /** Holds the chosen piece over a point. @param {{x: number, y: number}} point */
  lift({ x, y }) {
    const piece = this.#topOf(this.#hand.chosen);
    if (piece) this.#table?.lift(piece.key, { x, y }, this.#group("lifted"));
  }

  /** Highlights the target. @param {PlaceId | undefined} place */
  point(place) {
    for (const target of this.#group("targets").children) {
      target.classList.toggle("meant", /** @type {SVGElement} */ (target).dataset.place === place);
    }
  }

  /** Focuses the place where the keyboard enters the board. */
  enter() {
    this.#grid?.enter();
  }

  /** Focuses a place. @param {PlaceId} place */
  focusPlace(place) {
    this.#grid?.focus(place);
  }

  /** Makes a place the keyboard's entry to the board. @param {PlaceId} place */
  enterAt(place) {
    this.#grid?.enterAt(place);
  }

  /** Draws the marks, and announces them to screen readers. */
  mark() {
    if (!this.layout || !this.position) return;
    const { chosen, targets, foreseen, hovered } = this.#hand;
    const { at } = arrange(this.layout, this.#shown);
    const from = origins(this.open);
    const lies = (/** @type {PlaceId} */ place) => at.get(this.#topOf(place)?.key ?? "") ?? [];
    const movable = chosen ? [] : [...from].flatMap(lies);
    const [taken] = chosen ? [lies(chosen)].flat() : [];
    this.#table?.take(chosen ? this.#topOf(chosen)?.key : undefined);
    render(lowMarks(this.layout, this.marks), this.#group("low"));
    const shown = { marks: this.marks, arrows: this.arrows, movable, chosen: taken };
    render(highMarks(this.layout, shown), this.#group("high"));
    const reached = chosen ? targets : foreseen;
    render(targetMarks(this.layout, reached, this.#shown, this.#sideAt(chosen ?? hovered)), this.#group("targets"));
    if (!this.#hand.isDragging) this.point(chosen || !hovered ? undefined : this.next(hovered)?.to);
    this.#grid?.name(this.layout, this.#shown, this.marks, { from, chosen, targets });
  }
}

customElements.define("lusoria-board", Board);
