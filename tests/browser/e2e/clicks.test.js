// How many clicks a turn takes: by preferences, and what happens automatically.

import assert from "node:assert/strict";
import { FAST } from "../support/browser.js";
import { Stage } from "../support/stage.js";
import { test } from "../support/test.js";

const stage = new Stage();

/** The default preferences, without animations. */
const USUAL = { throwing: "auto", pace: "none", sounds: false, motion: "none" };

/** A match whose first throw leaves a choice of order. @param {string} game */
async function withOrder(game) {
  for (;;) {
    const match = await stage.match(game);
    const { to_play: { dice } } = await stage.snapshot(match.id);
    if (new Set(dice).size > 1) return { ...match, dice };
  }
}

/** The centre of the dice on the screen, as soon as they are there. @param {import("playwright-core").Page} page */
async function diceAt(page) {
  const dice = page.locator("lusoria-board lusoria-dice");
  await dice.waitFor();
  const { x, y, width, height } = await dice.boundingBox();
  return { x: x + width / 2, y: y + height / 2 };
}

/** The dice in order, by their accessible names. @param {import("playwright-core").Page} page */
const lying = async (page) => [...(await page.locator("lusoria-dice .dice").getAttribute("aria-label")).matchAll(/\d/g)].map(Number);

/** The values with the first one moved to the end. @param {number[]} dice */
const turned = (dice) => {
  const [next, ...left] = [...new Set(dice)];
  return [...left, next];
};

test("one click moves a piece by the next die, and a click on the dice changes their order", async (t) => {
  const { id, guests, dice } = await withOrder("tabula");
  const { page, table } = await stage.at(t, id, { guest: guests[0], preferences: USUAL });
  await table.moves();
  await table.tap("supply:white");
  await table.built(1);
  assert.deepEqual(await table.steps(), [{ die: dice[0], from: "supply", to: String(dice[0]) }]);
  await table.button("Undo").click();
  await table.built(0);

  const { x, y } = await diceAt(page);
  await page.mouse.click(x, y);
  const [next] = turned(dice);
  await page.waitForFunction((next) => document.querySelector("lusoria-match").turn.order[0] === next, next);
  assert.equal((await lying(page))[0], next, "the next one lies first");
  await table.tap("supply:white");
  await table.built(1);
  assert.deepEqual(await table.steps(), [{ die: next, from: "supply", to: String(next) }]);
});

test("the order of the dice is changed by a key and by their button, too", async (t) => {
  const { id, guests, dice } = await withOrder("tabula");
  const { page, table } = await stage.at(t, id, { guest: guests[0], preferences: USUAL });
  await table.moves();
  const order = () => page.evaluate(() => document.querySelector("lusoria-match").turn.order);
  await page.keyboard.press("d");
  assert.deepEqual(await order(), turned(dice));
  await page.getByRole("button", { name: "Play another die first" }).focus();
  await page.keyboard.press("Enter");
  assert.deepEqual(await order(), turned(turned(dice)));
});

test("dice whose order can be changed say so", async (t) => {
  const { id, guests, dice } = await withOrder("tabula");
  const { page, table } = await stage.at(t, id, { guest: guests[0], preferences: USUAL });
  await table.moves();
  const [next] = dice;
  const lies = page.locator("lusoria-board lusoria-dice");
  assert.equal(await lies.locator(".next").count(), 1);
  assert.equal(await lies.locator(".turns").count(), 1);
  assert.equal((await lying(page))[0], next);
  const { x, y } = await diceAt(page);
  await page.mouse.move(x, y);
  const board = page.locator("lusoria-board");
  assert.equal(await board.getAttribute("title"), "Play another die first");
  assert.equal(await board.locator(".play").evaluate((play) => getComputedStyle(play).cursor), "pointer");
  await page.mouse.move(1, 1);
  assert.equal(await board.getAttribute("title"), "");
});

test("one click moves in a variation, too, and in pass and play", async (t) => {
  const { id, guests } = await stage.match("tavla");
  await stage.playOne(id, guests);
  await stage.server.ask("POST", `/matches/${id}/resign`, {}, guests[0].token);
  const [started] = (await stage.events(id)).filter(({ type }) => type === "game_started");
  const { person, page, table } = await stage.at(t, id, { guest: guests[0], preferences: USUAL });
  await person.goto(`/match/${id}?at=${started.seq}`);
  await table.ready();
  await table.button("Try other turns").click();
  const side = page.getByRole("complementary");
  await side.getByRole("combobox", { name: "Die 1" }).selectOption("2");
  await side.getByRole("combobox", { name: "Die 2" }).selectOption("5");
  await side.getByRole("button", { name: "Use these dice" }).click();
  const trial = (what) => page.waitForFunction(what);
  await trial(() => document.querySelector("lusoria-match").aside.trial.legal);
  const { x, y } = await diceAt(page);
  await page.mouse.click(x, y);
  await trial(() => document.querySelector("lusoria-match").aside.trial.order[0] === 5);
  assert.equal((await lying(page))[0], 5);
  const from = await page.evaluate(() => {
    const { moves } = document.querySelector("lusoria-match").renderRoot.querySelector("lusoria-board");
    return moves.find(({ dice }) => dice.join() === "5").from;
  });
  await table.tap(from);
  await trial(() => document.querySelector("lusoria-match").aside.trial.steps[0]?.die === 5);

  const alone = await stage.alone("tabula");
  const both = await stage.at(t, alone.id, { guest: alone.guest, preferences: USUAL });
  await both.table.moves();
  await both.table.tap(`supply:${(await stage.snapshot(alone.id)).to_play.side}`);
  await both.page.waitForFunction(() => document.querySelector("lusoria-match").turn.steps.length > 0);
});

