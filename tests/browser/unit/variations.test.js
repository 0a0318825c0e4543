// Variations that are saved in a browser.

import { kept } from "./device.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { SAVED_MAX, forget, save, saved } from "../../../web/player/variations.js";

/** @param {string} name @param {import("../../../web/text/words.js").Game} [game] @param {string} [query] */
const named = (name, game = "tavla", query = "") => ({ name, game, query, turns: [] });

test("what is saved is found by its name, the last first, and deleted", () => {
  kept.set("lusoria.variations", "not JSON");
  assert.deepEqual(saved(), []);
  assert.equal(save(named("a")), "saved");
  save(named("b"));
  save(named("a", "zeno"));
  save(named("a", "tavla", "turn=black"));
  assert.deepEqual(saved(), [named("a", "tavla", "turn=black"), named("a", "zeno"), named("b")]);
  forget(named("a"));
  assert.deepEqual(saved().map(({ name, game }) => `${name} ${game}`), ["a zeno", "b tavla"]);
});

test("there is room for so many, and one takes the place of its own name", () => {
  for (const variation of saved()) forget(variation);
  for (let nth = 0; nth < SAVED_MAX; nth += 1) assert.equal(save(named(String(nth))), "saved");
  assert.equal(save(named("one more")), "full");
  assert.equal(save(named("7", "tavla", "turn=black")), "saved");
  assert.deepEqual([saved().length, saved()[0].query], [SAVED_MAX, "turn=black"]);
});

test("a browser that keeps nothing says so", (t) => {
  t.mock.method(localStorage, "setItem", () => {
    throw new Error("full");
  });
  for (const variation of saved()) forget(variation);
  assert.equal(save(named("7")), "unsaved");
});
