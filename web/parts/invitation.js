// The link of an invitation: to copy, share or scan.

import { LitElement, css, html, nothing } from "../lit.js";
import { base, buttons, fields } from "../style/shared.js";
import { t } from "../text/text.js";
import { moment } from "../text/words.js";
import "./qr.js";

/** `<lusoria-invitation>`: `code` and `expires` (milliseconds since the epoch) of an invitation. */
export class InvitationElement extends LitElement {
  static properties = {
    code: { attribute: false },
    expires: { attribute: false },
    copied: { state: true },
    uncopied: { state: true },
  };

  static styles = [
    base,
    buttons,
    fields,
    css`
      :host {
        display: grid;
        gap: var(--gap-s);
        justify-items: center;
        text-align: center;
      }
      .link {
        display: flex;
        gap: var(--gap-s);
        width: 100%;
      }
      input {
        flex: 1;
        min-width: 0;
      }
    `,
  ];

  constructor() {
    super();
    this.code = "";
    this.expires = 0;
    this.copied = false;
    this.uncopied = false;
  }

  /** The link. */
  get link() {
    return `${location.origin}/join#${this.code}`;
  }

  render() {
    return html`
      <p>${t("match.inviteHow")}</p>
      <lusoria-qr .text=${this.code ? this.link : ""} .name=${t("match.inviteQr")}></lusoria-qr>
      <div class="link">
        <input type="text" readonly .value=${this.link} aria-label=${t("match.inviteLink")}
          @focus=${(/** @type {Event} */ event) => /** @type {HTMLInputElement} */ (event.target).select()} />
        <button class="main" @click=${this.copy}>${this.copied ? t("match.copied") : t("match.copy")}</button>
        ${"share" in navigator ? html`<button @click=${this.share}>${t("match.share")}</button>` : nothing}
      </div>
      <p class="small" role="alert" ?hidden=${!this.uncopied}>${this.uncopied ? t("common.uncopied") : ""}</p>
      ${this.expires
        ? html`<p class="small muted">${t("match.inviteUntil", { time: moment(this.expires) })}</p>`
        : nothing}
    `;
  }

  async copy() {
    this.copied = await copyText(this.link, this.renderRoot.querySelector("input"));
    this.uncopied = !this.copied;
  }

  share() {
    // The person has cancelled sharing.
    navigator.share({ title: "Lusoria", url: this.link }).catch(() => {});
  }
}

/**
 * Copies a text, also where scripts cannot use the clipboard.
 * @param {string} text
 * @param {HTMLInputElement | HTMLTextAreaElement | null} field holds the text
 * @returns {Promise<boolean>} whether it was copied
 */
export async function copyText(text, field) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text).then(() => true, () => false);
  field?.select();
  return document.execCommand("copy");
}

customElements.define("lusoria-invitation", InvitationElement);
