// New recovery codes, shown only once: to copy, save or print.

import { LitElement, css, html } from "../lit.js";
import { saveFile } from "../player/files.js";
import { base, buttons, cards, fields } from "../style/shared.js";
import { t } from "../text/text.js";
import { copyText } from "./invitation.js";

/** `<lusoria-recovery-codes>`: `codes` and the account's `handle`. Event: `lusoria-kept`, once the person has stored them. */
export class LusoriaRecoveryCodes extends LitElement {
  static properties = {
    codes: { attribute: false },
    handle: { attribute: false },
    said: { state: true },
  };

  static styles = [
    base,
    buttons,
    cards,
    fields,
    css`
      :host {
        display: grid;
        gap: var(--gap-m);
      }

      ol {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(14rem, 1fr));
        gap: var(--gap-s) var(--gap-l);
        margin: 0;
        padding: var(--gap-l);
      }

      code {
        font-family: var(--mono);
        font-size: var(--size-l);
        user-select: all;
        overflow-wrap: anywhere;
      }

      .row {
        display: flex;
        flex-wrap: wrap;
        gap: var(--gap-s);
      }

      @media print {
        .row,
        .kept,
        [role="status"] {
          display: none !important;
        }
      }
    `,
  ];

  constructor() {
    super();
    /** @type {string[]} */
    this.codes = [];
    this.handle = "";
    this.said = "";
    /** @param {BeforeUnloadEvent} leaving */
    this.leaving = (leaving) => leaving.preventDefault();
  }

  connectedCallback() {
    super.connectedCallback();
    addEventListener("beforeunload", this.leaving);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    removeEventListener("beforeunload", this.leaving);
  }

  firstUpdated() {
    this.renderRoot.querySelector("h2")?.focus();
  }

  /** The codes as a text file. */
  get text() {
    const title = t("account.codes.file", { handle: this.handle, server: location.host });
    return [title, "", ...this.codes, ""].join("\n");
  }

  async copy() {
    const field = /** @type {HTMLTextAreaElement} */ (this.renderRoot.querySelector("textarea"));
    const isCopied = await copyText(this.text, field);
    this.said = t(isCopied ? "account.codes.copied" : "account.codes.uncopied");
  }

  save() {
    saveFile(new Blob([this.text], { type: "text/plain" }), `lusoria-${this.handle}.txt`);
    this.said = t("account.codes.saved");
  }

  render() {
    return html`
      <h2 tabindex="-1">${t("account.codes.heading")}</h2>
      <p>${t("account.codes.what")}</p>
      <ol class="card">
        ${this.codes.map((code) => html`<li><code>${code}</code></li>`)}
      </ol>
      <span class="unseen" aria-hidden="true"><textarea readonly tabindex="-1" .value=${this.text}></textarea></span>
      <div class="row">
        <button @click=${this.copy}>${t("account.copy")}</button>
        <button @click=${this.save}>${t("account.codes.save")}</button>
        <button @click=${() => print()}>${t("account.codes.print")}</button>
      </div>
      <p role="status">${this.said}</p>
      <p class="kept">
        <button class="main" @click=${() => this.dispatchEvent(new CustomEvent("lusoria-kept"))}>
          ${t("account.codes.kept")}
        </button>
      </p>
    `;
  }
}

customElements.define("lusoria-recovery-codes", LusoriaRecoveryCodes);
