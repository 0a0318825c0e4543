// The computer's analysis of a finished match: the chart, the loss of each side, and the worst mistakes.

import { LitElement, css, html, nothing } from "../lit.js";
import { dearest } from "../match/analysis.js";
import { Rollouts, verdictOf } from "../match/rollouts.js";
import { mistakesOf } from "../match/practice.js";
import { playerName } from "../match/telling.js";
import { base, buttons } from "../style/shared.js";
import { currentLocale, t } from "../text/text.js";
import { notationText, problemText } from "../text/words.js";
import { signed } from "./chart.js";
import { swatch, swatches } from "./swatch.js";

/** @typedef {import("../game/story.js").Moment} Moment */
/** @typedef {import("../game/story.js").Seat} Seat */
/** @typedef {import("../match/analysis.js").Analysis} Analysis */
/** @typedef {import("../match/analysis.js").Judged} Judged */

/** The most mistakes in the list. */
const LISTED = 8;

/** The most mistakes with rollouts. */
const PLAYED_ON = 3;

/** `<lusoria-analysis>`: the `analysis` of a match, its last `moment`, the `seat` whose chances are drawn, the event that is `shown`, the seats that are `mine`. Events: `lusoria-show`, `lusoria-practise`. */
export class AnalysisElement extends LitElement {
  static properties = {
    analysis: { attribute: false },
    moment: { attribute: false },
    seat: { attribute: false },
    shown: { attribute: false },
    mine: { attribute: false },
    wrong: { state: true },
  };

  static styles = [
    base,
    buttons,
    swatches,
    css`
      :host {
        display: flex;
        flex-direction: column;
        gap: var(--gap-s);
        padding: 0.375rem;
        overflow-y: auto;
        overscroll-behavior: contain;
      }
      h3 {
        font-size: var(--size-m);
      }
      table {
        width: 100%;
        border-collapse: collapse;
        font-size: var(--size-s);
      }
      caption {
        caption-side: bottom;
        padding-top: 0.125rem;
        color: var(--muted);
        font-size: 0.8125rem;
        text-align: right;
      }
      th,
      td {
        padding: 0.1875rem 0.25rem;
        border-bottom: 1px solid var(--line);
        text-align: right;
        font-weight: 400;
      }
      th:first-child {
        max-width: 9rem;
        text-align: left;
        overflow-wrap: anywhere;
      }
      thead th {
        color: var(--muted);
        font-size: 0.8125rem;
        vertical-align: bottom;
      }
      ol button {
        display: grid;
        grid-template-columns: 2.25rem 1rem 1fr auto;
        gap: 0 0.375rem;
        align-items: start;
        width: 100%;
        min-height: 2.25rem;
        padding: 0.1875rem 0.25rem;
        border: 0;
        background: none;
        font-size: var(--size-s);
        text-align: left;
      }
      ol button[aria-current] {
        background: var(--tint);
        box-shadow: inset 0 0 0 1px var(--accent);
      }
      .number {
        color: var(--muted);
        text-align: right;
      }
      .cost {
        color: var(--accent);
        font-weight: 600;
      }
      .better {
        grid-column: 3 / -1;
        color: var(--muted);
      }
      .rollout {
        padding: 0 0.25rem 0.1875rem 3.875rem;
        font-size: var(--size-s);
      }
      progress {
        width: 100%;
        accent-color: var(--fill);
      }
    `,
  ];

  constructor() {
    super();
    /** @type {Analysis} */
    this.analysis;
    /** @type {Moment} */
    this.moment;
    /** @type {Seat} */
    this.seat = 1;
    this.shown = 0;
    /** @type {Seat[]} */
    this.mine = [];
    this.wrong = "";
    /** @type {Rollouts | undefined} */
    this.rollouts = undefined;
    this.again = () => this.requestUpdate();
    this.refused = (/** @type {Event} */ event) => (this.wrong = problemText(/** @type {CustomEvent} */ (event).detail));
  }

  connectedCallback() {
    super.connectedCallback();
    this.analysis.addEventListener("change", this.again);
    this.analysis.addEventListener("refused", this.refused);
    this.analysis.want();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.analysis.removeEventListener("change", this.again);
    this.analysis.removeEventListener("refused", this.refused);
    this.analysis.leave();
    this.rollouts?.leave();
  }

