// Finding players, and a player's page: results, matches filtered by the URL, their records.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { fitsNarrowest, inBothThemes } from "../support/axe.js";
import { Stage } from "../support/stage.js";
import { test } from "../support/test.js";

/** The length of a page of matches. */
const PAGE_MATCHES = 20;
/** Chromium's message for a refusal. */
const NOT_FOUND = /status of 40[04]/;

/** @typedef {Awaited<ReturnType<Stage["account"]>>} Account */
/** @typedef {import("playwright-core").Page} Page */

/** @type {Account} */
let agathias;
/** @type {Account} */
let zeno;
/** @type {Account} */
let theodora;
/** A match between Agathias and Zeno that is not listed. @type {string} */
let hidden;

const stage = new Stage({
  prepare: async () => {
    [agathias, zeno, theodora] = await Promise.all([
      stage.account("Agathias of Myrina", "Agathias"),
      stage.account("Zeno", "Zeno"),
      stage.account("Theodora", "Agatha-Theodora"),
    ]);
    await stage.lost("tablut", zeno, agathias, { clock: { kind: "days", days: 3 } });
    await stage.lost("tavla", agathias, zeno, { points: 3 });
    await stage.lost("tavla", theodora, agathias);
    hidden = await stage.lost("zeno", zeno, agathias, { admission: "invitation" });
  },
});

/** The matches on a page, as text. @param {Page} page */
const shown = async (page) => {
  const rows = page.locator("lusoria-played li");
  return (await rows.allInnerTexts()).map((text) => text.replace(/\s+/g, " ").replace(/ \d+ \w+ \d+$/, ""));
};

/** Waits until this many matches are shown. @param {Page} page @param {number} count */
const count = (page, count) =>
  page.waitForFunction((count) => {
    const played = document.querySelector("lusoria-player-page")?.shadowRoot?.querySelector("lusoria-played");
    return played?.shadowRoot?.querySelectorAll("li").length === count && !(/** @type {any} */ (played).played.isLoading);
  }, count);

/** The rows of a table of results, each with wins, draws and losses. @param {Page} page @param {string} name */
const results = async (page, name) => {
  const table = page.getByRole("table", { name });
  await table.waitFor();
  const rows = await table.locator("tbody tr").allInnerTexts();
  return rows.map((row) => row.trim().split(/\s*\t\s*/).slice(0, 4).join(" "));
};

/** Opens the filter of the list. @param {Page} page */
const narrow = (page) => page.getByText("Filter", { exact: true }).click();

test("a player is found by the beginning of the handle, and the URL keeps the search", async (t) => {
  const { page, goto } = await stage.visitor(t);
  await goto("/");
  await page.getByRole("link", { name: "Players" }).click();
  const field = page.getByRole("textbox", { name: "Find a player by handle" });
  await field.pressSequentially("aga", { delay: 20 });
  await page.getByText("2 players").waitFor();
  assert.match(page.url(), /\/players\?search=aga$/);
  await field.press("End");
  await field.pressSequentially("thi");
  await page.getByText("One player").waitFor();
  await page.getByRole("link", { name: "Agathias of Myrina" }).click();
  await page.getByRole("heading", { name: "Agathias of Myrina", level: 1 }).waitFor();
  await page.goBack();
  await page.getByText("One player").waitFor();
  assert.equal(await field.inputValue(), "agathi");
});

test("a search without results says so", async (t) => {
  const { page, goto } = await stage.visitor(t);
  await goto("/players?search=nobody");
  await page.getByText("No handle begins with “nobody”.").waitFor();
  const field = page.getByRole("textbox", { name: "Find a player by handle" });
  await field.fill("two words");
  await page.getByText("A handle has only letters").waitFor();
  await field.fill("z");
  await page.getByText("A handle has only letters").waitFor({ state: "hidden" });
  assert.equal(await page.getByRole("link", { name: "Zeno" }).count(), 0, "one letter is too few");
});

test("the players whom the person follows are listed below the search", async (t) => {
  const guest = await stage.guest("Justinian");
  const { page, goto } = await stage.visitor(t, { guest });
  await goto("/players");
  const list = page.getByRole("region", { name: "Players you follow" });
  await page.getByRole("heading", { name: "Players" }).waitFor();
  assert.equal(await list.count(), 0);
  await stage.server.ask("PUT", `/me/follows/${zeno.id}`, undefined, guest.token);
  await page.reload();
  await list.getByRole("link", { name: "Zeno" }).waitFor();
});

