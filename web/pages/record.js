// A record from a file, checked by the server and shown turn by turn: /record.

import { ask, Problem } from "../api/rest.js";
import "../board/board.js";
import { begin, next } from "../game/story.js";
import { LitElement, css, html, nothing } from "../lit.js";
import { pastView, stopsOf } from "../match/view.js";
import { told } from "../match/telling.js";
import { Wheel, isWay, leadsTo, wayOf } from "../match/way.js";
import "../parts/head.js";
import "../parts/record-file.js";
import "../parts/replay.js";
import { rowsOf } from "../match/rows.js";
import "../parts/turns.js";
import { base, buttons, cards } from "../style/shared.js";
import { loadTexts, t } from "../text/text.js";
import { gameName, markedText, problemText } from "../text/words.js";

/** @typedef {import("../api/wire").components["schemas"]["JudgedRecord"]} JudgedRecord */
/** @typedef {import("../api/wire").components["schemas"]["CatalogueEntry"]} CatalogueEntry */
/** @typedef {import("../game/story.js").Moment} Moment */

/** The longest file that the server accepts. */
const FILE_MAX = 4 * 1024 * 1024;

/** How many faults are shown: one wrong seed makes every throw wrong. */
const FAULTS_SHOWN = 10;

/** `<lusoria-record-page>`. */
export class LusoriaRecordPage extends LitElement {
  static properties = {
    judged: { state: true },
    refused: { state: true },
    busy: { state: true },
    shown: { state: true },
  };

  static styles = [
    base,
    buttons,
    cards,
    css`
      main {
        width: 100%;
        max-width: 72rem;
        margin: 0 auto;
        padding: var(--gap-l) max(var(--gap-m), env(safe-area-inset-left)) var(--gap-xl);
      }

      main > * + * {
        margin-top: var(--gap-m);
      }

      .notice {
        padding: var(--gap-l);
        overflow-wrap: anywhere;
      }

      .match {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: var(--gap-m);
      }

      @media (min-width: 60rem) {
        .match {
          grid-template-columns: minmax(0, 2fr) minmax(16rem, 1fr);
        }
      }

      lusoria-board {
        width: 100%;
        height: min(70vh, 40rem);
      }

      lusoria-turns {
        max-height: 32rem;
      }

      .said {
        min-height: 1.5em;
      }
    `,
  ];

  constructor() {
    super();
    /** @type {JudgedRecord | undefined} */
    this.judged = undefined;
    /** @type {CatalogueEntry | undefined} */
    this.entry = undefined;
    /** The moment after each event. @type {Moment[]} */
    this.moments = [];
    this.refused = "";
    this.busy = false;
    /** The number of the event shown. */
    this.shown = 0;
    this.wheel = new Wheel();
    this.pressed = (/** @type {KeyboardEvent} */ event) => this.follow(event, wayOf(event));
  }

  connectedCallback() {
    super.connectedCallback();
    document.addEventListener("keydown", this.pressed);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    document.removeEventListener("keydown", this.pressed);
  }

  /** Steps through the match; at its ends the page handles the key or the wheel. @param {Event} event @param {import("../match/way.js").Way | undefined} way */
  follow(event, way) {
    const seq = way && this.judged ? leadsTo(this.stops, this.shown, way) : undefined;
    if (seq === undefined || seq === this.shown) return;
    event.preventDefault();
    this.show(seq);
  }

  /** The wheel over the board steps through the match. */
  turns = {
    passive: false,
    handleEvent: (/** @type {WheelEvent} */ event) => {
      if (!isWay(event)) return;
      const onward = leadsTo(this.stops, this.shown, event.deltaY < 0 ? "back" : "on");
      if (onward === undefined || onward === this.shown) return;
      event.preventDefault();
      this.follow(event, this.wheel.turn(event));
    },
  };

  /** @param {CustomEvent<{file: File}>} event */
  async read({ detail: { file } }) {
    this.busy = true;
    [this.judged, this.refused] = [undefined, ""];
    try {
      if (file.size > FILE_MAX) this.refused = t("record.tooBig");
      else await this.judge(await file.text());
    } catch (why) {
      if (!(why instanceof Problem)) throw why;
      this.refused = why.code === "unreadable_record" ? (why.detail ?? "") : problemText(why);
    } finally {
      this.busy = false;
    }
    await this.updateComplete;
    /** @type {HTMLElement | null} */ (this.renderRoot.querySelector("#result"))?.focus();
  }

