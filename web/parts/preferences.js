// A button that opens the person's preferences in a dialogue.

import { css, html, nothing } from "../lit.js";
import { guest, identity } from "../player/identity.js";
import { prefer, preferences, preferred } from "../player/preferences.js";
import { PatientElement } from "../own-task.js";
import { base, buttons, fields } from "../style/shared.js";
import { chooseLanguage, currentLanguage, languageName, languages, t } from "../text/text.js";
import "./dialog.js";

/** @typedef {import("./dialog.js").LusoriaDialog} LusoriaDialog */
/** @typedef {import("../player/preferences.js").Preferences} Preferences */
/** @typedef {keyof Preferences} Preference */

/** The choices of each preference, by the keys of their texts. */
const CHOICES = /** @type {const} */ ([
  ["theme", ["auto", "light", "dark"]],
  ["board", ["own", "wood", "stone", "inscribed", "contrast"]],
  ["throwing", ["click", "auto"]],
  ["clicks", ["one", "two"]],
  ["confirming", ["ask", "choice", "auto"]],
  ["forced", ["tap", "auto"]],
  ["ahead", ["on", "off"]],
  ["pace", ["slow", "normal", "quick", "none"]],
  ["talk", ["on", "off"]],
  ["tv", ["on", "off"]],
  ["keys", ["on", "off"]],
  ["sounds", ["on", "off"]],
  ["volume", ["low", "medium", "high"]],
  ["motion", ["auto", "none"]],
]);

/** The preferences that the server applies, which it knows for accounts only. @type {Preference[]} */
const OF_ACCOUNTS = ["tv"];

/** `<lusoria-preferences>`: a button that opens them. */
export class LusoriaPreferences extends PatientElement {
  static properties = { wasOpened: { state: true } };

  static styles = [
    base,
    buttons,
    fields,
    css`
      .all {
        display: grid;
        gap: var(--gap-m);
      }

      .label,
      legend {
        font-size: var(--size-s);
      }

      select {
        width: auto;
        min-width: 12rem;
      }
    `,
  ];

  constructor() {
    super();
    /** Whether it has been opened: before, the dialogue does not render. */
    this.wasOpened = false;
    this.changed = () => this.requestUpdate();
  }

  connectedCallback() {
    super.connectedCallback();
    preferences.addEventListener("change", this.changed);
    identity.addEventListener("change", this.changed);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    preferences.removeEventListener("change", this.changed);
    identity.removeEventListener("change", this.changed);
  }

  async open() {
    this.wasOpened = true;
    await this.updateComplete;
    /** @type {LusoriaDialog} */ (this.renderRoot.querySelector("lusoria-dialog")).open();
  }

  render() {
    return html`
      <button
        class="plain icon"
        aria-haspopup="dialog"
        aria-label=${t("preferences.title")}
        @click=${this.open}
      >
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M4 7h8M18 7h2M4 17h2M12 17h8" />
          <circle cx="15" cy="7" r="2.6" />
          <circle cx="9" cy="17" r="2.6" />
        </svg>
      </button>
      <lusoria-dialog heading=${t("preferences.title")}>
        ${this.wasOpened ? this.all() : nothing}
      </lusoria-dialog>
    `;
  }

  all() {
    return html`
        <div class="all">
          <label>
            <span class="label">${t("preferences.language")}</span>
            <select @change=${speak}>
              ${languages().map(
                (name) => html`
                  <option value=${name} lang=${name} ?selected=${name === currentLanguage()}>
                    ${languageName(name)}
                  </option>
                `,
              )}
            </select>
          </label>
          ${CHOICES.filter(([name]) => guest()?.handle || !OF_ACCOUNTS.includes(name)).map(([name, values]) =>
            this.choice(name, values),
          )}
          <p class="hint">${t(guest()?.handle ? "preferences.keptWithAccount" : "preferences.kept")}</p>
        </div>
    `;
  }

  /** @param {Preference} name @param {readonly string[]} values */
  choice(name, values) {
    return html`
      <fieldset class="choices">
        <legend>${t(`preferences.${name}`)}</legend>
        ${values.map(
          (value) => html`
            <label>
              <input
                type="radio"
                name=${name}
                .checked=${shown(name) === value}
                @change=${() => choose(name, value)}
              />
              ${t(`preferences.${name}.${value}`)}
            </label>
          `,
        )}
        ${name === "keys" ? html`<p class="hint">${t("preferences.keys.way")}</p>` : nothing}
      </fieldset>
    `;
  }
}

/** @param {Preference} name */
function shown(name) {
  const value = preferred(name);
  return typeof value === "boolean" ? (value ? "on" : "off") : value;
}

/** @param {Preference} name @param {string} value */
function choose(name, value) {
  prefer(name, /** @type {any} */ (name === "sounds" ? value === "on" : value));
}

/** @param {Event} changed */
function speak(changed) {
  const name = /** @type {HTMLSelectElement} */ (changed.target).value;
  chooseLanguage(name);
  const here = new URL(location.href);
  // The server's text is in the language of the URL: load it again.
  if (document.querySelector("main.text")) here.searchParams.set("lang", name);
  else here.searchParams.delete("lang");
  history.replaceState(null, "", here);
  location.reload();
}

customElements.define("lusoria-preferences", LusoriaPreferences);
