// The colour of a side in the list of turns.

import { css, html } from "../lit.js";
import { isLightSide } from "../game/story.js";
import { sideName } from "../text/words.js";

/** @typedef {import("../game/story.js").SideName} SideName */

/** The styles of `swatch`. */
export const swatches = css`
  .swatch {
    margin-top: 0.25em;
    width: 0.75rem;
    height: 0.75rem;
    border: 1px solid var(--edge);
    border-radius: 50%;
  }
  .swatch.light {
    background: #f6ecd6;
  }
  .swatch.dark {
    background: #2b211a;
  }
`;

/** @param {SideName} side */
export const swatch = (side) =>
  html`<span class="swatch ${isLightSide(side) ? "light" : "dark"}"><span class="unseen">${sideName(side)}</span></span>`;
