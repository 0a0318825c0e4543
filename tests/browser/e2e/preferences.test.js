// The preferences of an account apply on every device signed in to it.

import assert from "node:assert/strict";
import { at as arrive, keepCodes, open, signIn } from "../support/account.js";
import { Stage } from "../support/stage.js";
import { test } from "../support/test.js";

const stage = new Stage();

/** @typedef {import("playwright-core").Page} Page */

/** A person at a page. @param {import("node:test").TestContext} t @param {string} path @param {object} [guest] */
const at = (t, path, guest) => arrive(stage, t, path, guest);

/** The server preloads the texts in the language of the browser, before the page knows the preferences. */
const PRELOADED = /text\/en\.json was preloaded using link preload but not used/;

/** Chooses in the dialogue of preferences, and closes it. @param {Page} page @param {Record<string, string>} choices values by names */
async function choose(page, choices) {
  await page.locator("lusoria-preferences > button, lusoria-preferences button.icon").first().click();
  for (const [name, value] of Object.entries(choices)) {
    const nth = { theme: ["auto", "light", "dark"], sounds: ["on", "off"] }[name].indexOf(value);
    await page.locator(`lusoria-preferences input[name=${name}]`).nth(nth).check();
  }
  await page.keyboard.press("Escape");
}

/** The preferences that the server stores for an account. @param {string} token @returns {Promise<Record<string, string>>} */
const kept = async (token) => (await stage.server.ask("GET", "/me/preferences", undefined, token)).preferences;

/** Waits until the server has stored them. @param {Page} page @param {Record<string, string>} expected */
async function isKept(page, expected) {
  const token = await page.evaluate(() => JSON.parse(localStorage.getItem("lusoria.guest")).token);
  await page.waitForFunction(async ({ token, expected }) => {
    const answer = await fetch("/api/v1/me/preferences", { headers: { authorization: `Bearer ${token}` } });
    const { preferences } = await answer.json();
    return Object.entries(expected).every(([name, value]) => preferences?.[name] === value);
  }, { token, expected }, { polling: 250 });
  return token;
}

/** Waits until a page has a theme. @param {Page} page @param {string} theme */
const hasTheme = (page, theme) => page.locator(`html[data-theme=${theme}]`).waitFor();

/** Checks where preferences are stored. @param {Page} page @param {string} text the text about it */
async function saysKept(page, text) {
  await page.locator("lusoria-preferences button.icon").first().click();
  await page.locator("lusoria-preferences .hint").filter({ hasText: text }).waitFor();
  await page.keyboard.press("Escape");
}

/** Whether sounds are on. @param {Page} page */
const hasSounds = (page) => page.evaluate(() => JSON.parse(localStorage.getItem("lusoria.preferences")).sounds);

test("a guest's preferences move to their account, and to each device that signs in to it", async (t) => {
  const { page, goto } = await at(t, "/", await stage.guest("Agathias"));
  await choose(page, { theme: "dark", sounds: "off" });
  await saysKept(page, "Saved on this device only.");
  await goto("/account");
  await open(page, "Agathias_1");
  await keepCodes(page);
  const token = await isKept(page, { theme: "dark", sounds: "false" });
  await saysKept(page, "Saved with your account");

  const other = await at(t, "/sign-in");
  await choose(other.page, { theme: "light" });
  await signIn(other.page, "Agathias_1");
  await hasTheme(other.page, "dark");
  assert.equal(await hasSounds(other.page), false);
  assert.equal((await kept(token)).theme, "dark", "what another device had preferred is not sent");
});

test("the last change applies on all devices, and changes of different preferences are merged", async (t) => {
  const holder = await stage.account("Theodora", "Theodora_1");
  const one = await at(t, "/", holder);
  await isKept(one.page, { theme: "auto", sounds: "true" });
  const two = await at(t, "/", holder);

  await choose(one.page, { theme: "dark" });
  await isKept(one.page, { theme: "dark" });
  await choose(two.page, { sounds: "off" });
  await isKept(two.page, { theme: "dark", sounds: "false" });
  await hasTheme(two.page, "dark");

  await one.goto("/rules/zeno");
  await one.page.waitForFunction(() => JSON.parse(localStorage.getItem("lusoria.preferences")).sounds === false);
  await choose(one.page, { theme: "light" });
  await isKept(one.page, { theme: "light" });
  await two.goto("/rules/zeno");
  await hasTheme(two.page, "light");
});

test("a change during the first request of a device applies on all devices", async (t) => {
  const holder = await stage.account("Belisarius", "Belisarius_1");
  await stage.server.ask("PATCH", "/me/preferences", { preferences: { theme: "dark", sounds: "false" } }, holder.token);
  const { person, page, goto } = await stage.visitor(t, { guest: holder });
  /** @type {(value?: unknown) => void} */
  let answer;
  const isChanged = new Promise((resolve) => (answer = resolve));
  await person.context.route("**/api/v1/me/preferences", async (route) => {
    if (route.request().method() === "GET") await isChanged;
    await route.continue();
  });
  const asked = page.waitForRequest("**/api/v1/me/preferences");
  await goto("/");
  await asked;
  await choose(page, { theme: "light" });
  await hasTheme(page, "light");
  answer();
  await isKept(page, { theme: "light", sounds: "false" });
  await page.waitForFunction(() => JSON.parse(localStorage.getItem("lusoria.preferences")).sounds === false);
  await hasTheme(page, "light");
});

test("the language is synchronised, too, and applies from the next page on", async (t) => {
  const holder = await stage.account("Justinian", "Justinian_1");
  const one = await at(t, "/", holder);
  one.person.expecting.push(PRELOADED);
  await one.page.locator("lusoria-preferences button.icon").first().click();
  await one.page.locator("lusoria-preferences select").first().selectOption("fr");
  await one.page.locator("html[lang=fr]").waitFor();
  await isKept(one.page, { language: "fr" });

  const two = await at(t, "/", holder);
  two.person.expecting.push(PRELOADED);
  await two.page.waitForFunction(() => localStorage.getItem("lusoria.language") === "fr");
  await two.goto("/");
  await two.page.locator("html[lang=fr]").waitFor();
});

test("signing out leaves other people's preferences on this device out of the account", async (t) => {
  const holder = await stage.account("Narses", "Narses_1");
  const { page, goto } = await at(t, "/", holder);
  await choose(page, { theme: "dark" });
  await isKept(page, { theme: "dark" });
  await goto("/account");
  await page.getByRole("button", { name: "Sign out here" }).click();
  await page.waitForURL((url) => url.pathname === "/sign-in");
  assert.equal(await page.evaluate(() => localStorage.getItem("lusoria.guest")), null);
  await goto("/");
  await choose(page, { theme: "light" });
  await goto("/sign-in");
  await signIn(page, "Narses_1");
  await hasTheme(page, "dark");
  await isKept(page, { theme: "dark" });
});
