// Matches that are hidden on a device.

import assert from "node:assert/strict";
import { before, test } from "node:test";

/** @type {typeof import("../../../web/player/hidden.js")} */
let hidden;
/** @type {((stored: {key: string}) => void)[]} */
const listeners = [];
const kept = new Map([["lusoria.hidden", "not JSON"]]);

before(async () => {
  globalThis.localStorage = /** @type {any} */ ({
    getItem: (/** @type {string} */ name) => kept.get(name) ?? null,
    setItem: (/** @type {string} */ name, /** @type {string} */ text) => kept.set(name, text),
  });
  globalThis.addEventListener = /** @type {any} */ ((/** @type {string} */ _, /** @type {any} */ listener) => listeners.push(listener));
  hidden = await import("../../../web/player/hidden.js");
});

test("stored data that cannot be read hides nothing", () => {
  assert.equal(hidden.isHidden("a"), false);
});

test("a match is hidden and shown again, and each change is reported", () => {
  let told = 0;
  hidden.hiding.addEventListener("change", () => told++);
  hidden.hide("a");
  hidden.hide("b");
  assert.deepEqual([hidden.isHidden("a"), hidden.isHidden("b")], [true, true]);
  assert.equal(kept.get("lusoria.hidden"), '["b","a"]');
  hidden.unhide("a");
  assert.deepEqual([hidden.isHidden("a"), hidden.isHidden("b")], [false, true]);
  assert.equal(told, 3);
});

test("a match hidden in another tab is hidden here", () => {
  kept.set("lusoria.hidden", '["c"]');
  for (const listener of listeners) listener({ key: "lusoria.hidden" });
  assert.deepEqual([hidden.isHidden("b"), hidden.isHidden("c")], [false, true]);
});

test("beyond the limit, the matches hidden first are shown again", () => {
  for (let nth = 0; nth < 201; nth += 1) hidden.hide(String(nth));
  assert.equal(hidden.isHidden("0"), false);
  assert.equal(hidden.isHidden("1"), true);
  assert.equal(hidden.isHidden("200"), true);
});
