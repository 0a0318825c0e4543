// A person's actions at a match besides playing: each runs once, and reports why it failed.

import { Problem } from "../api/rest.js";
import { seedForRematch } from "../match/seeds.js";
import { keepLevel } from "../player/level.js";
import { create, join } from "../player/seats.js";
import { t } from "../text/text.js";
import { problemText } from "../text/words.js";

export class Deeds {
  /**
   * @param {import("../match/live.js").LiveMatch} live
   * @param {import("../match/saying.js").Saying} saying
   * @param {() => void} done called after each
   */
  constructor(live, saying, done) {
    this.live = live;
    this.saying = saying;
    this.done = done;
    this.busy = false;
  }

  /** Runs an action once, and reports a failure. @param {() => Promise<unknown>} what */
  async tried(what) {
    if (this.busy) return;
    this.busy = true;
    try {
      await what();
    } catch (why) {
      if (!(why instanceof Problem)) throw why;
      this.saying.tell(problemText(why));
    } finally {
      this.busy = false;
      this.done();
    }
  }

  /** Ends a game or a match, or begins another. @param {string} op @param {Record<string, unknown>} fields */
  act(op, fields) {
    const { live } = this;
    return this.tried(async () => {
      const seed = op === "rematch" && fields.action !== "decline" ? await seedForRematch(live.id) : {};
      await live.do(op, { ...fields, ...seed });
      // A player of both sides waits for nobody.
      const again = op === "rematch" && fields.action === "offer" && live.mySeats.length === 2;
      if (again) await live.do("rematch", { action: "accept" });
    });
  }

  /** Takes the free seat. */
  sitDown() {
    return this.tried(() => join(this.live.id, { bringSeed: true }));
  }
}

/**
 * Creates a match with the same terms against the computer at a level.
 * @param {import("../match/live.js").LiveMatch} live
 * @param {import("../player/level.js").Level} level
 * @param {import("../game/story.js").SideName | undefined} side of the person
 * @returns {Promise<string>} its id
 */
export async function playAgain({ moment }, level, side) {
  const { game, clock, options, points, games } = /** @type {import("../game/story.js").Moment} */ (moment);
  const wishes = /** @type {import("../player/seats.js").Wishes} */ ({ game, clock, options, points, games, side });
  keepLevel(level);
  const { match } = await create({ ...wishes, opponent: { computer: level } }, { bringSeed: true });
  return match.id;
}

/** Shares a match, or the position shown. @param {import("./match.js").MatchElement} match */
export function shareMatch(match) {
  const { id, moment } = match.live;
  const isListed = moment?.admission === "open";
  return shareFrom(match, { path: `match/${id}`, game: /** @type {any} */ (moment).game, at: match.at, head: moment?.seq, isListed });
}

/** Shares something from the page of a match. @param {import("./match.js").MatchElement} match @param {import("./share.js").Shared} what */
export async function shareFrom(match, what) {
  const loaded = await import("./share.js").catch(() => match.saying.tell(t("analysis.unloaded")));
  if (!loaded) return;
  match.closeSheet();
  loaded.share(what);
}
