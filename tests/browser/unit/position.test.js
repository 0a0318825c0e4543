import assert from "node:assert/strict";
import { test } from "node:test";

import { placesOf } from "../../../web/game/places.js";
import { afterStep, follow, piecesOf } from "../../../web/game/position.js";
import { GAMES, entryOf, vectorsOf } from "./vectors.js";

const lying = (pieces) =>
  pieces.map(({ side, place, king, pinned }) => `${side} ${place} ${king ?? ""} ${pinned ?? ""}`).sort();
const keys = (pieces) => pieces.map(({ key }) => key).sort();
const at = (pieces, place) => pieces.filter((piece) => piece.place === place);
const byKey = (pieces, key) => pieces.find((piece) => piece.key === key);

const tables = (sides) => ({ to_move: "white", ...sides });

test("all pieces of every position are on places of the board, with names of their own", () => {
  for (const game of GAMES) {
    const entry = entryOf(game);
    const places = new Set(placesOf(entry));
    const all = entry.sides.reduce((sum, { pieces }) => sum + pieces, 0);
    for (const { position } of vectorsOf(game)) {
      const pieces = piecesOf(entry, position);
      assert.equal(pieces.length, all);
      assert.equal(new Set(keys(pieces)).size, all);
      assert.ok(pieces.every(({ place }) => places.has(place)));
    }
  }
});

test("the pieces of a place are numbered upwards, pinned ones lowest", () => {
  for (const game of GAMES) {
    for (const { position } of vectorsOf(game)) {
      const pieces = piecesOf(entryOf(game), position);
      for (const place of new Set(pieces.map((piece) => piece.place))) {
        const here = at(pieces, place);
        assert.deepEqual(
          here.map(({ level }) => level).sort((a, b) => a - b),
          here.map((_, n) => n),
        );
        assert.ok(here.every(({ pinned, level }) => !pinned || level === 0));
      }
    }
  }
});

test("whatever the steps say, the pieces end as in the position and keep their keys", () => {
  let followed = 0;
  for (const game of GAMES) {
    const entry = entryOf(game);
    for (const { position, steps, results } of vectorsOf(game)) {
      const before = piecesOf(entry, position);
      for (const result of results ?? []) {
        for (const told of [[], steps.slice(0, 1), steps]) {
          const after = follow(before, entry, position.to_move, told, result);
          assert.deepEqual(lying(after), lying(piecesOf(entry, result)));
          assert.deepEqual(keys(after), keys(before));
          followed += 1;
        }
      }
    }
  }
  assert.ok(followed > 500);
});

test("a single step of a turn leads to its position", () => {
  let steps = 0;
  for (const game of GAMES) {
    const entry = entryOf(game);
    for (const vector of vectorsOf(game)) {
      if (vector.dice_playable !== 1 || !vector.results) continue;
      const before = piecesOf(entry, vector.position);
      const ends = vector.results.map((result) => lying(piecesOf(entry, result)).join());
      for (const step of vector.steps) {
        const after = afterStep(before, entry, vector.position.to_move, step);
        assert.ok(ends.includes(lying(after).join()), `${game}: ${JSON.stringify(step)}`);
        steps += 1;
      }
    }
  }
  assert.ok(steps > 30);
});

test("a hit piece of zeno waits in the middle row, in the column where it was hit", () => {
  const zeno = entryOf("zeno");
  const side = (points) => ({ points, supply: 15 - Object.keys(points).length, off: 0, exposed: true });
  const before = piecesOf(zeno, tables({ white: side({ 18: 1 }), black: side({ 21: 1 }) }));
  const [hit] = at(before, "21");
  const after = afterStep(before, zeno, "white", { from: "18", to: "21", die: 3 });
  assert.equal(byKey(after, hit.key).place, "m4");
});

test("a pinned piece of tavla lies lowest, and is free when the pieces above have left", () => {
  const tavla = entryOf("tavla");
  const white = { points: { 10: 1, 24: 14 }, off: 0, pinned: [] };
  const black = { points: { 20: 1, 24: 14 }, off: 0, pinned: [] };
  const before = piecesOf(tavla, tables({ white, black }));
  const pinned = afterStep(before, tavla, "white", { from: "10", to: "5", die: 5 });
  assert.deepEqual(
    at(pinned, "5").map(({ side, level, pinned: under }) => [side, level, under]),
    [
      ["black", 0, true],
      ["white", 1, undefined],
    ],
  );
  const freed = afterStep(pinned, tavla, "white", { from: "5", to: "3", die: 2 });
  assert.deepEqual(
    at(freed, "5").map(({ side, pinned: under }) => [side, under]),
    [["black", undefined]],
  );
});

test("captures of tablut lie beside the board, the king included", () => {
  const tablut = entryOf("tablut");
  const before = piecesOf(tablut, { board: "9/9/9/9/1tK1t4/9/9/9/9", to_move: "attackers" });
  const step = { from: "e5", to: "d5", captures: ["c5"] };
  const after = afterStep(before, tablut, "attackers", step);
  assert.equal(after.find(({ king }) => king).place, "captured:defenders");
  const end = { board: "9/9/9/9/1t1t5/9/9/9/9", to_move: "defenders" };
  const followed = follow(before, tablut, "attackers", [step], end);
  assert.deepEqual(lying(followed), lying(piecesOf(tablut, end)));
  assert.equal(followed.find(({ king }) => king).key, before.find(({ king }) => king).key);
});

test("without steps the nearest piece counts as the one that moved", () => {
  const tablut = entryOf("tablut");
  const before = piecesOf(tablut, { board: "t7t/9/9/9/4K4/9/9/9/9", to_move: "attackers" });
  const [mover] = at(before, "i9");
  const after = follow(before, tablut, "attackers", [], {
    board: "t8/8t/9/9/4K4/9/9/9/9",
    to_move: "defenders",
  });
  assert.equal(byKey(after, mover.key).place, "i8");
});
