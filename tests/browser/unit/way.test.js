// Stepping through the stops of a match.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Wheel, isWay, leadsTo, placeIn, wayOf } from "../../../web/match/way.js";

const STOPS = [3, 5, 8];

test("an event is shown at the last stop before it", () => {
  assert.deepEqual([1, 3, 4, 5, 7, 8, 99].map((shown) => placeIn(STOPS, shown)), [0, 0, 0, 1, 1, 2, 2]);
  assert.equal(placeIn([], 4), 0);
});

test("keys step from stop to stop, and past the last one to the present", () => {
  const from = (/** @type {number} */ shown) => ["first", "back", "on", "last"].map((way) => leadsTo(STOPS, shown, /** @type {any} */ (way)));
  assert.deepEqual(from(3), [3, 3, 5, 8]);
  assert.deepEqual(from(5), [3, 3, 8, 8]);
  assert.deepEqual(from(8), [3, 5, undefined, undefined]);
  assert.deepEqual(leadsTo([], 1, "on"), undefined);
});

/** A key pressed there. @param {string} key @param {object[]} [path] @param {object} [how] */
const press = (key, path = [{ tagName: "BODY", dataset: {} }], how = {}) =>
  wayOf(/** @type {any} */ ({ key, composedPath: () => path, ...how }));

test("arrows, Home and End step through the match, except where they have another use", () => {
  assert.deepEqual(["Home", "ArrowLeft", "ArrowRight", "End", "ArrowUp", "x"].map((key) => press(key)),
    ["first", "back", "on", "last", undefined, undefined]);
  assert.equal(press("ArrowLeft", [{ tagName: "INPUT" }]), undefined, "a slider has them");
  assert.equal(press("ArrowLeft", undefined, { altKey: true }), undefined, "the browser goes back");
  assert.equal(press("ArrowLeft", undefined, { defaultPrevented: true }), undefined);
  const place = [{ tagName: "rect", dataset: { place: "A1" } }, { tagName: "svg" }];
  assert.equal(press("ArrowLeft", place), undefined, "on a board they lead from place to place");
  assert.equal(press("End", place), "last");
});

/** A turn of the wheel. @param {number} deltaY @param {number} timeStamp @param {object} [more] */
const turned = (deltaY, timeStamp, more = {}) =>
  /** @type {any} */ ({ deltaX: 0, deltaY, deltaMode: 0, ctrlKey: false, timeStamp, ...more });

test("a notch of the wheel is a stop, and so is a stroke of the same length", () => {
  const wheel = new Wheel();
  assert.equal(wheel.turn(turned(100, 0)), "on");
  assert.equal(wheel.turn(turned(-100, 10)), "back");
  assert.equal(wheel.turn(turned(3, 20, { deltaMode: 1 })), "on", "lines");
  const stroke = [30, 40, 50, 60, 70].map((time) => wheel.turn(turned(25, time)));
  assert.deepEqual(stroke, [undefined, undefined, "on", undefined, undefined]);
  assert.equal(wheel.turn(turned(-25, 80)), undefined, "the other way is another stroke");
  assert.equal(wheel.turn(turned(-40, 900)), undefined, "and so is one after a pause");
  assert.ok(!isWay(turned(100, 0, { ctrlKey: true })) && !isWay(turned(10, 0, { deltaX: 30 })) && isWay(turned(10, 0)));
});
