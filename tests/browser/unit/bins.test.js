import assert from "node:assert/strict";
import { test } from "node:test";
import { binned } from "../../../web/parts/bins.js";

/** @param {number[]} values */
const histogram = (...values) => values.map((value) => ({ value, count: 2 }));

test("few numbers have a bin each, and so do the numbers between that never came", () => {
  assert.deepEqual(binned(histogram(3, 5), 10), [
    { from: 3, to: 3, count: 2 },
    { from: 4, to: 4, count: 0 },
    { from: 5, to: 5, count: 2 },
  ]);
});

test("many numbers share bins of a convenient width", () => {
  const bins = binned(histogram(3, 17, 99), 20);
  assert.equal(bins.length, 20);
  assert.deepEqual(bins[0], { from: 0, to: 4, count: 2 });
  assert.deepEqual(bins[19], { from: 95, to: 99, count: 2 });
});

test("there are never more bins than requested, and nothing is lost", () => {
  for (const last of [8, 39, 40, 41, 1_999, 123_456, 9_999_999]) {
    const bins = binned(histogram(0, 7, last), 40);
    assert.ok(bins.length <= 40, `${last}: ${bins.length}`);
    assert.equal(bins.reduce((sum, { count }) => sum + count, 0), 6);
  }
  assert.deepEqual(binned([], 40), []);
});
