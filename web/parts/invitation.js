// The link that invites to a match: to copy, to share, to scan.

import { LitElement, css, html, nothing } from "../lit.js";
import { base, buttons, fields } from "../style/shared.js";
import { t } from "../text/text.js";
import { moment } from "../text/words.js";

/** `<lusoria-invitation>`: `code` and `expires` (milliseconds since the epoch) of an invitation. */
export class InvitationElement extends LitElement {
  static properties = {
    code: { attribute: false },
    expires: { attribute: false },
    picture: { state: true },
    copied: { state: true },
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
      .qr {
        width: min(14rem, 60vw);
        padding: 0.75rem;
        border-radius: var(--round);
        background: #fff;
      }
      .qr svg {
        display: block;
        width: 100%;
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
    /** The squares of the QR code as a path. */
    this.picture = "";
    /** How many squares it is wide. */
    this.size = 0;
    this.copied = false;
  }

  /** The link. */
  get link() {
    return `${location.origin}/join#${this.code}`;
  }

  /** @param {Map<string, unknown>} changed */
  async willUpdate(changed) {
    if (!changed.has("code") || !this.code) return;
    // Only who invites needs it.
    const { encode } = await import("../qr.js");
    const { data, size } = encode(this.link, { ecc: "M", border: 2 });
    const squares = data.flatMap((/** @type {boolean[]} */ row, /** @type {number} */ y) =>
      row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : "")));
    this.size = size;
    this.picture = squares.join("");
  }

  render() {
    const { size } = this;
    return html`
      <p>${t("match.inviteHow")}</p>
      ${this.picture
        ? html`<div class="qr"><svg viewBox="0 0 ${size} ${size}" role="img" aria-label=${t("match.inviteQr")}
            shape-rendering="crispEdges"><path d=${this.picture} fill="#000" /></svg></div>`
        : nothing}
      <div class="link">
        <input type="text" readonly .value=${this.link} aria-label=${t("match.inviteLink")}
          @focus=${(/** @type {Event} */ event) => /** @type {HTMLInputElement} */ (event.target).select()} />
        <button class="main" @click=${this.copy}>${this.copied ? t("match.copied") : t("match.copy")}</button>
        ${"share" in navigator ? html`<button @click=${this.share}>${t("match.share")}</button>` : nothing}
      </div>
      ${this.expires
        ? html`<p class="small muted">${t("match.inviteUntil", { time: moment(this.expires) })}</p>`
        : nothing}
    `;
  }

  async copy() {
    await copyText(this.link, this.renderRoot.querySelector("input"));
    this.copied = true;
  }

  share() {
    // Whoever thinks better of it closes the sheet.
    navigator.share({ title: "Lusoria", url: this.link }).catch(() => {});
  }
}

/** Copies a text, also where there is no clipboard for scripts. @param {string} text @param {HTMLInputElement | null} field */
export async function copyText(text, field) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  field?.select();
  document.execCommand("copy");
}

customElements.define("lusoria-invitation", InvitationElement);
