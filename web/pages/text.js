// A text from the server's document, with only the head of the page around it.

import "../parts/head.js";
import { loadTexts } from "../text/text.js";
import { inOwnLanguage, reachable } from "../parts/reading.js";

/** Whether the server responded with "not found". */
const isAstray = () =>
  /** @type {PerformanceNavigationTiming | undefined} */ (performance.getEntriesByType("navigation")[0])?.responseStatus === 404;

await loadTexts();
const main = document.querySelector("main");
if (main) {
  inOwnLanguage(main);
  document.body.prepend(document.createElement("lusoria-head"));
  reachable(main);
  // Boards are not loaded on pages of text.
  if (isAstray()) import("../parts/astray.js").then(({ showBoards }) => showBoards(main), () => {});
}
