// A match at a table in an exhibition: the board as large as possible, and for each of the two players their controls
// on their side of the screen. No link leaves it.

import { css, html, nothing } from "../lit.js";
import "../board/miniature.js";
import { isTafl } from "../game/games.js";
import { other } from "../game/story.js";
import { endText, playerName } from "../match/telling.js";
import { base, buttons } from "../style/shared.js";
import { t } from "../text/text.js";
import { gameLine, gameName, sideName } from "../text/words.js";
import { main, send, slot } from "./bar.js";
import { MatchElement } from "./match.js";
import { routeText } from "./match-route.js";
import { toldOf } from "./match-told.js";

/** @typedef {import("../game/story.js").Moment} Moment */
/** @typedef {import("../game/story.js").Seat} Seat */

/** In how many turns the route is shown unasked: visitors may be new to the game. */
const ROUTE_TURNS = 4;

/** The overlay on the table: instructions or a question, and the side that asked. @typedef {{what: "how" | "stop", seat: Seat}} Cover */

const HELP = "M9.2 9a3 3 0 1 1 4.3 2.7c-1 .5-1.5 1-1.5 2.3M12 17.5h.01M12 2.5a9.5 9.5 0 1 1 0 19 9.5 9.5 0 0 1 0-19z";
const GAMES = "M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h6v6h-6z";

/**
 * `<lusoria-kiosk-table>`: like `<lusoria-match>`; with `facing`, whether the players sit `opposite` each other or on
 * the `same` side. Events: `lusoria-stop` to choose another game, `lusoria-again` to play the same one again.
 */
export class KioskTable extends MatchElement {
  static properties = {
    ...MatchElement.properties,
    facing: { type: String, reflect: true },
    cover: { state: true },
  };

