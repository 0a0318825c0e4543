// The sounds of a match.

import "./device.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { throwOf } from "../../../web/match/sounds.js";

test("every die of a throw has a sound", () => {
  const [two, three] = [throwOf(2), throwOf(3)];
  assert.equal(three.length / 3, two.length / 2);
  const last = (/** @type {{at: number}[]} */ blows) => Math.max(...blows.map(({ at }) => at));
  assert.ok(last(three) > last(two), "the third one comes to rest after the others");
});
