// Actions on other players: challenging, following and blocking them, on their page, beside a board and in lists.

import assert from "node:assert/strict";
import { fitsNarrowest, judgeBothThemes } from "../support/axe.js";
import { Stage } from "../support/stage.js";
import { test } from "../support/test.js";

const stage = new Stage({ alone: true });

/** Chromium's message for a guest without a page. */
const NO_PAGE = /status of 40[04]/;
/** Chromium's message for a refused challenge. */
const REFUSED = /status of (403|409)/;

/** @typedef {import("playwright-core").Page} Page */
/** @typedef {{id: string, token: string}} Guest */

/** Handles are taken for ever: each test has its own. */
let number = 0;

/** A person with an account and a handle of their own. @param {string} name */
const account = (name) => stage.account(name, `${name}-${(number += 1)}`);

/** @param {string} path @param {Guest} guest */
const asked = (path, { token }) => stage.server.ask("GET", path, undefined, token);

/** The players whom a person follows or has blocked. @param {Guest} guest */
async function lists(guest) {
  const names = (/** @type {{name: string}[]} */ players) => players.map(({ name }) => name);
  const { followed } = await asked("/me/follows", guest);
  const { blocked } = await asked("/me/blocks", guest);
  return { followed: names(followed), blocked: names(blocked) };
}

/** The challenges that wait for a person. @param {Guest} guest */
async function waiting(guest) {
  const { challenges } = await asked("/challenges", guest);
  return challenges.filter((/** @type {any} */ { state }) => state === "waiting");
}

/** Opens the dialogue that challenges a player, from their page. @param {Page} page @param {string} name */
async function challenge(page, name) {
  await page.getByRole("button", { name: "Challenge", exact: true }).click();
  await page.getByRole("dialog", { name: `Challenge ${name}` }).waitFor();
  const dialog = page.locator("lusoria-challenge");
  await dialog.getByText("Your side in the first game").waitFor();
  return dialog;
}

test("a player is followed and unfollowed, blocked after a confirmation and unblocked", async (t) => {
  const [me, zeno] = [await stage.guest("Agathias"), await account("Zeno")];
  const { page, goto } = await stage.visitor(t, { guest: me });
  await goto(`/player/${zeno.handle}`);
  await page.getByRole("button", { name: "Follow" }).click();
  await page.getByText("You now follow Zeno.").waitFor();
  assert.deepEqual(await lists(me), { followed: ["Zeno"], blocked: [] });
  await page.reload();
  await page.getByRole("button", { name: "Unfollow" }).click();
  await page.getByText("You no longer follow Zeno.").waitFor();

  const block = page.getByRole("button", { name: "Block", exact: true });
  await block.click();
  const question = page.getByRole("group", { name: "Block Zeno?" });
  await question.getByText("You will not be paired, and cannot challenge").waitFor();
  assert.ok(await question.evaluate((group) => /** @type {any} */ (group.getRootNode()).activeElement === group));
  await question.getByRole("button", { name: "Cancel" }).click();
  assert.deepEqual(await lists(me), { followed: [], blocked: [] });
  assert.ok(await block.evaluate((button) => /** @type {any} */ (button.getRootNode()).activeElement === button));
  await block.click();
  await question.getByRole("button", { name: "Block" }).click();
  await page.getByText("Zeno is blocked.").waitFor();
  assert.deepEqual(await lists(me), { followed: [], blocked: ["Zeno"] });
  await page.getByRole("button", { name: "Unblock" }).click();
  await page.getByText("Zeno is no longer blocked.").waitFor();
  assert.deepEqual(await lists(me), { followed: [], blocked: [] });
});

test("following creates the guest of a new visitor", async (t) => {
  const zeno = await account("Zeno");
  const { page, goto } = await stage.visitor(t);
  await goto(`/player/${zeno.handle}`);
  await page.getByRole("button", { name: "Follow" }).click();
  await page.getByText("You now follow Zeno.").waitFor();
  await page.getByRole("button", { name: "Unfollow" }).waitFor();
  const token = await page.evaluate(() => JSON.parse(localStorage.getItem("lusoria.guest") ?? "null")?.token);
  assert.deepEqual((await lists({ id: "", token })).followed, ["Zeno"]);
});

