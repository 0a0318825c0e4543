// The games from the server's catalogue: boards, options, clocks.

import { ask } from "./rest.js";

/** @typedef {import("./wire").components["schemas"]["CatalogueEntry"]} CatalogueEntry */
/** @typedef {import("./wire").components["schemas"]["Game"]} Game */

/** @type {Promise<Map<Game, CatalogueEntry>> | undefined} */
let asked;

/**
 * All games, in the server's order; requested once.
 * @returns {Promise<Map<Game, CatalogueEntry>>}
 * @throws {import("./rest.js").Problem}
 */
export function catalogue() {
  asked ??= ask("GET", "/games").then(
    ({ games }) => new Map(games.map((/** @type {CatalogueEntry} */ entry) => [entry.id, entry])),
    (why) => {
      asked = undefined;
      throw why;
    },
  );
  return asked;
}
