// A match that is over, turn by turn as the computer sees it afterwards: what each was worth, what
// the best would have been, what the dice gave.

import { ask, Problem } from "../api/rest.js";
import { token } from "../player/identity.js";
import { other } from "../game/story.js";

/** @typedef {import("../api/wire").components["schemas"]["Step"]} Step */
/** @typedef {import("../api/wire").components["schemas"]["SideName"]} SideName */
/** @typedef {import("../game/story.js").Seat} Seat */
/** @typedef {import("./hints.js").Chances} Chances */
/** @typedef {import("../api/wire").components["schemas"]["AnalysedGame"]} AnalysedGame */
/** @typedef {import("../api/wire").components["schemas"]["AnalysedPass"]} AnalysedPass */
/** @typedef {import("../api/wire").components["schemas"]["AnalysedTurn"]} AnalysedTurn */

/**
 * A turn as it is judged. Chances are those of whoever played it, from 0 to 1: of wins, and half
 * of the draws. What was lost and what luck gave are differences between such; where double wins
 * count, a double one is two.
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
 * @property {number} luck what the dice gave; 0 where there are none
 * @property {boolean} isForced whether there was nothing to choose
 */

/** A turn that gives away no more than this is as good as the best. */
const LOST_MIN = 0.005;

/** As long as it is not ready, it is asked for again. */
const AGAIN_MS = 1_500;

/** Events: `change`; `refused` with the problem in `detail`. */
export class Analysis extends EventTarget {
  /** @param {import("./live.js").LiveMatch} live */
  constructor(live) {
    super();
    this.live = live;
    /** As far as it has come. @type {Judged[]} */
    this.turns = [];
    /** How far it has come. @type {{done: number, turns: number} | undefined} */
    this.progress = undefined;
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

  /** Asks for it, and again as long as it is not ready. */
  async ask() {
    if (this.isReady || this.isAsking || this.wanted === 0) return;
    this.isAsking = true;
    clearTimeout(this.timer);
    const mayCome = await this.read();
    this.isAsking = false;
    if (mayCome) this.timer = setTimeout(() => this.ask(), AGAIN_MS);
    this.dispatchEvent(new Event("change"));
  }

  /** Reads it as far as it is. @returns {Promise<boolean>} whether there is more to come */
  async read() {
    try {
      const { live } = this;
      const told = await ask("GET", `/matches/${live.id}/analysis`, { token: token() });
      this.progress = { done: told.done, turns: told.turns };
      this.turns = judgedIn(told.games, (live.moment?.points ?? 1) > 1);
      this.isReady = told.state === "ready";
      return !this.isReady;
    } catch (why) {
      if (!(why instanceof Problem)) throw why;
      if (!why.mayPass) this.dispatchEvent(new CustomEvent("refused", { detail: why }));
      return why.mayPass;
    }
  }

  /** The turn that was given by an event, and did not do the best that could be done. @param {number} seq */
  faultAt(seq) {
    return this.turns.find((turn) => turn.before === seq && turn.lost >= LOST_MIN);
  }
}

/** Whether there is something to look at again: what was played to an end. @param {import("../game/story.js").Moment} moment */
export const canLookBack = ({ state, result, gameNumber }) =>
  state === "ended" && result?.result !== "aborted" && gameNumber > 0;

/** @param {Chances} value */
const scoreOf = ({ win, draw }) => win + draw / 2;

/** The same where a double win counts two and a double loss as much. @param {Chances} value */
const worthOf = (value) => scoreOf(value) + (value.win_double - value.lose_double) / 2;

/**
 * The turns of an answer. A throw with which nothing could be played is one too: nobody chose,
 * but the dice gave or took.
 * @param {AnalysedGame[]} games
 * @param {boolean} countsDouble whether double wins count two
 * @returns {Judged[]}
 */
export function judgedIn(games, countsDouble) {
  const worth = countsDouble ? worthOf : scoreOf;
  return games.flatMap(({ game, turns, passes }) => {
    const played = turns.map((turn) => judgedTurn(turn, worth));
    const passed = passes.map((pass) => judgedPass(pass, worth));
    return [...played, ...passed]
      .sort((a, b) => a.seq - b.seq)
      .map((turn, nth) => ({ ...turn, game, nth: nth + 1 }));
  });
}

/** @param {AnalysedTurn} turn @param {(value: Chances) => number} worth */
function judgedTurn({ seq, answers, seat, side, notation, before, thrown, best, played, forced }, worth) {
  return {
    seq,
    before: answers,
    seat: /** @type {Seat} */ (seat),
    side,
    notation,
    chance: scoreOf(played),
    best: scoreOf(best.value),
    better: best.steps,
    betterNotation: best.notation,
    lost: forced ? 0 : Math.max(0, worth(best.value) - worth(played)),
    luck: worth(thrown) - worth(before),
    isForced: forced === true,
  };
}

/** @param {AnalysedPass} pass @param {(value: Chances) => number} worth */
function judgedPass({ seq, seat, side, before, thrown }, worth) {
  const chance = scoreOf(thrown);
  const luck = worth(thrown) - worth(before);
  const nothing = { notation: "", better: [], betterNotation: "", lost: 0 };
  return { ...nothing, seq, before: seq, seat: /** @type {Seat} */ (seat), side, chance, best: chance, luck, isForced: true };
}

/**
 * The turns that gave most away, the dearest first.
 * @param {Judged[]} turns
 * @param {number} count at most so many
 */
export const dearest = (turns, count) =>
  turns
    .filter(({ lost }) => lost >= LOST_MIN)
    .sort((a, b) => b.lost - a.lost || a.seq - b.seq)
    .slice(0, count);

/** What a seat gave away, also for each turn in which it had a choice, and what the dice gave it. @param {Judged[]} turns @param {Seat} seat */
export function totalOf(turns, seat) {
  const own = turns.filter((turn) => turn.seat === seat);
  const sum = (/** @type {"lost" | "luck"} */ what) => own.reduce((total, turn) => total + turn[what], 0);
  const lost = sum("lost");
  const choices = own.filter(({ isForced }) => !isForced).length;
  return { lost, perTurn: choices === 0 ? 0 : lost / choices, luck: sum("luck") };
}

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

/** The side that a seat plays in a game, as its turns tell it. @param {Judged[]} turns @param {Seat} seat */
export function isLight(turns, seat) {
  const side = turns.find((turn) => turn.seat === seat)?.side;
  if (side) return side === "white" || side === "defenders";
  const across = turns.find((turn) => turn.seat === other(seat))?.side;
  return across === "black" || across === "attackers";
}
