// A position that is put together: what can be moved where, how it is written in a link, the moment that begins with it.
// Whether it is possible, the server says.

import { factsOf, isTafl } from "./games.js";
import { cellOf, nameOf, placesOf, sideOf } from "./places.js";
import { afterStep, piecesOf } from "./position.js";
import { begin } from "./story.js";

/** @typedef {import("./places.js").CatalogueEntry} CatalogueEntry */
/** @typedef {import("./places.js").PlaceId} PlaceId */
/** @typedef {import("./places.js").SideName} SideName */
/** @typedef {import("./moves.js").Move} Move */
/** @typedef {import("./position.js").Lying} Lying */
/** @typedef {import("./position.js").Piece} Piece */
/** @typedef {import("./position.js").Position} Position */
/** @typedef {import("./position.js").TablesPosition} TablesPosition */
/** @typedef {import("./position.js").TaflPosition} TaflPosition */
/** @typedef {import("./story.js").Moment} Moment */
/** @typedef {{position: Position, dice: number[], options: Record<string, unknown>}} Setup the dice are none before the throw */

/**
 * The position that pieces make.
 * @param {CatalogueEntry} entry
 * @param {Lying[]} pieces
 * @param {SideName} toMove
 * @returns {Position}
 */
export function positionOf(entry, pieces, toMove) {
  const { start } = entry;
  if ("board" in start) return { board: boardOf(entry, pieces), to_move: toMove };
  const sides = entry.sides.map(({ id }) => [id, sidePosition(entry, pieces, id, start[/** @type {"white"} */ (id)])]);
  return { ...Object.fromEntries(sides), to_move: toMove };
}

/**
 * The places of a side's pieces. What can be hit of a side that enters its pieces into the first cells is told by them:
 * once all are there, and one has gone on.
 * @param {CatalogueEntry} entry @param {Lying[]} pieces @param {SideName} side @param {TablesPosition["white"]} start
 */
function sidePosition(entry, pieces, side, start) {
  /** @type {Record<string, number>} */
  const points = {};
  const own = pieces.filter((piece) => piece.side === side);
  for (const { place } of own.filter((piece) => cellOf(entry, piece.place))) {
    const name = nameOf(entry, side, place);
    points[name] = (points[name] ?? 0) + 1;
  }
  const count = (/** @type {string} */ kind) => own.filter(({ place }) => place === `${kind}:${side}`).length;
  const beside = ["supply", "bar", "off"].filter((kind) => kind in start).map((kind) => [kind, count(kind)]);
  const pinned = own.filter((piece) => piece.pinned).map(({ place }) => nameOf(entry, side, place));
  const isPast = count("off") > 0 || Object.keys(points).some((name) => !(Number(name) <= SHELTERED));
  return {
    points,
    ...Object.fromEntries(beside),
    ...("pinned" in start ? { pinned: pinned.sort((a, b) => Number(b) - Number(a)) } : {}),
    ...("exposed" in start ? { exposed: isPast && count("supply") === 0 } : {}),
  };
}

/** Where single pieces are safe until their side has entered all its pieces and gone on: in so many first cells. */
const SHELTERED = 6;

/** @param {CatalogueEntry} entry @param {Lying[]} pieces */
function boardOf({ sides: [defenders], start }, pieces) {
  const signs = new Map(pieces.map(({ place, side, king }) => [place, king ? "K" : side === defenders.id ? "T" : "t"]));
  const { length } = /** @type {TaflPosition} */ (start).board.split("/");
  const ranks = Array.from({ length }, (_, down) =>
    Array.from({ length }, (_, across) => signs.get(`${"abcdefghi"[across]}${length - down}`) ?? "1").join(""));
  return ranks.join("/").replace(/1+/g, (empty) => String(empty.length));
}

/** The start of a game. @param {CatalogueEntry} entry @returns {Setup} */
export const startOf = ({ start }) => ({ position: start, dice: [], options: {} });

/** Where pieces that are put away lie: where they wait, else where they end. @param {CatalogueEntry} entry @param {SideName} side */
const awayOf = ({ board }, side) =>
  ["supply", "captured", "off"].filter((kind) => board.places.some((place) => place.kind === kind && place.side === side))[0];

/** The position with all pieces put away; a king stays. @param {CatalogueEntry} entry @param {Position} position */
export function cleared(entry, position) {
  const pieces = piecesOf(entry, position).map(({ side, place, king }) =>
    king ? { side, place, king } : { side, place: `${awayOf(entry, side)}:${side}` });
  return positionOf(entry, pieces, position.to_move);
}

/**
 * Where each piece on top can go: to every place but where it would share a cell with the other side. Over one
 * piece of the other side it goes where that pins it.
 * @param {CatalogueEntry} entry @param {Position} position
 * @returns {Move[]}
 */
export function setupMoves(entry, position) {
  const pieces = piecesOf(entry, position);
  const pins = "white" in position && position.white.pinned != null;
  const isCrowded = isTafl(entry.id) ? () => true : (/** @type {Piece[]} */ others) => others.length > (pins ? 1 : 0);
  const lying = new Map(placesOf(entry).map((place) => [place, pieces.filter((piece) => piece.place === place)]));
  return [...lying].flatMap(([from, here]) => {
    const top = here.reduce((/** @type {Piece | undefined} */ top, piece) => (top && top.level > piece.level ? top : piece), undefined);
    if (!top) return [];
    const { side, king } = top;
    const goes = (/** @type {PlaceId} */ to, /** @type {Piece[]} */ there) => {
      if (to === from) return false;
      if (!cellOf(entry, to)) return sideOf(to) === side && !king;
      const others = isTafl(entry.id) ? there : there.filter((piece) => piece.side !== side);
      return others.length === 0 || !isCrowded(others);
    };
    const step = (/** @type {PlaceId} */ to) => ({ from: nameOf(entry, side, from), to: nameOf(entry, side, to) });
    const to = [...lying].filter(([place, there]) => goes(place, there));
    return to.map(([place]) => ({ from, to: place, steps: [step(place)], dice: [], side }));
  });
}

