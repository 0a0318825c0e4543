// Premoves: moves that are entered while the opponent thinks, and played when they have moved.

import assert from "node:assert/strict";
import { judgeBothThemes } from "../support/axe.js";
import { FAST } from "../support/browser.js";
import { Stage } from "../support/stage.js";
import { test } from "../support/test.js";

const stage = new Stage();

/** @typedef {import("../support/table.js").Table} Table */

/** The attackers' first move, which blocks none of the defenders. */
const OPENING = { from: "d1", to: "c1" };

/**
 * A match of tablut from the defenders' view, while the attackers think.
 * @param {import("node:test").TestContext} t @param {object} [preferences]
 */
async function defending(t, preferences = {}) {
  const { id, guests } = await stage.match("tablut");
  const seat = await stage.at(t, id, { guest: guests[1], preferences: { ...FAST, confirming: "ask", ...preferences } });
  /** Moves for the attackers. @param {{from: string, to: string}} step */
  const attack = async (step) => {
    const { to_play } = await stage.snapshot(id);
    return stage.server.ask("POST", `/matches/${id}/turn`, { seq: to_play.seq, steps: [step] }, guests[0].token);
  };
  return { ...seat, id, guests, attack };
}

/** Waits for a text in the line above the board. @param {Table} table @param {string} text */
const told = (table, text) => table.page.locator(".told p").filter({ hasText: text });

/** The turns of the match so far. @param {string} id */
const turns = async (id) =>
  (await stage.events(id)).filter(({ type }) => type === "turned").map(({ steps: [{ from, to }] }) => `${from}–${to}`);

test("a premove is played as soon as the opponent has moved, without confirmation", async (t) => {
  const { id, table, attack } = await defending(t);
  const before = await table.shown();
  await table.move({ from: "e4", to: "f4" });
  await told(table, "Premove: e4–f4").waitFor();
  assert.equal((await table.shown()).board, before.board, "nothing has moved yet");
  await judgeBothThemes(table.page, "a premove");
  assert.deepEqual(await turns(id), []);
  const { head } = await stage.snapshot(id);
  await attack(OPENING);
  await table.reached(head + 2);
  assert.deepEqual(await turns(id), ["d1–c1", "e4–f4"]);
  await told(table, "Premove").waitFor({ state: "detached" });
});

test("a premove can be dragged, and survives a reload", async (t) => {
  const { id, table, page, attack } = await defending(t);
  await table.drag({ from: "e4", to: "g4" });
  await told(table, "Premove: e4–g4").waitFor();
  await page.reload();
  await table.ready();
  await told(table, "Premove: e4–g4").waitFor();
  const { head } = await stage.snapshot(id);
  await attack(OPENING);
  await table.reached(head + 2);
  assert.deepEqual(await turns(id), ["d1–c1", "e4–g4"]);
});

test("a premove that waited in a hidden page is played when the person returns", async (t) => {
  const { id, table, page, person, attack } = await defending(t);
  await table.move({ from: "e4", to: "f4" });
  await told(table, "Premove: e4–f4").waitFor();
  await person.goto("/rules/tablut");
  const { head } = await stage.snapshot(id);
  await attack(OPENING);
  await person.goto(`/match/${id}`);
  await table.ready();
  await table.reached(head + 2);
  assert.deepEqual(await turns(id), ["d1–c1", "e4–f4"]);
  assert.equal(await page.evaluate(() => Object.keys(localStorage).some((name) => name.startsWith("lusoria.premove"))), false);
});

test("a premove is cancelled by Escape, by a click on the board, and by its button", async (t) => {
  const { id, table, page, attack } = await defending(t);
  const cancels = [
    () => page.keyboard.press("Escape"),
    () => table.tap("a1"),
    () => table.button("Cancel the premove").click(),
  ];
  for (const cancel of cancels) {
    await table.move({ from: "e4", to: "f4" });
    await told(table, "Premove: e4–f4").waitFor();
    await cancel();
    await told(table, "Premove").waitFor({ state: "detached" });
  }
  const { head } = await stage.snapshot(id);
  await attack(OPENING);
  await table.reached(head + 1);
  await table.moves();
  assert.deepEqual(await turns(id), ["d1–c1"]);
});

test("a premove that is not legal in the end is not played, and the person is told", async (t) => {
  const { id, table, attack } = await defending(t);
  await table.move({ from: "e4", to: "a4" });
  await told(table, "Premove: e4–a4").waitFor();
  const { head } = await stage.snapshot(id);
  // An attacker is there now.
  await attack({ from: "a4", to: "b4" });
  await table.reached(head + 1);
  await told(table, "Your premove was no longer legal and was not played.").waitFor();
  assert.deepEqual(await turns(id), ["a4–b4"]);
  // It is the person's turn.
  assert.ok((await table.moves()).length > 0);
});

test("premoves by the keyboard, and for screen readers", async (t) => {
  const { id, table, page, attack } = await defending(t);
  const place = (/** @type {string} */ name) => page.locator(`lusoria-board .places rect[data-place="${name}"]`);
  await place("e4").focus();
  await page.keyboard.press("Enter");
  await place("f4").focus();
  await page.keyboard.press("Enter");
  await page.getByRole("status").filter({ hasText: "Premove: e4–f4" }).waitFor({ state: "attached" });
  const { head } = await stage.snapshot(id);
  await attack(OPENING);
  await table.reached(head + 2);
  assert.deepEqual(await turns(id), ["d1–c1", "e4–f4"]);
});

test("there are no premoves if they are switched off, nor in games with dice", async (t) => {
  const { table } = await defending(t, { ahead: "off" });
  assert.equal(await table.page.evaluate(() => document.querySelector("lusoria-match").renderRoot
    .querySelector("lusoria-board").moves.length), 0);
  const { id, guests } = await stage.match("tabula");
  const { to_play } = await stage.snapshot(id);
  const other = await stage.at(t, id, { guest: guests[2 - to_play.seat], preferences: FAST });
  assert.equal(await other.page.evaluate(() => document.querySelector("lusoria-match").premove.moves.length), 0);
});
