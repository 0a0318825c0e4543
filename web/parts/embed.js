// A match in a frame of another site: the board, the players, the state. It offers no action but the link to the match
// itself, so clickjacking gains nothing.

import { LitElement, css, html, nothing } from "../lit.js";
import "../board/board.js";
import "../board/dice.js";
import "./player.js";
import { roomOf } from "../board/spread.js";
import { endText, playerName, turnText } from "../match/telling.js";
import { frameView, pipsOf, presentView, throwView } from "../match/view.js";
import { moving } from "../player/preferences.js";
import { base } from "../style/shared.js";
import { t } from "../text/text.js";
import { clockText, gameName, lengthAndStake } from "../text/words.js";
import { diceOn } from "./match-dice.js";

/** @typedef {import("../api/wire").components["schemas"]["CatalogueEntry"]} CatalogueEntry */
/** @typedef {import("../game/story.js").Moment} Moment */
/** @typedef {import("../game/story.js").Seat} Seat */

/** A spectator has no turn. */
const NO_TURN = /** @type {import("../match/turn.js").Turn} */ ({ seq: undefined });

/** The same object each time, so that the board sees no change. @type {any[]} */
const NOTHING = [];

/**
 * `<lusoria-embed>`: `live` and `pace` of a match that is watched, `entry` of its game. `news` is shown for a while
 * instead of the state. `inside` a page of this server, its link opens no window.
 */
export class LusoriaEmbed extends LitElement {
  static properties = {
    live: { attribute: false },
    pace: { attribute: false },
    entry: { attribute: false },
    news: { type: String },
    inside: { type: Boolean },
  };

  static styles = [
    base,
    css`
      :host {
        display: block;
        container-type: size;
        height: 100vh;
        height: 100dvh;
        overflow: hidden;
      }
      section {
        display: grid;
        grid-template: auto minmax(0, 1fr) auto auto / minmax(0, 1fr);
        grid-template-areas: "top" "board" "bottom" "foot";
        gap: 0.125rem;
        width: 100%;
        height: 100%;
        padding: 0.25rem;
      }
      .top {
        grid-area: top;
      }
      .bottom {
        grid-area: bottom;
      }
      .table {
        grid-area: board;
        position: relative;
        min-width: 0;
        min-height: 0;
        pointer-events: none;
      }
      lusoria-board {
        position: absolute;
        inset: 0;
        width: 100%;
        height: 100%;
      }
      .foot {
        grid-area: foot;
        display: flex;
        align-items: baseline;
        justify-content: space-between;
        gap: 0 0.75rem;
        min-width: 0;
        padding: 0 0.25rem;
        font-size: var(--size-s);
        line-height: 1.5rem;
      }
      .foot p {
        min-width: 0;
        overflow: hidden;
        color: var(--muted);
        white-space: nowrap;
        text-overflow: ellipsis;
      }
      .foot p.result {
        color: var(--ink);
        font-weight: 600;
      }
      a {
        flex: none;
        color: var(--accent);
      }
      a svg {
        width: 0.75em;
        height: 0.75em;
        margin-left: 0.25em;
        fill: none;
        stroke: currentcolor;
        stroke-width: 2;
      }

      @container (max-height: 21rem) or (max-width: 19rem) {
        lusoria-board {
          --tray-names: none;
        }
      }

      /* A frame much wider than high has the room beside the board. */
      @container (min-aspect-ratio: 7/4) {
        section {
          grid-template: auto minmax(0, 1fr) auto / minmax(0, 1fr) minmax(8rem, 32%);
          grid-template-areas: "board top" "board foot" "board bottom";
          gap: 0.125rem 0.375rem;
        }
        .foot {
          flex-direction: column;
          justify-content: center;
          align-items: flex-start;
          padding: 0 0.625rem;
          line-height: 1.25rem;
        }
        .foot p {
          display: -webkit-box;
          -webkit-box-orient: vertical;
          -webkit-line-clamp: 3;
          line-clamp: 3;
          white-space: normal;
        }
        a {
          padding: 0.25rem 0;
        }
      }
    `,
  ];

