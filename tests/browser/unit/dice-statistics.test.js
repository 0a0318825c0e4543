import assert from "node:assert/strict";
import { test } from "node:test";

import { check } from "../../../web/dice/check.js";
import { alike, chance, falls } from "../../../web/dice/statistics.js";
import { recordOf } from "./dice-records.js";

const near = (value, expected) => assert.ok(Math.abs(value - expected) < 1e-4, `${value}, not ${expected}`);

test("the throws of both sides are counted", async () => {
  const { games } = await check(recordOf({ turns: [30, 30] }));
  const { 1: one, 2: two, both } = falls(games);
  assert.equal(both.throws, 60);
  assert.equal(both.dice, 180);
  assert.equal(one.throws + two.throws, 60);
  const throws = games.flatMap((game) => game.throws.map((thrown) => thrown.dice));
  assert.equal(both.faces[5], throws.flat().filter((die) => die === 6).length);
  assert.equal(both.triples, throws.filter((dice) => new Set(dice).size === 1).length);
  assert.equal(both.pairs, throws.filter((dice) => new Set(dice).size === 2).length);
  near(both.average, throws.flat().reduce((sum, die) => sum + die, 0) / 180);
});

test("tavla's opening gives each player the die of their side", async () => {
  const { games } = await check(recordOf({ game: "tavla", turns: [0] }));
  const falling = falls(games);
  const white = games[0].white;
  assert.equal(falling.both.throws, 0);
  games[0].throws.forEach(({ dice }) => assert.ok(falling[white].faces[dice[0] - 1] > 0));
  assert.equal(falling[1].dice, falling[2].dice);
});

test("pairs and triples come as often as expected", () => {
  for (const many of [2, 3]) {
    let [pairs, triples, all] = [0, 0, 0];
    for (let throwing = 0; throwing < 6 ** many; throwing++) {
      const dice = Array.from({ length: many }, (_, at) => Math.floor(throwing / 6 ** at) % 6);
      const different = new Set(dice).size;
      if (many === 3 && different === 1) triples++;
      else if (different < many) pairs++;
      all++;
    }
    near(alike(many).pairs, pairs / all);
    near(alike(many).triples, triples / all);
  }
});

test("the chi-squared test agrees with its tables", () => {
  assert.equal(chance([1, 2, 3, 4, 5, 6]), undefined, "too few dice");
  near(chance([10, 10, 10, 10, 10, 10]), 1);
  // Six hundred dice with chi-squared 11.07 and 15.09, the tables' values for 5 % and 1 %.
  const uneven = (x) => {
    const off = Math.sqrt(x * 50);
    return [100 + off, 100 - off, 100, 100, 100, 100];
  };
  near(chance(uneven(11.0705)), 0.05);
  near(chance(uneven(15.0863)), 0.01);
  near(chance(uneven(4.3515)), 0.5);
});
