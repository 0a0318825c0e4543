// Ratings: their changes by a match, their history, and the leaderboards.

import assert from "node:assert/strict";
import { fitsNarrowest, inBothThemes, judgeBothThemes } from "../support/axe.js";
import { FAST } from "../support/browser.js";
import { Stage } from "../support/stage.js";
import { test } from "../support/test.js";

/** @typedef {Awaited<ReturnType<Stage["account"]>>} Account */
/** @typedef {import("playwright-core").Page} Page */

/** The largest layout shift while a page loads. */
const SHIFT_MAX = 0.02;

/** @type {Account} */
let agathias;
/** @type {Account} */
let zeno;
/** A rated match that Agathias has won. @type {string} */
let first;

const stage = new Stage({
  prepare: async () => {
    [agathias, zeno] = await Promise.all([stage.account("Agathias of Myrina", "Agathias"), stage.account("Zeno", "Zeno")]);
    first = await lost(zeno, agathias);
  },
});

/** A rated match in which both have played a turn. @param {Account} one @param {Account} two @returns {Promise<string>} its id */
async function begun(one, two) {
  const terms = { game: "tablut", side: "attackers", clock: { kind: "days", days: 3 }, rated: true };
  const { match } = await stage.server.ask("POST", "/matches", terms, one.token);
  await stage.server.ask("POST", `/matches/${match.id}/join`, {}, two.token);
  for (let turn = 0; turn < 2; turn += 1) await stage.playOne(match.id, [one, two]);
  return match.id;
}

/** @param {string} id @param {Account} loser */
const resign = (id, loser) => stage.server.ask("POST", `/matches/${id}/resign`, { scope: "match" }, loser.token);

/** A rated match that the first of two resigns. @param {Account} loser @param {Account} winner @returns {Promise<string>} its id */
async function lost(loser, winner) {
  const id = await begun(loser, winner);
  await resign(id, loser);
  return id;
}

/** The rating changes of a match's seats, from the server. @param {string} id @returns {Promise<any>} */
const ratedSeats = async (id) => (await stage.events(id)).find(({ type }) => type === "rated").seats;

/** "1500 → 1607, +107, provisional". @param {any} change */
function written({ before, after }) {
  const by = after.points - before.points;
  return `${before.points} → ${after.points}, ${by < 0 ? "\u2212" : "+"}${Math.abs(by)}${after.provisional ? ", provisional" : ""}`;
}

/** @param {Page} page */
const path = (page) => new URL(page.url()).pathname + new URL(page.url()).search;

test("both players and spectators see the changes of the ratings live", async (t) => {
  const id = await begun(zeno, agathias);
  const preferences = FAST;
  const [winner, loser, watcher] = [
    await stage.at(t, id, { guest: agathias, preferences }),
    await stage.at(t, id, { guest: zeno, preferences }),
    await stage.at(t, id, { preferences }),
  ];
  assert.equal(await winner.page.getByText("→").count(), 0, "nothing before it has ended");
  await resign(id, zeno);
  const ratings = await winner.page.locator(".ending .how").waitFor().then(() => ratedSeats(id));
  const [of, ofOther] = [written(ratings[2]), written(ratings[1])];
  await winner.page.locator(".ending").getByText(`Your rating: ${of}`).waitFor();
  await winner.page.locator(".ending").getByText(`Zeno: ${ofOther}`).waitFor();
  await loser.page.locator(".ending").getByText(`Your rating: ${ofOther}`).waitFor();
  await watcher.page.locator(".ending").getByText(`Agathias of Myrina: ${of}`).waitFor();
  // It is beside the names, too, and in the list of turns.
  for (const { page } of [winner, watcher]) {
    await page.locator("lusoria-player").getByText(of).waitFor();
    await page.locator("lusoria-player").getByText(ofOther).waitFor();
    await page.locator("lusoria-turns").getByText(`Agathias of Myrina: rating ${ratings[2].after.points}, up`).waitFor();
  }
});

