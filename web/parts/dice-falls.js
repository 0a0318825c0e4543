// Compares the dice of each player with fair dice.

import { ENOUGH, AVERAGE, alike, chance } from "../dice/statistics.js";
import { LitElement, css, html, nothing, svg } from "../lit.js";
import { base, cards } from "../style/shared.js";
import { currentLocale, t } from "../text/text.js";

/** @typedef {import("../dice/statistics.js").Fall} Fall */

/** The positions of a die's pips, in sixths of its width. */
const PIPS = [
  [[3, 3]],
  [[1.6, 4.4], [4.4, 1.6]],
  [[1.6, 4.4], [3, 3], [4.4, 1.6]],
  [[1.6, 1.6], [4.4, 1.6], [1.6, 4.4], [4.4, 4.4]],
  [[1.6, 1.6], [4.4, 1.6], [3, 3], [1.6, 4.4], [4.4, 4.4]],
  [[1.6, 1.4], [4.4, 1.4], [1.6, 3], [4.4, 3], [1.6, 4.6], [4.4, 4.6]],
];

const TOP = 4;
const HEIGHT = 96;
const STEP = 48;

/**
 * `<lusoria-dice-falls>`. Properties: `falls`, those of both seats and of both together; `names` of the players;
 * `dice`, the number in a throw.
 */
export class LusoriaDiceFalls extends LitElement {
  static properties = {
    falls: { attribute: false },
    names: { attribute: false },
    dice: { type: Number },
  };

  static styles = [
    base,
    cards,
    css`
      details {
        margin-top: var(--gap-s);
      }

      .charts {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(100%, 17rem), 1fr));
        gap: var(--gap-m);
        margin: var(--gap-m) 0;
      }

      figure {
        margin: 0;
        padding: var(--gap-m);
      }

      figcaption {
        font-size: var(--size-l);
        font-weight: 600;
        overflow-wrap: anywhere;
      }

      figure > p {
        margin-top: var(--gap-s);
      }

      svg {
        display: block;
        width: 100%;
        max-width: 26rem;
        margin: 0 auto;
      }

      .bar {
        fill: var(--accent);
      }

      .expected {
        stroke: var(--ink);
        stroke-width: 1.5;
        stroke-dasharray: 5 4;
      }

      .count {
        fill: var(--ink);
        font: 600 13px var(--text);
        text-anchor: middle;
      }

      .face {
        fill: var(--ground);
        stroke: var(--edge);
      }

      .pip {
        fill: var(--ink);
      }

      summary {
        min-height: 1.75rem;
        cursor: pointer;
      }

      .wide {
        overflow-x: auto;
      }

      table {
        margin-top: var(--gap-s);
        border-collapse: collapse;
        font-variant-numeric: tabular-nums;
      }

      th,
      td {
        padding: 0.3em 0.75em;
        border-bottom: 1px solid var(--line);
        text-align: right;
        font-weight: 400;
      }

      th:first-child {
        padding-left: 0;
        text-align: left;
      }

      thead th {
        border-bottom: 2px solid var(--edge);
        font-weight: 600;
        vertical-align: bottom;
      }
    `,
  ];

  constructor() {
    super();
    /** @type {{1: Fall, 2: Fall, both: Fall} | undefined} */
    this.falls = undefined;
    /** @type {[string, string]} */
    this.names = ["", ""];
    this.dice = 2;
  }

  render() {
    const { falls, names } = this;
    if (!falls || falls.both.dice === 0) return nothing;
    const most = Math.max(...falls[1].faces, ...falls[2].faces, falls[1].dice / 6, falls[2].dice / 6);
    return html`
      <h2>${t("dice.falls")}</h2>
      <div class="charts">
        ${this.chart(falls[1], names[0], most)} ${this.chart(falls[2], names[1], most)}
      </div>
      <p>${chanceText(falls.both)}</p>
      <details>
        <summary>${t("dice.falls.table")}</summary>
        ${this.table(falls, names)}
      </details>
    `;
  }

  /** @param {Fall} fall @param {string} name @param {number} most */
  chart(fall, name, most) {
    const expected = TOP + HEIGHT - (HEIGHT * (fall.dice / 6)) / most;
    const counts = fall.faces.map((count, face) => `${face + 1}: ${count}`).join(", ");
    const label = t("dice.falls.chart", { name, counts, expected: rounded(fall.dice / 6) });
    return html`
      <figure class="card">
        <figcaption>${name}</figcaption>
        <svg viewBox="0 0 ${6 * STEP} ${TOP + HEIGHT + 54}" role="img" aria-label=${label}>
          ${fall.faces.map((count, face) => column(face, count, (HEIGHT * count) / most))}
          <line class="expected" x1="0" x2=${6 * STEP} y1=${expected} y2=${expected} />
        </svg>
        <p class="small muted">${t("dice.falls.line", { expected: rounded(fall.dice / 6) })}</p>
        <p>${this.summary(fall)}</p>
      </figure>
    `;
  }