  static styles = [
    base,
    buttons,
    css`
      :host {
        --touch: clamp(2.5rem, 5.5vmin, 5rem);
        display: block;
        position: relative;
        height: 100vh;
        height: 100dvh;
        overflow: hidden;
      }
      main {
        display: grid;
        grid-template: auto minmax(0, 1fr) auto / minmax(0, 1fr);
        gap: 0.25rem;
        width: 100%;
        height: 100%;
        padding: 0.25rem;
      }
      .table {
        position: relative;
        min-width: 0;
        min-height: 0;
      }
      .board {
        position: absolute;
        inset: 0;
        width: 100%;
        height: 100%;
      }
      /* The player opposite reads from the other side. */
      :host([facing="opposite"]) .far,
      :host([facing="opposite"]) .far-turn lusoria-dice {
        rotate: 180deg;
      }
      .strip {
        display: grid;
        grid-template: minmax(var(--touch), auto) / minmax(8rem, 1fr) minmax(0, 2fr) auto auto;
        grid-template-areas: "who told does tools";
        align-items: center;
        gap: 0.25rem clamp(0.375rem, 1vw, 1.5rem);
        padding: 0.25rem clamp(0.25rem, 1vw, 1.5rem);
        border: 2px solid transparent;
        border-radius: var(--round);
        font-size: clamp(0.875rem, 2.1vmin, 1.75rem);
      }
      .strip button {
        font-size: inherit;
      }
      .strip.turn {
        border-color: var(--line);
        background: var(--raised);
      }
      lusoria-player {
        grid-area: who;
        border-color: transparent;
        background: none;
        box-shadow: none;
      }
      .told {
        grid-area: told;
        min-width: 0;
        line-height: 1.25;
      }
      .told p {
        display: -webkit-box;
        -webkit-box-orient: vertical;
        -webkit-line-clamp: 2;
        line-clamp: 2;
        overflow: hidden;
        height: 2.5em;
        align-content: center;
      }
      .told button {
        display: none;
      }
      .turn .told p {
        font-weight: 600;
      }
      .word {
        color: var(--accent);
      }
      .result {
        font-size: var(--size-l);
      }
      .does {
        grid-area: does;
        display: grid;
        grid-template-columns: var(--touch) minmax(9rem, auto);
        gap: 0.5rem;
      }
      .does.ended {
        grid-template-columns: auto auto;
      }
      .does .main {
        grid-column: 2;
      }
      .does .ended,
      .does.ended .main {
        grid-column: auto;
      }
      .does .wide {
        display: none;
      }
      .tools {
        grid-area: tools;
        display: flex;
        justify-content: flex-end;
        gap: 0.5rem;
      }
      .tools button {
        white-space: nowrap;
      }
      .veil {
        position: absolute;
        inset: 0;
        z-index: 2;
        display: grid;
        place-items: center;
        padding: var(--gap-m);
        background: var(--veil);
      }
      .card {
        display: grid;
        justify-items: center;
        gap: var(--gap-m);
        width: min(44rem, 100%);
        max-height: 100%;
        padding: var(--gap-l);
        overflow: hidden;
        border-radius: var(--round-l);
        background: var(--ground);
        text-align: center;
      }
      .card p {
        font-size: var(--size-l);
      }
      .card .small {
        font-size: var(--size-m);
      }
      .card lusoria-miniature {
        width: min(100%, 26rem);
        aspect-ratio: 16 / 9;
      }
      .choices {
        display: flex;
        flex-wrap: wrap;
        justify-content: center;
        gap: var(--gap-m);
      }

      @media (max-width: 60rem) {
        .strip {
          grid-template: auto auto / minmax(0, 1fr) auto;
          grid-template-areas: "who tools" "told does";
          gap: 0 0.375rem;
          padding: 0 0.25rem;
        }
        .told {
          font-size: 0.875rem;
        }
        .told .result {
          -webkit-line-clamp: 3;
          line-clamp: 3;
          height: auto;
          font-size: inherit;
        }
        .tools .words {
          display: none;
        }
        .tools button {
          width: var(--touch);
          padding: 0;
        }
        .does {
          grid-template-columns: var(--touch) minmax(7rem, auto);
        }
        .does button {
          padding-inline: 0.5rem;
        }
        .card {
          gap: var(--gap-s);
          padding: var(--gap-m);
        }
        .card p {
          font-size: var(--size-m);
        }
      }
      @media (max-height: 44rem) {
        .card lusoria-miniature {
          width: min(100%, 14rem);
        }
      }
      /* A card for the far side is no higher than a low screen allows. */
      @media (max-height: 32rem) {
        .card lusoria-miniature {
          display: none;
        }
      }
    `,
  ];

  constructor() {
    super();
    /** @type {"opposite" | "same"} */
    this.facing = "opposite";
    /** @type {Cover | undefined} */
    this.cover = undefined;
    /** How many turns have been played here. */
    this.played = 0;
    this.wantsRoute = true;
  }

  connectedCallback() {
    super.connectedCallback();
    this.turn.addEventListener("played", () => {
      this.played += 1;
      if (this.played >= ROUTE_TURNS) this.wantsRoute = false;
    });
  }

  // --- overrides of a match ------------------------------------------------

  nameTitle() {}
  pressed() {}
  goTo() {}
  look() {}
  wheel = { passive: true, handleEvent: (/** @type {WheelEvent} */ _) => {} };

  // --- rendering ---------------------------------------------------------------------------

  render() {
    const { bottom, shown } = this;
    const view = this.view();
    const far = other(bottom);
    return html`
      <main aria-label=${gameName(/** @type {any} */ (shown.game))}>
        ${this.strip(far, view)}
        <div class="table ${shown.toPlay?.seat === far ? "far-turn" : ""}">${this.board(view)}</div>
        ${this.strip(bottom, view)}
      </main>
      ${this.cover ? this.covered(this.cover) : nothing}
      <p class="unseen" role="status" aria-live="polite">${this.saying.said}</p>
    `;
  }

