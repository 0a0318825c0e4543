// Opens an account: a handle, and a password or a passkey to sign in with.

import { Problem } from "../api/rest.js";
import { css, html, nothing } from "../lit.js";
import {
  HANDLE_LONGEST,
  fitsPassword,
  handleFault,
  isTaken,
  openAccount,
} from "../player/account.js";
import { deviceName } from "../player/device.js";
import { learn, nowHasAccount } from "../player/identity.js";
import { canUsePasskeys, makePasskey } from "../player/passkeys.js";
import { base, buttons, fields } from "../style/shared.js";
import { t } from "../text/text.js";
import { problemText } from "../text/words.js";
import { Doing, typed } from "./doing.js";
import { newSecretField, secretStyle } from "./secret.js";

/** @typedef {import("../player/passkeys.js").NewPasskey} NewPasskey */

/** Problems of the handle and of the sign-up code: shown beside their fields. */
const OF_HANDLE = ["handle_taken", "handle_reserved"];
const OF_PASSWORD = "common_password";
const OF_CODE = ["sign_up_code_required", "unknown_code"];

/** After these problems a new passkey cannot be used: another is created. */
const SPENT = ["unknown_passkey_challenge", "wrong_passkey", "wrong_origin"];

/**
 * `<lusoria-open-account>`. Events: `lusoria-opened`, with the handle and the recovery codes as its detail;
 * `lusoria-had`, if there was an account already.
 */
export class LusoriaOpenAccount extends Doing {
  static properties = {
    handle: { state: true },
    password: { state: true },
    byPasskey: { state: true },
    needsCode: { state: true },
    wrongHandle: { state: true },
    wrongPassword: { state: true },
    wrongCode: { state: true },
    closed: { state: true },
  };

  static styles = [
    base,
    buttons,
    fields,
    secretStyle,
    css`
      form {
        display: grid;
        gap: var(--gap-m);
      }
    `,
  ];

  constructor() {
    super();
    this.handle = "";
    this.password = "";
    this.byPasskey = false;
    this.needsCode = false;
    this.wrongHandle = "";
    this.wrongPassword = "";
    this.wrongCode = "";
    /** Whether sign-ups are closed. */
    this.closed = false;
    /**
     * A new passkey for this handle that the server has not accepted yet.
     * @type {{handle: string, passkey: NewPasskey} | undefined}
     */
    this.made = undefined;
  }

  /** The fault of the handle while it is typed; that it is too short is shown only on submit. */
  get faultTyped() {
    const fault = handleFault(this.handle);
    return fault === undefined || fault === "short" ? "" : t(`account.handle.${fault}`);
  }

  /** Whether the input can be sent. Focuses the first fault. @param {string} code */
  fits(code) {
    const fault = handleFault(this.handle);
    this.wrongHandle = fault ? t(`account.handle.${fault}`) : "";
    this.wrongPassword = this.byPasskey || fitsPassword(this.password) ? "" : t("account.password.unfit");
    this.wrongCode = this.needsCode && code === "" ? t("account.signUpCode.missing") : "";
    this.show();
    return !this.wrongHandle && !this.wrongPassword && !this.wrongCode;
  }

  /** Focuses the first invalid field. */
  show() {
    return this.go("input[aria-invalid=true]");
  }

  /** @param {SubmitEvent} submitted */
  async submit(submitted) {
    const code = typed(submitted)("code").trim();
    if (!this.fits(code)) return;
    const { handle } = this;
    await this.does(
      async () => {
        const wishes = { handle, sign_up_code: code || undefined };
        const opened = await openAccount({ ...wishes, ...(await this.secret(handle)) });
        const detail = { handle: opened.handle, codes: opened.recovery_codes };
        this.dispatchEvent(new CustomEvent("lusoria-opened", { detail }));
        nowHasAccount(opened.handle, opened.asker);
      },
      (problem) => this.refused(problem),
    );
  }

  /** The password or passkey of the new account. @param {string} handle */
  async secret(handle) {
    if (!this.byPasskey) return { password: this.password };
    if (this.made?.handle !== handle) {
      // A passkey for a handle that is taken would stay on the authenticator.
      if (await isTaken(handle)) throw new Problem({ code: "handle_taken" });
      const passkey = await makePasskey(deviceName() ?? t("account.passkeys.unnamed"), handle);
      this.made = { handle, passkey };
    }
    return { passkey: this.made.passkey };
  }

