// The line with which another site shows a match in a frame: to copy.

import { LitElement, css, html, nothing } from "../lit.js";
import { base, buttons, fields } from "../style/shared.js";
import { currentLanguage, t } from "../text/text.js";
import { gameName } from "../text/words.js";
import "./dialog.js";
import { copyText } from "./invitation.js";

/** How large the frame is unless the other site wants it otherwise, in CSS pixels. */
const SIZE_PX = { width: 560, height: 480 };

/**
 * `<lusoria-embed-code>`: a button that opens the line; `match` is the id of a listed match, `game` its game. With
 * `channel` it is the line of the channel of the game.
 */
export class EmbedCodeElement extends LitElement {
  static properties = {
    match: { attribute: false },
    game: { attribute: false },
    channel: { type: Boolean },
    isOpen: { state: true },
    copied: { state: true },
    uncopied: { state: true },
  };

  static styles = [
    base,
    buttons,
    fields,
    css`
      :host {
        display: contents;
      }
      button.link {
        min-height: 1.5rem;
        padding: 0;
        border: 0;
        background: none;
        color: var(--accent);
        font: inherit;
        text-decoration: underline;
        text-decoration-thickness: 0.06em;
        text-underline-offset: 0.15em;
      }
      textarea {
        display: block;
        width: 100%;
        margin: var(--gap-s) 0;
        padding: 0.375rem 0.75rem;
        border: 1px solid var(--edge);
        border-radius: var(--round-s);
        background: var(--raised);
        color: var(--ink);
        font: var(--size-s) / 1.4 var(--mono);
        resize: none;
      }
    `,
  ];

  constructor() {
    super();
    this.match = "";
    /** @type {import("../text/words.js").Game | ""} */
    this.game = "";
    this.channel = false;
    this.isOpen = false;
    this.copied = false;
    this.uncopied = false;
  }

  /** The line. Nothing in it was written by players. */
  get line() {
    const path = this.channel ? `tv/${this.game}` : `match/${this.match}`;
    const address = `${location.origin}/embed/${path}?lang=${currentLanguage()}`;
    const title = t("embed.frame", { game: gameName(/** @type {any} */ (this.game)) });
    const { width, height } = SIZE_PX;
    return `<iframe src="${address}" title="${title}" width="${width}" height="${height}" style="border: 0" loading="lazy"></iframe>`;
  }

  render() {
    return html`
      <button class="link" aria-haspopup="dialog" @click=${this.open}>${t("embed.title")}</button>
      <lusoria-dialog heading=${t("embed.title")} @lusoria-closed=${() => (this.isOpen = false)}>
        ${this.isOpen ? this.content() : nothing}
      </lusoria-dialog>
    `;
  }

  content() {
    return html`
      <p>${this.channel ? t("embed.what.channel") : t("embed.what")}</p>
      <textarea readonly rows="5" spellcheck="false" aria-label=${t("embed.code")} .value=${this.line}
        @focus=${(/** @type {Event} */ event) => /** @type {HTMLTextAreaElement} */ (event.target).select()}></textarea>
      <button class="main" autofocus @click=${this.copy}>${this.copied ? t("match.copied") : t("match.copy")}</button>
      <p class="small" role="alert" ?hidden=${!this.uncopied}>${this.uncopied ? t("common.uncopied") : ""}</p>
    `;
  }

  async open() {
    this.copied = this.uncopied = false;
    this.isOpen = true;
    await this.updateComplete;
    await /** @type {import("./dialog.js").LusoriaDialog} */ (this.renderRoot.querySelector("lusoria-dialog")).open();
  }

  async copy() {
    this.copied = await copyText(this.line, this.renderRoot.querySelector("textarea"));
    this.uncopied = !this.copied;
  }
}

customElements.define("lusoria-embed-code", EmbedCodeElement);
