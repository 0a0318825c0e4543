// The ways from the home page to a match.

import { Table } from "./table.js";

/** @typedef {import("./browser.js").Person} Person */

/**
 * Ends the stream of TV, which no server does: otherwise a page with TV never finishes loading.
 * @param {import("playwright-core").Page} page @param {import("./server.js").Server} server
 */
export async function endTv(page, server) {
  await page.route("**/api/v1/tv", async (route) => {
    const { channels } = await server.ask("GET", "/tv");
    const lines = channels.map((/** @type {object} */ channel) => `${JSON.stringify({ notice: "tv_switched", channel })}\n`);
    await route.fulfill({ contentType: "application/x-ndjson", body: lines.join("") });
  });
}

/** Opens the dialogue of a game. @param {Person} who @param {string} game */
export async function choose(who, game) {
  await who.goto("/");
  const games = who.page.getByRole("region", { name: "Choose a game" });
  await games.getByRole("button", { name: game, exact: true }).click();
}

/** Presses a button that leads to a match, and waits for its page. @param {Person} who @param {string | RegExp} button */
export async function begin(who, button) {
  await who.page.getByRole("button", { name: button }).click();
  await who.page.waitForURL(/\/match\//);
  return new Table(who.page).ready();
}

/** The link on the page of a match. @param {Person} who */
export const linkOf = (who) =>
  who.page.getByRole("textbox", { name: "Link of the invitation" }).inputValue();

/** By invitation: the second player opens the link. @param {Person} one @param {Person} two @param {string} game */
export async function byLink(one, two, game) {
  await choose(one, game);
  const table = await begin(one, /^Against a friend/);
  await two.page.goto(await linkOf(one));
  return [table, await begin(two, "Join the match")];
}

/** Both play against anyone. @param {Person} one @param {Person} two @param {string} game */
export async function againstAnyone(one, two, game) {
  await choose(one, game);
  const table = await begin(one, /^Against anyone/);
  await choose(two, game);
  return [table, await begin(two, /^Against anyone.*you start at once/)];
}

/** The second player finds it in the list of open matches. @param {Person} one @param {Person} two @param {string} game */
export async function fromTheList(one, two, game) {
  await two.goto("/");
  await choose(one, game);
  const table = await begin(one, /^Against anyone/);
  return [table, await begin(two, new RegExp(`^Join ${game} against`))];
}

/** The second player opens the match's own address. @param {Person} one @param {Person} two @param {string} game */
export async function byAddress(one, two, game) {
  await choose(one, game);
  const table = await begin(one, /^Against anyone/);
  await two.page.goto(one.page.url());
  return [table, await begin(two, "Join the match")];
}