  /** @param {Problem} problem */
  refused(problem) {
    const { code } = problem;
    if (SPENT.includes(code)) this.made = undefined;
    if (code === "has_account") {
      // The account was opened, but the response was lost: the page shows the account once it is loaded.
      this.dispatchEvent(new CustomEvent("lusoria-had"));
      learn().catch(() => {});
    }
    if (code === "sign_ups_closed") this.closed = true;
    if (OF_HANDLE.includes(code)) this.wrongHandle = problemText(problem);
    if (code === OF_PASSWORD) this.wrongPassword = problemText(problem);
    if (OF_CODE.includes(code)) {
      this.wrongCode = code === "unknown_code" ? t("account.signUpCode.wrong") : "";
      if (!this.needsCode) this.said = t("account.signUpCode.asked");
      this.needsCode = true;
    }
    const isShown = this.closed || code === OF_PASSWORD || OF_HANDLE.includes(code) || OF_CODE.includes(code);
    if (isShown) this.go("input[aria-invalid=true]", "#code");
    return isShown;
  }

  render() {
    if (this.closed) return html`<p role="alert">${t("account.closed")}</p>`;
    return html`
      <form novalidate @submit=${this.submit}>
        ${this.handleField()}
        ${canUsePasskeys() ? this.ways() : nothing}
        ${this.byPasskey ? html`<p class="hint">${t("account.open.passkeyHow")}</p>` : this.passwordFields()}
        ${this.needsCode ? this.codeField() : nothing}
        ${this.told()}
        <p><button class="main" aria-disabled=${this.held}>${t("account.open.do")}</button></p>
      </form>
    `;
  }

  handleField() {
    const wrong = this.wrongHandle || this.faultTyped;
    return html`
      <div>
        <label class="label" for="handle">${t("account.handle")}</label>
        <input id="handle" name="handle" type="text" autocomplete="username" autocapitalize="none" spellcheck="false"
          maxlength=${HANDLE_LONGEST} aria-describedby="handle-hint handle-wrong"
          aria-invalid=${wrong === "" ? "false" : "true"}
          @input=${(/** @type {Event} */ event) => {
            this.handle = /** @type {HTMLInputElement} */ (event.target).value.trim();
            this.wrongHandle = "";
          }} />
        <p id="handle-wrong" class="wrong" role="alert">${wrong}</p>
        <p id="handle-hint" class="hint">${t("account.handle.hint")}</p>
      </div>
    `;
  }

  /** @param {boolean} byPasskey */
  choose(byPasskey) {
    this.byPasskey = byPasskey;
    this.password = "";
    this.wrongPassword = "";
  }

  ways() {
    const way = (/** @type {boolean} */ byPasskey, /** @type {string} */ label) => html`
      <label>
        <input type="radio" name="way" .checked=${this.byPasskey === byPasskey}
          @change=${() => this.choose(byPasskey)} />
        ${label}
      </label>
    `;
    return html`
      <fieldset class="choices">
        <legend>${t("account.open.way")}</legend>
        ${way(false, t("account.password"))} ${way(true, t("account.passkey"))}
      </fieldset>
    `;
  }

  passwordFields() {
    return newSecretField({
      name: "password",
      label: t("account.password"),
      password: this.password,
      handle: this.handle,
      wrong: this.wrongPassword,
      typed: (password) => {
        this.password = password;
        this.wrongPassword = "";
      },
    });
  }

  codeField() {
    return html`
      <div>
        <label class="label" for="code">${t("account.signUpCode")}</label>
        <input id="code" name="code" type="text" autocomplete="off" autocapitalize="none" spellcheck="false"
          aria-describedby="code-hint code-wrong" aria-invalid=${this.wrongCode === "" ? "false" : "true"} />
        <p id="code-wrong" class="wrong" role="alert">${this.wrongCode}</p>
        <p id="code-hint" class="hint">${t("account.signUpCode.hint")}</p>
      </div>
    `;
  }
}

customElements.define("lusoria-open-account", LusoriaOpenAccount);
