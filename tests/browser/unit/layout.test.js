import assert from "node:assert/strict";
import { test } from "node:test";

import { arrange } from "../../../web/board/arrange.js";
import { layOut, placeAt } from "../../../web/board/layout.js";
import { neighbour } from "../../../web/board/paths.js";
import { placesOf } from "../../../web/game/places.js";
import { piecesOf } from "../../../web/game/position.js";
import { GAMES, entryOf, vectorsOf } from "./vectors.js";

const BOXES = [
  [320, 327],
  [360, 480],
  [568, 250],
  [820, 900],
  [1000, 800],
  [3200, 1800],
];

function* layouts() {
  for (const game of GAMES) {
    const entry = entryOf(game);
    for (const [width, height] of BOXES) {
      for (const { id: viewer } of entry.sides) {
        for (const turned of [false, true])
          yield { entry, width, height, layout: layOut(entry, { viewer, turned, width, height }) };
      }
    }
  }
}

test("every place is on every layout, inside it", () => {
  for (const { entry, layout } of layouts()) {
    assert.deepEqual([...layout.spots.keys()].sort(), placesOf(entry).sort());
    for (const { box } of layout.spots.values()) {
      assert.ok(box.x >= 0 && box.y >= 0 && box.x + box.w <= layout.width && box.y + box.h <= layout.height);
    }
  }
});

test("touch targets are at least 24 pixels large on a small phone", () => {
  for (const { width, height, layout } of layouts()) {
    if (width !== 320) continue;
    const scale = Math.min(width / layout.width, height / layout.height);
    for (const [place, { box }] of layout.spots) {
      assert.ok(
        Math.min(box.w, box.h) * scale >= 24,
        `${layout.entry.id} ${place}: ${Math.min(box.w, box.h) * scale}`,
      );
    }
  }
});

test("cells do not overlap, and a point in one is found there", () => {
  for (const { layout } of layouts()) {
    for (const [place, { x, y, box }] of layout.spots) {
      assert.equal(placeAt(layout, { x, y }), place);
      assert.equal(placeAt(layout, { x: box.x + 0.02, y: box.y + 0.02 }), place);
    }
  }
});

test("the highest piles stay in their places", () => {
  for (const { entry, layout } of layouts()) {
    for (const { position } of vectorsOf(entry.id).slice(0, 20)) {
      const { at, piles } = arrange(layout, piecesOf(entry, position));
      assert.equal(at.size, piecesOf(entry, position).length);
      for (const { place, x, y } of piles) {
        const { box } = layout.spots.get(place);
        assert.ok(
          x >= box.x && x <= box.x + box.w && y >= box.y && y <= box.y + box.h,
          `${entry.id} ${place}`,
        );
      }
    }
  }
});

test("the arrow keys lead from any place to every other", () => {
  for (const { layout } of layouts()) {
    const [start] = layout.spots.keys();
    const reached = new Set([start]);
    for (const place of reached) {
      for (const key of ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"]) {
        const next = neighbour(layout, place, key);
        if (next) reached.add(next);
      }
    }
    assert.equal(reached.size, layout.spots.size);
  }
});

test("every player of a board of points sees their own path from their side", () => {
  for (const game of ["tavla", "tabula"]) {
    const entry = entryOf(game);
    const seen = entry.sides.map(({ id: viewer }) => {
      const layout = layOut(entry, { viewer, width: 1000, height: 800 });
      const own = new Map(entry.board.cells.map((cell) => [cell.names[viewer], layout.spots.get(cell.id)]));
      return ["1", "6", "12", "13", "24"].map((name) => [own.get(name).x, own.get(name).y]);
    });
    assert.deepEqual(seen[0], seen[1]);
    assert.equal(seen[0][0][1] > seen[0][4][1], true);
  }
});

test("where only hit pieces wait in the middle row, the others lie closer and the cells are larger", () => {
  for (const [width, height] of [[1000, 620], [340, 560]]) {
    const box = { viewer: /** @type {const} */ ("white"), width, height };
    const [zeno, scripta] = ["zeno", "scripta"].map((game) => layOut(entryOf(game), box));
    const scale = ({ width: wide, height: high }) => Math.min(width / wide, height / high);
    const apart = ({ spots, held }, a, b) => Math.abs(spots.get(a)[held.quarter ? "x" : "y"] - spots.get(b)[held.quarter ? "x" : "y"]);
    assert.ok(apart(zeno, "1", "24") < 0.92 * apart(scripta, "B1", "E1"));
    assert.ok(scale(zeno) * zeno.spots.get("1").size > 1.05 * scale(scripta) * scripta.spots.get("B1").size);
  }
});
