// Where dice lie on a board.

import assert from "node:assert/strict";
import { test } from "node:test";
import { arrange } from "../../../web/board/arrange.js";
import { layOut } from "../../../web/board/layout.js";
import { throwSpot } from "../../../web/board/throw.js";
import { piecesOf } from "../../../web/game/position.js";
import { GAMES, entryOf, vectorsOf } from "./vectors.js";

const BOXES = [[348, 510], [820, 900], [1000, 700]];
const RACES = GAMES.filter((game) => game !== "tablut");

function* throws() {
  for (const game of RACES) {
    const entry = entryOf(game);
    for (const [width, height] of BOXES) {
      for (const turned of [false, true]) {
        const layout = layOut(entry, { viewer: "white", turned, width, height });
        for (const { position } of vectorsOf(game).slice(0, 20)) {
          for (const side of /** @type {const} */ (["white", "black"])) {
            yield { game, layout, turned, side, pieces: piecesOf(entry, position) };
          }
        }
      }
    }
  }
}

test("dice lie in their tray, or on the half of the board of the side that threw them", () => {
  for (const { game, layout, turned, side, pieces } of throws()) {
    for (const count of [2, 3]) {
      const { x, y, die, upright } = throwSpot(layout, pieces, side, count);
      const { diceTray, slab } = layout;
      const half = (count * die * 1.22) / 2;
      assert.equal(diceTray !== undefined, game === "scripta", game);
      if (diceTray) {
        const [w, h] = upright ? [die, 2 * half] : [2 * half, die];
        const isIn = Math.abs(x - diceTray.x - diceTray.w / 2) + w / 2 < diceTray.w / 2 && Math.abs(y - diceTray.y - diceTray.h / 2) + h / 2 < diceTray.h / 2;
        assert.ok(isIn, `${game}: ${x} ${y} leaves ${JSON.stringify(diceTray)}`);
        continue;
      }
      const [along, from, size] = upright ? [y, slab.y, slab.h] : [x, slab.x, slab.w];
      assert.ok(along - half >= from && along + half <= from + size, `${game}: ${along} leaves the board`);
      const isNear = (side === "white") !== turned;
      assert.equal(along > from + size / 2, isNear, `${game} ${side} ${turned ? "turned" : ""}`);
      const across = upright ? [x, slab.x, slab.w] : [y, slab.y, slab.h];
      assert.ok(across[0] - die / 2 >= across[1] && across[0] + die / 2 <= across[1] + across[2], game);
    }
  }
});

test("dice are a little smaller than a piece, and cover none where there is room", () => {
  const entry = entryOf("tavla");
  const layout = layOut(entry, { viewer: "white", width: 1000, height: 700 });
  const pieces = piecesOf(entry, entry.start);
  const { x, y, die } = throwSpot(layout, pieces, "white", 2);
  const lying = [...arrange(layout, pieces).at.values()];
  assert.ok(Math.abs(die / lying[0].size - 0.86) < 0.05);
  for (const lies of lying) {
    const dx = Math.max(0, Math.abs(lies.x - x) - die * 1.1);
    const dy = Math.max(0, Math.abs(lies.y - y) - die / 2);
    assert.ok(Math.hypot(dx, dy) >= lies.size / 2, JSON.stringify(lies));
  }
});

test("three dice hardly cover anything in zeno, where piles reach far over the board", () => {
  const entry = entryOf("zeno");
  const layout = layOut(entry, { viewer: "white", width: 348, height: 510 });
  for (const { position } of vectorsOf("zeno")) {
    const pieces = piecesOf(entry, position);
    for (const side of /** @type {const} */ (["white", "black"])) {
      const { x, y, die } = throwSpot(layout, pieces, side, 3);
      for (const lies of arrange(layout, pieces).at.values()) {
        const dx = Math.max(0, Math.abs(lies.x - x) - die / 2);
        const dy = Math.max(0, Math.abs(lies.y - y) - die * 1.84);
        assert.ok(lies.size / 2 - Math.hypot(dx, dy) < 0.1, `${side}: ${JSON.stringify(lies)} ${JSON.stringify(position)}`);
      }
    }
  }
});

test("a game without dice has no place for dice", () => {
  const entry = entryOf("tablut");
  const layout = layOut(entry, { viewer: "attackers", width: 1000, height: 700 });
  assert.equal(throwSpot(layout, [], "attackers", 2), undefined);
});
