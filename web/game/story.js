// The state of a match after each of its events: the fold of the server's events.
//
// Live play, replay and a position at some event use the same moments. Nothing is judged here: the events say which
// steps were legal, who won, and for how many points.

import { isTafl } from "./games.js";

/** @typedef {import("../api/wire").components["schemas"]["Event"]} MatchEvent */
/** @typedef {import("../api/wire").components["schemas"]["Snapshot"]} Snapshot */
/** @typedef {import("../api/wire").components["schemas"]["Position"]} Position */
/** @typedef {import("../api/wire").components["schemas"]["TakenStep"]} TakenStep */
/** @typedef {import("../api/wire").components["schemas"]["SideName"]} SideName */
/** @typedef {import("../api/wire").components["schemas"]["Clock"]} Clock */
/** @typedef {1 | 2} Seat */
/** @template T @typedef {{1: T, 2: T}} BySeat */

/**
 * A player; old matches have no kind: a person.
 * @typedef {{id: string, name: string, kind?: "person" | "bot" | "computer", level?: number | null}} Player
 */

/**
 * The turn to be played.
 * @typedef {object} ToPlay
 * @property {Seat} seat
 * @property {SideName} side
 * @property {number} seq the event that gave the turn; the turn must name it
 * @property {number[]} dice in the order thrown
 * @property {number} sinceAt when the turn began
 * @property {boolean} firstTurn whether this side has not played in this game yet
 * @property {boolean} [again] whether the side has taken this turn back
 */

/**
 * A turn of a game against the computer that counts, linked to those before it.
 * @typedef {object} Played
 * @property {Seat} seat
 * @property {number | undefined} seq the event in which it was played; none if it passed by itself
 * @property {number} given the event that gave it; 0 if only a snapshot tells of it
 * @property {Moment | undefined} before
 * @property {Played | undefined} earlier
 */

/**
 * The last turn: shown on the board and announced to screen readers.
 * @typedef {object} Last
 * @property {"turned" | "passed"} kind
 * @property {Seat} seat
 * @property {SideName} side
 * @property {TakenStep[]} steps
 * @property {number[]} dice
 * @property {string} notation
 * @property {string | undefined} call the warning of a tafl game
 */

/**
 * The clocks at some time.
 * @typedef {object} Clocks
 * @property {BySeat<number>} remainingMs each seat's time when the turn began
 * @property {Seat | undefined} running
 * @property {number | undefined} deadlineAt when the running clock runs out
 */

/**
 * The end of a game.
 * @typedef {object} Ended
 * @property {number} game its number
 * @property {string} reason
 * @property {Seat | undefined} winner
 * @property {SideName | undefined} winnerSide
 * @property {number} points
 * @property {string | undefined} secret of its dice
 */

/** @typedef {import("../api/wire").components["schemas"]["MatchRatings"]} Ratings */

/**
 * A match after some event.
 * @typedef {object} Moment
 * @property {number} seq
 * @property {number} at when it happened
 * @property {string} game
 * @property {Record<string, unknown>} options
 * @property {number} points to win the match; 1 is a single game
 * @property {number | undefined} games 2 of a pair, in which the sides are exchanged
 * @property {boolean} rated whether it changes the ratings of both players
 * @property {Ratings | undefined} ratings the change of their ratings
 * @property {Clock} clock
 * @property {string} admission
 * @property {"open" | "awaiting_seeds" | "playing" | "ended"} state
 * @property {{1?: Player, 2?: Player}} players
 * @property {Player | undefined} madeBy the guest who lets the computer play in seat 1 and watches
 * @property {BySeat<number>} score
 * @property {number} gameNumber 0 before the first
 * @property {boolean} isByLot whether the sides of the first game were drawn
 * @property {BySeat<SideName> | undefined} sides
 * @property {Position | undefined} position
 * @property {ToPlay | undefined} toPlay
 * @property {Clocks | undefined} clocks
 * @property {BySeat<number>} lagMs the lag that was returned to each seat in its last turn
 * @property {Last | undefined} last
 * @property {{white: number, black: number, tie: boolean} | undefined} opening the opening throw
 * @property {BySeat<boolean>} hasPlayed in this game
 * @property {Seat | undefined} drawOfferedBy
 * @property {BySeat<boolean>} hasOffered a draw since its last turn
 * @property {{offeredBy?: Seat, offered?: Seat[], next?: string}} rematch the standing offer, and the seats that have
 *   made one: each may once
 * @property {Ended[]} ended games that have ended
 * @property {{result: string, winner?: Seat, reason?: string, bySeat?: Seat} | undefined} result
 * @property {string} commitment of the dice
 * @property {BySeat<any>} seeds
 * @property {string | undefined} rematchOf
 * @property {{sinceCapture: number, repetitions: number | undefined}} tafl moves since a capture, and how often this
 *   position has occurred; unknown if the game was not followed from its start
 * @property {number} takebacks how many turns were taken back
 * @property {{seat: Seat, turned: number} | undefined} takebackOffer the open offer to take a turn back
 * @property {BySeat<number | undefined>} askedBack the turn that each seat last offered to take back
 * @property {Played | undefined} played the last turn of this game that counts, where turns can be taken back; of a
 *   game that was not followed from its start only the one that the snapshot names
 * @property {Map<string, number> | undefined} stood how often each position has occurred since the last capture of this
 *   game
 */