test("a challenge is sent with its terms, remembered, and opens the match when it is accepted", async (t) => {
  const [me, zeno] = [await stage.guest("Agathias"), await account("Zeno")];
  const { page, goto } = await stage.visitor(t, { guest: me });
  await goto(`/player/${zeno.handle}`);
  const dialog = await challenge(page, "Zeno");
  await dialog.getByRole("combobox", { name: "Game" }).selectOption("Tavla");
  await dialog.getByRole("combobox", { name: "Time control" }).selectOption({ label: "No clock" });
  await dialog.getByRole("radio", { name: "A series to" }).check();
  await dialog.getByRole("spinbutton", { name: "points" }).fill("5");
  await dialog.getByRole("spinbutton", { name: "points" }).blur();
  await dialog.getByRole("radio", { name: "Black" }).check();
  await dialog.getByRole("button", { name: "Send the challenge" }).click();
  await dialog.getByText("Challenge sent.").waitFor();
  await dialog.getByText("You have challenged Zeno").waitFor();
  const [sent] = await waiting(zeno);
  assert.deepEqual(
    [sent.game, sent.clock, sent.points, sent.side, sent.from.id],
    ["tavla", { kind: "none" }, 5, "black", me.id],
  );
  await dialog.getByRole("button", { name: "Close" }).click();
  await page.getByRole("list", { name: "Challenges" }).getByText("You have challenged Zeno").waitFor();

  await page.reload();
  await page.getByRole("list", { name: "Challenges" }).getByText("You have challenged Zeno").waitFor();
  const again = await challenge(page, "Zeno");
  assert.equal(await again.getByRole("combobox", { name: "Game" }).inputValue(), "tavla");
  assert.ok(await again.getByRole("radio", { name: "Black" }).isChecked());
  assert.equal(await again.getByRole("spinbutton", { name: "points" }).inputValue(), "5");
  await again.getByRole("button", { name: "Close" }).click();
  await stage.server.ask("POST", `/challenges/${sent.id}/accept`, {}, zeno.token);
  await page.waitForURL(`**/match/${sent.id}`, { waitUntil: "commit" });
});

test("a challenge is withdrawn where it was sent, and can be sent again", async (t) => {
  const [me, zeno] = [await stage.guest("Agathias"), await account("Zeno")];
  const { page, goto } = await stage.visitor(t, { guest: me });
  await goto(`/player/${zeno.handle}`);
  const dialog = await challenge(page, "Zeno");
  await dialog.getByRole("button", { name: "Send the challenge" }).click();
  await dialog.getByText("Challenge sent.").waitFor();
  await dialog.getByRole("list", { name: "Challenges" }).getByRole("button", { name: "Cancel" }).click();
  await dialog.getByRole("button", { name: "Send the challenge" }).waitFor();
  assert.deepEqual(await waiting(zeno), []);
  await dialog.getByRole("button", { name: "Send the challenge" }).click();
  await dialog.getByText("Challenge sent.").waitFor();
  assert.equal((await waiting(zeno)).length, 1);
});

test("a challenger sees that it was declined, and why, until they have seen it", async (t) => {
  const [me, zeno] = [await stage.guest("Agathias"), await account("Zeno")];
  const { page, goto } = await stage.visitor(t, { guest: me });
  await goto(`/player/${zeno.handle}`);
  const dialog = await challenge(page, "Zeno");
  await dialog.getByRole("button", { name: "Send the challenge" }).click();
  await dialog.getByText("Challenge sent.").waitFor();
  const [sent] = await waiting(zeno);
  await stage.server.ask("POST", `/challenges/${sent.id}/decline`, { reason: "too_fast" }, zeno.token);
  await dialog.getByText("Zeno has declined: too fast for me").waitFor();
  await goto("/");
  const told = page.getByRole("list", { name: "Challenges" }).getByText("Zeno has declined: too fast for me");
  await told.waitFor();
  await page.getByRole("list", { name: "Challenges" }).getByRole("button", { name: "Close" }).click();
  await told.waitFor({ state: "hidden" });
  await page.reload();
  await page.getByRole("button", { name: "Play now" }).waitFor();
  await page.waitForFunction(() => document.querySelector("lusoria-home")?.connection.line === "open");
  assert.equal(await told.count(), 0);
});

test("a refused challenge says why", async (t) => {
  const [me, zeno] = [await stage.guest("Agathias"), await account("Zeno")];
  const { page, goto, person } = await stage.visitor(t, { guest: me });
  person.expecting = [REFUSED];
  await goto(`/player/${zeno.handle}`);
  const dialog = await challenge(page, "Zeno");
  const send = dialog.getByRole("button", { name: "Send the challenge" });
  const settings = (/** @type {object} */ body) => stage.server.ask("PUT", "/me/challenge-settings", body, zeno.token);
  await settings({ from: "nobody", games: [] });
  await send.click();
  await dialog.getByText("This player does not accept your challenges.").waitFor();
  await settings({ from: "everyone", games: ["tablut"] });
  await send.click();
  await dialog.getByText("This player does not accept challenges in this game.").waitFor();
  await stage.server.ask("PUT", `/me/blocks/${me.id}`, undefined, zeno.token);
  await send.click();
  await dialog.getByText("You cannot play this player.").waitFor();
  const many = (await Promise.all(Array.from({ length: 10 }, () => stage.guest("Theodora")))).map(({ id }) => id);
  for (const to of many) {
    await stage.server.ask("POST", "/challenges", { to, game: "zeno", clock: { kind: "days", days: 3 } }, me.token);
  }
  await settings({ from: "everyone", games: [] });
  await stage.server.ask("DELETE", `/me/blocks/${me.id}`, undefined, zeno.token);
  await send.click();
  await dialog.getByText("Too many of your challenges are still open.").waitFor();
  assert.deepEqual(await waiting(zeno), []);
});

