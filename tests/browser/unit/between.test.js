// Positions during a turn.

import assert from "node:assert/strict";
import { test } from "node:test";

import { between } from "../../../web/game/between.js";
import { piecesOf } from "../../../web/game/position.js";
import { GAMES, entryOf, vectorsOf } from "./vectors.js";

const lying = (entry, position) =>
  piecesOf(entry, position)
    .map(({ side, place, king, pinned }) => `${side} ${place} ${king ?? ""} ${pinned ?? ""}`)
    .sort()
    .join();

test("the position after a step is one of those that the turn can lead to, if the step is the whole turn", () => {
  let judged = 0;
  for (const game of GAMES.filter((name) => name !== "tablut")) {
    const entry = entryOf(game);
    for (const { position, steps = [], results = [], dice_playable } of vectorsOf(game)) {
      if (dice_playable !== 1) continue;
      const ends = new Set(results.map((result) => lying(entry, result)));
      for (const step of steps) {
        const found = between(entry, position, position.to_move, [step]);
        assert.ok(ends.has(lying(entry, found)), `${game}: ${JSON.stringify(step)}`);
        judged += 1;
      }
    }
  }
  assert.ok(judged > 20, `${judged} steps`);
});

test("before the first step nothing has changed, and a position is left as it was", () => {
  const entry = entryOf("tavla");
  const written = JSON.stringify(entry.start);
  assert.equal(between(entry, entry.start, "white", []), entry.start);
  const one = between(entry, entry.start, "white", [{ die: 3, from: "24", to: "21" }]);
  assert.deepEqual([one.white.points["24"], one.white.points["21"]], [14, 1]);
  assert.equal(JSON.stringify(entry.start), written);
});

test("tablut's turns have no positions between", () => {
  const entry = entryOf("tablut");
  assert.equal(between(entry, entry.start, "attackers", [{ from: "d1", to: "c1" }]), entry.start);
});
