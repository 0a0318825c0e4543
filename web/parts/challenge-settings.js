// Who may challenge the person, and to which games. Each choice is stored at once.

import { Problem } from "../api/rest.js";
import { GAMES } from "../game/games.js";
import { LitElement, css, html, live, nothing } from "../lit.js";
import { challengeSettings, keepChallengeSettings } from "../player/people.js";
import { identity, token } from "../player/identity.js";
import { base, buttons, fields } from "../style/shared.js";
import { t } from "../text/text.js";
import { gameName, problemText } from "../text/words.js";

/** @typedef {import("../api/wire").components["schemas"]["ChallengeSettings"]} ChallengeSettings */
/** @typedef {import("../api/wire").components["schemas"]["Game"]} Game */

/** @type {ChallengeSettings["from"][]} */
const FROM = ["everyone", "followed", "nobody"];

/** `<lusoria-challenge-settings>`: of this device's guest; empty if there is none yet. */
export class LusoriaChallengeSettings extends LitElement {
  static properties = {
    settings: { state: true },
    said: { state: true },
    wrong: { state: true },
  };

  static styles = [
    base,
    buttons,
    fields,
    css`
      :host {
        display: grid;
        gap: var(--gap-m);
      }

      p:empty {
        display: none;
      }
    `,
  ];

  constructor() {
    super();
    /** @type {ChallengeSettings | undefined} */
    this.settings = undefined;
    this.said = "";
    this.wrong = "";
    /** The guest whose settings these are. @type {string | null} */
    this.asker = null;
    /** Stores the choices one after the other. @type {Promise<unknown>} */
    this.keeping = Promise.resolve();
    this.changed = () => token() !== this.asker && this.load();
  }

  connectedCallback() {
    super.connectedCallback();
    identity.addEventListener("change", this.changed);
    this.load();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    identity.removeEventListener("change", this.changed);
  }

  async load() {
    this.asker = token();
    this.settings = undefined;
    this.said = "";
    this.wrong = "";
    if (this.asker === null) return;
    try {
      this.settings = await challengeSettings();
    } catch (why) {
      this.failed(why);
    }
  }

  /** @param {unknown} why */
  failed(why) {
    if (!(why instanceof Problem)) throw why;
    this.wrong = problemText(why);
  }

  /** Shows a choice and stores it; if that fails, the display reverts. @param {ChallengeSettings} settings */
  keep(settings) {
    const { asker } = this;
    this.settings = settings;
    this.said = "";
    this.wrong = "";
    this.keeping = this.keeping.then(async () => {
      // Later choices replace earlier ones that wait.
      if (settings !== this.settings || asker !== token()) return;
      try {
        await keepChallengeSettings(settings);
        if (settings === this.settings) this.said = t("challenge.settings.kept");
      } catch (why) {
        await this.load();
        this.failed(why);
      }
    });
  }

  /** @param {ChallengeSettings} settings @param {Game} game */
  turn(settings, game) {
    const taken = takenOf(settings);
    const games = GAMES.filter((other) => taken.includes(other) !== (other === game));
    if (games.length === 0) {
      this.wrong = t("challenge.settings.none");
      return this.requestUpdate();
    }
    // Choosing all games includes future ones.
    return this.keep({ ...settings, games: games.length === GAMES.length ? [] : games });
  }

  render() {
    const { settings } = this;
    return html`
      ${settings ? this.choices(settings) : nothing}
      <p role="status" class="hint">${this.said}</p>
      <p role="alert" class="wrong">${this.wrong}</p>
      ${!settings && this.wrong ? html`<p><button @click=${this.load}>${t("common.retry")}</button></p>` : nothing}
    `;
  }

  /** @param {ChallengeSettings} settings */
  choices(settings) {
    const taken = takenOf(settings);
    return html`
      <fieldset class="choices">
        <legend>${t("challenge.settings.from")}</legend>
        ${FROM.map(
          (from) => html`
            <label>
              <input type="radio" name="from" .checked=${live(settings.from === from)}
                @change=${() => this.keep({ ...settings, from })} />
              ${t(`challenge.settings.from.${from}`)}
            </label>
          `,
        )}
      </fieldset>
      ${settings.from === "nobody"
        ? nothing
        : html`<fieldset class="choices">
            <legend>${t("challenge.settings.games")}</legend>
            ${GAMES.map(
              (game) => html`
                <label>
                  <input type="checkbox" .checked=${live(taken.includes(game))} @change=${() => this.turn(settings, game)} />
                  ${gameName(game)}
                </label>
              `,
            )}
          </fieldset>`}
    `;
  }
}

/** The games that the person accepts: no list means all of them. @param {ChallengeSettings} settings @returns {Game[]} */
const takenOf = ({ games = [] }) => (games.length === 0 ? GAMES : games);

customElements.define("lusoria-challenge-settings", LusoriaChallengeSettings);
