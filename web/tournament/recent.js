// The newest pairings of a tournament, from its last events: an arena has too many to read all of them. Pure.

/** @typedef {import("./tournaments.js").Pairing} Pairing */
/** @typedef {import("./tournaments.js").Standing} Standing */
/** @typedef {import("./tournaments.js").TournamentEvent} TournamentEvent */

/** How many pairings are shown. */
const SHOWN = 12;

/**
 * The newest pairings, the newest first. Events about a pairing that was made earlier, or about an entrant who is not
 * known yet, change nothing.
 * @param {TournamentEvent[]} events @param {Standing[]} standings they name the entrants @returns {Pairing[]}
 */
export function recentPairings(events, standings) {
  const players = new Map(standings.map(({ entrant, player }) => [entrant, player]));
  /** @type {Map<number, Pairing>} */
  const pairings = new Map();
  const ofMatch = (/** @type {string} */ match) => [...pairings.values()].find((one) => one.match === match);
  const entrantOf = (/** @type {number} */ entrant) => ({ entrant, player: /** @type {any} */ (players.get(entrant)) });

  for (const event of events) {
    switch (event.type) {
      case "round_paired":
        for (const { board, first, match, pairing, second } of event.pairings) {
          if (!players.has(first) || !players.has(second)) continue;
          pairings.set(pairing, { pairing, round: event.round, board, first: entrantOf(first), second: entrantOf(second), match, state: "open" });
        }
        break;
      case "match_began":
        change(ofMatch(event.match), { state: "playing" });
        break;
      case "match_ended":
        // What follows a match that nobody won or drew is an event of its own.
        if (event.end === "won") change(ofMatch(event.match), { state: "ended", half_points: event.seat === 1 ? [2, 0] : [0, 2] });
        else if (event.end === "drawn") change(ofMatch(event.match), { state: "ended", half_points: [1, 1] });
        break;
      case "forfeited": {
        const pairing = pairings.get(event.pairing);
        const points = (/** @type {number | undefined} */ entrant) => (entrant === event.winner ? 2 : 0);
        change(pairing, { state: "ended", forfeit: true, half_points: [points(pairing?.first.entrant), points(pairing?.second.entrant)] });
        break;
      }
      case "again": {
        const pairing = pairings.get(event.pairing);
        if (pairing && pairing.first.entrant !== event.first) Object.assign(pairing, { first: pairing.second, second: pairing.first });
        change(pairing, { state: "open", match: event.match });
        break;
      }
      case "result_set": {
        const { half_points: half, reason } = event;
        Object.assign(pairings.get(event.pairing) ?? {}, { state: "ended", by_hand: true, forfeit: false, half_points: half, reason });
        break;
      }
    }
  }
  // A match that is not made yet has no page.
  const made = [...pairings.values()].map((one) => (one.state === "open" ? { ...one, match: undefined } : one));
  return made.slice(-SHOWN).reverse();
}

/** Changes a pairing that is not decided. @param {Pairing | undefined} pairing @param {Partial<Pairing>} to */
function change(pairing, to) {
  if (pairing && pairing.state !== "ended") Object.assign(pairing, to);
}
