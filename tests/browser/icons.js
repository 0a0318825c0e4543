// Renders the icons of web/style that must be bitmaps, from web/style/icon.svg: `npm run icons`.

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { launch } from "./support/browser.js";

const STYLE = join(import.meta.dirname, "../../web/style");

/** The background of the icon. */
const GROUND = "#93271a";

/** The margin that systems may cut off (a circle of four fifths remains), as a part of the whole. */
const MASKED_MARGIN = 0.11;

/** Only the edge is rounded: where the system rounds it, it must stay opaque. */
const SQUARE = / rx="\d+"/;

/**
 * The variants: `ground` reaches the edges; the badge of a notification is a silhouette, of which only the opaque part
 * counts.
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
