// The state of the connection to the server: hidden while it is connected.

import { LitElement, css, html, nothing } from "../lit.js";
import { base, buttons } from "../style/shared.js";
import { t } from "../text/text.js";

/** @typedef {import("../api/socket.js").Line} Line */

/** `<lusoria-line>`. Event: `lusoria-retry`, when the person does not want to wait. */
export class LusoriaLine extends LitElement {
  static properties = {
    line: { type: String },
    retryAt: { type: Number },
    said: { state: true },
  };

  static styles = [
    base,
    buttons,
    css`
      .pill {
        display: flex;
        align-items: center;
        gap: var(--gap-s);
        padding: 0.125rem 0.25rem 0.125rem 0.875rem;
        border: 1px solid var(--edge);
        border-radius: 2rem;
        background: var(--raised);
        box-shadow: var(--shadow);
        font-size: var(--size-s);
        white-space: nowrap;
        pointer-events: auto;
      }

      /* A quick reconnection is not mentioned. */
      .pill.connecting {
        padding-right: 0.875rem;
        animation: appear 200ms 1.5s both;
      }

      @keyframes appear {
        from {
          opacity: 0;
          visibility: hidden;
        }
      }

      .dot {
        width: 0.625rem;
        height: 0.625rem;
        border: 2px solid var(--warn);
        border-radius: 50%;
      }

      .closed .dot {
        border-color: var(--accent);
      }

      button {
        min-height: 2rem;
        padding-block: 0;
        border-radius: 2rem;
        color: var(--accent);
        font-weight: 600;
      }

      /* The narrowest phones fit it in smaller letters. */
      @media (max-width: 30rem) {
        .pill {
          gap: 0.375rem;
          padding-left: 0.625rem;
          font-size: 0.8125rem;
        }

        button {
          padding-inline: 0.5rem;
          font-size: inherit;
        }
      }
    `,
  ];

  constructor() {
    super();
    /** @type {Line | undefined} */
    this.line = undefined;
    this.retryAt = 0;
    this.said = "";
    this.timer = 0;
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearInterval(this.timer);
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (!changed.has("line")) return;
    clearInterval(this.timer);
    if (this.line === "waiting") {
      this.said = t("head.line.lost");
      this.timer = window.setInterval(() => this.requestUpdate(), 1_000);
    } else if (this.line === "open" && this.said !== "") {
      this.said = t("head.line.back");
    }
  }

  retry() {
    this.dispatchEvent(new CustomEvent("lusoria-retry", { bubbles: true, composed: true }));
  }

  render() {
    return html`<p class="unseen" role="status">${this.said}</p>
      ${this.shown()}`;
  }

  shown() {
    const now = html`<button class="plain" @click=${this.retry}>${t("head.line.now")}</button>`;
    switch (this.line) {
      case "connecting":
        return html`<div class="pill connecting"><span class="dot"></span>${t("head.line.connecting")}</div>`;
      case "waiting": {
        const seconds = Math.max(0, Math.ceil((this.retryAt - Date.now()) / 1_000));
        return html`<div class="pill waiting">
          <span class="dot"></span><span class="figures">${t("head.line.waiting", { seconds })}</span>${now}
        </div>`;
      }
      case "closed":
        return html`<div class="pill closed"><span class="dot"></span>${t("head.line.closed")}${now}</div>`;
      default:
        return nothing;
    }
  }
}

customElements.define("lusoria-line", LusoriaLine);
