// The matches of a kiosk: both sides are played on one screen, and each is ended when it is left, so that none is in
// the way of later ones.

import { Problem, freshKey } from "../api/rest.js";
import { create } from "./seats.js";

/** @typedef {import("../api/wire").components["schemas"]["Game"]} Game */

const KEPT_AS = "lusoria.kiosk";
/** What can be wrong with more of them than that, asking again does not mend. */
const KEPT_MAX = 50;

/** Those that have been begun here and are not known to have ended. @returns {string[]} */
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
    // They stay as they are on the server.
  }
}

/**
 * Begins a match.
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
 * Ends those that have been left. What cannot be done now is left for another time.
 * @param {import("../api/socket.js").Connection} connection of their player
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
 * @returns {Promise<boolean>} whether it need not be tried again
 */
async function end(connection, id) {
  // Once both have played a match cannot be broken off any more, but given up.
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
