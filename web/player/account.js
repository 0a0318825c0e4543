// The person's account: opens, proves, changes and erases it, and signs in.

import { ask } from "../api/rest.js";
import { deviceName } from "./device.js";
import { sessions } from "./devices.js";
import { become, forget, learn, take, token } from "./identity.js";
import { passkeys } from "./passkeys.js";

/** @typedef {import("../api/wire").components["schemas"]["OpenedAccount"]} OpenedAccount */
/** @typedef {import("../api/wire").components["schemas"]["PasskeyAnswer"]} PasskeyAnswer */
/** @typedef {import("./identity.js").Guest} Guest */
/** @typedef {import("./passkeys.js").NewPasskey} NewPasskey */
/** @typedef {import("./passkeys.js").Passkey} Passkey */

/** Proves that the person sends the request. @typedef {{password: string} | {passkey: PasskeyAnswer}} Proof */

/** The ways in which the person can prove it. @typedef {{password: boolean, passkey: boolean}} Ways */

/**
 * An account and its data.
 * @typedef {object} Holder
 * @property {string} handle
 * @property {number} created_at
 * @property {number} recovery_codes_left
 * @property {Ways} ways
 * @property {Passkey[]} passkeys
 * @property {number} sessions the number of signed-in devices
 * @property {boolean} isBot
 */

export const HANDLE_SHORTEST = 3;
export const HANDLE_LONGEST = 20;
export const PASSWORD_SHORTEST = 8;
export const PASSWORD_LONGEST = 256;

/** From this length on, a passphrase of words is as good as random letters. */
const PASSWORD_LONG = 16;
const PASSWORD_KINDS_MIN = 3;
const PASSWORD_DIFFERENT_MIN = 5;

/** Up to this many matches are counted; beyond it, the page says that there are more. */
export const COUNTED_MAX = 100;

/** The classes of characters in a password. */
const KINDS = [/[a-z]/, /[A-Z]/, /[0-9]/, /[^a-zA-Z0-9]/];

/**
 * What is wrong with the form of a handle; only the server knows whether it is free.
 * @param {string} handle
 * @returns {"letters" | "letter" | "short" | "long" | undefined}
 */
export function handleFault(handle) {
  if (!/^[A-Za-z0-9_-]*$/.test(handle)) return "letters";
  if (handle.length > HANDLE_LONGEST) return "long";
  if (handle.length < HANDLE_SHORTEST) return "short";
  return /[A-Za-z]/.test(handle) ? undefined : "letter";
}

/**
 * The estimated strength of a new password, by its form.
 * @param {string} password
 * @param {string} [handle] which the password should not be
 * @returns {"empty" | "short" | "long" | "weak" | "fair" | "good"}
 */
export function passwordStrength(password, handle = "") {
  const letters = [...password];
  if (letters.length === 0) return "empty";
  if (letters.length < PASSWORD_SHORTEST) return "short";
  if (letters.length > PASSWORD_LONGEST) return "long";
  const isHandle = handle !== "" && password.toLowerCase().includes(handle.toLowerCase());
  if (isHandle || new Set(letters).size < PASSWORD_DIFFERENT_MIN) return "weak";
  if (letters.length >= PASSWORD_LONG) return "good";
  const kinds = KINDS.filter((kind) => kind.test(password)).length;
  return kinds >= PASSWORD_KINDS_MIN && letters.length > PASSWORD_SHORTEST ? "good" : "fair";
}

/** Whether a new password is acceptable. @param {string} password */
export const fitsPassword = (password) => !["empty", "short", "long"].includes(passwordStrength(password));

/**
 * Opens an account for the guest of this device; creates the guest if there is none.
 * @param {{handle: string, password?: string, passkey?: NewPasskey, sign_up_code?: string}} wishes
 * @returns {Promise<OpenedAccount & {asker: string}>} with the recovery codes, which are never shown again, and the token of the request
 * @throws {Problem}
 */
export async function openAccount(wishes) {
  const { token: asker } = await become();
  return { ...(await ask("POST", "/me/account", { body: wishes, token: asker })), asker };
}

/**
 * Whether a handle is taken; handles that only look like it are found when the account is opened.
 * @param {string} handle
 * @throws {Problem}
 */
