// The pip count of a side, and whether it has borne off all its pieces.

/** @typedef {import("../api/wire").components["schemas"]["CatalogueEntry"]} CatalogueEntry */
/** @typedef {import("../api/wire").components["schemas"]["Position"]} Position */
/** @typedef {import("../api/wire").components["schemas"]["SideName"]} SideName */
/** @typedef {import("../api/wire").components["schemas"]["TablesPosition"]} TablesPosition */

/**
 * The pip count of a side.
 * @param {CatalogueEntry} entry
 * @param {TablesPosition} position
 * @param {"white" | "black"} side
 */
export function pips(entry, position, side) {
  const length = entry.board.paths?.[side].length ?? 0;
  const cells = new Map(entry.board.cells.map((cell) => [cell.names[side], cell]));
  const pieces = position[side];
  let count = ((pieces.supply ?? 0) + (pieces.bar ?? 0)) * (length + 1);
  for (const [name, number] of Object.entries(pieces.points ?? {})) {
    const order = cells.get(name)?.order?.[side];
    // The middle row stands beside the route: from m4 a 2 leads to 5.
    const steps = order === undefined ? length + 2 - Number(name.slice(1)) : length + 1 - order;
    count += steps * number;
  }
  return count;
}

/**
 * Whether a side has borne off all its pieces, and has won: then no more dice are needed.
 * @param {Position | null | undefined} position @param {SideName} side
 */
export function isBorneOff(position, side) {
  if (!position || "board" in position) return false;
  const { points, bar, supply } = position[/** @type {"white" | "black"} */ (side)];
  return Object.keys(points ?? {}).length === 0 && !bar && !supply;
}
