// Positions as placed pieces, and what steps do to them.
//
// Each piece keeps its key from position to position, so that its move can be animated. Where a hit or captured piece
// goes is only predicted, to choose the shortest way: the next position always comes from the server.

import { cellOf, enemyOf, kindOf, middleOf, placeOf, placesOf } from "./places.js";

/** @typedef {import("./places.js").CatalogueEntry} CatalogueEntry */
/** @typedef {import("./places.js").PlaceId} PlaceId */
/** @typedef {import("./places.js").SideName} SideName */
/** @typedef {import("../api/wire").components["schemas"]["Position"]} Position */
/** @typedef {import("../api/wire").components["schemas"]["TablesPosition"]} TablesPosition */
/** @typedef {import("../api/wire").components["schemas"]["TaflPosition"]} TaflPosition */
/** @typedef {import("../api/wire").components["schemas"]["TakenStep"]} TakenStep */
/** @typedef {import("../api/wire").components["schemas"]["Step"]} Step */

/**
 * @typedef {object} Piece
 * @property {string} key identifies the same piece in the next position
 * @property {SideName} side
 * @property {PlaceId} place
 * @property {number} level 0 for the lowest piece of its place
 * @property {true} [king]
 * @property {true} [pinned] whether it lies under an enemy piece
 */

/** @typedef {Omit<Piece, "key" | "level">} Lying */

/**
 * The pieces of a position.
 * @param {CatalogueEntry} entry
 * @param {Position} position
 * @returns {Piece[]}
 */
export function piecesOf(entry, position) {
  /** @type {Record<string, number>} */
  const counts = {};
  const keyed = lyingIn(entry, position).map((lying) => {
    counts[lying.side] = (counts[lying.side] ?? 0) + 1;
    return { ...lying, key: `${lying.side}${counts[lying.side]}` };
  });
  return levelled(keyed);
}

/** @param {CatalogueEntry} entry @param {Position} position @returns {Lying[]} */
const lyingIn = (entry, position) =>
  "board" in position ? lyingInTafl(entry, position) : lyingInTables(entry, position);

/** @param {CatalogueEntry} entry @param {TablesPosition} position @returns {Lying[]} */
function lyingInTables(entry, position) {
  /** @type {Lying[]} */
  const found = [];
  for (const { id: side } of entry.sides) {
    const { points, pinned = [], supply, bar, off } = position[/** @type {"white" | "black"} */ (side)];
    const counted = Object.entries({ ...points, supply, bar, off });
    for (const [name, count] of counted) {
      const place = placeOf(entry, side, name);
      const under = pinned?.includes(name) ? 1 : 0;
      for (let n = 0; n < (count ?? 0); n += 1) {
        found.push(n < under ? { side, place, pinned: true } : { side, place });
      }
    }
  }
  return found;
}

/** @param {CatalogueEntry} entry @param {TaflPosition} position @returns {Lying[]} */
function lyingInTafl(entry, position) {
  const [defenders, attackers] = entry.sides;
  const rows = position.board.split("/");
  /** @type {Lying[]} */
  const found = [];
  rows.forEach((row, down) => {
    let across = 0;
    for (const sign of row) {
      if (/\d/.test(sign)) {
        across += Number(sign);
        continue;
      }
      const place = `${"abcdefghi"[across]}${rows.length - down}`;
      if (sign === "K") found.push({ side: defenders.id, place, king: true });
      else found.push({ side: sign === "t" ? attackers.id : defenders.id, place });
      across += 1;
    }
  });
  for (const { id: side, pieces } of entry.sides) {
    const left = found.filter((lying) => lying.side === side).length;
    const kingless = side === defenders.id && !found.some(({ king }) => king);
    for (let n = left; n < pieces; n += 1) {
      const place = `captured:${side}`;
      found.push(kingless && n === left ? { side, place, king: true } : { side, place });
    }
  }
  return found;
}

/**
 * Numbers the pieces of each place upwards in their order, pinned ones below all others.
 * @template {Lying} T
 * @param {T[]} pieces
 * @returns {(T & {level: number})[]}
 */
function levelled(pieces) {
  /** @type {Map<PlaceId, number>} */
  const heights = new Map();
  const upwards = [...pieces.filter(({ pinned }) => pinned), ...pieces.filter(({ pinned }) => !pinned)];
  return upwards.map((piece) => {
    const level = heights.get(piece.place) ?? 0;
    heights.set(piece.place, level + 1);
    return { ...piece, level };
  });
}

/**
 * The pieces after one more step.
 * @param {Piece[]} pieces
 * @param {CatalogueEntry} entry
 * @param {SideName} side the side that makes the step
 * @param {Step | TakenStep} step
 * @returns {Piece[]}
 */
export function afterStep(pieces, entry, side, step) {
  const from = placeOf(entry, side, step.from);
  const to = placeOf(entry, side, step.to);
  const mover = topOf(pieces, side, from);
  if (!mover) return pieces;
  const met = pieces.filter((piece) => piece.place === to && piece.side !== side);
  const captured = new Set(("captures" in step && step.captures) || []);
  const rest = pieces
    .filter((piece) => piece !== mover)
    .map((piece) => {
      const taken = piece.side !== side && captured.has(piece.place);
      if (taken) return { ...piece, place: `captured:${piece.side}` };
      if (met.length !== 1 || piece !== met[0]) return piece;
      const sent = sentTo(entry, piece);
      return sent ? { ...piece, place: sent } : pinning(piece);
    });
  const freed = rest.map((piece) => (piece.place === from ? freeing(piece, rest) : piece));
  return levelled([...freed, { ...mover, place: to }]);
}

