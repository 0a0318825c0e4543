// The computer's analysis of a finished match, turn by turn: the value of each turn, the best turn, and the luck of the
// dice.

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
 * A judged turn. Chances are the player's, from 0 to 1: of wins, and half of the draws. Loss and luck are differences
 * between chances, in a series between points.
 * @typedef {object} Judged
 * @property {number} game the number of its game
 * @property {number} nth the number of the turn in its game, from 1
 * @property {number} seq the event that played it
 * @property {number} before the event that gave the turn
 * @property {Seat} seat
 * @property {SideName} side
 * @property {string} notation
 * @property {number} chance after it
 * @property {number} best after the best turn
 * @property {Step[]} better the steps of the best turn
 * @property {string} betterNotation
 * @property {number} lost the loss against the best turn
 * @property {boolean} isFault whether the loss is large enough to count as a mistake
 * @property {number} luck the luck of the dice; 0 without dice
 */

/**
 * The totals of a seat in a match.
 * @typedef {object} Total
 * @property {number} lost the loss of its turns
 * @property {number} perTurn the mean loss of a turn
 * @property {number} luck the luck of its dice
 */

/** A turn with less loss than this is as good as the best: in chances, and in points of a series. */
const LOST_MIN = { chances: 0.005, points: 0.01 };

/** While the analysis is not ready, it is requested again, no sooner than this. */
const AGAIN_MS = 1_500;

/** Events: `change`; `refused` with the problem in `detail`. */
export class Analysis extends EventTarget {
  /** @param {import("./live.js").LiveMatch} live */
  constructor(live) {
    super();
    this.live = live;
    /** The turns analysed until now. @type {Judged[]} */
    this.turns = [];
    /** The totals. @type {Record<Seat, Total>} */
    this.totals = totalsOf([]);
    this.unknown = 0;
    /** The progress. @type {{done: number, turns: number} | undefined} */
    this.progress = undefined;
    /** Why it cannot be requested just now. @type {Problem | undefined} */
    this.trouble = undefined;
    this.isReady = false;
    /** How many elements use it. */
    this.wanted = 0;
    this.isAsking = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
  }

  /** Requests it until it is ready, while an element uses it. */
  want() {
    this.wanted += 1;
    this.ask();
  }

  /** An element stops using it. */
  leave() {
    this.wanted -= 1;
  }

  /** The unit of loss and luck: chances, in a series points. @returns {"chances" | "points"} */
  get unit() {
    return (this.live.moment?.points ?? 1) > 1 ? "points" : "chances";
  }

  /** Whether the match is of a game with dice. */
  get hasDice() {
    return this.turns.some(({ luck }) => luck !== 0);
  }

  /** Requests it, and again until it is ready. */
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

  /** Reads what is ready. @returns {Promise<number | undefined>} the time until the next request, in milliseconds */
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

  /** The turn that an event gave, if it was not as good as the best. @param {number} seq */
  faultAt(seq) {
    return this.turns.find((turn) => turn.before === seq && turn.isFault);
  }
}

/** Whether there is anything to analyse: games that were played to the end. @param {import("../game/story.js").Moment} moment */
export const canLookBack = ({ state, result, gameNumber }) =>
  state === "ended" && result?.result !== "aborted" && gameNumber > 0;

/** @param {Chances} value */
const scoreOf = ({ win, draw }) => win + draw / 2;

/**
 * The turns of a response. A throw with no legal turn counts too: nobody chose, but it brought luck.
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

/** The totals of all games. @param {AnalysedGame[]} games @returns {Record<Seat, Total>} */
export function totalsOf(games) {
  const of = (/** @type {Seat} */ seat) => {
    const sum = (/** @type {"lost" | "luck" | "turns"} */ what) =>
      games.reduce((total, { totals }) => total + totals[seat][what], 0);
    const [lost, turns] = [sum("lost"), sum("turns")];
    return { lost, perTurn: turns === 0 ? 0 : lost / turns, luck: sum("luck") };
  };
  return { 1: of(1), 2: of(2) };
}

/** How much the computer's estimates changed in all, in either direction. @param {AnalysedGame[]} games */
export const unknownOf = (games) => games.reduce((total, { unknown }) => total + Math.abs(unknown ?? 0), 0);

/**
 * The turns with the greatest loss, in descending order.
 * @param {Judged[]} turns
 * @param {number} count the most to return
 */
export const dearest = (turns, count) =>
  turns
    .filter(({ isFault }) => isFault)
    .sort((a, b) => b.lost - a.lost || a.seq - b.seq)
    .slice(0, count);

/**
 * A point on a seat's curve of a game.
 * @typedef {object} Passed
 * @property {Judged} turn
 * @property {number} chance the seat's after the turn, from 0 to 1
 * @property {number} luck the luck of its dice until then, less the opponent's
 * @property {number} skill the opponent's loss until then, less its own
 */

/**
 * A seat's curve of a game.
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
 * The point of the match that is shown: the turn just played, or a marked turn that is looked at before it is played.
 * -1 before the first.
 * @param {Judged[]} turns of one game
 * @param {Judged[]} marked
 * @param {number} shown the event shown
 */
export function placeOf(turns, marked, shown) {
  const looked = turns.findIndex((turn) => turn.before === shown && marked.includes(turn));
  return looked >= 0 ? looked : turns.findLastIndex(({ seq }) => seq <= shown);
}

/** The side of a seat in a game, from its turns. @param {Judged[]} turns @param {Seat} seat */
export function isLight(turns, seat) {
  const side = turns.find((turn) => turn.seat === seat)?.side;
  if (side) return isLightSide(side);
  const across = turns.find((turn) => turn.seat === other(seat))?.side;
  return across !== undefined && !isLightSide(across);
}

/** Per cent of games, in a series hundredths of a point. @param {number} chance */
export const hundredths = (chance) => Math.round(chance * 100);

/** A turn's loss in words. @param {"chances" | "points"} unit @param {number} lost */
export const costText = (unit, lost) => t(`analysis.costs.${unit}`, { lost: hundredths(lost) });
