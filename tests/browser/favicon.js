// Writes web/style/favicon.ico, for browsers that support no other icon: web/style/icon.svg in three sizes.
//
// node favicon.js

import { readFileSync, writeFileSync } from "node:fs";
import { launch } from "./support/browser.js";

const SIZES = [16, 32, 48];
const HEADER_BYTES = 6;
const ENTRY_BYTES = 16;

const web = new URL("../../web/style/", import.meta.url);
const icon = readFileSync(new URL("icon.svg", web), "utf8");
const browser = await launch();
const pictures = [];
for (const size of SIZES) {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  await page.setContent(`<style>body{margin:0}svg{display:block;width:${size}px;height:${size}px}</style>${icon}`);
  pictures.push(await page.screenshot({ omitBackground: true }));
  await page.close();
}
await browser.close();

const entries = Buffer.alloc(HEADER_BYTES + ENTRY_BYTES * SIZES.length);
entries.writeUInt16LE(1, 2);
entries.writeUInt16LE(SIZES.length, 4);
let offset = entries.length;
SIZES.forEach((size, index) => {
  const at = HEADER_BYTES + ENTRY_BYTES * index;
  entries.writeUInt8(size, at);
  entries.writeUInt8(size, at + 1);
  entries.writeUInt16LE(1, at + 4);
  entries.writeUInt16LE(32, at + 6);
  entries.writeUInt32LE(pictures[index].length, at + 8);
  entries.writeUInt32LE(offset, at + 12);
  offset += pictures[index].length;
});
writeFileSync(new URL("favicon.ico", web), Buffer.concat([entries, ...pictures]));
