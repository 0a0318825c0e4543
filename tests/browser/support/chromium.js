// The Chromium that tests, pictures and measurements use. `node support/chromium.js` fails if one is missing.

import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";

/**
 * Headless only: pages open twice as fast, and contexts close. The full browser sometimes never responds to
 * `Target.disposeBrowserContext`.
 */
const SHELLS = ["chromium-headless-shell"];

/** The full browser, the only one with notifications. */
const BROWSERS = ["chromium", "chromium-browser", "google-chrome-stable"];

/** The first of these programs that is installed. @param {string[]} names @returns {string | undefined} */
function find(names) {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(existsSync);
}

/**
 * The browser for Playwright: by default one that it has installed itself. `CHROMIUM` in the environment names another
 * one.
 * @param {{full?: boolean}} [how] whether to use the full browser
 * @returns {{executablePath?: string, channel?: string}}
 */
export function launched({ full = false } = {}) {
  const executablePath = process.env.CHROMIUM ?? find(full ? BROWSERS : SHELLS);
  return executablePath ? { executablePath } : full ? { channel: "chromium" } : {};
}

/** Whether Playwright has installed them. */
async function isInstalled() {
  const playwright = await import("playwright-core").catch(() => undefined);
  return playwright !== undefined && existsSync(playwright.chromium.executablePath());
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  process.exit(process.env.CHROMIUM || (find(SHELLS) && find(BROWSERS)) || (await isInstalled()) ? 0 : 1);
}
