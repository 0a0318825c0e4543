// Conditional turns of a correspondence match: a button, and a dialogue in which they are entered on a board of its
// own.

import "../board/board.js";
import { css, html, nothing } from "../lit.js";
import { Conditional, lineText } from "../match/conditional.js";
import { moving } from "../player/preferences.js";
import { base, buttons, fields } from "../style/shared.js";
import { t } from "../text/text.js";
import { gameName } from "../text/words.js";
import "./dialog.js";
import { Doing } from "./doing.js";
import { isTafl } from "../game/games.js";

/** @typedef {import("./dialog.js").LusoriaDialog} LusoriaDialog */

/** `<lusoria-conditional>`: `live` and `entry` of the match. */
export class LusoriaConditional extends Doing {
  static properties = {
    live: { attribute: false },
    entry: { attribute: false },
    isOpen: { state: true },
  };

  static styles = [
    base,
    buttons,
    fields,
    css`
      .all {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: var(--gap-m);
      }

      lusoria-board {
        display: block;
        width: 100%;
        height: min(60dvh, 30rem, 100vw);
      }

      .row {
        display: flex;
        flex-wrap: wrap;
        gap: var(--gap-s);
      }

      ol {
        display: grid;
        gap: var(--gap-xs);
        padding: 0;
        list-style: none;
      }

      li {
        display: flex;
        align-items: center;
        justify-content: space-between;
        gap: var(--gap-s);
      }

      .line {
        min-height: 1.5em;
        font-variant-numeric: tabular-nums;
      }

      .wrong {
        color: var(--accent);
      }
    `,
  ];

  constructor() {
    super();
    /** @type {import("../match/live.js").LiveMatch} */
    this.live;
    /** @type {import("../api/wire").components["schemas"]["CatalogueEntry"]} */
    this.entry;
    this.isOpen = false;
    /** @type {Conditional | undefined} */
    this.plan = undefined;
  }

  get dialog() {
    return /** @type {LusoriaDialog} */ (this.renderRoot.querySelector("lusoria-dialog"));
  }

  async open() {
    if (!this.plan) {
      this.plan = new Conditional(this.live, this.entry);
      this.plan.addEventListener("change", () => this.requestUpdate());
    }
    this.isOpen = true;
    this.dialog.open();
    await this.does(() => /** @type {Conditional} */ (this.plan).read());
  }

  render() {
    return html`
      <button aria-haspopup="dialog" @click=${this.open}>${t("conditional.title")}</button>
      <lusoria-dialog wide heading=${t("conditional.title")} @lusoria-closed=${() => (this.isOpen = false)}>
        ${this.isOpen && this.plan ? this.content(this.plan) : nothing}
      </lusoria-dialog>
    `;
  }

  /** @param {Conditional} plan */
  content(plan) {
    return html`
      <div class="all">
        <p>${t("conditional.what")}</p>
        ${isTafl(/** @type {any} */ (this.live.moment).game) ? this.lines(plan) : nothing}
        <label>
          <input type="checkbox" .checked=${plan.laidDown?.forced ?? false} ?disabled=${!plan.laidDown}
            @change=${(/** @type {Event} */ event) => this.force(plan, event)} />
          ${t("conditional.forced")}
        </label>
        ${this.told()}
      </div>
    `;
  }

  /** The lines, and the board on which a new one is entered. @param {Conditional} plan */
  lines(plan) {
    if (!plan.canPlan) return html`<p class="hint">${t("conditional.later")}</p>`;
    return html`
      ${plan.lines.length > 0
        ? html`<ol>${plan.lines.map((line, nth) => this.line(plan, line, nth))}</ol>`
        : nothing}
      ${this.board(plan)}
      <p class="line" role="status">${plan.steps.length > 0 ? `${lineText(plan.steps)} · ` : ""}${t(`conditional.${plan.who}`)}</p>
      <div class="row">
        <button ?disabled=${plan.line.length === 0} aria-disabled=${this.held} @click=${() => this.does(() => plan.undo())}>${t("turn.undo")}</button>
        <button class="main" ?disabled=${!plan.isWhole} aria-disabled=${this.held} @click=${() => this.add(plan)}>${t("conditional.add")}</button>
      </div>
    `;
  }

  /** @param {Conditional} plan @param {import("../match/conditional.js").Step[]} line @param {number} nth */
  line(plan, line, nth) {
    const text = lineText(line);
    return html`<li>
      <span>${text}</span>
      <button class="plain" aria-disabled=${this.held} aria-label=${t("conditional.removeLine", { line: text })}
        @click=${() => this.does(() => plan.remove(nth))}>${t("conditional.remove")}</button>
    </li>`;
  }

  /** @param {Conditional} plan */
  board(plan) {
    const moment = /** @type {any} */ (this.live.moment);
    const last = plan.line.at(-1);
    const mover = last ? (last.position.to_move === "attackers" ? "defenders" : "attackers") : undefined;
    const marks = last && [last.step.from, last.step.to].map((place) => ({ place, kind: "last" }));
    return html`<lusoria-board .entry=${this.entry} .position=${plan.position} .mover=${mover} .moves=${plan.moves}
      .steps=${moving() && last ? [last.step] : []} .marks=${marks ?? []} .viewer=${moment.sides?.[this.live.mySeats[0]] ?? null}
      label=${t("match.board", { game: gameName(moment.game) })}
      @lusoria-move=${(/** @type {CustomEvent} */ event) => this.does(() => plan.play(event.detail.move))}></lusoria-board>`;
  }

  /** @param {Conditional} plan */
  async add(plan) {
    if (await this.does(() => plan.add())) this.said = t("conditional.added");
  }

  /** @param {Conditional} plan @param {Event} event */
  async force(plan, event) {
    const box = /** @type {HTMLInputElement} */ (event.target);
    if (!(await this.does(() => plan.force(box.checked)))) box.checked = plan.laidDown?.forced ?? false;
  }
}

customElements.define("lusoria-conditional", LusoriaConditional);
