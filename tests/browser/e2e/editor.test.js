// The board editor: any position is put together by pointer and keys, judged, analysed, shared and saved.

import assert from "node:assert/strict";
import { judgeBothThemes } from "../support/axe.js";
import { FAST } from "../support/browser.js";
import { Stage } from "../support/stage.js";
import { test } from "../support/test.js";

const stage = new Stage();

/** Somebody at the editor. @param {import("node:test").TestContext} t @param {string} path @param {import("../support/stage.js").How} [how] */
async function editor(t, path, how) {
  const { page, goto } = await stage.visitor(t, { preferences: FAST, ...how });
  await goto(`/editor/${path}`);
  const place = (/** @type {string} */ name) => page.locator(`lusoria-board .places [data-place="${name}"]`);
  await place("off:white").or(place("a1")).waitFor({ state: "attached" });
  const told = (/** @type {string | RegExp} */ text) => page.locator(".told").getByText(text).waitFor();
  const holds = (/** @type {string} */ query) => page.waitForFunction((query) => location.search === query, query);
  return { page, goto, place, told, holds };
}

test("pieces of both sides are dragged, clicked and moved by keys, beside the board too, and taken back", async (t) => {
  const { page, place, told, holds } = await editor(t, "tavla");
  await told("This position is possible. To play: White.");
  const middle = async (/** @type {string} */ name) => {
    const { x, y, width, height } = /** @type {any} */ (await place(name).boundingBox());
    return [x + width / 2, y + height / 2];
  };
  const [[x, y], [toX, toY]] = [await middle("24"), await middle("13")];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(toX, toY, { steps: 4 });
  await page.mouse.up();
  await holds("?white=13-1.24-14&black=24-15&turn=white");
  // Black's points are counted the other way: its 24 is White's 1.
  await place("1").click({ force: true });
  await place("13").click({ force: true });
  await holds("?white=13-pinned.24-14&black=12-1.24-14&turn=white");
  await place("24").focus();
  for (const key of ["Enter", "ArrowLeft", "ArrowLeft", "Enter"]) await page.keyboard.press(key);
  await holds("?white=13-pinned.22-1.24-13&black=12-1.24-14&turn=white");
  await page.keyboard.press("ArrowRight");
  assert.match(await page.evaluate(() => {
    let focused = document.activeElement;
    while (focused?.shadowRoot) focused = focused.shadowRoot.activeElement;
    return focused?.getAttribute("aria-label") ?? "";
  }), /^23, empty/, "the keyboard goes on from where the piece was put");
  await page.keyboard.press("u");
  await holds("?white=13-pinned.24-14&black=12-1.24-14&turn=white");
  await judgeBothThemes(page, "the editor");
});

test("beside the first turn of a game stands what the computer has found about it", async (t) => {
  const { page } = await editor(t, "tavla?white=24-15&black=24-15&turn=black&dice=4.6");
  const opening = page.locator(".side lusoria-opening");
  await opening.getByText("Best, as the computer has found: 24/18 24/20, wins 53.6 of 100. Next: 24/18 18/14, 2.4 fewer.").waitFor();
  await page.getByLabel("Die 1").selectOption("6");
  await page.getByLabel("Die 2").selectOption("6");
  await opening.waitFor({ state: "hidden" });
});

test("what no game can come to is told in words, and cannot be analysed", async (t) => {
  const { page, place, told } = await editor(t, "tabula");
  await place("supply:white").click({ force: true });
  await place("off:white").click({ force: true });
  await told(/^White: no play brings the pieces/);
  assert.ok(await page.getByRole("button", { name: "Analyse" }).isDisabled());
  await page.getByRole("button", { name: "Start position" }).click();
  await told("This position is possible. To play: White.");
});

for (const [game, query] of [
  ["zeno", "white=24-7.off-8&black=18-1.19-3.20-4.21-5.22-2&turn=white&dice=4.1.2"], ["scripta", "white=E1-5.E2-5.off-5&black=E3-15&turn=black&dice=6.5"],
  ["tavla", "white=5-5.6-5.off-5&black=3-14.off-1&turn=white&dice=6.5"], ["tabula", "white=20-5.24-5.off-5&black=24-15&turn=white&dice=6.5.4"],
  ["tablut", "board=9.4t4.9.9.4K4.9.9.9.9&turn=attackers"],
]) {
  test(`a position of ${game} in a link is analysed, with turns for both sides`, async (t) => {
    const { page } = await editor(t, `${game}?${query}`);
    await page.getByRole("button", { name: "Analyse" }).click();
    const best = page.locator(".side ol.tried button");
    await best.first().waitFor();
    await best.first().click();
    await page.locator(".side ol.line li").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Analyse" }).waitFor();
    assert.equal(new URL(page.url()).search, `?${query}`, "and the position is still the one of the link");
  });
}

test("a link is shared, a variation is saved and opened again, and a link without a position says so", async (t) => {
  const query = "white=5-5.6-5.off-5&black=3-14.off-1&turn=white&dice=6.5";
  const { page, goto, told, holds } = await editor(t, `tavla?${query}`);
  await page.getByRole("button", { name: "Share this position" }).click();
  assert.equal(await page.getByRole("textbox", { name: "Link" }).inputValue(), page.url());
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Analyse" }).click();
  const line = page.locator(".side ol.line li");
  await page.locator(".side ol.tried button").first().click();
  await line.waitFor();
  const turn = await line.innerText();
  await page.locator(".side").getByLabel("Name").fill("Race");
  await page.locator(".side").getByLabel("Name").press("Enter");
  await told("Saved: Race.");
  await goto("/editor/tavla?white=lost");
  await told("This link holds no position of this game");
  await page.locator(".side").getByRole("button", { name: "Race", exact: true }).click();
  await line.waitFor();
  assert.equal((await line.innerText()).split("\n")[0], turn.split("\n")[0]);
  await page.keyboard.press("Escape");
  await holds(`?${query}`);
  await page.locator(".side").getByRole("button", { name: "Delete “Race”" }).click();
  await told("Deleted: Race.");
});

test("on the narrowest screen the editor fits, and its sheet has whose turn it is", async (t) => {
  const { page, told } = await editor(t, "zeno", { context: { viewport: { width: 320, height: 568 }, reducedMotion: "reduce" } });
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320, "nothing scrolls sideways");
  await page.getByRole("button", { name: "More" }).click();
  await judgeBothThemes(page, "the sheet of the editor");
  await page.getByLabel("To play").selectOption("Black");
  await page.keyboard.press("Escape");
  await told("This position is possible. To play: Black.");
});
