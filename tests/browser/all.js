// Runs all tests of the page in one process: `node all.js [FILE…]`. Files run in parallel, the tests of a file one
// after the other.

import { readdir } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { basename, join, resolve } from "node:path";
import { describe } from "node:test";
import { pathToFileURL } from "node:url";
import { load } from "./support/test.js";

const FOLDER = join(import.meta.dirname, "e2e");

/** The longest files start first, so that no core idles at the end. */
const LONGEST = ["games", "everyone", "still", "accounts", "home", "tv", "kiosk", "computer"];

/** A page waits for its server and its browser: one file more than there are cores keeps them busy. */
const FILES_AT_ONCE = availableParallelism() + 1;

const named = process.argv.slice(2).map((file) => resolve(file));
const all = (await readdir(FOLDER)).filter((name) => name.endsWith(".test.js")).map((name) => join(FOLDER, name));
const name = (/** @type {string} */ file) => basename(file, ".test.js");
const rank = (/** @type {string} */ file) => (LONGEST.indexOf(name(file)) + LONGEST.length + 1) % (LONGEST.length + 1);
const files = (named.length > 0 ? named : all).sort((one, other) => rank(one) - rank(other) || (one < other ? -1 : 1));

/** @type {[string, () => void][]} */
const loaded = [];
for (const file of files) loaded.push([name(file), await load(pathToFileURL(file).href)]);
describe("the page", { concurrency: FILES_AT_ONCE }, () => {
  for (const [file, register] of loaded) describe(file, { concurrency: 1 }, register);
});
