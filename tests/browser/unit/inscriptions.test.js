// The words on the board of Ludus XII scriptorum.

import assert from "node:assert/strict";
import { test } from "node:test";
import { INSCRIPTIONS, inscribed } from "../../../web/board/inscriptions.js";
import { layOut } from "../../../web/board/layout.js";
import { entryOf } from "./vectors.js";

const WIDE = { width: 1000, height: 620 };
const UPRIGHT = { width: 340, height: 560 };

/** The lines of a board, as read. @param {object} wish */
function lines(wish) {
  const { spots, held, entry } = layOut(entryOf("scripta"), { viewer: "white", ...wish });
  const cells = new Map(entry.board.cells.map(({ id }) => [id, spots.get(id)]));
  const letters = inscribed(cells, held.quarter, 0);
  const lineOf = ({ x, y }) => (held.quarter ? x : y);
  const along = ({ x, y }) => (held.quarter ? y : x);
  const firsts = [...new Set([...cells.values()].map(lineOf))].sort((a, b) => a - b);
  return firsts.map((first) => [...cells].filter(([, spot]) => lineOf(spot) === first)
    .sort(([, a], [, b]) => along(a) - along(b)).map(([id]) => letters.get(id)).join(""));
}

test("every inscription has six words of six letters from the Roman alphabet", () => {
  for (const words of INSCRIPTIONS) {
    assert.equal(words.length, 6);
    for (const word of words) assert.match(word, /^[A-IL-VXZ]{6}$/);
  }
});

test("an inscription is read from left to right by either side", () => {
  const whole = ["VENARILAVARI", "LVDERERIDERE", "OCCESTVIVERE"];
  for (const viewer of ["white", "black"]) {
    for (const turned of [false, true]) {
      assert.deepEqual(lines({ ...WIDE, viewer, turned }), whole);
      assert.deepEqual(lines({ ...UPRIGHT, viewer, turned }), whole);
    }
  }
});
