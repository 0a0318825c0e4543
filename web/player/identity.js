// The guest of this device, whose token is stored here and nowhere else.

import { Problem, ask } from "../api/rest.js";
import { deviceName } from "./device.js";

/** @typedef {{id: string, name: string, token: string, handle?: string}} Guest with a handle if they have an account, as far as known here */

const KEPT_AS = "lusoria.guest";
/** The previous guests of this device, who can return. */
const LEFT_AS = "lusoria.left";
/** The name of a guest whose session has ended. */
const SIGNED_OUT_AS = "lusoria.signedOut";
/** The preferences of the account, as far as known here. */
export const PREFERRED_AS = "lusoria.preferences.account";

/** The most previous guests that are kept; beyond it, the oldest is dropped. */
export const LEFT_MOST = 4;

/** Reports every change, in this tab or another: event `change`. */
export const identity = new EventTarget();

/** @type {Promise<Guest> | undefined} */
let becoming;

addEventListener("storage", (stored) => {
  if ([KEPT_AS, LEFT_AS, SIGNED_OUT_AS].includes(stored.key ?? "")) changed();
});

const changed = () => identity.dispatchEvent(new Event("change"));

/** @param {string} name @returns {any} the stored value */
function kept(name) {
  try {
    return JSON.parse(localStorage.getItem(name) ?? "null");
  } catch {
    return null;
  }
}

/** @param {string} name @param {unknown} value `null` removes the stored value */
function keepAs(name, value) {
  if (value === null) localStorage.removeItem(name);
  else localStorage.setItem(name, JSON.stringify(value));
}

/** The guest of this device. @returns {Guest | null} */
export const guest = () => kept(KEPT_AS);

/** The token of the guest. */
export const token = () => guest()?.token ?? null;

/** The previous guests of this device, the latest first. @returns {Guest[]} */
export const left = () => kept(LEFT_AS) ?? [];

/** The guest whose session has ended, until the person has seen the message. @returns {string | null} */
export const signedOut = () => kept(SIGNED_OUT_AS);

/** The person has seen the message. */
export function seenSignedOut() {
  keepAs(SIGNED_OUT_AS, null);
  changed();
}

/** @param {Guest} known */
function keep({ id, name, token, handle }) {
  if (guest()?.id !== id) keepAs(PREFERRED_AS, null);
  keepAs(KEPT_AS, { id, name, token, handle });
  changed();
}

/**
 * The guest of this device; creates one if there is none.
 * @returns {Promise<Guest>}
 * @throws {Problem}
 */
export async function become() {
  const known = guest();
  if (known) return known;
  becoming ??= ask("POST", "/guests", { body: { device: deviceName() } })
    .then((made) => {
      // Another tab may have been faster.
      const meanwhile = guest();
      if (!meanwhile) keep(made);
      return meanwhile ?? made;
    })
    .finally(() => (becoming = undefined));
  return becoming;
}

/** Renames the guest. @param {string} name 1 to 24 characters */
export async function rename(name) {
  const known = await become();
  const me = await ask("PATCH", "/me", { body: { name }, token: known.token });
  // The guest may have changed in the meantime.
  const now = guest();
  if (now?.token === known.token) keep({ ...now, name: me.name });
}

/**
 * Loads the guest again: another device may have changed the name or opened an account.
 * @returns {Promise<Guest | null>}
 * @throws {Problem}
 */
export async function learn() {
  const known = guest();
  if (!known) return null;
  try {
    const { name, handle } = await ask("GET", "/me", { token: known.token });
    const isSame = guest()?.token === known.token;
    if (isSame && (name !== known.name || handle !== known.handle)) keep({ ...known, name, handle });
  } catch (why) {
    if (why instanceof Problem && why.code === "unknown_token") loseSession(known.token);
    throw why;
  }
  return guest();
}

/**
 * The guest has opened an account, but this device may have changed guests. Without a chosen name, the handle becomes
 * the name.
 * @param {string} handle of the new account
 * @param {string} asker the token of the request
 */
export function nowHasAccount(handle, asker) {
  const known = guest();
  if (known?.token !== asker) return;
  keep({ ...known, handle });
  // The data at hand will do until the next load.
  learn().catch(() => {});
}

/**
 * Takes over a guest from another device. Keeps the previous guest.
 * @param {string} code a one-time code
 * @param {string} [device] the name of this device
 * @returns {Promise<Guest>} the guest
 * @throws {Problem}
 */
export async function takeOver(code, device) {
  const taken = await ask("POST", "/device-codes/spend", { body: { code, device } });
  take(taken);
  return taken;
}

/** Switches to a guest, with a new token. Keeps the previous guest. @param {Guest} taken */
export function take(taken) {
  const before = guest();
  if (before?.id === taken.id) {
    // It was the same guest already: the old token would only add a device to their list.
    ask("DELETE", "/me/token", { token: before.token }).catch(() => {});
  } else if (before) {
    setAside(before);
  }
  keepAs(LEFT_AS, left().filter(({ id }) => id !== taken.id));
  keepAs(SIGNED_OUT_AS, null);
  keep(taken);
}

/**
 * Returns to a previous guest; keeps the present one.
 * @param {string} id
 * @throws {Problem} `unknown_token` if the session has ended: then the guest is removed here
 */
export async function comeBack(id) {
  const known = left().find((other) => other.id === id);
  if (!known) return;
  const without = () => keepAs(LEFT_AS, left().filter((other) => other.id !== id));
  try {
    const me = await ask("GET", "/me", { token: known.token });
    const before = guest();
    without();
    if (before) setAside(before);
    keepAs(SIGNED_OUT_AS, null);
    keep({ ...known, name: me.name, handle: me.handle });
  } catch (why) {
    if (why instanceof Problem && why.code === "unknown_token") {
      without();
      changed();
    }
    throw why;
  }
}

/** @param {Guest} known */
function setAside(known) {
  keepAs(LEFT_AS, [known, ...left().filter(({ id }) => id !== known.id)].slice(0, LEFT_MOST));
}

/** Removes a previous guest. @param {string} id */
export function forgetLeft(id) {
  keepAs(LEFT_AS, left().filter((other) => other.id !== id));
  changed();
}

/** Removes the guest, whose session the person has ended here. */
export function forget() {
  keepAs(PREFERRED_AS, null);
  keepAs(KEPT_AS, null);
  changed();
}

/**
 * Removes the guest, because the server no longer knows the token, and informs the person. Does nothing if this device
 * has another token by now.
 * @param {string | null} refused the token that was refused
 */
export function loseSession(refused) {
  const known = guest();
  if (!known || known.token !== refused) return;
  keepAs(SIGNED_OUT_AS, known.name);
  forget();
}
