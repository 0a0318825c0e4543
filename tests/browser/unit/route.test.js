// The route of a side over the board.

import assert from "node:assert/strict";
import { test } from "node:test";
import { kept } from "./device.js";
import { edgeOf, routeOf } from "../../../web/game/route.js";
import { cellOf, nameOf } from "../../../web/game/places.js";
import { GAMES, entryOf } from "./vectors.js";

const RACES = GAMES.filter((game) => game !== "tablut");

test("a side's route passes its cells in the order of the catalogue", () => {
  for (const game of RACES) {
    const entry = entryOf(game);
    for (const { id: side } of entry.sides) {
      const route = routeOf(entry, side);
      assert.deepEqual(route.map((place) => cellOf(entry, place).order[side]), route.map((_, nth) => nth + 1), `${game} ${side}`);
    }
  }
});

test("both sides of a game have the same names for the ends of their routes", () => {
  const ends = { zeno: ["1", "24"], scripta: ["A1", "E1"], tabula: ["1", "24"], tavla: ["24", "1"] };
  for (const game of RACES) {
    const entry = entryOf(game);
    for (const { id: side } of entry.sides) {
      const route = routeOf(entry, side);
      assert.deepEqual([route[0], route.at(-1)].map((place) => nameOf(entry, side, place)), ends[game], `${game} ${side}`);
    }
  }
});

test("in tablut the king escapes at the edge", () => {
  const entry = entryOf("tablut");
  assert.deepEqual(routeOf(entry, "defenders"), []);
  const edge = edgeOf(entry);
  assert.equal(edge.length, 32);
  assert.ok(edge.every((cell) => /^[ai]|[19]$/.test(cell)));
});

test("a player is new to a game for three turns, and the device remembers it", async () => {
  const { isNewTo, notePlayed } = await import("../../../web/player/first-turns.js");
  for (let turn = 0; turn < 3; turn += 1) {
    assert.ok(isNewTo("zeno"));
    notePlayed("zeno");
  }
  assert.equal(isNewTo("zeno"), false);
  assert.ok(isNewTo("tavla"), "each game has turns of its own");
  assert.deepEqual(JSON.parse(kept.get("lusoria.turns")), { zeno: 3 });
});
