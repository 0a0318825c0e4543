// A player's actions besides playing.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { before, test } from "node:test";
import { actionsOf } from "../../../web/match/actions.js";
import { loadTexts } from "../../../web/text/text.js";

const BOTH_HERE = { here: { 1: true, 2: true }, goneSince: {} };
const MINUTE = 60_000;

before(async () => {
  globalThis.document = { documentElement: { dataset: { languages: "en" }, lang: "en" } };
  globalThis.location = { search: "" };
  globalThis.navigator ??= { languages: ["en"] };
  globalThis.fetch = async (url) => new Response(await readFile(url));
  await loadTexts();
});

/** A game of tavla in which both have played; seat 2 is to play. @param {object} [more] */
const playing = (more) => ({
  game: "tavla",
  state: "playing",
  points: 1,
  gameNumber: 1,
  clock: { kind: "none" },
  players: { 1: { id: "a", name: "Anna" }, 2: { id: "b", name: "Berit" } },
  sides: { 1: "white", 2: "black" },
  position: { white: { off: 0 }, black: { off: 3 } },
  toPlay: { seat: 2, sinceAt: 0 },
  hasPlayed: { 1: true, 2: true },
  hasOffered: { 1: false, 2: false },
  rematch: {},
  ...more,
});
const ended = (more) => playing({ state: "ended", toPlay: undefined, result: { result: "won", winner: 1 }, ...more });

/** The operations that are offered. */
const done = (moment, seats, presence = BOTH_HERE, now = 0) =>
  actionsOf(moment, seats, presence, now).filter(({ idle }) => !idle).map(({ op, fields }) => [op, fields.action ?? fields.scope].filter(Boolean).join(" "));

test("a spectator has no actions", () => {
  assert.deepEqual(done(playing(), []), []);
});

test("a guest whose seat the computer plays can abort the match until it is over", () => {
  const presence = { ...BOTH_HERE, isWatchedOver: true };
  assert.deepEqual(done(playing(), [], presence), ["abort"]);
  assert.deepEqual(done(ended(), [], presence), []);
});

test("until both have played a match is aborted, then it is resigned", () => {
  assert.deepEqual(done(playing({ hasPlayed: { 1: true, 2: false } }), [1]), ["abort"]);
  assert.deepEqual(done(playing(), [1]), ["draw offer", "resign"]);
  assert.deepEqual(done(playing({ points: 3 }), [1]), ["draw offer", "resign", "resign match"]);
  const pair = (/** @type {number} */ gameNumber) => playing({ games: 2, gameNumber });
  assert.deepEqual(done(pair(1), [1]), ["draw offer", "resign", "resign match"]);
  assert.deepEqual(done(pair(2), [1]), ["draw offer", "resign"], "nothing is left to give up beside this game");
});

/** A game against the computer; `before` are its earlier turns that count. @param {object} [more] */
const againstComputer = (more) =>
  playing({ players: { 1: { id: "a", name: "Anna" }, 2: { id: "c", kind: "computer", level: 2 } }, takebacks: 0, ...more });
const own = { seat: 1, seq: 7, given: 6, earlier: undefined };

test("against the computer the last turn can be taken back; the first time asks for confirmation", () => {
  const back = (moment, seats = [1]) => actionsOf(moment, seats, BOTH_HERE, 0).find(({ op }) => op === "takeback");
  const replied = { seat: 2, seq: 9, given: 8, earlier: own };
  const first = back(againstComputer({ played: replied }));
  assert.deepEqual([first.fields, first.idle, first.key], [{ seq: 7 }, "", "b"]);
  assert.match(first.sure, /with takebacks/);
  assert.equal(back(againstComputer({ played: replied, takebacks: 1 })).sure, "");
  // The button is there before anything can be taken back, too.
  assert.ok(back(againstComputer({ played: undefined })).idle);
  assert.ok(back(againstComputer({ played: { seat: 2, seq: 9, given: 8 } })).idle);
  // A turn that passed by itself was not played.
  assert.equal(back(againstComputer({ played: { seat: 1, seq: undefined, given: 10, earlier: replied } })).fields.seq, 7);
});

test("a person is asked to agree to a takeback, once a turn, and the offer is answered", () => {
  const asks = (more) =>
    actionsOf(playing({ played: own, takebacks: 1, askedBack: {}, ...more }), [1], BOTH_HERE, 0).filter(({ op }) => op === "takeback");
  const [first] = asks({});
  assert.deepEqual([first.name, first.fields, first.idle], ["Ask to take back", { seq: 7, action: "offer" }, ""]);
  assert.match(first.sure, /Berit.*same dice.*you both know them/);
  assert.match(asks({ askedBack: { 1: 7 }, takebackOffer: { seat: 1, turned: 7 } })[0].idle, /Berit has not answered/);
  assert.match(asks({ askedBack: { 1: 7 } })[0].idle, /already asked/);
  assert.equal(asks({ askedBack: { 1: 5 } })[0].idle, "");
  const [accept, decline, own1] = asks({ takebackOffer: { seat: 2, turned: 9 } });
  assert.deepEqual([accept.fields, decline.fields], [{ seq: 9, action: "accept" }, { seq: 9, action: "decline" }]);
  assert.deepEqual([accept.answers, decline.answers, decline.sure, own1.answers], [true, true, "", undefined]);
  assert.match(accept.sure, /you both know the throws/);
  assert.match(own1.idle, /Berit asks/);
  assert.match(asks({ game: "tablut", position: { board: "9" } })[0].sure, /last move/);
});

