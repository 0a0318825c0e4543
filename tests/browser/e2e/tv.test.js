// TV: live matches are shown, and the next ones follow by themselves; on a page, in a frame of another site, on home.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { judge } from "../support/axe.js";
import { Stage } from "../support/stage.js";
import { test } from "../support/test.js";

/** @typedef {import("playwright-core").Page} Page */
/** @typedef {import("playwright-core").Frame} Frame */
/** @typedef {Awaited<ReturnType<Stage["match"]>>} Match */

const stage = new Stage({ alone: true });

/** The browser's messages while the server is down. */
const GONE = /ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE_CHUNKED_ENCODING|WebSocket connection|Failed to load resource|error occurred when fetching the script/;

/** The match that a page or a frame shows. @param {Page | Frame} where @param {string} id @param {number} [seq] the event to wait for */
const shows = (where, id, seq = 0) =>
  where.waitForFunction(({ id, seq }) => {
    const page = /** @type {any} */ (document.querySelector("lusoria-tv"));
    const embed = page?.screen ?? document.querySelector("lusoria-embed");
    return embed?.live.id === id && embed.live.moment.seq >= seq && !embed.pace.isBehind;
  }, { id, seq });

/** Ends a match. @param {Match} match */
const giveUp = ({ id, guests: [one] }) => stage.server.ask("POST", `/matches/${id}/resign`, {}, one.token);

/** A match of two people, which ends with the test. @param {import("node:test").TestContext} t @param {string} game @param {object} [terms] */
async function played(t, game, terms) {
  const match = await stage.match(game, terms);
  t.after(() => giveUp(match).catch(() => {}));
  return match;
}

test("a channel shows a match live, its end, and then the next one by itself", async (t) => {
  const first = await played(t, "tablut");
  const { page, goto } = await stage.visitor(t);
  await goto("/tv/tablut");
  await shows(page, first.id);
  assert.equal(await page.title(), "Tablut on TV – Lusoria");
  const { seq } = (await stage.playOne(first.id, first.guests)).events.at(-1);
  await shows(page, first.id, seq);
  assert.equal(await page.locator("lusoria-embed a[href]").getAttribute("href"), `/match/${first.id}`);
  assert.equal(await page.locator("lusoria-embed button").count(), 0, "nothing is played there");
  await giveUp(first);
  await page.getByText("Zeno has won.").waitFor();
  const next = await played(t, "tablut");
  await page.getByText("Now: Agathias against Zeno").waitFor();
  await shows(page, next.id);
  const moved = (await stage.playOne(next.id, next.guests)).events.at(-1);
  await shows(page, next.id, moved.seq);
  // The state replaces the news.
  await page.getByText(/to play/).first().waitFor();
});

test("it reconnects by itself after a lost connection", async (t) => {
  const first = await played(t, "zeno");
  const { person, page, goto } = await stage.visitor(t);
  await goto("/tv/zeno");
  await shows(page, first.id);
  person.expecting.push(GONE);
  await stage.killed(t);
  await page.getByText(/^Offline/).first().waitFor();
  await stage.server.again();
  await giveUp(first);
  const next = await played(t, "zeno");
  await shows(page, next.id);
});

