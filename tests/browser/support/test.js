// The tests of a file, run alone or, by `node all.js`, in parallel with those of other files in one process.

import * as node from "node:test";

/** The timeout of a test that hangs: ten times the slowest on a quiet machine. */
const TEST_WITHIN_MS = process.env.WHOLE === "1" ? Infinity : 600_000;

/** @type {(() => void)[] | undefined} */
let collected;

/** Registers at once, or with the other tests of the file. @param {() => void} register */
const add = (register) => (collected ? void collected.push(register) : register());

/** @param {string} name @param {(t: import("node:test").TestContext) => Promise<unknown> | void} does */
export const test = (name, does) => add(() => void node.test(name, { timeout: TEST_WITHIN_MS }, does));

/** @param {() => Promise<unknown>} does */
export const before = (does) => add(() => node.before(does));

/** @param {() => Promise<unknown>} does */
export const after = (does) => add(() => node.after(does));

/** Loads a file, and returns the function that registers its tests. @param {string} url @returns {Promise<() => void>} */
export async function load(url) {
  const registrations = (collected = /** @type {(() => void)[]} */ ([]));
  await import(url);
  collected = undefined;
  return () => registrations.forEach((register) => register());
}