test("in a rated match each player's rating is beside the name, and nothing shifts when it loads", async (t) => {
  const newcomer = await stage.account("Theodora of Trebizond", "TheodoraT");
  const id = await begun(newcomer, zeno);
  const { ratings } = await stage.server.ask("GET", `/players/${zeno.id}`);
  const { points, provisional } = ratings.find((/** @type {any} */ { game, pace }) => game === "tablut" && pace === "days").rating;
  assert.ok(provisional);
  const { person, page } = await stage.visitor(t, { guest: zeno, context: { viewport: { width: 360, height: 640 } } });
  /** @type {string[]} */
  const asked = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  // Responses are held back until the places of everything are known.
  /** @type {() => void} */
  let letGo = () => {};
  const drawn = new Promise((resolve) => (letGo = () => resolve(undefined)));
  await page.route(/\/api\/v1\/players\//, (route) => drawn.then(() => route.continue()));
  await person.goto(`/match/${id}`);
  const rows = page.locator("main > lusoria-player");
  await rows.locator(".rating").nth(1).waitFor({ state: "attached" });
  const places = () => rows.locator(".name, .more, .rating, .clock").evaluateAll((all) =>
    all.map((one) => { const { x, y, width, height } = one.getBoundingClientRect(); return [x, y, width, height].join(" "); }));
  await page.locator("lusoria-board .places rect").first().waitFor({ state: "attached" });
  const before = await places();
  assert.equal(await rows.getByText(String(points)).count(), 0);
  letGo();
  const [other, own] = [rows.nth(0).locator(".rating"), rows.nth(1).locator(".rating")];
  await own.getByText(String(points)).waitFor();
  await other.getByText("1500").waitFor();
  assert.deepEqual(await places(), before, "nothing has moved");
  assert.equal((await own.textContent())?.replace(/\s+/g, " ").trim(), `Rating ${points}, provisional`);
  assert.match(String(await other.getAttribute("title")), /^After few matches: may be off by ±350/);
  // On a phone a long name leaves no room for the word, but for the number.
  const isSeen = (/** @type {import("playwright-core").Locator} */ part) => part.evaluate((part) => {
    const [inner, outer] = [part, part.parentElement].map((one) => one.getBoundingClientRect());
    return inner.right <= outer.right + 1 && inner.bottom <= outer.bottom + 1;
  });
  assert.deepEqual(await Promise.all([0, 1].map((nth) => isSeen(other.locator("> span").nth(nth)))), [true, false]);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
  await judgeBothThemes(page, "ratings beside names");
  await page.setViewportSize({ width: 820, height: 1180 });
  assert.deepEqual(await Promise.all([0, 1].map((nth) => isSeen(other.locator("> span").nth(nth)))), [true, true]);
  const players = () => asked.filter((path) => path.startsWith("/api/v1/players/"));
  assert.deepEqual(players().sort(), [zeno, newcomer].map((one) => `/api/v1/players/${one.id}/ratings/tablut/days`).sort());
  // Afterwards the page shows the changes; in the replay, the earlier ratings.
  await resign(id, newcomer);
  await rows.getByText(`1500 →`).waitFor();
  assert.equal(await rows.locator(".rating").count(), 0);
  assert.equal(players().length, 2, "nobody is asked for again");
  const late = await stage.at(t, id, { context: { viewport: { width: 1440, height: 900 } } });
  await late.page.locator("lusoria-player").getByText("1500 →").waitFor();
  assert.equal(await late.page.locator("lusoria-player .rating").count(), 0);
  await late.page.locator("lusoria-turns button").first().click();
  await late.page.locator("lusoria-player .rating").getByText("1500").waitFor();
});

test("in a casual match no ratings are requested", async (t) => {
  const terms = { game: "tablut", side: "attackers", clock: { kind: "days", days: 3 } };
  const { match } = await stage.server.ask("POST", "/matches", terms, zeno.token);
  await stage.server.ask("POST", `/matches/${match.id}/join`, {}, agathias.token);
  const { page, goto } = await stage.visitor(t, { guest: agathias });
  /** @type {string[]} */
  const asked = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await goto(`/match/${match.id}`);
  await page.locator("lusoria-board .places rect").first().waitFor({ state: "attached" });
  await page.waitForLoadState("networkidle");
  assert.equal(await page.locator("lusoria-player .rating").count(), 0);
  assert.deepEqual(asked.filter((path) => path.startsWith("/api/v1/players/")), []);
});

test("a viewer who arrives later sees the same, and it is shown at the end of a replay", async (t) => {
  const ratings = await ratedSeats(first);
  const { page } = await stage.at(t, first, { guest: zeno });
  const text = `Your rating: ${written(ratings[1])}`;
  await page.locator(".ending").getByText(text).waitFor();
  await page.locator(".told").getByText(text).waitFor();
  const turns = page.locator("lusoria-turns button");
  await turns.first().click();
  await page.locator(".told").getByText(text).waitFor({ state: "hidden" });
  assert.equal(await page.locator("lusoria-player").getByText("→").count(), 0, "nothing before it was rated");
  const said = `Zeno: rating ${ratings[1].after.points}, down ${ratings[1].before.points - ratings[1].after.points}`;
  await turns.filter({ hasText: said }).click();
  await page.locator(".told").getByText(text).waitFor();
  await page.locator("lusoria-player").getByText(written(ratings[1])).waitFor();
});

test("a casual match does not mention ratings", async (t) => {
  const id = await stage.lost("tablut", zeno, agathias, { clock: { kind: "days", days: 3 } });
  const { page } = await stage.at(t, id, { guest: zeno });
  await page.locator(".ending").getByText("You have resigned").waitFor();
  assert.equal(await page.getByText(/rating|→/i).count(), 0);
});

test("a revoked rating is shown with its reason", async (t) => {
  const [anna, berit] = [await stage.account("Anna", "Anna"), await stage.account("Berit", "Berit")];
  const id = await lost(anna, berit);
  const { page } = await stage.at(t, id, { guest: anna });
  await page.locator(".ending").getByText("Your rating: 1500 →").waitFor();
  await stage.server.admin("unrate", id, "--reason", "arranged");
  await page.locator(".ending").getByText("The rating of this match was taken back: the result was arranged.").waitFor();
  await page.locator("lusoria-turns").getByText("The rating of this match was taken back").waitFor();
  assert.equal(await page.locator("lusoria-player").getByText("→").count(), 0);
});

test("a player's page has their ratings, and a curve with links to every match", async (t) => {
  const [one, two] = [await stage.account("Hypatia", "Hypatia"), await stage.account("Synesius", "Synesius")];
  /** @type {string[]} */
  const ids = [];
  for (const loser of [two, one, two]) ids.push(await lost(loser, loser === one ? two : one));
  const { changes } = await stage.server.ask("GET", "/players/Hypatia/ratings/tablut/days");
  const { page, goto } = await stage.visitor(t);
  await goto("/player/Hypatia");
  const tile = page.getByRole("button", { name: /^Tablut Correspondence/ });
  await tile.waitFor();
  assert.equal(await tile.getAttribute("aria-pressed"), "true");
  const { points, deviation } = changes[2].after;
  assert.match((await tile.innerText()).replace(/\s+/g, " "), new RegExp(`^Tablut Correspondence ${points} ±${deviation} 3 matches · provisional$`));
  await page.getByRole("img", { name: /^Tablut, correspondence: 3 rated matches, from 1500 to / }).waitFor();
  const curve = page.locator("lusoria-rating-curve");
  const link = curve.getByRole("link", { name: /^Match of/ });
  assert.equal(await link.getAttribute("href"), `/match/${ids[2]}`);
  // From match to match with the keyboard.
  const slider = curve.getByRole("slider", { name: "Match" });
  await slider.press("ArrowLeft");
  await curve.locator(".at").getByText(written(changes[1])).waitFor();
  assert.equal(await link.getAttribute("href"), `/match/${ids[1]}`);
  assert.match(String(await slider.getAttribute("aria-valuetext")), /rating \d+, down \d+, provisional$/);
  await slider.press("Home");
  assert.equal(await link.getAttribute("href"), `/match/${ids[0]}`);
  // The table has what the curve shows, the latest first.
  await curve.getByText("All of them as a table").click();
  const rows = await curve.locator("tbody tr").allInnerTexts();
  assert.deepEqual(rows.map((row) => row.split("\t")[0].trim()), ["3", "2", "1"]);
  // A mouse over the curve selects a match, and a click opens it.
  const box = await curve.locator(".plot").boundingBox();
  assert.ok(box);
  await page.mouse.move(box.x + box.width * 0.66, box.y + box.height / 2);
  await curve.locator(".at").getByText(written(changes[1])).waitFor();
  await page.mouse.down();
  await page.mouse.up();
  await page.waitForURL(`**/match/${ids[1]}`);
});

test("a history that failed to load is loaded again", async (t) => {
  const { page, goto, person } = await stage.visitor(t);
  person.expecting = [/ERR_/, /Failed to load resource/];
  const api = "**/api/v1/players/Agathias/ratings/**";
  await page.route(api, (route) => route.abort());
  await goto("/player/Agathias");
  await page.getByText("The server cannot be reached.").waitFor();
  await page.unroute(api);
  await page.locator("lusoria-rating-curve").getByRole("button", { name: "Try again" }).click();
  await page.getByRole("img", { name: /^Tablut, correspondence/ }).waitFor();
});

test("a player without a rated match has no rating", async (t) => {
  await stage.account("Kassia", "Kassia");
  const { page, goto } = await stage.visitor(t);
  await goto("/player/Kassia");
  await page.getByText("No rated match has ended yet.").waitFor();
});

test("an empty board says what a place needs, and what the viewer is missing", async (t) => {
  const { page, goto } = await stage.visitor(t, { guest: agathias });
  await goto("/leaderboards/tablut?pace=days");
  await page.getByText("Nobody is on this board yet").waitFor();
  assert.match(await page.locator("lusoria-leaderboard .empty").innerText(), /It takes 20 rated matches, the last of them within 90 days, and a deviation of 75 at most/);
  const { ratings } = await stage.server.ask("GET", "/players/Agathias");
  const own = ratings.find(({ game, pace }) => game === "tablut" && pace === "days");
  const stand = page.getByRole("region", { name: "Where you stand" });
  await stand.getByText(`${20 - own.matches} more rated match`).waitFor();
  await stand.getByRole("link", { name: String(own.rating.points) }).waitFor();
  await stand.getByText("a deviation of 75 at most").waitFor();
});

test("without an account the page says that ratings need one", async (t) => {
  const { page, goto } = await stage.visitor(t);
  await goto("/leaderboards/tavla");
  const stand = page.getByRole("region", { name: "Where you stand" });
  await stand.getByText("Rated matches are for players with an account.").waitFor();
  assert.equal(await stand.getByRole("link", { name: "Create an account" }).getAttribute("href"), "/account");
});

test("the URL has game, pace, and people or bots, and Back returns to them", async (t) => {
  const { page, goto } = await stage.visitor(t);
  /** @type {string[]} */
  const asked = [];
  page.on("request", (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname.includes("/api/v1/leaderboards/")) asked.push(`${pathname.split("/").slice(4).join(" ")} ${searchParams.get("bots")}`);
  });
  await goto("/");
  await page.getByRole("link", { name: "Leaderboards" }).first().click();
  await page.getByRole("heading", { name: "Leaderboards", level: 1 }).waitFor();
  await page.getByRole("heading", { name: "Tavla" }).getByRole("link").click();
  await page.getByRole("heading", { name: "Tavla: leaderboard" }).waitFor();
  assert.equal(await page.title(), "Tavla: leaderboard – Lusoria");
  await page.getByRole("link", { name: "Correspondence" }).click();
  await page.getByRole("link", { name: "Bots" }).click();
  await page.waitForURL("**/leaderboards/tavla?pace=days&players=bots");
  for (const name of ["Tavla", "Correspondence", "Bots"]) {
    assert.ok(await page.getByRole("link", { name, exact: true }).getAttribute("aria-current"), name);
  }
  await page.getByText("Nobody is on this board yet").waitFor();
  assert.deepEqual(asked.slice(-3), ["tavla live false", "tavla days false", "tavla days true"]);
  await page.goBack();
  await page.waitForURL("**/leaderboards/tavla?pace=days");
  await page.goBack();
  await page.goBack();
  await page.getByRole("heading", { name: "Leaderboards", level: 1 }).waitFor();
  assert.equal(path(page), "/leaderboards");
  await page.reload();
  await page.getByRole("heading", { name: "Leaderboards", level: 1 }).waitFor();
});

