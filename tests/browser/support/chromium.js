// The Chromium that tests, pictures and measurements use. `node support/chromium.js` fails if there is none.

import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/**
 * Without windows: pages come up twice as fast, and contexts close. The whole browser sometimes never answers
 * `Target.disposeBrowserContext`.
 */
const SHELLS = ["chromium-headless-shell"];

/** The whole browser, which alone shows notifications. */
const BROWSERS = ["chromium", "chromium-browser", "google-chrome-stable"];

/**
 * Its file. `CHROMIUM` in the environment names another one.
 * @param {{whole?: boolean}} [how] whether it must be the whole browser
 * @returns {string | undefined}
 */
export function executable({ whole = false } = {}) {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const files = [...(whole ? [] : SHELLS), ...BROWSERS].flatMap((name) => folders.map((folder) => join(folder, name)));
  return process.env.CHROMIUM ?? files.find(existsSync);
}

if (import.meta.filename === process.argv[1]) process.exit(executable() && executable({ whole: true }) ? 0 : 1);
