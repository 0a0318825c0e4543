// A plot of bars, with the table of its numbers behind it.

import { LitElement, css, html, nothing, svg } from "../lit.js";
import { base } from "../style/shared.js";
import { currentLocale, t } from "../text/text.js";

/**
 * @typedef {object} Bar
 * @property {string} label a short label below the bar
 * @property {string} told the full label, for the table
 * @property {number} count
 * @property {number} [expected] drawn as a line across the bar
 */

const HEIGHT = 150;
const FOOT = 20;
const TOP = 16;
/** The least width of a bar, in a plot that is 640 wide. */
const WIDTH = 640;

/** @param {number} count */
const number = (count) => new Intl.NumberFormat(currentLocale(), { maximumFractionDigits: 1 }).format(count);

/** `<lusoria-plot>`: `bars`, with `heading` and the headings of the table's columns: `what` and `counted`. */
export class LusoriaPlot extends LitElement {
  static properties = {
    bars: { attribute: false },
    heading: { type: String },
    what: { type: String },
    counted: { type: String },
  };

  static styles = [
    base,
    css`
      figure {
        margin: 0;
      }
      figcaption {
        font-weight: 600;
      }
      svg {
        display: block;
        width: 100%;
        height: auto;
        overflow: visible;
      }
      .bar {
        fill: var(--accent);
      }
      .expected {
        stroke: var(--ink);
        stroke-width: 1.5;
      }
      .axis {
        stroke: var(--edge);
      }
      text {
        fill: var(--muted);
        font-size: 12px;
        text-anchor: middle;
      }
      .scale {
        text-anchor: start;
      }
      details {
        font-size: var(--size-s);
      }
      summary {
        width: fit-content;
        min-height: 2rem;
        line-height: 2rem;
        color: var(--muted);
        cursor: pointer;
      }
      .scroll {
        max-height: 20rem;
        overflow: auto;
        border: 1px solid var(--line);
        border-radius: var(--round-s);
      }
      table {
        width: 100%;
        border-collapse: collapse;
      }
      th,
      td {
        padding: 0.2rem 0.6rem;
        border-bottom: 1px solid var(--line);
        text-align: end;
      }
      th:first-child {
        text-align: start;
      }
      thead th {
        position: sticky;
        top: 0;
        background: var(--raised);
      }
    `,
  ];

  constructor() {
    super();
    /** @type {Bar[]} */
    this.bars = [];
    this.heading = "";
    this.what = "";
    this.counted = "";
  }

  render() {
    const hasExpected = this.bars.some(({ expected }) => expected !== undefined);
    return html`
      <figure>
        <figcaption>${this.heading}</figcaption>
        ${this.drawing()}
        ${hasExpected ? html`<p class="small muted">${t("statistics.expected.key")}</p>` : nothing}
        <details>
          <summary>${t("statistics.table")}</summary>
          <div class="scroll" tabindex="0" role="region" aria-label=${this.heading}>
            <table class="figures">
              <thead>
                <tr>
                  <th scope="col">${this.what}</th>
                  <th scope="col">${this.counted}</th>
                  ${hasExpected ? html`<th scope="col">${t("statistics.expected")}</th>` : nothing}
                </tr>
              </thead>
              <tbody>
                ${this.bars.map(({ told, count, expected }) => html`
                  <tr>
                    <th scope="row">${told}</th>
                    <td>${number(count)}</td>
                    ${hasExpected ? html`<td>${number(expected ?? 0)}</td>` : nothing}
                  </tr>
                `)}
              </tbody>
            </table>
          </div>
        </details>
      </figure>
    `;
  }

  /** The bars; screen readers have the table. */
  drawing() {
    const { bars } = this;
    const most = Math.max(1, ...bars.map(({ count, expected }) => Math.max(count, expected ?? 0)));
    const step = WIDTH / Math.max(bars.length, 8);
    const y = (/** @type {number} */ count) => TOP + HEIGHT - (count / most) * HEIGHT;
    // A letter of a label is about 7 units wide; leave a margin.
    const longest = Math.max(1, ...bars.map(({ label }) => label.length));
    const every = Math.ceil((longest * 7 + 6) / step);
    return html`<svg viewBox="0 0 ${WIDTH} ${TOP + HEIGHT + FOOT}" aria-hidden="true">
      ${bars.map(({ label, count, expected }, index) => {
        const x = index * step;
        return svg`
          <rect class="bar" x=${x + step * 0.1} y=${y(count)} width=${step * 0.8} height=${TOP + HEIGHT - y(count)} />
          ${expected === undefined ? nothing : svg`<line class="expected" x1=${x} x2=${x + step} y1=${y(expected)} y2=${y(expected)} />`}
          ${index % every === 0 ? svg`<text x=${x + step / 2} y=${TOP + HEIGHT + 15}>${label}</text>` : nothing}
        `;
      })}
      <line class="axis" x1="0" x2=${WIDTH} y1=${TOP + HEIGHT} y2=${TOP + HEIGHT} />
      <text class="scale" x="0" y="11">${number(most)}</text>
    </svg>`;
  }
}

customElements.define("lusoria-plot", LusoriaPlot);
