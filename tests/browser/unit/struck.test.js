// The sound of a struck object.

import assert from "node:assert/strict";
import { test } from "node:test";
import { RINGS, struck } from "../../../web/match/struck.js";

const RATE = 44_100;

/** A fixed sequence of random numbers. */
function numbers() {
  let state = 7;
  return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
}

const heard = (material, pitch = 1) => struck(RINGS[material], { rate: RATE, pitch, random: numbers() });

/** The mean strength of samples. @param {Float32Array} samples */
const power = (samples) => samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;

/** The sign changes in a second. @param {Float32Array} samples */
function crossings(samples) {
  const changes = samples.filter((sample, nth) => nth > 0 && Math.sign(sample) !== Math.sign(samples[nth - 1]));
  return (changes.length * RATE) / samples.length;
}

test("a blow is at most full strength, begins without a click and decays", () => {
  for (const material of Object.keys(RINGS)) {
    const samples = heard(material);
    const most = samples.reduce((found, sample) => Math.max(found, Math.abs(sample)), 0);
    assert.ok(Math.abs(most - 1) < 1e-6, material);
    assert.equal(samples[0], 0);
    assert.ok(Math.abs(samples.at(-1)) < 0.05, `${material} is cut off at ${samples.at(-1)}`);
    assert.ok(power(samples.slice(-200)) < 0.02 * power(samples.slice(0, samples.length / 4)), material);
  }
});

test("stone and bone sound brighter than wood, and bronze rings on", () => {
  const early = (material) => crossings(heard(material).slice(0, 2_000));
  assert.ok(early("stone") > 2 * early("wood"));
  assert.ok(early("bone") > 2 * early("wood"));
  assert.ok(RINGS.bronze.lasts > 4 * RINGS.wood.lasts);
});

test("a higher pitch sounds higher, and no two blows are the same", () => {
  assert.ok(crossings(heard("bronze", 1.5)) > 1.2 * crossings(heard("bronze")));
  assert.notDeepEqual(struck(RINGS.wood, { rate: RATE }), struck(RINGS.wood, { rate: RATE }));
});
