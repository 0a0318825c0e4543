// A match on the screen: the board, the players, the dice and the controls; live, or as it was after some event.

import { LitElement, html, nothing } from "../lit.js";
import "../board/board.js";
import "../board/dice.js";
import "./ends.js";
import "./head.js";
import "./player.js";
import { roomOf } from "../board/spread.js";
import { nameOf } from "../game/places.js";
import { other } from "../game/story.js";
import { actionsOf, beforeSeen, isComputer, isConditional } from "../match/actions.js";
import { adviceText, arrowsOf } from "../match/hints.js";
import { frameView, pastView, pipsOf, presentView, stopsOf, throwView } from "../match/view.js";
import { Premove } from "../match/premove.js";
import { Saying } from "../match/saying.js";
import { hearOn, play as sound } from "../match/sounds.js";
import { rowsOf } from "../match/rows.js";
import { playerName, told } from "../match/telling.js";
import { entitle } from "../player/badge.js";
import { moving, preferences } from "../player/preferences.js";
import { notePlayed } from "../player/first-turns.js";
import { invitationOf, inviteAnew } from "../player/seats.js";
import { t } from "../text/text.js";
import { gameName, problemText } from "../text/words.js";
import { around } from "./around.js";
import { bar } from "./bar.js";
import { Beside } from "./beside.js";
import { Deeds, playAgain } from "./deeds.js";
import { endCard, isEnd, overBoard } from "./ending.js";
import { LookBack } from "./look-back.js";
import { diceOn, orderOf, orderedIn } from "./match-dice.js";
import { Looking } from "./looking.js";
import { pressed } from "./match-keys.js";
import { stepped, tellOf } from "./match-news.js";
import { routeOpacity, routeSide } from "./match-route.js";
import { styles } from "./match-style.js";
import { premoveText, toldOf } from "./match-told.js";

/** @typedef {import("../api/wire").components["schemas"]["CatalogueEntry"]} CatalogueEntry */
/** @typedef {import("../game/story.js").Moment} Moment */
/** @typedef {import("../game/story.js").Seat} Seat */

/**
 * Something tried beside the match, shown instead of it: a mistake to practise, or a variation.
 * @typedef {object} Aside
 * @property {Moment} moment
 * @property {(entry: CatalogueEntry) => import("../match/view.js").BoardView} view
 * @property {() => import("../match/view.js").ThrowView | undefined} thrown
 * @property {(entry: CatalogueEntry) => import("../board/marks.js").Arrow[]} arrows
 * @property {() => ["advice" | "hint" | "result", string]} told
 * @property {() => unknown} bar
 * @property {() => unknown} beside
 * @property {import("../match/trial.js").Trial} trial the turn being played there
 * @property {(steps: import("../match/view.js").Step[], move: import("../game/moves.js").Move) => void} play
 * @property {(from: string, to?: string) => Promise<import("../api/rest.js").Problem[]>} why
 * @property {import("./match-keys.js").Keys} keys
 * @property {() => void} leave returns to the match
 */

/** The same object each time, so that the board sees no change. @type {import("../board/marks.js").Arrow[]} */
const NO_ARROWS = [];

/** `<lusoria-match>`: `live`, `pace`, `turn` and `hints` of a match, `entry` of its game, `at` an event or none, `offer` an element or none. */
export class MatchElement extends LitElement {
  static properties = {
    live: { attribute: false },
    pace: { attribute: false },
    turn: { attribute: false },
    entry: { attribute: false },
    at: { attribute: false },
    hints: { attribute: false },
    offer: { attribute: false },
    ratings: { attribute: false },
    turned: { state: true },
    wantsRoute: { state: true },
    invitation: { state: true },
    rows: { state: true },
    isEndAside: { state: true },
    isSheetOpen: { state: true },
    talk: { state: true },
  };

  static styles = styles;