test("no turn can be taken back in a rated match, in a tournament, from a bot, or when the game is over", () => {
  const bot = { 1: { id: "a", name: "Anna" }, 2: { id: "b", name: "Berit", kind: "bot" } };
  for (const more of [{ rated: true }, { players: bot }]) {
    assert.ok(!actionsOf(playing({ played: own, askedBack: {}, ...more }), [1], BOTH_HERE, 0).some(({ op }) => op === "takeback"));
  }
  const inTournament = { ...BOTH_HERE, tournament: { id: "t", name: "Cup" } };
  assert.ok(!actionsOf(playing({ played: own, askedBack: {} }), [1], inTournament, 0).some(({ op }) => op === "takeback"));
  assert.equal(done(againstComputer({ played: own, state: "ended", toPlay: undefined }), [1]).includes("takeback"), false);
});

test("a draw can be offered once a turn, and is answered by the opponent", () => {
  assert.deepEqual(done(playing({ drawOfferedBy: 2 }), [1]), ["draw accept", "draw decline", "resign"]);
  assert.deepEqual(done(playing({ drawOfferedBy: 1 }), [1]), ["resign"]);
  assert.deepEqual(done(playing({ hasOffered: { 1: true, 2: false } }), [1]), ["resign"]);
});

test("a player of both sides resigns for the side to move, and has no offers", () => {
  const cost = (seat) => {
    const actions = actionsOf(playing({ toPlay: { seat, sinceAt: 0 } }), [1, 2], BOTH_HERE, 0);
    return actions.find(({ op }) => op === "resign").sure;
  };
  assert.match(cost(1), /Berit.* 2 points/);
  assert.match(cost(2), /Anna.* 1 point\b/);
  assert.deepEqual(done(playing(), [1, 2]), ["resign"]);
  assert.deepEqual(done(ended(), [1, 2]), ["rematch offer"]);
  assert.deepEqual(done(ended({ rematch: { offeredBy: 1 } }), [1, 2]), ["rematch accept"]);
});

test("the computer always plays again", () => {
  const names = (moment, seats) => actionsOf(moment, seats, BOTH_HERE, 0).map(({ name, fields }) => `${name}: ${fields.action}`);
  const players = { 1: { id: "c", name: "Computer 4", kind: "computer", level: 4 }, 2: { id: "b", name: "Berit" } };
  assert.deepEqual(names(ended({ players }), [2]), ["Play again: offer"]);
  assert.deepEqual(names(ended({ players, rematch: { offeredBy: 1, offered: [1] } }), [2]), ["Play again: accept"]);
  assert.deepEqual(names(ended({ players, rematch: { offeredBy: 2, offered: [1, 2] } }), [2]), [], "it is about to begin");
  assert.deepEqual(names(ended({ players, rematch: { offered: [2] } }), [2]), [], "the computer has declined");
  assert.deepEqual(names(ended(), [1, 2]), ["Play again: offer"]);
});

test("a rematch is offered, waited for, answered, and unavailable once it is created", () => {
  assert.deepEqual(done(ended(), [2]), ["rematch offer"]);
  assert.deepEqual(done(ended({ rematch: { offeredBy: 2 } }), [2]), []);
  assert.deepEqual(done(ended({ rematch: { offeredBy: 1 } }), [2]), ["rematch accept", "rematch decline"]);
  assert.deepEqual(done(ended({ rematch: { next: "m" } }), [2]), []);
  assert.deepEqual(done(ended({ result: { result: "aborted" } }), [2]), []);
});

test("without a clock, a game can be claimed if the player to move was disconnected for ten minutes", () => {
  const gone = (since) => ({ here: { 1: true, 2: false }, goneSince: { 2: since } });
  const moment = playing({ toPlay: { seat: 2, sinceAt: 5 * MINUTE } });
  assert.ok(!done(moment, [1], gone(0), 14 * MINUTE).includes("claim"));
  assert.ok(done(moment, [1], gone(0), 15 * MINUTE).includes("claim"));
  assert.ok(!done(moment, [1], gone(6 * MINUTE), 15 * MINUTE).includes("claim"));
  assert.ok(!done({ ...moment, clock: { kind: "days", days: 1 } }, [1], gone(0), 20 * MINUTE).includes("claim"));
});

test("a disabled action keeps its place, and says why", () => {
  const draw = (more) => actionsOf(playing(more), [1], BOTH_HERE, 0).find(({ fields }) => fields.action === "offer");
  const names = (more) => actionsOf(playing(more), [1], BOTH_HERE, 0).filter(({ answers }) => !answers).map(({ name }) => name);
  assert.equal(draw({}).idle, "");
  assert.match(draw({ hasPlayed: { 1: true, 2: false } }).idle, /once both have played/);
  assert.match(draw({ drawOfferedBy: 1, hasOffered: { 1: true, 2: false } }).idle, /is waiting for Berit/);
  assert.match(draw({ drawOfferedBy: 2 }).idle, /Berit offers/);
  assert.match(draw({ hasOffered: { 1: true, 2: false } }).idle, /was not accepted/);
  for (const more of [{ drawOfferedBy: 1 }, { drawOfferedBy: 2 }, { hasOffered: { 1: true, 2: false } }]) {
    assert.deepEqual(names(more), names({}));
  }
});

test("an action that ends a game asks for confirmation", () => {
  for (const more of [{}, { drawOfferedBy: 2 }, { hasPlayed: { 1: true, 2: false } }, { points: 3 }]) {
    for (const { fields, sure, name } of actionsOf(playing(more), [1], BOTH_HERE, 0)) {
      assert.ok(sure || fields.action === "decline", name);
    }
  }
});
