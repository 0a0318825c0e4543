// Conditional turns: the line being entered, and the stored lines.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { kept } from "./device.js";
import { entryOf } from "./vectors.js";

const { Conditional, lineText } = await import("../../../web/match/conditional.js");
const { isConditional } = await import("../../../web/match/actions.js");

const ENTRY = entryOf("tablut");
const PLAYERS = { 1: { id: "me", name: "Me", kind: "person" }, 2: { id: "them", name: "Them", kind: "person" } };
const MOMENT = {
  state: "playing", game: "tablut", options: {}, clock: { kind: "days", days: 3 }, players: PLAYERS,
  position: { ...ENTRY.start, to_move: "attackers" }, toPlay: { seat: 2, side: "attackers", seq: 3, dice: [] },
};

/** The stored lines, and the requests. @type {{laidDown: any, asked: any[]}} */
let server;

globalThis.fetch = /** @type {any} */ (async (/** @type {string} */ path, /** @type {any} */ { method, body }) => {
  const asked = body === undefined ? undefined : JSON.parse(body);
  server.asked.push({ method, path: String(path).replace(/^.*\/api\/v1/, ""), ...(asked && { asked }) });
  const answer = String(path).includes("/rules/") ? rules(asked) : laid(method, asked);
  return new Response(JSON.stringify(answer), { status: 200, headers: { "content-type": "application/json" } });
});

/** The side to move moves e2 to e1 or back; a turn to i9 ends the game. @param {any} question */
function rules({ position, steps = [] }) {
  const next = { ...position, to_move: position.to_move === "attackers" ? "defenders" : "attackers" };
  const outcome = steps[0]?.to === "i9" ? { outcome: { winner: "defenders", points: 1, reason: "escaped" } } : {};
  return { position, steps: [{ from: "e2", to: "e1" }], complete: steps.length > 0, notation: "", drawing: "", ends: [next], ...outcome };
}

/** @param {string} method @param {any} asked */
function laid(method, asked) {
  if (method === "PUT") server.laidDown = asked;
  return server.laidDown;
}

/** @param {object} [moment] @param {{mySeats?: number[], myTurn?: number}} [more] */
function planOf(moment = {}, more = {}) {
  const live = /** @type {any} */ (Object.assign(new EventTarget(), { id: "m", moment: { ...MOMENT, ...moment }, mySeats: [1], myTurn: undefined, ...more }));
  return { live, plan: new Conditional(live, ENTRY) };
}

const move = (/** @type {string} */ from, /** @type {string} */ to) => ({ from, to, steps: [{ from, to }], dice: [] });

beforeEach(() => {
  kept.clear();
  kept.set("lusoria.guest", JSON.stringify({ id: "me", name: "Me", token: "t" }));
  server = { laidDown: { seq: 3, lines: [], forced: false }, asked: [] };
});

test("a line is built turn by turn, and stored when it ends with one's own turn", async () => {
  const { plan } = planOf();
  await plan.read();
  assert.deepEqual([plan.who, plan.isWhole, plan.moves.map(({ from, to }) => from + to)], ["theirs", false, ["e2e1"]]);
  await plan.play(move("d1", "c1"));
  assert.deepEqual([plan.who, plan.isWhole, plan.position?.to_move], ["own", false, "defenders"]);
  await plan.play(move("e4", "f4"));
  assert.deepEqual([plan.who, plan.isWhole, lineText(plan.steps)], ["theirs", true, "d1–c1 e4–f4"]);
  await plan.add();
  const line = [{ from: "d1", to: "c1" }, { from: "e4", to: "f4" }];
  assert.deepEqual(server.laidDown, { seq: 3, lines: [line], forced: false });
  assert.deepEqual(plan.steps, []);
  await plan.remove(0);
  assert.deepEqual(server.laidDown.lines, []);
});

test("a longer line replaces the one that it extends, and known lines are not added again", async () => {
  const line = [{ from: "d1", to: "c1" }, { from: "e4", to: "f4" }];
  server.laidDown = { seq: 3, lines: [line], forced: true };
  const { plan } = planOf();
  await plan.read();
  await plan.play(move("d1", "c1"));
  await plan.play(move("e4", "f4"));
  assert.equal(plan.isWhole, false);
  await plan.play(move("c1", "c2"));
  await plan.undo();
  await plan.play(move("c1", "c2"));
  await plan.play(move("f4", "f3"));
  await plan.add();
  assert.deepEqual(server.laidDown, { seq: 3, lines: [[...line, { from: "c1", to: "c2" }, { from: "f4", to: "f3" }]], forced: true });
});

test("a turn that ends the game ends the line", async () => {
  const { plan } = planOf();
  await plan.read();
  await plan.play(move("d1", "c1"));
  await plan.play(move("e5", "i9"));
  assert.deepEqual([plan.moves, plan.isWhole], [[], true]);
});

test("on one's own turn no line can be entered, and forced turns can be left to the server", async () => {
  const { plan } = planOf({ toPlay: { seat: 1, side: "defenders", seq: 4, dice: [] } }, { myTurn: 1 });
  await plan.read();
  assert.deepEqual([plan.canPlan, plan.moves], [false, []]);
  await plan.force(true);
  assert.deepEqual(server.laidDown, { seq: 4, lines: [], forced: true });
});

test("conditional turns are set in correspondence games against a person, by the players themselves", () => {
  assert.equal(isConditional(planOf().live), true);
  assert.equal(isConditional(planOf({ clock: { kind: "none" } }).live), false);
  assert.equal(isConditional(planOf({ state: "ended" }).live), false);
  assert.equal(isConditional(planOf({}, { mySeats: [] }).live), false);
  assert.equal(isConditional(planOf({}, { mySeats: [1, 2] }).live), false);
  const computer = { ...PLAYERS, 2: { id: "c", name: "C", kind: "computer" } };
  assert.equal(isConditional(planOf({ players: computer }).live), false);
});