/** Places as the server would send them; the third is the viewer's. @param {number} count */
const places = (count) =>
  Array.from({ length: count }, (_, nth) => ({
    rank: nth + 1,
    handle: nth === 2 ? "Zeno" : `player-${nth}`,
    id: nth === 2 ? zeno.id : `00000000-0000-4000-8000-${String(nth).padStart(12, "0")}`,
    name: nth === 2 ? "Zeno" : "Procopius of Caesarea".slice(0, 6 + nth),
    rating: { points: 1900 - nth * 20, deviation: 50 + nth, provisional: false },
    matches: 300 - nth,
    played_at: Date.UTC(2026, 2, 31 - nth),
  }));

/** Gives boards this many places. @param {Page} page @param {number} count */
const fill = (page, count) =>
  page.route("**/api/v1/leaderboards/**", (route) => {
    const { pathname, searchParams } = new URL(route.request().url());
    const [game, pace] = pathname.split("/").slice(4);
    return route.fulfill({ json: { game, pace, places: places(Math.min(count, Number(searchParams.get("limit")))) } });
  });

test("a board has places, marks one's own, and links to the players; nothing shifts meanwhile", async (t) => {
  for (const viewport of [{ width: 360, height: 740 }, { width: 1280, height: 800 }, { width: 2560, height: 1440 }]) {
    const { page, goto } = await stage.visitor(t, { guest: zeno, context: { viewport } });
    await page.addInitScript(() => {
      const seen = /** @type {any} */ (window);
      seen.shifted = 0;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) seen.shifted += /** @type {any} */ (entry).value;
      }).observe({ type: "layout-shift", buffered: true });
    });
    await fill(page, 12);
    await goto("/leaderboards/tavla");
    const rows = page.getByRole("row");
    await rows.nth(12).waitFor();
    assert.match((await rows.nth(1).innerText()).replace(/\s+/g, " "), /^1 Procop 1900 (±50 )?300/);
    assert.match(await page.locator("tr.own").innerText(), /Zeno \(you\)/);
    assert.equal(await page.locator("tr.own").count(), 1);
    const stand = page.getByRole("region", { name: "Where you stand" });
    await stand.getByText("You are number 3.").waitFor();
    const shifted = await page.evaluate(() => /** @type {any} */ (window).shifted);
    assert.ok(shifted < SHIFT_MAX, `${viewport.width}: ${shifted}`);
    await page.getByRole("link", { name: "Zeno (you)" }).click();
    await page.waitForURL("**/player/Zeno");
  }
});

