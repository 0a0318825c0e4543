// Applies the person's preferences to the document's style.

import { preferences, preferred } from "../player/preferences.js";

function apply() {
  const { dataset } = document.documentElement;
  const theme = preferred("theme");
  if (theme === "auto") delete dataset.theme;
  else dataset.theme = theme;
}

apply();
preferences.addEventListener("change", apply);
