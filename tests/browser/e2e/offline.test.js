// A server that is down: the offline page is shown instead of the requested one, which it loads when possible.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import AxeBuilder from "@axe-core/playwright";
import { FAST, Person } from "../support/browser.js";
import { working } from "../support/push.js";
import { Stage } from "../support/stage.js";
import { Table } from "../support/table.js";
import { test } from "../support/test.js";

const stage = new Stage({ alone: true });

/** The browser's own messages for a lost connection. */
const BROKEN = [/WebSocket connection to .* failed/, /net::ERR_/, /the server responded with a status of 50[234]/];

const GONE = "The server cannot be reached";

/** Waits until home shows the person's match of a game. @param {import("playwright-core").Page} page @param {string} game */
const showsMine = (page, game) =>
  page.getByRole("region", { name: "Your matches" }).getByRole("link", { name: game }).waitFor();

/** A person whose browser has visited the server. @param {import("node:test").TestContext} t @param {import("../support/stage.js").How} [how] */
async function acquainted(t, how) {
  const visitor = await stage.visitor(t, how);
  visitor.person.expecting.push(...BROKEN);
  await visitor.goto("/");
  await working(visitor.page);
  return visitor;
}

test("the requested page loads as soon as the server is back, at its own URL", async (t) => {
  const { id, guests: [guest] } = await stage.match("tablut");
  const { page, goto } = await acquainted(t, { guest });
  await showsMine(page, "Tablut");
  await stage.killed(t);
  await goto(`/match/${id}`);
  await page.getByRole("heading", { name: GONE }).waitFor();
  assert.equal(await page.title(), "Offline – Lusoria");
  assert.match(await page.locator("lusoria-offline li").innerText(), /Tablut · against Zeno\s+It was your turn\./);
  await page.reload();
  await page.getByRole("heading", { name: GONE }).waitFor();
  assert.equal(new URL(page.url()).pathname, `/match/${id}`);

  await stage.server.again();
  await page.locator("lusoria-match").waitFor();
  await new Table(page).ready();
  assert.equal(new URL(page.url()).pathname, `/match/${id}`);
});

test("a turn made offline is mentioned on the offline page, and played once", async (t) => {
  const { id, guests: [guest] } = await stage.match("tablut");
  const { page, goto } = await acquainted(t, { guest, preferences: FAST });
  await showsMine(page, "Tablut");
  await goto(`/match/${id}`);
  const table = await new Table(page).ready();
  await table.moves();
  await stage.killed(t);
  await page.locator("lusoria-line .pill.waiting").waitFor();
  await table.tap("d1");
  await table.tap("c1");
  // Only the server can say whether it can be sent: the steps are stored and restored.
  await page.reload();
  await page.getByRole("heading", { name: GONE }).waitFor();
  await page.getByText("A turn of yours is kept on this device.").waitFor();
  await page.getByText("Your turn is kept on this device.").waitFor();
  await stage.server.again();
  await page.waitForFunction(() => document.querySelector("lusoria-match")?.live.moment?.last?.notation === "d1-c1");
  const turns = (await stage.events(id)).filter(({ type }) => type === "turned");
  assert.deepEqual(turns.map(({ steps }) => steps[0]), [{ from: "d1", to: "c1" }]);
});

test("an error of a proxy counts as no response", async (t) => {
  let isGone = false;
  const proxy = createServer(async (request, response) => {
    if (isGone) return response.writeHead(502, { "content-type": "text/html" }).end("<h1>Bad Gateway</h1>");
    const answer = await fetch(stage.server.address + request.url, { headers: { accept: "*/*" } });
    const type = answer.headers.get("content-type") ?? "text/plain";
    return response.writeHead(answer.status, { "content-type": type }).end(Buffer.from(await answer.arrayBuffer()));
  });
  await new Promise((done) => proxy.listen(0, "127.0.0.1", () => done(undefined)));
  t.after(() => proxy.close());
  t.after(() => proxy.closeAllConnections());
  const address = /** @type {import("node:net").AddressInfo} */ (proxy.address());
  const person = await Person.at(stage.browser, `http://127.0.0.1:${address.port}`);
  t.after(() => person.leave());
  person.expecting.push(...BROKEN, /WebSocket/);
  await person.goto("/rules");
  await working(person.page);
  isGone = true;
  await person.goto("/rules/tavla");
  await person.page.getByRole("heading", { name: GONE }).waitFor();
  isGone = false;
  await person.page.getByRole("heading", { name: "Tavla", exact: true, level: 1 }).waitFor();
});

test("it is in the chosen language, and everyone can use it", async (t) => {
  const { guests: [guest] } = await stage.match("tavla");
  const { page, goto } = await acquainted(t, { guest, context: { viewport: { width: 320, height: 568 }, reducedMotion: "reduce" } });
  await showsMine(page, "Tavla");
  await page.evaluate(() => localStorage.setItem("lusoria.language", "fr"));
  await stage.killed(t);
  await goto("/players");
  await page.getByRole("heading", { name: "Le serveur est injoignable" }).waitFor();
  await page.getByRole("heading", { name: "Vos rencontres" }).waitFor();
  for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
    await page.emulateMedia({ colorScheme });
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    const { violations } = await new AxeBuilder({ page }).withTags(["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"]).analyze();
    assert.deepEqual(violations.map(({ id, nodes }) => [id, nodes.map(({ target }) => target.flat().join(" "))]), []);
  }
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0, "nothing scrolls sideways");
});

test("at its own URL it leads home while the server is up", async (t) => {
  const { page, goto } = await stage.visitor(t);
  await goto("/offline");
  await page.getByRole("heading", { name: "The server is back" }).waitFor();
  await page.getByRole("link", { name: "Home" }).click();
  await page.waitForURL((url) => url.pathname === "/");
});

test("only that document and its files are cached, and only requests for documents are handled", async (t) => {
  const { page, goto } = await acquainted(t);
  await goto("/");
  const kept = await page.evaluate(async () => {
    const names = await caches.keys();
    const caches_ = await Promise.all(names.map((name) => caches.open(name)));
    const requests = (await Promise.all(caches_.map((cache) => cache.keys()))).flat();
    return requests.map(({ url }) => new URL(url).pathname);
  });
  assert.ok(kept.includes("/offline") && kept.every((path) => path.startsWith("/offline")), kept.join(" "));
  for (const language of ["en", "fr"]) assert.ok(kept.some((path) => path.endsWith(`/text/${language}.json`)), language);
  // The browser requests them as if there were no worker.
  const sources = await page.evaluate(() =>
    performance.getEntriesByType("resource").map((entry) => /** @type {any} */ (entry).workerFinalSourceType));
  assert.deepEqual([...new Set(sources)], ["network"]);
});