test("one click moves in a first game, whose dice lie on the board", async (t) => {
  const { page, goto } = await stage.visitor(t, { preferences: USUAL });
  await goto("/learn/tabula");
  const board = page.locator("lusoria-lesson lusoria-board");
  await board.locator("lusoria-dice .turns").waitFor();
  const lesson = (what) => page.locator("lusoria-lesson").evaluate(what);
  assert.deepEqual(await lesson(({ lesson }) => lesson.order), [5, 4, 3]);
  await board.getByRole("button", { name: "Play another die first" }).focus();
  await page.keyboard.press("Enter");
  assert.deepEqual(await lesson(({ lesson }) => lesson.order), [4, 3, 5]);
  const { x, y, width, height } = await board.locator('.places rect[data-place="supply:white"]').boundingBox();
  await page.mouse.click(x + width / 2, y + height / 2);
  await board.locator("lusoria-dice svg.played").waitFor();
  assert.deepEqual(await lesson(({ lesson }) => lesson.steps.map(({ die, to }) => [die, to])), [[4, "4"]]);
});

test("the target is shown before a click, and a dragged piece goes where it is put", async (t) => {
  const { id, guests, dice } = await withOrder("tabula");
  const { page, table } = await stage.at(t, id, { guest: guests[0], preferences: USUAL });
  const moves = await table.moves();
  const { x, y } = await table.at("supply:white");
  await page.mouse.move(x, y);
  const targets = page.locator("lusoria-board .targets");
  await targets.locator(`.meant[data-place="${dice[0]}"]`).waitFor({ state: "attached" });
  const reached = new Set(moves.filter(({ from }) => from === "supply:white").map(({ to }) => to));
  assert.equal(await targets.locator(".target").count(), reached.size);
  const [other] = turned(dice);
  await table.drag({ from: "supply:white", to: String(other) });
  await table.built(1);
  assert.deepEqual(await table.steps(), [{ die: other, from: "supply", to: String(other) }]);
});

test("clicks faster than the connection are not lost", async (t) => {
  const { id, guests, dice } = await withOrder("tabula");
  const { page, table } = await stage.at(t, id, { guest: guests[0], preferences: USUAL });
  await table.moves();
  const { x, y } = await table.at("supply:white");
  await page.mouse.click(x, y, { clickCount: 2 });
  await table.built(2);
  const steps = await table.steps();
  // Of two equal dice, the second is the next one after the first.
  const [first, second] = [...new Set(dice)].flatMap((value) => dice.filter((die) => die === value));
  assert.deepEqual(steps.map(({ from, die }) => [from, die]), [["supply", first], ["supply", second]]);
  assert.equal(await table.word.count(), 0, "nothing is refused");
});

test("a finger moves a piece by one tap", async (t) => {
  const { id, guests, dice } = await withOrder("tabula");
  const context = { hasTouch: true, isMobile: true, viewport: { width: 360, height: 740 } };
  const { page, table } = await stage.at(t, id, { guest: guests[0], preferences: USUAL, context });
  await table.moves();
  const { x, y } = await table.at("supply:white");
  await page.touchscreen.tap(x, y);
  await table.built(1);
  assert.deepEqual(await table.steps(), [{ die: dice[0], from: "supply", to: String(dice[0]) }]);
  assert.equal(await page.locator("lusoria-board .targets .target").count(), 0);
});

test("a click selects a piece, if that is preferred", async (t) => {
  const { id, guests, dice } = await withOrder("tabula");
  const { page, table } = await stage.at(t, id, { guest: guests[0], preferences: USUAL });
  await table.moves();
  await page.getByRole("button", { name: "Preferences" }).click();
  const dialog = page.locator("lusoria-preferences");
  const choices = dialog.getByRole("group", { name: "Click on a piece" });
  assert.ok(await choices.getByLabel("Move it with the next die").isChecked());
  await choices.getByText("Select it").click();
  await dialog.getByRole("button", { name: "Close" }).click();
  await table.tap("supply:white");
  assert.match(await table.named("supply:white"), /picked up/);
  assert.deepEqual(await table.steps(), []);
  assert.equal(await page.getByRole("button", { name: "Play another die first" }).count(), 0);
  await table.tap(String(dice[1]));
  await table.built(1);
  assert.deepEqual(await table.steps(), [{ die: dice[1], from: "supply", to: String(dice[1]) }]);
});

