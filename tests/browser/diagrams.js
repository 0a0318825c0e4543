// Draws every diagram of the rules: `npm run diagrams`.

import assert from "node:assert/strict";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { launch } from "./support/browser.js";
import { Server } from "./support/server.js";

const ROOT = join(import.meta.dirname, "../..");
const FOLDER = join(ROOT, "docs/rules/diagrams");
const LARGEST_BYTES = 60_000;

const server = await Server.start();
const browser = await launch();
try {
  const diagrams = JSON.parse(await readFile(join(ROOT, "docs/rules/diagrams.json"), "utf8"));
  const page = await browser.newPage({ colorScheme: "light" });
  const drawing = await readFile(join(import.meta.dirname, "drawing/diagram.js"), "utf8");
  await page.route("**/drawing/diagram.js", (route) => route.fulfill({ contentType: "text/javascript", body: drawing }));
  await page.goto(`${server.address}/dice`);
  const assets = await page.evaluate(() => {
    const { src } = /** @type {HTMLScriptElement} */ (document.querySelector("script[type=module]"));
    return src.slice(0, src.indexOf("/bundles/"));
  });
  await rm(FOLDER, { recursive: true, force: true });
  await mkdir(FOLDER, { recursive: true });
  for (const [name, diagram] of Object.entries(diagrams)) {
    const entry = await server.ask("GET", `/games/${diagram.game}`);
    const text = await page.evaluate(async ([assets, entry, diagram]) => {
      const { draw } = await import(`${assets}/drawing/diagram.js`);
      return draw(entry, diagram);
    }, [assets, entry, diagram]);
    assert.ok(text.length <= LARGEST_BYTES, `${name} has ${text.length} bytes`);
    await writeFile(join(FOLDER, `${name}.svg`), text);
  }
} finally {
  await browser.close();
  await server.end();
}
