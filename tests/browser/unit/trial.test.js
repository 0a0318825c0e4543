// A turn that is tried out beside a match.

import "./device.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { Trial } from "../../../web/match/trial.js";

/** Rules by which a turn plays each of its dice once. */
const rules = async (/** @type {any} */ { dice, position, steps }) => {
  const left = [...dice];
  for (const { die } of steps) left.splice(left.indexOf(die), 1);
  return /** @type {any} */ ({ position, steps: [], dice_left: left, complete: left.length === 0, notation: "" });
};

/** A turn that has begun. @param {number[]} dice */
async function begun(dice) {
  const trial = new Trial(rules);
  trial.begin(/** @type {any} */ ({}), "white", dice);
  await heard(trial);
  return trial;
}

/** Waits until the rules have responded. @param {Trial} trial */
async function heard(trial) {
  while (!trial.legal) await new Promise((done) => trial.addEventListener("change", done, { once: true }));
}

test("its dice are played in another order while several are left", async () => {
  const trial = await begun([2, 5, 2]);
  assert.deepEqual([trial.order, trial.hasOrder], [[2, 5], true]);
  trial.reorder();
  assert.deepEqual(trial.order, [5, 2]);
  trial.play([{ die: 5, from: "1", to: "6" }]);
  assert.ok(!trial.hasOrder, "nothing is known yet of what is left");
  await heard(trial);
  assert.ok(!trial.hasOrder, "the others are alike");
  trial.reorder();
  assert.deepEqual(trial.order, [5, 2]);
  trial.end();
  assert.deepEqual(trial.order, []);
});
