// Messages to a person who plays or watches.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Saying, glance } from "../../../web/match/saying.js";

/** @param {import("node:test").TestContext} context */
function silent(context) {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const pass = (/** @type {number} */ ms) => context.mock.timers.tick(ms);
  return { saying: new Saying(), pass };
}

test("events at the same time are announced together, each once", (context) => {
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

test("a later message replaces the previous one, and disappears after a while", (context) => {
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

test("the reason why a piece cannot go stays until another message comes", (context) => {
  const { saying, pass } = silent(context);
  saying.explain(["That cell is blocked."]);
  pass(600_000);
  assert.deepEqual([saying.word, saying.isReason], ["That cell is blocked.", true]);
  saying.tell("White passes.");
  assert.deepEqual([saying.word, saying.isReason], ["White passes.", false]);
  pass(6_000);
  assert.equal(saying.word, "");
});

test("a repeated message is announced again", (context) => {
  const { saying, pass } = silent(context);
  saying.say("That piece cannot go there.");
  pass(200);
  const before = saying.said;
  saying.say("That piece cannot go there.");
  pass(200);
  assert.notEqual(saying.said, before);
  assert.equal(saying.said.trim(), before);
});

test("of several reasons the first sentence is shown, and the rest on demand", (context) => {
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
