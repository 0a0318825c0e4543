import assert from "node:assert/strict";
import { test } from "node:test";

import { advance, newSteps } from "../../../web/board/progress.js";
import { piecesOf } from "../../../web/game/position.js";
import { entryOf } from "./vectors.js";

const a = { from: "supply", to: "3", die: 3 };
const b = { from: "supply", to: "5", die: 5 };
const white = (...steps) => ({ side: "white", steps });

test("of a turn that is shown in parts only the new steps are animated", () => {
  assert.deepEqual(newSteps(undefined, white(a)), [a]);
  assert.deepEqual(newSteps(white(), white(a)), [a]);
  assert.deepEqual(newSteps(white(a), white(a, b)), [b]);
  assert.deepEqual(newSteps(white(a, b), white(a, b)), []);
});

test("a turn taken back has nothing new, another side's turn is all new", () => {
  assert.deepEqual(newSteps(white(a, b), white(a)), []);
  assert.deepEqual(newSteps(white(a), { side: "black", steps: [a] }), [a]);
  assert.deepEqual(newSteps(white(a, b), white(b)), [b]);
});

const zeno = entryOf("zeno");
const position = (points, supply) => ({
  ...zeno.start,
  white: { ...zeno.start.white, points, supply },
});

test("steps that lead to the next position are shown one by one", () => {
  const before = piecesOf(zeno, zeno.start);
  const { pieces, stages } = advance(before, zeno, "white", [a, b], position({ 3: 1, 5: 1 }, 13));
  assert.equal(stages.length, 2);
  assert.equal(stages[0].filter(({ place }) => place === "3").length, 1);
  assert.equal(stages[0].filter(({ place }) => place === "5").length, 0);
  assert.equal(stages[1], pieces);
});

test("steps that lead elsewhere are not shown", () => {
  const before = piecesOf(zeno, zeno.start);
  const { pieces, stages } = advance(before, zeno, "white", [a], position({ 1: 2, 6: 1 }, 12));
  assert.deepEqual(stages, [pieces]);
  assert.equal(pieces.filter(({ place }) => place === "1").length, 2);
});

test("the first position has no steps", () => {
  const { pieces, stages } = advance([], zeno, "white", [a], zeno.start);
  assert.deepEqual(pieces, piecesOf(zeno, zeno.start));
  assert.deepEqual(stages, [pieces]);
});
