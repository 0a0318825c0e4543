// Home: no layout shifts while it loads; the games; the person's matches, which can be ended, hidden and found again.

import AxeBuilder from "@axe-core/playwright";
import assert from "node:assert/strict";
import { endTv } from "../support/home.js";
import { Stage } from "../support/stage.js";
import { test } from "../support/test.js";

const stage = new Stage({ alone: true });

/** @typedef {import("playwright-core").Page} Page */

const SIZES = [[360, 740], [820, 1180], [1440, 900]];

/** The largest layout shift while the page loads. */
const SHIFT_MAX = 0.02;

/** Records layout shifts. */
function noteShifts() {
  window.shifts = [];
  const seen = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (entry.hadRecentInput) continue;
      const from = entry.sources.map(({ previousRect: { x, y, width, height } }) => [x, y, width, height].map(Math.round));
      window.shifts.push({ value: entry.value, from });
    }
  });
  seen.observe({ type: "layout-shift", buffered: true });
}

/** Waits for two frames. @param {Page} page */
const drawn = (page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

/** Each response arrives alone, and is rendered before the next one arrives. @param {Page} page */
async function oneByOne(page) {
  let last = Promise.resolve();
  await page.route("**/api/v1/**", (route) => {
    last = last.then(async () => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer });
      await drawn(page);
    }).catch(() => {});
  });
}

/** @param {{token: string}} guest @param {object} body @returns {Promise<string>} the match */
const make = async (guest, body) => (await stage.server.ask("POST", "/matches", body, guest.token)).match.id;

/** A guest with unfinished and finished matches, seeks and challenges. */
async function busy() {
  const { guests: [guest, other] } = await stage.match("tabula");
  for (const game of ["tavla", "zeno", "tablut"]) await make(guest, { game, admission: "both_seats" });
  // A series: no player who wants a single game is paired with it.
  await make(guest, { game: "scripta", points: 5 });
  const over = await make(guest, { game: "tavla", opponent: { computer: 1 } });
  await stage.server.ask("POST", `/matches/${over}/abort`, {}, guest.token);
  const challenge = { to: guest.id, game: "zeno", clock: { kind: "days", days: 3 } };
  await stage.server.ask("POST", "/challenges", challenge, other.token);
  const sought = { games: ["scripta"], clocks: [{ kind: "days", days: 3 }] };
  await stage.server.ask("POST", "/seeks", sought, guest.token);
  return guest;
}

/** A match of tavla between two guests that the second or the first has resigned. @param {1 | 2} winner */
async function resigned(winner) {
  const match = await stage.match("tavla");
  for (let turn = 0; turn < 4; turn += 1) await stage.playOne(match.id, match.guests);
  await stage.server.ask("POST", `/matches/${match.id}/resign`, {}, match.guests[2 - winner].token);
  return match;
}

/** A region of the page. @param {Page} page @param {string} name */
const region = (page, name) => page.getByRole("region", { name, exact: true });

