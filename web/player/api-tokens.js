// The person's API tokens: each lets a program act for them within its scopes.

import { ask } from "../api/rest.js";
import { token } from "./identity.js";

/** @typedef {import("../api/wire").components["schemas"]["ApiToken"]} ApiToken */
/** @typedef {import("../api/wire").components["schemas"]["CreatedApiToken"]} CreatedApiToken */
/** @typedef {import("../api/wire").components["schemas"]["Scope"]} Scope */
/** @typedef {import("./account.js").Proof} Proof */

export const NAME_LONGEST = 40;

/** Choices for the life of a token in days; the server accepts 1 to 366. */
export const DAYS = /** @type {const} */ ([7, 30, 90, 366]);
export const DAYS_AT_FIRST = 90;

/** All scopes, as in docs/scopes.md, and whose accounts may have them. @type {Record<Scope, "everybody" | "person" | "bot">} */
const SCOPES = {
  "account:read": "everybody",
  "match:read": "everybody",
  "match:play": "person",
  "bot:play": "bot",
  "seek:write": "everybody",
  "challenge:read": "everybody",
  "challenge:write": "everybody",
  "preference:write": "everybody",
  "follow:read": "everybody",
  "follow:write": "everybody",
  "tournament:write": "everybody",
  "talk:write": "everybody",
  "report:write": "everybody",
  "notify:write": "everybody",
};

/** The scopes for a token of a person, or of a bot. @param {boolean} isBot */
export function scopesFor(isBot) {
  const all = /** @type {Scope[]} */ (Object.keys(SCOPES));
  return all.filter((scope) => ["everybody", isBot ? "bot" : "person"].includes(SCOPES[scope]));
}

/** The person's tokens, the newest first. @returns {Promise<ApiToken[]>} */
export const apiTokens = async () => (await ask("GET", "/me/tokens", { token: token() })).tokens;

/**
 * Creates a token, which is shown only once.
 * @param {{name: string, scopes: Scope[], expires_in_days: number}} wishes
 * @param {Proof} proof
 * @returns {Promise<CreatedApiToken>}
 */
export const makeApiToken = (wishes, proof) => ask("POST", "/me/tokens", { body: { ...wishes, ...proof }, token: token() });

/** @param {string} id */
export const revokeApiToken = (id) => ask("DELETE", `/me/tokens/${id}`, { token: token() });
