// What an account prefers holds on every device where one signs in.

import assert from "node:assert/strict";
import { at as arrive, keepCodes, open, signIn } from "../support/account.js";
import { Stage } from "../support/stage.js";
import { test } from "../support/test.js";

const stage = new Stage();

/** @typedef {import("playwright-core").Page} Page */

/** Somebody at a page. @param {import("node:test").TestContext} t @param {string} path @param {object} [guest] */
const at = (t, path, guest) => arrive(stage, t, path, guest);

/** The server has the texts loaded in the language of the browser, before the page knows what its person prefers. */
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

/** What the server keeps for an account. @param {string} token @returns {Promise<Record<string, string>>} */
const kept = async (token) => (await stage.server.ask("GET", "/me/preferences", undefined, token)).preferences;

/** Waits until the server keeps that. @param {Page} page @param {Record<string, string>} expected */
async function isKept(page, expected) {
  const token = await page.evaluate(() => JSON.parse(localStorage.getItem("lusoria.guest")).token);
  await page.waitForFunction(async ({ token, expected }) => {
    const answer = await fetch("/api/v1/me/preferences", { headers: { authorization: `Bearer ${token}` } });
    const { preferences } = await answer.json();
    return Object.entries(expected).every(([name, value]) => preferences?.[name] === value);
  }, { token, expected }, { polling: 250 });
  return token;
}

/** Waits until a page has that theme. @param {Page} page @param {string} theme */
const hasTheme = (page, theme) => page.locator(`html[data-theme=${theme}]`).waitFor();

/** Looks where preferences are kept. @param {Page} page @param {string} text what they say of it */
async function saysKept(page, text) {
  await page.locator("lusoria-preferences button.icon").first().click();
  await page.locator("lusoria-preferences .hint").filter({ hasText: text }).waitFor();
  await page.keyboard.press("Escape");
}

/** Whether sounds are preferred. @param {Page} page */
const hasSounds = (page) => page.evaluate(() => JSON.parse(localStorage.getItem("lusoria.preferences")).sounds);

test("what a guest prefers comes along to their account, and to each device that signs in to it", async (t) => {
  const { page, goto } = await at(t, "/", await stage.guest("Agathias"));
  await choose(page, { theme: "dark", sounds: "off" });
  await saysKept(page, "Kept on this device alone.");
  await goto("/account");
  await open(page, "Agathias_1");
  await keepCodes(page);
  const token = await isKept(page, { theme: "dark", sounds: "false" });
  await saysKept(page, "Kept with your account");

  const other = await at(t, "/sign-in");
  await choose(other.page, { theme: "light" });
  await signIn(other.page, "Agathias_1");
  await hasTheme(other.page, "dark");
  assert.equal(await hasSounds(other.page), false);
  assert.equal((await kept(token)).theme, "dark", "what another device had preferred is not sent");
});

test("the last change holds on all devices, and changes of different preferences both hold", async (t) => {
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

test("what is changed while a device asks for the first time holds, on all devices", async (t) => {
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

test("the language follows, too, and holds from the next page on", async (t) => {
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

test("who signs out takes nothing of what others prefer here into their account", async (t) => {
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