/** The position after such a move. @param {CatalogueEntry} entry @param {Position} position @param {Move} move @returns {Position} */
export function setUp(entry, position, { side, steps: [step] }) {
  const pieces = afterStep(piecesOf(entry, position), entry, /** @type {SideName} */ (side), step);
  return positionOf(entry, pieces, position.to_move);
}

/**
 * A setup as the query of a link: `white=24-2.13-5.off-1&black=…&turn=white&dice=3.1`; `7-pinned` is a single pinned
 * piece. Ranks of a tafl board follow each other.
 * @param {Setup} setup
 */
export function queryOf({ position, dice, options }) {
  const query = new URLSearchParams();
  if ("board" in position) query.set("board", position.board.replaceAll("/", "."));
  else for (const side of /** @type {const} */ (["white", "black"])) query.set(side, written(position[side]));
  query.set("turn", position.to_move);
  if (dice.length > 0) query.set("dice", dice.join("."));
  for (const [name, value] of Object.entries(options)) query.set(name, String(value));
  return query.toString();
}

/** @param {import("./position.js").TablesPosition["white"]} side */
function written({ points, pinned, supply, bar, off }) {
  const all = Object.entries({ ...points, supply, bar, off }).filter(([, count]) => count);
  return all.map(([name, count]) => `${name}-${pinned?.includes(name) ? "pinned" : count}`).join(".");
}

/**
 * What a query says.
 * @param {CatalogueEntry} entry @param {string} text
 * @returns {Setup | undefined} none if it holds no position of the game
 */
export function setupIn(entry, text) {
  const query = new URLSearchParams(text);
  const turn = query.get("turn") ?? "";
  const position = isTafl(entry.id) ? tafl(query.get("board") ?? "", turn) : tables(entry, query, turn);
  if (!position || !entry.sides.some(({ id }) => id === turn)) return undefined;
  const places = new Set(placesOf(entry));
  const pieces = piecesOf(entry, position);
  const isWhole = entry.sides.every(({ id, pieces: count }) => pieces.filter(({ side }) => side === id).length === count);
  if (!isWhole || pieces.some(({ place }) => !places.has(place))) return undefined;
  if (isTafl(entry.id) && pieces.filter(({ king, place }) => king && cellOf(entry, place)).length !== 1) return undefined;
  const dice = (query.get("dice") ?? "").split(".").filter((die) => /^[1-6]$/.test(die)).map(Number);
  const options = entry.options.flatMap(({ name, values }) =>
    values.filter(({ value }) => String(value) === query.get(name)).map(({ value }) => [name, value]));
  return {
    position: positionOf(entry, pieces, position.to_move),
    dice: dice.length === factsOf(entry.id).dice ? dice : [],
    options: Object.fromEntries(options),
  };
}

/** @param {string} board @param {string} turn @returns {any} */
function tafl(board, turn) {
  const ranks = board.split(".");
  const cells = ranks.map((rank) => (/^[tTK1-9]+$/.test(rank) ? rank.replace(/\d/g, (empty) => " ".repeat(Number(empty))) : ""));
  return cells.every(({ length }) => length === ranks.length) ? { board: ranks.join("/"), to_move: turn } : undefined;
}

/** @param {CatalogueEntry} entry @param {URLSearchParams} query @param {string} turn @returns {any} */
function tables({ sides }, query, turn) {
  const read = sides.map(({ id, pieces }) => {
    const side = /** @type {any} */ ({ points: {}, pinned: [] });
    for (const part of (query.get(id) ?? "").split(".")) {
      const [name, count] = part.split("-");
      const where = ["supply", "bar", "off"].includes(name) ? side : side.points;
      where[name] = count === "pinned" ? 1 : Math.min(Number(count) || 0, pieces + 1);
      if (count === "pinned") side.pinned.push(name);
    }
    return [id, side];
  });
  return { ...Object.fromEntries(read), to_move: turn };
}

/** The moment that begins with a setup, as of a match that is over. @param {CatalogueEntry} entry @param {Setup} setup @param {(side: SideName) => string} name @returns {Moment} */
export function momentOf({ id: game, sides: [one, two] }, { position, dice, options }, name) {
  const made = begin(/** @type {any} */ ({ seq: 0, at: 0, game, options, points: 1, clock: { kind: "none" }, admission: "open" }));
  const seat = position.to_move === one.id ? 1 : 2;
  const isGiven = isTafl(game) || dice.length > 0;
  const toPlay = isGiven ? { seat: /** @type {import("./story.js").Seat} */ (seat), side: position.to_move, seq: 0, dice, sinceAt: 0, firstTurn: false } : undefined;
  // Both are nobody in particular: that they are one says that the names are those of the sides.
  const players = { 1: { id: "", name: name(one.id) }, 2: { id: "", name: name(two.id) } };
  return { ...made, state: "ended", gameNumber: 1, players, sides: { 1: one.id, 2: two.id }, position, toPlay };
}
