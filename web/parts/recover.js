// A recovery code instead of a lost password: sets a new one, and signs in.

import { css, html } from "../lit.js";
import { HANDLE_LONGEST, fitsPassword, recover } from "../player/account.js";
import { guest } from "../player/identity.js";
import { base, buttons, fields } from "../style/shared.js";
import { t } from "../text/text.js";
import { problemText } from "../text/words.js";
import { Doing, typed } from "./doing.js";
import { newSecretField, secretStyle } from "./secret.js";

const CODE_LONGEST = 64;

/** `<lusoria-recover>`. Event: `lusoria-signed-in`, with the previous and the new guest of this device as its detail. */
export class LusoriaRecover extends Doing {
  static properties = {
    password: { state: true },
    handle: { state: true },
    wrongPassword: { state: true },
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
    this.wrongPassword = "";
  }

  /** @param {SubmitEvent} submitted */
  async submit(submitted) {
    const field = typed(submitted);
    const [handle, code] = [field("username").trim(), field("code").trim()];
    if (handle === "" || code === "") {
      this.wrong = t("signIn.recover.missing");
      return this.go(handle === "" ? "#username" : "#code");
    }
    if (!fitsPassword(this.password)) {
      this.wrongPassword = t("account.password.unfit");
      return this.go("#new-password");
    }
    const before = guest();
    return this.does(
      async () => {
        const now = await recover(handle, code, this.password);
        this.dispatchEvent(new CustomEvent("lusoria-signed-in", { detail: { before, now } }));
      },
      (problem) => {
        if (problem.code === "common_password") {
          this.wrongPassword = problemText(problem);
          this.go("#new-password");
          return true;
        }
        if (!["wrong_credentials", "invalid_body"].includes(problem.code)) return false;
        this.wrong = t("signIn.recover.wrong");
        return true;
      },
    );
  }

  render() {
    return html`
      <form novalidate @submit=${this.submit}>
        <div>
          <label class="label" for="username">${t("account.handle")}</label>
          <input id="username" name="username" type="text" autocomplete="username" autocapitalize="none"
            spellcheck="false" maxlength=${HANDLE_LONGEST}
            @input=${(/** @type {Event} */ event) => (this.handle = /** @type {HTMLInputElement} */ (event.target).value)} />
        </div>
        <div>
          <label class="label" for="code">${t("signIn.recover.code")}</label>
          <input id="code" name="code" type="text" autocomplete="off" autocapitalize="none" spellcheck="false"
            maxlength=${CODE_LONGEST} />
        </div>
        ${newSecretField({
          name: "new-password",
          label: t("account.password.new"),
          password: this.password,
          handle: this.handle.trim(),
          wrong: this.wrongPassword,
          typed: (password) => {
            this.password = password;
            this.wrongPassword = "";
          },
        })}
        ${this.told()}
        <p><button class="main" aria-disabled=${this.held}>${t("signIn.recover.do")}</button></p>
      </form>
    `;
  }
}

customElements.define("lusoria-recover", LusoriaRecover);
