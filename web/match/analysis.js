// A match that is over, turn by turn as the computer sees it afterwards: what each was worth, what
// the best would have been, what the dice gave.

import { ask, Problem } from "../api/rest.js";
import { token } from "../player/identity.js";
import { isLightSide, other } from "../game/story.js";
import { t } from "../text/text.js";

/** @typedef {import("../api/wire").components["schemas"]["Step"]} Step */
/** @typedef {import("../api/wire").components["schemas"]["SideName"]} SideName */
/** @typedef {import("../game/story.js").Seat} Seat */
/** @typedef {import("./hints.js").Chances} Chances */
/** @typedef {import("../api/wire").components["schemas"]["AnalysedGame"]} AnalysedGame */
/** @typedef {import("../api/wire").components["schemas"]["AnalysedPass"]} AnalysedPass */
/** @typedef {import("../api/wire").components["schemas"]["AnalysedTurn"]} AnalysedTurn */

/**
 * A turn as it is judged. Chances are those of whoever played it, from 0 to 1: of wins, and half
 * of the draws. What was lost and what luck gave are differences between such, in a series points.
 * @typedef {object} Judged
 * @property {number} game the number of its game
 * @property {number} nth which turn of the game it is, from 1
 * @property {number} seq the event that played it
 * @property {number} before the event that gave it
 * @property {Seat} seat
 * @property {SideName} side
 * @property {string} notation
 * @property {number} chance after it
 * @property {number} best after the best turn
 * @property {Step[]} better the steps of that
 * @property {string} betterNotation
 * @property {number} lost what it gave away
 * @property {boolean} isFault whether that is so much that it counts
 * @property {number} luck what the dice gave; 0 where there are none
 */

/**
 * What a match comes to for a seat.
 * @typedef {object} Total
 * @property {number} lost what it gave away
 * @property {number} perTurn the same for each of its turns
 * @property {number} luck what the dice gave it
 */

/** A turn that gives away less than this is as good as the best: chances, and points of a series. */
const LOST_MIN = { chances: 0.005, points: 0.01 };

/** As long as it is not ready, it is asked for again: no sooner than this. */
const AGAIN_MS = 1_500;

/** Events: `change`; `refused` with the problem in `detail`. */
export class Analysis extends EventTarget {
  /** @param {import("./live.js").LiveMatch} live */
  constructor(live) {
    super();
    this.live = live;
    /** As far as it has come. @type {Judged[]} */
    this.turns = [];
    /** What that comes to. @type {Record<Seat, Total>} */
    this.totals = totalsOf([]);
    this.unknown = 0;
    /** How far it has come. @type {{done: number, turns: number} | undefined} */
    this.progress = undefined;
    /** Why it cannot be asked for just now. @type {Problem | undefined} */
    this.trouble = undefined;
    this.isReady = false;
    /** How many want it. */
    this.wanted = 0;
    this.isAsking = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
  }

  /** Asks for it until it is ready, as long as somebody wants it. */
  want() {
    this.wanted += 1;
    this.ask();
  }

  /** One wants it no more. */
  leave() {
    this.wanted -= 1;
  }

  /** What is lost and gained: chances, in a series points. @returns {"chances" | "points"} */
  get unit() {
    return (this.live.moment?.points ?? 1) > 1 ? "points" : "chances";
  }

  /** Whether the match is one of a game with dice, as its turns tell. */
  get hasDice() {
    return this.turns.some(({ luck }) => luck !== 0);
  }

  /** Asks for it, and again as long as it is not ready. */
  async ask() {
    if (this.isReady || this.isAsking || this.wanted === 0) return;
    this.isAsking = true;
    clearTimeout(this.timer);
    try {
      const waitMs = await this.read();
      if (waitMs !== undefined) this.timer = setTimeout(() => this.ask(), waitMs);
    } finally {
      this.isAsking = false;
      this.dispatchEvent(new Event("change"));
    }
  }

  /** Reads it as far as it is. @returns {Promise<number | undefined>} when there may be more, in milliseconds */
  async read() {
    try {
      const told = await ask("GET", `/matches/${this.live.id}/analysis`, { token: token() });
      this.progress = { done: told.done, turns: told.turns };
      this.turns = judgedIn(told.games, this.unit);
      this.totals = totalsOf(told.games);
      this.unknown = unknownOf(told.games);
      this.isReady = told.state === "ready";
      this.trouble = undefined;
      return this.isReady ? undefined : AGAIN_MS;
    } catch (why) {
      if (!(why instanceof Problem)) throw why;
      if (why.mayPass) {
        this.trouble = why;
        return Math.max(AGAIN_MS, (why.retryAfterS ?? 0) * 1_000);
      }
      this.trouble = undefined;
      this.dispatchEvent(new CustomEvent("refused", { detail: why }));
      return undefined;
    }
  }

  /** The turn that was given by an event, and did not do the best that could be done. @param {number} seq */
  faultAt(seq) {
    return this.turns.find((turn) => turn.before === seq && turn.isFault);
  }
}

