// What a person is told while they play or watch.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Saying, glance } from "../../../web/match/saying.js";

/** @param {import("node:test").TestContext} context */
function silent(context) {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const pass = (/** @type {number} */ ms) => context.mock.timers.tick(ms);
  return { saying: new Saying(), pass };
}

test("what happens at the same time is told in one breath, each thing once", (context) => {
  const { saying, pass } = silent(context);
  saying.tell("White passes.");
  saying.tell("Black passes.");
  saying.say("White rolls 3-4.");
  saying.say("White rolls 3-4.");
  assert.equal(saying.said, "");
  assert.equal(saying.word, "White passes. Black passes.");
  pass(200);
  assert.equal(saying.said, "White passes. Black passes. White rolls 3-4.");
});

test("a later word takes the place of the one before, and goes after a while", (context) => {
  const { saying, pass } = silent(context);
  saying.tell("One.");
  pass(5_000);
  saying.tell("Two.");
  assert.equal(saying.word, "Two.");
  pass(5_999);
  assert.equal(saying.word, "Two.");
  pass(1);
  assert.equal(saying.word, "");
});

test("why a piece cannot go is there to be read until something else is told", (context) => {
  const { saying, pass } = silent(context);
  saying.explain(["That cell is blocked."]);
  pass(600_000);
  assert.deepEqual([saying.word, saying.isReason], ["That cell is blocked.", true]);
  saying.tell("White passes.");
  assert.deepEqual([saying.word, saying.isReason], ["White passes.", false]);
  pass(6_000);
  assert.equal(saying.word, "");
});

test("what is said again is heard again", (context) => {
  const { saying, pass } = silent(context);
  saying.say("That piece cannot go there.");
  pass(200);
  const before = saying.said;
  saying.say("That piece cannot go there.");
  pass(200);
  assert.notEqual(saying.said, before);
  assert.equal(saying.said.trim(), before);
});

test("of reasons the first sentence is read, and all of them on demand", (context) => {
  const short = "That cell is blocked.";
  const long = "You may bear off only when all are home. One is still elsewhere: 7.";
  assert.deepEqual(glance([short]), { word: short, all: [] });
  assert.deepEqual(glance([long]), { word: "You may bear off only when all are home.", all: [long] });
  assert.deepEqual(glance([short, long]), { word: short, all: [short, long] });
  const endless = `${"A long way ".repeat(12)}.`;
  assert.deepEqual(glance([endless]), { word: endless, all: [endless] });

  const { saying, pass } = silent(context);
  saying.explain([short, long]);
  assert.equal(saying.word, short);
  pass(200);
  assert.equal(saying.said, `${short} ${long}`, "who hears the page hears all of it");
  saying.toggle();
  pass(60_000);
  assert.ok(saying.isOpen, "what is being read stays");
  saying.toggle();
  assert.deepEqual([saying.word, saying.all, saying.isOpen], ["", [], false]);
});
