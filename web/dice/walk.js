// Reads the dice from the events of a record, and checks that they fit together.
//
// Computes no dice, and does not check that turns are legal: only that every throw has its number, and was answered by
// a turn with its own dice.

import { factsOf } from "../game/games.js";
import { diceOf, isCount, isDie, isHash, isObject, isSeat, isSeed } from "./read.js";

/** @typedef {import("./faults.js").Faults} Faults */
/** @typedef {import("./read.js").Loose} Loose */

/**
 * A recorded throw.
 * @typedef {object} Thrown
 * @property {number} seq of its event
 * @property {number} index its number in the game, from 0
 * @property {"opening" | "turn"} kind
 * @property {1 | 2 | undefined} seat the thrower; none in an opening throw, which both make
 * @property {number[]} dice as recorded; in an opening throw White's, then Black's
 * @property {boolean} tied whether it is an opening throw that has to be repeated
 * @property {boolean} again whether it was thrown before a turn was taken back
 */

/**
 * A recorded game.
 * @typedef {object} Walked
 * @property {number} number from 1
 * @property {number} seq the event that started it
 * @property {1 | 2} white the seat that plays White (in a tafl game: the king)
 * @property {Thrown[]} throws
 * @property {boolean} ended
 * @property {string | undefined} secret from the event that ended it
 */

/**
 * A recorded seed of a seat.
 * @typedef {object} Seed
 * @property {"brought" | "drawn"} kind by the player, or by the server
 * @property {string | undefined} seed unknown until it is revealed
 * @property {string | undefined} hash the player's commitment before the seed was revealed
 */

/** The seat of White in every game. */
const WHITE = ["white", "defenders"];

/**
 * Reads the events of a well-formed record.
 * @param {Loose} record
 * @param {Faults} faults
 */
export function walk(record, faults) {
  const walk = new Walk(record, faults);
  for (const event of record.events) walk.take(event);
  walk.finish();
  return { games: walk.games, seeds: walk.seeds, over: walk.over };
}

class Walk {
  /** @param {Loose} record @param {Faults} faults */
  constructor(record, faults) {
    this.record = record;
    this.faults = faults;
    this.count = diceOf(record.game) ?? 0;
    /** @type {Walked[]} */
    this.games = [];
    /** @type {{1?: Seed, 2?: Seed}} */
    this.seeds = {};
    /** @type {Walked | undefined} the current game */
    this.game = undefined;
    /** @type {Thrown | undefined} the throw that waits for its turn */
    this.waiting = undefined;
    /** The seat to move. @type {1 | 2 | undefined} */
    this.mover = undefined;
    this.hasOpening = factsOf(record.game).opening ?? false;
    /** Whether the opening throw has decided who begins. */
    this.opened = false;
    this.over = false;
    // Numbering continues after a gap: a gap is one fault.
    this.nextSeq = 1;
    this.nextThrow = 0;
    /** The greatest number of a throw in the game. */
    this.lastThrow = 0;
    /** The throws that count, each with the event that gave its turn. @type {{seq: number, thrown: Thrown}[]} */
    this.given = [];
  }

  /** @param {Loose} event */
  take(event) {
    const expected = this.nextSeq;
    const seq = isCount(event.seq) ? event.seq : expected;
    this.nextSeq = seq + 1;
    if (event.seq !== expected) this.fault("event_number", expected, { found: told(event.seq) });
    if (event.match !== this.record.match) this.fault("other_match", seq);
    if ((event === this.record.events[0]) !== (event.type === "created")) this.fault("first_event", seq);
    if (this.over && AFTERWARDS.has(event.type)) this.fault("after_end", seq);
    switch (event.type) {
      case "created":
        return this.created(event, seq);
      case "joined":
        return this.seed(2, event.seed, seq);
      case "seed_revealed":
        return this.revealed(event, seq);
      case "game_started":
        return this.started(event, seq);
      case "opening_thrown":
        return this.threw(event, seq, "opening", [event.white, event.black]);
      case "thrown":
        return this.threw(event, seq, "turn", event.dice);
      case "turned":
      case "passed":
        return this.answered(event, seq);
      case "taken_back":
        return this.takenBack(event, seq);
      case "game_ended":
        return this.ended(event, seq);
      case "match_ended":
        this.over = true;
    }
  }

