// The places of pieces: cells by their ids, and the places beside them by kind and side.
//
// Positions and steps name a cell by the route of their side; a place has one name for both sides.

/** @typedef {import("../api/wire").components["schemas"]["CatalogueEntry"]} CatalogueEntry */
/** @typedef {import("../api/wire").components["schemas"]["Cell"]} Cell */
/** @typedef {import("../api/wire").components["schemas"]["SideName"]} SideName */

/**
 * A cell's id, or a kind and a side: `supply:white`, `bar:black`, `off:white`, `captured:attackers`.
 * @typedef {string} PlaceId
 */

const BESIDE = ["supply", "bar", "off", "captured"];

/** @typedef {{white: Map<string, PlaceId>, black: Map<string, PlaceId>, cells: Map<PlaceId, Cell>}} Index */

/** @type {WeakMap<CatalogueEntry, Index>} */
const indexes = new WeakMap();

/** @param {CatalogueEntry} entry @returns {Index} */
function indexOf(entry) {
  const known = indexes.get(entry);
  if (known) return known;
  const { cells } = entry.board;
  const index = {
    white: new Map(cells.map((cell) => [cell.names.white, cell.id])),
    black: new Map(cells.map((cell) => [cell.names.black, cell.id])),
    cells: new Map(cells.map((cell) => [cell.id, cell])),
  };
  indexes.set(entry, index);
  return index;
}

/** The side's name of each pair of names. @param {CatalogueEntry} entry @param {SideName} side */
const pathOf = (entry, side) => (entry.sides[0].id === side ? "white" : "black");

/**
 * The place for a side's name.
 * @param {CatalogueEntry} entry
 * @param {SideName} side
 * @param {string} name
 * @returns {PlaceId}
 */
export function placeOf(entry, side, name) {
  if (BESIDE.includes(name)) return `${name}:${side}`;
  return indexOf(entry)[pathOf(entry, side)].get(name) ?? name;
}

/**
 * The side's name for a place.
 * @param {CatalogueEntry} entry
 * @param {SideName} side
 * @param {PlaceId} place
 * @returns {string}
 */
export function nameOf(entry, side, place) {
  const cell = cellOf(entry, place);
  return cell ? cell.names[pathOf(entry, side)] : kindOf(place);
}

/**
 * The cell of a place, unless it lies beside the cells.
 * @param {CatalogueEntry} entry
 * @param {PlaceId} place
 */
export const cellOf = (entry, place) => indexOf(entry).cells.get(place);

/** The kind of a place: "cell", or its kind beside the cells. @param {PlaceId} place */
export const kindOf = (place) => (place.includes(":") ? place.slice(0, place.indexOf(":")) : "cell");

/** The owner of a place beside the cells. @param {PlaceId} place */
export const sideOf = (place) =>
  place.includes(":") ? /** @type {SideName} */ (place.slice(place.indexOf(":") + 1)) : undefined;

/** The other side. @param {CatalogueEntry} entry @param {SideName} side */
export const enemyOf = (entry, side) => entry.sides[entry.sides[0].id === side ? 1 : 0].id;

/**
 * Every place of a game: the cells as the catalogue lists them, then those beside.
 * @param {CatalogueEntry} entry
 */
export const placesOf = (entry) => [
  ...entry.board.cells.map((cell) => cell.id),
  ...entry.board.places.map(({ kind, side }) => `${kind}:${side}`),
];

/**
 * The centre of a place on the catalogue's board.
 * @param {CatalogueEntry} entry
 * @param {PlaceId} place
 */
export function middleOf(entry, place) {
  const box =
    cellOf(entry, place) ?? entry.board.places.find(({ kind, side }) => `${kind}:${side}` === place);
  return box ? { x: box.x + box.w / 2, y: box.y + box.h / 2 } : { x: 0, y: 0 };
}
