// Shared by the pages whose text the server has written into the document.

import { currentLanguage } from "../text/text.js";

/** Makes wide tables, code and charts scrollable with the keyboard. @param {Element} main */
export function reachable(main) {
  for (const box of main.querySelectorAll("pre, .wide, p:has(> img)")) {
    if (box.scrollWidth > box.clientWidth) /** @type {HTMLElement} */ (box).tabIndex = 0;
  }
}

/** Loads the text in the language chosen on this device. @param {Element} main */
export function inOwnLanguage(main) {
  const asked = new URLSearchParams(location.search).has("lang");
  const written = main.closest("[lang]")?.getAttribute("lang");
  if (asked || written === currentLanguage()) return;
  location.replace(`?lang=${currentLanguage()}${location.hash}`);
}
