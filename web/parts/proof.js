// Asks the person to prove their identity: with the password or a passkey, whichever the account has.

import { css, html, nothing } from "../lit.js";
import { guest } from "../player/identity.js";
import { canUsePasskeys, passkeyProof } from "../player/passkeys.js";
import { base, buttons, fields } from "../style/shared.js";
import { t } from "../text/text.js";
import "./dialog.js";
import { Doing, typed } from "./doing.js";
import { accountField, secretField, secretStyle } from "./secret.js";

/** @typedef {import("../player/account.js").Proof} Proof */
/** @typedef {import("../player/account.js").Ways} Ways */
/** @typedef {import("./dialog.js").LusoriaDialog} LusoriaDialog */

/**
 * The request to be proved.
 * @typedef {object} Purpose
 * @property {string} heading
 * @property {string} text what will happen
 * @property {string} action the button's text
 * @property {boolean} [isDanger] whether it cannot be undone
 */

/** `<lusoria-proof>`: `ways`, those of the account. Hidden until `ask` is called. */
export class LusoriaProof extends Doing {
  static properties = {
    ways: { attribute: false },
    purpose: { state: true },
  };

  static styles = [
    base,
    buttons,
    fields,
    secretStyle,
    css`
      :host {
        display: contents;
      }

      form,
      .all {
        display: grid;
        gap: var(--gap-m);
      }
    `,
  ];

  constructor() {
    super();
    /** @type {Ways} */
    this.ways = { password: true, passkey: false };
    /** @type {Purpose | undefined} */
    this.purpose = undefined;
    /** @type {(proof: Proof) => Promise<unknown>} */
    this.send = async () => undefined;
    /** The last attempt, and whether it succeeded. @type {Promise<boolean> | undefined} */
    this.sending = undefined;
  }

  get dialog() {
    return /** @type {LusoriaDialog} */ (this.renderRoot.querySelector("lusoria-dialog"));
  }

  /**
   * Asks for a proof, until it is accepted or the person cancels.
   * @param {Purpose} purpose
   * @param {(proof: Proof) => Promise<unknown>} send sends the request with it
   * @returns {Promise<boolean>} whether the request succeeded
   */
  async ask(purpose, send) {
    // A running attempt still belongs to the previous request.
    await this.sending?.catch(() => false);
    this.purpose = purpose;
    this.send = send;
    this.sending = undefined;
    this.wrong = "";
    await this.updateComplete;
    await this.dialog.open();
    // However the dialogue was closed, the running request may have succeeded.
    const isDone = (await this.sending) ?? false;
    // The input is not kept.
    if (this.purpose === purpose) this.purpose = undefined;
    return isDone;
  }

  /** No proof can help any more: `ask` ends without success. */
  giveUp() {
    this.dialog.close();
  }

  /** @param {() => Promise<Proof>} made */
  async prove(made) {
    if (this.held === "true") return;
    this.sending = this.does(async () => this.send(await made()));
    if (await this.sending) this.dialog.close();
    else this.go("#password");
  }

  /** @param {SubmitEvent} submitted */
  withPassword(submitted) {
    const password = typed(submitted)("password");
    if (password === "") {
      this.wrong = t("account.password.missing");
      return this.go("#password");
    }
    return this.prove(async () => ({ password }));
  }

  render() {
    return html`<lusoria-dialog heading=${this.purpose?.heading ?? ""} .held=${this.busy}>
      ${this.purpose ? this.asked(this.purpose) : nothing}
    </lusoria-dialog>`;
  }

  /** @param {Purpose} purpose */
  asked({ text, action, isDanger = false }) {
    const usable = canUsePasskeys();
    return html`
      <div class="all">
        <p>${text}</p>
        ${this.ways.password
          ? html`<form novalidate @submit=${this.withPassword}>
              ${accountField(guest()?.handle ?? "")}
              ${secretField({
                name: "password",
                label: t("account.password.yours"),
                autocomplete: "current-password",
                isFirst: true,
                isWrong: this.wrong !== "",
              })}
              ${this.told()}
              <p><button class=${isDanger ? "danger" : "main"} aria-disabled=${this.held}>${action}</button></p>
            </form>`
          : this.told()}
        ${this.ways.passkey && usable
          ? html`<p>
              <button class=${this.ways.password ? "" : "main"} aria-disabled=${this.held}
                ?autofocus=${!this.ways.password} @click=${() => this.prove(passkeyProof)}>
                ${t("account.proof.passkey", { action })}
              </button>
            </p>`
          : nothing}
        ${!this.ways.password && !usable ? html`<p>${t("account.proof.none")}</p>` : nothing}
      </div>
    `;
  }
}

customElements.define("lusoria-proof", LusoriaProof);