  constructor() {
    super();
    /** @type {import("../match/live.js").LiveMatch} */
    this.live;
    /** @type {import("../match/pace.js").Pace} */
    this.pace;
    /** @type {import("../match/turn.js").Turn} */
    this.turn;
    /** @type {CatalogueEntry} */
    this.entry;
    /** @type {import("../match/hints.js").Hints} */
    this.hints;
    /** The event shown; undefined for the present. @type {number | undefined} */
    this.at = undefined;
    /** An offer to the person, over the top of the board. @type {HTMLElement | undefined} */
    this.offer = undefined;
    /** The ratings of the players during a rated match. @type {import("../match/player-ratings.js").PlayerRatings} */
    this.ratings = {};
    this.turned = false;
    /** Whether the route is shown; undefined until the person has chosen. @type {boolean | undefined} */
    this.wantsRoute = undefined;
    /** @type {{code: string, expires_at: number} | undefined} */
    this.invitation = undefined;
    /** @type {import("../match/rows.js").Row[]} */
    this.rows = [];
    /** The number of events in the rows. */
    this.listed = 0;
    this.saying = new Saying();
    /** Whether the person has hidden the end of the game, to look at the board. */
    this.isEndAside = false;
    this.isSheetOpen = false;
    /** The talk, once it is loaded. @type {import("../match/talk.js").Talk | undefined} */
    this.talk = undefined;
    /** How many steps of another player's turn have had their sound. */
    this.stepsHeard = 0;
    /** The steps after which an illegal move was tried. @type {import("../match/turn.js").Turn["steps"] | undefined} */
    this.refusedAt = undefined;
    /** The throw on the board. @type {import("../match/view.js").ThrowView | undefined} */
    this.lastThrow = undefined;
    /** @type {Deeds} */
    this.deeds;
    /** @type {LookBack} */
    this.lookBack;
    /** @type {Premove} */
    this.premove;
    this.looking = new Looking(this);
    this.beside = new Beside(this);
    /** @type {Aside | undefined} */
    this.aside = undefined;
    this.leaving = new AbortController();
  }

  connectedCallback() {
    super.connectedCallback();
    const again = () => this.requestUpdate();
    this.deeds = new Deeds(this.live, this.saying, again);
    this.lookBack = new LookBack(this.live, again, () => this.saying.tell(t("analysis.unloaded")));
    this.premove = new Premove(this.live, this.turn, this.entry);
    hearOn(this.entry.id);
    const { hints, live, pace, premove, turn } = this;
    live.addEventListener("moment", () => this.wentOn());
    pace.addEventListener("shown", (event) => this.saw(/** @type {CustomEvent} */ (event).detail));
    pace.addEventListener("step", () => stepped(this));
    pace.addEventListener("change", again);
    this.saying.addEventListener("change", again);
    live.addEventListener("uncovered", () => this.othersUncovered());
    for (const name of ["presence", "building"]) live.addEventListener(name, again);
    live.addEventListener("past", () => this.listPast());
    const { signal } = this.leaving = new AbortController();
    for (const name of ["line", "time"]) live.connection.addEventListener(name, again, { signal });
    turn.addEventListener("change", () => this.built());
    turn.addEventListener("played", () => notePlayed(/** @type {any} */ (this.entry.id)));
    premove.addEventListener("change", again);
    premove.addEventListener("dropped", () => this.saying.tell(t("premove.dropped")));
    preferences.addEventListener("change", () => {
      premove.look();
      turn.goOn();
      again();
    }, { signal });
    for (const asks of [turn, hints]) {
      asks.addEventListener("refused", (event) => this.saying.tell(problemText(/** @type {CustomEvent} */ (event).detail)));
    }
    hints.addEventListener("change", () => this.advise());
    // A pressed button may be gone, and the focus with it: listen for keys everywhere.
    document.addEventListener("keydown", (event) => this.pressed(event), { signal });
    this.invitation = invitationOf(live.id) ?? undefined;
    // A viewer who arrives after the end wants to see the board, unless they have played.
    this.isEndAside = live.moment?.state === "ended" && live.mySeats.length === 0;
    if (isConditional(live)) import("./conditional.js").catch(() => {});
    if (live.moment?.state === "open") import("./invitation.js").catch(() => {});
    // Only the events hold the last turn and the counts of repetitions.
    live.followPast();
  }

  /** Stops everything that would outlive the element. */
  disconnectedCallback() {
    super.disconnectedCallback();
    this.leaving.abort();
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    pressed(this, event);
  }

