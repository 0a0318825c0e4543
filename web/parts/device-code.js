// The code that adds another device: to scan, to open as a link, or to type; with its remaining time.

import { LitElement, css, html } from "../lit.js";
import { base, buttons, fields } from "../style/shared.js";
import { t } from "../text/text.js";
import { copyText } from "./invitation.js";
import "./qr.js";

const SECOND_MS = 1_000;

/** `<lusoria-device-code>`: `code` and `until` (milliseconds since the epoch, in this device's time). Event: `lusoria-expired`. */
export class LusoriaDeviceCode extends LitElement {
  static properties = {
    code: { attribute: false },
    until: { attribute: false },
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

      code {
        font-size: var(--size-l);
        overflow-wrap: anywhere;
        user-select: all;
      }
    `,
  ];

  constructor() {
    super();
    this.code = "";
    this.until = 0;
    this.copied = false;
    this.uncopied = false;
    this.timer = 0;
  }

  connectedCallback() {
    super.connectedCallback();
    this.timer = window.setInterval(() => this.tick(), SECOND_MS);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearInterval(this.timer);
  }

  /** Milliseconds until it expires. */
  get leftMs() {
    return Math.max(0, this.until - Date.now());
  }

  /** The link with the code; the fragment is not sent. */
  get link() {
    return `${location.origin}/devices#${this.code}`;
  }

  tick() {
    if (this.leftMs === 0) this.dispatchEvent(new CustomEvent("lusoria-expired"));
    this.requestUpdate();
  }

  async copy() {
    this.copied = await copyText(this.link, this.renderRoot.querySelector("input"));
    this.uncopied = !this.copied;
  }

  render() {
    return html`
      <p>${t("devices.code.how")}</p>
      <lusoria-qr .text=${this.code ? this.link : ""} .name=${t("devices.code.qr")}></lusoria-qr>
      <div class="link">
        <input type="text" readonly .value=${this.link} aria-label=${t("devices.code.link")}
          @focus=${(/** @type {Event} */ event) => /** @type {HTMLInputElement} */ (event.target).select()} />
        <button class="main" @click=${this.copy}>${this.copied ? t("match.copied") : t("match.copy")}</button>
      </div>
      <p role="alert" ?hidden=${!this.uncopied}>${this.uncopied ? t("common.uncopied") : ""}</p>
      <p>${t("devices.code.typed")} <code>${this.code}</code></p>
      <p class="small muted figures" role="timer">${t("devices.code.left", { time: minutes(this.leftMs) })}</p>
      <p class="small muted">${t("devices.code.warning")}</p>
    `;
  }
}

/** Minutes and seconds: "9:05". @param {number} ms */
function minutes(ms) {
  const seconds = Math.ceil(ms / SECOND_MS);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

customElements.define("lusoria-device-code", LusoriaDeviceCode);
