// Only pieces ever move on a board: its box, its layout and everything beside it keep their places through turns,
// refusals, hints, offers, ends and the replay. WHOLE=1 plays every game to its end at four sizes (`npm run still`),
// which takes minutes.

import assert from "node:assert/strict";
import { FAST } from "../support/browser.js";
import { Random, SEED, seeded } from "../support/random.js";
import { Stage } from "../support/stage.js";
import { test } from "../support/test.js";

const stage = new Stage();

const GAMES = ["zeno", "scripta", "tabula", "tavla", "tablut"];
/** How long the computer may think on a busy machine. */
const THINKS_MS = 90_000;

/** The preferences with animations. */
const SEEN = { motion: "auto", pace: "quick" };

/** Whether games are played to their end. */
const WHOLE = process.env.WHOLE === "1";

const SIZES = WHOLE ? [[360, 740], [820, 1180], [1440, 900], [2560, 1440]] : [[360, 740], [1440, 900]];

/** A longer game than this has shown enough. */
const STEPS_MAX = WHOLE ? 2_000 : 24;

/**
 * Records, from now on, every position of every element, every layout of the board, and the browser's own layout
 * shifts.
 * @param {import("playwright-core").Page} page
 */
const watch = (page) => page.evaluate(() => {
  const match = document.querySelector("lusoria-match");
  const seen = (window.seen = { places: {}, shifts: [] });
  const note = (name, what) => (seen.places[name] ??= new Set()).add(what);
  const box = (element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return [x, y, width, height].join(" ");
  };
  const look = () => {
    const root = match.renderRoot;
    const board = root.querySelector("lusoria-board");
    for (const name of [".table", ".told", ".bar", "main > lusoria-player", ".tools"]) note(name, box(root.querySelector(name)));
    note("board", box(board));
    note("cells", [...board.renderRoot.querySelectorAll(".places rect")].map((rect) => `${rect.dataset.place} ${box(rect)}`).join());
    const slots = [...root.querySelectorAll(".slots > *")];
    if (slots.length > 1) note("slots", slots.map((slot) => `${slot.getBoundingClientRect().x}`).join());
    window.looking = requestAnimationFrame(look);
  };
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries()) {
      const rect = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(" ");
      const moved = sources.map(({ previousRect, currentRect }) => `${rect(previousRect)} -> ${rect(currentRect)}`).join(", ");
      seen.shifts.push(`${value.toFixed(4)} ${moved}`);
    }
  }).observe({ type: "layout-shift" });
  look();
});

/** The elements that have been in more than one position. @param {import("playwright-core").Page} page @returns {Promise<string[]>} */
const moved = (page) => page.evaluate(() => {
  const { places, shifts } = window.seen;
  const boxes = Object.entries(places).filter(([, all]) => all.size > 1).map(([name, all]) => `${name}: ${[...all].join(" | ").slice(0, 300)}`);
  return [...boxes, ...shifts];
});

/** Waits for two frames, in which everything is rendered. @param {import("playwright-core").Page} page */
const drawn = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

/** Tries an illegal move, and opens the whole refusal. @param {import("../support/table.js").Table} table @param {string} from */
async function refused(table, from) {
  const { page } = table;
  const places = await page.locator("lusoria-board .places rect").evaluateAll((rects) =>
    rects.filter((rect) => !rect.classList.contains("can")).map((rect) => rect.dataset.place));
  await table.move({ from, to: places.at(-1), dice: [] });
  await table.word.waitFor();
  const why = page.getByRole("button", { name: "Why?" });
  if (await why.count()) {
    await why.click();
    await page.locator(".reasons").waitFor();
    await drawn(page);
    await page.locator(".told").getByRole("button", { name: "Close" }).click();
  }
  await table.tap(from);
}

/** Plays until the game has ended, or long enough. @param {import("../support/table.js").Table} table @param {Random} random */
async function play(table, random) {
  for (let steps = 0; steps < STEPS_MAX; steps += 1) {
    const moves = await table.moves();
    if (!moves) return;
    const off = moves.filter(({ to }) => to.startsWith("off"));
    await table.move(random.pick(off.length > 0 ? off : moves));
  }
}