const FIRST_TURN_MS = 60_000;
/** The break before a later game with a running clock: first turns have that much more time. */
export const BREAK_MS = 30_000;
const DAY_MS = 86_400_000;

/** @param {{kind?: string} | undefined} seed */
const isCommitted = (seed) => seed?.kind === "committed";

/** @returns {BySeat<boolean>} */
const neither = () => ({ 1: false, 2: false });

/** @returns {BySeat<number>} */
const nothing = () => ({ 1: 0, 2: 0 });

/** Whether a side has the light pieces. @param {SideName} side */
export const isLightSide = (side) => side === "white" || side === "defenders";

/** Whether a match has several games: a series or a pair. @param {{points: number, games?: number | null}} of */
export const hasSeveralGames = ({ points, games }) => points > 1 || (games ?? 1) > 1;

/** @param {Seat} seat @returns {Seat} */
export const other = (seat) => (seat === 1 ? 2 : 1);

/** The seat that plays a side. @param {Moment} moment @param {SideName | null | undefined} side */
export function seatOf(moment, side) {
  if (!moment.sides) return undefined;
  return moment.sides[1] === side ? 1 : moment.sides[2] === side ? 2 : undefined;
}

/**
 * The first moment, from the event that created the match.
 * @param {MatchEvent} event
 * @returns {Moment}
 */
export function begin(event) {
  const made = /** @type {any} */ (event);
  return {
    seq: made.seq,
    at: made.at,
    game: made.game,
    options: made.options,
    points: made.points,
    games: made.games,
    rated: made.rated ?? false,
    ratings: undefined,
    clock: made.clock,
    admission: made.admission,
    isByLot: made.side === "lot",
    state: "open",
    players: { 1: made.player },
    madeBy: made.made_by ?? undefined,
    score: { 1: 0, 2: 0 },
    gameNumber: 0,
    sides: undefined,
    position: undefined,
    toPlay: undefined,
    clocks: undefined,
    lagMs: nothing(),
    last: undefined,
    opening: undefined,
    hasPlayed: neither(),
    drawOfferedBy: undefined,
    hasOffered: neither(),
    rematch: {},
    ended: [],
    result: undefined,
    commitment: made.commitment,
    seeds: { 1: made.seed, 2: undefined },
    rematchOf: made.rematch_of ?? undefined,
    tafl: { sinceCapture: 0, repetitions: undefined },
    stood: undefined,
    takebacks: 0,
    takebackOffer: undefined,
    askedBack: { 1: undefined, 2: undefined },
    played: undefined,
  };
}

/**
 * The moment in a snapshot.
 * @param {Snapshot} snapshot
 * @returns {Moment}
 */
