// A field for a password, which can be made to be seen.

import { css, html, nothing } from "../lit.js";
import { PASSWORD_LONGEST, passwordStrength } from "../player/account.js";
import { t } from "../text/text.js";

/** How it looks; for the styles of elements that have one. */
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
 * @property {string} [describedBy] the id of what is said of it
 * @property {boolean} [isWrong]
 * @property {boolean} [isFirst] whether it has the focus where a dialogue opens
 * @property {(password: string) => void} [typed]
 */

/** The field with its label. It is a template, so that the form around it has it. @param {Secret} secret */
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
 * Whose password a form is about, for password managers: nobody needs to see it.
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
 * @property {string} password what has been typed
 * @property {string} handle whose it will be, as far as that is known
 * @property {string} wrong why it cannot be taken; "" if it can
 * @property {(password: string) => void} typed
 */

/** The field for a new password: how good it is stands below. @param {NewSecret} secret */
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

/** Shows what was typed, or hides it. @param {Event} click */
function turn(click) {
  const button = /** @type {HTMLButtonElement} */ (click.currentTarget);
  const input = /** @type {HTMLInputElement} */ (button.parentElement?.querySelector("input"));
  const isSeen = input.type === "password";
  input.type = isSeen ? "text" : "password";
  button.setAttribute("aria-pressed", String(isSeen));
}
