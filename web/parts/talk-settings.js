// The talk settings of an account: free text besides phrases, children's mode.

import { Problem } from "../api/rest.js";
import { css, html, live, nothing } from "../lit.js";
import { keepTalkSettings, talkSettings } from "../player/talk.js";
import { base, buttons, fields } from "../style/shared.js";
import { find, t } from "../text/text.js";
import { problemText } from "../text/words.js";
import { Doing } from "./doing.js";
import "./proof.js";

/** @typedef {import("../player/talk.js").TalkSettings} TalkSettings */

/** `<lusoria-talk-settings>`: of the person's account; `ways` to prove their identity. */
export class LusoriaTalkSettings extends Doing {
  static properties = { ...Doing.properties, ways: { attribute: false }, settings: { state: true } };

  static styles = [
    base,
    buttons,
    fields,
    css`
      :host {
        display: grid;
        gap: var(--gap-m);
      }
    `,
  ];

  constructor() {
    super();
    /** @type {import("../player/account.js").Ways} */
    this.ways = { password: true, passkey: false };
    /** @type {TalkSettings | undefined} */
    this.settings = undefined;
  }

  connectedCallback() {
    super.connectedCallback();
    this.load();
  }

  async load() {
    try {
      this.settings = await talkSettings();
    } catch (why) {
      if (!(why instanceof Problem)) throw why;
      this.wrong = problemText(why);
    }
  }

  /** @param {{text?: boolean, childrens_mode?: boolean}} changed */
  async keep(changed) {
    const { settings } = this;
    if (!settings) return;
    const wanted = { ...settings, ...changed };
    const keep = async (/** @type {Partial<import("../player/account.js").Proof>} */ proof = {}) => {
      this.settings = await keepTalkSettings(wanted, proof);
      this.said = t("talk.settings.kept");
    };
    if (settings.childrens_mode && !wanted.childrens_mode) {
      const proof = /** @type {import("./proof.js").LusoriaProof} */ (this.renderRoot.querySelector("lusoria-proof"));
      const purpose = {
        heading: t("talk.settings.leave"),
        text: t("talk.settings.leave.why"),
        action: t("talk.settings.leave"),
      };
      await proof.ask(purpose, keep);
    } else {
      this.settings = wanted;
      await this.does(() =>
        keep().catch((why) => {
          this.settings = settings;
          throw why;
        }),
      );
    }
    // A choice that was not stored is not shown.
    this.requestUpdate();
  }

  render() {
    const { settings } = this;
    return html`
      ${settings ? this.choices(settings) : nothing}
      ${this.told()}
      <lusoria-proof .ways=${this.ways}></lusoria-proof>
    `;
  }

  /** @param {TalkSettings} settings */
  choices(settings) {
    const { text, childrens_mode, server_childrens_mode, server_speech, why_no_text } = settings;
    const why = text && why_no_text ? find(`talk.settings.why.${why_no_text}`) : undefined;
    return html`
      <fieldset class="choices">
        <legend>${t("talk.settings.what")}</legend>
        <label>
          <input type="checkbox" .checked=${live(text)} ?disabled=${server_speech !== "text"}
            @change=${() => this.keep({ text: !text })} />
          ${t("talk.settings.text")}
        </label>
        <label>
          <input type="checkbox" .checked=${live(childrens_mode || server_childrens_mode)} ?disabled=${server_childrens_mode}
            @change=${() => this.keep({ childrens_mode: !childrens_mode })} />
          ${t("talk.settings.childrens")}
        </label>
      </fieldset>
      <p class="hint">${t("talk.settings.childrens.what")}</p>
      ${why ? html`<p class="hint">${why}</p>` : nothing}
      ${server_speech === "text" ? nothing : html`<p class="hint">${t("talk.settings.why.server")}</p>`}
    `;
  }
}

customElements.define("lusoria-talk-settings", LusoriaTalkSettings);