/** @param {Piece[]} pieces @param {SideName} side @param {PlaceId} place */
function topOf(pieces, side, place) {
  const own = pieces.filter((piece) => piece.side === side && piece.place === place && !piece.pinned);
  return own.reduce((top, piece) => (top && top.level > piece.level ? top : piece), own[0]);
}

/**
 * Where a hit piece goes: to the bar, or to the cell of its column in the middle row. Without either it stays under the
 * piece that arrived.
 * @param {CatalogueEntry} entry
 * @param {Piece} piece
 * @returns {PlaceId | undefined}
 */
function sentTo(entry, { place, side }) {
  const bar = `bar:${side}`;
  if (placesOf(entry).includes(bar)) return bar;
  const column = cellOf(entry, place)?.x;
  return entry.board.cells.find((cell) => cell.table?.startsWith("middle") && cell.x === column)?.id;
}

/** @param {Piece} piece @returns {Piece} */
const pinning = (piece) => ({ ...piece, pinned: true });

/**
 * A pinned piece is free when the last enemy piece has left it.
 * @param {Piece} piece
 * @param {Piece[]} rest
 * @returns {Piece}
 */
function freeing(piece, rest) {
  if (!piece.pinned || rest.some(({ place, side }) => place === piece.place && side !== piece.side))
    return piece;
  const { pinned: _, ...free } = piece;
  return free;
}

/**
 * The pieces of the next position, with the keys of the previous one: first the pieces that the steps move, then the
 * nearest ones. The pieces always lie as in `position`, even if the steps do not lead there.
 * @param {Piece[]} before
 * @param {CatalogueEntry} entry
 * @param {SideName} side the side that made the steps
 * @param {(Step | TakenStep)[]} steps
 * @param {Position} position
 * @returns {Piece[]}
 */
export function follow(before, entry, side, steps, position) {
  const moved = steps.reduce((pieces, step) => afterStep(pieces, entry, side, step), before);
  const aims = lyingIn(entry, position);
  const unused = new Set(moved);
  /** @type {Map<Lying, Piece>} */
  const found = new Map();
  /** @param {Lying} aim @param {Piece} piece */
  const settle = (aim, piece) => {
    found.set(aim, piece);
    unused.delete(piece);
  };
  for (const exact of [true, false]) {
    for (const aim of aims) {
      if (found.has(aim)) continue;
      const there = [...unused].find((piece) => stays(piece, aim) && (!exact || piece.pinned === aim.pinned));
      if (there) settle(aim, there);
    }
  }
  for (const aim of aims) {
    const nearest = found.has(aim) ? undefined : nearestOf(entry, unused, aim);
    if (nearest) settle(aim, nearest);
  }
  const newcomers = keysBeside(before);
  const keyed = aims.map((aim) => ({ ...aim, key: found.get(aim)?.key ?? newcomers(aim.side) }));
  return inOldOrder(keyed, moved);
}

/** @param {Piece} piece @param {Lying} aim */
const stays = (piece, aim) =>
  piece.side === aim.side && piece.place === aim.place && Boolean(piece.king) === Boolean(aim.king);

/** @param {CatalogueEntry} entry @param {Set<Piece>} pieces @param {Lying} aim */
function nearestOf(entry, pieces, aim) {
  const there = middleOf(entry, aim.place);
  /** @param {Piece} piece */
  const distance = (piece) => {
    const here = middleOf(entry, piece.place);
    const beside = kindOf(piece.place) === kindOf(aim.place) ? 0 : 1;
    return Math.hypot(here.x - there.x, here.y - there.y) + beside - piece.level / 100;
  };
  /** @type {Piece | undefined} */
  let nearest;
  for (const piece of pieces) {
    if (piece.side !== aim.side || Boolean(piece.king) !== Boolean(aim.king)) continue;
    if (!nearest || distance(piece) < distance(nearest)) nearest = piece;
  }
  return nearest;
}

/** New keys for pieces that come from nowhere. @param {Piece[]} before */
function keysBeside(before) {
  const taken = new Set(before.map(({ key }) => key));
  /** @param {SideName} side */
  return (side) => {
    let number = 1;
    while (taken.has(`${side}${number}`)) number += 1;
    taken.add(`${side}${number}`);
    return `${side}${number}`;
  };
}

/**
 * Pieces that lay together keep their order; arrivals lie on top.
 * @param {(Lying & {key: string})[]} pieces
 * @param {Piece[]} before
 * @returns {Piece[]}
 */
function inOldOrder(pieces, before) {
  const old = new Map(before.map((piece) => [piece.key, piece]));
  /** @param {Lying & {key: string}} piece */
  const height = (piece) => {
    const was = old.get(piece.key);
    return was && was.place === piece.place ? was.level : 1000;
  };
  return levelled([...pieces].sort((a, b) => height(a) - height(b)));
}
