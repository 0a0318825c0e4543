// The route of one's pieces: shown on the board for the first turns, and on demand.

import assert from "node:assert/strict";
import { FAST } from "../support/browser.js";
import { Stage } from "../support/stage.js";
import { test } from "../support/test.js";

const stage = new Stage();

const GAMES = ["zeno", "scripta", "tabula", "tavla", "tablut"];

/** The route that the board shows. @param {import("playwright-core").Page} page */
const route = (page) => page.locator("lusoria-board .ways .route");

for (const game of GAMES) {
  test(`a newcomer to ${game} sees the route of their pieces, until they have played three turns`, async (t) => {
    const { id, guests } = await stage.match(game);
    await answer(id, guests);
    const { page, table } = await stage.at(t, id, { guest: guests[0], preferences: { ...FAST, forced: "tap" } });
    await route(page).waitFor({ state: "attached" });
    const what = game === "tablut" ? /Capture the king/ : /leave the board there/;
    await page.locator(".told").getByText(what).waitFor();
    for (let turns = 0; turns < 3; turns += 1) {
      assert.equal(await route(page).count(), 1, `turn ${turns}`);
      await playTurn(table);
      await answer(id, guests);
    }
    await route(page).waitFor({ state: "detached" });
    await page.reload();
    await table.ready();
    await table.moves();
    assert.equal(await route(page).count(), 0, "it is remembered");
  });
}

/** Plays for the second player until it is the first one's turn. @param {string} id @param {{id: string, token: string}[]} guests */
async function answer(id, guests) {
  for (;;) {
    const { to_play: toPlay, players } = await stage.snapshot(id);
    if (players[toPlay.seat].id === guests[0].id) return;
    await stage.playOne(id, guests);
  }
}

/** Plays the first legal moves until the turn is over. @param {import("../support/table.js").Table} table */
async function playTurn(table) {
  const { page } = table;
  const seq = await page.waitForFunction(() => document.querySelector("lusoria-match").turn.seq).then((seq) => seq.jsonValue());
  for (;;) {
    const state = await page.waitForFunction(({ seq, asked }) => {
      const { turn, renderRoot, live } = document.querySelector("lusoria-match");
      if (turn.seq !== seq) return { isOver: true, head: live.moment.seq };
      const { moves } = renderRoot.querySelector("lusoria-board");
      return turn.legal && !turn.sending && turn.asked !== asked && moves.length > 0 ? { moves, asked: turn.asked } : undefined;
    }, { seq, asked: table.asked });
    const { isOver, moves, asked } = await state.jsonValue();
    if (isOver) return;
    table.asked = asked;
    await table.move(moves[0]);
  }
}

test("the route is shown and hidden, by the button and by the key", async (t) => {
  const { id, guests } = await stage.match("tabula");
  const { page, table } = await stage.at(t, id, { guest: guests[1], preferences: { ...FAST } });
  const button = page.locator(".bar").getByRole("button", { name: "Where do I go?" });
  // New to the game, they see it unasked.
  assert.equal(await button.getAttribute("aria-pressed"), "true");
  await button.click();
  await route(page).waitFor({ state: "detached" });
  await page.keyboard.press("w");
  await route(page).waitFor({ state: "attached" });
  assert.equal(await button.getAttribute("aria-pressed"), "true");
  await table.word.getByText("Your pieces come in at 1, go on to 24, and leave the board there.").waitFor();
  await page.keyboard.press("w");
  await route(page).waitFor({ state: "detached" });
});

test("on a phone the route is in the sheet", async (t) => {
  const { id, guests } = await stage.match("scripta");
  const context = { viewport: { width: 360, height: 740 } };
  const { page } = await stage.at(t, id, { guest: guests[0], preferences: FAST, context });
  await page.keyboard.press("w");
  await route(page).waitFor({ state: "detached" });
  await page.locator(".bar").getByRole("button", { name: "More" }).click();
  await page.locator("dialog.sheet").getByRole("button", { name: "Where do I go?" }).click();
  await route(page).waitFor({ state: "attached" });
  await page.locator("dialog.sheet[open]").waitFor({ state: "detached" });
});

test("the route shown is one's own: of two players, each sees their own end", async (t) => {
  const { id, guests } = await stage.match("tavla");
  for (const guest of guests) {
    const { page } = await stage.at(t, id, { guest, preferences: FAST });
    const [end, home] = await page.evaluate(() => {
      const board = document.querySelector("lusoria-match").renderRoot.querySelector("lusoria-board");
      const { x, y } = board.renderRoot.querySelector(".ways .sign:last-child").getBoundingClientRect();
      const own = [...board.renderRoot.querySelectorAll(".places rect")].find((rect) => rect.ariaLabel.startsWith("1,"));
      const { left, right, top, bottom } = own.getBoundingClientRect();
      return [{ x, y }, { left, right, top, bottom }];
    });
    assert.ok(end.x >= home.left && end.x <= home.right && end.y >= home.top && end.y <= home.bottom, JSON.stringify([end, home]));
  }
});

test("a player of both sides sees the names of cells that the list of turns uses", async (t) => {
  const { id, guest } = await stage.alone("tavla");
  const { page, table } = await stage.at(t, id, { guest, preferences: { ...FAST, forced: "tap" } });
  const seen = new Map();
  while (seen.size < 2) {
    const { to_play: { side, seq } } = await stage.snapshot(id);
    await table.reached(seq);
    // One player's 1 is the other's 24.
    await page.waitForFunction(({ seq, side }) => {
      const { live, renderRoot } = document.querySelector("lusoria-match");
      return live.moment.seq === seq && renderRoot.querySelector("lusoria-board").layout.namer === side;
    }, { seq, side });
    const written = await page.evaluate(() => {
      const { renderRoot } = document.querySelector("lusoria-match").renderRoot.querySelector("lusoria-board");
      return [...renderRoot.querySelectorAll(".ground .labels text")].map((label) => label.textContent);
    });
    seen.set(side, { written, heard: await table.named("1") });
    await playTurn(table);
  }
  const { white, black } = Object.fromEntries(seen);
  assert.match(white.heard, /^1,/);
  assert.match(black.heard, /^24,/);
  assert.deepEqual(black.written.map((name) => String(25 - Number(name))), white.written);
});

/** The least readable size. */
const READ_MIN_PX = 11;

test("the text on a board can be read on a phone", async (t) => {
  const context = { viewport: { width: 360, height: 740 } };
  for (const game of ["zeno", "scripta", "tabula", "tavla", "tablut"]) {
    const { id } = await stage.match(game);
    const { page } = await stage.at(t, id, { context });
    const written = await page.evaluate(() => {
      const { renderRoot } = document.querySelector("lusoria-match").renderRoot.querySelector("lusoria-board");
      return [...renderRoot.querySelectorAll(".ground .labels text, .ground .tray-name, .counts text")].map((text) => {
        const size = Number.parseFloat(getComputedStyle(text).fontSize);
        const { a, b } = text.getScreenCTM();
        const { left, right } = text.getBoundingClientRect();
        return { text: text.textContent, size, shown: size * Math.hypot(a, b), left, right };
      });
    });
    assert.ok(written.length > 9, game);
    for (const { text, size, shown } of written) {
      assert.ok(shown > READ_MIN_PX - 0.2, `${game}: ${text} has ${shown} px`);
      assert.ok(size >= 12, `${game}: ${text} has a font of ${size} px`);
    }
    const outside = written.filter(({ left, right }) => left < 0 || right > context.viewport.width);
    assert.deepEqual(outside, [], `${game}: written beside the screen`);
  }
});