/** Refusals, hints and undone steps, as a person tries the controls. @param {import("../support/table.js").Table} table */
async function tryOut(table) {
  const [first] = (await table.moves()) ?? [];
  await refused(table, first.from);
  // A forced turn needs no hint.
  if (await table.able("Hint").count()) {
    await table.button("Hint").click();
    await table.page.locator(".advice").waitFor({ timeout: THINKS_MS });
    await table.button("Close the hint").click();
  }
  await table.move(first);
  await table.able("Undo").waitFor();
  await table.button("Undo").click();
  await table.able("Undo").waitFor({ state: "detached" });
}

/** Hides the end, and replays the match. @param {import("playwright-core").Page} page */
async function lookBack(page) {
  await page.locator(".ending").waitFor();
  await drawn(page);
  await page.getByRole("button", { name: "Look at the board" }).click();
  await page.locator(".bar").getByRole("button", { name: "Replay" }).click();
  for (let stops = 0; stops < 4; stops += 1) {
    await page.locator(".bar").getByRole("button", { name: "Forward", exact: true }).click();
    await drawn(page);
  }
  await page.getByRole("button", { name: "Back to the end" }).click();
  await drawn(page);
}

for (const [nth, game] of GAMES.entries()) {
  test(`only pieces and thrown dice move: ${game}`, (t) => seeded(async () => {
    const { id, guest } = await stage.alone(game);
    // All pages are the same player's: one plays the game, the others show it. In each game another size plays.
    const own = nth % SIZES.length;
    const seats = [];
    for (const [size, [width, height]] of SIZES.entries()) {
      const preferences = size === own ? FAST : { ...FAST, confirming: "ask", forced: "tap", ...(WHOLE ? SEEN : {}) };
      seats.push(await stage.at(t, id, { guest, preferences, context: { viewport: { width, height } } }));
    }
    const others = seats.filter((_, size) => size !== own);
    for (const { page } of seats) await watch(page);
    for (const { table } of others) await tryOut(table);
    await play(seats[own].table, new Random(SEED + 10 * nth));
    await stage.server.ask("POST", `/matches/${id}/resign`, {}, guest.token).catch(() => {});
    for (const { page } of seats) await lookBack(page);
    for (const [size, { page }] of seats.entries()) assert.deepEqual(await moved(page), [], `${game} on ${SIZES[size].join("×")}`);
  }));
}

test("an offer of a draw, its answer and the dialogue shift nothing", async (t) => {
  const { id, guests } = await stage.match("tabula");
  for (let turn = 0; turn < 4; turn += 1) await stage.playOne(id, guests);
  const seats = await Promise.all(guests.map((guest) => stage.at(t, id, { guest, preferences: FAST, context: { viewport: { width: 1440, height: 900 } } })));
  for (const { page } of seats) await watch(page);
  const one = seats[0].page.getByRole("complementary");
  await one.getByRole("button", { name: "Offer a draw" }).click();
  await one.locator("lusoria-dialog").getByRole("button", { name: "Offer a draw" }).click();
  await one.getByText("Your offer of a draw is waiting for Zeno.").waitFor();
  const resign = await one.getByRole("button", { name: "Resign the game" }).boundingBox();
  await seats[1].page.locator(".told").getByRole("button", { name: "Decline" }).click();
  await seats[0].page.locator(".told .word").getByText("Zeno declines the draw.").waitFor();
  await one.getByText("Your offer was not accepted.").waitFor();
  assert.ok(await one.getByRole("button", { name: "Offer a draw" }).isDisabled());
  assert.deepEqual(await one.getByRole("button", { name: "Resign the game" }).boundingBox(), resign);
  for (const { page } of seats) {
    const boxes = (await moved(page)).filter((what) => /^(board|cells|\.)/.test(what));
    assert.deepEqual(boxes, []);
  }
});
