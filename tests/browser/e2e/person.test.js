// A person's name, preferences and language; rules and first games.

import assert from "node:assert/strict";
import { INSCRIPTIONS } from "../../../web/board/inscriptions.js";
import { Stage } from "../support/stage.js";
import { test } from "../support/test.js";

const stage = new Stage();

/** Opens the preferences. @param {import("playwright-core").Page} page */
async function preferences(page) {
  await page.getByRole("button", { name: "Preferences" }).click();
  await page.getByRole("dialog", { name: "Preferences" }).waitFor();
  return page.locator("lusoria-preferences");
}

test("a guest changes their name, and others see it", async (t) => {
  const guest = await stage.guest("Agathias");
  const { page, goto } = await stage.visitor(t, { guest });
  await goto("/");
  await page.getByRole("button", { name: "Your name: Agathias. Change it" }).click();
  await page.getByRole("textbox", { name: "Your name" }).fill("<b>Θεοδώρα</b>");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: "Your name: <b>Θεοδώρα</b>. Change it" }).waitFor();
  assert.equal((await stage.server.ask("GET", "/me", undefined, guest.token)).name, "<b>Θεοδώρα</b>");

  const { match } = await stage.server.ask("POST", "/matches", { game: "tablut" }, guest.token);
  const other = await stage.visitor(t);
  await other.goto("/");
  await other.page.getByText("<b>Θεοδώρα</b>", { exact: true }).waitFor();
  await other.goto(`/match/${match.id}`);
  await other.page.getByText("<b>Θεοδώρα</b>").first().waitFor();
});

test("an empty name is refused", async (t) => {
  const { page, goto } = await stage.visitor(t, { guest: await stage.guest("Agathias") });
  await goto("/");
  await page.getByRole("button", { name: /^Your name/ }).click();
  await page.getByRole("textbox", { name: "Your name" }).fill("  ");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Enter at least one character.").waitFor();
});

test("preferences apply at once, and are stored", async (t) => {
  const { id, guest } = await stage.alone("tabula");
  const { page, table } = await stage.at(t, id, { guest, context: { colorScheme: "light" } });
  await page.locator("lusoria-dice").getByRole("button", { name: "Roll the dice" }).waitFor();
  const light = await ground(page);
  const dialog = await preferences(page);
  await dialog.getByRole("group", { name: "Boards" }).getByText("Marble", { exact: true }).click();
  await page.locator("lusoria-board[skin=stone]").waitFor();
  await dialog.getByRole("group", { name: "Theme" }).getByText("Dark").click();
  assert.notEqual(await ground(page), light);
  await dialog.getByRole("group", { name: "Rolling the dice" }).getByText("Roll automatically").click();
  await dialog.getByRole("button", { name: "Close" }).click();
  await page.reload();
  await table.ready();
  await page.locator("lusoria-board[skin=stone]").waitFor();
  assert.notEqual(await ground(page), light);
  // The throw is rolled.
  await table.moves();
});

test("boards have textures, unless contrast matters more", async (t) => {
  const { id, guest } = await stage.alone("scripta");
  const { page } = await stage.at(t, id, { guest });
  const board = page.locator("lusoria-board");
  const pictures = () => board.locator("svg image").evaluateAll(
    (all) => [...new Set(all.map((image) => image.getAttribute("href")?.replace(/^.*\/|\..*$/g, "")))].sort());
  // Pieces are drawn until their picture has loaded.
  await board.locator(".play defs image").first().waitFor({ state: "attached" });
  assert.deepEqual(await pictures(), ["counters", "marble"]);
  const dialog = await preferences(page);
  const letters = () => board.locator(".ground .cut .letter").evaluateAll((all) => all.map((text) => text.textContent));
  assert.deepEqual([...new Set(await letters())].sort(), ["A", "B", "C", "D", "E"]);
  await dialog.getByRole("group", { name: "Boards" }).getByText("Inscribed marble").click();
  await board.locator(".labels.named").waitFor({ state: "attached" });
  assert.ok(INSCRIPTIONS.map((words) => [...words.join("")].sort().join("")).includes((await letters()).sort().join("")));
  await dialog.getByRole("group", { name: "Boards" }).getByText("Wood").click();
  await page.locator("lusoria-board[skin=wood]").waitFor();
  assert.deepEqual(await pictures(), ["counters", "walnut"]);
  await dialog.getByRole("group", { name: "Boards" }).getByText("High contrast").click();
  await page.locator("lusoria-board[skin=contrast]").waitFor();
  assert.deepEqual(await pictures(), []);
});

