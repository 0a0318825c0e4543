// A text that the server has written into the document, and nothing but the head of the page around it.

import "../parts/head.js";
import { loadTexts } from "../text/text.js";
import { inOwnLanguage, reachable } from "../parts/reading.js";

await loadTexts();
const main = document.querySelector("main");
if (main) {
  inOwnLanguage(main);
  document.body.prepend(document.createElement("lusoria-head"));
  reachable(main);
}