  /**
   * The moment shown: the present, a recent one that is being animated, or that after the event `at`.
   * @returns {Moment}
   */
  get shown() {
    if (this.aside) return this.aside.moment;
    const present = this.pace.frame?.moment ?? /** @type {Moment} */ (this.live.moment);
    return this.at === undefined ? present : (this.live.moments[this.at - 1] ?? present);
  }

  /** The seat of the board's layout: one's own, else seat 1. @returns {Seat} */
  get own() {
    return this.live.mySeats[0] ?? 1;
  }

  /** The seat at the bottom: the other one if the board is turned. @returns {Seat} */
  get bottom() {
    return this.turned ? other(this.own) : this.own;
  }

  // --- events -----------------------------------------------------------------------

  /** Lists the turns again, once all of them are loaded. */
  listPast() {
    const { past, moments } = this.live;
    this.rows = rowsOf(past, moments, this.rows, this.listed);
    this.listed = past.length;
  }

  /** The match has advanced; its events are shown one after the other. */
  wentOn() {
    if (this.live.past.length === this.live.moment?.seq) this.listPast();
    this.nameTitle();
    this.requestUpdate();
  }

  /** @param {{event: any, moment: Moment}} what is shown now */
  saw({ event, moment }) {
    tellOf(this, event, moment);
    if (event.type === "game_started") this.isEndAside = false;
    if (["game_ended", "match_ended"].includes(event.type)) this.showEnd();
    if (event.type === "rematch_agreed") this.goTo(event.next);
  }

  nameTitle() {
    const moment = /** @type {Moment} */ (this.live.moment);
    const game = gameName(/** @type {any} */ (moment.game));
    const who = /** @type {Seat[]} */ ([1, 2]).map((seat) => playerName(moment, seat)).join(" – ");
    const { myTurn, mySeats } = this.live;
    entitle(`${myTurn ? `${t("match.titleTurn")} – ` : ""}${game}: ${who}`, myTurn !== undefined && mySeats.length === 1);
  }

  /** @param {string} match */
  goTo(match) {
    if (this.live.mySeats.length > 0) location.href = `/match/${match}`;
  }

  /** Rolls, and announces the throw. */
  uncover() {
    const { toPlay } = /** @type {Moment} */ (this.live.moment);
    if (!this.turn.isCovered || !toPlay) return;
    sound("dice", toPlay.dice.length);
    this.saying.say(told({ ...toPlay, type: "thrown" }, /** @type {Moment} */ (this.live.moment)));
    this.turn.uncover();
  }

  /** Announces the throw of another player when it is shown. */
  othersUncovered() {
    const { toPlay } = /** @type {Moment} */ (this.live.moment);
    if (!toPlay || this.pace.isBehind) return;
    sound("dice", toPlay.dice.length);
    this.saying.say(told({ ...toPlay, type: "thrown" }, /** @type {Moment} */ (this.live.moment)));
  }

  /** Shows the end of the game, and focuses it. */
  async showEnd() {
    this.isEndAside = false;
    await this.updateComplete;
    if (this.at === undefined) /** @type {HTMLElement | null} */ (this.renderRoot.querySelector(".ending h2"))?.focus({ preventScroll: true });
  }

  /** Hides the end, or shows it again; focuses the button for the opposite. */
  async turnEnd() {
    if (this.isEndAside) return this.showEnd();
    this.isEndAside = true;
    await this.updateComplete;
    /** @type {HTMLElement | null} */ (this.renderRoot.querySelector(".bar [aria-expanded]"))?.focus();
  }

  /** The seat of an opponent who offers a rematch; the computer's offer is not shown. @returns {Seat | undefined} */
  get rematchOffer() {
    const { mySeats, moment } = this.live;
    const seat = moment?.rematch.offeredBy;
    if (!moment || !seat || mySeats.length !== 1 || mySeats.includes(seat)) return undefined;
    return isComputer(moment, seat) ? undefined : seat;
  }

  /** Continues with the next game of the series, and focuses its board. */
  nextGame() {
    this.isEndAside = false;
    this.pace.leaveEnd();
    return this.enterBoard();
  }

