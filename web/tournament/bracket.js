// A bracket as a picture: where the boxes of its pairings stand, and which lines join them. Pure.

/**
 * A place in a bracket.
 * @typedef {object} Tie
 * @property {number} round 1, 2, 3 …
 * @property {number} slot its place in the round, from above; 0, 1, 2 …
 * @property {(number | undefined)[]} entrants the two, as far as they are known
 */

/** @template {Tie} T @typedef {{tie: T, x: number, y: number}} Box the upper left corner */
/** @typedef {{x: number, y: number, toX: number, toY: number}} Line from the right side of a box to the left side of the next */
/** @template {Tie} T @typedef {{width: number, height: number, boxes: Box<T>[], lines: Line[], columns: {round: number, x: number}[]}} Picture */

/** The sizes of the picture, in its own units. */
export const BOX = { width: 216, height: 56 };
const GAP = { across: 36, down: 16 };
const STEP = BOX.height + GAP.down;
/** The height of the row with the names of the rounds. */
export const HEAD = 30;

/**
 * All places of a bracket in which the winner of slots 2n and 2n+1 goes on to slot n: those that are known, and empty
 * ones. In the first round there are only those that are played: a bye has no place.
 * @template {Tie} T
 * @param {T[]} known @param {number} rounds of the whole bracket
 * @param {(round: number, slot: number) => T} empty
 * @returns {T[]}
 */
export function wholeOf(known, rounds, empty) {
  const first = known.filter(({ round }) => round === 1);
  const later = Array.from({ length: Math.max(0, rounds - 1) }, (_, nth) => nth + 2).flatMap((round) =>
    Array.from({ length: 2 ** (rounds - round) }, (_, slot) => known.find((tie) => tie.round === round && tie.slot === slot) ?? empty(round, slot)));
  return [...first, ...later];
}

/**
 * Lays out a bracket. A box stands in the middle of those that lead to it; the others stand below one another.
 * @template {Tie} T
 * @param {T[]} ties
 * @param {boolean} isMain whether slots 2n and 2n+1 always lead to n; in a consolation, whose losers come later, only where
 *   a round has fewer than the one before
 * @returns {Picture<T>}
 */
export function layOut(ties, isMain) {
  const rounds = [...new Set(ties.map(({ round }) => round))].sort((a, b) => a - b);
  const columns = rounds.map((round, nth) => ({ round, x: nth * (BOX.width + GAP.across) }));
  const byRound = rounds.map((round) => ties.filter((tie) => tie.round === round).sort((a, b) => a.slot - b.slot));
  /** @type {Map<T, Box<T>>} */
  const boxes = new Map();
  /** @type {Line[]} */
  const lines = [];
  let rows = 0;

  /** @param {T} tie @param {number} nth its column @returns {Box<T>} */
  const place = (tie, nth) => {
    const before = byRound[nth - 1] ?? [];
    const isHalved = isMain || before.length > byRound[nth].length;
    const from = before.filter((other) => !boxes.has(other) && leadsTo(other, tie, isHalved)).map((other) => place(other, nth - 1));
    const y = from.length > 0 ? from.reduce((sum, box) => sum + box.y, 0) / from.length : HEAD + STEP * rows++;
    const box = { tie, x: columns[nth].x, y };
    boxes.set(tie, box);
    for (const { x, y: fromY } of from) lines.push({ x: x + BOX.width, y: fromY + BOX.height / 2, toX: box.x, toY: y + BOX.height / 2 });
    return box;
  };

  for (let nth = byRound.length - 1; nth >= 0; nth -= 1) for (const tie of byRound[nth]) if (!boxes.has(tie)) place(tie, nth);
  return {
    width: Math.max(BOX.width, columns.length * (BOX.width + GAP.across) - GAP.across),
    height: HEAD + Math.max(1, rows) * STEP - GAP.down,
    boxes: ties.flatMap((tie) => boxes.get(tie) ?? []),
    lines,
    columns,
  };
}

/**
 * Whether somebody goes on from a tie to one of the next round: one of its entrants, or, until those are known, as the
 * slots say.
 * @param {Tie} one @param {Tie} next @param {boolean} isHalved whether the next round has fewer
 */
function leadsTo(one, next, isHalved) {
  const known = next.entrants.filter((entrant) => entrant !== undefined);
  if (known.some((entrant) => one.entrants.includes(entrant))) return true;
  return known.length < 2 && (isHalved ? one.slot >> 1 : one.slot) === next.slot;
}
