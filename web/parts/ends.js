// Ending a game or a match, and beginning another: the buttons, and what is asked before.

import { LitElement, css, html, nothing } from "../lit.js";
import { base, buttons } from "../style/shared.js";
import { t } from "../text/text.js";

/** @typedef {import("../match/actions.js").Action} Action */

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
      :host {
        display: flex;
        flex-wrap: wrap;
        gap: var(--gap-s);
      }
      p {
        flex-basis: 100%;
      }
    `,
  ];

  constructor() {
    super();
    /** @type {Action[]} */
    this.actions = [];
    /** The action that is asked about. @type {Action | undefined} */
    this.sure = undefined;
  }

  render() {
    const { sure } = this;
    if (sure) {
      return html`<p role="alert">${sure.sure}</p>
        <button class="danger" @click=${() => this.do(sure)}>${sure.name}</button>
        <button @click=${() => (this.sure = undefined)}>${t("ends.not")}</button>`;
    }
    return this.actions.map((action) => html`<button class=${action.look || nothing}
      @click=${() => (action.sure ? (this.sure = action) : this.do(action))}>${action.name}</button>`);
  }

  /** @param {Action} action */
  do({ op, fields }) {
    this.sure = undefined;
    this.dispatchEvent(new CustomEvent("lusoria-do", { detail: { op, fields } }));
  }
}

customElements.define("lusoria-ends", EndsElement);
