import assert from "node:assert/strict";
import { test } from "node:test";

import { kindOf, nameOf, placeOf, placesOf, sideOf } from "../../../web/game/places.js";
import { GAMES, entryOf } from "./vectors.js";

test("every place has a name for each side and is found by it", () => {
  for (const game of GAMES) {
    const entry = entryOf(game);
    for (const { id: side } of entry.sides) {
      for (const place of placesOf(entry)) {
        if (sideOf(place) && sideOf(place) !== side) continue;
        assert.equal(placeOf(entry, side, nameOf(entry, side, place)), place);
      }
    }
  }
});

test("each side of tavla counts the cells along its own path", () => {
  const tavla = entryOf("tavla");
  assert.equal(placeOf(tavla, "white", "24"), "24");
  assert.equal(placeOf(tavla, "black", "24"), "1");
  assert.equal(nameOf(tavla, "black", "1"), "24");
});

test("places beside the board belong to a side", () => {
  const zeno = entryOf("zeno");
  assert.equal(placeOf(zeno, "black", "supply"), "supply:black");
  assert.equal(kindOf("supply:black"), "supply");
  assert.equal(sideOf("supply:black"), "black");
  assert.equal(kindOf("m4"), "cell");
  assert.equal(sideOf("m4"), undefined);
});
