import assert from "node:assert/strict";
import { test } from "node:test";

import { Lesson, standing } from "../../../web/learn/lesson.js";

const start = { to_move: "white" };
const one = { die: 1, from: "supply", to: "1" };
const three = { die: 3, from: "supply", to: "3" };

const station = (more = {}) => ({
  position: start,
  dice: [1, 3],
  side: "white",
  say: "x.1.say",
  expect: { any: true },
  then: "x.1.then",
  ...more,
});

/** Rules by which a turn plays each of its dice once. */
function rules(asked = []) {
  return async (question) => {
    asked.push(question);
    const left = [...(question.dice ?? [])];
    for (const { die } of question.steps) {
      if (!left.includes(die)) throw { reason: { code: "die_not_left", params: { die } } };
      left.splice(left.indexOf(die), 1);
    }
    const complete = left.length === 0;
    const position = { ...question.position, steps: question.steps };
    return { position, steps: [], complete, dice_left: left, notation: `${question.steps.length} steps` };
  };
}

async function begun(stations, asked) {
  const lesson = new Lesson({ game: "x", stations }, rules(asked));
  await lesson.go(0);
  return lesson;
}

test("a turn is built, taken back and judged when it is complete", async () => {
  const lesson = await begun([station({ expect: { steps: [three] } })]);
  assert.deepEqual(lesson.hand, [1, 3]);
  await lesson.add([one]);
  assert.equal(lesson.phase, "playing");
  assert.deepEqual([lesson.left, lesson.led], [[3], [one]]);
  await lesson.undo();
  assert.deepEqual([lesson.left, lesson.led], [[1, 3], null]);
  await lesson.add([three, one]);
  assert.equal(lesson.phase, "right");
  await lesson.add([one]);
  assert.equal(lesson.steps.length, 2, "a complete turn takes no more steps");
});

test("the order of the dice can be changed while several are left", async () => {
  const lesson = await begun([station({ dice: [1, 3, 5] }), station()]);
  assert.deepEqual([lesson.order, lesson.hasOrder], [[1, 3, 5], true]);
  lesson.reorder();
  assert.deepEqual(lesson.order, [3, 5, 1]);
  await lesson.add([three]);
  lesson.reorder();
  assert.deepEqual(lesson.order, [3, 1, 5]);
  await lesson.add([{ ...one, die: 5 }]);
  assert.ok(!lesson.hasOrder, "one is left");
  lesson.reorder();
  assert.deepEqual(lesson.order, [3, 1, 5]);
  await lesson.go(1);
  assert.deepEqual(lesson.order, [1, 3], "another throw lies as it was thrown");
});

test("another legal turn gets a friendly answer, and the station begins again", async () => {
  const lesson = await begun([station({ expect: { steps: [{ ...one, from: "bar" }] } })]);
  await lesson.add([one, three]);
  assert.equal(lesson.phase, "other");
  await lesson.again();
  assert.deepEqual([lesson.phase, lesson.steps], ["playing", []]);
});

test("steps expected twice must be played twice", async () => {
  const twice = { dice: [1, 1], expect: { steps: [one, one] } };
  const right = await begun([station(twice)]);
  await right.add([one, one]);
  assert.equal(right.phase, "right");
  const other = await begun([station(twice)]);
  await other.add([one, { ...one, from: "2" }]);
  assert.equal(other.phase, "other");
});

test("without a legal turn there is nothing to do", async () => {
  const lesson = await begun([station({ dice: [], expect: { pass: true } })]);
  assert.equal(lesson.phase, "right");
});

test("the other side replies before the next station", async () => {
  const asked = [];
  const reply = { dice: [2], steps: [{ die: 2, from: "supply", to: "2" }] };
  const lesson = await begun([station({ reply }), station()], asked);
  await lesson.add([one, three]);
  const after = lesson.position;
  await lesson.next();
  assert.deepEqual([lesson.phase, lesson.at, lesson.mover], ["replied", 0, "black"]);
  const position = { ...after, to_move: "black" };
  assert.deepEqual(asked.at(-1), { position, dice: [2], steps: reply.steps });
  assert.deepEqual(lesson.led, reply.steps);
  await lesson.next();
  assert.deepEqual([lesson.phase, lesson.at, lesson.reply], ["playing", 1, undefined]);
});

