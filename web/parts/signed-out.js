// Reports that this device has been signed out, until the person has seen it.

import { LitElement, css, html, nothing } from "../lit.js";
import { identity, seenSignedOut, signedOut } from "../player/identity.js";
import { signInAddress } from "../player/next.js";
import { base, buttons } from "../style/shared.js";
import { t } from "../text/text.js";
import { nameText } from "../text/words.js";

/** `<lusoria-signed-out>`: empty unless the device was signed out. */
export class LusoriaSignedOut extends LitElement {
  static styles = [
    base,
    buttons,
    css`
      .told {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: var(--gap-s);
        max-width: 150rem;
        margin: 0 auto;
        padding: var(--gap-s) max(var(--gap-s), env(safe-area-inset-right)) var(--gap-s)
          max(var(--gap-s), env(safe-area-inset-left));
        border-top: 1px solid var(--line);
      }

      p {
        flex: 1 1 20rem;
        overflow-wrap: anywhere;
      }
    `,
  ];

  constructor() {
    super();
    this.changed = () => this.requestUpdate();
  }

  connectedCallback() {
    super.connectedCallback();
    identity.addEventListener("change", this.changed);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    identity.removeEventListener("change", this.changed);
  }

  render() {
    const name = signedOut();
    return html`<div role="status">${name === null ? nothing : this.told(name)}</div>`;
  }

  /** @param {string} name */
  told(name) {
    return html`
      <div class="told">
        <p>${t("head.signedOut", { name: nameText(name) })}</p>
        <a class="button" href=${signInAddress(location)}>${t("head.signIn")}</a>
        <a class="button" href="/devices">${t("head.signedOut.code")}</a>
        <button @click=${seenSignedOut}>${t("head.signedOut.anew")}</button>
      </div>
    `;
  }
}

customElements.define("lusoria-signed-out", LusoriaSignedOut);