  /** @param {Fall} fall */
  summary(fall) {
    const usual = alike(this.dice);
    const average = rounded(fall.average, 2);
    const parts = [t("dice.falls.average", { average, expected: rounded(AVERAGE) })];
    parts.push(t("dice.falls.pairs", { count: fall.pairs, expected: rounded(fall.throws * usual.pairs) }));
    if (this.dice === 3) {
      const expected = rounded(fall.throws * usual.triples);
      parts.push(t("dice.falls.triples", { count: fall.triples, expected }));
    }
    return parts.join(" ");
  }

  /** @param {{1: Fall, 2: Fall, both: Fall}} falls @param {[string, string]} names */
  table(falls, names) {
    const usual = alike(this.dice);
    const { both } = falls;
    const ofFace = rounded(both.dice / 6);
    /** @param {string} what @param {(fall: Fall) => number | string} of @param {string} [expected] */
    const row = (what, of, expected = "") => html`
      <tr>
        <th scope="row">${what}</th>
        <td>${of(falls[1])}</td>
        <td>${of(falls[2])}</td>
        <td>${of(both)}</td>
        <td>${expected}</td>
      </tr>
    `;
    return html`
      <div class="wide" tabindex="0" role="region" aria-label=${t("dice.falls.table")}>
        <table>
          <thead>
            <tr>
              <td></td>
              <th scope="col">${names[0]}</th>
              <th scope="col">${names[1]}</th>
              <th scope="col">${t("dice.falls.both")}</th>
              <th scope="col">${t("dice.falls.fair")}</th>
            </tr>
          </thead>
          <tbody>
            ${row(t("dice.falls.throws"), (fall) => fall.throws)}
            ${row(t("dice.falls.dice"), (fall) => fall.dice)}
            ${[0, 1, 2, 3, 4, 5].map((face) =>
              row(t("dice.falls.face", { face: face + 1 }), (fall) => fall.faces[face], ofFace),
            )}
            ${row(t("dice.falls.pairsName"), (fall) => fall.pairs, rounded(both.throws * usual.pairs))}
            ${this.dice === 3
              ? row(t("dice.falls.triplesName"), (fall) => fall.triples, rounded(both.throws * usual.triples))
              : nothing}
            ${row(t("dice.falls.averageName"), (fall) => rounded(fall.average, 2), rounded(AVERAGE, 2))}
            ${row(t("dice.falls.chanceName"), (fall) => percent(chance(fall.faces)))}
          </tbody>
        </table>
      </div>
    `;
  }
}

/** A bar above its die. @param {number} face from 0 @param {number} count @param {number} height */
function column(face, count, height) {
  const left = face * STEP;
  const at = TOP + HEIGHT + 8;
  const pip = (/** @type {number[]} */ [x, y]) => svg`<circle class="pip" cx=${left + 12 + x * 4} cy=${at + y * 4} r="2.4" />`;
  return svg`
    <rect class="bar" x=${left + 8} width=${STEP - 16} y=${TOP + HEIGHT - height} height=${height} rx="2" />
    <text class="count" x=${left + STEP / 2} y=${at + 41}>${count}</text>
    <rect class="face" x=${left + 12} y=${at} width="24" height="24" rx="5" />
    ${PIPS[face].map(pip)}
  `;
}

/** One honest sentence about chance. @param {Fall} both */
function chanceText(both) {
  const likely = chance(both.faces);
  if (likely === undefined) return t("dice.chance.few", { count: ENOUGH });
  if (likely < 0.01) return t("dice.chance.rare");
  const count = Math.round(likely * 100);
  return t(likely < 0.1 ? "dice.chance.unusual" : "dice.chance.usual", { count });
}

/** @param {number} value @param {number} [digits] */
const rounded = (value, digits = 1) =>
  value.toLocaleString(currentLocale(), { maximumFractionDigits: digits });

/** @param {number | undefined} value */
const percent = (value) =>
  value?.toLocaleString(currentLocale(), { style: "percent", maximumFractionDigits: 1 }) ?? "–";

customElements.define("lusoria-dice-falls", LusoriaDiceFalls);