export async function isTaken(handle) {
  const { players } = await ask("GET", `/players?search=${encodeURIComponent(handle)}`);
  return players.some((/** @type {{handle: string}} */ other) => other.handle.toLowerCase() === handle.toLowerCase());
}

/**
 * Loads everything that the page shows of an account.
 * @returns {Promise<Holder>}
 * @throws {Problem} `no_account` among others
 */
export async function holder() {
  const key = token();
  const [account, { kind }, keys, devices] = await Promise.all([
    ask("GET", "/me/account", { token: key }),
    ask("GET", "/me", { token: key }),
    passkeys(),
    sessions(),
  ]);
  const ways = { password: account.has_password, passkey: keys.length > 0 };
  return { ...account, ways, passkeys: keys, sessions: devices.length, isBot: kind === "bot" };
}

/** Signs in. @param {string} handle @param {string} password @throws {Problem} */
export async function signIn(handle, password) {
  return came(await ask("POST", "/sign-in", { body: { handle, password, device: deviceName() } }));
}

/** Signs in with a passkey. @param {PasskeyAnswer} passkey @throws {Problem} */
export async function signInWithPasskey(passkey) {
  return came(await ask("POST", "/sign-in/passkey", { body: { passkey, device: deviceName() } }));
}

/**
 * Sets a new password with a recovery code, and signs in.
 * @param {string} handle
 * @param {string} code
 * @param {string} password
 * @throws {Problem}
 */
export async function recover(handle, code, password) {
  const body = { handle, code, new_password: password, device: deviceName() };
  return came(await ask("POST", "/sign-in/recover", { body }));
}

/**
 * Makes this device the account's.
 * @param {Guest} guest
 * @returns {Promise<Guest>}
 */
async function came({ id, name, token }) {
  take({ id, name, token });
  // Without the handle the sign-in still holds; the page loads it later.
  await learn().catch(() => {});
  return { id, name, token };
}

/** Signs this device out; the next visitor is a new guest. @throws {Problem} */
export async function signOutHere() {
  await ask("DELETE", "/me/token", { token: token() });
  forget();
}

/**
 * Sets or replaces the password.
 * @param {string} password
 * @param {{tokens: boolean, passkeys: boolean}} revoked what else is revoked
 * @param {Proof} proof
 * @returns {Promise<import("../api/wire").components["schemas"]["ChangedPassword"]>} what remains
 */
export const changePassword = (password, { tokens, passkeys }, proof) =>
  ask("PUT", "/me/account/password", {
    body: { new_password: password, revoke_api_tokens: tokens, remove_passkeys: passkeys, ...proof },
    token: token(),
  });

/** Removes the password: afterwards only passkeys sign in. @param {Proof} proof */
export const removePassword = (proof) => ask("DELETE", "/me/account/password", { body: proof, token: token() });

/** Replaces the recovery codes. @param {Proof} proof @returns {Promise<string[]>} */
export async function newRecoveryCodes(proof) {
  return (await ask("POST", "/me/account/recovery-codes", { body: proof, token: token() })).recovery_codes;
}

/** Marks the account permanently as a bot's. */
export const declareBot = () => ask("POST", "/me/account/bot", { token: token() });

/** Erases the account and its guest. @param {Proof} proof */
export const eraseAccount = (proof) => ask("DELETE", "/me/account", { body: proof, token: token() });

/** Erases a guest who has no account. */
export const eraseGuest = () => ask("DELETE", "/me", { token: token() });

/**
 * The number of matches of a previous guest.
 * @param {Guest} other
 * @returns {Promise<{count: number, more: boolean}>}
 * @throws {Problem}
 */
export async function matchesOf(other) {
  const { matches, next } = await ask("GET", `/me/matches?limit=${COUNTED_MAX}`, { token: other.token });
  return { count: matches.length, more: Boolean(next) };
}

/**
 * Adopts the matches of a previous guest into the account; that guest then leaves.
 * @param {Guest} other
 * @returns {Promise<{complete: boolean}>} whether all of them are adopted now; the rest follows automatically
 * @throws {Problem}
 */
export const adopt = (other) => ask("POST", "/me/adopt", { body: { token: other.token }, token: token() });
