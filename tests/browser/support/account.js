// Actions on the pages of an account.

import { PASSWORD } from "./stage.js";

/** @typedef {import("playwright-core").Page} Page */

/** The guest of a device, as stored. @param {Page} page @returns {Promise<{id: string, name: string, token: string, handle?: string} | null>} */
export const here = (page) => page.evaluate(() => JSON.parse(localStorage.getItem("lusoria.guest") ?? "null"));

/**
 * Signs a device in with a new session, so that it can be signed out.
 * @param {Page} page on any of the server's pages
 * @param {object} guest
 */
export const become = (page, guest) =>
  page.evaluate((guest) => localStorage.setItem("lusoria.guest", JSON.stringify(guest)), guest);

/** The browser's own message where a server sends no push messages: the page asks for their key. */
const NO_PUSH = /status of 40[49]/;

/**
 * A person at a page, on a device that can be signed out.
 * @param {import("./stage.js").Stage} stage @param {import("node:test").TestContext} t @param {string} path
 * @param {object} [guest] the guest of the device
 * @param {import("./stage.js").How} [how]
 * @param {(page: Page) => Promise<unknown>} [prepare] runs before they go there
 */
export async function at(stage, t, path, guest, how, prepare = async () => {}) {
  const { person, page, goto } = await stage.visitor(t, how);
  person.expecting.push(NO_PUSH);
  await prepare(page);
  if (guest) {
    await goto("/record");
    await become(page, guest);
  }
  await goto(path);
  await page.locator("lusoria-head header").waitFor();
  return { person, page, goto };
}

/** Waits until the account's page is shown. @param {Page} page */
export const owned = (page) => page.getByRole("heading", { name: "Signing in" }).waitFor();

/** The dialogue that asks for a proof, when it is open. @param {Page} page */
export const proof = (page) => page.locator("lusoria-proof .all");

/** Proves with the password. @param {Page} page @param {string} action @param {string} [password] */
export async function prove(page, action, password = PASSWORD) {
  await proof(page).getByLabel("Your password", { exact: true }).fill(password);
  await proof(page).getByRole("button", { name: action, exact: true }).click();
}

/** Opens an account on its page, which is shown. @param {Page} page @param {string} handle @param {string} [password] */
export async function open(page, handle, password = PASSWORD) {
  await page.getByLabel("Handle", { exact: true }).fill(handle);
  await page.locator("lusoria-open-account #password").fill(password);
  await page.getByRole("button", { name: "Create the account" }).click();
}

/** Stores the recovery codes shown. @param {Page} page @returns {Promise<string[]>} */
export async function keepCodes(page) {
  const codes = page.locator("lusoria-recovery-codes");
  await codes.getByRole("heading", { name: "Keep your recovery codes" }).waitFor();
  const shown = await codes.getByRole("listitem").allTextContents();
  await codes.getByRole("button", { name: "I have saved them" }).click();
  await owned(page);
  return shown;
}

/** Signs in with the password on its page, which is shown. @param {Page} page @param {string} handle @param {string} [password] */
export async function signIn(page, handle, password = PASSWORD) {
  await page.getByLabel("Handle", { exact: true }).fill(handle);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}
