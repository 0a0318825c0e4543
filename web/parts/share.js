// Shares a match, a position of it, or a TV channel: the link, the picture, a frame for other sites, the record.

import { LitElement, css, html, nothing } from "../lit.js";
import { base, buttons, fields } from "../style/shared.js";
import { currentLanguage, t } from "../text/text.js";
import { gameName } from "../text/words.js";
import { openIn } from "./dialog.js";
import { copyText } from "./invitation.js";

/** @typedef {import("../text/words.js").Game} Game */

/**
 * The thing to share.
 * @typedef {object} Shared
 * @property {Game} game
 * @property {string} path its path: "match/ID" or "tv/GAME"
 * @property {number} [at] the event of the position shown
 * @property {number} [head] the last event of the match
 * @property {string} [framed] what its frame shows, if that is neither a match nor a channel
 * @property {boolean} isListed whether other sites may show it
 */

/** The default size of the frame, in CSS pixels. */
const SIZE_PX = { width: 560, height: 480 };

/** `<lusoria-share>`: shares `what`. It exists only while its dialogue is open. */
class ShareElement extends LitElement {
  static properties = { what: { attribute: false }, copied: { state: true } };

  static styles = [
    base,
    buttons,
    fields,
    css`
      section + section {
        margin-top: var(--gap-m);
      }
      .row {
        display: flex;
        flex-wrap: wrap;
        gap: var(--gap-s);
        margin-top: var(--gap-xs);
      }
      .row :is(input, textarea) {
        flex: 1 1 14rem;
        min-width: 0;
      }
      textarea {
        padding: 0.375rem 0.75rem;
        border: 1px solid var(--edge);
        border-radius: var(--round-s);
        background: var(--raised);
        color: var(--ink);
        font: var(--size-s) / 1.4 var(--mono);
        resize: none;
      }
      img {
        display: block;
        width: 100%;
        aspect-ratio: 1200 / 630;
        border: 1px solid var(--line);
        border-radius: var(--round-s);
      }
    `,
  ];

  constructor() {
    super();
    /** @type {Shared} */
    this.what;
    /** What was copied last: "link" or "frame"; after a failure "none". */
    this.copied = "";
  }

  get link() {
    const { at, path } = this.what;
    return `${location.origin}/${path}${at === undefined ? "" : `?at=${at}`}`;
  }

  /** The HTML of the frame. No part of it is written by players. */
  get frame() {
    const { game, path } = this.what;
    const address = `${location.origin}/embed/${path}?lang=${currentLanguage()}`;
    const { width, height } = SIZE_PX;
    return `<iframe src="${address}" title="${t("embed.frame", { game: gameName(game) })}" width="${width}" height="${height}" style="border: 0" loading="lazy"></iframe>`;
  }

  render() {
    const { at, framed, head, isListed, path } = this.what;
    const isMatch = path.startsWith("match/");
    const id = path.replace("match/", "");
    const record = `/api/v1/matches/${id}/record`;
    const picture = `/${path}/board.png?lang=${currentLanguage()}&head=${head}`;
    // The frame shows the present position, not an earlier one.
    const hasPicture = isListed && at === undefined;
    return html`
      <lusoria-dialog heading=${t("share.title")} @lusoria-closed=${() => this.remove()}>
        <section>${this.copying("link", "share.link", html`<input type="text" readonly aria-label=${t("share.link")} .value=${this.link} @focus=${select} />`)}</section>
        ${isMatch
          ? html`${hasPicture ? html`<section><img src=${picture} alt="" /></section>` : nothing}
              <section class="row">
                ${hasPicture ? html`<a class="button" href=${picture} download="lusoria-${id}.png">${t("share.picture")}</a>` : nothing}
                <a class="button" href=${record} download="lusoria-${id}.json">${t("match.record")}</a>
                <a class="button" href="${record}?format=text" download="lusoria-${id}.txt">${t("match.recordText")}</a>
              </section>`
          : nothing}
        ${isListed
          ? html`<section>
              <p>${framed ?? t(isMatch ? "embed.what" : "embed.what.channel")}</p>
              ${this.copying("frame", "embed.code", html`<textarea readonly rows="4" spellcheck="false" aria-label=${t("embed.code")} .value=${this.frame} @focus=${select}></textarea>`)}
            </section>`
          : nothing}
        <p class="small wrong" role="alert">${this.copied === "none" ? t("common.uncopied") : ""}</p>
      </lusoria-dialog>
    `;
  }

  /** @param {"link" | "frame"} what @param {string} name @param {unknown} field */
  copying(what, name, field) {
    return html`<div class="row">${field}
      <button class=${what === "link" ? "main" : ""} ?autofocus=${what === "link"} aria-label=${`${t("match.copy")}: ${t(name)}`}
        @click=${(/** @type {Event} */ { currentTarget }) => this.copy(what, currentTarget)}>${this.copied === what ? t("match.copied") : t("match.copy")}</button>
      ${what === "link" && "share" in navigator ? html`<button @click=${() => navigator.share({ title: document.title, url: this.link }).catch(() => {})}>${t("share.send")}</button>` : nothing}
    </div>`;
  }

  /** @param {"link" | "frame"} what @param {EventTarget | null} button */
  async copy(what, button) {
    const field = /** @type {HTMLInputElement} */ (/** @type {HTMLElement} */ (button).previousElementSibling);
    this.copied = (await copyText(this[what], field)) ? what : "none";
  }
}

/** @param {Event} event */
const select = ({ target }) => /** @type {HTMLInputElement} */ (target).select();

customElements.define("lusoria-share", ShareElement);

/** Opens the dialogue. @param {Shared} what */
export const share = (what) => openIn(Object.assign(new ShareElement(), { what }));
