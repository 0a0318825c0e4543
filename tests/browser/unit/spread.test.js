import assert from "node:assert/strict";
import { test } from "node:test";

import { spread } from "../../../web/board/spread.js";

test("dice are played as thrown unless there is a double", () => {
  assert.deepEqual(spread([5, 2, 6], 3), [5, 2, 6]);
});

test("equal dice are together, and a double has its extra uses", () => {
  assert.deepEqual(spread([4, 4], 4), [4, 4, 4, 4]);
  assert.deepEqual(spread([5, 6, 5], 5), [5, 5, 5, 5, 6]);
  assert.deepEqual(spread([3, 3, 3], 12), Array(12).fill(3));
  assert.deepEqual(spread([3, 3, 3], 6), Array(6).fill(3));
});
