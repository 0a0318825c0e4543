// What a first visit loads: few files and few bytes.

import assert from "node:assert/strict";
import { endTv } from "../support/home.js";
import { Stage } from "../support/stage.js";
import { test } from "../support/test.js";

const stage = new Stage({ alone: true });

/**
 * The document, its style, its typefaces, its bundles, its texts, its API requests, its icon, its materials.
 * Diagrams of the rules are part of their text.
 */
const REQUESTS_MAX = 18;
const DIAGRAM = /\/docs\/rules\/.*\.svg$/;

/** With everything shown at first. */
const MAX_BYTES = 200 * 1024;

/**
 * Visits a document for the first time.
 * @param {import("node:test").TestContext} t @param {string} path @param {string} shown what is shown in the end
 */
async function visit(t, path, shown) {
  const { person, page, goto } = await stage.visitor(t);
  const cdp = await person.context.newCDPSession(page);
  /** @type {string[]} */
  const asked = [];
  let bytes = 0;
  cdp.on("Network.requestWillBeSent", ({ request: { url } }) => url.startsWith("http") && asked.push(url.slice(stage.server.address.length)));
  // Bodies as they are sent, without their heads: what weight.js counts, too.
  cdp.on("Network.responseReceived", ({ response }) => (bytes -= response.encodedDataLength));
  cdp.on("Network.loadingFinished", ({ encodedDataLength }) => (bytes += encodedDataLength));
  await cdp.send("Network.enable");
  await endTv(page, stage.server);
  await goto(path);
  await page.locator(shown).first().waitFor();
  await page.waitForLoadState("networkidle");
  return { asked, bytes };
}

/** @param {string[]} asked @param {RegExp} pattern */
const like = (asked, pattern) => asked.filter((address) => pattern.test(address));

for (const [name, shown] of [["home", "lusoria-miniature svg"], ["a match", "lusoria-board svg"], ["the rules", "main.text h1"]]) {
  test(`a first visit to ${name} takes few requests`, async (t) => {
    const { id } = await stage.match("tabula");
    const path = { home: "/", "a match": `/match/${id}`, "the rules": "/rules/tabula" }[name] ?? "";
    const { asked, bytes } = await visit(t, path, shown);
    // The stream of TV, which is ended here, may be requested again.
    const needed = new Set(asked.filter((address) => !DIAGRAM.test(address)));
    assert.ok(needed.size <= REQUESTS_MAX, `${needed.size}: ${[...needed].join(" ")}`);
    const bundles = like(asked, /^\/assets\/.*\.js$/);
    // The large board of home, the match on it, and the talk beside a match load by themselves after the rest.
    assert.ok(bundles.length >= 2 && bundles.length <= ({ home: 6, "a match": 4 }[name] ?? 3), bundles.join(" "));
    const questions = like(asked, /^\/api\/(?!v1\/tv$)/);
    assert.equal(new Set(questions).size, questions.length, `nothing is asked twice: ${questions.join(" ")}`);
    assert.ok(bytes <= MAX_BYTES, `${bytes} bytes`);
  });
}