test("a move in tablut needs no confirmation, unless that is preferred", async (t) => {
  const { id, guests } = await stage.match("tablut");
  const [one, other] = await Promise.all(guests.map((guest) => stage.at(t, id, { guest, preferences: USUAL })));
  await one.table.moves();
  assert.equal(await one.table.button("Confirm").count(), 0);
  await one.table.move({ from: "d1", to: "c1", dice: [] });
  await one.table.reached(4);

  await other.page.getByRole("button", { name: "Preferences" }).click();
  const dialog = other.page.locator("lusoria-preferences");
  await dialog.getByRole("group", { name: "Complete turns" }).getByText("Always confirm", { exact: true }).click();
  await dialog.getByRole("button", { name: "Close" }).click();
  await other.table.moves();
  await other.table.move({ from: "e3", to: "d3", dice: [] });
  await other.table.able("Confirm").waitFor();
  assert.equal((await stage.snapshot(id)).head, 4);
  await other.table.button("Confirm").click();
  await other.table.reached(5);
});

test("a forced turn needs no confirmation, one with a choice does", async (t) => {
  // In zeno, the dice leave no choice while all pieces have to enter.
  const { id, guests } = await stage.match("zeno");
  const { table } = await stage.at(t, id, { guest: guests[0], preferences: USUAL });
  const { head } = await stage.snapshot(id);
  await table.moves();
  assert.ok(await table.page.evaluate(() => document.querySelector("lusoria-match").turn.isForced));
  await playBy(table, head, (moves) => moves[0].from);
  await table.reached(head + 1);
  assert.equal((await stage.events(id))[head].type, "turned");

  const free = await withOrder("tabula");
  const chosen = await stage.at(t, free.id, { guest: free.guests[0], preferences: USUAL });
  const before = (await stage.snapshot(free.id)).head;
  await chosen.table.moves();
  await playBy(chosen.table, before, (moves) => moves[0].from);
  await chosen.table.able("Confirm").waitFor();
  assert.equal((await stage.snapshot(free.id)).head, before);
});

/**
 * Plays a turn by clicks until no move is left.
 * @param {import("../support/table.js").Table} table
 * @param {number} head the event that gave the turn
 * @param {(moves: import("../support/table.js").Move[]) => string} place where to click
 */
async function playBy(table, head, place) {
  // A throw of three alike is twelve steps.
  for (let clicks = 0; clicks <= 12; clicks += 1) {
    const state = await table.page.waitForFunction((head) => {
      const { live, turn, renderRoot } = document.querySelector("lusoria-match");
      if (live.moment.seq !== head || turn.sending) return { isOver: true };
      if (!turn.legal) return undefined;
      return { isOver: turn.legal.complete, steps: turn.steps.length, moves: renderRoot.querySelector("lusoria-board").moves };
    }, head);
    const { isOver, moves, steps } = await state.jsonValue();
    if (isOver) return;
    await table.tap(place(moves));
    await table.page.waitForFunction(({ steps, head }) => {
      const { live, turn } = document.querySelector("lusoria-match");
      return live.moment.seq !== head || turn.sending || turn.steps.length > steps;
    }, { steps, head });
  }
}

test("the dice of a target stay inside its disc", async (t) => {
  const { id, guest } = await stage.alone("tavla");
  const { page, table } = await stage.at(t, id, { guest, preferences: { ...FAST, forced: "tap" } });
  const isAlike = (/** @type {number[]} */ dice) => dice.length > 2 && new Set(dice).size === 1;
  for (;;) {
    const moves = await table.moves();
    assert.ok(moves, "a double comes before the end");
    const several = moves.find(({ dice }) => isAlike(dice));
    if (several) {
      await table.tap(several.from);
      break;
    }
    await table.move(moves.find(({ dice }) => dice.length === 1));
  }
  await page.locator("lusoria-board .target .faces text").first().waitFor({ state: "attached" });
  const outside = await page.evaluate(() => {
    const { renderRoot } = document.querySelector("lusoria-match").renderRoot.querySelector("lusoria-board");
    return [...renderRoot.querySelectorAll(".target:has(.faces)")].flatMap((target) => {
      const disc = target.querySelector(".disc").getBoundingClientRect();
      const middle = { x: disc.x + disc.width / 2, y: disc.y + disc.height / 2 };
      return [...target.querySelectorAll(".faces rect, .faces text")].filter((part) => {
        const { left, right } = part.getBoundingClientRect();
        return Math.max(middle.x - left, right - middle.x) > disc.width / 2;
      }).map((part) => part.outerHTML);
    });
  });
  assert.deepEqual(outside, []);
});