test("a player's page shows their results, by game and by side", async (t) => {
  const { page, goto } = await stage.visitor(t);
  await goto("/player/agathias");
  await page.getByText("@Agathias · Person · since").waitFor();
  assert.match(await page.title(), /^Agathias of Myrina/);
  assert.equal(new URL(page.url()).pathname, "/player/Agathias", "the address has the handle as it is written");
  assert.deepEqual(await results(page, "Results"), ["Tablut 1 0 0", "Defenders 1 0 0", "Tavla 1 0 1", "Black 1 0 0"]);
  await count(page, 3);
  const [first, second, third] = await shown(page);
  assert.equal(first, "Tavla against Theodora Won No clock");
  assert.match(second, /^Tavla against Zeno Lost 0–\d No clock · to 3 points$/);
  assert.equal(third, "Tablut against Zeno Won 3 days per turn");
  await page.locator("lusoria-played a").first().click();
  await page.waitForURL(/\/match\//);
});

test("a player without a result yet says so", async (t) => {
  await stage.account("Anna", "Anna-Komnene");
  const { page, goto } = await stage.visitor(t);
  await goto("/player/Anna-Komnene");
  await page.getByText("No match has ended with a result yet.").waitFor();
  await page.getByText("No matches.").waitFor();
});

test("the list is filtered, the URL has the filter, and Back undoes it", async (t) => {
  const { page, goto } = await stage.visitor(t);
  await goto("/player/Agathias");
  await count(page, 3);
  await narrow(page);
  await page.getByRole("combobox", { name: "Game" }).selectOption("Tavla");
  await count(page, 2);
  await page.getByRole("combobox", { name: "Result" }).selectOption("Lost");
  await count(page, 1);
  assert.equal(new URL(page.url()).search, "?game=tavla&result=lost");
  await page.reload();
  await count(page, 1);
  assert.equal(await page.getByRole("combobox", { name: "Result" }).inputValue(), "lost");
  await page.goBack();
  await count(page, 2);
  assert.equal(await page.getByRole("combobox", { name: "Result" }).inputValue(), "");
  await page.getByRole("button", { name: "Clear the filter" }).click();
  await count(page, 3);
  assert.equal(new URL(page.url()).search, "");
  await page.getByRole("combobox", { name: "Clock" }).selectOption("Correspondence");
  await count(page, 1);
  await page.getByRole("button", { name: "Clear the filter" }).click();
  await page.getByLabel("Length in points").fill("3");
  await page.getByLabel("Length in points").press("Enter");
  await count(page, 1);
  await page.getByRole("button", { name: "Clear the filter" }).click();
  await page.getByLabel("Until").fill("2020-02-29");
  await page.getByText("No matches.").waitFor();
  assert.equal(new URL(page.url()).search, "?until=2020-02-29");
  await page.getByLabel("From").fill("2020-02-01");
  await page.getByLabel("Until").fill("");
  await count(page, 3);
});

test("the score against an opponent is shown, and an unknown opponent is reported", async (t) => {
  const { page, goto, person } = await stage.visitor(t);
  person.expecting = [NOT_FOUND];
  await goto("/player/Agathias?opponent=zeno");
  await count(page, 2);
  const pair = await results(page, "Agathias of Myrina against Zeno");
  assert.deepEqual(pair, ["Tablut 1 0 0", "Defenders 1 0 0", "Tavla 0 0 1"]);
  await page.getByLabel("Opponent’s handle").fill("nobody");
  await page.getByLabel("Opponent’s handle").press("Enter");
  await page.getByText("There is no such player.").waitFor();
  await page.getByLabel("Opponent’s handle").fill("");
  await page.getByLabel("Opponent’s handle").press("Enter");
  await count(page, 3);
});

test("a viewer with an account sees their score against the player", async (t) => {
  const { page, goto } = await stage.visitor(t, { guest: zeno });
  await goto("/player/Agathias");
  await page.getByRole("heading", { name: "Head to head" }).waitFor();
  const rows = await results(page, "Head to head");
  assert.deepEqual(rows, ["Tablut 0 0 1", "Attackers 0 0 1", "Tavla 1 0 0"]);
});

test("one's own page links to the account, and has no button against oneself", async (t) => {
  const { page, goto } = await stage.visitor(t, { guest: zeno });
  await goto("/player/Zeno");
  const link = page.getByRole("link", { name: "Your account" });
  await link.waitFor();
  assert.equal(await link.getAttribute("href"), "/account");
  assert.equal(await page.getByRole("button", { name: "Challenge" }).count(), 0);
});

test("more matches load on demand, and the focus follows", async (t) => {
  const [one, two] = [await stage.account("Procopius", "Procopius"), await stage.guest("Belisarius")];
  const all = PAGE_MATCHES + 3;
  for (let match = 0; match < all; match += 1) await stage.lost("tablut", one, two);
  const { page, goto } = await stage.visitor(t);
  await goto("/player/Procopius");
  await count(page, PAGE_MATCHES);
  const more = page.getByRole("button", { name: "More matches" });
  await more.click();
  await count(page, all);
  await more.waitFor({ state: "hidden" });
  const focused = await page.evaluate(() => {
    const played = document.querySelector("lusoria-player-page")?.shadowRoot?.querySelector("lusoria-played")?.shadowRoot;
    return [...(played?.querySelectorAll("a") ?? [])].indexOf(/** @type {any} */ (played?.activeElement));
  });
  assert.equal(focused, PAGE_MATCHES);
});

test("the records of the list are downloaded: a stranger's by a link, one's own with private ones", async (t) => {
  const stranger = await stage.visitor(t);
  await stranger.goto("/player/Agathias?game=tavla");
  await count(stranger.page, 2);
  const link = stranger.page.getByRole("link", { name: "JSON lines" });
  const href = await link.getAttribute("href");
  assert.equal(href, "/api/v1/players/Agathias/records?game=tavla&format=ndjson");
  const open = await saved(stranger.page, () => link.click());
  assert.equal(open.name, "lusoria-Agathias.ndjson");
  assert.deepEqual(open.text.trim().split("\n").map((line) => JSON.parse(line).game), ["tavla", "tavla"]);

  const { page, goto } = await stage.visitor(t, { guest: zeno });
  await goto("/player/Agathias?opponent=zeno");
  await count(page, 3);
  const own = await saved(page, () => page.getByRole("button", { name: "JSON lines" }).click());
  assert.ok(own.text.split("\n").some((line) => line !== "" && JSON.parse(line).match === hidden), "with the private one");
  const text = await saved(page, () => page.getByRole("button", { name: "Text" }).click());
  assert.equal(text.name, "lusoria-Agathias.txt");
  assert.equal(text.text.match(/^\[Format /gm)?.length, 3);
});

/** The downloaded file. @param {Page} page @param {() => Promise<unknown>} does */
async function saved(page, does) {
  const [download] = await Promise.all([page.waitForEvent("download"), does()]);
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), "utf8") };
}

