// Takes the file of a record, by a button or by drag and drop.

import { LitElement, css, html } from "../lit.js";
import { base } from "../style/shared.js";
import { t } from "../text/text.js";

/** `<lusoria-record-file>`. Properties: `accept`, `hint`. Event: `lusoria-file` {detail: {file}}. */
export class LusoriaRecordFile extends LitElement {
  static properties = {
    accept: { type: String },
    hint: { type: String },
    over: { state: true },
  };

  static styles = [
    base,
    css`
      .zone {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: var(--gap-s) var(--gap-m);
        padding: var(--gap-m);
        border: 2px dashed var(--edge);
        border-radius: var(--round);
      }

      .zone.over {
        border-color: var(--accent);
        background: var(--tint);
      }

      input {
        max-width: 100%;
        min-height: var(--touch);
        font: inherit;
        color: inherit;
      }

      input::file-selector-button {
        min-height: var(--touch);
        margin-right: var(--gap-m);
        padding: 0.375rem 1rem;
        border: 1px solid var(--edge);
        border-radius: var(--round-s);
        background: var(--raised);
        color: var(--ink);
        font: inherit;
        cursor: pointer;
      }

      label {
        flex-basis: 100%;
        font-weight: 600;
      }
    `,
  ];

  constructor() {
    super();
    /** The accepted types of files. */
    this.accept = ".json,application/json";
    this.hint = t("dice.file.hint");
    this.over = false;
  }

  /** @param {File | null | undefined} file */
  take(file) {
    if (!file) return;
    this.dispatchEvent(new CustomEvent("lusoria-file", { detail: { file }, bubbles: true, composed: true }));
  }

  /** @param {DragEvent} event */
  drag(event) {
    event.preventDefault();
    this.over = event.type === "dragover";
  }

  /** @param {DragEvent} event */
  drop(event) {
    event.preventDefault();
    this.over = false;
    this.take(event.dataTransfer?.files[0]);
  }

  /** @param {Event} event */
  chosen(event) {
    const input = /** @type {HTMLInputElement} */ (event.currentTarget);
    this.take(input.files?.[0]);
    // The same file may be chosen again.
    input.value = "";
  }

  render() {
    return html`
      <div
        class="zone ${this.over ? "over" : ""}"
        @dragover=${this.drag}
        @dragleave=${this.drag}
        @drop=${this.drop}
      >
        <label for="file">${t("dice.file")}</label>
        <input id="file" type="file" accept=${this.accept} @change=${this.chosen} />
        <span class="small muted">${this.hint}</span>
      </div>
    `;
  }
}

customElements.define("lusoria-record-file", LusoriaRecordFile);
