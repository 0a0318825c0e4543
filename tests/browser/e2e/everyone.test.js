// Accessibility: axe finds nothing.

import { inBothThemes as lookedAt } from "../support/axe.js";
import { FAST } from "../support/browser.js";
import { Stage } from "../support/stage.js";
import { test } from "../support/test.js";

const stage = new Stage({ alone: true });

const GAMES = ["zeno", "scripta", "tabula", "tavla", "tablut"];

/** How long the computer may think on a busy machine. */
const THINKS_MS = 90_000;

/** Opens a page in both themes. @param {import("node:test").TestContext} t @param {string} path @param {import("../support/stage.js").How} [how] @param {(page: import("playwright-core").Page) => Promise<unknown>} [does] */
const inBothThemes = (t, path, how, does) =>
  lookedAt(stage, t, path, { ...how, preferences: { ...FAST, throwing: "click" } }, does);

/** A match that has ended. @param {string} game */
async function ended(game) {
  const { id, guests } = await stage.match(game);
  for (let turn = 0; turn < 4; turn += 1) await stage.playOne(id, guests);
  await stage.server.ask("POST", `/matches/${id}/resign`, {}, guests[0].token);
  return id;
}

test("axe finds nothing on home", async (t) => {
  const { guests: [guest] } = await stage.match("tabula");
  await stage.match("tablut");
  await stage.server.ask("POST", "/matches", { game: "tavla" }, (await stage.guest("Theodora")).token);
  const zeno = await stage.guest("Zeno");
  await stage.server.ask("POST", "/challenges", { to: guest.id, game: "zeno", clock: { kind: "days", days: 3 } }, zeno.token);
  const sought = { games: ["scripta"], clocks: [{ kind: "days", days: 3 }] };
  await stage.server.ask("POST", "/seeks", sought, guest.token);
  await inBothThemes(t, "/", { guest }, async (page) => {
    await page.getByRole("region", { name: "Live now" }).getByRole("link", { name: "Tablut" }).waitFor();
    await page.getByText("Zeno challenges you").waitFor();
  });
  await inBothThemes(t, "/#zeno", { guest }, async (page) => {
    await page.locator("lusoria-start summary").first().click();
    await page.getByText("Your side in the first game").waitFor();
  });
  await inBothThemes(t, "/", { guest }, async (page) => {
    await page.getByRole("button", { name: "Play the computer at Tavla" }).click();
    await page.getByText("Watch the computer play itself").click();
    await page.getByRole("button", { name: "Watch", exact: true }).waitFor();
  });
  await inBothThemes(t, "/", { guest }, async (page) => {
    await page.getByRole("button", { name: "Preferences" }).click();
    await page.getByRole("dialog", { name: "Preferences" }).waitFor();
  });
});

test("axe finds nothing on the page of an invitation", async (t) => {
  const guest = await stage.guest("Agathias");
  const made = await stage.server.ask("POST", "/matches", { game: "zeno", admission: "invitation" }, guest.token);
  await inBothThemes(t, `/join#${made.invitation.code}`, {}, (page) => page.getByRole("button", { name: "Join the match" }).waitFor());
  await inBothThemes(t, `/match/${made.match.id}`, { guest }, (page) => page.getByText("Create a new link").waitFor());
});

test("axe finds nothing on the page of devices", async (t) => {
  const guest = await stage.guest("Agathias");
  const { code } = await stage.server.ask("POST", "/me/device-code", {}, guest.token);
  await stage.server.ask("POST", "/device-codes/spend", { code, device: "Firefox, Android" });
  await inBothThemes(t, "/devices", { guest }, async (page) => {
    await page.getByRole("button", { name: "Create a code" }).click();
    await page.getByRole("img", { name: "The link as a QR code" }).waitFor();
    await page.getByRole("button", { name: "Sign out “Firefox, Android”" }).click();
  });
  const other = await stage.server.ask("POST", "/me/device-code", {}, guest.token);
  await inBothThemes(t, `/devices#${other.code}`, { guest: await stage.guest("Zeno") }, (page) =>
    page.getByRole("heading", { name: "Sign in here?" }).waitFor());
});

/** Waits until a board has rendered. @param {import("playwright-core").Page} page */
const board = (page) => page.locator("lusoria-board .places rect").first().waitFor({ state: "attached" });

for (const game of GAMES) {
  test(`axe finds nothing in a match and a lesson of ${game}`, async (t) => {
    const { id, guests: [guest] } = await stage.match(game);
    await inBothThemes(t, `/match/${id}`, { guest }, board);
    await inBothThemes(t, `/learn/${game}`, {}, board);
    await inBothThemes(t, `/rules/${game}`);
  });
}

test("axe finds nothing while the computer plays and gives hints", async (t) => {
  const guest = await stage.guest("Agathias");
  const body = { game: "tavla", side: "white", opponent: { computer: 1 } };
  const { match } = await stage.server.ask("POST", "/matches", body, guest.token);
  await inBothThemes(t, `/match/${match.id}`, { guest, context: { viewport: { width: 360, height: 740 } } }, async (page) => {
    await board(page);
    await page.waitForFunction(() => document.querySelector("lusoria-match").turn.legal);
    // There may be no roll: the opening throw has decided who begins.
    await page.evaluate(() => document.querySelector("lusoria-match").uncover());
    await page.getByRole("button", { name: "Hint", exact: true }).click();
    await page.locator(".advice").waitFor({ timeout: THINKS_MS });
  });
});

test("axe finds nothing after a game", async (t) => {
  const id = await ended("tavla");
  await inBothThemes(t, `/match/${id}`, { context: { viewport: { width: 360, height: 740 } } }, board);
  await inBothThemes(t, `/match/${id}?at=5`, {}, board);
  for (const viewport of [{ width: 360, height: 740 }, { width: 1100, height: 760 }]) {
    await inBothThemes(t, `/match/${id}`, { context: { viewport } }, async (page) => {
      await page.locator(".bar").getByRole("button", { name: "Analysis" }).click();
      await page.locator("lusoria-chart svg:visible").first().waitFor({ timeout: THINKS_MS });
      await page.locator("lusoria-analysis progress").first().waitFor({ state: "detached", timeout: THINKS_MS });
    });
  }
  await inBothThemes(t, `/match/${id}/dice`, {}, (page) => page.getByText("The dice of this match are genuine.").waitFor());
});

test("axe finds nothing on the pages of records and of all rules", async (t) => {
  await inBothThemes(t, "/dice");
  await inBothThemes(t, "/record");
  await inBothThemes(t, "/rules");
  await inBothThemes(t, "/rules?lang=fr");
});
