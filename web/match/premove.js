// Premoves in games without dice: a move is entered while the opponent thinks, and played at once if it is legal then.
//
// Only this browser knows of it. Nobody knows which moves will be legal, so every move along a row or a column can be
// entered; the server judges it when the time comes.

import { isTafl } from "../game/games.js";
import { cellOf, nameOf, placeOf } from "../game/places.js";
import { piecesOf } from "../game/position.js";
import { other } from "../game/story.js";
import { preferred } from "../player/preferences.js";

/** @typedef {import("../api/wire").components["schemas"]["CatalogueEntry"]} CatalogueEntry */
/** @typedef {import("../api/wire").components["schemas"]["Position"]} Position */
/** @typedef {import("../api/wire").components["schemas"]["SideName"]} SideName */
/** @typedef {import("../api/wire").components["schemas"]["Step"]} Step */
/** @typedef {import("../game/moves.js").Move} Move */
/** @typedef {{after: number, step: Step}} Kept the move, and the event that gave the opponent the turn before it */

/** @type {any[]} */
const NONE = [];

/**
 * The premoves of a side: along rows and columns, to places without a piece of its own.
 * @param {CatalogueEntry} entry @param {Position} position @param {SideName} side
 * @returns {Move[]}
 */
export function movesAhead(entry, position, side) {
  const own = piecesOf(entry, position).filter((piece) => piece.side === side && cellOf(entry, piece.place));
  const taken = new Set(own.map(({ place }) => place));
  const free = entry.board.cells.filter(({ id }) => !taken.has(id));
  return own.flatMap(({ place }) => {
    const from = /** @type {import("../game/places.js").Cell} */ (cellOf(entry, place));
    const inLine = free.filter(({ x, y }) => x === from.x || y === from.y);
    return inLine.map(({ id }) => {
      const step = { from: nameOf(entry, side, place), to: nameOf(entry, side, id) };
      return { from: place, to: id, steps: [step], dice: [] };
    });
  });
}

/** The premove of a match. Events: `change`; `dropped` when it was not legal. */
export class Premove extends EventTarget {
  /** @param {import("./live.js").LiveMatch} live @param {import("./turn.js").Turn} turn @param {CatalogueEntry} entry */
  constructor(live, turn, entry) {
    super();
    this.live = live;
    this.turn = turn;
    this.entry = entry;
    /** The possible premoves in a position. @type {{position: Position, moves: Move[]} | undefined} */
    this.known = undefined;
    /** @type {import("../board/marks.js").Arrow[]} */
    this.drawn = [];
    /** @type {Kept | undefined} */
    this.entered = this.kept();
    for (const event of ["moment", "past"]) live.addEventListener(event, () => this.look());
    turn.addEventListener("change", () => this.look());
    this.look();
  }

  /** Whether a premove can be entered now: the opponent thinks in a game without dice. */
  get isPossible() {
    const { moment, mySeats, myTurn } = this.live;
    const isTheirs = moment?.state === "playing" && moment.toPlay !== undefined && myTurn === undefined;
    return isTheirs && mySeats.length === 1 && isTafl(moment.game) && preferred("ahead") === "on";
  }

  /** The premove. @returns {Step | undefined} */
  get step() {
    return this.entered?.step;
  }

  /** The person's side. @returns {SideName | undefined} */
  get side() {
    const { moment, mySeats: [seat] } = this.live;
    return seat && moment?.sides?.[seat];
  }

  /** The possible premoves: the same list each time, so that the board sees no change. @returns {Move[]} */
  get moves() {
    const { position } = this.live.moment ?? {};
    const { side } = this;
    if (!this.isPossible || !position || !side) return NONE;
    if (this.known?.position !== position) this.known = { position, moves: movesAhead(this.entry, position, side) };
    return this.known.moves;
  }

  /** The premove as an arrow: the same object each time. */
  get arrows() {
    const { step, side } = this;
    if (!step || !side) return NONE;
    const [arrow] = this.drawn;
    const [from, to] = [step.from, step.to].map((name) => placeOf(this.entry, side, name));
    if (arrow?.from !== from || arrow?.to !== to) this.drawn = [{ from, to }];
    return this.drawn;
  }

  /** Enters a premove, replacing an earlier one. @param {Move} move */
  enter(move) {
    const after = this.live.moment?.toPlay?.seq;
    if (!this.isPossible || after === undefined) return;
    this.keep({ after, step: move.steps[0] });
  }

  /** Cancels the premove. */
  cancel() {
    if (this.entered) this.keep(undefined);
  }

  /** Plays or drops the premove when its time has come. */
  look() {
    const { entered, live, turn } = this;
    if (entered && preferred("ahead") === "off") return this.cancel();
    const { moment } = live;
    if (!entered || !moment) return;
    const { toPlay } = moment;
    if (moment.state === "playing" && toPlay?.seq === entered.after) return;
    if (live.myTurn === undefined) return this.cancel();
    const given = live.past[/** @type {any} */ (toPlay).seq - 1];
    // The past is still loading.
    if (!given) return;
    const isNext = given.type === "turned" && given.answers === entered.after && given.seat === other(/** @type {any} */ (toPlay).seat);
    if (!isNext || turn.steps.length > 0) return this.cancel();
    if (turn.seq !== toPlay?.seq || !turn.legal) return;
    const { step } = entered;
    this.keep(undefined);
    const isLegal = turn.legal.steps.some(({ from, to }) => from === step.from && to === step.to);
    if (isLegal) turn.playAll([step]);
    else this.dispatchEvent(new Event("dropped"));
  }

  // --- storage -------------------------------------------------------

  get keptAs() {
    return `lusoria.premove.${this.live.id}`;
  }

  /** @returns {Kept | undefined} */
  kept() {
    try {
      return JSON.parse(localStorage.getItem(this.keptAs) ?? "null") ?? undefined;
    } catch {
      return undefined;
    }
  }

  /** @param {Kept | undefined} entered */
  keep(entered) {
    this.entered = entered;
    try {
      if (entered) localStorage.setItem(this.keptAs, JSON.stringify(entered));
      else localStorage.removeItem(this.keptAs);
    } catch {
      // It is kept until the page is closed.
    }
    this.dispatchEvent(new Event("change"));
  }
}
