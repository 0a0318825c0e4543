// What the computer has found about first turns.

import "./device.js";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { isFirstTurn, openingFor, openingsIn } from "../../../web/match/openings.js";
import { entryOf } from "./vectors.js";

const all = openingsIn(readFileSync(new URL("../../../docs/findings/first-turns.csv", import.meta.url), "utf8"));

/** A throw at the start of a game. @param {string} game @param {number[]} dice @param {object} [more] */
const thrown = (game, dice, more = {}) =>
  /** @type {any} */ ({ game, options: { mother: "loss" }, position: { ...entryOf(game).start, to_move: "black" }, toPlay: { dice }, ...more });

test("every throw of a game has its first turn, whatever the order of its dice", () => {
  const { wins, behind, ...told } = /** @type {any} */ (openingFor(all, thrown("tavla", [4, 6])));
  assert.deepEqual(told, { game: "tavla", dice: "6-4", turn: "24/18 24/20", next: "24/18 18/14", isSure: true });
  assert.deepEqual([wins, behind].map((number) => number.toFixed(2)), ["53.57", "2.45"]);
  assert.equal(openingFor(all, thrown("zeno", [4, 5, 6]))?.next, "", "it leaves no choice");
  assert.equal(openingFor(all, thrown("tavla", [4, 4])), undefined, "nobody begins with a double");
  assert.ok(all.every(({ wins, behind, turn }) => wins > 0 && wins < 100 && Math.abs(behind) < 100 && turn !== ""));
});

test("a first turn stands at the start of a game of the usual options, and has its dice", () => {
  const entry = /** @type {any} */ ({ ...entryOf("tavla"), options: [{ name: "mother", default: "loss" }] });
  const moments = [thrown("tavla", [6, 4]), thrown("tavla", [6, 4], { options: { mother: "double_loss" } }), thrown("tavla", []), thrown("tavla", [6, 4], { position: undefined }),
    thrown("tavla", [6, 4], { position: { ...entry.start, white: { ...entry.start.white, points: { 24: 14, 20: 1 } } } }), undefined];
  assert.deepEqual(moments.map((moment) => isFirstTurn(entry, moment)), [true, false, false, false, false, false]);
});
