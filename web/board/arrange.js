// Computes where each piece of a position lies in a layout; tall piles lie closer.

/** @typedef {import("./layout.js").Layout} Layout */
/** @typedef {import("./layout.js").Spot} Spot */
/** @typedef {import("../game/places.js").PlaceId} PlaceId */
/** @typedef {import("../game/places.js").SideName} SideName */
/** @typedef {import("../game/position.js").Piece} Piece */

/** @typedef {{x: number, y: number, size: number}} Lies */
/**
 * The top piece of a pile, and the number of pieces.
 * @typedef {Lies & {place: PlaceId, side: SideName, count: number}} Pile
 */

/**
 * @param {Layout} layout
 * @param {Piece[]} pieces
 * @returns {{at: Map<string, Lies>, piles: Pile[]}}
 */
export function arrange(layout, pieces) {
  /** @type {Map<PlaceId, Piece[]>} */
  const places = new Map();
  for (const piece of pieces) {
    const there = places.get(piece.place);
    if (there) there.push(piece);
    else places.set(piece.place, [piece]);
  }
  /** @type {Map<string, Lies>} */
  const at = new Map();
  /** @type {Pile[]} */
  const piles = [];
  for (const [place, lying] of places) {
    const spot = layout.spots.get(place);
    if (!spot) continue;
    lying.sort((a, b) => a.level - b.level);
    for (const [half, pile] of shares(layout, spot, lying)) {
      pile.forEach((piece, level) =>
        at.set(piece.key, lies(half, Boolean(pile[0].pinned), level, pile.length)),
      );
      const top = pile[pile.length - 1];
      const lie = at.get(top.key);
      if (lie) piles.push({ ...lie, place, side: top.side, count: pile.length });
    }
  }
  return { at, piles };
}

/**
 * Both sides' pieces that wait in one cell lie side by side; a pinned piece lies under the others.
 * @param {Layout} layout
 * @param {Spot} spot
 * @param {Piece[]} lying
 * @returns {[Spot, Piece[]][]}
 */
function shares(layout, spot, lying) {
  const mixed = lying.some(({ side }) => side !== lying[0].side);
  if (!mixed || layout.held.family !== "rows") return [[spot, lying]];
  const along = { x: spot.dy ? 0.25 : 0, y: spot.dx ? 0.25 : 0 };
  return layout.entry.sides.map(({ id }, index) => {
    const sign = index ? 1 : -1;
    const half = { ...spot, x: spot.x + sign * along.x, y: spot.y + sign * along.y, size: spot.size * 0.66 };
    return [half, lying.filter(({ side }) => side === id)];
  });
}

/** How far a piece lies off the enemy piece that it pins, so that both can be seen. */
const OVER = 0.36;

/** @param {Spot} spot @param {boolean} pinning @param {number} level @param {number} count @returns {Lies} */
function lies({ x, y, dx, dy, step, room, size }, pinning, level, count) {
  const first = pinning ? OVER : 0;
  const laid = count - (pinning ? 1 : 0);
  const each = laid > 1 ? Math.min(step, (room - first) / (laid - 1)) : 0;
  const off = level === 0 ? 0 : first + each * (level - (pinning ? 1 : 0));
  return { x: x + dx * off, y: y + dy * off, size };
}

/**
 * Where a piece of a side would lie after a move to a place.
 * @param {Layout} layout
 * @param {PlaceId} place
 * @param {Piece[]} pieces
 * @param {SideName} side
 * @returns {Lies}
 */
export function landing(layout, place, pieces, side) {
  const spot = /** @type {Spot} */ (layout.spots.get(place));
  const own = pieces.filter((piece) => piece.place === place && piece.side === side).length;
  const pins =
    canPin(layout.entry) && pieces.some((piece) => piece.place === place && piece.side !== side);
  const level = own + (pins ? 1 : 0);
  return lies(spot, pins, level, level + 1);
}

/** Whether a game has pinned pieces. @param {Layout["entry"]} entry */
const canPin = ({ start }) => "white" in start && start.white.pinned !== undefined;