  /** @param {string} code @param {number} seq @param {Record<string, string | number>} [more] */
  fault(code, seq, more = {}) {
    this.faults.add(code, { seq, ...more });
  }

  /** @param {Loose} event @param {number} seq */
  created(event, seq) {
    const { record } = this;
    if (event.commitment !== record.dice.commitment) this.fault("commitment_differs", seq);
    if (event.game !== record.game) this.fault("frame_differs", seq, { part: "game" });
    if (event.side !== record.side) this.fault("frame_differs", seq, { part: "side" });
    this.seed(1, event.seed, seq);
  }

  /** @param {1 | 2} seat @param {any} told @param {number} seq */
  seed(seat, told, seq) {
    if (this.seeds[seat]) return this.fault("seed_twice", seq, { seat });
    const committed = told?.kind === "committed" && isHash(told.seed_hash);
    const open = (told?.kind === "brought" || told?.kind === "drawn") && isSeed(told.seed);
    if (!committed && !open) return this.fault("seed_malformed", seq, { seat });
    this.seeds[seat] = committed
      ? { kind: "brought", seed: undefined, hash: told.seed_hash }
      : { kind: told.kind, seed: told.seed, hash: undefined };
  }

  /** @param {Loose} event @param {number} seq */
  revealed({ seat, seed }, seq) {
    const promised = isSeat(seat) ? this.seeds[seat] : undefined;
    if (!promised?.hash || promised.seed !== undefined) return this.fault("seed_unpromised", seq);
    if (!isSeed(seed)) return this.fault("seed_malformed", seq, { seat });
    promised.seed = seed;
  }

  /** @param {Loose} event @param {number} seq */
  started(event, seq) {
    const number = this.games.length + 1;
    if (event.game_number !== number) {
      this.fault("game_number", seq, { found: told(event.game_number), game: number });
    }
    if (this.game) this.fault("game_unended", seq, { game: this.game.number });
    const white = WHITE.includes(event.sides?.[1]) ? 1 : 2;
    if (WHITE.includes(event.sides?.[1]) === WHITE.includes(event.sides?.[2])) this.fault("sides", seq);
    this.game = { number, seq, white, throws: [], ended: false, secret: undefined };
    this.games.push(this.game);
    this.waiting = undefined;
    this.opened = false;
    this.nextThrow = 0;
    this.given = [];
  }

  /** @param {Loose} event @param {number} seq @param {"opening" | "turn"} kind @param {any} dice */
  threw(event, seq, kind, dice) {
    const { game } = this;
    if (!game) return this.fault("throw_outside", seq);
    const expected = this.nextThrow;
    const index = isCount(event.throw) ? event.throw : expected;
    this.nextThrow = index + 1;
    if (event.throw !== expected) {
      // People count from one.
      const found = isCount(event.throw) ? event.throw + 1 : told(event.throw);
      this.fault("throw_number", seq, { found, expected: expected + 1, game: game.number });
    }
    if (!Array.isArray(dice) || dice.length !== this.count || !dice.every(isDie) || dice.length === 0) {
      return this.fault("dice_count", seq, { game: game.number });
    }
    if (this.waiting) this.fault("throw_unanswered", this.waiting.seq, { game: game.number });
    if (!this.seeds[1]?.seed || !this.seeds[2]?.seed) this.fault("thrown_before_seeds", seq);
    const seat = kind === "turn" ? seatOf(event, game) : undefined;
    if (kind === "turn" && event.seat !== seat) this.fault("thrower", seq);
    const tied = kind === "opening" && dice[0] === dice[1];
    const again = game.throws.length > 0 && index <= this.lastThrow;
    this.lastThrow = again ? this.lastThrow : index;
    /** @type {Thrown} */
    const thrown = { seq, index, kind, seat, dice, tied, again };
    game.throws.push(thrown);
    this.given.push({ seq, thrown });
    this.mover = seat ?? (dice[0] > dice[1] ? game.white : other(game.white));
    if (kind === "opening") this.opening(event, seq);
    else if (this.hasOpening && !this.opened) this.fault("opening_missing", seq);
    this.waiting = tied ? undefined : thrown;
  }

