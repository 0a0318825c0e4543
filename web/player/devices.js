// The devices on which somebody is signed in, and the code that makes another one his.

import { ask, onThisClock } from "../api/rest.js";
import { token } from "./identity.js";

/** @typedef {import("../api/wire").components["schemas"]["Session"]} Session */

/**
 * @typedef {object} DeviceCode
 * @property {string} code
 * @property {number} until when it is no longer good, in this device's time
 */

/** All of them, the newest first; when they were seen is in this device's time. @returns {Promise<Session[]>} */
export async function sessions() {
  const told = await ask("GET", "/me/sessions", { token: token() });
  return told.sessions.map((/** @type {Session} */ session) => ({
    ...session,
    seen_at: onThisClock(session.seen_at),
  }));
}

/** A code for another device; an earlier one is no longer good. @returns {Promise<DeviceCode>} */
export async function makeCode() {
  const { code, expires_at } = await ask("POST", "/me/device-code", { token: token() });
  return { code, until: onThisClock(expires_at) };
}

/** Signs a device out; if it is another one, the code that was made goes with it. @param {string} id that of its session */
export const signOut = (id) => ask("DELETE", `/me/sessions/${id}`, { token: token() });

/** Signs all other devices out; the code that was made goes with them. */
export const signOutOthers = () => ask("DELETE", "/me/sessions", { token: token() });

/** The code in what somebody has typed or pasted: the code itself, or the link with it. @param {string} text */
export const codeIn = (text) => text.slice(text.lastIndexOf("#") + 1).replace(/\s/g, "");