test("axe finds nothing on pages with ratings, and nothing is too wide", async (t) => {
  const looks = /** @type {const} */ ([
    ["/leaderboards", (/** @type {Page} */ page) => page.locator("tbody tr").nth(24).waitFor(), 12],
    ["/leaderboards/tavla", (/** @type {Page} */ page) => page.getByText("You are number 3.").waitFor(), 12],
    ["/leaderboards/zeno?players=bots", (/** @type {Page} */ page) => page.getByText("Nobody is on this board yet").waitFor(), 0],
    ["/player/Zeno", (/** @type {Page} */ page) => page.getByRole("img", { name: /^Tablut, correspondence/ }).waitFor(), 0],
  ]);
  for (const [address, ready, count] of looks) {
    await inBothThemes(stage, t, address, { guest: zeno }, async (page) => {
      await fill(page, count);
      await page.reload();
      await ready(page);
      for (const lang of ["en", "fr"]) {
        const other = await page.context().newPage();
        await fill(other, count);
        await other.goto(`${new URL(page.url()).origin}${address}${address.includes("?") ? "&" : "?"}lang=${lang}`);
        await other.locator("main h2").first().waitFor();
        await fitsNarrowest(other, `${address} ${lang}`);
        await other.close();
      }
      const table = page.getByText("All of them as a table");
      if (await table.count()) await table.click();
    });
  }
});
