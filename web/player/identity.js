// Who plays on this device: a guest, whose token is kept here and nowhere else.

import { ask } from "../api/rest.js";

/** @typedef {{id: string, name: string, token: string}} Guest */

const KEPT_AS = "lusoria.guest";

/** Tells of every change, in this tab or another: event `change`. */
export const identity = new EventTarget();

/** @type {Promise<Guest> | undefined} */
let becoming;

addEventListener("storage", (stored) => {
  if (stored.key === KEPT_AS) identity.dispatchEvent(new Event("change"));
});

/** The guest of this device. @returns {Guest | null} */
export function guest() {
  try {
    return JSON.parse(localStorage.getItem(KEPT_AS) ?? "null");
  } catch {
    return null;
  }
}

/** His token. */
export const token = () => guest()?.token ?? null;

/** @param {Guest | null} known */
function keep(known) {
  if (known) localStorage.setItem(KEPT_AS, JSON.stringify(known));
  else localStorage.removeItem(KEPT_AS);
  identity.dispatchEvent(new Event("change"));
}

/**
 * The guest of this device, who is made if there is none.
 * @returns {Promise<Guest>}
 * @throws {import("../api/rest.js").Problem}
 */
export async function become() {
  const known = guest();
  if (known) return known;
  becoming ??= ask("POST", "/guests", { body: {} })
    .then((made) => {
      // Another tab may have been faster.
      const meanwhile = guest();
      if (!meanwhile) keep(made);
      return meanwhile ?? made;
    })
    .finally(() => (becoming = undefined));
  return becoming;
}

/** Renames him. @param {string} name 1 to 24 characters */
export async function rename(name) {
  const known = await become();
  const me = await ask("PATCH", "/me", { body: { name }, token: known.token });
  keep({ ...known, name: me.name });
}

/** Takes over a guest from another device. @param {string} code a one-time code */
export async function takeOver(code) {
  keep(await ask("POST", "/device-codes/spend", { body: { code } }));
}

/** Forgets him: his token is not known to the server any more. */
export function forget() {
  keep(null);
}
