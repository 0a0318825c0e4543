// The talk beside a match: what was said, and phrases that are said by one tap.

import { css, html, nothing } from "../lit.js";
import { PHRASES, TEXT_MAX, Talk } from "../match/talk.js";
import { preferences, preferred } from "../player/preferences.js";
import { base, buttons, fields } from "../style/shared.js";
import { find, t } from "../text/text.js";
import { markedText } from "../text/words.js";
import { Doing, typed } from "./doing.js";

/** @typedef {import("../match/talk.js").Remark} Remark */

/** `<lusoria-talk>`: of the match `live`; `open` to begin with, or closed. Nothing where there is none. */
export class LusoriaTalk extends Doing {
  static properties = {
    ...Doing.properties,
    live: { attribute: false },
    open: { type: Boolean },
    isOpen: { state: true },
    heard: { state: true },
  };

  static styles = [
    base,
    buttons,
    fields,
    css`
      summary {
        cursor: pointer;
        padding: var(--gap-xs) 0;
      }

      ol {
        display: grid;
        gap: var(--gap-xs);
        max-height: 9rem;
        margin: 0 0 var(--gap-s);
        padding: 0;
        overflow-y: auto;
        list-style: none;
        overflow-wrap: anywhere;
      }

      .phrases {
        display: flex;
        flex-wrap: wrap;
        gap: var(--gap-xs);
        max-height: 8rem;
        overflow-y: auto;
      }

      .phrases button {
        padding: var(--gap-xs) var(--gap-s);
        font-size: var(--size-s);
      }

      form {
        display: flex;
        gap: var(--gap-s);
        margin-top: var(--gap-s);
      }

      input {
        flex: 1;
        min-width: 0;
      }
    `,
  ];

  constructor() {
    super();
    /** @type {import("../match/live.js").LiveMatch} */
    this.live;
    this.open = false;
    this.isOpen = false;
    /** How many remarks had been seen when it was last open. */
    this.heard = 0;
    /** @type {Talk | undefined} */
    this.talk = undefined;
    this.changed = () => {
      if (this.isOpen) this.heard = this.talk?.remarks.length ?? 0;
      this.requestUpdate();
    };
    this.preferred = () => {
      if (preferred("talk") === "off") this.end();
      else this.begin();
    };
  }

  connectedCallback() {
    super.connectedCallback();
    preferences.addEventListener("change", this.preferred);
    if (this.hasUpdated) this.preferred();
  }

  willUpdate() {
    if (this.hasUpdated) return;
    // It may have stood in the page before it was loaded: of which match it is, is known from now on.
    this.isOpen = this.open;
    this.preferred();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    preferences.removeEventListener("change", this.preferred);
    this.end();
  }

  begin() {
    if (this.talk) return;
    this.talk = new Talk(this.live);
    this.talk.addEventListener("change", this.changed);
    this.talk.start();
  }

  end() {
    this.talk?.removeEventListener("change", this.changed);
    this.talk?.stop();
    this.talk = undefined;
    this.requestUpdate();
  }

  /** What was said last is in sight. */
  updated() {
    const list = this.renderRoot.querySelector("ol");
    if (list) list.scrollTop = list.scrollHeight;
  }

  /** @param {Event} event */
  toggled(event) {
    this.isOpen = /** @type {HTMLDetailsElement} */ (event.target).open;
    this.changed();
  }

  /** @param {SubmitEvent} submitted */
  async write(submitted) {
    const text = typed(submitted)("text").trim();
    const form = /** @type {HTMLFormElement} */ (submitted.target);
    if (text !== "" && (await this.does(async () => this.talk?.say({ text })))) form.reset();
  }

  render() {
    const { talk } = this;
    if (!talk?.isThere) return nothing;
    const unread = this.isOpen ? 0 : talk.remarks.length - this.heard;
    return html`
      <details ?open=${this.isOpen} @toggle=${this.toggled}>
        <summary>${t(`talk.${talk.room}`)}${unread > 0 ? html` <strong>(${unread})</strong>` : nothing}</summary>
        <ol role="log" aria-label=${t(`talk.${talk.room}`)} tabindex="0">${talk.remarks.map(line)}</ol>
        ${talk.speech === "nothing" ? this.silence(talk) : this.speech(talk)}
        ${this.told()}
      </details>
    `;
  }

  /** Why nothing can be said. @param {Talk} talk */
  silence({ why }) {
    return html`<p class="hint">${find(`problems.${why}`) ?? t("talk.none")}</p>`;
  }

  /** @param {Talk} talk */
  speech(talk) {
    return html`
      <div class="phrases" role="group" aria-label=${t("talk.phrases")}>
        ${PHRASES.map(
          (phrase) => html`<button aria-disabled=${this.held} @click=${() => this.does(() => talk.say({ phrase }))}>
            ${t(`talk.phrase.${phrase}`)}
          </button>`,
        )}
      </div>
      ${talk.speech === "text"
        ? html`<form @submit=${this.write}>
            <input name="text" maxlength=${TEXT_MAX} autocomplete="off" aria-label=${t("talk.text")} />
            <button aria-disabled=${this.held}>${t("talk.say")}</button>
          </form>`
        : nothing}
    `;
  }
}

/** @param {Remark} remark */
function line({ from, phrase, text }) {
  const said = phrase === undefined ? text : (find(`talk.phrase.${phrase}`) ?? phrase);
  return html`<li><strong>${markedText(from)}</strong> ${said}</li>`;
}

customElements.define("lusoria-talk", LusoriaTalk);
