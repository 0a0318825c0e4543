// Ends a game or a match, or begins another: the buttons, and their confirmations.

import { LitElement, css, html, nothing } from "../lit.js";
import { preferred } from "../player/preferences.js";
import { base, buttons } from "../style/shared.js";
import { t } from "../text/text.js";
import "./dialog.js";

/** @typedef {import("../match/actions.js").Action} Action */
/** @typedef {import("./dialog.js").LusoriaDialog} LusoriaDialog */

/** `<lusoria-ends>`. Event `lusoria-do` with `{op, fields}` in `detail`. */
export class EndsElement extends LitElement {
  static properties = {
    actions: { attribute: false },
    sure: { state: true },
  };

  static styles = [
    base,
    buttons,
    css`
      :host,
      .row {
        display: flex;
        flex-wrap: var(--ends-wrap, wrap);
        gap: var(--gap-s);
      }
      .row {
        flex-basis: var(--ends-row, 100%);
      }
      /* Two lines that are always there: the buttons above them do not move. */
      .idle {
        flex-basis: 100%;
        height: 2.5rem;
        overflow: hidden;
        color: var(--muted);
        font-size: var(--size-s);
        line-height: 1.25rem;
      }
      lusoria-dialog p {
        margin-bottom: var(--gap-m);
      }
      lusoria-dialog div {
        display: flex;
        flex-wrap: wrap;
        gap: var(--gap-s);
      }
    `,
  ];

  constructor() {
    super();
    /** @type {Action[]} */
    this.actions = [];
    /** The action to be confirmed. @type {Action | undefined} */
    this.sure = undefined;
  }

  get dialog() {
    return /** @type {LusoriaDialog} */ (this.renderRoot.querySelector("lusoria-dialog"));
  }

  /** Closes a question about an action that is no longer possible. */
  updated() {
    const { actions, sure } = this;
    if (sure && !actions.some((action) => action.name === sure.name && !action.idle)) this.dialog.close();
  }

  render() {
    const { actions, sure } = this;
    // The takeback has a line of its own: the other buttons change, and would move it.
    const above = actions.some(({ op, answers }) => op === "takeback" && !answers) ? actions.filter(({ look }) => look === "") : [];
    const below = actions.filter((action) => !above.includes(action));
    const idle = actions.find((action) => action.idle)?.idle;
    return html`
      ${above.length > 0 ? html`<div class="row">${above.map((action) => this.button(action))}</div>` : nothing}
      ${below.map((action) => this.button(action))}
      ${actions.some((action) => action.idle !== undefined) ? html`<p class="idle">${idle}</p>` : nothing}
      <lusoria-dialog heading=${sure?.name ?? ""} @lusoria-closed=${() => (this.sure = undefined)}>
        ${sure ? this.question(sure) : nothing}
      </lusoria-dialog>
    `;
  }

  /** A button; keeps its place while it is disabled. @param {Action} action */
  button(action) {
    const key = action.key && preferred("keys") === "on" ? action.key : nothing;
    return html`<button part="action" class=${action.look || nothing} ?disabled=${Boolean(action.idle)} aria-keyshortcuts=${key}
      @click=${() => this.press(action)}>${action.name}</button>`;
  }

  /** Runs the action, or asks for confirmation. @param {Action} action */
  press(action) {
    return action.sure ? this.ask(action) : this.do(action);
  }

  /** @param {Action} sure */
  question(sure) {
    return html`<p>${sure.sure}</p>
      <div>
        <button class=${sure.look || "main"} @click=${() => this.do(sure)}>${sure.name}</button>
        <button autofocus @click=${() => this.dialog.close()}>${t("ends.not")}</button>
      </div>`;
  }

  /** @param {Action} action */
  async ask(action) {
    this.sure = action;
    await this.updateComplete;
    await this.dialog.open();
  }

  /** @param {Action} action */
  do({ op, fields }) {
    this.dialog.close();
    this.dispatchEvent(new CustomEvent("lusoria-do", { detail: { op, fields } }));
  }
}

customElements.define("lusoria-ends", EndsElement);
