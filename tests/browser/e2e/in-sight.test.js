// Everything needed to play fits on every screen: nothing scrolls during a match, and nothing is too small.

import assert from "node:assert/strict";
import { FAST } from "../support/browser.js";
import { Stage } from "../support/stage.js";
import { test } from "../support/test.js";

const stage = new Stage();

const GAMES = ["zeno", "scripta", "tabula", "tavla", "tablut"];
const SIZES = [[320, 568], [360, 740], [740, 360], [820, 1180], [1440, 900]];

/** The least size of a touch target (WCAG 2.2, 2.5.8). */
const TARGET_MIN_PX = 24;

for (const [width, height] of SIZES) {
  test(`a match does not scroll on ${width}×${height}, and everything is visible`, async (t) => {
    for (const game of GAMES) {
      const { id, guest } = await stage.alone(game);
      const preferences = { ...FAST, confirming: "ask", forced: "tap" };
      const { page, table } = await stage.at(t, id, { guest, preferences, context: { viewport: { width, height } } });
      const [first] = (await table.moves()) ?? [];
      await table.move(first);
      await table.page.locator(".bar").getByRole("button", { name: "Undo" }).waitFor();
      assert.deepEqual(await outOfSight(page), [], `${game} on ${width}×${height}`);
      const cell = await smallest(page);
      assert.ok(cell.px >= TARGET_MIN_PX, `${game} on ${width}×${height}: ${cell.place} is ${cell.px} px wide`);
    }
  });
}

/** Elements that scroll or are outside the screen. @param {import("playwright-core").Page} page @returns {Promise<string[]>} */
const outOfSight = (page) => page.evaluate(() => {
  const faults = [];
  const { scrollWidth, scrollHeight } = document.documentElement;
  if (scrollWidth > innerWidth || scrollHeight > innerHeight) faults.push(`the page scrolls: ${scrollWidth}×${scrollHeight}`);
  const root = document.querySelector("lusoria-match").renderRoot;
  const parts = [...root.querySelectorAll("main > lusoria-player, main > .told, main > .table, main > .bar, .bar button, .told button, lusoria-dice")];
  for (const part of parts) {
    const { left, top, right, bottom, width } = part.getBoundingClientRect();
    const name = `${part.tagName} ${part.className} ${part.getAttribute("aria-label") ?? part.textContent.trim().slice(0, 40)}`;
    const hidden = getComputedStyle(part).display === "none";
    if (!hidden && (left < -0.5 || top < -0.5 || right > innerWidth + 0.5 || bottom > innerHeight + 0.5)) {
      faults.push(`${name}: ${[left, top, right, bottom].map(Math.round).join(" ")}`);
    }
    // Badges lie beside their dice, outside the box.
    const isDice = part.tagName === "LUSORIA-DICE";
    if (!hidden && !isDice && part.scrollWidth > part.clientWidth + 1 && width > 0) faults.push(`${name} is cut: ${part.scrollWidth} > ${part.clientWidth}`);
  }
  return faults;
});

/** The smallest cell of the board on the screen. @param {import("playwright-core").Page} page @returns {Promise<{place: string, px: number}>} */
const smallest = (page) => page.evaluate(() => {
  const board = document.querySelector("lusoria-match").renderRoot.querySelector("lusoria-board");
  const cells = [...board.renderRoot.querySelectorAll(".places rect")].map((rect) => {
    const { width, height } = rect.getBoundingClientRect();
    return { place: rect.dataset.place, px: Math.min(width, height) };
  });
  return cells.sort((a, b) => a.px - b.px)[0];
});