test("a name beside the board opens the actions on a player, for players and spectators", async (t) => {
  const { id, guests: [agathias, zeno] } = await stage.match("tavla");
  await stage.server.ask("POST", "/me/account", { handle: "Zeno-the-Emperor", password: "three rolls of the dice" }, zeno.token);
  const { page, person } = await stage.at(t, id, { guest: agathias });
  person.expecting = [NO_PAGE];
  const api = `${stage.server.address}/api/v1/players`;
  // The server's response for the handle serves for the id, too.
  await page.route(`${api}/${zeno.id}`, (route) => route.continue({ url: `${api}/Zeno-the-Emperor` }));
  assert.equal(await page.getByRole("button", { name: "Agathias" }).and(page.locator(".name")).count(), 0, "not of oneself");
  const name = page.locator("lusoria-player").getByRole("button", { name: "Zeno" });
  await name.click();
  await page.getByRole("dialog", { name: "Zeno" }).waitFor();
  const menu = page.locator("lusoria-player-dialog");
  const profile = menu.getByRole("link", { name: "Profile" });
  await profile.waitFor();
  assert.equal(await profile.getAttribute("href"), "/player/Zeno-the-Emperor");
  await menu.getByRole("button", { name: "Follow" }).click();
  await menu.getByText("You now follow Zeno.").waitFor();
  assert.deepEqual((await lists(agathias)).followed, ["Zeno"]);
  await judgeBothThemes(page, "the menu of a player");
  await page.keyboard.press("Escape");
  assert.ok(await name.evaluate((button) => /** @type {any} */ (button.getRootNode()).activeElement === button));
  await name.press("Enter");
  await menu.getByRole("button", { name: "Challenge" }).click();
  await page.getByRole("dialog", { name: "Challenge Zeno" }).waitFor();
  const dialog = page.locator("lusoria-challenge");
  await dialog.getByRole("button", { name: "Send the challenge" }).click();
  await dialog.getByText("Challenge sent.").waitFor();
  const [sent] = await waiting(zeno);
  await stage.server.ask("POST", `/challenges/${sent.id}/accept`, {}, zeno.token);
  await page.waitForURL(`**/match/${sent.id}`, { waitUntil: "commit" });

  const watcher = await stage.at(t, id);
  watcher.person.expecting = [NO_PAGE];
  for (const each of ["Agathias", "Zeno"]) {
    await watcher.page.locator("lusoria-player").getByRole("button", { name: each }).click();
    await watcher.page.getByRole("dialog", { name: each }).waitFor();
    await watcher.page.locator("lusoria-player-menu").getByRole("button", { name: "Block" }).waitFor();
    await watcher.page.keyboard.press("Escape");
  }
});

test("the computer's name opens nothing, nor does that of a person who sits alone", async (t) => {
  const guest = await stage.guest("Agathias");
  const { match } = await stage.server.ask("POST", "/matches", { game: "tablut", opponent: { computer: 1 } }, guest.token);
  const { id } = await stage.alone("tavla");
  for (const [of, who] of /** @type {const} */ ([[match.id, guest], [match.id, null]])) {
    const { page } = await stage.at(t, of, { guest: who });
    const names = await page.locator("lusoria-player button.name").allInnerTexts();
    assert.deepEqual(names.map((name) => name.trim()), who ? [] : ["Agathias"]);
  }
  const { page } = await stage.at(t, id, { guest });
  assert.equal(await page.locator("lusoria-player").count(), 2);
});

/**
 * Renders elements of the account page alone: in a document without scripts of its own.
 * @param {Page} page @param {(address: string) => Promise<unknown>} goto @param {string[]} names
 */
async function place(page, goto, ...names) {
  await page.route("**/bundles/*.js", (route) => route.fulfill({ contentType: "text/javascript", body: "" }));
  await goto("/players");
  await page.evaluate(async (names) => {
    const style = /** @type {HTMLLinkElement} */ (document.querySelector("link[rel=stylesheet]"));
    const module = (/** @type {string} */ name) => import(new URL(`../${name}.js`, style.href).href);
    await (await module("text/text")).loadTexts();
    const main = document.createElement("main");
    for (const name of names) {
      await module(`parts/${name}`);
      main.append(document.createElement(`lusoria-${name}`));
    }
    document.body.prepend(main);
  }, names);
}

