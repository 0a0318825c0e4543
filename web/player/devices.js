// The devices on which somebody is signed in, and the code that makes another one his.

import { ask } from "../api/rest.js";
import { token } from "./identity.js";

/** @typedef {import("../api/wire").components["schemas"]["Session"]} Session */
/** @typedef {import("../api/wire").components["schemas"]["DeviceCode"]} DeviceCode */

/** All of them, the newest first. @returns {Promise<Session[]>} */
export const sessions = async () => (await ask("GET", "/me/sessions", { token: token() })).sessions;

/** A code for another device; an earlier one is no longer good. @returns {Promise<DeviceCode>} */
export const makeCode = () => ask("POST", "/me/device-code", { token: token() });

/** Signs a device out. @param {string} id that of its session */
export const signOut = (id) => ask("DELETE", `/me/sessions/${id}`, { token: token() });

/** Signs all other devices out. */
export const signOutOthers = () => ask("DELETE", "/me/sessions", { token: token() });

/** The code in what somebody has typed or pasted: the code itself, or the link with it. @param {string} text */
export const codeIn = (text) => text.slice(text.lastIndexOf("#") + 1).replace(/\s/g, "");
