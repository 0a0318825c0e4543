// Copies the page's dependencies into web/vendor, and the typefaces of pictures into crates/picture/font, in the
// versions of the lock file: `npm run vendor`. With --check it only compares them.

import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import subsetFont from "subset-font";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "../..");
const VENDOR = "web/vendor";
const FONT = "crates/picture/font";

/** The files of each package, by their new names. */
const taken = {
  lit: {
    "lit/reactive-element.js": "@lit/reactive-element/reactive-element.js",
    "lit/css-tag.js": "@lit/reactive-element/css-tag.js",
    "lit/lit-html.js": "lit-html/lit-html.js",
    "lit/directive.js": "lit-html/directive.js",
    "lit/directive-helpers.js": "lit-html/directive-helpers.js",
    "lit/repeat.js": "lit-html/directives/repeat.js",
    "lit/class-map.js": "lit-html/directives/class-map.js",
    "lit/live.js": "lit-html/directives/live.js",
    "lit/lit-element.js": "lit-element/lit-element.js",
    "lit/LICENSE": "lit/LICENSE",
  },
  uqr: {
    "uqr/uqr.js": "uqr/dist/index.mjs",
    "uqr/LICENSE": "uqr/LICENSE",
  },
};

/** The letters of titles, names and numbers in the languages of the page; for others another typeface is used. */
const LETTERS = Array.from({ length: 95 }, (_, nth) => String.fromCharCode(32 + nth)).join("")
  + "\u00a0\u202fÀÂÄÆÇÈÉÊËÎÏÔÖÙÛÜŸŒàâäæçèéêëîïôöùûüÿœ«»·×–—‘’“”…";

/** Kerning and tabular figures. */
const FEATURES = ["kern", "lnum", "tnum"];

/** @param {number} from @param {number} to */
const range = (from, to) => Array.from({ length: to - from + 1 }, (_, nth) => String.fromCodePoint(from + nth)).join("");

const ALEGREYA = "@fontsource-variable/alegreya";
const CINZEL = "@fontsource/cinzel";

/** Typefaces, reduced to some letters: by the new name, the package, the file, the letters, the weights. */
const typefaces = {
  "cinzel/cinzel.woff2": [CINZEL, "files/cinzel-latin-600-normal.woff2", LETTERS],
  "alegreya/alegreya.woff2": [ALEGREYA, "files/alegreya-latin-wght-normal.woff2", LETTERS, { min: 400, max: 700 }],
  // Polytonic Greek, for quotations.
  "alegreya/greek.woff2": [ALEGREYA, "files/alegreya-greek-wght-normal.woff2", range(0x384, 0x3ce), 400],
  "alegreya/polytonic.woff2": [ALEGREYA, "files/alegreya-greek-ext-wght-normal.woff2", range(0x1f00, 0x1fff), 400],
};

/** Pictures show names in any script. */
const SCRIPTS = ["latin", "latin-ext", "greek", "greek-ext", "cyrillic", "cyrillic-ext", "vietnamese"];
const ALL = range(0x20, 0x2fff);

/** The typefaces of pictures, which are drawn letter by letter. */
const pictured = {
  "cinzel/latin.ttf": [CINZEL, "files/cinzel-latin-600-normal.woff2"],
  ...Object.fromEntries(SCRIPTS.map((script) => [`alegreya/${script}.ttf`, [ALEGREYA, `files/alegreya-${script}-wght-normal.woff2`, 400]])),
};

/** Bare module names, which browsers do not resolve, and the files beside them. */
const names = {
  "@lit/reactive-element": "./reactive-element.js",
  "lit-html": "./lit-html.js",
};

/** @param {string} path */
const fromPackages = (path) => readFile(join(here, "node_modules", path), "utf8");

/** @returns {Promise<Map<string, string | Buffer>>} the contents of each file, by its path */
async function files() {
  const made = new Map();
  const versions = {};
  for (const [name, list] of Object.entries(taken)) {
    versions[name] = JSON.parse(await fromPackages(`${name}/package.json`)).version;
    for (const [to, from] of Object.entries(list)) {
      const text = (await fromPackages(from))
        .replace(/((?:from|import)\s*)"([^"]+)"/g, (all, word, module) =>
          module.startsWith("../") ? `${word}"./${module.slice(3)}"` : `${word}"${names[module] ?? module}"`)
        .replace(/\n\/\/# sourceMappingURL=.*\n?/, "\n")
        .replace(/[ \t]+$/gm, "");
      made.set(`${VENDOR}/${to}`, text);
    }
  }
  /** @param {string} to @param {string} name @param {string} file @param {string} letters @param {object} how */
  const typeface = async (to, name, file, letters, how) => {
    versions[name] = JSON.parse(await fromPackages(`${name}/package.json`)).version;
    const whole = await readFile(join(here, "node_modules", name, file));
    made.set(to, await subsetFont(whole, letters, { noHinting: true, ...how }));
    made.set(join(dirname(to), "LICENSE"), (await fromPackages(`${name}/LICENSE`)).replace(/[ \t]+$/gm, ""));
  };
  for (const [to, [name, file, letters, wght]] of Object.entries(typefaces)) {
    const variationAxes = wght ? { wght } : undefined;
    await typeface(`${VENDOR}/${to}`, name, file, letters, { targetFormat: "woff2", keepFeatures: FEATURES, variationAxes });
  }
  for (const [to, [name, file, wght]] of Object.entries(pictured)) {
    const variationAxes = wght ? { wght } : undefined;
    await typeface(`${FONT}/${to}`, name, file, ALL, { targetFormat: "sfnt", keepFeatures: [], variationAxes });
  }
  made.set(`${VENDOR}/versions.json`, `${JSON.stringify(versions, null, 2)}\n`);
  return made;
}

const made = await files();
if (process.argv.includes("--check")) {
  const wrong = [];
  for (const [path, text] of made) {
    const there = await readFile(join(root, path)).catch(() => null);
    if (!there?.equals(Buffer.from(text))) wrong.push(path);
  }
  if (wrong.length > 0) {
    console.error(`these files differ from the lock file's versions (npm run vendor): ${wrong.join(", ")}`);
    process.exit(1);
  }
  console.log(`${VENDOR} and ${FONT}: ${made.size} files in the lock file's versions`);
} else {
  for (const folder of [VENDOR, FONT]) await rm(join(root, folder), { recursive: true, force: true });
  for (const [path, text] of made) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
}
