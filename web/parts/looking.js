// Looking back at a match on its page: keys and the wheel lead through it, and the address and the
// screen reader follow.

import { stopsOf } from "../match/view.js";
import { Wheel, isWay, leadsTo } from "../match/way.js";
import { pastText } from "./match-told.js";

/** @typedef {import("./match.js").MatchElement} Match */
/** @typedef {import("../match/way.js").Way} Way */

/** Browsers let a page change its address a few times in a second; held keys go faster. In milliseconds. */
const REST_MS = 400;

export class Looking {
  /** @param {Match} match */
  constructor(match) {
    this.match = match;
    this.wheel = new Wheel();
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    /** Whether the address or what is said is behind. */
    this.isBehind = false;
  }

  /** Goes along the stops of the match; past the last is the present. @param {Way} way */
  async go(way) {
    const { match } = this;
    const { live } = match;
    if (live.past.length < (live.moment?.seq ?? 0)) await match.deeds.tried(() => live.readPast());
    const stops = stopsOf(live.past);
    if (stops.length === 0) return;
    const next = leadsTo(stops, match.shown.seq, way);
    if (next !== match.at) match.show(next);
  }

  /** The wheel looks back where nobody plays: who has a turn to play does not mean that. @param {WheelEvent} event */
  turned(event) {
    const { aside, at, live } = this.match;
    if (!isWay(event) || aside) return;
    if (at === undefined && live.moment?.state === "playing" && live.mySeats.length > 0) return;
    event.preventDefault();
    const way = this.wheel.turn(event);
    // The present has nothing after it.
    if (way && !(way === "on" && at === undefined)) this.go(way);
  }

  /** What is shown is something else now. */
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

  /** Names what is shown in the address, and says it. */
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
