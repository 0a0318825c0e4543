// Turns built with the mouse, a finger and the keyboard.

import assert from "node:assert/strict";
import { FAST } from "../support/browser.js";
import { Stage } from "../support/stage.js";
import { test } from "../support/test.js";

const stage = new Stage();

/** The attackers' first turn in tablut. */
const MOVE = { from: "d1", to: "c1", dice: [] };
const PLAYED = [{ from: "d1", to: "c1" }];

/** No animations, and everything is confirmed. */
const STILL = { motion: "none", sounds: false, clicks: "two", confirming: "ask" };

test("a piece is dragged with the mouse, and the turn is sent when it is confirmed", async (t) => {
  const { id, guests } = await stage.match("tablut");
  const { page, table } = await stage.at(t, id, { guest: guests[0], preferences: { confirming: "ask" } });
  await table.moves();
  await table.drag(MOVE);
  await table.built(1);
  assert.deepEqual(await table.steps(), PLAYED);
  assert.equal((await stage.snapshot(id)).head, 3, "nothing has been played yet");
  await table.button("Confirm").click();
  await table.reached(4);
  assert.deepEqual((await stage.events(id)).at(-1).steps, PLAYED);
  await page.getByText("Zeno to play").waitFor();
});

test("a piece is dragged with a finger", async (t) => {
  const { id, guests } = await stage.match("tablut");
  const context = { hasTouch: true, isMobile: true, viewport: { width: 360, height: 740 } };
  const { table, page } = await stage.at(t, id, { guest: guests[0], preferences: { confirming: "ask" }, context });
  await table.moves();
  await table.swipe(MOVE);
  await table.built(1);
  assert.deepEqual(await table.steps(), PLAYED);
  // Chromium takes a tap right after a swipe for the end of a fling.
  await table.button("Confirm").click();
  await table.reached(4);
});

test("a piece is moved by two taps of a finger", async (t) => {
  const { id, guests } = await stage.match("tablut");
  const context = { hasTouch: true, isMobile: true, viewport: { width: 740, height: 360 } };
  const { page, table } = await stage.at(t, id, { guest: guests[0], preferences: FAST, context });
  await table.moves();
  for (const place of [MOVE.from, MOVE.to]) {
    const { x, y } = await table.at(place);
    await page.touchscreen.tap(x, y);
  }
  await table.reached(4);
  assert.deepEqual((await stage.events(id)).at(-1).steps, PLAYED);
});

test("a piece on an illegal place goes back, and the reason is shown", async (t) => {
  const { id, guests } = await stage.match("tablut");
  const { table } = await stage.at(t, id, { guest: guests[0], preferences: STILL });
  await table.moves();
  await table.move({ from: "d1", to: "c2" });
  await table.word.getByText("Pieces move in a straight line, along a row or a column.").waitFor();
  assert.match(await table.named("d1"), /picked up/);
  await table.tap("e1");
  await table.word.getByText(/is in the way|cannot go/).waitFor();
  assert.deepEqual(await table.steps(), []);
});

/** A match whose first throw shows different dice, each with its own reason for a refusal. @param {string} game */
async function thrownApart(game) {
  for (;;) {
    const match = await stage.match(game);
    const { dice } = (await stage.snapshot(match.id)).to_play;
    if (new Set(dice).size === dice.length) return match;
  }
}

test("the reason why dice do not fit is shown", async (t) => {
  const { id, guests } = await thrownApart("zeno");
  const { page, table } = await stage.at(t, id, { guest: guests[0], preferences: { ...STILL, throwing: "auto" } });
  const [first] = (await table.moves()).filter(({ dice }) => dice.length === 1);
  await table.move(first);
  await table.built(1);
  await table.tap(first.to);
  await table.word.waitFor();
  await page.getByRole("button", { name: "Why?" }).click();
  await page.locator(".reasons").getByText("can only bring one of them in").first().waitFor();
  assert.equal((await table.steps()).length, 1);
});

