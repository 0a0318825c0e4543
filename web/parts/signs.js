// Icons that several elements use.

import { svg } from "../lit.js";

/** The computer: the content of an icon of 24 by 24. */
export const COMPUTER = svg`<rect x="4" y="8" width="16" height="11" rx="2.5" />
  <path d="M12 8V4.5M9 15.5h6M1.8 12.5v3M22.2 12.5v3" />
  <circle cx="12" cy="3.6" r="1.1" />
  <path d="M9 11.8h.01M15 11.8h.01" stroke-width="2.4" />`;
