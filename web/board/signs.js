// What the trays beside a board are for, as small signs.

import { svg } from "../lit.js";

/** By the kind of place: pieces come from it, or have left. @type {Record<string, unknown>} */
export const SIGNS = {
  supply: svg`<path d="M.14 0H-.14M-.03-.12-.15 0-.03 .12"/>`,
  off: svg`<path d="M-.14 .01-.03 .12 .14-.11"/>`,
  captured: svg`<path d="M-.11-.11 .11 .11M.11-.11-.11 .11"/>`,
};
