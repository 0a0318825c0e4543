// A countdown until something can be attempted again.

import { LitElement, html } from "../lit.js";
import { base } from "../style/shared.js";
import { t } from "../text/text.js";

const SECOND_MS = 1_000;
const MINUTE_S = 60;

/** `<lusoria-wait>`: `until`, in milliseconds since the epoch. Event: `lusoria-over`. */
export class LusoriaWait extends LitElement {
  static properties = { until: { attribute: false } };

  static styles = base;

  constructor() {
    super();
    this.until = 0;
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

  tick() {
    if (Date.now() >= this.until) this.dispatchEvent(new CustomEvent("lusoria-over"));
    this.requestUpdate();
  }

  render() {
    const seconds = Math.max(0, Math.ceil((this.until - Date.now()) / SECOND_MS));
    const time = `${Math.floor(seconds / MINUTE_S)}:${String(seconds % MINUTE_S).padStart(2, "0")}`;
    return html`<p class="figures" role="timer">${t("signIn.wait", { time })}</p>`;
  }
}

customElements.define("lusoria-wait", LusoriaWait);
