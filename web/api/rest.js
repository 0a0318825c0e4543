// Requests over HTTP.

/**
 * The server's description of a problem; its code may be unknown to this page.
 * @typedef {Omit<import("./wire").components["schemas"]["Problem"], "code"> & {code: string}} WireProblem
 */

const BASE = "/api/v1";

/** `Date` headers are in whole seconds, and part of the last second may have passed. */
const SECOND_MS = 1_000;

/** How far the server's clock is ahead of this device's at most, from its last response. */
let aheadMs = 0;

/** Converts the server's time to this device's, which may be wrong. @param {number} at in milliseconds since the epoch */
export const onThisClock = (at) => at - aheadMs;

/** Why the server refused, or could not be reached (code `offline`). */
export class Problem extends Error {
  /** @param {Partial<WireProblem> & {code: string}} told @param {number} [retryAfterS] */
  constructor(told, retryAfterS) {
    super(told.detail ?? told.title ?? told.code);
    this.name = "Problem";
    /** @type {string} */
    this.code = told.code;
    this.detail = told.detail ?? undefined;
    this.title = told.title;
    this.reason = told.reason ?? undefined;
    this.told = told;
    this.retryAfterS = retryAfterS ?? told.retry_after_s ?? undefined;
  }

  /** Whether the same request may succeed later. */
  get mayPass() {
    return ["offline", "unavailable", "stopping", "too_many_requests", "request_timeout"].includes(this.code);
  }
}

/**
 * Sends a request to the API.
 * @param {string} method
 * @param {string} path below /api/v1
 * @param {{body?: unknown, text?: string, token?: string | null, key?: string, signal?: AbortSignal}} [more]
 *   `text` is sent unchanged instead of `body`; `key` makes the request safe to repeat
 * @returns {Promise<any>} the body of the response; undefined if empty
 * @throws {Problem}
 */
export async function ask(method, path, { body, text: plain, token, key, signal } = {}) {
  /** @type {Record<string, string>} */
  const headers = { accept: "application/json" };
  if (body !== undefined) headers["content-type"] = "application/json";
  if (plain !== undefined) headers["content-type"] = "text/plain";
  if (token) headers.authorization = `Bearer ${token}`;
  if (key) headers["idempotency-key"] = key;
  const sent = body === undefined ? plain : JSON.stringify(body);
  const answer = await send(path, { method, headers, body: sent, signal });
  const text = await whole(answer.text());
  return text === "" ? undefined : read(text);
}

/**
 * Downloads a file, which may be long.
 * @param {string} path below /api/v1
 * @param {{token?: string | null, signal?: AbortSignal}} [more]
 * @returns {Promise<Blob>} the whole file
 * @throws {Problem} `offline` also if it was truncated
 */
export async function load(path, { token, signal } = {}) {
  /** @type {Record<string, string>} */
  const headers = token ? { authorization: `Bearer ${token}` } : {};
  const answer = await send(path, { headers, signal });
  return whole(answer.blob());
}

/**
 * Sends a request.
 * @param {string} path below /api/v1
 * @param {RequestInit} request
 * @returns {Promise<Response>} a successful response
 * @throws {Problem}
 */
export async function send(path, request) {
  let answer;
  try {
    answer = await fetch(BASE + path, request);
  } catch (why) {
    if (request.signal?.aborted) throw why;
    throw new Problem({ code: "offline" });
  }
  const toldAt = Date.parse(answer.headers.get("date") ?? "");
  if (Number.isFinite(toldAt)) aheadMs = toldAt + SECOND_MS - Date.now();
  if (answer.ok) return answer;
  const told = read(await whole(answer.text()));
  const wait = Number(answer.headers.get("retry-after"));
  throw new Problem({ code: "internal", ...told }, Number.isFinite(wait) && wait > 0 ? wait : undefined);
}

/** Awaits a body; a truncated one is an `offline` problem. @template T @param {Promise<T>} body @returns {Promise<T>} */
const whole = (body) =>
  body.catch(() => {
    throw new Problem({ code: "offline" });
  });

/** @param {string} text */
function read(text) {
  try {
    return JSON.parse(text);
  } catch {
    return { code: "internal" };
  }
}

/** A key for a request that must take effect only once, however often it is sent. */
export const freshKey = () => hex(crypto.getRandomValues(new Uint8Array(16)));

/** Encodes bytes as hexadecimal digits. @param {Uint8Array} bytes */
export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
