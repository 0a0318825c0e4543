// The curve of a player's rating: the points after each match, their deviation, and the matches themselves.

import { LitElement, css, html, nothing, svg } from "../lit.js";
import { RatingHistory, scaleOf, thinned } from "../player/ratings.js";
import { base, buttons } from "../style/shared.js";
import { changeSaid, changeText, deviationText, differenceText, pointsText, ratingText } from "../text/rating.js";
import { currentLocale, t } from "../text/text.js";
import { problemText } from "../text/words.js";

/** @typedef {import("../player/ratings.js").Change} Change */
/** @typedef {import("../text/rating.js").Rating} Rating */

/** The most points of a curve: more than the pixels of a chart can show. */
const DRAWN_MAX = 600;
/** The curve is drawn in a box of this size, stretched to the available width. */
const BOX = 1000;
/** The margins for the markers, above and below, and on both sides. */
const INSET = 25;
const ROWS = 50;

/**
 * `<lusoria-rating-curve>`: a `history` of a rating, with its `name`. A pointer over the chart or the slider selects a
 * match; the chart and the line below link to it. A table has all matches.
 */
export class LusoriaRatingCurve extends LitElement {
  static properties = {
    history: { attribute: false },
    name: { type: String },
    picked: { state: true },
    rows: { state: true },
  };

  static styles = [
    base,
    buttons,
    css`
      :host {
        --plot: clamp(11rem, 28vw, 17rem);
        --gutter: 2.75rem;
      }

      .chart {
        display: grid;
        grid-template-columns: var(--gutter) minmax(0, 1fr);
      }

      .chart svg {
        display: block;
        width: 100%;
        height: var(--plot);
        overflow: visible;
      }

      .plot {
        position: relative;
        border-radius: var(--round-s);
        background: var(--raised);
      }

      .plot a {
        position: absolute;
        inset: 0;
        touch-action: pan-y;
      }

      .waiting {
        position: absolute;
        inset: 0;
        display: grid;
        place-content: center;
        gap: var(--gap-s);
        padding: var(--gap-m);
        color: var(--muted);
        text-align: center;
      }

      text {
        fill: var(--muted);
        font-size: 0.75rem;
        font-variant-numeric: tabular-nums lining-nums;
        text-anchor: end;
        dominant-baseline: central;
      }

      .line {
        stroke: var(--line);
      }

      .band {
        fill: var(--accent);
        opacity: 0.16;
      }

      .curve {
        fill: none;
        stroke: var(--accent);
        stroke-width: 2;
        stroke-linejoin: round;
        stroke-linecap: round;
        vector-effect: non-scaling-stroke;
      }

      .here {
        stroke: var(--edge);
        stroke-dasharray: 3 3;
      }

      .mark {
        fill: var(--raised);
        stroke: var(--accent);
        stroke-width: 2.5;
      }

      @media (forced-colors: active) {
        .curve,
        .mark {
          stroke: CanvasText;
        }
        .band {
          fill: GrayText;
        }
      }

      .below {
        grid-column: 2;
        min-width: 0;
      }

      .ends {
        display: flex;
        justify-content: space-between;
        gap: var(--gap-m);
        min-height: 1.125rem;
        margin-top: var(--gap-xs);
        color: var(--muted);
        font-size: 0.75rem;
        line-height: 1.125rem;
      }

      input {
        display: block;
        width: 100%;
        height: var(--touch);
        margin: 0;
        accent-color: var(--fill);
      }

      .at {
        display: flex;
        flex-wrap: wrap;
        gap: 0 var(--gap-m);
        align-items: baseline;
        min-height: 3em;
      }

      @media (min-width: 40rem) {
        .at {
          min-height: 1.5em;
        }
      }

      .key {
        margin-top: var(--gap-xs);
      }

      .swatch {
        display: inline-block;
        width: 1.5em;
        height: 0.75em;
        margin-right: 0.375em;
        border-top: 2px solid var(--accent);
        background: color-mix(in srgb, var(--accent) 16%, transparent);
      }

      details {
        margin-top: var(--gap-s);
      }

      summary {
        width: fit-content;
        padding: var(--gap-xs) 0;
        cursor: pointer;
      }

      .wide {
        overflow-x: auto;
      }

      table {
        width: 100%;
        border-collapse: collapse;
        font-variant-numeric: tabular-nums lining-nums;
      }

      th,
      td {
        padding: 0.3em var(--gap-s);
        border-bottom: 1px solid var(--line);
        font-weight: 400;
        text-align: right;
        white-space: nowrap;
      }

      th:nth-child(2),
      td:nth-child(2) {
        text-align: left;
      }

      th:first-child {
        padding-left: 0;
      }

      td:last-child {
        padding-right: 0;
      }

      thead th {
        color: var(--muted);
        font-size: var(--size-s);
        vertical-align: bottom;
      }

      .more {
        margin-top: var(--gap-s);
      }
    `,
  ];

