// Turns that are played automatically, interrupted and resumed, and seen by others.

import assert from "node:assert/strict";
import { FAST } from "../support/browser.js";
import { Random, seeded } from "../support/random.js";
import { Stage } from "../support/stage.js";
import { Table } from "../support/table.js";
import { test } from "../support/test.js";

const stage = new Stage();

/** Only the throw is automatic. */
const BY_HAND = { ...FAST, confirming: "ask", forced: "tap" };

/** The most turns to play until a common situation occurs. */
const TURNS_MAX = 60;

/** One of the legal moves of a single step. @param {import("../support/table.js").Move[]} moves @param {Random} random */
const single = (moves, random) => random.pick(moves.filter(({ dice }) => dice.length <= 1));

/**
 * Plays both sides of a match until a button appears, and leaves it to be pressed.
 * @param {Table} table @param {string} name @param {Random} random
 */
async function playUntil(table, name, random) {
  for (let steps = 0; steps < 12 * TURNS_MAX; steps += 1) {
    const moves = await table.moves();
    const wanted = table.able(name);
    if (await wanted.count()) return wanted;
    if (await table.able("Play the only turn").count()) await table.button("Play the only turn").click();
    else await table.move(single(moves, random));
    await table.page.waitForFunction((asked) => {
      const { turn } = document.querySelector("lusoria-match");
      return turn.asked !== asked && turn.legal && !turn.sending;
    }, table.asked);
    if (await table.able("Confirm").count() && !(await wanted.count())) await table.button("Confirm").click();
  }
  return assert.fail(`there was never a button ${name}`);
}

test("a forced turn is played by one tap", (t) => seeded(async () => {
  const { id, guest } = await stage.alone("zeno");
  const { table } = await stage.at(t, id, { guest, preferences: BY_HAND });
  const forced = await playUntil(table, "Play the only turn", new Random());
  const { head } = await stage.snapshot(id);
  await forced.click();
  await table.reached(head + 1);
  assert.equal((await stage.events(id))[head].type, "turned");
}));

test("forced turns are played automatically, if that is preferred", async (t) => {
  const { id, guests } = await stage.match("zeno");
  const [one] = await Promise.all(
    guests.map((guest) => stage.at(t, id, { guest, preferences: { ...FAST, forced: "auto" } })));
  // While all pieces have to enter there is no choice: the first turns are automatic.
  await one.table.reached(5);
  const [first] = (await stage.events(id)).filter(({ type }) => type === "turned");
  assert.ok(first.steps.length > 0);
  assert.equal(one.table.asked, -1, "nobody has moved a piece");
});

test("the same step is repeated by one tap, and by a key", (t) => seeded(async () => {
  const { id, guest } = await stage.alone("tabula");
  const { page, table } = await stage.at(t, id, { guest, preferences: BY_HAND });
  const again = await playUntil(table, "Repeat", new Random());
  const before = await table.steps();
  await again.click();
  await table.built(before.length + 1);
  const after = await table.steps();
  assert.deepEqual(after.at(-1), before.at(-1));
  if (await again.count()) {
    await page.keyboard.press("a");
    await table.built(before.length + 2);
    assert.deepEqual((await table.steps()).at(-1), before.at(-1));
  }
}));

test("a reload in the middle of a turn restores it", async (t) => {
  const { id, guests } = await stage.match("tabula");
  const { page, table } = await stage.at(t, id, { guest: guests[0], preferences: { ...BY_HAND, throwing: "click" } });
  await page.locator("lusoria-dice").getByRole("button").click();
  await table.move(single(await table.moves(), new Random(1)));
  await table.built(1);
  const [steps, position] = [await table.steps(), await table.shown()];
  await page.reload();
  await table.ready();
  await table.built(1);
  assert.deepEqual(await table.steps(), steps);
  assert.deepEqual(await table.shown(), position);
  await table.button("Undo").click();
  await table.built(0);
});

test("a second page of the same player follows, and plays", async (t) => {
  const { id, guests } = await stage.match("tablut");
  const { person, table } = await stage.at(t, id, { guest: guests[0], preferences: FAST });
  const second = new Table(await person.newPage());
  await second.page.goto(table.page.url());
  await second.ready();
  await table.moves();
  await second.moves();
  await table.move({ from: "d1", to: "c1", dice: [] });
  await second.reached(4);
  assert.deepEqual(await second.steps(), []);
  await stage.playOne(id, guests);
  await table.reached(5);
  await second.moves();
  await second.move({ from: "c1", to: "b1", dice: [] });
  await table.reached(6);
  assert.deepEqual((await stage.events(id)).map(({ type }) => type).slice(3), ["turned", "turned", "turned"]);
  const snapshot = await stage.snapshot(id);
  for (const one of [table, second]) assert.deepEqual((await one.folded()).position, snapshot.position);
});

