// Shows a match at a pace that people can follow: the throw, then step after step.
//
// The state of the match is known at once (`LiveMatch`), and the player to move can always play; only the display of
// other players' turns lags behind. What was already shown is not shown again.

import { between } from "../game/between.js";
import { isTafl } from "../game/games.js";
import { BREAK_MS } from "../game/story.js";
import { preferred } from "../player/preferences.js";
import { firstTurnLeft, remaining } from "./clock.js";

/** @typedef {import("../api/wire").components["schemas"]["CatalogueEntry"]} CatalogueEntry */
/** @typedef {import("../api/wire").components["schemas"]["Event"]} MatchEvent */
/** @typedef {import("../game/story.js").Moment} Moment */
/** @typedef {import("../game/story.js").Seat} Seat */
/** @typedef {import("../game/position.js").Position} Position */
/** @typedef {import("./live.js").BuiltByOther} BuiltByOther */
/** @typedef {import("./live.js").LiveMatch} LiveMatch */
/** @typedef {import("../api/wire").components["schemas"]["Step"]} Step */

/** How long things are shown before the next: a throw, a step, a passed turn, an end. */
const REST_MS = { throw: 900, step: 650, pass: 1_200, end: 2_000 };

/** These times at each pace to choose from. */
const FACTORS = { slow: 1.8, normal: 1, quick: 0.5, none: 0 };

/** When more turns than this wait to be shown, the oldest are skipped. */
const TURNS_MAX = 3;

/** With less time than this on the clock, the present is shown. */
const HURRY_MS = 20_000;

/** How often to check whether there is still time to show an end. */
const LOOKS_AGAIN_MS = 1_000;

/** Events that wait until the previous one has been shown; all others are shown at once. */
const WAITING = ["thrown", "opening_thrown", "turned", "passed", "game_started"];

/**
 * A frame of the display.
 * @typedef {object} Frame
 * @property {Moment} moment
 * @property {MatchEvent} [event] the event shown; none during a turn
 * @property {{steps: Step[], rest: Step[], position: Position, after: Position | undefined}} [built]
 * the steps shown, those to come, and the position that they lead to
 * @property {number} restMs how long it is shown
 * @property {boolean} [isSeen] whether the person has played it on this board
 */

/**
 * Events: `shown` with `{event, moment}` in `detail`, when an event is shown; `step`, when a step during a turn is
 * shown; `change` after either.
 */
export class Pace extends EventTarget {
  /** @param {LiveMatch} live @param {CatalogueEntry} entry @param {() => number} [clock] in milliseconds */
  constructor(live, entry, clock = () => performance.now()) {
    super();
    this.live = live;
    this.entry = entry;
    this.clock = clock;
    /** @type {Frame} */
    this.now = { moment: /** @type {Moment} */ (live.moment), restMs: 0 };
    this.since = 0;
    /** @type {Frame[]} */
    this.waiting = [];
    /** How much of a turn was shown while it was built. @type {BuiltByOther | undefined} */
    this.seen = undefined;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    live.addEventListener("building", () => (this.seen = live.building));
    live.addEventListener("moment", (event) => this.happened(/** @type {CustomEvent} */ (event).detail.event));
  }

  /** Whether the display is behind the match. */
  get isBehind() {
    return this.waiting.length > 0;
  }

  /** The moment shown while the display is behind. @returns {Frame | undefined} */
  get frame() {
    return this.isBehind ? this.now : undefined;
  }

  /**
   * Whether a game of a series has ended and a player looks at its end: the next game is shown when they ask for it, or
   * when the break is over.
   */
  get isHeld() {
    const next = this.waiting[0]?.event;
    if (next?.type !== "game_started" || this.now.moment.ended.length === 0) return false;
    return this.live.mySeats.length > 0 && this.breakLeftMs > 0;
  }

  /** The rest of the break before the next game; unlimited without a running clock. */
  get breakLeftMs() {
    const [{ event, moment }] = this.waiting;
    if (!event || moment.clock.kind === "none" || moment.clock.kind === "days") return Infinity;
    return event.at + BREAK_MS - this.live.connection.now();
  }

  /** Shows the present, except while the end of a game is shown. */
  skip() {
    clearTimeout(this.timer);
    while (this.isBehind && !this.isHeld) this.advance();
  }

  /** Leaves the end of a game for the next game. */
  leaveEnd() {
    if (!this.isHeld) return;
    this.advance();
    this.catchUp();
    this.goOn();
    this.changed();
  }

  /** Skips the oldest turns if too many wait. */
  catchUp() {
    while (this.turnsWaiting > TURNS_MAX && !this.isHeld) this.advance();
  }

