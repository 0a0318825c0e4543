// What a board shows at a moment.

import assert from "node:assert/strict";
import { test } from "node:test";
import "./device.js";
import { entryOf } from "./vectors.js";

const { dieStates, dieStatesBetween, pastView } = await import("../../../web/match/view.js");

test("each place of the last turn is marked once, however many pieces came or went there", () => {
  const steps = [
    { die: 6, from: "24", to: "18" },
    { die: 2, from: "24", to: "22" },
    { die: 4, from: "22", to: "18" },
  ];
  const { marks } = pastView(entryOf("tavla"), /** @type {any} */ ({ last: { side: "white", steps } }));
  assert.ok(marks.every(({ kind }) => kind === "last"));
  const places = marks.map(({ place }) => place);
  assert.equal(places.length, 3);
  assert.equal(new Set(places).size, 3);
});

const GONE = { points: {}, bar: 0, off: 15 };
const THERE = { points: { 6: 1 }, bar: 0, off: 14 };

for (const [what, white, state] of /** @type {const} */ ([["that wins", GONE, "unneeded"], ["that does not", THERE, "unplayable"]])) {
  test(`a die left after a turn ${what} is ${state}`, () => {
    const position = /** @type {any} */ ({ white, black: THERE, to_move: "white" });
    const steps = [{ die: 6, from: "6", to: "off" }];
    const legal = { dice_left: [5], complete: true, steps: [], position, to_play: /** @type {const} */ ("white") };
    assert.deepEqual(dieStates([6, 5], { steps, legal }), ["played", state], "while it is built");
    assert.deepEqual(dieStates([6, 6], { steps, legal: { ...legal, dice_left: [6, 6, 6] } }), ["played", state, state, state]);
    assert.deepEqual(dieStatesBetween([6, 5], { steps, rest: [], after: position }, "white"), ["played", state], "when it is over");
    assert.deepEqual(dieStatesBetween([6, 5], { steps: [], rest: steps, after: position }, "white"), ["ready", state], "while it is seen");
  });
}
