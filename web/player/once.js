// Requests that must take effect once: each is stored in this tab until its response, so that a retry after a lost
// connection sends exactly the same.

import { Problem, freshKey } from "../api/rest.js";

/** @typedef {{key: string, seed?: string, at: number}} Asked */

const KEPT_AS = "lusoria.asked";
/** After this time the person means a new request. */
const SAME_FOR_MS = 10 * 60_000;

/** @returns {Record<string, Asked>} */
function kept() {
  try {
    const all = /** @type {[string, Asked][]} */ (
      Object.entries(JSON.parse(sessionStorage.getItem(KEPT_AS) ?? "{}"))
    );
    return Object.fromEntries(all.filter(([, { at }]) => Date.now() - at < SAME_FOR_MS));
  } catch {
    return {};
  }
}

/** @param {Record<string, Asked>} all */
function keep(all) {
  try {
    sessionStorage.setItem(KEPT_AS, JSON.stringify(all));
  } catch {
    // It is remembered for this attempt.
  }
}

/**
 * Sends a request under a key of its own.
 * @template T
 * @param {string} purpose the same for the same request
 * @param {() => string | undefined} seed draws the request's seed
 * @param {(asked: Asked) => Promise<T>} send
 * @returns {Promise<T>}
 * @throws {Problem}
 */
export async function once(purpose, seed, send) {
  const asked = kept()[purpose] ?? { key: freshKey(), seed: seed(), at: Date.now() };
  keep({ ...kept(), [purpose]: asked });
  const forget = () => {
    const { [purpose]: _, ...others } = kept();
    keep(others);
  };
  try {
    const answer = await send(asked);
    forget();
    return answer;
  } catch (why) {
    if (!mayHaveBeenDone(why)) forget();
    throw why;
  }
}

/** The seeds of requests without a response. */
export const askedSeeds = () => Object.values(kept()).flatMap(({ seed }) => (seed === undefined ? [] : [seed]));

/** Whether the problem leaves open what happened. @param {unknown} why */
export const mayHaveBeenDone = (why) =>
  !(why instanceof Problem) || why.mayPass || why.code === "internal";
