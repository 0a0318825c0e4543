// Whether an open match fits what a person wants to play.

/** @typedef {import("../api/wire").components["schemas"]["CreateMatch"]} CreateMatch */
/** @typedef {import("../api/wire").components["schemas"]["MatchCard"]} MatchCard */

/**
 * The wishes: the length and the clock only if they matter to the person.
 * @typedef {{points?: number} & Pick<CreateMatch, "game" | "games" | "options" | "clock" | "rated" | "side">} Wanted
 */

/**
 * Whether the match fits.
 * @param {MatchCard} card
 * @param {Wanted} wanted
 * @param {string | undefined} me the person's id, if any
 */
export function fits(card, wanted, me) {
  if (card.state !== "open" || card.game !== wanted.game || card.players[1].id === me) return false;
  if ((card.rated ?? false) !== (wanted.rated ?? false)) return false;
  const isLong = wanted.points === undefined || (card.points === wanted.points && card.games === wanted.games);
  if (!isLong) return false;
  // A correspondence match fits only if the person asked for one.
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