test("before the roll nothing can be moved, and a click rolls", async (t) => {
  const { id, guests } = await stage.match("tabula");
  const { page, table } = await stage.at(t, id, { guest: guests[0], preferences: STILL });
  const { dice } = (await stage.snapshot(id)).to_play;
  const [covered] = await table.page.locator("lusoria-dice button").all();
  await table.tap("supply:white");
  await table.word.getByText("Roll the dice first.").waitFor();
  await covered.click();
  await table.moves();
  const told = await page.locator("lusoria-dice .dice").getAttribute("aria-label");
  for (const die of dice) assert.match(told, new RegExp(`${die} to play`));
  assert.equal((await stage.snapshot(id)).head, (await table.folded()).seq);
});

test("steps are taken back one by one, by the button and by the key", async (t) => {
  const { id, guests } = await stage.match("tabula");
  const { page, table } = await stage.at(t, id, { guest: guests[0], preferences: { ...STILL, throwing: "auto" } });
  await table.page.waitForFunction(() => document.querySelector("lusoria-match"));
  const start = await table.shown();
  for (const count of [1, 2]) {
    const [single] = (await table.moves()).filter(({ dice }) => dice.length === 1);
    await table.move(single);
    await table.built(count);
  }
  await table.button("Undo").click();
  await table.built(1);
  await page.keyboard.press("u");
  await table.built(0);
  assert.deepEqual(await table.shown(), start);
  assert.equal(await table.able("Undo").count(), 0);
  await table.button("Undo").waitFor();
});

test("a whole turn by the keyboard alone: rolling, moving, confirming", async (t) => {
  const { id, guests } = await stage.match("tabula");
  const { page, table } = await stage.at(t, id, { guest: guests[0], preferences: STILL });
  await tabTo(page, (focus) => focus.text === "Roll the dice");
  await page.keyboard.press("Enter");
  let count = 0;
  for (let moves = await table.moves(); moves.length > 0; ) {
    const single = moves.find(({ dice }) => dice.length === 1);
    count += 1;
    assert.ok((await focus(page)).place, "the keyboard is on the board, from the throw on");
    await walkTo(page, table, single.from);
    await page.keyboard.press("Enter");
    assert.match(await table.named(single.from), /picked up/);
    await walkTo(page, table, single.to);
    assert.match(await table.named(single.to), /go here with/);
    await page.keyboard.press("Space");
    await table.built(count);
    const complete = await page.evaluate(() => document.querySelector("lusoria-match").turn.isComplete);
    moves = complete ? [] : await table.moves();
  }
  await tabTo(page, (focus) => focus.text === "Confirm");
  const { head } = await stage.snapshot(id);
  await page.keyboard.press("Enter");
  await table.reached(head + 1);
  assert.equal((await stage.events(id))[head].type, "turned");
});

/** The focused element, through all shadow roots. @param {import("playwright-core").Page} page */
const focus = (page) => page.evaluate(() => {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  return { label: at?.getAttribute("aria-label") ?? "", text: at?.textContent.trim() ?? "", place: at?.dataset?.place };
});

/** Presses Tab until an element has the focus. @param {import("playwright-core").Page} page @param {(focus: any) => boolean} found */
async function tabTo(page, found) {
  const passed = [];
  for (let times = 0; times < 40; times += 1) {
    const now = await focus(page);
    if (found(now)) return;
    passed.push(now.label || now.text);
    await page.keyboard.press("Tab");
  }
  assert.fail(`Tab leads only to: ${passed.join(", ")}`);
}

/** Moves over the board with the arrow keys. @param {import("playwright-core").Page} page @param {import("../support/table.js").Table} table @param {string} place */
async function walkTo(page, table, place) {
  const end = await table.at(place);
  const passed = new Set();
  for (let times = 0; times < 60; times += 1) {
    const now = (await focus(page)).place;
    if (now === place) return;
    const at = await table.at(now);
    const [across, down] = [end.x - at.x, end.y - at.y];
    const keys = [across > 0 ? "ArrowRight" : "ArrowLeft", down > 0 ? "ArrowDown" : "ArrowUp"];
    if (Math.abs(down) > Math.abs(across)) keys.reverse();
    // If the straight path is blocked, the other one leads around.
    const key = passed.has(now) ? keys[1] : keys[0];
    passed.add(now);
    await page.keyboard.press(key);
    if ((await focus(page)).place === now) await page.keyboard.press(keys[1]);
  }
  assert.fail(`the arrows do not lead to ${place}`);
}
