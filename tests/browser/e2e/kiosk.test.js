// A table in an exhibition: two people at one touch screen, who arrive, play and leave.

import assert from "node:assert/strict";
import { judgeBothThemes } from "../support/axe.js";
import { Stage } from "../support/stage.js";
import { test } from "../support/test.js";

/** @typedef {import("playwright-core").Page} Page */

const stage = new Stage({ alone: true });

const SIZES = [[1920, 1080], [1080, 1920], [360, 640]];

const MINUTE_MS = 60_000;
const WARNING_MS = 15_000;

/**
 * A kiosk.
 * @param {import("node:test").TestContext} t @param {string} [query]
 * @param {import("playwright-core").BrowserContextOptions} [context]
 * @param {{isTimed?: boolean}} [how] whether the test controls the clock
 */
async function kiosk(t, query = "", context = {}, { isTimed = true } = {}) {
  const { person, page, goto } = await stage.visitor(t, {
    preferences: { motion: "none", sounds: false, pace: "none" },
    context: { hasTouch: true, viewport: { width: 1280, height: 800 }, ...context },
  });
  if (isTimed) await page.clock.install();
  await goto(`/kiosk${query}`);
  await chosen(page);
  return { person, page, goto };
}

/** Waits until the games are offered. @param {Page} page */
const chosen = (page) => page.getByRole("button", { name: /^(Tablut|Zeno|Tavli)/ }).first().and(page.locator(":enabled")).waitFor();

/** Waits for a board with a match. @param {Page} page */
const laid = (page) => page.locator("lusoria-kiosk-table lusoria-board .places rect").first().waitFor({ state: "attached" });

/** @param {Page} page @param {RegExp} game */
async function choose(page, game) {
  await page.getByRole("button", { name: game }).tap();
  await laid(page);
}

/** The moment of the match there. @param {Page} page @returns {Promise<{id: string, seq: number, seat: number, state: string}>} */
const match = (page) =>
  page.evaluate(() => {
    const { live } = /** @type {any} */ (document.querySelector("lusoria-kiosk")).table;
    return { id: live.id, seq: live.moment.seq, seat: live.moment.toPlay?.seat, state: live.moment.state };
  });

/** Plays a turn by touch. @param {Page} page */
async function playTurn(page) {
  const { seq } = await match(page);
  for (;;) {
    const next = await page.waitForFunction((seq) => {
      const { table } = /** @type {any} */ (document.querySelector("lusoria-kiosk"));
      const { live, turn } = table;
      if (live.moment.state !== "playing" || live.moment.toPlay?.seq > seq) return { done: true };
      if (turn.isCovered) return { button: true };
      if (!turn.legal || turn.sending) return undefined;
      if (turn.isComplete || turn.forced.length > 0) return { button: true };
      const board = table.renderRoot.querySelector("lusoria-board");
      if (board.isWaiting || board.moves.length === 0) return undefined;
      const middle = (/** @type {string} */ place) => {
        const rects = [...board.renderRoot.querySelectorAll(".places rect")];
        const box = rects.find((rect) => rect.dataset.place === place).getBoundingClientRect();
        return [box.x + box.width / 2, box.y + box.height / 2];
      };
      // With dice a touch moves a piece by the next die, without dice a second one selects the target.
      const [move] = board.moves;
      return { taps: board.order.length > 0 ? [middle(board.moves.find((one) => board.next(one.from)).from)] : [middle(move.from), middle(move.to)] };
    }, seq);
    const { done, button, taps } = /** @type {{done?: boolean, button?: boolean, taps?: [number, number][]}} */ (await next.jsonValue());
    if (done) return;
    if (button) await page.locator(".strip.turn .does .main:enabled").tap();
    for (const [x, y] of taps ?? []) await page.touchscreen.tap(x, y);
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  }
}

/** All links that lead elsewhere, in all shadow trees. @param {Page} page @returns {Promise<string[]>} */
const leads = (page) =>
  page.evaluate(() => {
    /** @type {string[]} */
    const found = [];
    const look = (/** @type {Document | ShadowRoot} */ root) => {
      for (const element of root.querySelectorAll("*")) {
        if (element.matches("a[href], area, form, iframe, [draggable=true]")) found.push(element.outerHTML);
        if (element.shadowRoot) look(element.shadowRoot);
      }
    };
    look(document);
    return found;
  });

/** The state of a match on the server. @param {string} id @returns {Promise<string>} */
const stateOf = async (id) => (await stage.snapshot(id)).state;

/** Waits until a match has ended on the server. @param {string} id */
async function ended(id) {
  while ((await stateOf(id)) !== "ended") await new Promise((resolve) => setImmediate(resolve));
}

