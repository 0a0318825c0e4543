// Whether somebody who wants to play would be content with a match that waits.

/** @typedef {import("../api/wire").components["schemas"]["CreateMatch"]} CreateMatch */
/** @typedef {import("../api/wire").components["schemas"]["MatchCard"]} MatchCard */

/**
 * What he wants: the length and the clock only if they matter to him.
 * @typedef {{points?: number} & Pick<CreateMatch, "game" | "games" | "options" | "clock" | "rated" | "side">} Wanted
 */

/**
 * Whether he would.
 * @param {MatchCard} card
 * @param {Wanted} wanted
 * @param {string | undefined} me his id, if he has one
 */
export function fits(card, wanted, me) {
  if (card.state !== "open" || card.game !== wanted.game || card.players[1].id === me) return false;
  if ((card.rated ?? false) !== (wanted.rated ?? false)) return false;
  const isLong = wanted.points === undefined || (card.points === wanted.points && card.games === wanted.games);
  if (!isLong) return false;
  // Who sits down to play does not mean a match of days, unless he says so.
  if (wanted.clock ? !same(card.clock, wanted.clock) : card.clock.kind === "days") return false;
  if (!same(card.options, { ...card.options, ...wanted.options })) return false;
  const side = wanted.side ?? "lot";
  return side === "lot" || (card.side !== "lot" && card.side !== side);
}

/** @param {object} one @param {object} other */
function same(one, other) {
  const sorted = (/** @type {object} */ value) => JSON.stringify(Object.entries(value).sort());
  return sorted(one) === sorted(other);
}
