// The programs that act for the person: each has an API token, which may do what its scopes permit.

import { ask } from "../api/rest.js";
import { token } from "./identity.js";

/** @typedef {import("../api/wire").components["schemas"]["ApiToken"]} ApiToken */
/** @typedef {import("../api/wire").components["schemas"]["CreatedApiToken"]} CreatedApiToken */
/** @typedef {import("../api/wire").components["schemas"]["Scope"]} Scope */
/** @typedef {import("./account.js").Proof} Proof */

export const NAME_LONGEST = 40;

/** Days for which a token can be good; the server takes 1 to 366. */
export const DAYS = /** @type {const} */ ([7, 30, 90, 366]);
export const DAYS_AT_FIRST = 90;

/** All scopes, as docs/scopes.md has them, and for whose accounts. @type {Record<Scope, "everybody" | "person" | "bot">} */
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
  "talk:write": "everybody",
  "report:write": "everybody",
  "notify:write": "everybody",
};

/** What a token of a person, or of a bot, can be permitted. @param {boolean} isBot */
export function scopesFor(isBot) {
  const all = /** @type {Scope[]} */ (Object.keys(SCOPES));
  return all.filter((scope) => ["everybody", isBot ? "bot" : "person"].includes(SCOPES[scope]));
}

/** The person's tokens, the newest first. @returns {Promise<ApiToken[]>} */
export const apiTokens = async () => (await ask("GET", "/me/tokens", { token: token() })).tokens;

/**
 * Makes one. Its token is told this once.
 * @param {{name: string, scopes: Scope[], expires_in_days: number}} wishes
 * @param {Proof} proof
 * @returns {Promise<CreatedApiToken>}
 */
export const makeApiToken = (wishes, proof) => ask("POST", "/me/tokens", { body: { ...wishes, ...proof }, token: token() });

/** @param {string} id */
export const revokeApiToken = (id) => ask("DELETE", `/me/tokens/${id}`, { token: token() });