test("both sides are played on one screen, started from home", (t) => seeded(async () => {
  const person = await stage.person(t, { preferences: FAST });
  await person.goto("/");
  const games = person.page.getByRole("region", { name: "Choose a game" });
  await games.getByRole("button", { name: "Tavla", exact: true }).click();
  await person.page.getByRole("button", { name: /^Pass and play/ }).click();
  await person.page.waitForURL(/\/match\//);
  const table = await new Table(person.page).ready();
  const random = new Random();
  const sides = new Set();
  while (sides.size < 2) {
    const moves = await table.moves();
    const { to_play: { side } } = await stage.snapshot(table.id);
    sides.add(side);
    await table.move(random.pick(moves));
  }
}));

test("a viewer who arrives late sees the present board, and the turn being built", async (t) => {
  const { id, guests } = await stage.match("tabula");
  const player = await stage.at(t, id, { guest: guests[0], preferences: BY_HAND });
  const random = new Random(1);
  await player.table.move(single(await player.table.moves(), random));
  await player.table.built(1);
  const late = await stage.at(t, id, { preferences: FAST });
  assert.deepEqual((await late.table.shown()).black, (await stage.snapshot(id)).position.black);
  await player.table.move(single(await player.table.moves(), random));
  await player.table.built(2);
  const position = await player.table.shown();
  await late.page.waitForFunction((position) => {
    const board = document.querySelector("lusoria-match").renderRoot.querySelector("lusoria-board");
    return JSON.stringify(board.position) === position;
  }, JSON.stringify(position));
  await player.table.button("Undo").click();
  await late.page.waitForFunction((position) => {
    const board = document.querySelector("lusoria-match").renderRoot.querySelector("lusoria-board");
    return JSON.stringify(board.position) !== position;
  }, JSON.stringify(position));
  assert.equal((await stage.snapshot(id)).turns, 0);
});

test("a throw is shown to everybody when its player rolls", async (t) => {
  const { id, guests } = await stage.match("tabula");
  await stage.playOne(id, guests);
  const [one, other, watcher] = await Promise.all([guests[0], guests[1], null].map((guest) =>
    stage.at(t, id, { guest, preferences: { ...FAST, throwing: "click" } })));
  await stage.playOne(id, guests);
  const { to_play: { dice, seq } } = await stage.snapshot(id);
  for (const { table } of [one, other, watcher]) await table.reached(seq);
  const lies = (/** @type {import("playwright-core").Page} */ page) => page.locator("lusoria-dice .dice");
  const comes = () => stage.at(t, id, { guest: null, preferences: FAST });
  const before = await comes();
  for (const { page } of [other, watcher, before]) {
    await page.getByRole("img", { name: "The dice have not been rolled yet" }).waitFor();
    await page.locator(".told").getByText("Agathias to roll").waitFor();
    assert.equal(await page.getByRole("button", { name: "Roll the dice" }).count(), 0);
  }
  await one.page.getByRole("button", { name: "Roll the dice" }).click();
  await watcher.page.getByRole("img", { name: /^Dice: / }).waitFor();
  for (const { page } of [one, other, watcher, before, await comes()]) {
    await page.getByRole("img", { name: /^Dice: / }).waitFor();
    const told = (await lies(page).getAttribute("aria-label")) ?? "";
    for (const die of dice) assert.ok(told.includes(String(die)), told);
  }
});

test("a throw is not announced before its player rolls", async (t) => {
  const { id, guests } = await stage.match("tavla");
  const { to_play: { seat } } = await stage.snapshot(id);
  const preferences = { ...FAST, throwing: "click", pace: "quick" };
  const { page } = await stage.at(t, id, { guest: guests[seat === 1 ? 1 : 0], preferences });
  await stage.playOne(id, guests);
  await page.getByRole("button", { name: "Roll the dice" }).waitFor();
  assert.match(await page.locator(".told").innerText(), /^Your roll/);
});
