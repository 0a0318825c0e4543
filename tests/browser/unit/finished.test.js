// The outcomes of finished matches for the person, and their counts by game.

import assert from "node:assert/strict";
import { test } from "node:test";

// The person's identity does not matter here.
globalThis.addEventListener ??= () => {};
const { outcomeOf, resultsOf } = await import("../../../web/player/finished.js");

/** @param {object} more @returns {any} a match that seat 1 won, in which the person has seat 1 */
const card = (more = {}) => ({ game: "tavla", result: "won", winner_seat: 1, your_seats: [1], ...more });

const CASES = [
  ["won", card()],
  ["lost", card({ winner_seat: 2 })],
  ["lost", card({ your_seats: [2] })],
  ["drawn", card({ result: "drawn", winner_seat: undefined })],
  ["aborted", card({ result: "aborted", winner_seat: undefined })],
  ["both", card({ your_seats: [1, 2] })],
  ["aborted", card({ result: "aborted", winner_seat: undefined, your_seats: [1, 2] })],
];

for (const [outcome, of] of CASES) {
  test(`${of.result}, seat ${of.winner_seat} for a person in ${of.your_seats}: ${outcome}`, () => {
    assert.equal(outcomeOf(of), outcome);
  });
}

test("results are counted by game, without matches that do not count", () => {
  const zeno = card({ game: "zeno", winner_seat: 2 });
  const none = [card({ game: "tablut", result: "aborted" }), card({ game: "scripta", your_seats: [1, 2] })];
  const drawn = card({ result: "drawn", winner_seat: undefined });
  assert.deepEqual(resultsOf([zeno, ...none, card(), drawn, card()]), [
    { game: "zeno", won: 0, lost: 1, drawn: 0 },
    { game: "tavla", won: 2, lost: 0, drawn: 1 },
  ]);
  assert.deepEqual(resultsOf(none), []);
});
