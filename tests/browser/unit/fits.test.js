// Which open match fits a person who wants to play against anyone.

import assert from "node:assert/strict";
import { test } from "node:test";
import { fits } from "../../../web/player/fits.js";

const normal = { kind: "fischer", base_ms: 600_000, increment_ms: 8_000 };
const days = { kind: "days", days: 3 };

/** @param {object} [terms] */
const card = (terms) => ({
  state: "open",
  game: "tavla",
  points: 1,
  clock: normal,
  side: "lot",
  options: { mother: "play_on" },
  players: { 1: { id: "host", name: "Zeno" } },
  ...terms,
});
const wanted = { game: "tavla", options: { mother: "play_on" }, side: "lot" };

/** @type {[string, object, object, boolean][]} */
const CASES = [
  ["the usual match", {}, {}, true],
  ["another game", { game: "zeno" }, {}, false],
  ["one's own match", { players: { 1: { id: "me", name: "Me" } } }, {}, false],
  ["a match that has begun meanwhile", { state: "live" }, {}, false],
  ["any length, if none was chosen", { points: 5 }, {}, true],
  ["the length that was chosen", { points: 5 }, { points: 5 }, true],
  ["another length", { points: 5 }, { points: 1 }, false],
  ["a pair, if one was chosen", { points: 1, games: 2 }, { points: 1, games: 2 }, true],
  ["a pair, if a single game was chosen", { points: 1, games: 2 }, { points: 1 }, false],
  ["a single game, if a pair was chosen", { points: 1 }, { points: 1, games: 2 }, false],
  ["a rated match, if one was chosen", { rated: true }, { rated: true }, true],
  ["a rated match, if none was chosen", { rated: true }, {}, false],
  ["a casual match, if a rated one was chosen", {}, { rated: true }, false],
  ["any clock, if none was chosen", { clock: { kind: "none" } }, {}, true],
  ["but not days", { clock: days }, {}, false],
  ["days, if they were chosen", { clock: days }, { clock: { days: 3, kind: "days" } }, true],
  ["another clock", { clock: normal }, { clock: { ...normal, base_ms: 1 } }, false],
  ["other options", { options: { mother: "double_loss" } }, {}, false],
  ["the side that is left", { side: "black" }, { side: "white" }, true],
  ["the side that is taken", { side: "white" }, { side: "white" }, false],
  ["a side by lot, if one was chosen", { side: "lot" }, { side: "white" }, false],
  ["any side, if none was chosen", { side: "white" }, {}, true],
];

for (const [name, terms, wishes, expected] of CASES) {
  test(name, () => {
    assert.equal(fits(card(terms), { ...wanted, ...wishes }, "me"), expected);
  });
}