export function fromSnapshot(snapshot) {
  const seen = /** @type {any} */ (snapshot);
  const toPlay = seen.to_play && {
    seat: seen.to_play.seat,
    side: seen.to_play.side,
    seq: seen.to_play.seq,
    dice: seen.to_play.dice,
    sinceAt: seen.to_play.since_at,
    firstTurn: seen.to_play.first_turn,
  };
  const clocks = seen.clocks && {
    remainingMs: seen.clocks.remaining_ms,
    running: toPlay?.firstTurn && seen.clock.kind !== "days" ? undefined : seen.clocks.running_seat,
    deadlineAt: seen.clocks.deadline_at,
  };
  return {
    seq: seen.head,
    at: seen.updated_at,
    game: seen.game,
    options: seen.options,
    points: seen.points,
    games: seen.games,
    rated: seen.rated ?? false,
    ratings: seen.ratings,
    clock: seen.clock,
    admission: seen.admission,
    isByLot: seen.side === "lot",
    state: seen.state,
    players: seen.players,
    madeBy: seen.made_by ?? undefined,
    score: seen.score,
    gameNumber: seen.game_number,
    sides: seen.sides,
    position: seen.position,
    toPlay,
    clocks,
    lagMs: nothing(),
    last: undefined,
    opening: undefined,
    hasPlayed: playedIn(seen),
    drawOfferedBy: seen.draw_offered_by,
    hasOffered: neither(),
    rematch: { offeredBy: seen.rematch?.offered_by, next: seen.rematch?.next },
    ended: [],
    result: seen.result && {
      result: seen.result.result,
      winner: seen.result.winner_seat,
      reason: seen.result.reason,
      bySeat: seen.result.by_seat,
    },
    commitment: seen.dice.commitment,
    seeds: { 1: seen.dice.seeds[1], 2: seen.dice.seeds[2] },
    rematchOf: seen.rematch_of,
    tafl: { sinceCapture: seen.tafl?.moves_since_capture ?? 0, repetitions: seen.tafl?.repetitions },
    stood: undefined,
    takebacks: seen.takebacks ?? 0,
    takebackOffer: seen.takeback_offer,
    askedBack: { 1: undefined, 2: undefined },
    played: takeable(seen),
  };
}

/** The turn that the reader of a snapshot may take back. @param {any} seen @returns {Played | undefined} */
function takeable({ your_seats: [seat] = [], may_take_back: seq }) {
  return seat && seq ? { seat, seq, given: 0, before: undefined, earlier: undefined } : undefined;
}

/**
 * Which seats have played in the present game, as far as a snapshot says: it counts the turns of all games together,
 * not by seat.
 * @param {any} seen
 * @returns {BySeat<boolean>}
 */
function playedIn({ to_play: toPlay, turns }) {
  const has = { 1: turns > 1, 2: turns > 1 };
  if (!toPlay) return has;
  const seat = /** @type {Seat} */ (toPlay.seat);
  has[seat] = !toPlay.first_turn;
  // A side at its first turn has played none of them.
  has[other(seat)] = turns > (toPlay.first_turn ? 0 : 1);
  return has;
}

/**
 * The moment after one more event. Unknown kinds of events change nothing.
 * @param {Moment} before
 * @param {MatchEvent} event
 * @returns {Moment}
 */
export function next(before, event) {
  const happened = /** @type {any} */ (event);
  const change = changes[happened.type];
  return { ...before, seq: happened.seq, at: happened.at, ...change?.(before, happened) };
}

