// The list of a match's turns in notation; each links to its position.

import { LitElement, css, html, nothing } from "../lit.js";
import { base } from "../style/shared.js";
import { t } from "../text/text.js";
import { swatch, swatches } from "./swatch.js";

/** @typedef {import("../match/rows.js").Row} Row */

/** `<lusoria-turns>`. Event `lusoria-show` with the number of an event in `detail.seq`. */
export class TurnsElement extends LitElement {
  static properties = {
    rows: { attribute: false },
    shown: { attribute: false },
  };

  static styles = [
    base,
    swatches,
    css`
      :host {
        overflow-y: auto;
        overscroll-behavior: contain;
      }
      ol {
        padding: 0.25rem;
      }
      button {
        display: grid;
        grid-template-columns: 2.25rem 1rem 3rem 1fr;
        gap: 0.375rem;
        align-items: start;
        width: 100%;
        min-height: 1.75rem;
        padding: 0.125rem 0.375rem;
        border: 0;
        border-radius: var(--round-s);
        background: none;
        color: inherit;
        font: inherit;
        font-size: var(--size-s);
        text-align: left;
        cursor: pointer;
      }
      button:hover {
        background: var(--sunk);
      }
      button[aria-current] {
        background: var(--tint);
        box-shadow: inset 0 0 0 1px var(--accent);
      }
      .end,
      .game {
        padding: 0.25rem 0.375rem;
        font-style: italic;
      }
      .end button {
        display: block;
      }
      .left {
        display: block;
        color: var(--muted);
        font-size: 0.8125rem;
      }
      .taken-back {
        opacity: 0.75;
        text-decoration: line-through;
      }
      .number,
      .dice {
        color: var(--muted);
        text-align: right;
      }
    `,
  ];

  constructor() {
    super();
    /** @type {Row[]} */
    this.rows = [];
    /** The event shown. */
    this.shown = 0;
    this.follows = true;
  }

  render() {
    const counts = (/** @type {Row} */ { seq, takenBack = Infinity }) => seq <= this.shown && this.shown < takenBack;
    const current = this.rows.findLast(counts)?.seq;
    return html`<ol aria-label=${t("match.turns")}>
      ${this.rows.map((row) => this.row(row, row.seq === current))}
    </ol>`;
  }

  /** @param {Row} row @param {boolean} isCurrent */
  row(row, isCurrent) {
    if (row.kind === "game") return html`<li class="game">${row.text}</li>`;
    const show = () => this.dispatchEvent(new CustomEvent("lusoria-show", { detail: { seq: row.seq } }));
    const current = isCurrent ? "true" : nothing;
    if (row.kind === "end") {
      return html`<li class="end"><button @click=${show} aria-current=${current}>${row.text}</button></li>`;
    }
    return html`<li>
      <button @click=${show} aria-current=${current} class=${row.takenBack ? "figures taken-back" : "figures"}>
        <span class="number">${row.number}.</span>
        ${swatch(/** @type {import("../game/story.js").SideName} */ (row.side))}
        <span class="dice">${row.dice}</span>
        <span>${row.text}${row.left ? html`<span class="left">${row.left}</span>` : nothing}
          ${row.takenBack ? html`<span class="unseen">${t("match.isTakenBack")}</span>` : nothing}</span>
      </button>
    </li>`;
  }

  /** Keeps the scroll position if the person reads elsewhere in the list. */
  willUpdate() {
    const row = this.renderRoot?.querySelector("[aria-current]")?.getBoundingClientRect();
    const box = row && this.getBoundingClientRect();
    this.follows = !box || (row.bottom > box.top && row.top < box.bottom);
  }

  updated() {
    if (!this.follows) return;
    this.renderRoot.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }
}

customElements.define("lusoria-turns", TurnsElement);
