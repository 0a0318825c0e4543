// A text from the server's document, with only the head of the page around it.

import "../parts/head.js";
import { loadTexts, t } from "../text/text.js";
import { inOwnLanguage, reachable } from "../parts/reading.js";

/** Whether the server responded with "not found". */
const isAstray = () =>
  /** @type {PerformanceNavigationTiming | undefined} */ (performance.getEntriesByType("navigation")[0])?.responseStatus === 404;

/** @param {Element} table */
function putBehind(table) {
  const details = document.createElement("details");
  details.append(Object.assign(document.createElement("summary"), { textContent: t("findings.numbers") }));
  table.replaceWith(details);
  details.append(table);
  details.addEventListener("toggle", () => reachable(details));
}

await loadTexts();
const main = document.querySelector("main");
if (main) {
  inOwnLanguage(main);
  document.body.prepend(document.createElement("lusoria-head"));
  // A sentence and its picture come first, the numbers behind them.
  if (location.pathname === "/findings") for (const table of main.querySelectorAll(".wide")) putBehind(table);
  reachable(main);
  // Boards are not loaded on pages of text.
  if (isAstray()) import("../parts/astray.js").then(({ showBoards }) => showBoards(main), () => {});
}