  /** @param {Loose} event @param {number} seq */
  opening({ white, black, begins }, seq) {
    if (!this.hasOpening || this.opened) return this.fault("opening_extra", seq);
    const higher = white === black ? undefined : white > black ? "white" : "black";
    if ((begins ?? undefined) !== higher) this.fault("opening_begins", seq);
    this.opened = higher !== undefined;
  }

  /** @param {Loose} event @param {number} seq */
  answered(event, seq) {
    if (!this.game) return this.fault("turn_outside", seq);
    if (this.count === 0) return;
    const { waiting } = this;
    this.waiting = undefined;
    if (!waiting) return this.fault("turn_without_throw", seq, { game: this.game.number });
    if (event.seat !== this.mover) this.fault("turn_of_other", seq);
    const steps = Array.isArray(event.steps) ? event.steps : [];
    if (steps.some((step) => !waiting.dice.includes(step?.die))) this.fault("other_dice_played", seq);
  }

  /**
   * A turn was taken back: its throw waits again, and the throws after it are repeated.
   * @param {Loose} event @param {number} seq
   */
  takenBack({ to, dice }, seq) {
    if (!this.game) return this.fault("turn_outside", seq);
    if (this.count === 0) return;
    const at = this.given.findIndex((given) => given.seq === to);
    if (at < 0) return this.fault("taken_back", seq, { game: this.game.number });
    const { thrown } = this.given[at];
    if (String(dice) !== String(thrown.dice)) this.fault("taken_back_dice", seq, { game: this.game.number });
    this.given.splice(at, Infinity, { seq, thrown });
    this.nextThrow = thrown.index + 1;
    this.waiting = thrown;
    this.mover = thrown.seat ?? (thrown.dice[0] > thrown.dice[1] ? this.game.white : other(this.game.white));
  }

  /** @param {Loose} event @param {number} seq */
  ended(event, seq) {
    const { game } = this;
    if (!game) return this.fault("end_outside", seq);
    if (event.game_number !== game.number) {
      this.fault("game_number", seq, { found: told(event.game_number), game: game.number });
    }
    game.ended = true;
    game.secret = typeof event.secret === "string" ? event.secret : undefined;
    this.game = undefined;
    this.waiting = undefined;
  }

  finish() {
    if (this.record.events.length === 0) this.fault("first_event", 1);
    const last = this.record.events.length;
    if (this.over && this.game) this.fault("game_unended", last, { game: this.game.number });
    if (!this.over && isObject(this.record.result)) this.fault("end_missing", last);
  }
}

/** Refuses what cannot happen after the end of a match. */
const AFTERWARDS = new Set([
  "created",
  "joined",
  "seed_revealed",
  "game_started",
  "opening_thrown",
  "thrown",
  "turned",
  "passed",
  "taken_back",
  "game_ended",
  "match_ended",
]);

/** @param {1 | 2} seat @returns {1 | 2} */
const other = (seat) => (seat === 1 ? 2 : 1);

/** @param {Loose} event @param {Walked} game @returns {1 | 2} */
const seatOf = (event, game) => (WHITE.includes(event.side) === (game.white === 1) ? 1 : 2);

/** A value that should have been a number, as text. @param {unknown} value */
const told = (value) => (typeof value === "number" ? value : String(value).slice(0, 20));
