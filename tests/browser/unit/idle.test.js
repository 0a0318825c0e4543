// A screen that nobody touches any more: first a warning, then it is abandoned.

import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

const { Idle } = await import("../../../web/parts/idle.js");

const QUIET_MS = 60_000;

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
});

/** The events after a touch. */
function touched() {
  const idle = new Idle(QUIET_MS, 3);
  const told = [];
  idle.addEventListener("change", () => told.push(idle.left));
  idle.addEventListener("alone", () => told.push("alone"));
  idle.touched();
  return { idle, told };
}

test("it counts down, and reports once that nobody is there", () => {
  const { told } = touched();
  mock.timers.tick(QUIET_MS - 1);
  assert.deepEqual(told, []);
  mock.timers.tick(1);
  assert.deepEqual(told, [3]);
  for (let second = 0; second < 5; second += 1) mock.timers.tick(1_000);
  assert.deepEqual(told, [3, 2, 1, undefined, "alone"]);
  mock.timers.tick(10 * QUIET_MS);
  assert.equal(told.length, 5, "until somebody comes");
});

test("any touch stops it", () => {
  const { idle, told } = touched();
  mock.timers.tick(QUIET_MS);
  mock.timers.tick(1_000);
  idle.touched();
  assert.deepEqual(told, [3, 2, undefined]);
  mock.timers.tick(QUIET_MS - 1);
  assert.equal(told.length, 3);
  mock.timers.tick(1);
  assert.equal(told.at(-1), 3);
});

test("nothing is reported while the screen is touched again and again", () => {
  const { idle, told } = touched();
  for (let touch = 0; touch < 5; touch += 1) {
    mock.timers.tick(QUIET_MS - 1);
    idle.touched();
  }
  assert.deepEqual(told, []);
});
