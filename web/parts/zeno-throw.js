// Zeno's throw, again and again: the emperor throws two, five and six, and must leave eight pieces alone.

import { LitElement, css, html } from "../lit.js";
import "../board/board.js";
import "../board/dice.js";
import { moving } from "../player/preferences.js";
import { t } from "../text/text.js";
import { PICTURES } from "./pictures.js";

/** @typedef {import("../api/wire").components["schemas"]["CatalogueEntry"]} CatalogueEntry */
/** @typedef {import("../board/dice.js").DieState} DieState */

const DICE = [2, 5, 6];

/** The emperor's forced turn. */
const STEPS = [
  { die: 6, from: "10", to: "16" },
  { die: 5, from: "19", to: "24" },
  { die: 2, from: "20", to: "22" },
];

/** The position after it. @type {import("../api/wire").components["schemas"]["Position"]} */
const AFTER = {
  ...PICTURES.zeno,
  white: { points: { 6: 7, 9: 1, 10: 1, 16: 1, 19: 1, 20: 1, 22: 1, 23: 1, 24: 1 }, exposed: true },
  to_move: "black",
};

/** How long each stage is shown: before the throw, the throw, the result. */
const LASTS_MS = [2_500, 4_000, 12_000];

/** @type {import("../api/wire").components["schemas"]["Step"][]} */
const NONE = [];

/** `<lusoria-zeno-throw>`: `entry` of the game. It fills its box. */
class ZenoThrow extends LitElement {
  static properties = { entry: { attribute: false }, moment: { state: true } };

  static styles = css`
    :host {
      display: grid;
      grid-template-rows: minmax(0, 1fr) auto;
      gap: 0.375rem;
    }
    .table {
      position: relative;
    }
    lusoria-board {
      position: absolute;
      inset: 0;
      height: 100%;
    }
    /* Like the label of an object in a museum. */
    p {
      margin: 0;
      min-height: 2lh;
      color: var(--muted);
      font-size: var(--caption, var(--size-m));
      line-height: 1.35;
      text-align: center;
      text-wrap: balance;
    }
  `;

  constructor() {
    super();
    /** @type {CatalogueEntry | undefined} */
    this.entry = undefined;
    /** The stage shown: 0, 1 or 2. */
    this.moment = moving() ? 0 : 2;
    this.times = 0;
    this.timer = 0;
  }

  connectedCallback() {
    super.connectedCallback();
    this.wait();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearTimeout(this.timer);
  }

  /** With reduced motion, only the result is shown. */
  wait() {
    if (!moving()) return;
    this.timer = window.setTimeout(() => {
      this.moment = (this.moment + 1) % LASTS_MS.length;
      if (this.moment === 0) this.times += 1;
      this.wait();
    }, LASTS_MS[this.moment]);
  }

  /** The same throw must be the same object, so that the board sees no change. */
  thrown = { seq: 0, side: /** @type {const} */ ("white"), count: DICE.length };

  render() {
    const isPlayed = this.moment === 2;
    const states = DICE.map(() => /** @type {DieState} */ (isPlayed ? "played" : "ready"));
    if (this.thrown.seq !== this.times) this.thrown = { ...this.thrown, seq: this.times };
    return html`
      <div class="table" role="img" aria-label=${t("zeno.board")}>
        <lusoria-board inert .entry=${this.entry} .position=${isPlayed ? AFTER : PICTURES.zeno} .viewer=${"white"} .mover=${"white"}
          .steps=${isPlayed && moving() ? STEPS : NONE} .thrown=${this.moment > 0 ? this.thrown : undefined}>
          ${this.moment > 0
            ? html`<lusoria-dice slot="dice" .dice=${DICE} .states=${states} .seq=${this.times} side="white"></lusoria-dice>`
            : ""}
        </lusoria-board>
      </div>
      <p>${t("zeno.caption")}</p>
    `;
  }
}

customElements.define("lusoria-zeno-throw", ZenoThrow);