test("all channels are side by side, and everyone can use them", async (t) => {
  const match = await played(t, "tavla", { points: 3 });
  const { page, goto } = await stage.visitor(t);
  await goto("/tv");
  const channel = page.locator("lusoria-channel[game=tavla]");
  await channel.getByText("Agathias against Zeno").waitFor();
  await channel.getByText("Live", { exact: true }).waitFor();
  await channel.locator("lusoria-miniature svg use").first().waitFor({ state: "attached" });
  assert.equal(await page.locator("lusoria-channel").count(), 5);
  await page.locator("lusoria-channel[game=scripta]").getByText("No match has been played here yet.").waitFor();
  await judge(page, "all channels");
  await page.getByRole("link", { name: "TV: Tavla" }).click();
  await page.waitForURL("**/tv/tavla");
  await shows(page, match.id);
  await judge(page, "a channel");
  for (const [width, height] of [[360, 640], [640, 360], [1440, 900]]) {
    await page.setViewportSize({ width, height });
    const [scroll, board] = await page.evaluate(() => {
      const embed = /** @type {any} */ (document.querySelector("lusoria-tv")).screen;
      const { width, height } = embed.renderRoot.querySelector("lusoria-board").getBoundingClientRect();
      return [[document.documentElement.scrollWidth, document.documentElement.scrollHeight], width * height];
    });
    assert.deepEqual(scroll, [width, height], "nothing scrolls");
    assert.ok(board > 0.35 * width * height, `${width}×${height}: the board has most of the room`);
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/tv-${width}x${height}.png` });
  }
  await page.goto(`${stage.server.address}/tv/scripta`);
  await page.getByText(/No match of Ludus/).waitFor();
});

test("a page of another site shows a channel, which continues with the next match", async (t) => {
  const first = await played(t, "tablut");
  const server = createServer((_, answer) => {
    answer.writeHead(200, { "content-type": "text/html; charset=utf-8" });
    answer.end(`<!doctype html><html lang="en"><title>A museum</title><body>
      <iframe src="${stage.server.address}/embed/tv/tablut?theme=dark" width="560" height="480" title="Tablut"></iframe>
      <iframe src="${stage.server.address}/tv/tablut" width="560" height="480" title="Refused"></iframe>`);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  t.after(() => server.close());
  const { person, page } = await stage.visitor(t);
  const address = `http://localhost:${/** @type {import("node:net").AddressInfo} */ (server.address()).port}/`;
  person.others.push(new URL(address).host);
  person.expecting.push(/status of 404/, /frame/i);
  await page.goto(address);
  const [, frame, refused] = page.frames();
  await shows(frame, first.id);
  assert.equal(await frame.locator("html").getAttribute("data-theme"), "dark");
  assert.equal(await frame.locator("button, input, select").count(), 0);
  assert.equal(await frame.locator("lusoria-embed a[href]").getAttribute("target"), "_blank");
  await refused.waitForURL(/^chrome-error:/);
  await giveUp(first);
  const next = await played(t, "tablut");
  await shows(frame, next.id);
  // The tests themselves store preferences everywhere; some browsers store nothing for frames of other sites.
  const kept = await frame.evaluate(() => {
    try {
      return Object.keys({ ...localStorage });
    } catch {
      return [];
    }
  });
  assert.deepEqual(kept.filter((name) => name !== "lusoria.preferences"), [], "nothing is kept");
});

test("home has one large board that continues by itself, and nothing shifts", async (t) => {
  const first = await played(t, "tabula");
  const { page, goto } = await stage.visitor(t);
  await page.addInitScript(() => {
    const seen = /** @type {any} */ (window);
    seen.shifted = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) seen.shifted += /** @type {any} */ (entry).value;
    }).observe({ type: "layout-shift", buffered: true });
  });
  await goto("/");
  const great = page.locator("lusoria-great");
  const showing = (/** @type {string} */ id) => great.locator(`a[href="/match/${id}"]`).waitFor();
  await showing(first.id);
  // The top of each section, and the size of this one.
  const places = () => page.getByRole("heading", { level: 2 }).evaluateAll((all) =>
    all.map((heading) => [heading.id, heading.getBoundingClientRect().top].join(" ")).slice(0, -1));
  const [before, shifted] = [await places(), await page.evaluate(() => /** @type {any} */ (window).shifted)];
  assert.ok(before.some((place) => place.startsWith("games ")), String(before));
  assert.ok(shifted < 0.02, `${shifted}`);
  await giveUp(first);
  const next = await played(t, "tabula");
  await showing(next.id);
  assert.deepEqual(await places(), before, "nothing has moved");
  await page.getByRole("link", { name: "All channels of TV" }).waitFor();
});

test("without a live match, Zeno throws; with reduced motion only the result is shown", async (t) => {
  const { page, goto } = await stage.visitor(t, { preferences: { motion: "none" } });
  await page.route("**/api/v1/tv", (route) => route.fulfill({ contentType: "application/x-ndjson", body: "" }));
  await goto("/");
  const thrown = page.locator("lusoria-great lusoria-zeno-throw");
  await thrown.locator("lusoria-dice svg.played").nth(2).waitFor({ state: "attached" });
  await thrown.getByText("has to leave eight pieces alone").waitFor();
});

test("an account can keep its matches off TV", async (t) => {
  const account = await stage.account("Agathias", "Agathias_TV");
  const { page, goto } = await stage.visitor(t, { guest: account });
  await goto("/");
  await page.getByRole("button", { name: "Preferences" }).click();
  const told = page.waitForRequest((request) => request.method() === "PATCH" && /"tv":"off"/.test(request.postData() ?? ""));
  await page.getByRole("group", { name: "Your matches on TV" }).getByRole("radio", { name: "Do not show" }).check();
  assert.equal((await (await told).response())?.status(), 200);
  const { preferences } = await stage.server.ask("GET", "/me/preferences", undefined, account.token);
  assert.equal(preferences.tv, "off");
});

test("a guest without an account is not asked", async (t) => {
  const { page, goto } = await stage.visitor(t, { guest: await stage.guest("Zeno") });
  await goto("/");
  await page.getByRole("button", { name: "Preferences" }).click();
  await page.getByRole("group", { name: "Moving pieces" }).waitFor();
  assert.equal(await page.getByRole("group", { name: "Your matches on TV" }).count(), 0);
});
