// The animations of moves.

import assert from "node:assert/strict";
import { test } from "node:test";
import { doesStrike, gesturesOf, keyframes, lastsMs } from "../../../web/board/gestures.js";
import { stagesOf } from "../../../web/board/progress.js";
import { placeOf } from "../../../web/game/places.js";
import { piecesOf } from "../../../web/game/position.js";
import { entryOf } from "./vectors.js";

const none = { points: {}, supply: 0, bar: 0, off: 0, pinned: [] };

/** The gestures of a step, by the sides of the pieces instead of their keys. */
function told(game, position, side, step) {
  const entry = entryOf(game);
  const before = piecesOf(entry, position);
  const [after] = stagesOf(before, entry, side, [step]);
  return [...gesturesOf(entry, before, after)].map(([key, gesture]) => `${key.replace(/\d+$/, "")} ${gesture}`).sort();
}

/** Black's name for a place with this name for White. */
function ofBlack(game, name) {
  const entry = entryOf(game);
  const place = placeOf(entry, "white", name);
  return Array.from({ length: 24 }, (_, nth) => String(nth + 1)).find((own) => placeOf(entry, "black", own) === place);
}

test("each thing that can happen to a piece has its own gesture", () => {
  const tabula = { white: { ...none, points: { 3: 1 } }, black: { ...none, points: {} }, to_move: "white" };
  assert.deepEqual(told("tabula", tabula, "white", { from: "3", to: "5", die: 2 }), ["white move"]);
  const blot = { ...tabula, black: { ...none, points: { [ofBlack("tabula", "5")]: 1 } } };
  assert.deepEqual(told("tabula", blot, "white", { from: "3", to: "5", die: 2 }), ["black hit", "white move"]);

  const met = { ...none, points: { [ofBlack("tavla", "20")]: 1 } };
  const tavla = { white: { ...none, points: { 24: 1 } }, black: met, to_move: "white" };
  assert.deepEqual(told("tavla", tavla, "white", { from: "24", to: "20", die: 4 }), ["black pinned", "white pin"]);

  const tablut = { board: "9/9/4K4/9/t8/1T7/9/9/9", to_move: "defenders" };
  assert.deepEqual(told("tablut", tablut, "defenders", { from: "e7", to: "i7" }), ["defenders escape"]);
  assert.deepEqual(told("tablut", tablut, "defenders", { from: "e7", to: "g7" }), ["defenders move"]);
  assert.deepEqual(told("tablut", tablut, "defenders", { from: "b4", to: "c4", captures: ["a5"] }),
    ["attackers capture", "defenders move"]);
});

test("a hit is predicted before the server's response", () => {
  assert.ok(doesStrike(new Map([["white1", "move"], ["black3", "hit"]])));
  assert.ok(doesStrike(new Map([["white1", "pin"], ["black3", "pinned"]])));
  assert.ok(!doesStrike(new Map([["white1", "move"]])));
  assert.ok(!doesStrike(new Map([["defenders9", "escape"]])));
});

test("a gesture begins and ends where the piece lies", () => {
  const [from, to] = [{ x: 1, y: 2, size: 0.9 }, { x: 4, y: 2, size: 0.6 }];
  const first = "translate(1px, 2px) rotate(0deg) scale(0.9, 0.9)";
  for (const gesture of [undefined, "move", "hit", "pin", "pinned", "capture", "escape"]) {
    for (const share of [1, 0.45]) {
      const frames = keyframes(gesture, from, to, share);
      assert.equal(frames[0].transform, first, gesture);
      assert.match(String(frames.at(-1).transform), /^translate\(4px, 2px\) rotate\((0|-360)deg\) scale\(0\.6, 0\.6\)$/, gesture);
      const offsets = frames.map(({ offset }) => offset);
      assert.deepEqual([offsets[0], offsets.at(-1)], [0, 1], gesture);
      assert.deepEqual(offsets, [...offsets].sort((a, b) => a - b), gesture);
    }
  }
});

test("the consequence of a move is shown after it", () => {
  assert.ok(lastsMs(["move", "hit"]) > lastsMs(["move"]));
  const [from, to] = [{ x: 0, y: 0, size: 1 }, { x: 3, y: 0, size: 1 }];
  const arrived = keyframes("move", from, to, 0.45).find(({ transform }) => String(transform).startsWith("translate(3px"));
  const left = keyframes("hit", from, to, 1).find(({ transform }) => !String(transform).startsWith("translate(0px, 0px)"));
  assert.ok(arrived.offset < left.offset);
});
