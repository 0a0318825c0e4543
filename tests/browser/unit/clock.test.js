// The displays of the clocks.

import assert from "node:assert/strict";
import { test } from "node:test";
import { firstTurnLeft, givenBack, remaining, written } from "../../../web/match/clock.js";

const MINUTE = 60_000;

/** A moment at which seat 1 has to play by minute 9. @param {object} clock @param {object} [more] */
const at = (clock, more) => ({
  clock,
  clocks: { remainingMs: { 1: 5 * MINUTE, 2: 3 * MINUTE }, running: 1, deadlineAt: 9 * MINUTE, ...more },
  toPlay: { seat: 1, firstTurn: false },
});

test("the clock of the player to move runs, the other one stands", () => {
  assert.equal(remaining(at({ kind: "fischer" }), 1, 5 * MINUTE), 4 * MINUTE);
  assert.equal(remaining(at({ kind: "fischer" }), 2, 5 * MINUTE), 3 * MINUTE);
  assert.equal(remaining(at({ kind: "fischer" }), 1, 10 * MINUTE), 0);
});

test("with a delay it stands during the free time", () => {
  assert.equal(remaining(at({ kind: "delay" }), 1, 3.9 * MINUTE), 5 * MINUTE);
  assert.equal(remaining(at({ kind: "delay" }), 1, 5 * MINUTE), 4 * MINUTE);
});

test("before a first turn it stands, and the time for that turn is shown instead", () => {
  const first = { ...at({ kind: "fischer" }, { running: undefined }), toPlay: { seat: 1, firstTurn: true } };
  assert.equal(remaining(first, 1, 8.5 * MINUTE), 5 * MINUTE);
  assert.equal(firstTurnLeft(first, 8.5 * MINUTE), MINUTE / 2);
  assert.equal(firstTurnLeft(at({ kind: "fischer" }), 0), undefined);
});

test("returned lag is shown in hundredths of a second", () => {
  const given = (ms) => givenBack({ lagMs: { 1: ms, 2: 0 } }, 1);
  assert.deepEqual([0, 4, 5, 154, 1_500].map(given), [undefined, undefined, 0.01, 0.15, 1.5]);
});

test("without a clock there is nothing to show", () => {
  assert.equal(remaining({ ...at({ kind: "none" }), clocks: undefined }, 1, 0), undefined);
});

test("durations are written as on a clock", () => {
  for (const [ms, text] of [
    [0, "0:00.0"],
    [9_450, "0:09.4"],
    [20_000, "0:20"],
    [12 * MINUTE + 34_999, "12:34"],
    [62 * MINUTE + 3_000, "1:02:03"],
    // Days are a text in each language: without texts, its key.
    [50 * 60 * MINUTE, "clock.left"],
  ]) {
    assert.equal(written(ms), text);
  }
});