  /** The area of one player. @param {Seat} seat @param {import("../match/view.js").BoardView} view */
  strip(seat, view) {
    const { bottom, shown } = this;
    const side = shown.sides?.[seat];
    const isTurn = shown.toPlay?.seat === seat;
    return html`<section class="strip ${seat === bottom ? "near" : "far"} ${isTurn ? "turn" : ""}" aria-label=${side ? sideName(side) : nothing}>
      ${this.player(seat, view)}
      <div class="told">${this.toldTo(seat)}</div>
      ${this.buttonsOf(seat)}
      <div class="tools">
        ${this.tool(HELP, t("kiosk.how"), () => (this.cover = { what: "how", seat }))}
        ${shown.state === "ended" ? nothing : this.tool(GAMES, t("kiosk.stop"), () => (this.cover = { what: "stop", seat }))}
      </div>
    </section>`;
  }

  /** @param {string} path @param {string} label @param {() => void} does */
  tool(path, label, does) {
    return html`<button aria-label=${label} @click=${does}>
      <svg viewBox="0 0 24 24" aria-hidden="true"><path d=${path} /></svg><span class="words">${label}</span></button>`;
  }

  /** @param {Seat} seat */
  toldTo(seat) {
    const moment = this.shown;
    const { toPlay } = moment;
    if (moment.state === "ended") return html`<p class="result">${endText(moment)}</p>`;
    if (!toPlay || toPlay.seat === seat) return toldOf(this);
    return html`<p class="muted">${t("match.waitsFor", { name: playerName(moment, toPlay.seat) })}</p>`;
  }

  /** The player's controls: the buttons keep their places. @param {Seat} seat */
  buttonsOf(seat) {
    const { pace, shown, turn } = this;
    if (shown.state === "ended") {
      return html`<div class="does ended">
        <button @click=${() => this.tell("lusoria-again")}>${t("kiosk.again")}</button>
        ${main(t("kiosk.stop"), () => this.tell("lusoria-stop"))}
      </div>`;
    }
    const mine = shown.toPlay?.seat === seat && turn.seq === shown.toPlay.seq && !pace.isBehind;
    const isFree = mine && !turn.isCovered && !turn.sending;
    const undo = slot("undo", t("turn.undo"), () => turn.undo(), { isIdle: !isFree || turn.steps.length === 0 });
    return html`<div class="does">${undo}${this.goesOn(mine, isFree)}</div>`;
  }

  /** The main button: for the throw, or the complete turn. @param {boolean} mine @param {boolean} isFree */
  goesOn(mine, isFree) {
    const { shown, turn } = this;
    if (mine && turn.isCovered) return main(t("board.dice.cover"), () => this.uncover());
    if (mine) return send(this, isFree);
    return isTafl(shown.game) ? nothing : main(t("turn.confirm"), () => {}, { isIdle: true });
  }

  /** @param {Cover} cover */
  covered({ what, seat }) {
    const side = seat === this.bottom ? "near" : "far";
    const close = () => (this.cover = undefined);
    if (what === "how") {
      return html`<div class="veil" role="dialog" aria-modal="true" aria-label=${t("kiosk.how")} @click=${close}>
        <div class="card ${side}">${this.how(seat)}<button class="main">${t("kiosk.on")}</button></div></div>`;
    }
    return html`<div class="veil" role="dialog" aria-modal="true" aria-label=${t("kiosk.stop.sure")}>
      <div class="card ${side}"><h2>${t("kiosk.stop.sure")}</h2>
        <div class="choices">
          <button @click=${() => this.tell("lusoria-stop")}>${t("kiosk.stop.yes")}</button>
          <button class="main" @click=${close}>${t("kiosk.stop.no")}</button>
        </div></div></div>`;
  }

  /** The game in a picture and a few words. @param {Seat} seat the one that asked */
  how(seat) {
    const { entry, shown } = this;
    const viewer = shown.sides?.[seat] ?? null;
    return html`<h2>${gameName(entry.id)}</h2>
      <lusoria-miniature .entry=${entry} .position=${entry.start} .viewer=${viewer}></lusoria-miniature>
      <p>${gameLine(entry.id)}</p>
      <p>${routeText(this)}</p>
      <p class="small muted">${t(`games.${entry.id}.about`)}</p>`;
  }

  /** @param {string} name */
  tell(name) {
    this.dispatchEvent(new CustomEvent(name));
  }
}

customElements.define("lusoria-kiosk-table", KioskTable);