for (const game of [/^Tavla/, /^Tablut/, /^Zeno/]) {
  test(`two people choose ${game.source.slice(1)} and play by touch`, async (t) => {
    const { page } = await kiosk(t);
    await choose(page, game);
    const seats = new Set();
    // In zeno a throw may enter no piece, even several times: continue until both have played.
    for (let turn = 0; turn < 4 || seats.size < 2; turn += 1) {
      const { seat, state } = await match(page);
      if (state !== "playing") break;
      seats.add(seat);
      const strip = page.locator(".strip.turn");
      assert.equal(await strip.count(), 1);
      assert.equal(await strip.evaluate((strip) => strip.classList.contains("near")), seat === 1);
      await playTurn(page);
    }
    assert.deepEqual([...seats].sort(), [1, 2]);
    assert.deepEqual((await stage.snapshot((await match(page)).id)).admission, "both_seats");
  });
}

test("the player opposite reads upside down, unless both sit on the same side", async (t) => {
  const turned = (/** @type {Page} */ page) =>
    page.locator(".strip").evaluateAll((strips) => strips.map((strip) => getComputedStyle(strip).rotate));
  const { page, goto } = await kiosk(t);
  await choose(page, /^Tavla/);
  assert.deepEqual(await turned(page), ["180deg", "none"]);
  const far = page.locator(".strip.far");
  await far.getByRole("button", { name: "How to play" }).tap();
  const card = page.getByRole("dialog", { name: "How to play" }).locator(".card");
  await card.getByRole("heading", { name: "Tavla" }).waitFor();
  assert.equal(await card.evaluate((card) => getComputedStyle(card).rotate), "180deg");
  await page.touchscreen.tap(20, 400);
  await card.waitFor({ state: "detached" });
  await goto("/kiosk?facing=same");
  await choose(page, /^Tavla/);
  assert.deepEqual(await turned(page), ["none", "none"]);
});

test("an abandoned table offers the games again, in its own language", async (t) => {
  const { page } = await kiosk(t, "?minutes=2");
  await page.getByRole("button", { name: "Français" }).tap();
  await page.getByRole("heading", { name: "Choisissez un jeu" }).waitFor();
  await choose(page, /^Tablut/);
  await playTurn(page);
  const { id } = await match(page);
  await page.clock.fastForward(2 * MINUTE_MS - 5_000);
  assert.equal(await page.getByRole("alertdialog").count(), 0);
  await page.clock.fastForward(5_000);
  const warning = page.getByRole("alertdialog", { name: "Quelqu’un joue-t-il encore ?" });
  await warning.getByText("encore 15 secondes").first().waitFor();
  assert.equal(await warning.locator(".note").count(), 2, "both are asked");
  await page.touchscreen.tap(640, 400);
  await warning.waitFor({ state: "detached" });
  await laid(page);
  assert.equal((await match(page)).id, id, "the touch has stopped it, and done nothing else");
  await page.clock.fastForward(2 * MINUTE_MS);
  await warning.waitFor();
  await page.clock.runFor(WARNING_MS);
  await page.getByRole("heading", { name: "Choose a game" }).waitFor();
  await ended(id);
  // Passers-by see Zeno's throw, until one of them touches it.
  const attraction = page.getByRole("button", { name: "Touch to play" });
  await attraction.getByText("has to leave eight pieces alone").waitFor();
  await judgeBothThemes(page, "the attraction");
  await attraction.tap();
  await attraction.waitFor({ state: "detached" });
  assert.equal(await page.locator("lusoria-kiosk-table").count(), 0, "the touch has begun nothing");
});

test("no link or gesture leaves it", async (t) => {
  const { page, goto } = await kiosk(t);
  await goto("/");
  await page.locator("lusoria-home").waitFor();
  await goto("/kiosk");
  await chosen(page);
  const own = page.url();
  const prevented = (/** @type {string} */ name) => page.evaluate((name) => {
    const event = new Event(name, { bubbles: true, cancelable: true, composed: true });
    document.querySelector("lusoria-kiosk").renderRoot.querySelector("main, lusoria-kiosk-table").dispatchEvent(event);
    return event.defaultPrevented;
  }, name);
  const holds = async () => {
    assert.deepEqual(await leads(page), []);
    for (const name of ["contextmenu", "dragstart", "selectstart"]) assert.equal(await prevented(name), true, name);
    assert.equal(await page.evaluate(() => getComputedStyle(document.querySelector("lusoria-kiosk")).userSelect), "none");
    assert.equal(page.url(), own, "the address of the match is not shown");
    assert.equal(await page.locator("lusoria-head, footer").count(), 0);
  };
  await holds();
  await choose(page, /^Tavla/);
  await holds();
  for (const way of ["how", "stop"]) {
    await page.locator(".strip.near").getByRole("button", { name: way === "how" ? "How to play" : "Another game" }).tap();
    await holds();
    await page.getByRole("button", { name: way === "how" ? "Touch anywhere to continue" : "Keep playing" }).tap();
  }
  for (let back = 0; back < 3; back += 1) {
    await page.goBack({ waitUntil: "commit" });
    await laid(page);
    await holds();
  }
});

