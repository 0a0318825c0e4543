// Practising one's own costliest mistakes.

import "./device.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { Problem } from "../../../web/api/rest.js";
import { Practice, mistakesOf } from "../../../web/match/practice.js";

/** @param {number} seq @param {object} more */
const judged = (seq, more) => /** @type {any} */ ({ seq, before: seq - 1, seat: 1, side: "white", isFault: true, lost: 0.1, ...more });

const step = (/** @type {string} */ from, /** @type {string} */ to, die = 1) => ({ die, from, to });

/** A fake server where a turn is one step, and leads to a position named after it. */
function world() {
  const mistakes = [judged(5, { better: [step("8", "7")] }), judged(9, { better: [step("6", "5")] })];
  const momentAt = (/** @type {number} */ seq) => /** @type {any} */ ({
    position: { at: seq, to_move: "white" },
    toPlay: { side: "white", dice: [1], seq },
    last: { steps: [{ ...step("3", "2"), hits: true }] },
  });
  /** @type {any[]} */
  const questions = [];
  const rules = async (/** @type {any} */ question) => {
    questions.push(question);
    if (question.steps.some(({ from }) => from === "off")) throw new Problem({ code: "illegal_step" });
    const done = question.steps.map(({ from, to }) => `${from}/${to}`).join();
    const isDone = question.steps.length > 0;
    // From 13 there is only one continuation.
    const forced = done === "13/12" ? [step("3", "2")] : undefined;
    const end = done === "13/12,3/2" ? "3/2" : done;
    return /** @type {any} */ ({ position: { at: end, to_move: question.position.to_move }, steps: [], complete: isDone && !forced, forced, notation: done });
  };
  /** A turn from 4 has a loss, one from 5 none. @type {any[]} */
  const evaluated = [];
  const evaluate = async (/** @type {any} */ question) => {
    evaluated.push(question);
    return /** @type {any} */ ({ last: { lost: question.turns[0].steps[0].from === "4" ? 0.03 : 0.001 } });
  };
  return { mistakes, questions, evaluated, practice: new Practice(mistakes, momentAt, evaluate, rules) };
}

/** @param {Practice} practice @param {string} name */
const once = (practice, name) => new Promise((done) => practice.addEventListener(name, done, { once: true }));

/** @param {Practice} practice */
async function legal(practice) {
  while (!practice.trial.legal) await once(practice, "change");
}

/** Plays a turn. @param {Practice} practice @param {any} one */
async function plays(practice, one) {
  await legal(practice);
  practice.trial.play([one]);
  await legal(practice);
  assert.ok(practice.isReady);
  const judged = once(practice, "judged");
  practice.play();
  await judged;
}

test("the mistakes to practise are the person's costliest, in descending order", () => {
  const turns = [judged(1, { lost: 0.02 }), judged(3, { lost: 0.2 }), judged(5, { lost: 0.9, seat: 2 }), judged(7, { lost: 0, isFault: false })];
  assert.deepEqual(mistakesOf(turns, [1]).map(({ seq }) => seq), [3, 1]);
  assert.deepEqual(mistakesOf(turns, [1, 2]).map(({ seq }) => seq), [5, 3, 1]);
  assert.deepEqual(mistakesOf(turns, []), []);
  const many = Array.from({ length: 20 }, (_, nth) => judged(nth, { lost: nth / 100 }));
  assert.equal(mistakesOf(many, [1]).length, 8);
});

test("a turn is the computer's, the original one, or another; only the first try counts", async () => {
  const { practice, questions, evaluated } = world();
  practice.begin(0);
  assert.ok(!practice.isReady, "nothing has been played");
  await plays(practice, step("3", "2"));
  assert.equal(practice.phase, "same");
  assert.ok(questions.every(({ steps }) => steps.every((/** @type {any} */ one) => !("hits" in one))));
  practice.again();
  await plays(practice, step("4", "3"));
  assert.deepEqual([practice.phase, practice.lost], ["other", 0.03]);
  assert.deepEqual(evaluated, [{ seq: 4, turns: [{ dice: [1], steps: [step("4", "3")] }] }]);
  practice.again();
  await plays(practice, step("8", "7"));
  assert.equal(practice.phase, "best");
  assert.equal(practice.foundCount, 0);
  practice.begin(1);
  assert.ok(practice.isLast);
  await plays(practice, step("6", "5"));
  assert.equal(practice.phase, "best");
  assert.equal(practice.foundCount, 1);
});

test("another turn without a loss is as good", async () => {
  const { practice } = world();
  practice.begin(0);
  await plays(practice, step("5", "4"));
  assert.equal(practice.phase, "good");
  assert.equal(practice.foundCount, 1);
});

test("the only continuation of a turn is played with it", async () => {
  const { practice } = world();
  practice.begin(0);
  await plays(practice, step("13", "12"));
  assert.equal(practice.phase, "same");
});

test("the solution can be shown, and then the mistake was not solved", async () => {
  const { practice, mistakes } = world();
  practice.begin(0);
  practice.show();
  assert.equal(practice.phase, "shown");
  practice.again();
  await plays(practice, step("8", "7"));
  assert.deepEqual([practice.phase, practice.found.get(mistakes[0])], ["best", false]);
});

test("a refusal by the server is reported, and the turn begins anew", async () => {
  const { practice } = world();
  practice.begin(0);
  await legal(practice);
  const refused = once(practice, "refused");
  practice.trial.play([step("off", "1")]);
  await refused;
  await legal(practice);
  assert.deepEqual([practice.phase, practice.trial.steps], ["playing", []]);
});