  /** @param {MatchEvent | undefined} event none after a jump */
  happened(event) {
    const { live } = this;
    const moment = /** @type {Moment} */ (live.moment);
    if (!event) {
      clearTimeout(this.timer);
      this.waiting = [];
      this.now = { moment, restMs: 0 };
      return this.changed();
    }
    const before = this.waiting.at(-1)?.moment ?? this.now.moment;
    this.waiting.push(...this.framesOf(event, moment, before));
    // Turns that no longer count need not be shown to their end.
    if (event.type === "taken_back") this.skip();
    this.catchUp();
    this.goOn();
    this.changed();
  }

  /** Whether the page is hidden, the pace is instant, or there is no time to show turns. */
  get isHurried() {
    const isUnseen = globalThis.document?.visibilityState === "hidden" || preferred("pace") === "none";
    return isUnseen || this.untilHurryMs() <= 0;
  }

  /** How long until there is no more time: while the person's clock runs. */
  untilHurryMs() {
    const { live } = this;
    const seat = live.myTurn;
    if (!seat || !live.moment) return Infinity;
    const now = live.connection.now();
    // A missing first turn costs the game, even with time on the clock.
    const left = Math.min(remaining(live.moment, seat, now) ?? Infinity, firstTurnLeft(live.moment, now) ?? Infinity);
    return left - HURRY_MS;
  }

  /** The number of turns that wait. */
  get turnsWaiting() {
    return this.waiting.filter(({ event }) => event?.type === "turned").length;
  }

  /**
   * @param {MatchEvent} event @param {Moment} moment after it @param {Moment} before
   * @returns {Frame[]}
   */
  framesOf(event, moment, before) {
    const isSeen = this.isOwn(event);
    const last = { moment, event, restMs: this.restOf(event, isSeen), isSeen };
    const { position, toPlay } = before;
    if (event.type !== "turned" || isSeen || !position || !toPlay) return [last];
    const { steps, side } = event;
    const frames = [];
    for (let count = this.stepsSeen(toPlay.seq, steps) + 1; count < steps.length; count += 1) {
      const done = steps.slice(0, count);
      const built = { steps: done, rest: steps.slice(count), position: between(this.entry, position, side, done), after: moment.position };
      frames.push({ moment: before, built, restMs: REST_MS.step });
    }
    return [...frames, last];
  }

  /** Whether the person has just played it on this board. @param {MatchEvent} event */
  isOwn(event) {
    return event.type === "turned" && this.live.mySeats.includes(/** @type {Seat} */ (event.seat)) && !this.isBehind;
  }

  /** How many of the steps were shown while they were played. @param {number} seq @param {Step[]} steps */
  stepsSeen(seq, steps) {
    const built = this.seen?.answers === seq ? this.seen.steps : [];
    const parts = steps.findIndex((step, nth) => !built[nth] || !same(step, built[nth]));
    return parts < 0 ? steps.length : parts;
  }

  /** @param {MatchEvent} event @param {boolean} isSeen */
  restOf(event, isSeen) {
    switch (event.type) {
      case "thrown":
      case "opening_thrown":
        return REST_MS.throw;
      case "turned":
        if (!isSeen) return REST_MS.step;
        // After the dice the next player has something to look at; without dice they think.
        return isTafl(this.entry.id) ? REST_MS.throw : 0;
      case "passed":
        return REST_MS.pass;
      case "game_ended":
        return REST_MS.end;
      default:
        return 0;
    }
  }

  /** Shows what is due, and schedules the rest. */
  goOn() {
    clearTimeout(this.timer);
    if (this.isHurried) this.skip();
    while (this.isBehind) {
      const { isHeld } = this;
      const due = isHeld ? Math.min(LOOKS_AGAIN_MS, this.breakLeftMs) : this.dueInMs();
      if (due > 0) {
        const wait = isHeld ? due : Math.min(due, this.untilHurryMs());
        this.timer = setTimeout(() => {
          this.goOn();
          this.changed();
        }, wait);
        return;
      }
      this.advance();
    }
  }

  /** How long until the next event is shown. */
  dueInMs() {
    const [{ event, isSeen }] = this.waiting;
    if (isSeen || (event && !WAITING.includes(event.type))) return 0;
    const restMs = (this.now.restMs * FACTORS[preferred("pace")]) / Math.max(1, this.turnsWaiting);
    return this.since + restMs - this.clock();
  }

  /** Shows the next event. */
  advance() {
    const next = /** @type {Frame} */ (this.waiting.shift());
    const isQuiet = next.event !== undefined && !WAITING.includes(next.event.type) && next.restMs === 0;
    // An announcement leaves the previous event its remaining time.
    if (isQuiet) this.now = { ...next, restMs: this.now.restMs };
    else {
      this.now = next;
      this.since = this.clock();
    }
    if (!next.event) return void this.dispatchEvent(new Event("step"));
    this.dispatchEvent(new CustomEvent("shown", { detail: { event: next.event, moment: next.moment } }));
  }

  changed() {
    this.dispatchEvent(new Event("change"));
  }
}

/** @param {Step} a @param {Step} b */
const same = (a, b) => a.from === b.from && a.to === b.to && (a.die ?? 0) === (b.die ?? 0);
