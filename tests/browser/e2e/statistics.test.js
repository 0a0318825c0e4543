// Statistics of the games: plots, the tables behind them, and files.

import assert from "node:assert/strict";
import { fitsNarrowest, inBothThemes } from "../support/axe.js";
import { Stage } from "../support/stage.js";
import { test } from "../support/test.js";

/** An opening is listed once this many matches begin with it. */
const MATCHES = 3;

const stage = new Stage({
  prepare: async () => {
    for (let match = 0; match < MATCHES; match += 1) {
      const { id, guests } = await stage.match("tablut");
      for (let turn = 0; turn < 4; turn += 1) await stage.playOne(id, guests);
      await stage.server.ask("POST", `/matches/${id}/resign`, { scope: "match" }, guests[0].token);
    }
    // The server counts in the background.
    for (;;) {
      const { games, waiting } = await stage.server.ask("GET", "/statistics");
      const tablut = games.find((/** @type {{game: string}} */ { game }) => game === "tablut");
      if (waiting === 0 && tablut.matches === MATCHES) return;
    }
  },
});

/** Waits for the statistics of Tablut. @param {import("playwright-core").Page} page */
const isThere = (page) => page.getByRole("heading", { name: "Results", level: 2 }).waitFor();

test("the list of games links to the statistics of each", async (t) => {
  const { page, goto } = await stage.visitor(t);
  await goto("/statistics");
  await page.getByText(`${MATCHES} games in ${MATCHES} matches`).waitFor();
  await page.getByRole("link", { name: /^Tablut/ }).click();
  await isThere(page);
  assert.match(await page.title(), /Tablut/);
  const sides = page.getByRole("table", { name: "By side" });
  assert.match(await sides.innerText(), /Defenders won\s+3\s+100%/);
  await page.getByText(/resignation/).waitFor();
  const openings = page.getByRole("region", { name: "Openings" });
  assert.equal(await openings.locator("tbody tr").count(), 4, "one for each number of moves");
});

test("behind a plot is the table of its numbers", async (t) => {
  const { page, goto } = await stage.visitor(t);
  await goto("/statistics/tablut");
  const plot = page.locator("lusoria-plot").last();
  await plot.getByText("Show the numbers").click();
  const counts = await plot.locator("tbody td").allInnerTexts();
  assert.equal(counts.reduce((sum, count) => sum + Number(count), 0), 4 * MATCHES, "turns of people");
});

test("a game without finished games says so", async (t) => {
  const { page, goto } = await stage.visitor(t);
  await goto("/statistics/zeno?lang=fr");
  await page.getByText("Aucune rencontre terminée n’a encore été comptée.").waitFor();
});

test("the counts can be downloaded, and the page says how to cite them", async (t) => {
  const { page, goto } = await stage.visitor(t);
  await goto("/statistics/tablut");
  const downloading = page.waitForEvent("download");
  await page.getByRole("link", { name: "CSV" }).click();
  assert.equal((await downloading).suggestedFilename(), "lusoria-tablut.csv");
  await page.getByText(`${stage.server.address}/statistics/tablut, retrieved on`).waitFor();
});

test("everyone can use it", async (t) => {
  await inBothThemes(stage, t, "/statistics");
  await inBothThemes(stage, t, "/statistics/tablut", {}, async (page) => {
    await isThere(page);
    await page.locator("lusoria-plot").last().getByText("Show the numbers").click();
  });
  const { page, goto } = await stage.visitor(t);
  await goto("/statistics/tablut");
  await isThere(page);
  await fitsNarrowest(page, "statistics");
});