/** @type {Record<string, (before: Moment, event: any) => Partial<Moment>>} */
const changes = {
  joined: (before, { player, seed }) => ({
    players: { ...before.players, 2: player },
    seeds: { ...before.seeds, 2: seed },
    state: [before.seeds[1], seed].some(isCommitted) ? "awaiting_seeds" : "playing",
  }),

  seed_revealed: (before, { seat, seed }) => ({
    seeds: { ...before.seeds, [seat]: { kind: "brought", seed } },
    state: isCommitted(before.seeds[other(seat)]) ? "awaiting_seeds" : "playing",
  }),

  game_started: (before, { seq, at, game_number, sides, position, clocks_ms }) => {
    const tafl = isTafl(before.game);
    const remainingMs = clocks_ms ?? undefined;
    const fresh = {
      ...before,
      sides,
      position,
      hasPlayed: neither(),
      clocks: remainingMs && { remainingMs, running: undefined, deadlineAt: undefined },
    };
    const given = tafl ? turnGiven(fresh, position.to_move, seq, at, []) : { toPlay: undefined };
    const stood = tafl ? new Map([[standing(position), 1]]) : undefined;
    return {
      state: "playing",
      gameNumber: game_number,
      sides,
      position,
      clocks: fresh.clocks,
      lagMs: nothing(),
      hasPlayed: neither(),
      hasOffered: neither(),
      drawOfferedBy: undefined,
      takebackOffer: undefined,
      last: undefined,
      opening: undefined,
      tafl: { sinceCapture: 0, repetitions: tafl ? 1 : undefined },
      stood,
      played: undefined,
      ...given,
    };
  },

  opening_thrown: (before, { seq, at, white, black, begins }) => ({
    opening: { white, black, tie: !begins },
    ...(begins ? turnGiven(before, begins, seq, at, [white, black]) : {}),
  }),

  thrown: (before, { seq, at, side, dice }) => ({
    opening: undefined,
    ...turnGiven(before, side, seq, at, dice),
  }),

  turned: (before, { seq, at, seat, side, steps, notation, position, call, clocks_ms, lag_ms }) => {
    const tafl = isTafl(before.game);
    const played = {
      ...before,
      position,
      hasPlayed: { ...before.hasPlayed, [seat]: true },
      clocks: clocks_ms ? { remainingMs: clocks_ms, running: undefined, deadlineAt: undefined } : before.clocks,
    };
    const given = tafl ? turnGiven(played, position.to_move, seq, at, []) : { toPlay: undefined };
    return {
      position,
      opening: undefined,
      last: { kind: "turned", seat, side, steps, notation, dice: before.toPlay?.dice ?? [], call: call ?? undefined },
      hasPlayed: played.hasPlayed,
      hasOffered: { ...before.hasOffered, [seat]: false },
      drawOfferedBy: before.drawOfferedBy === other(seat) ? undefined : before.drawOfferedBy,
      takebackOffer: undefined,
      clocks: stopped(played.clocks),
      lagMs: { ...before.lagMs, [seat]: lag_ms ?? 0 },
      played: playedBy(before, seat, seq),
      ...(tafl ? tallied(before, steps, position) : {}),
      ...given,
    };
  },

  passed: (before, { seat, side }) => ({
    position: movedBy(before.position, before.sides?.[other(seat)]),
    last: { kind: "passed", seat, side, steps: [], notation: "", dice: before.toPlay?.dice ?? [], call: undefined },
    toPlay: undefined,
    clocks: stopped(before.clocks),
    played: playedBy(before, seat, undefined),
  }),

  taken_back: (before, { seq, at, side, to, dice, position, clocks_ms }) => {
    const turn = earlierOf(before, ({ given }) => given === to);
    const { last, tafl, stood } = turn?.before ?? { last: undefined, tafl: { sinceCapture: 0, repetitions: undefined } };
    const clocks = clocks_ms ? { remainingMs: clocks_ms, running: undefined, deadlineAt: undefined } : before.clocks;
    const given = turnGiven({ ...before, position, clocks }, side, seq, at, dice);
    return {
      ...given,
      toPlay: given.toPlay && { ...given.toPlay, again: true },
      last,
      tafl,
      stood,
      opening: undefined,
      drawOfferedBy: undefined,
      takebackOffer: undefined,
      takebacks: before.takebacks + 1,
      played: turn?.earlier,
    };
  },

  draw_offered: (before, { seat }) => ({
    drawOfferedBy: seat,
    hasOffered: { ...before.hasOffered, [seat]: true },
  }),

  draw_declined: () => ({ drawOfferedBy: undefined }),

  takeback_offered: (before, { seat, turned }) => ({
    takebackOffer: { seat, turned },
    askedBack: { ...before.askedBack, [seat]: turned },
  }),

  takeback_declined: () => ({ takebackOffer: undefined }),

  credited: (before, { credit_ms }) => ({
    toPlay: before.toPlay && { ...before.toPlay, sinceAt: before.toPlay.sinceAt + credit_ms },
    clocks: before.clocks && {
      ...before.clocks,
      deadlineAt: before.clocks.deadlineAt === undefined ? undefined : before.clocks.deadlineAt + credit_ms,
    },
  }),

  game_ended: (before, { game_number, reason, winner_seat, winner_side, points, secret, score }) => ({
    toPlay: undefined,
    clocks: stopped(before.clocks),
    drawOfferedBy: undefined,
    takebackOffer: undefined,
    score,
    ended: [
      ...before.ended,
      {
        game: game_number,
        reason,
        winner: winner_seat ?? undefined,
        winnerSide: winner_side ?? undefined,
        points,
        secret,
      },
    ],
  }),

  match_ended: (before, { result, winner_seat, reason, by_seat }) => ({
    state: "ended",
    toPlay: undefined,
    clocks: stopped(before.clocks),
    result: {
      result,
      winner: winner_seat ?? undefined,
      reason: reason ?? undefined,
      bySeat: by_seat ?? undefined,
    },
  }),

  rated: (_, { constants, seats }) => ({ ratings: { constants, seats } }),
  unrated: ({ ratings }, { reason }) => ({ ratings: ratings && { ...ratings, taken_back: reason } }),

  rematch_offered: ({ rematch }, { seat }) => ({
    rematch: { offeredBy: seat, offered: [...(rematch.offered ?? []), seat] },
  }),
  rematch_declined: ({ rematch }) => ({ rematch: { offered: rematch.offered } }),
  rematch_agreed: (_, { next: made }) => ({ rematch: { next: made } }),
};