  /** When the focused button disappears, such as the one for rollouts, the focus moves to the worst mistake, if any.
   * @param {Map<string, unknown>} changed */
  update(changed) {
    const focused = this.shadowRoot?.activeElement;
    super.update(changed);
    if (focused && !focused.isConnected) /** @type {HTMLElement | null} */ (this.renderRoot.querySelector("ol button"))?.focus({ preventScroll: true });
  }

  render() {
    const { analysis, wrong } = this;
    if (wrong && !analysis.isReady) return html`<p role="alert">${wrong}</p>
      <p><button @click=${this.retry}>${t("analysis.again")}</button></p>`;
    if (analysis.isReady && analysis.turns.length === 0) return html`<p>${t("analysis.none")}</p>`;
    const faults = dearest(analysis.turns, LISTED);
    return html`
      <p role="status">${this.state()}</p>
      ${analysis.isReady ? nothing : this.progress()}
      ${analysis.turns.length > 0 ? [this.chart(faults), this.totals(), this.faults(faults)] : nothing}
    `;
  }

  retry() {
    this.wrong = "";
    this.analysis.ask();
  }

  /** The progress in words that change only with it: they are announced. */
  state() {
    const { isReady, progress, trouble } = this.analysis;
    if (trouble) return problemText(trouble);
    if (isReady) return nothing;
    return t(progress ? "analysis.looking" : "analysis.waiting");
  }

  progress() {
    const { progress } = this.analysis;
    if (!progress) return nothing;
    return html`<p>${t("analysis.pending", progress)}</p>
      <progress max=${progress.turns} value=${progress.done} aria-hidden="true"></progress>`;
  }

  /** The game shown; the last one if none is. @param {Judged[]} faults */
  chart(faults) {
    const { turns } = this.analysis;
    const seen = turns.filter(({ before }) => before <= this.shown);
    const { game } = seen[seen.length - 1] ?? turns[0];
    const several = new Set(turns.map((turn) => turn.game)).size > 1;
    return html`
      ${several ? html`<h3>${t("match.game", { number: game })}</h3>` : nothing}
      <lusoria-chart .turns=${turns.filter((turn) => turn.game === game)} .seat=${this.seat}
        .name=${playerName(this.moment, this.seat)} .marked=${faults} .shown=${this.shown} .unit=${this.analysis.unit}
        @lusoria-show=${this.passOn}></lusoria-chart>
    `;
  }

  /** @param {CustomEvent} event */
  passOn({ detail }) {
    this.dispatchEvent(new CustomEvent("lusoria-show", { detail }));
  }

  totals() {
    const { totals: of, unit, unknown } = this.analysis;
    const totals = /** @type {Seat[]} */ ([1, 2]).map((seat) => ({ seat, ...of[seat] }));
    const hasLuck = totals.some(({ luck }) => luck !== 0);
    return html`<table class="figures">
      <caption>${t(`analysis.unit.${unit}`)}</caption>
      <thead><tr>
        <th scope="col">${t("analysis.player")}</th>
        <th scope="col">${t("analysis.lost")}</th>
        <th scope="col">${t("analysis.lost.turn")}</th>
        ${hasLuck ? html`<th scope="col">${t("analysis.luck")}</th>` : nothing}
      </tr></thead>
      <tbody>${totals.map(({ seat, lost, perTurn, luck }) => html`<tr>
        <th scope="row">${playerName(this.moment, seat)}</th>
        <td>${hundredths(lost, 0)}</td>
        <td>${hundredths(perTurn, 1)}</td>
        ${hasLuck ? html`<td>${signed(luck)}</td>` : nothing}
      </tr>`)}</tbody>
    </table>
    ${unknown < 0.01 ? nothing : html`<p class="muted">${t("analysis.unknown", { unknown: hundredths(unknown, 0) })}</p>`}`;
  }

