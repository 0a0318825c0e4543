// Rollouts of turns.

import assert from "node:assert/strict";
import { test } from "node:test";
import "./device.js";

const { Rollouts, verdictOf } = await import("../../../web/match/rollouts.js");

const turn = (notation, played, behind) => ({ notation, played, behind, behind_error: 0.01, games: 36, steps: [], value: {} });
const READY = { state: "ready", sure: true, games: 36, games_max: 144, turns: [turn("24/18", false, 0), turn("13/7", true, 0.05)] };

/** Lets pending responses arrive. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test("rollouts are requested one after the other, each until it is ready", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const answers = { 5: [{ ...READY, state: "pending", games: 0, turns: [] }, READY], 9: [READY] };
  const asked = [];
  globalThis.fetch = async (address) => {
    const seq = new URL(address, "http://here").searchParams.get("seq");
    asked.push(seq);
    return new Response(JSON.stringify(answers[seq].shift()));
  };
  const rollouts = new Rollouts("m");
  rollouts.want([5, 9]);
  await settled();
  assert.deepEqual([asked, rollouts.waiting, rollouts.isAsking], [["5"], [5, 9], true]);
  assert.equal(verdictOf(rollouts.found.get(5)), undefined);
  context.mock.timers.tick(2_000);
  for (let nth = 0; nth < 4; nth += 1) await settled();
  assert.deepEqual([asked, rollouts.waiting, rollouts.isAsking], [["5", "5", "9"], [], false]);
  rollouts.want([5, 9]);
  await settled();
  assert.equal(asked.length, 3, "what is ready is not asked for again");
});

test("a refusal is reported, and the others continue", async () => {
  globalThis.fetch = async (address) =>
    address.toString().endsWith("=5")
      ? new Response(JSON.stringify({ code: "no_choice" }), { status: 409 })
      : new Response(JSON.stringify(READY));
  const rollouts = new Rollouts("m");
  await rollouts.want([5, 9]);
  assert.deepEqual([rollouts.refused.get(5).code, rollouts.found.get(9).state], ["no_choice", "ready"]);
});

test("no request is sent after the end", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  let asked = 0;
  globalThis.fetch = async () => {
    asked += 1;
    return new Response(JSON.stringify({ ...READY, state: "pending" }));
  };
  const rollouts = new Rollouts("m");
  rollouts.want([5]);
  await settled();
  rollouts.leave();
  context.mock.timers.tick(10_000);
  await settled();
  assert.deepEqual([asked, rollouts.isAsking], [1, false]);
});

test("a verdict says by how much the best turn is better, or that it was played", () => {
  const { best, isBest, behind, error } = verdictOf(READY);
  assert.deepEqual([best, isBest, behind], ["24/18", false, 0.05]);
  assert.ok(Math.abs(error - 0.0196) < 1e-9);
  assert.equal(verdictOf({ ...READY, turns: [turn("13/7", true, 0)] }).isBest, true);
});