  /** Focuses the board. */
  async enterBoard() {
    await this.updateComplete;
    /** @type {import("../board/board.js").Board | null} */ (this.renderRoot.querySelector("lusoria-board"))?.enter();
  }

  /** Announces the hint. */
  advise() {
    const { hints } = this;
    if (hints.shown) {
      this.saying.hush();
      this.saying.say(adviceText(hints));
    }
    this.requestUpdate();
  }

  /** The turn has changed: an explanation why a piece could not go is obsolete once another has moved. */
  built() {
    const { saying, turn } = this;
    if (saying.isReason && turn.steps !== this.refusedAt) saying.hush();
    this.requestUpdate();
  }

  /** @param {CustomEvent} event */
  moved(event) {
    this.saying.hush();
    sound(event.detail.strikes ? "hit" : "step");
    if (this.aside) return this.aside.play(event.detail.move.steps, event.detail.move);
    if (this.turn.seq === undefined) return this.enterAhead(event.detail.move);
    this.turn.play(event.detail.move.steps);
  }

  /** Enters a premove, to be played when the opponent has moved. @param {import("../game/moves.js").Move} move */
  enterAhead(move) {
    this.premove.enter(move);
    this.saying.say(premoveText(this.premove));
  }

  /** @param {CustomEvent} event */
  async refused(event) {
    const { from, to } = event.detail;
    const moment = this.shown;
    const side = moment.toPlay?.side;
    if (!side || (!this.aside && (this.turn.seq === undefined || this.at !== undefined))) return;
    if (!this.aside && this.turn.isCovered) return this.saying.tell(t("turn.throwFirst"));
    const name = (/** @type {string} */ place) => nameOf(this.entry, side, place);
    const problems = await (this.aside ?? this.turn).why(name(from), to === undefined ? undefined : name(to));
    const texts = new Set(problems.map((problem) => problemText(problem)));
    this.refusedAt = this.turn.steps;
    this.saying.explain(texts.size > 0 ? [...texts] : [t("turn.cannot")]);
  }

  /** @param {CustomEvent} event */
  async does(event) {
    const { op, fields } = event.detail;
    await this.deeds.act(op, fields);
    this.closeSheet();
    await this.updateComplete;
    // The pressed button is gone: focus the board.
    if (document.activeElement !== document.body) return;
    /** @type {import("../board/board.js").Board | null} */ (this.renderRoot.querySelector("lusoria-board"))?.enter();
  }

  invite() {
    return this.deeds.tried(async () => (this.invitation = await inviteAnew(this.live.id)));
  }

  /** Plays the same terms against the computer at another level. @param {import("../player/level.js").Level} level */
  playLevel(level) {
    const side = /** @type {Moment} */ (this.live.moment).sides?.[this.own];
    return this.deeds.tried(async () => location.assign(`/match/${await playAgain(this.live, level, side)}`));
  }

  /** @param {number | undefined} seq the event to show; undefined for the present */
  show(seq) {
    this.aside = undefined;
    this.look(seq);
  }

  /** Shows a moment, and leaves any trial. @param {number | undefined} seq */
  look(seq) {
    const head = this.live.moment?.seq;
    this.at = seq === head ? undefined : seq;
    this.looking.moved();
  }

  flip() {
    this.turned = !this.turned;
  }

  async replay() {
    await this.deeds.tried(() => this.live.readPast());
    const [first] = stopsOf(this.live.past);
    if (first) this.show(first);
  }

  /** @param {CustomEvent} event */
  showed(event) {
    this.show(event.detail.seq);
  }

  /** Practises one's own costliest mistakes. */
  async practise() {
    const loaded = await import("./practising.js").catch(() => this.saying.tell(t("analysis.unloaded")));
    if (!loaded) return;
    await this.deeds.tried(() => this.live.readPast());
    this.closeSheet();
    loaded.practise(this);
  }

  /** Starts a variation from the moment shown. */
  async vary() {
    const loaded = await import("./varying.js").catch(() => this.saying.tell(t("analysis.unloaded")));
    if (!loaded) return;
    this.closeSheet();
    loaded.vary(this);
  }