  constructor() {
    super();
    /** @type {RatingHistory | undefined} */
    this.history = undefined;
    this.name = "";
    /** The selected match, as an index of the changes; the last one if undefined. @type {number | undefined} */
    this.picked = undefined;
    /** The number of rows in the table. */
    this.rows = ROWS;
    this.changed = () => this.requestUpdate();
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (!changed.has("history")) return;
    /** @type {RatingHistory | undefined} */ (changed.get("history"))?.removeEventListener("change", this.changed);
    this.history?.addEventListener("change", this.changed);
    this.picked = undefined;
    this.rows = ROWS;
  }

  /** The changes in the curve: none until all are loaded. */
  get changes() {
    return this.history?.isWhole ? this.history.changes : [];
  }

  /** The index of the match described. */
  get place() {
    const last = this.changes.length - 1;
    return Math.min(this.picked ?? last, last);
  }

  render() {
    const { changes, history } = this;
    if (!history) return nothing;
    const isDrawn = changes.length > 0;
    const scale = scaleOf(...reach(changes));
    return html`
      <div class="chart">
        <svg aria-hidden="true">
          ${isDrawn ? scale.lines.map((line) => svg`<text x="88%" y=${percent(high(line, scale))}>${line}</text>`) : nothing}
        </svg>
        <div class="plot">
          ${isDrawn ? this.plot(changes, scale) : this.waiting(history)}
        </div>
        <div class="below">
          <p class="ends">${isDrawn ? html`<span>${day(changes[0].at)}</span><span>${day(changes[changes.length - 1].at)}</span>` : nothing}</p>
          ${this.slider(changes)}
        </div>
      </div>
      <p class="at">${isDrawn ? this.told(changes[this.place]) : nothing}</p>
      <p class="key small muted"><span class="swatch" aria-hidden="true"></span>${t("rating.curve.key")}${history.isCut && isDrawn ? ` ${t("rating.curve.cut", { count: changes.length })}` : ""}</p>
      ${this.table(changes)}
    `;
  }

  /** @param {RatingHistory} history */
  waiting({ isWhole, problem }) {
    if (problem) {
      return html`<div class="waiting" role="alert"><p>${problemText(problem)}</p>
        <p><button @click=${() => this.history?.load()}>${t("common.retry")}</button></p></div>`;
    }
    return html`<p class="waiting" role="status">${t(isWhole ? "rating.none" : "common.loading")}</p>`;
  }

  /** @param {Change[]} changes @param {Scale} scale */
  plot(changes, scale) {
    const { place } = this;
    const [x, y] = [percent(across(place + 1, changes.length)), percent(high(changes[place].after.points, scale))];
    const { match } = changes[place];
    return html`
      <svg role="img" aria-label=${this.said(changes)}>
        ${scale.lines.map((line) => {
          const at = percent(high(line, scale));
          return svg`<line class="line" x1="0" x2="100%" y1=${at} y2=${at} />`;
        })}
        ${curve(changes, scale)}
        <line class="here" x1=${x} x2=${x} y1="0" y2="100%" />
        <circle class="mark" cx=${x} cy=${y} r="5" />
      </svg>
      <a href="/match/${match}" tabindex="-1" aria-hidden="true" @pointerdown=${this.pointed} @pointermove=${this.pointed}
        @click=${this.clicked}></a>
    `;
  }

  /** The chart in words. @param {Change[]} changes */
  said(changes) {
    const [first, last] = [changes[0], changes[changes.length - 1]];
    const [low, top] = extremes(changes.map(({ after }) => after.points));
    return t("rating.curve.said", {
      name: this.name,
      count: changes.length,
      from: pointsText(first.before),
      to: ratingText(last.after),
      low: String(low),
      high: String(top),
    });
  }

  /** A slider from match to match; with one match there is nothing to choose. @param {Change[]} changes */
  slider(changes) {
    const { place } = this;
    const { after, at, before } = changes[place] ?? {};
    const said = at && before && after ? `${day(at)}: ${changeSaid(this.name, { before, after })}` : "";
    return html`<input type="range" min="0" max=${Math.max(0, changes.length - 1)} .value=${String(Math.max(0, place))}
      ?disabled=${changes.length < 2} aria-label=${t("rating.curve.place")} aria-valuetext=${said}
      @input=${(/** @type {any} */ { target }) => (this.picked = Number(target.value))} />`;
  }

  /** A mouse selects the match under it, a finger the one it touches. @param {PointerEvent} event */
  pointed(event) {
    if (event.type === "pointermove" && event.pointerType !== "mouse") return;
    const { left, width } = /** @type {HTMLElement} */ (event.currentTarget).getBoundingClientRect();
    const { length } = this.changes;
    const way = ((event.clientX - left) / width - INSET / BOX) / (1 - (2 * INSET) / BOX);
    this.picked = Math.min(Math.max(Math.round(way * length) - 1, 0), length - 1);
  }

