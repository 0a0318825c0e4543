// The tournaments that this person has entered on this device and that may still call them: a mark, which the page of a
// tournament keeps up to date. It only says for whom a page must listen; the server knows who has entered.

const KEPT_AS = "lusoria.entered";

/** The most tournaments that are listened for at once. */
const ENTERED_MAX = 5;

/** @returns {[string, number][]} the id of each, and when it can be forgotten */
function kept() {
  try {
    const all = /** @type {[string, number][]} */ (Object.entries(JSON.parse(localStorage.getItem(KEPT_AS) ?? "{}")));
    return all.filter(([, until]) => until > Date.now());
  } catch {
    return [];
  }
}

/** @param {[string, number][]} all */
function keep(all) {
  try {
    if (all.length === 0) localStorage.removeItem(KEPT_AS);
    else localStorage.setItem(KEPT_AS, JSON.stringify(Object.fromEntries(all.slice(-ENTERED_MAX))));
  } catch {
    // Push messages and the page of the tournament still call.
  }
}

/** The tournaments that may call, by their ids. */
export const entered = () => kept().map(([id]) => id);

/** Listens for a tournament from now on, on every page. @param {string} id @param {number} until in this device's time */
export const keepEntered = (id, until) => keep([...kept().filter(([other]) => other !== id), [id, until]]);

/** Listens for it no more. @param {string} id */
export function dropEntered(id) {
  const all = kept();
  const rest = all.filter(([other]) => other !== id);
  if (rest.length < all.length) keep(rest);
}
