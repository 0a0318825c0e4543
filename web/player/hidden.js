// Matches that the person has hidden from home on this device. They continue all the same.

const KEPT_AS = "lusoria.hidden";
/** The most matches that stay hidden; beyond it, the oldest are shown again. */
const HIDDEN_MAX = 200;

/** Reports every change, in this tab or another: event `change`. */
export const hiding = new EventTarget();

let ids = kept();

addEventListener("storage", (stored) => {
  if (stored.key === KEPT_AS) changed(kept());
});

/** @returns {Set<string>} */
function kept() {
  try {
    const found = JSON.parse(localStorage.getItem(KEPT_AS) ?? "[]");
    return new Set(Array.isArray(found) ? found.slice(0, HIDDEN_MAX) : []);
  } catch {
    return new Set();
  }
}

/** @param {Set<string>} now */
function changed(now) {
  ids = now;
  hiding.dispatchEvent(new Event("change"));
}

/** @param {string[]} now */
function keep(now) {
  const fewer = now.slice(0, HIDDEN_MAX);
  try {
    localStorage.setItem(KEPT_AS, JSON.stringify(fewer));
  } catch {
    // It is remembered until the page is closed.
  }
  changed(new Set(fewer));
}

/** Whether a match is hidden. @param {string} id */
export const isHidden = (id) => ids.has(id);

/** Hides a match. @param {string} id */
export const hide = (id) => keep([id, ...[...ids].filter((other) => other !== id)]);

/** Shows a match again. @param {string} id */
export const unhide = (id) => keep([...ids].filter((other) => other !== id));
