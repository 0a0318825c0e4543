// The person's stored data: a file with all of it, and its erasure.

import { load } from "../api/rest.js";
import { css, html, nothing } from "../lit.js";
import { eraseAccount, eraseGuest } from "../player/account.js";
import { saveFile } from "../player/files.js";
import { token } from "../player/identity.js";
import { base, buttons, fields } from "../style/shared.js";
import { t } from "../text/text.js";
import { Doing, typed } from "./doing.js";
import "./proof.js";

/** @typedef {import("../player/account.js").Ways} Ways */
/** @typedef {import("./proof.js").LusoriaProof} LusoriaProof */

const FILE = "lusoria.zip";

/**
 * `<lusoria-own-data>`: `name`, the handle of an account or the name of a guest without one; `ways` of the account.
 * Event: `lusoria-erased`.
 */
export class LusoriaOwnData extends Doing {
  static properties = {
    name: { attribute: false },
    ways: { attribute: false },
    isLoading: { state: true },
    isErasing: { state: true },
  };

  static styles = [
    base,
    buttons,
    fields,
    css`
      :host,
      form {
        display: grid;
        gap: var(--gap-m);
      }

      h3 {
        padding-top: var(--gap-m);
      }

      .row {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: var(--gap-s);
      }
    `,
  ];

  constructor() {
    super();
    this.name = "";
    /** None without an account. @type {Ways | undefined} */
    this.ways = undefined;
    this.isLoading = false;
    this.isErasing = false;
  }

  get proof() {
    return /** @type {LusoriaProof} */ (this.renderRoot.querySelector("lusoria-proof"));
  }

  /** Downloads everything. */
  async save() {
    this.isLoading = true;
    await this.does(async () => {
      saveFile(await load("/me/export", { token: token() }), FILE);
      this.said = t("account.export.done", { file: FILE });
    });
    this.isLoading = false;
  }

  open() {
    this.isErasing = true;
    this.said = "";
    this.wrong = "";
    this.go("#confirm");
  }

  close() {
    this.isErasing = false;
    this.wrong = "";
    this.go("#erase");
  }

  /** @param {SubmitEvent} submitted */
  async erase(submitted) {
    const confirmed = typed(submitted)("confirm").trim();
    if (confirmed.toLowerCase() !== this.name.trim().toLowerCase()) {
      this.wrong = t("account.erase.differs", { name: this.name });
      return this.go("#confirm");
    }
    const purpose = {
      heading: t("account.erase.heading"),
      text: t("account.erase.last", { name: this.name }),
      action: t("account.erase.do"),
      isDanger: true,
    };
    const isDone = this.ways ? await this.proof.ask(purpose, eraseAccount) : await this.does(eraseGuest);
    if (isDone) this.dispatchEvent(new CustomEvent("lusoria-erased", { bubbles: true, composed: true }));
  }

  render() {
    return html`
      <p>${t("account.export.what")}</p>
      <div class="row">
        <button aria-disabled=${this.held} @click=${this.save}>${t("account.export.do")}</button>
        ${this.isLoading ? html`<span role="status">${t("account.export.loading")}</span>` : nothing}
      </div>
      ${this.told()}
      <h3>${t("account.erase.heading")}</h3>
      <p>${this.ways ? t("account.erase.what") : t("account.erase.whatGuest")}</p>
      ${this.isErasing
        ? this.form()
        : html`<p><button id="erase" class="danger" @click=${this.open}>${t("account.erase.open")}</button></p>`}
      ${this.ways ? html`<lusoria-proof .ways=${this.ways}></lusoria-proof>` : nothing}
    `;
  }

  form() {
    return html`
      <form novalidate @submit=${this.erase}>
        <label>
          <span class="label">${t("account.erase.confirm", { name: this.name })}</span>
          <input id="confirm" name="confirm" type="text" autocomplete="off" autocapitalize="none" spellcheck="false"
            aria-invalid=${this.wrong === "" ? "false" : "true"} />
        </label>
        <div class="row">
          <button class="danger" aria-disabled=${this.held}>${t("account.erase.do")}</button>
          <button type="button" class="plain" @click=${this.close}>${t("common.cancel")}</button>
        </div>
      </form>
    `;
  }
}

customElements.define("lusoria-own-data", LusoriaOwnData);
