// Draws the icons of web/style that browsers want as pictures of a size, from web/style/icon.svg:
// `npm run icons`.

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { launch } from "./support/browser.js";

const STYLE = join(import.meta.dirname, "../../web/style");

/** The ground of the icon. */
const GROUND = "#93271a";

/** The ground that is kept around what systems may cut off (a circle of four fifths stays), in parts of the whole. */
const MASKED_MARGIN = 0.11;

/** The edge alone is rounded: where the system rounds it, nothing of it may be seen through. */
const SQUARE = / rx="\d+"/;

/**
 * What is drawn: `ground` goes to the edges; the badge of a notification is a silhouette, of which only what is
 * opaque counts.
 * @typedef {{name: string, size: number, ground?: boolean, margin?: number, silhouette?: boolean}} Icon
 * @type {Icon[]}
 */
const ICONS = [
  { name: "icon-192.png", size: 192 },
  { name: "icon-512.png", size: 512 },
  { name: "icon-maskable.png", size: 512, ground: true, margin: MASKED_MARGIN },
  { name: "icon-180.png", size: 180, ground: true },
  { name: "icon-badge.png", size: 96, silhouette: true },
];

const svg = await readFile(join(STYLE, "icon.svg"), "utf8");
const browser = await launch();
try {
  const page = await browser.newPage();
  for (const { name, size, ground = false, margin = 0, silhouette = false } of ICONS) {
    const drawing = silhouette ? svg.replace(/<rect[^>]*>/, "") : ground ? svg.replace(SQUARE, "") : svg;
    const inner = Math.round(size * (1 - 2 * margin));
    await page.setViewportSize({ width: size, height: size });
    await page.setContent(`<style>
      html { background: ${ground ? GROUND : "transparent"} }
      body { margin: 0; display: grid; place-items: center; height: 100vh }
      svg { display: block; width: ${inner}px; height: ${inner}px }
    </style>${drawing}`);
    await writeFile(join(STYLE, name), await page.screenshot({ omitBackground: true }));
  }
} finally {
  await browser.close();
}