/** Whether there is something to look at again: what was played to an end. @param {import("../game/story.js").Moment} moment */
export const canLookBack = ({ state, result, gameNumber }) =>
  state === "ended" && result?.result !== "aborted" && gameNumber > 0;

/** @param {Chances} value */
const scoreOf = ({ win, draw }) => win + draw / 2;

/**
 * The turns of an answer. A throw with which nothing could be played is one too: nobody chose,
 * but the dice gave or took.
 * @param {AnalysedGame[]} games
 * @param {"chances" | "points"} unit
 * @returns {Judged[]}
 */
export function judgedIn(games, unit) {
  return games.flatMap(({ game, turns, passes }) =>
    [...turns.map(judgedTurn), ...passes.map(judgedPass)]
      .sort((a, b) => a.seq - b.seq)
      .map((turn, nth) => ({ ...turn, game, nth: nth + 1, isFault: turn.lost >= LOST_MIN[unit] })),
  );
}

/** @param {AnalysedTurn} turn */
const judgedTurn = ({ seq, answers, seat, side, notation, best, played, lost, luck }) => ({
  seq,
  before: answers,
  seat: /** @type {Seat} */ (seat),
  side,
  notation,
  chance: scoreOf(played),
  best: scoreOf(best.value),
  better: best.steps,
  betterNotation: best.notation,
  lost,
  luck,
});

/** @param {AnalysedPass} pass */
function judgedPass({ seq, seat, side, thrown, luck }) {
  const chance = scoreOf(thrown);
  const nothing = { notation: "", better: [], betterNotation: "", lost: 0 };
  return { ...nothing, seq, before: seq, seat: /** @type {Seat} */ (seat), side, chance, best: chance, luck };
}

/** What all games together come to. @param {AnalysedGame[]} games @returns {Record<Seat, Total>} */
export function totalsOf(games) {
  const of = (/** @type {Seat} */ seat) => {
    const sum = (/** @type {"lost" | "luck" | "turns"} */ what) =>
      games.reduce((total, { totals }) => total + totals[seat][what], 0);
    const [lost, turns] = [sum("lost"), sum("turns")];
    return { lost, perTurn: turns === 0 ? 0 : lost / turns, luck: sum("luck") };
  };
  return { 1: of(1), 2: of(2) };
}

/** How far the computer came to think otherwise in all, one way or the other. @param {AnalysedGame[]} games */
export const unknownOf = (games) => games.reduce((total, { unknown }) => total + Math.abs(unknown ?? 0), 0);

/**
 * The turns that gave most away, the dearest first.
 * @param {Judged[]} turns
 * @param {number} count at most so many
 */
export const dearest = (turns, count) =>
  turns
    .filter(({ isFault }) => isFault)
    .sort((a, b) => b.lost - a.lost || a.seq - b.seq)
    .slice(0, count);

/**
 * A point of the way that a game went, for a seat.
 * @typedef {object} Passed
 * @property {Judged} turn
 * @property {number} chance the seat's after the turn, from 0 to 1
 * @property {number} luck what the dice have given it so far, and what they have given the other
 *   taken away
 * @property {number} skill what the other has given away so far, and what it has itself taken away
 */

/**
 * The way that a game went, for a seat.
 * @param {Judged[]} turns of one game
 * @param {Seat} seat
 * @returns {Passed[]}
 */
export function wayOf(turns, seat) {
  let [luck, skill] = [0, 0];
  return turns.map((turn) => {
    const sign = turn.seat === seat ? 1 : -1;
    luck += sign * turn.luck;
    skill -= sign * turn.lost;
    return { turn, chance: turn.seat === seat ? turn.chance : 1 - turn.chance, luck, skill };
  });
}

/**
 * Where the match stands that is shown: which turn has just been played, or is looked at before it
 * is, if it is one of those that are marked. -1 before the first.
 * @param {Judged[]} turns of one game
 * @param {Judged[]} marked
 * @param {number} shown the event
 */
export function placeOf(turns, marked, shown) {
  const looked = turns.findIndex((turn) => turn.before === shown && marked.includes(turn));
  return looked >= 0 ? looked : turns.findLastIndex(({ seq }) => seq <= shown);
}

/** The side that a seat plays in a game, as its turns tell it. @param {Judged[]} turns @param {Seat} seat */
export function isLight(turns, seat) {
  const side = turns.find((turn) => turn.seat === seat)?.side;
  if (side) return isLightSide(side);
  const across = turns.find((turn) => turn.seat === other(seat))?.side;
  return across !== undefined && !isLightSide(across);
}

/** Games of a hundred, in a series hundredths of a point. @param {number} chance */
export const hundredths = (chance) => Math.round(chance * 100);

/** What a turn gives away, in words. @param {"chances" | "points"} unit @param {number} lost */
export const costText = (unit, lost) => t(`analysis.costs.${unit}`, { lost: hundredths(lost) });
