// What pages to read have in common, whose text the server has written into the document.

import { currentLanguage } from "../text/text.js";

/** Tables, programs and plots that are too wide are scrolled with the keyboard too. @param {Element} main */
export function reachable(main) {
  for (const box of main.querySelectorAll("pre, .wide, p:has(> img)")) {
    if (box.scrollWidth > box.clientWidth) /** @type {HTMLElement} */ (box).tabIndex = 0;
  }
}

/** Shows the text in the language that was chosen on this device. @param {Element} main */
export function inOwnLanguage(main) {
  const asked = new URLSearchParams(location.search).has("lang");
  const written = main.closest("[lang]")?.getAttribute("lang");
  if (asked || written === currentLanguage()) return;
  location.replace(`?lang=${currentLanguage()}${location.hash}`);
}