/** Whether a player's turns can be taken back: of a person, against a person or the computer. @param {Moment} moment @param {Seat} seat */
export function hasTakebacks({ players, rated }, seat) {
  const kindOf = (/** @type {Seat} */ of) => players?.[of]?.kind ?? "person";
  return !rated && kindOf(seat) === "person" && kindOf(other(seat)) !== "bot";
}

/**
 * The turn that the seat may take back, or offer to: its last one in this game.
 * @param {Moment} moment @param {Seat} seat
 * @returns {number | undefined} the event in which it was played
 */
export function mayTakeBack(moment, seat) {
  if (moment.state !== "playing" || !moment.toPlay || !hasTakebacks(moment, seat)) return undefined;
  return earlierOf(moment, (turn) => turn.seat === seat && turn.seq !== undefined)?.seq;
}

/** The last turn that counts and meets a condition. @param {Moment} moment @param {(turn: Played) => boolean} holds */
function earlierOf({ played }, holds) {
  let turn = played;
  while (turn && !holds(turn)) turn = turn.earlier;
  return turn;
}

/**
 * Remembers a turn or a pass, where turns can be taken back.
 * @param {Moment} before @param {Seat} seat @param {number | undefined} seq
 * @returns {Played | undefined}
 */
function playedBy(before, seat, seq) {
  const { played: earlier, toPlay } = before;
  if (!toPlay || !(hasTakebacks(before, 1) || hasTakebacks(before, 2))) return undefined;
  return { seat, seq, given: toPlay.seq, before, earlier };
}

/**
 * Gives the turn to a side.
 * @param {Moment} before @param {SideName} side @param {number} seq @param {number} at @param {number[]} dice
 * @returns {Partial<Moment>}
 */
function turnGiven(before, side, seq, at, dice) {
  const seat = seatOf(before, side);
  if (!seat) return {};
  const firstTurn = !before.hasPlayed[seat];
  return {
    toPlay: { seat, side, seq, dice, sinceAt: at, firstTurn },
    position: movedBy(before.position, side),
    clocks: before.clocks && started(before.clocks, before.clock, seat, at, firstTurn ? firstTermMs(before) : undefined),
  };
}

/**
 * The position with the other side to move: a throw or a pass changes nothing else.
 * @param {Position | undefined} position @param {SideName | undefined} side
 * @returns {Position | undefined}
 */
const movedBy = (position, side) =>
  !position || !side || position.to_move === side ? position : /** @type {Position} */ ({ ...position, to_move: side });

/**
 * How long a side has for its first turn of a game with a running clock.
 * @param {Moment} moment
 */
const firstTermMs = ({ gameNumber }) => FIRST_TURN_MS + (gameNumber > 1 ? BREAK_MS : 0);

/**
 * @param {Clocks} clocks @param {Clock} terms @param {Seat} seat @param {number} at
 * @param {number | undefined} firstMs the time for the turn if it is the side's first
 * @returns {Clocks}
 */
function started({ remainingMs }, terms, seat, at, firstMs) {
  if (terms.kind === "days") return { remainingMs, running: seat, deadlineAt: at + terms.days * DAY_MS };
  if (firstMs !== undefined) return { remainingMs, running: undefined, deadlineAt: at + firstMs };
  const free = terms.kind === "delay" ? terms.delay_ms : 0;
  return { remainingMs, running: seat, deadlineAt: at + remainingMs[seat] + free };
}

/** @param {Clocks | undefined} clocks */
const stopped = (clocks) => clocks && { ...clocks, running: undefined, deadlineAt: undefined };

/** @param {Position} position */
const standing = (position) => ("board" in position ? `${position.board} ${position.to_move}` : "");

/**
 * Updates the counts of a tafl game.
 * @param {Moment} before @param {TakenStep[]} steps @param {Position} position
 * @returns {Partial<Moment>}
 */
function tallied(before, steps, position) {
  const captured = steps.some((step) => (step.captures?.length ?? 0) > 0);
  const sinceCapture = captured ? 0 : before.tafl.sinceCapture + 1;
  if (!before.stood) return { tafl: { sinceCapture, repetitions: undefined } };
  // Captured pieces do not return, so no earlier position can occur again.
  const stood = new Map(captured ? [] : before.stood);
  const repetitions = (stood.get(standing(position)) ?? 0) + 1;
  stood.set(standing(position), repetitions);
  return { stood, tafl: { sinceCapture, repetitions } };
}