  /** @param {Judged[]} faults */
  faults(faults) {
    if (faults.length === 0) return html`<p class="muted">${t("analysis.worst.none")}</p>`;
    return html`<h3 id="worst">${t("analysis.worst")}</h3>
      <ol aria-labelledby="worst">${faults.map((fault) => html`<li>${this.fault(fault)}${this.rollout(fault)}</li>`)}</ol>
      ${this.playingOn(faults)}
      ${this.practice()}`;
  }

  /** A button that runs rollouts of the worst mistakes, in games with dice. @param {Judged[]} faults */
  playingOn(faults) {
    const { analysis, rollouts } = this;
    if (!analysis.isReady || !analysis.hasDice) return nothing;
    const seqs = faults.slice(0, PLAYED_ON).map(({ seq }) => seq);
    const isDone = seqs.every((seq) => rollouts?.found.get(seq)?.state === "ready" || rollouts?.refused.has(seq));
    if (isDone) return nothing;
    return html`<p><button title=${t("analysis.rollout.what")} aria-disabled=${String(rollouts?.isAsking ?? false)} @click=${() => this.playOn(seqs)}>${t("analysis.rollout")}</button></p>`;
  }

  /** @param {number[]} seqs */
  playOn(seqs) {
    if (!this.rollouts) {
      this.rollouts = new Rollouts(this.analysis.live.id);
      this.rollouts.addEventListener("change", this.again);
    }
    this.rollouts.want(seqs);
  }

  /** The result of a rollout, or its progress. Announced when it is ready. @param {Judged} fault */
  rollout({ seq }) {
    const { rollouts } = this;
    const refused = rollouts?.refused.get(seq);
    if (!refused && !rollouts?.found.has(seq) && !rollouts?.waiting.includes(seq)) return nothing;
    const found = rollouts?.found.get(seq);
    const verdict = found && verdictOf(found);
    const told = refused ? problemText(refused) : verdict ? this.verdict(verdict) : t("analysis.rollout.waiting");
    const count = found && verdict && !verdict.isReady ? ` (${t("analysis.rollout.pending", { games: found.games, most: found.games_max })})` : "";
    const isBusy = !refused && !verdict?.isReady;
    return html`<p class="rollout ${refused || verdict ? "" : "muted"}" role="status" aria-busy=${String(isBusy)}>${told}${count}</p>`;
  }

  /** @param {import("../match/rollouts.js").Verdict} verdict */
  verdict({ best, isBest, isSure, behind, error }) {
    if (isBest) return t(isSure ? "analysis.rollout.best" : "analysis.rollout.perhaps");
    return t(`analysis.rollout.behind.${this.analysis.unit}`, {
      turn: notationText(best),
      behind: hundredths(behind, 1),
      error: hundredths(error, 1),
    });
  }

  /** A button to practise the person's own mistakes. */
  practice() {
    const { analysis, mine } = this;
    if (!analysis.isReady || mistakesOf(analysis.turns, mine).length === 0) return nothing;
    return html`<p><button @click=${() => this.dispatchEvent(new Event("lusoria-practise"))}>${t("practice.title")}</button></p>`;
  }

  /** @param {Judged} fault */
  fault({ before, nth, side, notation, lost, betterNotation }) {
    const show = () => this.dispatchEvent(new CustomEvent("lusoria-show", { detail: { seq: before } }));
    return html`<button class="figures" @click=${show} aria-current=${this.shown === before ? "true" : nothing}>
      <span class="number">${nth}.</span>
      ${swatch(side)}
      <span>${notationText(notation)}</span>
      <span class="cost"><span aria-hidden="true">\u2212${hundredths(lost, 0)}</span><span class="unseen"
        >${t(`analysis.costs.${this.analysis.unit}`, { lost: hundredths(lost, 0) })}</span></span>
      <span class="better">${t("analysis.better", { turn: notationText(betterNotation) })}</span>
    </button>`;
  }
}

/** Per cent of games, in a series hundredths of a point. @param {number} chance @param {number} digits after the point */
const hundredths = (chance, digits) =>
  (chance * 100).toLocaleString(currentLocale(), { minimumFractionDigits: digits, maximumFractionDigits: digits });

customElements.define("lusoria-analysis", AnalysisElement);