  /** @param {string} text */
  async judge(text) {
    /** @type {JudgedRecord} */
    const judged = await ask("POST", "/records", { text });
    this.entry = await ask("GET", `/games/${judged.record.game}`);
    // The rejected part may hold anything.
    this.moments = momentsOf(judged.record.events.slice(0, judged.report.judged));
    this.shown = this.stops[0] ?? 0;
    this.judged = judged;
  }

  /** The stops of the replay. */
  get events() {
    return (this.judged?.record.events ?? []).slice(0, this.moments.length);
  }

  get stops() {
    return stopsOf(this.events);
  }

  render() {
    return html`
      <lusoria-head></lusoria-head>
      <main>
        <h1>${t("record.title")}</h1>
        <p>${t("record.lead")}</p>
        <div id="result" tabindex="-1" aria-live="polite" aria-busy=${this.busy}>${this.result()}</div>
        ${this.judged && this.moments.length > 0 ? this.match() : nothing}
        <section>
          ${this.judged ? html`<h2>${t("record.another")}</h2>` : nothing}
          <lusoria-record-file
            accept=".json,.txt,application/json,text/plain"
            hint=${t("record.hint")}
            @lusoria-file=${this.read}
          ></lusoria-record-file>
        </section>
      </main>
    `;
  }

  result() {
    if (this.busy) return html`<p class="card notice">${t("record.judging")}</p>`;
    if (this.refused !== "") {
      return html`<div class="card notice"><h2>${t("record.unreadable")}</h2><p>${this.refused}</p></div>`;
    }
    if (!this.judged) return nothing;
    const { sound, over, faults, faults_more: more } = this.judged.report;
    if (sound) return html`<p class="card notice">${t(over ? "record.sound" : "record.soFar")}</p>`;
    const hidden = Math.max(faults.length - FAULTS_SHOWN, 0) + more;
    return html`
      <div class="card notice">
        <h2>${t("record.notSound")}</h2>
        <ul>
          ${faults.slice(0, FAULTS_SHOWN).map(({ seq, detail }) =>
            seq
              ? html`<li><button class="plain" @click=${() => this.show(seq)}>${t("record.fault", { seq, detail })}</button></li>`
              : html`<li>${t("record.outside", { detail })}</li>`,
          )}
        </ul>
        ${hidden > 0 ? html`<p>${t("record.more", { count: hidden })}</p>` : nothing}
      </div>
    `;
  }

  match() {
    const { entry, events, moments, shown } = this;
    const place = Math.max(events.findLastIndex(({ seq }) => seq <= shown), 0);
    const moment = moments[place];
    const view = pastView(/** @type {CatalogueEntry} */ (entry), moment);
    const game = gameName(/** @type {any} */ (moment.game));
    const [one, two] = /** @type {const} */ ([1, 2]).map((seat) => {
      const player = moments.at(-1)?.players[seat];
      return player ? markedText(player) : "…";
    });
    return html`
      <section class="match" aria-label=${t("record.turns")}>
        <div>
          <p><strong>${game}</strong> · ${t("common.against", { a: one, b: two })}</p>
          <lusoria-board
            .entry=${entry}
            .position=${view.position ?? entry?.start}
            .mover=${view.mover}
            .steps=${view.steps}
            .moves=${view.moves}
            .marks=${view.marks}
            .arrows=${[]}
            .viewer=${moment.sides?.[1] ?? null}
            label=${t("match.board", { game })}
            @wheel=${this.turns}
            @mousedown=${keepFocus}
          ></lusoria-board>
          <p class="said muted" aria-live="polite">${told(events[place], moment)}</p>
          <lusoria-replay .stops=${this.stops} .shown=${shown} @lusoria-show=${this.showed}></lusoria-replay>
        </div>
        <lusoria-turns .rows=${rowsOf(events, moments)} .shown=${shown} @lusoria-show=${this.showed}></lusoria-turns>
      </section>
    `;
  }

  /** @param {CustomEvent<{seq: number}>} event */
  showed({ detail: { seq } }) {
    this.show(seq);
  }

  /** @param {number} seq */
  show(seq) {
    this.shown = seq;
  }
}

/** A click on the board, where nothing can be moved, leaves the arrow keys to the replay. @param {MouseEvent} event */
const keepFocus = (event) => event.preventDefault();

/** The moment after each event. @param {any[]} events @returns {Moment[]} */
function momentsOf(events) {
  /** @type {Moment[]} */
  const moments = [];
  for (const event of events) {
    const before = moments.at(-1);
    moments.push(before ? next(before, event) : begin(event));
  }
  return moments;
}

customElements.define("lusoria-record-page", LusoriaRecordPage);

await loadTexts(true);
document.title = t("record.document");
const page = new LusoriaRecordPage();
page.className = "whole";
document.body.append(page);
