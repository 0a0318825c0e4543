import assert from "node:assert/strict";
import { test } from "node:test";

import { byNextDie, inOrder, movesOf, origins, reordered, targets } from "../../../web/game/moves.js";
import { placesOf } from "../../../web/game/places.js";
import { GAMES, entryOf, vectorsOf } from "./vectors.js";

const legal = (side, steps, reach) => ({ to_play: side, steps, reach, complete: false, dice_left: [] });

test("every legal step is a move between places of the board", () => {
  for (const game of GAMES) {
    const entry = entryOf(game);
    const places = new Set(placesOf(entry));
    for (const { position, steps } of vectorsOf(game)) {
      const moves = movesOf(entry, legal(position.to_move, steps));
      assert.equal(moves.length, steps.length);
      assert.ok(moves.every(({ from, to }) => places.has(from) && places.has(to)));
      assert.ok(moves.every(({ dice }) => dice.length === (entry.dice ? 1 : 0)));
    }
  }
});

test("steps are named by the path of the side that makes them", () => {
  const [move] = movesOf(entryOf("tavla"), legal("black", [{ die: 3, from: "24", to: "21" }]));
  assert.deepEqual([move.from, move.to, move.dice], ["1", "4", [3]]);
});

test("a move by several dice has several steps", () => {
  const single = { die: 2, from: "supply", to: "2" };
  const steps = [single, { die: 3, from: "2", to: "5" }];
  const reach = [
    { from: "supply", to: "2", steps: [single] },
    { from: "supply", to: "5", steps },
  ];
  const moves = movesOf(entryOf("zeno"), legal("white", [single], reach));
  assert.deepEqual(
    moves.map(({ to, dice }) => [to, dice]),
    [
      ["2", [2]],
      ["5", [2, 3]],
    ],
  );
  assert.deepEqual(moves[1].steps, steps);
});

test("of two ways to the same place the one with fewer and lower dice is taken", () => {
  const steps = [
    { die: 6, from: "22", to: "off" },
    { die: 3, from: "22", to: "off" },
  ];
  const reach = [
    {
      from: "22",
      to: "off",
      steps: [
        { die: 1, from: "22", to: "23" },
        { die: 2, from: "23", to: "off" },
      ],
    },
  ];
  const moves = movesOf(entryOf("zeno"), legal("white", steps, reach));
  assert.deepEqual([...origins(moves)], ["22"]);
  assert.deepEqual(targets(moves, "22").get("off:white").dice, [3]);
  assert.equal(targets(moves, "22").size, 1);
  assert.equal(targets(moves, "1").size, 0);
});

test("a click plays the next die that the piece can play", () => {
  const step = (die, to) => ({ die, from: "13", to });
  const reach = [{ from: "13", to: "18", steps: [step(2, "15"), { die: 3, from: "15", to: "18" }] }];
  const moves = movesOf(entryOf("zeno"), legal("white", [step(2, "15"), step(3, "16")], reach));
  assert.equal(byNextDie(moves, "13", [2, 3]).to, "15");
  assert.equal(byNextDie(moves, "13", [3, 2]).to, "16");
  assert.equal(byNextDie(moves, "13", [6, 3, 2]).to, "16", "a 6 does not fit");
  assert.equal(byNextDie(moves, "13", []), undefined);
  assert.equal(byNextDie(moves, "14", [2, 3]), undefined);
});

test("a click decides nothing where a die leaves a choice, nor without dice", () => {
  const ways = movesOf(entryOf("zeno"), legal("white", [{ die: 2, from: "13", to: "15" }, { die: 2, from: "13", to: "16" }]));
  assert.equal(byNextDie(ways, "13", [2]), undefined);
  const rook = movesOf(entryOf("tablut"), legal("attackers", [{ from: "d1", to: "c1" }]));
  assert.equal(byNextDie(rook, "d1", []), undefined);
});

test("of the remaining dice, the next one moves to the end", () => {
  assert.deepEqual(reordered([1, 4, 6], [1, 4, 6]), [4, 6, 1]);
  assert.deepEqual(reordered([1, 4, 6], [4, 6]), [1, 6, 4], "what is played stays before them");
  assert.deepEqual(inOrder([2, 5, 2], [5, 2]), [5, 2, 2]);
});