test("followed and blocked players are listed, and each can be removed", async (t) => {
  const me = await stage.guest("Agathias");
  const [zeno, theodora] = [await stage.guest("Zeno"), await stage.guest("Theodora")];
  await stage.server.ask("PUT", `/me/follows/${zeno.id}`, undefined, me.token);
  await stage.server.ask("PUT", `/me/blocks/${theodora.id}`, undefined, me.token);
  const { page, goto } = await stage.visitor(t, { guest: me, context: { reducedMotion: "reduce" } });
  await place(page, goto, "people");
  await page.getByRole("link", { name: "Zeno" }).waitFor();
  assert.equal(await page.getByRole("link", { name: "Theodora" }).getAttribute("href"), `/player/${theodora.id}`);
  await judgeBothThemes(page, "people");
  await fitsNarrowest(page, "people");
  await page.getByRole("button", { name: "Unfollow Zeno" }).click();
  await page.getByText("You do not follow anybody yet.").waitFor();
  await page.getByRole("button", { name: "Unblock Theodora" }).click();
  await page.getByText("You have not blocked anybody.").waitFor();
  assert.deepEqual(await lists(me), { followed: [], blocked: [] });
});

test("the settings for challenges are stored at once, and a failed change is not shown", async (t) => {
  const me = await stage.guest("Agathias");
  const settings = () => asked("/me/challenge-settings", me);
  const { page, goto, person } = await stage.visitor(t, { guest: me, context: { reducedMotion: "reduce" } });
  await place(page, goto, "challenge-settings");
  await page.getByRole("radio", { name: "Players you follow" }).check();
  await page.getByText("Saved.").waitFor();
  assert.deepEqual(await settings(), { from: "followed", games: [] });
  await judgeBothThemes(page, "challenge settings");
  await fitsNarrowest(page, "challenge settings");
  for (const game of ["Zeno’s Tavli", "Ludus XII scriptorum", "Tabula"]) {
    await page.getByRole("checkbox", { name: game }).uncheck();
    await page.getByText("Saved.").waitFor();
  }
  assert.deepEqual(await settings(), { from: "followed", games: ["tavla", "tablut"] });
  await page.getByRole("checkbox", { name: "Tavla" }).uncheck();
  await page.getByText("Saved.").waitFor();
  await page.getByRole("checkbox", { name: "Tablut" }).click();
  await page.getByText("Choose at least one game.").waitFor();
  assert.ok(await page.getByRole("checkbox", { name: "Tablut" }).isChecked());
  assert.deepEqual(await settings(), { from: "followed", games: ["tablut"] });
  await page.getByRole("radio", { name: "Nobody" }).check();
  await page.getByText("Saved.").waitFor();
  assert.deepEqual(await settings(), { from: "nobody", games: ["tablut"] });

  person.expecting = [/ERR_/];
  await page.route("**/me/challenge-settings", (route) => (route.request().method() === "PUT" ? route.abort() : route.continue()));
  await page.getByRole("radio", { name: "Everyone" }).click();
  await page.getByText("The server cannot be reached.").waitFor();
  assert.ok(await page.getByRole("radio", { name: "Nobody" }).isChecked());
});

test("axe finds nothing in the dialogues for challenging and blocking, and nothing is too wide", async (t) => {
  const [me, zeno] = [await stage.guest("Agathias"), await account("Zeno")];
  const { page, goto } = await stage.visitor(t, { guest: me, context: { reducedMotion: "reduce" } });
  await goto(`/player/${zeno.handle}`);
  await page.getByRole("button", { name: "Block", exact: true }).click();
  await page.getByRole("group", { name: "Block Zeno?" }).waitFor();
  await judgeBothThemes(page, "a question");
  await fitsNarrowest(page, "a question");
  const dialog = await challenge(page, "Zeno");
  await judgeBothThemes(page, "a challenge");
  await fitsNarrowest(page, "a challenge");
  await dialog.getByRole("button", { name: "Send the challenge" }).click();
  await dialog.getByText("Challenge sent.").waitFor();
  await judgeBothThemes(page, "a challenge that was sent");
  await fitsNarrowest(page, "a challenge that was sent");
});

test("without a connection the dialogue of a name cannot be loaded, and the page says so", async (t) => {
  const { id, guests: [agathias] } = await stage.match("tavla");
  const { page, person, table } = await stage.at(t, id, { guest: agathias });
  person.expecting = [/ERR_/, NO_PAGE];
  await page.route("**/parts-player-dialog.js", (route) => route.abort());
  await page.locator("lusoria-player").getByRole("button", { name: "Zeno" }).click();
  await table.word.waitFor();
  assert.match(await table.word.innerText(), /^Loading failed\./);
});
