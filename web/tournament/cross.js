// The cross-table of a round robin: what everybody made against everybody. Pure.

/** @typedef {import("./tournaments.js").Pairing} Pairing */
/** @typedef {import("./tournaments.js").Standing} Standing */

/** @typedef {{half?: number, pairing: Pairing}} Cell half points of the row's entrant, once it is decided */
/** @typedef {{standing: Standing, cells: (Cell | undefined)[]}} Row a cell for each entrant; none against oneself */

/**
 * The table, in the order of the standings.
 * @param {Standing[]} standings @param {Pairing[]} pairings @returns {Row[]}
 */
export function crossTable(standings, pairings) {
  /** @type {Map<string, Cell>} */
  const cells = new Map();
  for (const pairing of pairings) {
    const { first, half_points: half, second } = pairing;
    if (!first || !second) continue;
    cells.set(`${first.entrant} ${second.entrant}`, { half: half?.[0], pairing });
    cells.set(`${second.entrant} ${first.entrant}`, { half: half?.[1], pairing });
  }
  return standings.map((standing) => ({
    standing,
    cells: standings.map((other) => cells.get(`${standing.entrant} ${other.entrant}`)),
  }));
}