test("sounds have the chosen volume, or are off", async (t) => {
  const { id, guest } = await stage.alone("tabula");
  const { page, table } = await stage.at(t, id, { guest });
  await page.evaluate(() => {
    const Gain = GainNode;
    window.gains = [];
    window.GainNode = class extends Gain {
      constructor(/** @type {BaseAudioContext} */ audio, /** @type {GainOptions} */ how) {
        super(audio, how);
        window.gains.push(how.gain);
      }
    };
  });
  const dialog = await preferences(page);
  await dialog.getByRole("group", { name: "Volume" }).getByText("Low").click();
  await dialog.getByRole("group", { name: "Sounds" }).getByText("Off").click();
  await dialog.getByRole("button", { name: "Close" }).click();
  await page.locator("lusoria-dice").getByRole("button").first().click();
  await page.locator("lusoria-dice .faces").first().waitFor();
  assert.deepEqual(await page.evaluate(() => window.gains), []);
  await preferences(page);
  await dialog.getByRole("group", { name: "Sounds" }).getByText("On", { exact: true }).click();
  await dialog.getByRole("button", { name: "Close" }).click();
  const [move] = await table.moves();
  await table.move(move);
  await page.waitForFunction(() => window.gains.length > 0);
  assert.equal(await page.evaluate(() => window.gains[0]), 0.3);
});

test("the page is in French if the person or their browser chooses it", async (t) => {
  const { page, goto } = await stage.visitor(t);
  await goto("/");
  const dialog = await preferences(page);
  await dialog.getByLabel("Language").selectOption("fr");
  await page.getByRole("heading", { name: "Jeux de plateau de l’Antiquité" }).waitFor();
  assert.equal(await page.locator("html").getAttribute("lang"), "fr");
  await goto("/rules/zeno");
  await page.getByRole("link", { name: "Règles", exact: true }).waitFor();

  const french = await stage.visitor(t, { context: { locale: "fr-FR" } });
  const { id } = await stage.match("tavla");
  await french.goto(`/match/${id}`);
  await french.page.getByRole("link", { name: "Règles", exact: true }).first().waitFor();
  assert.equal(await french.page.locator("html").getAttribute("lang"), "fr");
});

test("the rules are read, and link to the game", async (t) => {
  const { page, goto } = await stage.visitor(t);
  await goto("/rules?lang=en");
  for (const game of ["zeno", "scripta", "tabula", "tavla", "tablut"]) {
    assert.ok(await page.locator(`main a[href*="/rules/${game}"]`).count(), `a link to ${game}`);
  }
  await page.locator('main a[href*="/rules/tablut"]').first().click();
  await page.getByRole("heading", { level: 1, name: /Tablut/ }).waitFor();
  await page.getByRole("link", { name: "Play", exact: true }).first().click();
  await page.getByRole("dialog", { name: "Tablut" }).waitFor();
});

for (const game of ["zeno", "scripta", "tabula", "tavla", "tablut"]) {
  test(`the rules of ${game} have their diagrams`, async (t) => {
    const { page, goto } = await stage.visitor(t);
    await goto(`/rules/${game}?lang=fr`);
    const pictures = await page.locator("main img").evaluateAll((images) => Promise.all(images.map(async (image) => {
      image.loading = "eager";
      await image.decode().catch(() => {});
      return { src: image.src, isSeen: image.naturalWidth > 0 };
    })));
    assert.ok(pictures.length > 0);
    assert.deepEqual(pictures.filter(({ isSeen }) => !isSeen), []);
  });

  test(`the first game of ${game} is explained from its beginning to its end`, async (t) => {
    const { page, goto } = await stage.visitor(t, { preferences: { motion: "none" } });
    await goto(`/learn/${game}`);
    const steps = page.locator("lusoria-lesson .progress");
    await steps.waitFor();
    const count = Number((await steps.textContent()).match(/of (\d+)/)[1]);
    for (let step = 1; step <= count; step += 1) {
      // Stations with a reply of the other side take two clicks.
      while ((await steps.count()) && (await steps.textContent()).trim().startsWith(`Step ${step} `)) {
        const before = await page.locator("lusoria-lesson").evaluate(({ lesson }) => lesson.phase);
        await page.getByRole("button", { name: /^(Next|Finish)$/ }).click();
        await page.waitForFunction(([step, before]) => {
          const { lesson } = document.querySelector("lusoria-learn-page").renderRoot.querySelector("lusoria-lesson");
          return lesson.ended || lesson.at + 1 !== step || lesson.phase !== before;
        }, [step, before]);
      }
    }
    await page.getByRole("heading", { name: "That was your first game." }).waitFor();
  });
}

/** The colour of the page. @param {import("playwright-core").Page} page */
const ground = (page) => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