  /** Starts or ends a trial beside the match; focuses the board. @param {Aside | undefined} aside */
  turnTo(aside) {
    this.aside = aside;
    this.requestUpdate();
    if (aside) this.enterBoard();
  }

  /** Focuses the board, unless the person may choose again. @param {CustomEvent} event */
  lookedAt(event) {
    this.showed(event);
    if (!event.detail.stays) this.closeSheet();
  }

  get sheet() {
    return /** @type {HTMLDialogElement | null} */ (this.renderRoot.querySelector("dialog"));
  }

  openSheet() {
    this.isSheetOpen = true;
    this.sheet?.showModal();
  }

  closeSheet() {
    this.sheet?.close();
  }

  // --- rendering -----------------------------------------------------------------------

  /** The line above the board depends on whether the throw is covered, as do the dice. */
  willUpdate() {
    this.lastThrow = this.aside ? this.aside.thrown() : throwView(this);
  }

  render() {
    const { live, bottom } = this;
    const { connection } = live;
    const view = this.view();
    return html`
      <lusoria-head .line=${connection.line} .retryAt=${connection.retryAt}
        @lusoria-retry=${() => connection.retryNow()}></lusoria-head>
      <main class="match" aria-label=${this.label()}>
        ${this.player(other(bottom), view)}
        <div class="told">${this.beside.isBelow ? toldOf(this) : nothing}</div>
        <div class="table">${this.board(view)}${this.offer ?? nothing}${overBoard(this)}</div>
        ${this.beside.isBelow ? endCard(this) : nothing}
        ${this.player(bottom, view)}
        <div class="bar">${this.aside ? this.aside.bar() : this.beside.isBelow ? bar(this) : nothing}</div>
        <aside class="side" aria-label=${t("match.turns")}>${this.beside.isDrawn ? around(this) : nothing}</aside>
      </main>
      <dialog class="sheet" aria-label=${t("match.more")} @click=${this.clickedSheet}
        @close=${() => (this.isSheetOpen = false)}>
        ${this.isSheetOpen ? around(this) : nothing}
        <button @click=${this.closeSheet}>${t("common.close")}</button>
      </dialog>
      <p class="unseen" role="status" aria-live="polite">${this.saying.said}</p>
    `;
  }

  /** The view of the board. */
  view() {
    const { entry, live, pace, turn } = this;
    if (this.aside) return this.aside.view(entry);
    if (this.at !== undefined) {
      const past = pastView(entry, this.shown);
      return this.fault ? { ...past, marks: [] } : past;
    }
    if (pace.frame) return frameView(entry, pace.frame);
    const view = presentView(entry, live, turn);
    const { moves, side } = this.premove;
    if (moves.length === 0) return view;
    const position = view.position ?? live.moment?.position;
    return { ...view, position: /** @type {any} */ ({ ...position, to_move: side }), moves };
  }

  /** Touching the board skips the animation. */
  skips = {
    capture: true,
    handleEvent: (/** @type {Event} */ event) => {
      this.premove.cancel();
      if (!this.pace.isBehind || this.pace.isHeld || this.at !== undefined) return;
      event.stopPropagation();
      this.pace.skip();
    },
  };

  /** The wheel over the board steps through the match. */
  wheel = { passive: false, handleEvent: (/** @type {WheelEvent} */ event) => this.looking.turned(event) };

  /** A click on a board without legal moves leaves the arrow keys to the replay. @param {MouseEvent} event */
  keepsFocus(event) {
    const isBoard = event.target === event.currentTarget && !this.aside;
    if (isBoard && (this.at !== undefined || this.turn.seq === undefined)) event.preventDefault();
  }

  /** @param {MouseEvent} event */
  clickedSheet(event) {
    if (event.target === this.sheet) this.closeSheet();
  }

  label() {
    const moment = this.shown;
    return `${gameName(/** @type {any} */ (moment.game))}: ${playerName(moment, 1)} – ${playerName(moment, 2)}`;
  }