  constructor() {
    super();
    /** @type {import("../match/live.js").LiveMatch} */
    this.live;
    /** @type {import("../match/pace.js").Pace} */
    this.pace;
    /** @type {CatalogueEntry} */
    this.entry;
    this.news = "";
    this.inside = false;
    /** The throw on the board. @type {import("../match/view.js").ThrowView | undefined} */
    this.lastThrow = undefined;
    /** The board's view of the throw. @type {import("../board/board.js").Thrown | undefined} */
    this.thrown = undefined;
    /** @type {any} */
    this.lastPosition = undefined;
    // The parts of `<lusoria-match>` that the dice need: no trial, no look into the past.
    this.turn = NO_TURN;
    /** @type {any} */
    this.aside = undefined;
    /** @type {number | undefined} */
    this.at = undefined;
  }

  connectedCallback() {
    super.connectedCallback();
    const { live, pace } = this;
    const again = () => this.requestUpdate();
    pace.addEventListener("change", again);
    for (const name of ["moment", "presence", "building", "uncovered"]) live.addEventListener(name, again);
  }

  /** The moment shown: the present, or a recent one that is being animated. @returns {Moment} */
  get shown() {
    return this.pace.frame?.moment ?? /** @type {Moment} */ (this.live.moment);
  }

  render() {
    const { entry, live, pace, shown } = this;
    const view = pace.frame ? frameView(entry, pace.frame) : presentView(entry, live, this.turn);
    const game = gameName(/** @type {any} */ (shown.game));
    // A page of this server has its own main element.
    return html`<section role=${this.inside ? "group" : "main"} aria-label=${`${game}: ${playerName(shown, 1)} – ${playerName(shown, 2)}`}>
      ${this.player(2, view)}
      <div class="table">${this.board(view, game)}</div>
      ${this.player(1, view)}
      <div class="foot">
        ${this.told()}
        ${this.inside ? html`<a href="/match/${live.id}">${t("tv.open")}</a>` : this.leaving()}
      </div>
    </section>`;
  }

  /** Links out of the frame to the match. */
  leaving() {
    return html`<a href="/match/${this.live.id}" target="_blank" rel="noopener" title=${t("embed.open")}
      >Lusoria<svg viewBox="0 0 12 12" aria-hidden="true"><path d="M4 2h6v6M10 2 2 10" /></svg
      ><span class="unseen"> ${t("embed.open")}</span></a>`;
  }

  /** @param {Seat} seat @param {import("../match/view.js").BoardView} view */
  player(seat, view) {
    const { entry, live, pace } = this;
    // The clock runs on while a turn is animated.
    const moment = pace.isBehind ? { ...this.shown, clocks: live.moment?.clocks } : this.shown;
    return html`<lusoria-player class=${seat === 1 ? "bottom" : "top"} plain .moment=${moment} .seat=${seat}
      .here=${live.here[seat]} .connection=${live.connection}
      .pips=${pipsOf(entry, moment, view.position ?? this.lastPosition)?.[seat]}></lusoria-player>`;
  }

  /** @param {import("../match/view.js").BoardView} view @param {string} game */
  board(view, game) {
    const { entry, shown } = this;
    const position = view.position ?? this.lastPosition ?? shown.position ?? entry.start;
    this.lastPosition = position;
    this.lastThrow = throwView(this);
    const { dice, side, seq } = this.lastThrow ?? {};
    if (this.thrown?.seq !== seq) this.thrown = dice && side && seq !== undefined ? { seq, side, count: roomOf(dice) } : undefined;
    return html`<lusoria-board .entry=${entry} .position=${position} .mover=${view.mover}
      .steps=${moving() ? view.steps : NOTHING} .moves=${NOTHING} .marks=${view.marks} .thrown=${this.thrown}
      .viewer=${shown.sides?.[1] ?? null} label=${t("match.board", { game })}>${diceOn(/** @type {any} */ (this))}</lusoria-board>`;
  }

  /** The state of the match, in a sentence. */
  told() {
    const { live, shown } = this;
    if (live.connection.line === "waiting") return html`<p>${t("connection.waiting")}</p>`;
    if (this.news) return html`<p class="result" role="status">${this.news}</p>`;
    if (shown.state === "ended") return html`<p class="result">${endText(shown)}</p>`;
    if (shown.state === "open") return html`<p>${t("match.waitsForYou", { clock: clockText(shown.clock) })}</p>`;
    if (shown.state === "awaiting_seeds") return html`<p>${t("match.awaitingSeeds")}</p>`;
    const text = turnText(shown, false, this.lastThrow?.covered ?? false);
    return text ? html`<p>${[text, ...lengthAndStake(shown)].join(" · ")}</p>` : nothing;
  }
}

customElements.define("lusoria-embed", LusoriaEmbed);
