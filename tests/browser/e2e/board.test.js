// A board's information: where dice lie and whose they are, the targets, the purpose of the trays, and the side at the
// bottom.

import assert from "node:assert/strict";
import { FAST } from "../support/browser.js";
import { Stage } from "../support/stage.js";
import { test } from "../support/test.js";

const stage = new Stage();

/** @typedef {import("playwright-core").Page} Page */

/** How far a die's size may differ from its share of a piece, as a part of a piece. */
const SIZE_OFF = 0.08;

/** The box of a part of the board on the screen. @param {Page} page @param {string} selector */
const boxOf = async (page, selector) =>
  /** @type {{x: number, y: number, width: number, height: number}} */ (await page.locator(selector).first().boundingBox());

/** The centre of a box. @param {{x: number, y: number, width: number, height: number}} box */
const middle = ({ x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2 });

test("dice lie on their player's half of the board, a little smaller than a piece", async (t) => {
  const { id, guests } = await stage.match("tavla");
  const seats = await Promise.all(guests.map((guest) =>
    stage.at(t, id, { guest, preferences: { ...FAST, forced: "tap" } })));
  for (let turns = 0; turns < 2; turns += 1) {
    const { to_play: { seat, seq } } = await stage.snapshot(id);
    for (const [nth, { page, table }] of seats.entries()) {
      await table.reached(seq);
      const die = page.locator("lusoria-board lusoria-dice .faces svg").first();
      await die.waitFor();
      const slab = middle(await page.locator("lusoria-board").evaluate((board) => {
        const rects = [...board.renderRoot.querySelectorAll(".places rect")].filter(({ dataset }) => /^\d+$/.test(dataset.place));
        const boxes = rects.map((rect) => rect.getBoundingClientRect());
        const [left, top] = [Math.min(...boxes.map((box) => box.left)), Math.min(...boxes.map((box) => box.top))];
        const [right, bottom] = [Math.max(...boxes.map((box) => box.right)), Math.max(...boxes.map((box) => box.bottom))];
        return { x: left, y: top, width: right - left, height: bottom - top };
      }));
      const dice = middle(await boxOf(page, "lusoria-board lusoria-dice"));
      // On a table the near side throws to the right.
      assert.equal(dice.x > slab.x, seat === nth + 1, `seat ${seat}, seen by ${nth + 1}: ${dice.x} of ${slab.x}`);
      const piece = await page.locator("lusoria-board").evaluate((board) =>
        board.layout.spots.get("1").size * board.renderRoot.querySelector("svg").getScreenCTM().a);
      const { width } = /** @type {{width: number}} */ (await die.boundingBox());
      assert.ok(Math.abs(width / piece - 0.86) < SIZE_OFF, `${width} beside a piece of ${piece}`);
    }
    await stage.playOne(id, guests);
  }
});

test("targets are small dots that the board shines through", async (t) => {
  const { id, guests } = await stage.match("tablut");
  const { page, table } = await stage.at(t, id, { guest: guests[0], preferences: FAST });
  await table.moves();
  await table.tap("d1");
  const dots = page.locator("lusoria-board .targets .free .dot");
  await dots.first().waitFor();
  for (const dot of await dots.all()) {
    const [size, opacity] = await dot.evaluate((one) => {
      const place = one.closest(".target").dataset.place;
      const board = one.getRootNode();
      const cell = [...board.querySelectorAll(".places rect")].find(({ dataset }) => dataset.place === place);
      const { opacity, fillOpacity } = getComputedStyle(one);
      return [one.getBoundingClientRect().width / cell.getBoundingClientRect().width, Number(opacity) * Number(fillOpacity)];
    });
    assert.ok(size > 0.1 && size < 0.45, `${size} of a cell`);
    assert.ok(opacity < 1, `an opacity of ${opacity}`);
  }
});

for (const [width, height] of [[360, 740], [1440, 900]]) {
  test(`trays are named, and those of one owner are together on ${width}×${height}`, async (t) => {
    const { id, guests } = await stage.match("tabula");
    const { page } = await stage.at(t, id, { guest: guests[0], preferences: FAST, context: { viewport: { width, height } } });
    const names = page.locator("lusoria-board .tray-name");
    assert.deepEqual((await names.allTextContents()).sort(), ["Borne off", "Borne off", "To enter", "To enter"]);
    await page.locator("lusoria-board .places rect").first().waitFor();
    // In one step: a place that is redrawn between the two calls has no size.
    const places = await page.locator("lusoria-board").evaluate((board) => Object.fromEntries(
      [...board.shadowRoot.querySelectorAll(".places rect")]
        .filter(({ dataset }) => /:/.test(dataset.place) && !dataset.place.startsWith("bar"))
        .map((rect) => {
          const { x, y, width, height } = rect.getBoundingClientRect();
          return [rect.dataset.place, { x: x + width / 2, y: y + height / 2 }];
        })));
    const apart = (/** @type {string} */ one, /** @type {string} */ other) =>
      Math.hypot(places[one].x - places[other].x, places[one].y - places[other].y);
    for (const [side, others] of [["white", "black"], ["black", "white"]]) {
      const own = apart(`supply:${side}`, `off:${side}`);
      assert.ok(own < apart(`supply:${side}`, `off:${others}`), `${side}: ${JSON.stringify(places)}`);
    }
  });
}

for (const [width, height] of [[360, 740], [1440, 900]]) {
  test(`messages cover neither names nor clocks on ${width}×${height}`, async (t) => {
    const { id, guests } = await stage.match("tablut", { clock: { kind: "days", days: 3 } });
    const { page, table } = await stage.at(t, id, { guest: guests[0], preferences: FAST, context: { viewport: { width, height } } });
    await table.moves();
    await table.move({ from: "d1", to: "c2", dice: [] });
    await table.word.waitFor();
    const word = await boxOf(page, ".told .word");
    const players = await page.locator("lusoria-player").all();
    assert.equal(players.length, 2);
    for (const player of players) {
      const { y, height: high } = await player.boundingBox();
      assert.ok(word.y + word.height <= y || word.y >= y + high, `${word.y} to ${word.y + word.height} over ${y} to ${y + high}`);
    }
  });
}

test("F flips the board, and so does its button", async (t) => {
  const { id, guests } = await stage.match("tablut");
  const { page, table } = await stage.at(t, id, { guest: guests[0], preferences: FAST });
  const [a1, i9] = [await table.at("a1"), await table.at("i9")];
  /** Waits until a1 is where i9 was, or at its own place. @param {boolean} isTurned */
  const stands = (isTurned) => page.waitForFunction((x) => {
    const board = document.querySelector("lusoria-match").renderRoot.querySelector("lusoria-board");
    const corner = [...board.renderRoot.querySelectorAll(".places rect")].find(({ dataset }) => dataset.place === "a1");
    const box = corner.getBoundingClientRect();
    return Math.abs(box.x + box.width / 2 - x) < 1;
  }, isTurned ? i9.x : a1.x);
  await page.keyboard.press("f");
  await stands(true);
  assert.ok(Math.abs((await table.at("a1")).y - i9.y) < 1, "it is turned by half a circle");
  await page.getByRole("button", { name: "Flip the board" }).first().click();
  await stands(false);
});

test("? shows the keyboard shortcuts, and Escape closes them", async (t) => {
  const { id, guests } = await stage.match("tavla");
  const { page } = await stage.at(t, id, { guest: guests[0], preferences: FAST });
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  await page.locator("lusoria-keys").getByText("Flip the board").waitFor();
  await page.keyboard.press("Escape");
  await page.locator("lusoria-keys").waitFor({ state: "detached" });
});
