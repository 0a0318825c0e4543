// How long until a time: it counts by itself, and no more often than it changes.

import { LitElement, css, html, nothing } from "../lit.js";
import { changesIn, leftText } from "../tournament/times.js";

/** `<lusoria-countdown>`: until `at`, on the server's clock, which is `ahead` of this device's by so many milliseconds. */
export class LusoriaCountdown extends LitElement {
  static properties = {
    at: { type: Number },
    ahead: { type: Number },
  };

  static styles = css`
    :host {
      font-variant-numeric: tabular-nums lining-nums;
      white-space: nowrap;
    }
  `;

  constructor() {
    super();
    this.at = 0;
    this.ahead = 0;
    this.timer = 0;
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearTimeout(this.timer);
  }

  get left() {
    return this.at - Date.now() - this.ahead;
  }

  updated() {
    clearTimeout(this.timer);
    const { left } = this;
    if (left > 0 && this.isConnected) this.timer = window.setTimeout(() => this.requestUpdate(), changesIn(left));
  }

  render() {
    return this.at > 0 ? html`<span role="timer">${leftText(this.left)}</span>` : nothing;
  }
}

customElements.define("lusoria-countdown", LusoriaCountdown);
