// Replays a match on its page: by keys and the wheel; the URL and the screen reader follow.

import { stopsOf } from "../match/view.js";
import { Wheel, isWay, leadsTo } from "../match/way.js";
import { pastText } from "./match-told.js";

/** @typedef {import("./match.js").MatchElement} Match */
/** @typedef {import("../match/way.js").Way} Way */

/** Browsers limit how often a page may change its URL; held keys are faster. In milliseconds. */
const REST_MS = 400;

export class Looking {
  /** @param {Match} match */
  constructor(match) {
    this.match = match;
    this.wheel = new Wheel();
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    /** Whether the URL or the announcement is behind. */
    this.isBehind = false;
  }

  /** Steps through the stops of the match; past the last one is the present. @param {Way} way */
  async go(way) {
    const { match } = this;
    const { live } = match;
    if (live.past.length < (live.moment?.seq ?? 0)) await match.deeds.tried(() => live.readPast());
    const stops = stopsOf(live.past);
    if (stops.length === 0) return;
    const next = leadsTo(stops, match.shown.seq, way);
    if (next !== match.at) match.show(next);
  }

  /** The wheel replays only for those who do not play: a player to move does not mean that. @param {WheelEvent} event */
  turned(event) {
    const { aside, at, live } = this.match;
    if (!isWay(event) || aside) return;
    if (at === undefined && live.moment?.state === "playing" && live.mySeats.length > 0) return;
    event.preventDefault();
    const way = this.wheel.turn(event);
    // Nothing follows the present.
    if (way && !(way === "on" && at === undefined)) this.go(way);
  }

  /** Reacts to a change of the moment shown. */
  moved() {
    if (this.timer !== undefined) {
      this.isBehind = true;
      return;
    }
    this.follow();
    this.timer = setTimeout(() => {
      this.timer = undefined;
      if (this.isBehind) this.moved();
    }, REST_MS);
  }

  /** Writes the moment into the URL, and announces it. */
  follow() {
    const { match } = this;
    const { at, saying } = match;
    this.isBehind = false;
    const where = new URL(location.href);
    if (at === undefined) where.searchParams.delete("at");
    else where.searchParams.set("at", String(at));
    history.replaceState(null, "", where);
    if (at !== undefined && !match.aside) saying.say(pastText(match));
  }
}
