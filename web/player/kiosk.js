// The matches of a kiosk: one screen plays both sides, and ends each match that is abandoned, so that none blocks later
// ones.

import { Problem, freshKey } from "../api/rest.js";
import { create } from "./seats.js";

/** @typedef {import("../api/wire").components["schemas"]["Game"]} Game */

const KEPT_AS = "lusoria.kiosk";
/** The most matches to remember: with more of them, retrying cannot fix what is wrong. */
const KEPT_MAX = 50;

/** The matches begun here that may still be running. @returns {string[]} */
function begun() {
  try {
    return JSON.parse(localStorage.getItem(KEPT_AS) ?? "[]");
  } catch {
    return [];
  }
}

/** @param {string[]} ids */
function keep(ids) {
  try {
    localStorage.setItem(KEPT_AS, JSON.stringify(ids.slice(-KEPT_MAX)));
  } catch {
    // The server still has them.
  }
}

/**
 * Creates a match.
 * @param {Game} game
 * @returns {Promise<string>} its id
 * @throws {Problem}
 */
export async function beginMatch(game) {
  const wishes = /** @type {import("./seats.js").Wishes} */ ({
    game,
    admission: "both_seats",
    clock: { kind: "none" },
    points: 1,
  });
  const { match } = await create(wishes, { bringSeed: false });
  keep([...begun(), match.id]);
  return match.id;
}

/**
 * Ends the abandoned matches. Those that fail are tried again later.
 * @param {import("../api/socket.js").Connection} connection of the matches' player
 * @returns {Promise<void>}
 */
export async function endLeft(connection) {
  for (const id of begun()) {
    if (!(await end(connection, id))) return;
    keep(begun().filter((other) => other !== id));
  }
}

/**
 * Ends a match; one that has ended already stays as it is.
 * @param {import("../api/socket.js").Connection} connection @param {string} id
 * @returns {Promise<boolean>} whether it is done with
 */
async function end(connection, id) {
  // Once both sides have played, a match can no longer be aborted, only resigned.
  for (const how of ["abort", "resign"]) {
    try {
      await connection.ask(how, { match: id, key: freshKey() });
      return true;
    } catch (why) {
      if (!(why instanceof Problem)) throw why;
      if (why.mayPass) return false;
    }
  }
  return true;
}
