// Information about the server: texts to read, the footer, pages that do not exist.

import AxeBuilder from "@axe-core/playwright";
import assert from "node:assert/strict";
import { fitsNarrowest } from "../support/axe.js";
import { Stage } from "../support/stage.js";
import { test } from "../support/test.js";

const stage = new Stage();

const RULES = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"];
/** The browser's message for a page that does not exist. */
const MISSING = /status of 404/;

const UNKNOWN = "/match/0190a6c2-7b1e-7cc3-98c4-dc0c0c07398f";

/** The least size of a touch target (WCAG 2.2, 2.5.8). */
const TARGET_MIN_PX = 24;

for (const path of ["/about", "/privacy?lang=fr", "/findings?lang=fr", "/nothing", UNKNOWN]) {
  test(`everyone can read ${path}`, async (t) => {
    const { person, page, goto } = await stage.visitor(t, { context: { reducedMotion: "reduce", viewport: { width: 320, height: 568 } } });
    person.expecting.push(MISSING);
    await goto(path);
    await page.locator("lusoria-head header").waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320, "nothing scrolls sideways");
    for (const link of await page.locator(".foot a").all()) {
      const box = await link.boundingBox();
      assert.ok(box && box.height >= TARGET_MIN_PX, `${await link.textContent()}: ${box?.height} px`);
    }
    for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
      await page.emulateMedia({ colorScheme });
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
      const { violations } = await new AxeBuilder({ page }).withTags(RULES).analyze();
      assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`), [], `${path} ${colorScheme}`);
    }
  });
}

test("each finding is a sentence and a picture, with its numbers behind", async (t) => {
  const { page, goto } = await stage.visitor(t);
  await goto("/findings");
  const findings = page.locator("main h2");
  await page.locator("details").first().waitFor();
  for (const what of ["main img", "main details"]) assert.equal(await page.locator(what).count(), await findings.count(), what);
  const closed = page.getByRole("cell", { name: "Tavla, mother counts double" }).first();
  assert.ok(!(await closed.isVisible()));
  await page.locator("summary").first().press("Enter");
  await closed.waitFor();
});

test("the page of the API fits a narrow screen, whatever is open", async (t) => {
  const { page, goto } = await stage.visitor(t, { context: { viewport: { width: 320, height: 568 } } });
  await goto("/api");
  await page.locator("#types details").last().waitFor();
  await page.evaluate(() => document.querySelectorAll("details").forEach((details) => (details.open = true)));
  await fitsNarrowest(page, "/api");
});

test("the footer follows the content of the page, and its links work", async (t) => {
  const { page, goto } = await stage.visitor(t);
  await goto("/");
  await page.locator("lusoria-home").waitFor();
  await page.waitForFunction(() => document.body.lastElementChild?.matches("footer"));
  const below = page.getByRole("contentinfo");
  const top = await below.evaluate((foot) => foot.getBoundingClientRect().top + scrollY);
  const end = await page.locator("lusoria-home").evaluate((home) => home.getBoundingClientRect().bottom + scrollY);
  assert.ok(top >= end - 1, `${top} is below ${end}`);
  await below.getByRole("link", { name: "Privacy" }).click();
  await page.getByRole("heading", { level: 1, name: "Privacy" }).waitFor();
  await page.goBack();
  await page.locator("lusoria-home").waitFor();
});

test("a page that does not exist links to the games", async (t) => {
  const { person, page, goto } = await stage.visitor(t);
  person.expecting.push(MISSING);
  await goto("/nothing");
  await page.getByRole("heading", { name: "Nothing here" }).waitFor();
  await page.getByRole("link", { name: "Tablut" }).locator("svg").waitFor();
  await page.getByRole("main").getByRole("link", { name: "The games" }).click();
  await page.locator("lusoria-home").waitFor();
});

test("the page can be installed, and its icons exist", async (t) => {
  const { person, page, goto } = await stage.visitor(t);
  await goto("/");
  await page.locator("lusoria-home").waitFor();
  const cdp = await person.context.newCDPSession(page);
  const { url, data, errors } = await cdp.send("Page.getAppManifest");
  assert.deepEqual(errors, []);
  const { icons } = JSON.parse(data ?? "{}");
  assert.ok(icons.length > 0);
  for (const { src } of [...icons, { src: "/favicon.ico" }]) {
    const answer = await fetch(new URL(src, url));
    assert.equal(answer.status, 200, src);
    assert.match(answer.headers.get("content-type") ?? "", /^image\//, src);
  }
  const { installabilityErrors } = await cdp.send("Page.getInstallabilityErrors");
  // Contexts of tests are not stored, so nothing could stay installed.
  assert.deepEqual(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== "in-incognito"), []);
});

test("a match has no footer: the board needs the room", async (t) => {
  const { id, guests: [guest] } = await stage.match("tablut");
  const { page, goto } = await stage.visitor(t, { guest });
  await goto(`/match/${id}`);
  await page.locator("lusoria-board .places rect").first().waitFor({ state: "attached" });
  assert.equal(await page.locator("footer").count(), 0);
});
