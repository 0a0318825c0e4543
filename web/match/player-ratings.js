// The ratings of the players during a rated match: those of its game and pace.

import { Problem } from "../api/rest.js";
import { ratingNow } from "../player/ratings.js";

/** @typedef {import("../api/wire").components["schemas"]["Rating"]} Rating */
/** @typedef {import("../game/story.js").Moment} Moment */
/** @typedef {import("../game/story.js").Seat} Seat */
/** @typedef {{1?: Rating, 2?: Rating}} PlayerRatings */

/** @type {Seat[]} */
const SEATS = [1, 2];

/**
 * Requests each player's rating once, when the player is known. A failed request is ignored.
 * @param {import("./live.js").LiveMatch} live
 * @param {(ratings: PlayerRatings) => void} tell receives the ratings known until now, after each response
 */
export function followRatings(live, tell) {
  /** @type {PlayerRatings} */
  let ratings = {};
  /** @type {Set<string>} */
  const asked = new Set();
  const look = () => {
    const { moment } = live;
    // The last event holds the changes.
    if (!moment?.rated || moment.state === "ended") return;
    for (const seat of SEATS) {
      const id = moment.players[seat]?.id;
      if (id === undefined || asked.has(id)) continue;
      asked.add(id);
      ratingOf(id, moment).then((rating) => rating && tell((ratings = { ...ratings, [seat]: rating })));
    }
  };
  live.addEventListener("moment", look);
  look();
}

/** @param {string} player @param {Moment} moment @returns {Promise<Rating | undefined>} */
async function ratingOf(player, { clock, game }) {
  try {
    return await ratingNow(player, game, clock.kind === "days" ? "days" : "live");
  } catch (why) {
    if (!(why instanceof Problem)) throw why;
    return undefined;
  }
}
