// A TV channel switches to its next match once it is loaded and the end of the current one has been shown.

import assert from "node:assert/strict";
import { test } from "node:test";
import "./device.js";

globalThis.document = Object.assign(new EventTarget(), { visibilityState: "visible" });
globalThis.matchMedia ??= () => ({ matches: false });

const { Broadcast } = await import("../../../web/match/broadcast.js");
const { Problem } = await import("../../../web/api/rest.js");

const entry = { id: "tablut", sides: [{ id: "defenders" }, { id: "attackers" }] };

/** The readers, by match. */
class Line {
  readers = new Map();
  watch(id, reader) {
    this.readers.set(id, reader);
    return () => this.readers.delete(id);
  }
  now() {
    return 0;
  }
}

/** @param {string} id @param {object} [more] */
const snapshot = (id, more) => ({
  id, game: "tablut", head: 3, state: "playing", points: 1, score: { 1: 0, 2: 0 }, clock: { kind: "none" }, server_time: 0,
  players: { 1: { id: "a", name: "Agathias", kind: "person" }, 2: { id: "b", name: "Zeno", kind: "person" } },
  sides: { 1: "attackers", 2: "defenders" }, game_number: 1, dice: { commitment: "c", seeds: {} }, turns: 0, ...more,
});

/** @param {import("node:test").TestContext} t */
function channel(t) {
  let now = 1_000;
  t.mock.timers.enable({ apis: ["setTimeout"] });
  t.mock.method(performance, "now", () => now);
  const line = new Line();
  const broadcast = new Broadcast(/** @type {any} */ (line), /** @type {any} */ (entry));
  /** @type {(string | undefined)[]} */
  const shown = [];
  broadcast.addEventListener("switch", () => shown.push(broadcast.shown?.live.id));
  const pass = (/** @type {number} */ ms) => {
    now += ms;
    t.mock.timers.tick(ms);
  };
  const tell = (/** @type {string} */ id, /** @type {object} */ more) => line.readers.get(id).onSnapshot(snapshot(id, more));
  return { broadcast, line, shown, pass, tell };
}

test("a match is shown once it is loaded", (t) => {
  const { broadcast, shown, tell } = channel(t);
  broadcast.tune(undefined);
  broadcast.tune("one");
  assert.deepEqual(shown, []);
  tell("one");
  assert.deepEqual(shown, ["one"]);
  broadcast.tune("one");
  assert.deepEqual(shown, ["one"]);
});

test("a match stays until the next one is loaded", (t) => {
  const { broadcast, line, shown, tell } = channel(t);
  broadcast.tune("one");
  tell("one");
  broadcast.tune("two");
  assert.deepEqual(shown, ["one"]);
  assert.ok(line.readers.has("one"));
  tell("two");
  assert.deepEqual(shown, ["one", "two"]);
  assert.deepEqual([...line.readers.keys()], ["two"], "the one before it is not watched any more");
});

test("an end is shown for at least six seconds", (t) => {
  const { broadcast, shown, pass, tell } = channel(t);
  broadcast.tune("one");
  tell("one");
  tell("one", { state: "ended", head: 4, result: { result: "won", winner_seat: 2 } });
  broadcast.look();
  broadcast.tune("two");
  pass(2_000);
  tell("two");
  pass(3_999);
  assert.deepEqual(shown, ["one"]);
  pass(1);
  assert.deepEqual(shown, ["one", "two"]);
});

test("a viewer who arrives after an end does not wait for it", (t) => {
  const { broadcast, shown, tell } = channel(t);
  broadcast.tune("one");
  tell("one", { state: "ended", result: { result: "won", winner_seat: 2 } });
  broadcast.tune("two");
  tell("two");
  assert.deepEqual(shown, ["one", "two"]);
});

test("the latest change of a channel counts", (t) => {
  const { broadcast, line, shown, tell } = channel(t);
  broadcast.tune("one");
  tell("one");
  broadcast.tune("two");
  broadcast.tune("one");
  assert.deepEqual([...line.readers.keys()], ["one"]);
  broadcast.tune("two");
  broadcast.tune("three");
  tell("three");
  assert.deepEqual(shown, ["one", "three"]);
});

test("a match that cannot be shown now is requested again, one that never can is not", (t) => {
  const { broadcast, line, pass, shown, tell } = channel(t);
  broadcast.tune("one");
  const first = line.readers.get("one");
  first.onRefused(new Problem({ code: "unavailable" }, 2));
  pass(2_000);
  assert.notEqual(line.readers.get("one"), first);
  tell("one");
  assert.deepEqual(shown, ["one"]);
  broadcast.tune("two");
  line.readers.get("two").onRefused(new Problem({ code: "no_such_match" }));
  assert.equal(broadcast.coming, undefined);
  broadcast.tune("three");
  tell("three");
  assert.deepEqual(shown, ["one", "three"]);
});
