// A match in a frame of another site: strangers watch it, it updates itself, and offers no actions.

import AxeBuilder from "@axe-core/playwright";
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { Stage } from "../support/stage.js";
import { test } from "../support/test.js";

const stage = new Stage({ alone: true });

const SIZES = [[240, 240], [320, 480], [560, 480], [720, 300]];

/** The browser's message for a page that does not exist. */
const MISSING = /status of 404/;

/**
 * Another site, with one page that frames addresses of the server, until the test ends.
 * @param {import("node:test").TestContext} t @param {(origin: string) => string} body of the page
 * @param {Record<string, string>} [headers]
 */
async function site(t, body, headers = {}) {
  const server = createServer((_, answer) => {
    answer.writeHead(200, { "content-type": "text/html; charset=utf-8", ...headers });
    answer.end(`<!doctype html><html lang="en"><title>A museum</title><body>${body(stage.server.address)}</body></html>`);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  t.after(() => server.close());
  // Another host is another site, which has storage of its own in browsers.
  return `http://localhost:${/** @type {import("node:net").AddressInfo} */ (server.address()).port}/`;
}

/** @param {string} path @param {number[]} [size] */
const framing = (path, [width, height] = [560, 480]) => (/** @type {string} */ origin) =>
  `<iframe src="${origin}${path}" width="${width}" height="${height}" style="border: 0" title="A match"></iframe>`;

/**
 * A person at a page of another site.
 * @param {import("node:test").TestContext} t @param {string} address @param {import("../support/stage.js").How} [how]
 */
async function visit(t, address, how) {
  const { person, page } = await stage.visitor(t, how);
  person.others.push(new URL(address).host);
  person.expecting.push(MISSING);
  await page.goto(address);
  const frame = page.frameLocator("iframe");
  return { person, page, frame };
}

/** The match in a frame. @param {import("playwright-core").Page} page */
const shownIn = (page) => {
  const frame = page.frames().find((one) => one.url().includes("/embed/match/"));
  assert.ok(frame);
  return frame;
};

/** @param {import("playwright-core").Page} page @param {number} seq */
const reached = (page, seq) =>
  shownIn(page).waitForFunction((seq) => {
    const embed = /** @type {any} */ (document.querySelector("lusoria-embed"));
    return embed?.live.moment.seq >= seq && !embed.pace.isBehind;
  }, seq);

/** @param {import("playwright-core").FrameLocator} frame */
const board = (frame) => frame.locator("lusoria-board .places rect").first().waitFor({ state: "attached" });


test("a live match advances on a page of another site", async (t) => {
  const { id, guests } = await stage.match("tablut");
  const address = await site(t, framing(`/embed/match/${id}?theme=dark&lang=fr`));
  const { page, frame } = await visit(t, address);
  await board(frame);
  const before = await shownIn(page).evaluate(() => JSON.stringify(document.querySelector("lusoria-embed").lastPosition));
  const { seq } = (await stage.playOne(id, guests)).events.at(-1);
  await reached(page, seq);
  const after = await shownIn(page).evaluate(() => JSON.stringify(document.querySelector("lusoria-embed").lastPosition));
  assert.notEqual(after, before);
  assert.equal(await frame.locator("html").getAttribute("lang"), "fr");
  assert.equal(await frame.locator("html").getAttribute("data-theme"), "dark");
  await frame.getByText("Agathias").waitFor();
  await frame.getByText(/Défenseurs|Zeno.*jou/).first().waitFor();
});

test("a frame only links to the match, and stores nothing", async (t) => {
  const { id, guests: [guest] } = await stage.match("tablut");
  const address = await site(t, framing(`/embed/match/${id}`));
  // Even on the same site, with the player's storage.
  const { person, page, frame } = await visit(t, address.replace("localhost", "127.0.0.1"), { guest });
  await board(frame);
  const inside = shownIn(page);
  const kept = () => inside.evaluate(() => [JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage }), document.cookie]);
  const before = await kept();
  assert.match(before[0], /lusoria.guest/, "it could find the player there");
  assert.equal(await inside.evaluate(() => document.querySelector("lusoria-embed").live.mySeats.length), 0);
  assert.equal(await frame.locator("button, input, select").count(), 0);
  // The cells can be read.
  assert.equal(await frame.locator(".table").evaluate((table) => getComputedStyle(table).pointerEvents), "none");
  const { seq } = (await stage.snapshot(id)).to_play;
  for (const cell of await frame.locator(".places rect").all()) await cell.evaluate((rect) => rect.dispatchEvent(new MouseEvent("click", { bubbles: true })));
  assert.equal((await stage.snapshot(id)).to_play.seq, seq);
  const links = frame.locator("a[href]");
  assert.equal(await links.count(), 1);
  assert.equal(await links.getAttribute("href"), `/match/${id}`);
  assert.equal(await links.getAttribute("target"), "_blank");
  assert.equal(await links.getAttribute("rel"), "noopener");
  const [opened] = await Promise.all([person.context.waitForEvent("page"), links.click()]);
  await opened.waitForURL(`${stage.server.address}/match/${id}`);
  assert.equal(await opened.evaluate(() => window.opener), null);
  await opened.close();
  assert.deepEqual(await kept(), before);
});