  /** @param {Seat} seat @param {import("../match/view.js").BoardView} view */
  player(seat, view) {
    const { live, at, pace } = this;
    // The clock runs on while a turn is animated.
    const moment = at === undefined && pace.isBehind ? { ...this.shown, clocks: live.moment?.clocks } : this.shown;
    const seats = live.mySeats;
    return html`<lusoria-player .moment=${moment} .seat=${seat} .here=${at !== undefined || live.here[seat]}
      .mine=${seats.length === 1 && seats[0] === seat} .plain=${live.isSetup} .connection=${live.connection}
      @lusoria-missed=${() => this.saying.tell(t("people.unloaded"))}
      .spectators=${seat === this.bottom || this.shown.state !== "playing" || at !== undefined ? 0 : live.spectators}
      .rating=${live.moment?.ratings?.seats[seat].before ?? this.ratings[seat]}
      .pips=${pipsOf(this.entry, moment, view.position ?? this.lastPosition)?.[seat]}></lusoria-player>`;
  }

  /** @param {import("../match/view.js").BoardView} view */
  board(view) {
    const { entry } = this;
    const moment = this.shown;
    // During a request, the board keeps its last view.
    const position = view.position ?? this.lastPosition ?? moment.position ?? entry.start;
    this.lastPosition = position;
    const { dice, side, seq } = this.lastThrow ?? {};
    // The same throw must be the same object, so that the board sees no change.
    if (this.thrown?.seq !== seq) this.thrown = dice && side && seq !== undefined ? { seq, side, count: roomOf(dice) } : undefined;
    return html`<lusoria-board class="board" .entry=${entry} .position=${position}
      .mover=${view.mover} .steps=${moving() ? view.steps : []} .moves=${view.moves} .order=${orderOf(this)} .marks=${view.marks}
      .arrows=${this.arrows()} .route=${routeSide(this)} .routeOpacity=${routeOpacity(this)} .thrown=${this.thrown}
      .viewer=${moment.sides?.[this.own] ?? null} .namer=${this.namer} ?turned=${this.turned} ?ahead=${this.isAhead} label=${t("match.board", { game: gameName(/** @type {any} */ (moment.game)) })}
      @pointerdown=${this.skips} @mousedown=${this.keepsFocus} @wheel=${this.wheel} @lusoria-move=${this.moved}
      @lusoria-refused=${this.refused} @lusoria-order=${() => orderedIn(this)?.reorder()}>${diceOn(this)}</lusoria-board>`;
  }

  /** Whether a move on the board is a premove. */
  get isAhead() {
    return !this.aside && this.at === undefined && this.turn.seq === undefined && this.premove.moves.length > 0;
  }

  /** The side whose names the cells show if one person plays both sides: as in the list of turns. */
  get namer() {
    const { live, shown } = this;
    return live.mySeats.length === 2 ? (shown.toPlay?.side ?? shown.last?.side ?? null) : null;
  }

  /** The board's view of the throw. @type {import("../board/board.js").Thrown | undefined} */
  thrown = undefined;

  /** @type {any} */
  lastPosition = undefined;

  /** The arrows of what could be done, or could have been. */
  arrows() {
    if (this.aside) return this.aside.arrows(this.entry);
    if (this.at === undefined && this.premove.step) return this.premove.arrows;
    if (this.at === undefined) return this.hints.shown ? this.hints.arrows(this.entry) : NO_ARROWS;
    const { fault } = this;
    return fault ? arrowsOf(this.entry, fault.side, fault.better) : NO_ARROWS;
  }

  /** The mistake that is shown, if any. */
  get fault() {
    return this.at === undefined ? undefined : this.lookBack.faultAt(this.at);
  }

  /** Shows the analysis: beside the board, or in the sheet without room there. */
  async openAnalysis() {
    this.isEndAside = isEnd(this) || this.isEndAside;
    await this.lookBack.turnTo(true);
    if (this.lookBack.isOpen && this.beside.isAway) this.openSheet();
  }

  actions() {
    const { live, pace } = this;
    const moment = /** @type {Moment} */ (live.moment);
    const actions = actionsOf(moment, live.mySeats, live, live.connection.now());
    return pace.now.moment.gameNumber === moment.gameNumber ? actions : beforeSeen(actions);
  }
}

customElements.define("lusoria-match", MatchElement);
