// (in work)
import "../parts/head.js";
import { loadTexts } from "../text/text.js";

await loadTexts();
document.body.append(document.createElement("lusoria-head"));