test("it shows how the match ends, and continues with the rematch", async (t) => {
  const { id, guests: [one, two] } = await stage.match("tablut");
  const address = await site(t, framing(`/embed/match/${id}`));
  const { page, frame } = await visit(t, address);
  await board(frame);
  const act = (/** @type {string} */ match, /** @type {string} */ what, /** @type {object} */ body, /** @type {{token: string}} */ { token }) =>
    stage.server.ask("POST", `/matches/${match}/${what}`, body, token);
  await act(id, "resign", {}, one);
  await frame.getByText("Zeno has won.").waitFor();
  await act(id, "rematch", { action: "offer" }, one);
  await act(id, "rematch", { action: "accept" }, two);
  const link = frame.locator("a[href]");
  await shownIn(page).waitForFunction((id) => {
    const embed = /** @type {any} */ (document.querySelector("lusoria-embed"));
    return embed && embed.live.id !== id;
  }, id);
  const next = (await link.getAttribute("href"))?.split("/").at(-1) ?? "";
  const { seq } = (await stage.playOne(next, [one, two])).events.at(-1);
  await reached(page, seq);
  await frame.getByText(/to play$/).waitFor();
  // A viewer who arrives later sees the match in the URL.
  await page.reload();
  await frame.getByText("Zeno has won.").waitFor();
});

test("it reconnects by itself after a lost connection", async (t) => {
  const { id, guests } = await stage.match("tablut");
  const address = await site(t, framing(`/embed/match/${id}`));
  const { person, page, frame } = await visit(t, address);
  person.expecting.push(/./);
  await board(frame);
  await stage.killed(t);
  await frame.getByText("Connection lost.").waitFor();
  await stage.server.again();
  const { seq } = (await stage.playOne(id, guests)).events.at(-1);
  await reached(page, seq);
});

test("a match that is not listed is not shown, and the frame says so", async (t) => {
  const guest = await stage.guest("Agathias");
  const made = await stage.server.ask("POST", "/matches", { game: "zeno", admission: "invitation" }, guest.token);
  for (const id of [made.match.id, "0190a6c2-7b1e-7cc3-98c4-dc0c0c07398f", "1"]) {
    const address = await site(t, framing(`/embed/match/${id}`));
    const { frame } = await visit(t, address);
    await frame.getByText("There is no match to show here").waitFor();
    assert.equal(await frame.getByText("Agathias").count(), 0);
    }
});

test("a page that is isolated from other sites shows it, too", async (t) => {
  const { id } = await stage.match("tavla");
  const address = await site(t, framing(`/embed/match/${id}`), {
    "cross-origin-embedder-policy": "require-corp",
    "cross-origin-opener-policy": "same-origin",
  });
  const { page, frame } = await visit(t, address);
  assert.equal(await page.evaluate(() => crossOriginIsolated), true);
  await board(frame);
});

test("the match's own page and all others refuse to be framed", async (t) => {
  const { id } = await stage.match("tablut");
  for (const path of [`/match/${id}`, "/", "/kiosk", `/match/${id}/dice`, "/account"]) {
    const address = await site(t, framing(path));
    const { person, page } = await stage.visitor(t);
    person.expecting.push(/frame/i);
    person.others.push(new URL(address).host);
    await page.goto(address);
    const frame = page.frames()[1];
    assert.ok(frame);
    await frame.waitForURL(/^chrome-error:/);
    assert.equal(await frame.locator("lusoria-head, lusoria-match, main").count(), 0, path);
    }
});

test("it fits into frames from 240 px on, and axe finds nothing", async (t) => {
  for (const game of ["zeno", "tablut", "tabula"]) {
    const { id } = await stage.match(game, { clock: { kind: "fischer", base_ms: 600_000, increment_ms: 5_000 } });
    const { person, page, goto } = await stage.visitor(t, { context: { reducedMotion: "reduce" } });
    for (const [width, height] of SIZES) {
      await page.setViewportSize({ width, height });
      await goto(`/embed/match/${id}`);
      await page.locator("lusoria-board .places rect").first().waitFor({ state: "attached" });
      await page.locator("lusoria-player .clock").first().waitFor();
      const what = `${game} ${width}×${height}`;
      const { scroll, box } = await page.evaluate(() => {
        const embed = /** @type {any} */ (document.querySelector("lusoria-embed"));
        const { width, height } = embed.renderRoot.querySelector("lusoria-board").getBoundingClientRect();
        const { scrollWidth, scrollHeight } = document.documentElement;
        return { scroll: [scrollWidth, scrollHeight], box: [width, height] };
      });
      assert.deepEqual(scroll, [width, height], `${what}: nothing scrolls`);
      assert.ok(box[0] * box[1] >= 0.4 * width * height, `${what}: the board has most of the room: ${box}`);
      // The frame around a board is the same for all games.
      for (const colorScheme of game === "tablut" ? /** @type {const} */ (["light", "dark"]) : []) {
        await page.emulateMedia({ colorScheme });
        const { violations } = await new AxeBuilder({ page }).withTags(["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"]).analyze();
        assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`), [], `${what} ${colorScheme}`);
      }
      if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/embed-${game}-${width}x${height}.png` });
    }
    assert.deepEqual(person.complaints, []);
  }
});

test("the page of a listed match has the HTML for other sites", async (t) => {
  const { id, guests: [guest] } = await stage.match("zeno");
  const { page } = await stage.at(t, id, { guest });
  await page.locator(".side").getByRole("button", { name: "Share" }).click();
  const line = await page.getByRole("textbox", { name: "The line for your page" }).inputValue();
  assert.match(line, new RegExp(`^<iframe src="${stage.server.address}/embed/match/${id}\\?lang=en" title="Zeno’s Tavli on Lusoria" [^<>]*></iframe>$`));
  const address = await site(t, () => line);
  const other = await visit(t, address);
  await board(other.frame);
});

test("the page of a match by invitation has none", async (t) => {
  const { id, guest } = await stage.alone("zeno");
  const { page } = await stage.at(t, id, { guest });
  await page.locator(".side").getByRole("button", { name: "Share" }).click();
  await page.getByRole("textbox", { name: "Link", exact: true }).waitFor();
  assert.equal(await page.getByRole("textbox", { name: "The line for your page" }).count(), 0);
});
