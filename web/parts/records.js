// Downloads the records of a player's matches.

import { Problem } from "../api/rest.js";
import { LitElement, css, html } from "../lit.js";
import { saveFile } from "../player/files.js";
import { identity, token } from "../player/identity.js";
import { records, recordsAddress, recordsFile } from "../player/players.js";
import { base, buttons } from "../style/shared.js";
import { t } from "../text/text.js";
import { problemText } from "../text/words.js";

/** @typedef {import("../player/players.js").Filter} Filter */
/** @typedef {import("../player/players.js").RecordsForm} RecordsForm */

/**
 * `<lusoria-records>`: of the player with the `handle`, filtered by `filter`. Strangers use links; a guest with a token
 * sees more matches, but a link cannot send the token.
 */
export class LusoriaRecords extends LitElement {
  static properties = {
    handle: { attribute: false },
    filter: { attribute: false },
    loading: { state: true },
    wrong: { state: true },
  };

  static styles = [
    base,
    buttons,
    css`
      .row {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: var(--gap-s);
      }

      .wrong {
        margin-top: var(--gap-s);
        color: var(--accent);
        font-weight: 600;
      }

      .wrong:empty {
        display: none;
      }
    `,
  ];

  constructor() {
    super();
    this.handle = "";
    /** @type {Filter} */
    this.filter = {};
    /** The format being downloaded. @type {RecordsForm | ""} */
    this.loading = "";
    this.wrong = "";
    this.changed = () => this.requestUpdate();
  }

  connectedCallback() {
    super.connectedCallback();
    identity.addEventListener("change", this.changed);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    identity.removeEventListener("change", this.changed);
  }

  /** Downloads the file, and saves it through the browser. @param {RecordsForm} form */
  async save(form) {
    if (this.loading) return;
    this.loading = form;
    this.wrong = "";
    try {
      saveFile(await records(this.handle, this.filter, form), recordsFile(this.handle, form));
    } catch (why) {
      if (!(why instanceof Problem)) throw why;
      this.wrong = problemText(why);
    } finally {
      this.loading = "";
    }
  }

  render() {
    return html`
      <div class="row small" role="group" aria-label=${t("players.records")}>
        <span>${t("players.records")}</span>
        ${this.way("ndjson", t("players.records.ndjson"))} ${this.way("text", t("players.records.text"))}
        <span role="status" class="muted">${this.loading ? t("common.loading") : ""}</span>
      </div>
      <p class="wrong" role="alert">${this.wrong}</p>
    `;
  }

  /** @param {RecordsForm} form @param {string} text */
  way(form, text) {
    const { filter, handle } = this;
    if (token() === null) {
      return html`<a class="button" href=${recordsAddress(handle, filter, form)} download=${recordsFile(handle, form)}>${text}</a>`;
    }
    return html`<button aria-disabled=${String(this.loading !== "")} @click=${() => this.save(form)}>${text}</button>`;
  }
}

customElements.define("lusoria-records", LusoriaRecords);