test("without a player the page says so, and links to the search", async (t) => {
  const guest = await stage.guest("Nobody");
  for (const named of ["nobody-at-all", guest.id, "two%20words"]) {
    const { page, goto, person } = await stage.visitor(t);
    person.expecting = [NOT_FOUND];
    await goto(`/player/${named}`);
    const heading = named === guest.id ? "This player has no page" : "There is no such player";
    await page.getByRole("heading", { name: heading }).waitFor();
    await page.getByRole("link", { name: "Find a player" }).click();
    await page.waitForURL("**/players");
  }
});

test("a URL with an id becomes one with the handle", async (t) => {
  const { page, goto } = await stage.visitor(t);
  // The server's response for the handle serves for the id, too.
  const api = `${stage.server.address}/api/v1/players`;
  await page.route(`${api}/${zeno.id}`, (route) => route.continue({ url: `${api}/Zeno` }));
  await goto(`/player/${zeno.id}?game=tablut`);
  await page.getByRole("heading", { name: "Zeno", level: 1 }).waitFor();
  await page.waitForURL("**/player/Zeno?game=tablut");
  await count(page, 1);
});

test("a page that failed to load is tried again", async (t) => {
  const { page, goto, person } = await stage.visitor(t);
  person.expecting = [/ERR_/, /Failed to load resource/];
  const path = "**/api/v1/players/Zeno";
  await page.route(path, (route) => route.abort());
  await goto("/player/Zeno");
  await page.getByText("The server cannot be reached.").waitFor();
  await page.unroute(path);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("heading", { name: "Zeno", level: 1 }).waitFor();
});

test("axe finds nothing on the pages of players, and nothing is too wide", async (t) => {
  const looks = /** @type {const} */ ([
    ["/players?search=aga", (/** @type {Page} */ page) => page.getByText("2 players").waitFor()],
    ["/player/Agathias", (/** @type {Page} */ page) => count(page, 4)],
    ["/player/Agathias?opponent=agatha-theodora&result=won", (/** @type {Page} */ page) => page.getByRole("table", { name: "Agathias of Myrina against Theodora" }).waitFor()],
    ["/player/Zeno", (/** @type {Page} */ page) => page.getByRole("link", { name: "Your account" }).waitFor()],
  ]);
  for (const [path, ready] of looks) {
    await inBothThemes(stage, t, path, { guest: zeno }, async (page) => {
      await ready(page);
      for (const lang of ["en", "fr"]) {
        const other = await page.context().newPage();
        await other.goto(`${new URL(page.url()).origin}${path}${path.includes("?") ? "&" : "?"}lang=${lang}`);
        await other.locator("main li").first().waitFor();
        await fitsNarrowest(other, `${path} ${lang}`);
        await other.close();
      }
    });
  }
});
