// The password of an account: changes it, sets a first one, or removes it where a passkey signs in.

import { Problem } from "../api/rest.js";
import { css, html, nothing } from "../lit.js";
import { changePassword, fitsPassword, removePassword } from "../player/account.js";
import { base, buttons, fields } from "../style/shared.js";
import { t } from "../text/text.js";
import { problemText } from "../text/words.js";
import { Doing, typed } from "./doing.js";
import "./proof.js";
import { accountField, newSecretField, secretStyle } from "./secret.js";

/** @typedef {import("../player/account.js").Ways} Ways */
/** @typedef {import("./proof.js").LusoriaProof} LusoriaProof */

/** `<lusoria-password>`: `handle` and `ways` of an account. Event: `lusoria-changed`. */
export class LusoriaPassword extends Doing {
  static properties = {
    handle: { attribute: false },
    ways: { attribute: false },
    isOpen: { state: true },
    password: { state: true },
    wrongPassword: { state: true },
  };

  static styles = [
    base,
    buttons,
    fields,
    secretStyle,
    css`
      :host,
      form {
        display: grid;
        gap: var(--gap-m);
      }

      .row {
        display: flex;
        flex-wrap: wrap;
        gap: var(--gap-s);
      }
    `,
  ];

  constructor() {
    super();
    this.handle = "";
    /** @type {Ways} */
    this.ways = { password: true, passkey: false };
    this.isOpen = false;
    this.password = "";
    this.wrongPassword = "";
  }

  get proof() {
    return /** @type {LusoriaProof} */ (this.renderRoot.querySelector("lusoria-proof"));
  }

  open() {
    this.isOpen = true;
    this.said = "";
    this.go("#new-password");
  }

  close() {
    this.isOpen = false;
    this.password = "";
    this.wrongPassword = "";
    this.go("#change");
  }

  /** @param {string} said */
  changed(said) {
    this.close();
    this.said = said;
    this.dispatchEvent(new CustomEvent("lusoria-changed"));
  }

  /** @param {SubmitEvent} submitted */
  async submit(submitted) {
    const field = typed(submitted);
    const revoked = { tokens: field("revoke") !== "", passkeys: field("passkeys") !== "" };
    if (!fitsPassword(this.password)) {
      this.wrongPassword = t("account.password.unfit");
      return this.go("#new-password");
    }
    const purpose = {
      heading: t("account.password.change"),
      text: t("account.password.changing"),
      action: t("account.password.do"),
    };
    let said = "";
    const isDone = await this.proof.ask(purpose, async (proof) => {
      try {
        said = changedText(await changePassword(this.password, revoked, proof));
      } catch (why) {
        // No proof helps: another password is needed.
        if (why instanceof Problem && why.code === "common_password") {
          this.wrongPassword = problemText(why);
          this.proof.giveUp();
        }
        throw why;
      }
    });
    if (isDone) this.changed(said);
    else if (this.wrongPassword) this.go("#new-password");
  }

  async takeAway() {
    const purpose = {
      heading: t("account.password.remove"),
      text: t("account.password.removing"),
      action: t("account.password.remove"),
      isDanger: true,
    };
    if (await this.proof.ask(purpose, removePassword)) this.changed(t("account.password.removed"));
  }

  render() {
    const { password, passkey } = this.ways;
    return html`
      <p>${password ? t("account.password.has") : t("account.password.hasNone")}</p>
      ${this.told()}
      ${this.isOpen
        ? this.form()
        : html`<div class="row">
            <button id="change" @click=${this.open}>
              ${password ? t("account.password.change") : t("account.password.set")}
            </button>
            ${password && passkey
              ? html`<button class="danger" @click=${this.takeAway}>${t("account.password.remove")}</button>`
              : nothing}
          </div>`}
      <lusoria-proof .ways=${this.ways}></lusoria-proof>
    `;
  }

  form() {
    return html`
      <form novalidate @submit=${this.submit}>
        ${accountField(this.handle)}
        ${newSecretField({
          name: "new-password",
          label: t("account.password.new"),
          password: this.password,
          handle: this.handle,
          wrong: this.wrongPassword,
          typed: (password) => {
            this.password = password;
            this.wrongPassword = "";
          },
        })}
        <label class="check">
          <input type="checkbox" name="revoke" /> ${t("account.password.revoke")}
        </label>
        ${this.ways.passkey
          ? html`<label class="check">
              <input type="checkbox" name="passkeys" /> ${t("account.password.removePasskeys")}
            </label>`
          : nothing}
        <div class="row">
          <button class="main">${t("account.password.do")}</button>
          <button type="button" class="plain" @click=${this.close}>${t("common.cancel")}</button>
        </div>
      </form>
    `;
  }
}

/**
 * A message that the password has changed, and what remains.
 * @param {import("../api/wire").components["schemas"]["ChangedPassword"]} changed
 */
function changedText({ passkeys, api_tokens: tokens }) {
  const stay = [
    passkeys > 0 ? t("account.password.stay.passkeys", { count: passkeys }) : "",
    tokens > 0 ? t("account.password.stay.tokens", { count: tokens }) : "",
  ].filter(Boolean);
  const where = stay.length > 0 ? [t("account.password.stay")] : [];
  return [t("account.password.changed"), ...stay, ...where].join(" ");
}

customElements.define("lusoria-password", LusoriaPassword);
