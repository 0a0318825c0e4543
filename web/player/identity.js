// Who plays on this device: a guest, whose token is kept here and nowhere else.

import { Problem, ask } from "../api/rest.js";
import { deviceName } from "./device.js";

/** @typedef {{id: string, name: string, token: string, handle?: string}} Guest with a handle if they have an account, as far as is known here */

const KEPT_AS = "lusoria.guest";
/** Those whom this device was before, and can be again. */
const LEFT_AS = "lusoria.left";
/** What somebody was called whom this device no longer is. */
const SIGNED_OUT_AS = "lusoria.signedOut";
/** What the account of the guest of this device prefers, as far as is known here. */
export const PREFERRED_AS = "lusoria.preferences.account";

/** So many are kept; of more the one who was left first is forgotten. */
export const LEFT_MOST = 4;

/** Tells of every change, in this tab or another: event `change`. */
export const identity = new EventTarget();

/** @type {Promise<Guest> | undefined} */
let becoming;

addEventListener("storage", (stored) => {
  if ([KEPT_AS, LEFT_AS, SIGNED_OUT_AS].includes(stored.key ?? "")) changed();
});

const changed = () => identity.dispatchEvent(new Event("change"));

/** @param {string} name @returns {any} what is kept under that name */
function kept(name) {
  try {
    return JSON.parse(localStorage.getItem(name) ?? "null");
  } catch {
    return null;
  }
}

/** @param {string} name @param {unknown} value nothing is kept of `null` */
function keepAs(name, value) {
  if (value === null) localStorage.removeItem(name);
  else localStorage.setItem(name, JSON.stringify(value));
}

/** The guest of this device. @returns {Guest | null} */
export const guest = () => kept(KEPT_AS);

/** His token. */
export const token = () => guest()?.token ?? null;

/** Those whom this device was before, the latest first. @returns {Guest[]} */
export const left = () => kept(LEFT_AS) ?? [];

/** Whom this device no longer is, because his session has ended, until the person has seen it. @returns {string | null} */
export const signedOut = () => kept(SIGNED_OUT_AS);

/** The person has seen it. */
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
 * The guest of this device, who is made if there is none.
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

/** Renames him. @param {string} name 1 to 24 characters */
export async function rename(name) {
  const known = await become();
  const me = await ask("PATCH", "/me", { body: { name }, token: known.token });
  // Somebody else may be here by now.
  const now = guest();
  if (now?.token === known.token) keep({ ...now, name: me.name });
}

/**
 * Asks who the guest of this device is by now: on another one they may have taken another name, or an account.
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
 * A guest has an account now, whom this device may no longer be. If they have not chosen a name, the handle is it.
 * @param {string} handle what they sign in with
 * @param {string} asker the token that asked for it
 */
export function nowHasAccount(handle, asker) {
  const known = guest();
  if (known?.token !== asker) return;
  keep({ ...known, handle });
  // What is known will do until they are asked for again.
  learn().catch(() => {});
}

/**
 * Takes over a guest from another device. Whoever this device was is kept aside.
 * @param {string} code a one-time code
 * @param {string} [device] what this device is called
 * @returns {Promise<Guest>} the guest
 * @throws {Problem}
 */
export async function takeOver(code, device) {
  const taken = await ask("POST", "/device-codes/spend", { body: { code, device } });
  take(taken);
  return taken;
}

/** Is a guest from now on, with a new token of theirs. Whoever this device was is kept aside. @param {Guest} taken */
export function take(taken) {
  const before = guest();
  if (before?.id === taken.id) {
    // It was his already: the token that it had would only stand in the list of his devices.
    ask("DELETE", "/me/token", { token: before.token }).catch(() => {});
  } else if (before) {
    setAside(before);
  }
  keepAs(LEFT_AS, left().filter(({ id }) => id !== taken.id));
  keepAs(SIGNED_OUT_AS, null);
  keep(taken);
}

/**
 * Goes back to somebody whom this device was before; whoever it is now is kept aside.
 * @param {string} id
 * @throws {Problem} `unknown_token` if his session has ended: then he is forgotten here
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

/** Forgets somebody whom this device was before. @param {string} id */
export function forgetLeft(id) {
  keepAs(LEFT_AS, left().filter((other) => other.id !== id));
  changed();
}

/** Forgets the guest, whose session the person has ended here. */
export function forget() {
  keepAs(PREFERRED_AS, null);
  keepAs(KEPT_AS, null);
  changed();
}

/**
 * Forgets the guest, because the server does not know his token any more. The person is told. If
 * the token is no longer this device's, it is nobody's loss.
 * @param {string | null} refused the token that was refused
 */
export function loseSession(refused) {
  const known = guest();
  if (!known || known.token !== refused) return;
  keepAs(SIGNED_OUT_AS, known.name);
  forget();
}