test("back leads to the beginning of a station first, then to the previous one", async () => {
  const lesson = await begun([station(), station()]);
  await lesson.next();
  await lesson.add([one]);
  await lesson.back();
  assert.deepEqual([lesson.at, lesson.steps], [1, []]);
  await lesson.back();
  assert.equal(lesson.at, 0);
  await lesson.back();
  assert.equal(lesson.at, 0);
});

test("after the last station the lesson has ended", async () => {
  const lesson = await begun([station()]);
  await lesson.next();
  assert.deepEqual([lesson.ended, lesson.station], [true, undefined]);
  await lesson.go(0);
  assert.equal(lesson.ended, false);
});

test("every request has the options", async () => {
  const asked = [];
  const script = { game: "x", options: { throne: "closed" }, stations: [station()] };
  const lesson = new Lesson(script, rules(asked));
  await lesson.go(0);
  assert.deepEqual(asked[0].options, { throne: "closed" });
});

test("a late response is ignored", async () => {
  const waiting = [];
  const lesson = new Lesson({ game: "x", stations: [station(), station({ dice: [5] })] }, (question) => {
    return new Promise((resolve) => waiting.push(() => rules()(question).then(resolve)));
  });
  const first = lesson.go(0);
  const second = lesson.go(1);
  await waiting[1]();
  await waiting[0]();
  await Promise.all([first, second]);
  assert.deepEqual(lesson.left, [5]);
});

test("a failed request is reported, and can be repeated", async () => {
  let down = true;
  const answers = rules();
  const lesson = new Lesson({ game: "x", stations: [station()] }, async (question) => {
    if (down) throw new Error("offline");
    return answers(question);
  });
  await lesson.go(0);
  assert.equal(lesson.phase, "failed");
  down = false;
  await lesson.again();
  assert.equal(lesson.phase, "playing");
});

test("the reason why a piece cannot go is requested for each die and its target", async () => {
  const asked = [];
  const lesson = new Lesson({ game: "x", stations: [station()] }, async (question) => {
    const step = question.steps.at(-1);
    if (!step) return rules()(question);
    asked.push(step);
    if (step.to !== "off") throw { reason: { code: "blocked" } };
    throw { reason: { code: "wrong_target", params: { expected: "4" } } };
  });
  await lesson.go(0);
  assert.deepEqual(await lesson.why("3"), { code: "blocked" });
  assert.deepEqual(asked, [
    { die: 1, from: "3", to: "off" },
    { die: 1, from: "3", to: "4" },
  ]);
});

test("without dice there is a reason for a place only", async () => {
  const stations = [station({ dice: undefined })];
  const lesson = new Lesson({ game: "x", stations }, async (question) => {
    if (question.steps.length === 0) return { ...(await rules()(question)), complete: false };
    throw { reason: { code: "in_the_way" } };
  });
  await lesson.go(0);
  assert.equal(await lesson.why("e9"), undefined);
  assert.deepEqual(await lesson.why("e9", "e7"), { code: "in_the_way" });
});

test("a place that no die leads to has only that reason", async () => {
  const lesson = new Lesson({ game: "x", stations: [station()] }, async (question) => {
    if (question.steps.length === 0) return rules()(question);
    throw { reason: { code: "wrong_target", params: { expected: "4" } } };
  });
  await lesson.go(0);
  assert.equal(await lesson.why("3", "9"), undefined);
});

test("a die is ready, played, or cannot be played", () => {
  assert.deepEqual(standing([3, 3, 5], [3, 5], false), ["ready", "played", "ready"]);
  assert.deepEqual(standing([3, 3, 5], [5], true), ["played", "played", "unplayable"]);
});
