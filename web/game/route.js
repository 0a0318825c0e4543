// The route of a side over the board, from the catalogue.

/** @typedef {import("./places.js").CatalogueEntry} CatalogueEntry */
/** @typedef {import("./places.js").SideName} SideName */

/**
 * The cells of a side's route in order; none in a game without one.
 * @param {CatalogueEntry} entry
 * @param {SideName} side
 */
export const routeOf = (entry, side) => entry.board.paths?.[entry.sides[0].id === side ? "white" : "black"] ?? [];

/** The edge cells of a board without a route: there the king escapes (tafl 6). @param {CatalogueEntry} entry */
export function edgeOf({ board: { cells } }) {
  const last = Math.max(...cells.map(({ x }) => x));
  return cells.filter(({ x, y }) => [0, last].includes(x) || [0, last].includes(y)).map(({ id }) => id);
}
