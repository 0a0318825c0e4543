// The talk beside a match: the remarks, and phrases that are sent with one tap.

import { css, html, nothing } from "../lit.js";
import { TEXT_MAX, Talk } from "../match/talk.js";
import { preferences, preferred } from "../player/preferences.js";
import { base, buttons, fields } from "../style/shared.js";
import { find, t } from "../text/text.js";
import { markedText } from "../text/words.js";
import { Doing, typed } from "./doing.js";

/** @typedef {import("../match/talk.js").Remark} Remark */

/**
 * Loads the talk of a match while the person wants it, even if it is hidden.
 * @param {import("./match.js").MatchElement} match
 */
export function hearTalk(match) {
  const prefer = () => {
    if (preferred("talk") === "off") {
      match.talk?.stop();
      match.talk = undefined;
    } else if (!match.talk) {
      const talk = (match.talk = new Talk(match.live));
      talk.addEventListener("change", () => match.requestUpdate());
      talk.addEventListener("heard", (event) => match.saying.tell(saidText(/** @type {CustomEvent} */ (event).detail)));
      talk.start();
    }
  };
  preferences.addEventListener("change", prefer);
  prefer();
}

/** `<lusoria-talk>`: a `talk`; `open` at first, or closed. Empty without talk. */
export class LusoriaTalk extends Doing {
  static properties = {
    ...Doing.properties,
    // Only the element itself knows the draft.
    talk: { attribute: false, hasChanged: () => true },
    open: { type: Boolean },
    isOpen: { state: true },
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
    /** @type {Talk | undefined} */
    this.talk = undefined;
    this.open = false;
    this.isOpen = false;
  }

  willUpdate() {
    if (!this.hasUpdated) this.isOpen = this.open;
    this.talk?.show(this.isOpen);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.talk?.show(false);
  }

  /** Scrolls to the last remark. */
  updated() {
    const list = this.renderRoot.querySelector("ol");
    if (list) list.scrollTop = list.scrollHeight;
  }

  /** @param {Event} event */
  toggled(event) {
    this.isOpen = /** @type {HTMLDetailsElement} */ (event.target).open;
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
    return html`
      <details ?open=${this.isOpen} @toggle=${this.toggled}>
        <summary>${t(`talk.${talk.room}`)}${talk.unseen > 0 ? html` <strong>(${talk.unseen})</strong>` : nothing}</summary>
        <ol role="log" aria-label=${t(`talk.${talk.room}`)} tabindex="0">${talk.remarks.map(line)}</ol>
        ${talk.speech === "nothing" ? this.silence(talk) : this.speech(talk)}
        ${this.told()}
      </details>
    `;
  }

  /** Why the person cannot write. @param {Talk} talk */
  silence({ why }) {
    return html`<p class="hint">${find(`problems.${why}`) ?? t("talk.none")}</p>`;
  }

  /** @param {Talk} talk */
  speech(talk) {
    return html`
      <div class="phrases" role="group" aria-label=${t("talk.phrases")}>
        ${talk.phrases.map(
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
const line = (remark) => html`<li><strong>${markedText(remark.from)}</strong> ${wordsOf(remark)}</li>`;

/** A remark in the reader's language. @param {Remark} remark */
const wordsOf = ({ phrase, text }) => (phrase ? (find(`talk.phrase.${phrase}`) ?? phrase) : text);

/** The author of a remark, and its text. @param {Remark} remark */
const saidText = (remark) => t("talk.said", { name: markedText(remark.from), words: wordsOf(remark) ?? "" });

customElements.define("lusoria-talk", LusoriaTalk);
