// TV: the stream of channels reconnects, and is open only while the page is visible; the best match is chosen.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import "./device.js";

const device = new EventTarget();
globalThis.addEventListener = device.addEventListener.bind(device);
globalThis.document = Object.assign(new EventTarget(), { visibilityState: "visible" });

const { Channels, best } = await import("../../../web/player/channels.js");
const { Problem } = await import("../../../web/api/rest.js");

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** The streams that were opened. @type {{tell: (channel: object) => void, end: () => void, fail: (why: unknown) => void, signal: AbortSignal}[]} */
let streams = [];

/** @param {string} path @param {(line: object) => void} told @param {AbortSignal} signal */
function read(path, told, signal) {
  assert.equal(path, "/tv");
  return new Promise((end, fail) => {
    signal.addEventListener("abort", () => fail(signal.reason));
    streams.push({ tell: (channel) => told({ notice: "tv_switched", channel }), end: () => end(undefined), fail, signal });
  });
}

/** @param {"visible" | "hidden"} state */
function become(state) {
  document.visibilityState = state;
  document.dispatchEvent(new Event("visibilitychange"));
}

beforeEach(() => {
  streams = [];
  document.visibilityState = "visible";
});

/** @param {import("node:test").TestContext} t */
function started(t) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  t.mock.method(Math, "random", () => 1);
  const channels = new Channels(read);
  channels.start();
  t.after(() => channels.stop());
  return channels;
}

test("the stream's channels are stored and reported", (t) => {
  const channels = started(t);
  /** @type {any[]} */
  const told = [];
  channels.addEventListener("change", (event) => told.push(event.detail));
  assert.equal(channels.isOpen, false);
  streams[0].tell({ game: "tavla", live: true, match: { id: "a" } });
  streams[0].tell({ game: "tavla", live: false, match: { id: "a" } });
  assert.equal(channels.isOpen, true);
  assert.deepEqual(told.map(({ live }) => live), [true, false]);
  assert.equal(channels.all.get("tavla").live, false);
});

test("a stream that ends is opened again, after pauses that grow until it sends something", async (t) => {
  const channels = started(t);
  for (const pauseMs of [1_000, 2_000, 4_000]) {
    streams.at(-1).end();
    await settled();
    assert.equal(channels.isOpen, false);
    const before = streams.length;
    t.mock.timers.tick(pauseMs - 1);
    assert.equal(streams.length, before, `not before ${pauseMs} ms`);
    t.mock.timers.tick(1);
    assert.equal(streams.length, before + 1);
  }
  streams.at(-1).tell({ game: "zeno", live: false });
  streams.at(-1).end();
  await settled();
  t.mock.timers.tick(1_000);
  assert.equal(streams.length, 5);
});

test("after a refusal the pause is as long as the server says", async (t) => {
  started(t);
  streams[0].fail(new Problem({ code: "too_many_requests" }, 30));
  await settled();
  t.mock.timers.tick(29_999);
  assert.equal(streams.length, 1);
  t.mock.timers.tick(1);
  assert.equal(streams.length, 2);
});

test("when the network is back, there is no pause", async (t) => {
  started(t);
  streams[0].fail(new Problem({ code: "offline" }));
  await settled();
  device.dispatchEvent(new Event("online"));
  assert.equal(streams.length, 2);
});

test("a hidden page reads nothing, and keeps the known channels", async (t) => {
  const channels = started(t);
  streams[0].tell({ game: "zeno", live: false });
  become("hidden");
  await settled();
  assert.equal(streams[0].signal.aborted, true);
  t.mock.timers.tick(600_000);
  assert.equal(streams.length, 1);
  assert.ok(channels.all.has("zeno"));
  become("visible");
  assert.equal(streams.length, 2);
  channels.stop();
  await settled();
  become("hidden");
  become("visible");
  assert.equal(streams.length, 2, "nobody wants it any more");
});

const people = { players: { 1: { kind: "person" }, 2: { kind: "person" } } };
const computer = { players: { 1: { kind: "person" }, 2: { kind: "computer" } } };
/** @param {string} game @param {boolean} live @param {object} [match] @param {number} [at] */
const channel = (game, live, match, at = 1) => ({ game, live, ...(match && { match: { ...match, updated_at: at } }) });

const CHOICES = /** @type {const} */ ([
  ["none where nothing has been played", [channel("zeno", false)], undefined, undefined],
  ["what is played before what is over", [channel("zeno", false, people, 9), channel("tavla", true, computer)], undefined, "tavla"],
  ["people before programs", [channel("zeno", true, computer, 9), channel("tavla", true, people)], undefined, "tavla"],
  ["of equals the one that is watched", [channel("zeno", true, people, 9), channel("tavla", true, people)], "tavla", "tavla"],
  ["the one that is watched not when it is over", [channel("zeno", true, people), channel("tavla", false, people, 9)], "tavla", "zeno"],
  ["of equals the newest", [channel("zeno", true, people), channel("tavla", true, people, 9)], undefined, "tavla"],
]);

for (const [what, channels, watched, expected] of CHOICES) {
  test(`the chosen channel: ${what}`, () => assert.equal(best(channels, watched)?.game, expected));
}
