// The signed-in devices of a person, and the code that adds another one.

import { ask, onThisClock } from "../api/rest.js";
import { token } from "./identity.js";

/** @typedef {import("../api/wire").components["schemas"]["Session"]} Session */

/**
 * @typedef {object} DeviceCode
 * @property {string} code
 * @property {number} until its expiry, in this device's time
 */

/** All sessions, the newest first; their times are in this device's time. @returns {Promise<Session[]>} */
export async function sessions() {
  const told = await ask("GET", "/me/sessions", { token: token() });
  return told.sessions.map((/** @type {Session} */ session) => ({
    ...session,
    seen_at: onThisClock(session.seen_at),
  }));
}

/** Creates a code for another device; earlier ones are revoked. @returns {Promise<DeviceCode>} */
export async function makeCode() {
  const { code, expires_at } = await ask("POST", "/me/device-code", { token: token() });
  return { code, until: onThisClock(expires_at) };
}

/** Signs a device out; unless it is this one, the code is revoked, too. @param {string} id that of its session */
export const signOut = (id) => ask("DELETE", `/me/sessions/${id}`, { token: token() });

/** Signs all other devices out, and revokes the code. */
export const signOutOthers = () => ask("DELETE", "/me/sessions", { token: token() });

/** The code in a typed or pasted text: the code itself, or the link with it. @param {string} text */
export const codeIn = (text) => text.slice(text.lastIndexOf("#") + 1).replace(/\s/g, "");
