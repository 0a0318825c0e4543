// A text as a QR code.

import { LitElement, css, html, nothing } from "../lit.js";
import { base } from "../style/shared.js";

/** `<lusoria-qr>`: `text` to encode, `name` of the picture for screen readers. */
export class LusoriaQr extends LitElement {
  static properties = {
    text: { attribute: false },
    name: { attribute: false },
    picture: { state: true },
  };

  static styles = [
    base,
    css`
      div {
        width: min(14rem, 60vw);
        padding: 0.75rem;
        border-radius: var(--round);
        background: #fff;
      }

      svg {
        display: block;
        width: 100%;
      }
    `,
  ];

  constructor() {
    super();
    this.text = "";
    this.name = "";
    /** The dark squares as a path. */
    this.picture = "";
    /** The width in squares. */
    this.size = 0;
  }

  /** @param {Map<string, unknown>} changed */
  async willUpdate(changed) {
    if (!changed.has("text") || !this.text) return;
    const { text } = this;
    // Loaded only when needed.
    const { encode } = await import("../qr.js");
    if (text !== this.text) return;
    const { data, size } = encode(text, { ecc: "M", border: 2 });
    const squares = data.flatMap((/** @type {boolean[]} */ row, /** @type {number} */ y) =>
      row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : "")));
    this.size = size;
    this.picture = squares.join("");
  }

  render() {
    const { size } = this;
    return this.picture
      ? html`<div><svg viewBox="0 0 ${size} ${size}" role="img" aria-label=${this.name}
          shape-rendering="crispEdges"><path d=${this.picture} fill="#000" /></svg></div>`
      : nothing;
  }
}

customElements.define("lusoria-qr", LusoriaQr);