  /** The first tap of a finger only selects. @param {MouseEvent} event */
  clicked(event) {
    if (/** @type {PointerEvent} */ (event).pointerType !== "mouse") event.preventDefault();
  }

  /** The change by a match. @param {Change} change */
  told(change) {
    return html`
      <a href="/match/${change.match}">${t("rating.curve.match", { date: day(change.at) })}</a>
      <span class="figures" aria-hidden="true">${changeText(change)}</span>
      <span class="unseen">${changeSaid(this.name, change)}</span>
      <span class="muted figures">${deviationText(change.after)}</span>
    `;
  }

  /** All of them, the latest first. @param {Change[]} changes */
  table(changes) {
    const shown = changes.slice(-this.rows).reverse();
    return html`
      <details>
        <summary>${t("rating.table")}</summary>
        <div class="wide" tabindex="0" role="region" aria-label=${t("rating.table")}>
          <table>
            <caption class="unseen">${this.name}</caption>
            <thead>
              <tr>
                <th scope="col">${t("rating.table.number")}</th>
                <th scope="col">${t("rating.table.match")}</th>
                <th scope="col">${t("rating.table.before")}</th>
                <th scope="col">${t("rating.table.after")}</th>
                <th scope="col">${t("rating.table.by")}</th>
                <th scope="col">${t("rating.table.deviation")}</th>
              </tr>
            </thead>
            <tbody>
              ${shown.map(
                (change) => html`
                  <tr>
                    <th scope="row">${change.number}</th>
                    <td><a href="/match/${change.match}">${day(change.at)}</a></td>
                    <td>${pointsText(change.before)}</td>
                    <td>${pointsText(change.after)}</td>
                    <td>${differenceText(change)}</td>
                    <td>${deviationText(change.after)}</td>
                  </tr>
                `,
              )}
            </tbody>
          </table>
        </div>
        ${changes.length > shown.length
          ? html`<p class="more"><button @click=${this.more}>${t("rating.table.more")}</button></p>`
          : nothing}
      </details>
    `;
  }

  /** Shows more rows; focuses the first new one. */
  async more() {
    const before = this.rows;
    this.rows += ROWS;
    await this.updateComplete;
    /** @type {HTMLElement | undefined} */ (this.renderRoot.querySelectorAll("table a")[before])?.focus();
  }
}

/** @typedef {ReturnType<typeof scaleOf>} Scale */

/** The minimum and the maximum. @param {number[]} numbers @returns {[number, number]} */
const extremes = (numbers) =>
  numbers.reduce(([low, top], one) => [Math.min(low, one), Math.max(top, one)], [Infinity, -Infinity]);

/** The range of the band. @param {Change[]} changes @returns {[number, number]} */
function reach(changes) {
  if (changes.length === 0) return [0, 0];
  const ratings = [changes[0].before, ...changes.map(({ after }) => after)];
  const [low] = extremes(ratings.map(({ points, deviation }) => points - deviation));
  const [, top] = extremes(ratings.map(({ points, deviation }) => points + deviation));
  return [low, top];
}

/** The horizontal position, in thousandths: 0 is the rating before the first match. @param {number} nth @param {number} count */
const across = (nth, count) => INSET + (nth / count) * (BOX - 2 * INSET);

/** The vertical position, in thousandths. @param {number} points @param {Scale} scale */
const high = (points, { from, to }) => INSET + ((to - points) / (to - from)) * (BOX - 2 * INSET);

/** @param {number} thousandths */
const percent = (thousandths) => `${(thousandths / 10).toFixed(2)}%`;

/** @param {Change[]} changes @param {Scale} scale */
function curve(changes, scale) {
  const { length } = changes;
  const drawn = thinned(changes, DRAWN_MAX).map((nth) => ({ x: across(nth + 1, length), rating: changes[nth].after }));
  const all = [{ x: across(0, length), rating: changes[0].before }, ...drawn];
  const path = (/** @type {(rating: Rating) => number} */ of) =>
    all.map(({ x, rating }) => `${x.toFixed(1)} ${high(of(rating), scale).toFixed(1)}`);
  const upper = path(({ points, deviation }) => points + deviation);
  const lower = path(({ points, deviation }) => points - deviation).reverse();
  return svg`<svg width="100%" height="100%" viewBox="0 0 ${BOX} ${BOX}" preserveAspectRatio="none">
    <path class="band" d="M${[...upper, ...lower].join("L")}Z" />
    <path class="curve" d="M${path(({ points }) => points).join("L")}" />
  </svg>`;
}

/** @param {number} at milliseconds since the epoch */
const day = (at) => new Intl.DateTimeFormat(currentLocale(), { dateStyle: "medium" }).format(at);

customElements.define("lusoria-rating-curve", LusoriaRatingCurve);