/** @param {Page} page @param {string} what */
async function nothingWrong(page, what) {
  const { violations } = await new AxeBuilder({ page }).withTags(["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"]).analyze();
  assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.flat().join(" "))}`), [], what);
}

for (const [width, height] of SIZES) {
  for (const who of ["a stranger", "somebody with matches, seeks and challenges"]) {
    test(`nothing shifts for ${who} on ${width}×${height}`, async (t) => {
      await stage.match("tablut");
      await make(await stage.guest("Theodora"), { game: "tavla" });
      const guest = who === "a stranger" ? null : await busy();
      const { person, page, goto } = await stage.visitor(t, { guest, context: { viewport: { width, height } } });
      await person.context.addInitScript(noteShifts);
      await oneByOne(page);
      await endTv(page, stage.server);
      await goto("/");
      await region(page, "Live now").getByRole("link", { name: "Tablut" }).first().waitFor();
      if (guest) {
        await page.getByText("Zeno challenges you").waitFor();
        await region(page, "Your matches").getByRole("link", { name: "Tabula" }).waitFor();
        await region(page, "Your finished matches").waitFor();
      }
      await page.waitForLoadState("networkidle");
      await drawn(page);
      const shifts = await page.evaluate(() => window.shifts);
      const sum = shifts.reduce((/** @type {number} */ all, /** @type {any} */ { value }) => all + value, 0);
      assert.ok(sum <= SHIFT_MAX, `${sum}: ${JSON.stringify(shifts)}`);
      await page.unrouteAll({ behavior: "ignoreErrors" });
    });
  }
}

test("a newcomer with a phone sees the large board, and how to play, without scrolling", async (t) => {
  for (const lang of ["en", "fr"]) {
    const { page, goto } = await stage.visitor(t, { context: { viewport: { width: 360, height: 740 } } });
    await goto(`/?lang=${lang}`);
    for (const part of [page.locator("lusoria-great"), page.locator("lusoria-opponents .main")]) {
      await part.waitFor();
      const { y = -1, height = 0 } = (await part.boundingBox()) ?? {};
      assert.ok(y >= 0 && y + height <= 740, `${lang}: ${y} + ${height}`);
    }
  }
});

test("on a phone one's matches, players and leaderboards are under one's name", async (t) => {
  const { page, goto } = await stage.visitor(t, { context: { viewport: { width: 360, height: 740 } } });
  await goto("/");
  await page.getByRole("button", { name: "Choose a name" }).click();
  const yours = page.locator("lusoria-name").getByRole("navigation");
  for (const [name, address] of [["My matches", "/#mine"], ["Players", "/players"], ["Leaderboards", "/leaderboards"]]) {
    assert.equal(await yours.getByRole("link", { name }).getAttribute("href"), address);
  }
});

test("a player with a match sees it first, then an opponent to be found, then the games", async (t) => {
  const guest = await stage.guest("Agathias");
  const headings = async () => {
    const { page, goto } = await stage.visitor(t, { guest });
    await goto("/");
    await region(page, "Choose a game").waitFor();
    return (await page.getByRole("heading", { level: 2 }).allInnerTexts()).slice(0, 3);
  };
  assert.deepEqual(await headings(), ["Find an opponent", "Waiting for an opponent", "Choose a game"]);
  await make(guest, { game: "tavla" });
  assert.deepEqual(await headings(), ["Your matches", "Find an opponent", "Waiting for an opponent"]);
});

test("the games are shown even if the person's matches cannot be loaded", async (t) => {
  const { person, page, goto } = await stage.visitor(t, { guest: await stage.guest("Agathias") });
  person.expecting.push(/Failed to load resource/);
  await page.route("**/api/v1/me/**", (route) => route.abort());
  await goto("/");
  await region(page, "Choose a game").getByRole("button", { name: "Tavla", exact: true }).waitFor();
});

test("a card has its game's facts from the catalogue, the easiest first, and links to its lesson", async (t) => {
  const { page, goto } = await stage.visitor(t);
  await goto("/");
  const { games } = await stage.server.ask("GET", "/games");
  const shown = region(page, "Choose a game").getByRole("listitem");
  assert.equal(await shown.count(), games.length);
  const difficulties = ["Easy", "Medium", "Demanding"];
  let before = 0;
  for (const card of await shown.all()) {
    const name = await card.getByRole("heading").innerText();
    const learn = card.getByRole("link", { name: "Learn in two minutes" });
    const game = (await learn.getAttribute("href"))?.replace("/learn/", "");
    const entry = games.find((/** @type {any} */ { id }) => id === game);
    const text = (await card.innerText()).replaceAll(/[\u2060]/g, "").replaceAll("\u00a0", " ");
    const minutes = ["quick", "normal"].map((id) => {
      const preset = entry.clock_presets.find((/** @type {any} */ clock) => clock.id === id);
      return Math.round(preset.lasts_ms / 300_000) * 5;
    });
    assert.ok(text.includes(`about ${entry.typical_turns} turns, ${minutes.join("–")} min`), `${name}: ${text}`);
    const difficulty = difficulties.findIndex((word) => text.includes(word));
    assert.ok(difficulty >= before, name);
    before = difficulty;
  }
  await shown.first().getByRole("link").click();
  await page.waitForURL("**/learn/tavla");
});

for (const [game, name] of [["zeno", "Zeno’s Tavli"], ["tavla", "Tavla"]]) {
  test(`a match of ${game} is a single game by default`, async (t) => {
    const { page, goto } = await stage.visitor(t);
    await goto("/");
    await region(page, "Choose a game").getByRole("button", { name, exact: true }).click();
    await page.getByRole("button", { name: /^Pass and play/ }).click();
    await page.waitForURL(/\/match\//);
    assert.equal((await stage.snapshot(new URL(page.url()).pathname.split("/")[2])).points, 1);
  });
}

test("a custom clock can be set, within the server's limits", async (t) => {
  const { page, goto } = await stage.visitor(t);
  await goto("/");
  await region(page, "Choose a game").getByRole("button", { name: "Tavla", exact: true }).click();
  await page.locator("lusoria-start summary").click();
  await page.locator("lusoria-start").getByRole("combobox", { name: "Time control" }).selectOption("Set your own");
  await page.getByRole("spinbutton", { name: "minutes", exact: true }).fill("7");
  await page.getByRole("spinbutton", { name: "seconds added per turn" }).fill("999");
  await page.getByRole("button", { name: /^Pass and play/ }).click();
  await page.waitForURL(/\/match\//);
  const { clock } = await stage.snapshot(new URL(page.url()).pathname.split("/")[2]);
  assert.deepEqual(clock, { kind: "fischer", base_ms: 420_000, increment_ms: 180_000 });
});

test("a player against anyone never joins a series", async (t) => {
  await make(await stage.guest("Theodora"), { game: "scripta", points: 5 });
  const { page, goto } = await stage.visitor(t);
  await goto("/");
  await page.getByRole("button", { name: /^Join Ludus XII scriptorum against Theodora/ }).first().waitFor();
  await region(page, "Choose a game").getByRole("button", { name: "Ludus XII scriptorum", exact: true }).click();
  await page.getByRole("button", { name: /^Against anyone Anyone can join your match/ }).waitFor();
});

test("without dice, dice are not mentioned", async (t) => {
  const { page, goto } = await stage.visitor(t);
  await goto("/#tablut");
  await page.getByText("Time control, length, side", { exact: true }).waitFor();
  await goto("/#tavla");
  await page.reload();
  await page.getByText("Time control, length, side, dice", { exact: true }).waitFor();
});

test("titles use the page's own typeface", async (t) => {
  const { page, goto } = await stage.visitor(t);
  await goto("/");
  const title = page.getByRole("heading", { level: 1 });
  await title.waitFor();
  assert.match(await title.evaluate((shown) => getComputedStyle(shown).fontFamily), /^Cinzel,/);
  await page.waitForFunction(() => [...document.fonts].some(({ family, status }) => family === "Cinzel" && status === "loaded"));
});

test("boards change with the preferences", async (t) => {
  const { page, goto } = await stage.visitor(t);
  await goto("/");
  // Other lists change with the matches of others.
  const games = region(page, "Choose a game");
  const boards = games.locator("lusoria-miniature");
  await boards.nth(4).waitFor();
  // They render one after the other.
  await games.locator("lusoria-miniature:not([skin])").first().waitFor({ state: "detached" });
  const skins = () => boards.evaluateAll((all) => [...new Set(all.map((board) => board.getAttribute("skin")))]);
  // By default only the board of Ludus XII scriptorum is of stone.
  assert.deepEqual((await skins()).sort(), ["stone", "wood"]);
  await page.getByRole("button", { name: "Preferences" }).click();
  await page.getByRole("radio", { name: "Marble", exact: true }).check();
  assert.deepEqual(await skins(), ["stone"]);
});

test("an open match is withdrawn, a new one aborted, one that both have played resigned", async (t) => {
  const guest = await stage.guest("Agathias");
  const zeno = await stage.guest("Zeno");
  const made = { scripta: await make(guest, { game: "scripta" }), tavla: "", zeno: "" };
  for (const game of /** @type {const} */ (["tavla", "zeno"])) {
    made[game] = await make(guest, { game, clock: { kind: "none" } });
    await stage.server.ask("POST", `/matches/${made[game]}/join`, {}, zeno.token);
  }
  for (let turn = 0; turn < 4; turn += 1) await stage.playOne(made.zeno, [guest, zeno]);
  const { page, goto } = await stage.visitor(t, { guest });
  await goto("/");
  const mine = region(page, "Your matches");
  for (const [name, deed, told] of [
    ["Ludus XII scriptorum", "Withdraw the match", "Withdraw it?"],
    ["Tavla", "Abort game", "Abort the game?"],
    ["Zeno’s Tavli", "Resign the game", "Resign? Zeno gets 1 point."],
  ]) {
    const before = await mine.getByRole("listitem").count();
    await mine.getByRole("button", { name: `End or hide: ${name}` }).click();
    const dialog = page.locator("lusoria-unfinished");
    await dialog.getByRole("button", { name: deed }).click();
    const question = dialog.locator("lusoria-ends lusoria-dialog");
    await question.getByText(told).waitFor();
    if (before === 3) await nothingWrong(page, "the dialogue");
    await question.getByRole("button", { name: deed }).click();
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await mine.getByRole("link", { name }).waitFor({ state: "hidden" });
  }
  const ends = await Promise.all(Object.values(made).map((id) => stage.snapshot(id)));
  assert.deepEqual(ends.map(({ result }) => result.reason ?? result.result), ["withdrawn", "player", "won"]);
  const finished = region(page, "Your finished matches");
  await finished.getByText("Lost", { exact: true }).last().waitFor();
  assert.equal(await finished.getByText("Aborted").count(), 2);
});

test("a match that has advanced in the meantime cannot be aborted: it can be resigned", async (t) => {
  const { id, guests } = await stage.match("tavla");
  const { person, page, goto } = await stage.visitor(t, { guest: guests[0] });
  person.expecting.push(/409 \(Conflict\)/);
  await goto("/");
  await page.getByRole("button", { name: "End or hide: Tavla" }).click();
  const dialog = page.locator("lusoria-unfinished");
  await dialog.getByRole("button", { name: "Abort game" }).click();
  for (let turn = 0; turn < 4; turn += 1) await stage.playOne(id, guests);
  await dialog.locator("lusoria-ends lusoria-dialog").getByRole("button", { name: "Abort game" }).click();
  await dialog.getByRole("alert").filter({ hasText: /\S/ }).first().waitFor();
  await dialog.getByRole("button", { name: "Resign the game" }).waitFor();
  assert.equal((await stage.snapshot(id)).state, "playing");
});

test("a player with too many unfinished matches is led to them", async (t) => {
  const guest = await stage.guest("Agathias");
  await Promise.all(Array.from({ length: 100 }, () => make(guest, { game: "tavla", admission: "both_seats" })));
  const { person, page, goto } = await stage.visitor(t, { guest });
  person.expecting.push(/409 \(Conflict\)/);
  await goto("/#tablut");
  await page.getByRole("button", { name: /^Pass and play/ }).click();
  const refused = page.getByText("You have too many unfinished matches. End some first.");
  await refused.getByRole("link", { name: "Your matches" }).click();
  await refused.waitFor({ state: "hidden" });
  const mine = region(page, "Your matches");
  assert.ok(await mine.getByRole("heading", { name: "Your matches" }).evaluate((heading) => heading.matches(":focus")));
  assert.equal(await mine.getByRole("listitem").count(), 100);
  await goto("/#mine");
  await mine.getByRole("heading", { name: "Your matches" }).and(page.locator(":focus")).waitFor();
});

test("a match is hidden on this device, and shown again", async (t) => {
  const guest = await stage.guest("Agathias");
  await make(guest, { game: "tavla", admission: "both_seats" });
  await make(guest, { game: "tablut", admission: "both_seats" });
  const { page, goto } = await stage.visitor(t, { guest });
  await goto("/");
  const mine = region(page, "Your matches");
  await mine.getByRole("button", { name: "End or hide: Tavla" }).click();
  await page.locator("lusoria-unfinished").getByRole("button", { name: "Hide it here" }).click();
  await mine.getByRole("link", { name: "Tavla" }).waitFor({ state: "hidden" });
  await page.reload();
  await mine.getByRole("link", { name: "Tablut" }).waitFor();
  assert.equal(await mine.getByRole("link", { name: "Tavla" }).count(), 0);
  await mine.getByRole("button", { name: "Show 1 hidden match" }).click();
  await mine.getByRole("link", { name: "Tavla" }).waitFor();
  await nothingWrong(page, "hidden matches");
  await mine.getByRole("button", { name: "End or hide: Tavla" }).click();
  await page.locator("lusoria-unfinished").getByRole("button", { name: "Show it again" }).click();
  await mine.getByRole("button", { name: /hidden/ }).waitFor({ state: "hidden" });
  await mine.getByRole("link", { name: "Tavla" }).waitFor();
});

test("a player with many matches still sees those of others", async (t) => {
  const { id } = await stage.match("tablut");
  const guest = await stage.guest("Agathias");
  await Promise.all(Array.from({ length: 25 }, () => make(guest, { game: "tavla", admission: "both_seats" })));
  const { page, goto } = await stage.visitor(t, { guest });
  await goto("/");
  await region(page, "Live now").locator(`lusoria-card a[href="/match/${id}"]`).waitFor();
  const mine = region(page, "Your matches").locator("lusoria-card");
  assert.equal(await mine.count(), 6);
  await region(page, "Your matches").getByRole("button", { name: "Show all" }).click();
  await mine.nth(24).locator("lusoria-miniature").waitFor();
});

test("for accounts the server's count is shown", async (t) => {
  const { guests: [guest] } = await resigned(1);
  await stage.server.ask("POST", "/me/account", { handle: "agathias", password: "eight dice in a cup" }, guest.token);
  const { page, goto } = await stage.visitor(t, { guest });
  await goto("/");
  const finished = region(page, "Your finished matches");
  await finished.getByText("Your public matches against people and bots").waitFor();
  assert.deepEqual(await finished.getByRole("row").allInnerTexts(), ["Game\tWon\tLost\tDrawn", "Tavla\t1\t0\t0"]);
});

test("finished matches are listed, with the results by game", async (t) => {
  const won = await resigned(1);
  const [guest] = won.guests;
  const lost = await make(guest, { game: "tavla", clock: { kind: "none" } });
  const other = won.guests[1];
  await stage.server.ask("POST", `/matches/${lost}/join`, {}, other.token);
  for (let turn = 0; turn < 4; turn += 1) await stage.playOne(lost, [guest, other]);
  await stage.server.ask("POST", `/matches/${lost}/resign`, {}, guest.token);
  await Promise.all(Array.from({ length: 60 }, async () => {
    const id = await make(guest, { game: "tablut", admission: "both_seats" });
    await stage.server.ask("POST", `/matches/${id}/abort`, {}, guest.token);
  }));
  const { page, goto } = await stage.visitor(t, { guest });
  await goto("/");
  const finished = region(page, "Your finished matches");
  const shown = finished.locator("lusoria-card");
  await shown.first().waitFor();
  assert.equal(await shown.count(), 6);
  // The two that count are older than the first page of matches.
  assert.equal(await finished.getByRole("table").count(), 0);
  const more = finished.getByRole("button", { name: "Show more" });
  while (await more.isVisible()) {
    const before = await shown.count();
    await more.click();
    await page.waitForFunction((count) => {
      const home = document.querySelector("lusoria-home");
      return home.renderRoot.querySelector("lusoria-finished").renderRoot.querySelectorAll("lusoria-card").length > count;
    }, before);
  }
  assert.equal(await shown.count(), 62);
  assert.deepEqual(await finished.getByRole("row").allInnerTexts(), ["Game\tWon\tLost\tDrawn", "Tavla\t1\t1\t0"]);
  await finished.getByText("All your matches").waitFor();
  await nothingWrong(page, "finished matches");
  await finished.getByRole("link", { name: "Tavla" }).last().click();
  await page.waitForURL(`**/match/${won.id}`);
});