test("the end of a game is shown to both, and one touch leads to another game", async (t) => {
  const { page } = await kiosk(t);
  await choose(page, /^Tablut/);
  const { id } = await match(page);
  await playTurn(page);
  await playTurn(page);
  const { token } = await page.evaluate(() => JSON.parse(localStorage.getItem("lusoria.guest") ?? ""));
  await stage.server.ask("POST", `/matches/${id}/resign`, {}, token);
  const results = page.locator(".strip .result");
  await results.first().waitFor();
  assert.equal(await results.count(), 2);
  for (const text of await results.allTextContents()) assert.match(text, /has won/);
  assert.deepEqual(await leads(page), []);
  await page.locator(".strip.far").getByRole("button", { name: "Play again" }).tap();
  await page.waitForFunction((id) => {
    const { table } = /** @type {any} */ (document.querySelector("lusoria-kiosk"));
    return table && table.live.id !== id && table.live.moment.state === "playing";
  }, id);
  const again = await match(page);
  await page.locator(".strip.near").getByRole("button", { name: "Another game" }).tap();
  await page.getByRole("dialog").getByRole("button", { name: "Choose another game" }).tap();
  await chosen(page);
  await ended(again.id);
  const kept = await page.evaluate(() => JSON.parse(localStorage.getItem("lusoria.guest") ?? "").token);
  assert.equal(kept, token, "the same guest is used on");
});

test("a short loss of the connection does no harm", async (t) => {
  const { person, page } = await kiosk(t);
  person.expecting.push(/./);
  await choose(page, /^Tablut/);
  await playTurn(page);
  const before = await match(page);
  await stage.killed(t);
  await page.waitForFunction(() => document.querySelector("lusoria-kiosk").connection.line !== "open");
  await stage.server.again();
  await page.clock.runFor(2_000);
  await playTurn(page);
  const after = await match(page);
  assert.equal(after.id, before.id);
  assert.ok(after.seq > before.seq);
});

test("every failure leads back to the games", async (t) => {
  const { person, page } = await kiosk(t);
  person.expecting.push(/./);
  await choose(page, /^Tavla/);
  const { id } = await match(page);
  await stage.killed(t);
  await page.clock.fastForward(3 * MINUTE_MS);
  await page.getByRole("alertdialog").waitFor();
  await page.clock.runFor(WARNING_MS);
  await page.getByRole("button", { name: "Touch to play" }).tap();
  await chosen(page);
  await page.getByRole("button", { name: /^Zeno/ }).tap();
  await page.getByRole("alert").waitFor();
  await chosen(page);
  await stage.server.again();
  await choose(page, /^Zeno/);
  await page.locator(".strip.near").getByRole("button", { name: "Another game" }).tap();
  await page.getByRole("dialog").getByRole("button", { name: "Choose another game" }).tap();
  await ended(id);
});

test("a kiosk whose guest the server no longer knows continues as another", async (t) => {
  const { person, page } = await kiosk(t);
  person.expecting.push(/status of 401/);
  await choose(page, /^Tavla/);
  const { token } = await page.evaluate(() => JSON.parse(localStorage.getItem("lusoria.guest") ?? ""));
  await stage.server.ask("DELETE", "/me/token", undefined, token);
  await page.locator("lusoria-kiosk-table").waitFor({ state: "detached" });
  await choose(page, /^Tabula/);
  await playTurn(page);
});

test("everything fits on the screen, and everyone can use it", async (t) => {
  for (const [width, height] of SIZES) {
    const { person, page } = await kiosk(t, "", { viewport: { width, height }, reducedMotion: "reduce" }, { isTimed: false });
    const look = async (/** @type {string} */ what) => {
      const name = `${what} ${width}×${height}`;
      const outside = await page.evaluate(() => {
        /** @type {string[]} */
        const found = [];
        const look = (/** @type {Document | ShadowRoot} */ root) => {
          for (const element of root.querySelectorAll("button, p, h1, h2, lusoria-board, lusoria-miniature")) {
            const { left, right, top, bottom, width } = element.getBoundingClientRect();
            const isOut = left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1;
            if (width > 1 && isOut) found.push(`${element.localName} ${element.textContent?.trim().slice(0, 30)}`);
          }
          for (const element of root.querySelectorAll("*")) if (element.shadowRoot) look(element.shadowRoot);
        };
        look(document);
        return found;
      });
      assert.deepEqual(outside, [], name);
      if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/kiosk-${what}-${width}x${height}.png` });
      // The frame around a board is the same for all games.
      if (/choice|Tavla/.test(what) && width !== 1080) await judgeBothThemes(page, name);
    };
    await look("choice");
    for (const game of [/^Zeno/, /^Tablut/, /^Tavla/]) {
      await choose(page, game);
      const name = game.source.slice(1);
      await look(`${name}-covered`);
      await playTurn(page);
      await look(`${name}-played`);
      await page.locator(".strip.near").getByRole("button", { name: "How to play" }).tap();
      await look(`${name}-how`);
      await page.getByRole("button", { name: "Touch anywhere to continue" }).tap();
      await page.locator(".strip.near").getByRole("button", { name: "Another game" }).tap();
      await look(`${name}-stop`);
      await page.getByRole("dialog").getByRole("button", { name: "Choose another game" }).tap();
      await chosen(page);
    }
    assert.deepEqual(person.complaints, []);
  }
});
