// A field for a password, which can be made visible.

import { css, html, nothing } from "../lit.js";
import { PASSWORD_LONGEST, passwordStrength } from "../player/account.js";
import { t } from "../text/text.js";

/** Its styles, for elements that use it. */
export const secretStyle = css`
  .secret {
    display: flex;
    gap: var(--gap-s);
  }

  .secret input {
    flex: 1;
    min-width: 0;
  }

  .hint,
  .wrong:not(:empty) {
    margin-top: var(--gap-xs);
  }
`;

/**
 * @typedef {object} Secret
 * @property {string} name of the field; also its id
 * @property {string} label
 * @property {"current-password" | "new-password"} autocomplete for password managers
 * @property {string} [describedBy] the id of its description
 * @property {boolean} [isWrong]
 * @property {boolean} [isFirst] whether it gets the focus when a dialogue opens
 * @property {(password: string) => void} [typed]
 */

/** The field with its label. It is a template, so that it belongs to the form around it. @param {Secret} secret */
export const secretField = ({ name, label, autocomplete, describedBy, isWrong = false, isFirst = false, typed }) => html`
  <div>
    <label class="label" for=${name}>${label}</label>
    <div class="secret">
      <input id=${name} name=${name} type="password" autocomplete=${autocomplete} autocapitalize="none"
        spellcheck="false" maxlength=${PASSWORD_LONGEST} ?autofocus=${isFirst} aria-describedby=${describedBy ?? nothing}
        aria-invalid=${isWrong ? "true" : "false"}
        @input=${(/** @type {Event} */ event) => typed?.(/** @type {HTMLInputElement} */ (event.target).value)} />
      <button type="button" aria-pressed="false" aria-label=${t("account.password.show")} @click=${turn}>
        ${t("account.password.seen")}
      </button>
    </div>
  </div>
`;

/**
 * The handle of a form's password, for password managers: hidden from people.
 * @param {string} handle
 */
export const accountField = (handle) => html`
  <span class="unseen" aria-hidden="true">
    <input name="username" type="text" autocomplete="username" tabindex="-1" readonly .value=${handle} />
  </span>
`;

/**
 * @typedef {object} NewSecret
 * @property {string} name of the field; also its id
 * @property {string} label
 * @property {string} password the present input
 * @property {string} handle the handle of the account, as far as known
 * @property {string} wrong why it is refused; "" if it is not
 * @property {(password: string) => void} typed
 */

/** The field for a new password, with its strength below. @param {NewSecret} secret */
export const newSecretField = ({ name, label, password, handle, wrong, typed }) => html`
  <div>
    ${secretField({
      name,
      label,
      autocomplete: "new-password",
      describedBy: `${name}-wrong ${name}-strength`,
      isWrong: wrong !== "",
      typed,
    })}
    <p id=${`${name}-wrong`} class="wrong" role="alert">${wrong}</p>
    <p id=${`${name}-strength`} class="hint">${t(`account.strength.${passwordStrength(password, handle)}`)}</p>
  </div>
`;

/** Shows or hides the password. @param {Event} click */
function turn(click) {
  const button = /** @type {HTMLButtonElement} */ (click.currentTarget);
  const input = /** @type {HTMLInputElement} */ (button.parentElement?.querySelector("input"));
  const isSeen = input.type === "password";
  input.type = isSeen ? "text" : "password";
  button.setAttribute("aria-pressed", String(isSeen));
}
