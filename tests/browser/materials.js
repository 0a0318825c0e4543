// Renders the materials of boards and pieces as pictures in web/style/materials: `npm run materials`.
//
// They have 2 to 3 times their usual size on the screen, and are computed (drawing/), so that the result is always the
// same; Chromium only compresses them.

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { marble, walnut } from "./drawing/grain.js";
import { boneCounter, boneDome, bronzeKing, ebonyCounter, jetDome, sheet } from "./drawing/pieces.js";
import { launch } from "./support/browser.js";

const FOLDER = join(import.meta.dirname, "../../web/style/materials");

/** The width of a piece, in pixels. */
const PIECE = 144;

/** The number of variants of each piece. */
const SEEDS = [1, 2, 3, 4];

/** @type {{name: string, quality: number, paint: () => import("./drawing/grain.js").Picture}[]} */
const PICTURES = [
  { name: "walnut", quality: 0.3, paint: () => walnut(1024, 512) },
  { name: "marble", quality: 0.5, paint: () => marble(768, 768) },
  { name: "counters", quality: 0.42, paint: () => sheet(PIECE, [...SEEDS.map(boneCounter), ...SEEDS.map(ebonyCounter)]) },
  { name: "domes", quality: 0.5, paint: () => sheet(PIECE, [...SEEDS.map(boneDome), ...SEEDS.map(jetDome), bronzeKing()]) },
];

const browser = await launch();
try {
  const page = await browser.newPage();
  await mkdir(FOLDER, { recursive: true });
  for (const { name, quality, paint } of PICTURES) {
    const { width, height, data } = paint();
    const packed = await page.evaluate(
      async ({ width, height, text, quality }) => {
        const points = Uint8ClampedArray.from(atob(text), (letter) => letter.charCodeAt(0));
        const canvas = new OffscreenCanvas(width, height);
        canvas.getContext("2d")?.putImageData(new ImageData(points, width, height), 0, 0);
        const blob = await canvas.convertToBlob({ type: "image/webp", quality });
        return btoa(Array.from(new Uint8Array(await blob.arrayBuffer()), (byte) => String.fromCharCode(byte)).join(""));
      },
      { width, height, text: Buffer.from(data).toString("base64"), quality },
    );
    const bytes = Buffer.from(packed, "base64");
    await writeFile(join(FOLDER, `${name}.webp`), bytes);
    console.log(`${name}: ${width} × ${height}, ${(bytes.length / 1024).toFixed(1)} KiB`);
  }
} finally {
  await browser.close();
}
