// What ratings the players of a rated match have while it is played: those of its game and pace.

import { Problem } from "../api/rest.js";
import { ratingNow } from "../player/ratings.js";

/** @typedef {import("../api/wire").components["schemas"]["Rating"]} Rating */
/** @typedef {import("../game/story.js").Moment} Moment */
/** @typedef {import("../game/story.js").Seat} Seat */
/** @typedef {{1?: Rating, 2?: Rating}} PlayerRatings */

/** @type {Seat[]} */
const SEATS = [1, 2];

/**
 * Asks once for the rating of each player, as soon as it is known who it is. What cannot be asked is not told.
 * @param {import("./live.js").LiveMatch} live
 * @param {(ratings: PlayerRatings) => void} tell is given what is known, whenever that is more
 */
export function followRatings(live, tell) {
  /** @type {PlayerRatings} */
  let ratings = {};
  /** @type {Set<string>} */
  const asked = new Set();
  const look = () => {
    const { moment } = live;
    // What it did to them, its last event tells.
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
