// Rated matches and pairs: created from home, by a challenge and by a seek, and shown.

import assert from "node:assert/strict";
import { Stage } from "../support/stage.js";
import { test } from "../support/test.js";

const stage = new Stage({ alone: true });

/** @typedef {import("playwright-core").Page} Page */

const PAIRS_ONLY = "in two games with the sides exchanged";

/** @param {Page} page */
const atMatch = (page) => page.waitForURL(/\/match\/[0-9a-f-]{36}$/);

/** @param {Page} page */
const matchOf = (page) => new URL(page.url()).pathname.split("/")[2];

/** Opens the terms of a game on home. @param {Page} page @param {string} game */
async function terms(page, game) {
  await page.getByRole("button", { name: game }).first().click();
  const dialog = page.locator("lusoria-start");
  await dialog.getByText(/Time control, length/).click();
  return dialog;
}

/** Deselects all games of the seek but one. @param {Page} page @param {string} name */
async function only(page, name) {
  const games = page.getByRole("group", { name: "Games you want to play" });
  await games.getByRole("button", { name }).waitFor();
  for (const game of await games.getByRole("button").all()) {
    if ((await game.innerText()).trim() !== name) await game.click();
  }
}

test("a challenge leads to a rated pair of zeno", async (t) => {
  const [one, two] = [await stage.account("Agathias", "agathias"), await stage.account("Zeno", "zeno")];
  const { page, goto } = await stage.visitor(t, { guest: one });
  await goto("/player/zeno");
  await page.getByRole("button", { name: "Challenge", exact: true }).click();
  const dialog = page.locator("lusoria-challenge");
  await dialog.getByRole("radio", { name: "Casual" }).waitFor();
  assert.ok(await dialog.getByRole("radio", { name: "Casual" }).isChecked(), "nobody is rated unasked");
  await dialog.getByRole("combobox").first().selectOption("zeno");
  await dialog.getByRole("radio", { name: "Rated" }).check();
  await dialog.getByText(PAIRS_ONLY).waitFor();
  assert.ok(await dialog.getByRole("radio", { name: "Two games" }).isChecked());
  assert.ok(await dialog.getByRole("radio", { name: "A single game" }).isDisabled());
  const clocks = await dialog.getByLabel("Time control").locator("option").allInnerTexts();
  assert.ok(!clocks.includes("No clock"), clocks.join(", "));
  await dialog.getByRole("button", { name: "Send the challenge" }).click();
  await dialog.getByText("Challenge sent.").waitFor();

  const { challenges } = await stage.server.ask("GET", "/challenges", undefined, two.token);
  assert.deepEqual([challenges[0].game, challenges[0].games, challenges[0].rated], ["zeno", 2, true]);
  const other = await stage.visitor(t, { guest: two });
  await other.goto("/");
  const row = other.page.getByRole("list", { name: "Challenges" }).getByRole("listitem");
  await row.getByText("two games, sides exchanged · rated").waitFor();
  await row.getByRole("button", { name: "Accept" }).click();
  await Promise.all([atMatch(page), atMatch(other.page)]);
  await page.getByText("two games · rated").waitFor();
});

test("two accounts that press Play now play a rated match; zeno in pairs", async (t) => {
  const [one, two] = [await stage.account("Theodora", "theodora"), await stage.account("Paul", "paul")];
  const first = await stage.visitor(t, { guest: one });
  await first.goto("/");
  await only(first.page, "Zeno’s Tavli");
  const rated = first.page.getByRole("checkbox", { name: "Rated" });
  assert.ok(await rated.isChecked(), "who has an account plays for their rating");
  await first.page.getByText(PAIRS_ONLY).waitFor();
  await rated.uncheck();
  await first.page.getByText(PAIRS_ONLY).waitFor({ state: "hidden" });
  await first.page.reload();
  await rated.waitFor();
  assert.ok(!(await rated.isChecked()), "what was chosen last is chosen again");
  await rated.check();
  await first.page.getByRole("button", { name: "Play now" }).click();
  await first.page.getByRole("list", { name: "Your searches" }).getByText("rated").waitFor();

  const second = await stage.visitor(t, { guest: two });
  await second.goto("/");
  await second.page.getByRole("button", { name: "Play now" }).click();
  await Promise.all([atMatch(first.page), atMatch(second.page)]);
  const match = await stage.snapshot(matchOf(first.page));
  assert.deepEqual([match.game, match.games, match.rated], ["zeno", 2, true]);
});

test("without a clock nothing is rated, and a pair can be casual", async (t) => {
  const { page, goto } = await stage.visitor(t, { guest: await stage.account("Palladas", "palladas") });
  await goto("/");
  await only(page, "Tavla");
  await page.getByLabel("Time control").first().selectOption("none");
  const rated = page.getByRole("checkbox", { name: "Rated" });
  assert.deepEqual([await rated.isChecked(), await rated.isDisabled()], [false, true]);
  await page.getByRole("combobox", { name: "Length" }).selectOption("pair");
  await page.getByRole("button", { name: "Play now" }).click();
  await page.getByText("two games, sides exchanged").waitFor();
  const { token } = await page.evaluate(() => JSON.parse(localStorage.getItem("lusoria.guest") ?? ""));
  const { seeks } = await stage.server.ask("GET", "/seeks", undefined, token);
  assert.deepEqual([seeks[0].points, seeks[0].pairs, seeks[0].rated ?? false], [[], true, false]);
});

test("guests see what a rated match needs, and that it is for accounts", async (t) => {
  const { page, goto } = await stage.visitor(t, { guest: await stage.guest("Leontius") });
  await goto("/");
  const rated = page.getByRole("checkbox", { name: "Rated" });
  await rated.waitFor();
  assert.deepEqual([await rated.isChecked(), await rated.isDisabled()], [false, true]);
  await page.getByText("Rated matches need an account").first().waitFor();
  const dialog = await terms(page, "Tabula");
  assert.ok(await dialog.getByRole("radio", { name: "Rated" }).isDisabled());
  const way = dialog.getByRole("link", { name: "Open an account" });
  assert.equal(await way.getAttribute("href"), "/account");
});

test("a pair shows its score, and the result of both players", async (t) => {
  const { id, guests: [one, two] } = await stage.match("tavla", { games: 2 });
  const seat = await stage.at(t, id, { guest: one });
  const resign = (/** @type {{token: string}} */ by) =>
    stage.server.ask("POST", `/matches/${id}/resign`, {}, by.token);
  await resign(two);
  await seat.page.getByText("Agathias 1–0 Zeno, two games").waitFor();
  await seat.page.getByText("Zeno has resigned · 1 point").waitFor();
  await seat.page.getByRole("region").getByRole("button", { name: "Next game" }).click();
  await resign(one);
  await seat.page.getByText("Agathias 1–1 Zeno, two games").waitFor();
  await seat.page.getByText("The match is drawn, 1–1.").first().waitFor();
});
