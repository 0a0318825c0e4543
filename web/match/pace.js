// What the page shows of a match, at a pace that people can follow: the throw, then step after step.
//
// What has happened is known at once (`LiveMatch`), and whoever has the turn has it; only what is
// seen of the others' turns goes behind. Whatever has been seen already is not shown again.

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

/** How long things are seen before what follows: a throw, a step, a turn that was passed, an end. */
const REST_MS = { throw: 900, step: 650, pass: 1_200, end: 2_000 };

/** What these become at each pace that can be preferred. */
const FACTORS = { slow: 1.8, normal: 1, quick: 0.5, none: 0 };

/** Of more turns that wait to be shown, the oldest are over at once. */
const TURNS_MAX = 3;

/** Whoever has no more time than this sees the present. */
const HURRY_MS = 20_000;

/** How often is looked whether there is still time to look at an end. */
const LOOKS_AGAIN_MS = 1_000;

/** What waits until the one before it has been seen; all else is shown as soon as it is its turn. */
const WAITING = ["thrown", "opening_thrown", "turned", "passed", "game_started"];

/**
 * What is shown at once.
 * @typedef {object} Frame
 * @property {Moment} moment
 * @property {MatchEvent} [event] what has happened now; none in the midst of a turn
 * @property {{steps: Step[], rest: Step[], position: Position, after: Position | undefined}} [built]
 *   what has been done of the turn, what is to come, and where all of it leads
 * @property {number} restMs how long it is seen
 * @property {boolean} [isSeen] whether the person has done it before his own eyes
 */

/**
 * Events: `shown` with `{event, moment}` in `detail`, when an event is seen; `step`, when a step
 * in the midst of a turn is; `change` after either.
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
    /** How much of a turn was seen while it was built. @type {BuiltByOther | undefined} */
    this.seen = undefined;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    live.addEventListener("building", () => (this.seen = live.building));
    live.addEventListener("moment", (event) => this.happened(/** @type {CustomEvent} */ (event).detail.event));
  }

  /** Whether what is shown has been followed by something else. */
  get isBehind() {
    return this.waiting.length > 0;
  }

  /** What is shown while it is behind. @returns {Frame | undefined} */
  get frame() {
    return this.isBehind ? this.now : undefined;
  }

  /**
   * Whether a game of a series has ended, and a player of it looks at its end: the next one is shown when
   * they ask for it, or when the break is over.
   */
  get isHeld() {
    const next = this.waiting[0]?.event;
    if (next?.type !== "game_started" || this.now.moment.ended.length === 0) return false;
    return this.live.mySeats.length > 0 && this.breakLeftMs > 0;
  }

  /** How much is left of the break before the game that waits to be shown; all the time where no clock runs. */
  get breakLeftMs() {
    const [{ event, moment }] = this.waiting;
    if (!event || moment.clock.kind === "none" || moment.clock.kind === "days") return Infinity;
    return event.at + BREAK_MS - this.live.connection.now();
  }

  /** Shows the present, but for an end that is looked at. */
  skip() {
    clearTimeout(this.timer);
    while (this.isBehind && !this.isHeld) this.advance();
  }

  /** Leaves the end that is looked at, for the next game. */
  leaveEnd() {
    if (!this.isHeld) return;
    this.advance();
    this.catchUp();
    this.goOn();
    this.changed();
  }

  /** Of too many turns the oldest are over at once. */
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
    // What no longer counts need not be seen to its end.
    if (event.type === "taken_back") this.skip();
    this.catchUp();
    this.goOn();
    this.changed();
  }

  /** Whether there is nobody to see it, or no time to look. */
  get isHurried() {
    const isUnseen = globalThis.document?.visibilityState === "hidden" || preferred("pace") === "none";
    return isUnseen || this.untilHurryMs() <= 0;
  }

  /** How long until there is no time to look: while the person's clock runs, it runs out. */
  untilHurryMs() {
    const { live } = this;
    const seat = live.myTurn;
    if (!seat || !live.moment) return Infinity;
    const now = live.connection.now();
    // A first turn that does not come costs the game, whatever the clock has left.
    const left = Math.min(remaining(live.moment, seat, now) ?? Infinity, firstTurnLeft(live.moment, now) ?? Infinity);
    return left - HURRY_MS;
  }

  /** How many turns wait to be seen to their ends. */
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

  /** Whether the person has just done it before his own eyes. @param {MatchEvent} event */
  isOwn(event) {
    return event.type === "turned" && this.live.mySeats.includes(/** @type {Seat} */ (event.seat)) && !this.isBehind;
  }

  /** How many of the steps were seen while they were made. @param {number} seq @param {Step[]} steps */
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
        // The dice give whoever comes next something to look at; without them he thinks.
        return isTafl(this.entry.id) ? REST_MS.throw : 0;
      case "passed":
        return REST_MS.pass;
      case "game_ended":
        return REST_MS.end;
      default:
        return 0;
    }
  }

  /** Shows what is due, and waits for what is not. */
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

  /** How long until the next is shown. */
  dueInMs() {
    const [{ event, isSeen }] = this.waiting;
    if (isSeen || (event && !WAITING.includes(event.type))) return 0;
    const restMs = (this.now.restMs * FACTORS[preferred("pace")]) / Math.max(1, this.turnsWaiting);
    return this.since + restMs - this.clock();
  }

  /** Shows the next. */
  advance() {
    const next = /** @type {Frame} */ (this.waiting.shift());
    const isQuiet = next.event !== undefined && !WAITING.includes(next.event.type) && next.restMs === 0;
    // What is only told leaves to the one before it the time that it has left.
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
