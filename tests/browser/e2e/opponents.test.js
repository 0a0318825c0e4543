// Finding an opponent: play now, the computer instead, challenges.

import assert from "node:assert/strict";
import { PASSWORD, Stage } from "../support/stage.js";
import { test } from "../support/test.js";

const stage = new Stage({ alone: true });

/** @param {import("playwright-core").Page} page */
const playNow = (page) => page.getByRole("button", { name: "Play now" });

/** @param {import("playwright-core").Page} page */
const atMatch = (page) => page.waitForURL(/\/match\/[0-9a-f-]{36}$/);

/** Selects only one game. @param {import("playwright-core").Page} page @param {string} name */
async function only(page, name) {
  const games = page.getByRole("group", { name: "Games you want to play" });
  // First-time visitors see only the button.
  await page.locator("lusoria-opponents details").evaluate((details) => (details.open = true));
  // They appear when the person's own lists are loaded; `all` does not wait.
  await games.getByRole("button", { name }).waitFor();
  for (const game of await games.getByRole("button").all()) {
    if ((await game.innerText()).trim() !== name) await game.click();
  }
}

test("two who press Play now meet, and only the requesting tab opens the match", async (t) => {
  const one = await stage.visitor(t);
  const two = await stage.visitor(t);
  await one.goto("/");
  await only(one.page, "Tavla");
  await playNow(one.page).click();
  await one.page.getByText("Looking for an opponent").waitFor();
  const other = await one.page.context().newPage();
  await other.goto(one.page.url());
  await other.getByText("Looking for an opponent").waitFor();
  await two.goto("/");
  await playNow(two.page).click();
  await Promise.all([atMatch(one.page), atMatch(two.page)]);
  assert.equal(one.page.url(), two.page.url());
  await other.getByText("Looking for an opponent").waitFor({ state: "hidden" });
  assert.equal(new URL(other.url()).pathname, "/");
  const match = await stage.snapshot(new URL(two.page.url()).pathname.split("/")[2]);
  assert.equal(match.game, "tavla");
});

test("a seek is shown on everybody's home, and joined with one click", async (t) => {
  const one = await stage.visitor(t);
  await one.page.clock.install();
  await one.goto("/");
  const waiting = one.page.getByRole("region", { name: "Waiting for an opponent" });
  await waiting.getByText("Nobody is waiting right now.").waitFor();
  const narses = await stage.account("Narses", "narses_1");
  const clocks = [{ kind: "fischer", base_ms: 600_000, increment_ms: 10_000 }];
  await stage.server.ask("POST", "/seeks", { games: ["tavla"], clocks, rated: true }, narses.token);
  await stage.server.ask("POST", "/seeks", { games: ["tablut", "tavla"], clocks: [{ kind: "days", days: 3 }] }, narses.token);
  await one.page.clock.fastForward(10_000);
  const join = waiting.getByRole("button", { name: "Join Tablut, Tavla against Narses" });
  await join.waitFor();
  const rated = waiting.getByRole("listitem").filter({ hasText: "Rated" });
  assert.equal(await rated.getByRole("link", { name: "Open an account" }).getAttribute("href"), "/account");
  assert.equal(await waiting.getByText("Nobody is waiting").count(), 0);
  await join.click();
  await atMatch(one.page);
  const { game, players } = await stage.snapshot(new URL(one.page.url()).pathname.split("/")[2]);
  assert.deepEqual([game, players[1].name], ["tablut", "Narses"]);
});

test("joining a player who is playing already makes a seek", async (t) => {
  const other = await stage.guest("Agathias");
  const wishes = { games: ["scripta"], clocks: [{ kind: "days", days: 3 }] };
  const seek = await stage.server.ask("POST", "/seeks", wishes, other.token);
  const { page, goto } = await stage.visitor(t);
  await goto("/");
  const join = page.getByRole("button", { name: "Join Ludus XII scriptorum against Agathias" });
  await join.waitFor();
  await stage.server.ask("DELETE", `/seeks/${seek.id}`, undefined, other.token);
  await join.click();
  const sought = page.getByRole("list", { name: "Your searches" }).getByText("Ludus XII scriptorum");
  await sought.waitFor();
  await join.waitFor({ state: "hidden" });
  await page.getByRole("list", { name: "Your searches" }).getByRole("button", { name: "Cancel" }).click();
  await sought.waitFor({ state: "hidden" });
});

test("after twenty seconds a player may play the computer, and the seek ends", async (t) => {
  const guest = await stage.guest("Agathias");
  const { page, goto } = await stage.visitor(t, { guest });
  await page.clock.install();
  await goto("/");
  await only(page, "Tablut");
  await playNow(page).click();
  await page.getByText("Looking for an opponent").waitFor();
  const computer = page.getByRole("button", { name: /Play Tablut against the computer/ });
  assert.equal(await computer.count(), 0);
  await page.clock.fastForward(25_000);
  await computer.click();
  await atMatch(page);
  const { seeks } = await stage.server.ask("GET", "/seeks", undefined, guest.token);
  assert.deepEqual(seeks, []);
});

test("a correspondence seek stays when the page is closed, and is cancelled", async (t) => {
  const guest = await stage.guest("Agathias");
  const { page, goto } = await stage.visitor(t, { guest });
  await goto("/");
  await page.getByLabel("Time control").first().selectOption("days");
  await playNow(page).click();
  await page.getByText("Waiting for an opponent by correspondence").waitFor();
  await page.reload();
  await page.getByText("Waiting for an opponent by correspondence").waitFor();
  await page.getByRole("list", { name: "Your searches" }).getByRole("button", { name: "Cancel" }).click();
  await page.getByText("Waiting for an opponent by correspondence").waitFor({ state: "hidden" });
  const { seeks } = await stage.server.ask("GET", "/seeks", undefined, guest.token);
  assert.deepEqual(seeks, []);
});

test("a player with an account sets the range of the opponent's rating, and meets nobody else", async (t) => {
  const [strong, weak, newcomer] = await Promise.all(["Narses", "Totila", "Procopius"].map((name) => stage.account(name, name)));
  // A rated match moves their ratings apart, by more than 200.
  const terms = { game: "tablut", side: "attackers", clock: { kind: "days", days: 3 }, rated: true };
  const { match } = await stage.server.ask("POST", "/matches", terms, weak.token);
  await stage.server.ask("POST", `/matches/${match.id}/join`, {}, strong.token);
  for (let turn = 0; turn < 2; turn += 1) await stage.playOne(match.id, [weak, strong]);
  await stage.server.ask("POST", `/matches/${match.id}/resign`, { scope: "match" }, weak.token);

  const { page, goto } = await stage.visitor(t, { guest: strong });
  await goto("/");
  await only(page, "Tablut");
  await page.getByLabel("Time control").first().selectOption("days");
  await page.getByRole("checkbox", { name: "Rated" }).uncheck();
  const range = page.getByRole("combobox", { name: "Your opponent’s rating" });
  assert.deepEqual(await range.locator("option").allInnerTexts(), ["Any rating", "Rating ±100", "Rating ±200", "Rating ±400"]);
  await range.selectOption("Rating ±200");
  await page.reload();
  await range.waitFor();
  assert.equal(await range.inputValue(), "200", "what was chosen last is chosen again");
  await playNow(page).click();
  await page.getByRole("list", { name: "Your searches" }).getByText("Tablut · rating within ±200 of yours").waitFor();
  const seeksOf = async (/** @type {{token: string}} */ { token }) => (await stage.server.ask("GET", "/seeks", undefined, token)).seeks;
  const [{ clocks, rating }] = await seeksOf(strong);
  assert.deepEqual(rating, { below: 200, above: 200 });
  const seesStrong = async (/** @type {{token: string}} */ { token }) =>
    (await stage.server.ask("GET", "/seeks/waiting", undefined, token)).seeks.some((/** @type {any} */ { by }) => by.id === strong.id);
  assert.deepEqual([await seesStrong(weak), await seesStrong(newcomer)], [false, true], "who cannot join is not shown it");
  await stage.server.ask("POST", "/seeks", { games: ["tablut"], clocks }, weak.token);
  assert.equal((await seeksOf(weak))[0].match, undefined, "they are too far apart");
  await stage.server.ask("POST", "/seeks", { games: ["tablut"], clocks }, newcomer.token);
  await atMatch(page);
  const { players } = await stage.snapshot(new URL(page.url()).pathname.split("/")[2]);
  assert.deepEqual(["1", "2"].map((seat) => players[seat].name).sort(), ["Narses", "Procopius"]);
  await stage.server.ask("DELETE", `/seeks/${(await seeksOf(weak))[0].id}`, undefined, weak.token);
});

test("guests have no ratings, and no choice of a range", async (t) => {
  const guest = await stage.guest("Leontius");
  const { page, goto } = await stage.visitor(t, { guest });
  await page.addInitScript(() => localStorage.setItem("lusoria.sought", JSON.stringify({ range: 100 })));
  await goto("/");
  await playNow(page).waitFor();
  assert.equal(await page.getByRole("combobox", { name: "Your opponent’s rating" }).count(), 0);
  await playNow(page).click();
  await page.getByText("Looking for an opponent").waitFor();
  const { seeks } = await stage.server.ask("GET", "/seeks", undefined, guest.token);
  assert.equal(seeks[0].rating, undefined);
  await page.getByRole("list", { name: "Your searches" }).getByRole("button", { name: "Cancel" }).click();
  await playNow(page).waitFor();
});

test("a correspondence challenge and a live one are declined: with a reason, without one, and not at all", async (t) => {
  const [one, two] = [await stage.guest("Agathias"), await stage.guest("Zeno")];
  const challenge = (/** @type {string} */ game, /** @type {object} */ clock) =>
    stage.server.ask("POST", "/challenges", { to: one.id, game, clock }, two.token);
  const byDays = await challenge("tabula", { kind: "days", days: 3 });
  const forNow = await challenge("tavla", { kind: "fischer", base_ms: 60_000, increment_ms: 1_000 });
  const { page, goto } = await stage.visitor(t, { guest: one });
  await goto("/");
  const list = page.getByRole("list", { name: "Challenges" });
  const row = (/** @type {string} */ game) => list.getByRole("listitem").filter({ hasText: game });
  await row("Tavla").getByRole("button", { name: "Decline" }).click();
  const why = page.getByRole("combobox", { name: "Reason (optional)" });
  assert.deepEqual((await why.locator("option").allInnerTexts()).slice(0, 3), ["No reason", "not now, maybe later", "too fast for me"]);
  assert.equal(await why.getByText("bots").count(), 0, "they are people");
  await row("Tavla").getByRole("button", { name: "Cancel" }).click();
  await row("Tavla").getByRole("button", { name: "Decline" }).click();
  await why.selectOption("too fast for me");
  await row("Tavla").getByRole("button", { name: "Decline" }).click();
  await row("Tavla").waitFor({ state: "hidden" });
  await row("Tabula").getByRole("button", { name: "Decline" }).click();
  await row("Tabula").getByRole("button", { name: "Decline" }).click();
  await row("Tabula").waitFor({ state: "hidden" });
  const { challenges } = await stage.server.ask("GET", "/challenges", undefined, two.token);
  const ends = Object.fromEntries(challenges.map((/** @type {any} */ { id, state, reason }) => [id, [state, reason]]));
  assert.deepEqual(ends, { [forNow.id]: ["declined", "too_fast"], [byDays.id]: ["declined", undefined] });
});

test("two correspondence seeks meet, and the absent player finds the match in their list", async (t) => {
  const [one, two] = [await stage.guest("Agathias"), await stage.guest("Zeno")];
  const away = await stage.visitor(t, { guest: one });
  await away.goto("/");
  await only(away.page, "Tablut");
  await away.page.getByLabel("Time control").first().selectOption("days");
  await playNow(away.page).click();
  await away.page.getByText("Waiting for an opponent by correspondence").waitFor();
  await away.goto("/rules/tablut");
  const other = await stage.visitor(t, { guest: two });
  await other.goto("/");
  await only(other.page, "Tablut");
  await other.page.getByLabel("Time control").first().selectOption("days");
  await playNow(other.page).click();
  await atMatch(other.page);
  const match = new URL(other.page.url()).pathname;
  // They come back later, when the requesting tab is gone.
  await away.page.evaluate(() => sessionStorage.clear());
  await away.goto("/");
  const card = away.page.getByRole("region", { name: "Your matches" }).getByRole("link", { name: "Tablut" });
  await card.waitFor();
  assert.equal(await card.getAttribute("href"), match);
});

test("a challenge is shown, accepted, declined and withdrawn", async (t) => {
  const [one, two] = [await stage.guest("Agathias"), await stage.guest("Zeno")];
  const challenge = (/** @type {string} */ game, /** @type {string} */ to, /** @type {string} */ token) =>
    stage.server.ask("POST", "/challenges", { to, game, clock: { kind: "days", days: 3 } }, token);
  const { page, goto } = await stage.visitor(t, { guest: one });
  await goto("/");
  await playNow(page).waitFor();
  const list = page.getByRole("list", { name: "Challenges" });
  const declined = await challenge("tabula", one.id, two.token);
  await list.getByText("Zeno challenges you").waitFor();
  await list.getByText("Tabula").waitFor();
  await page.getByRole("button", { name: "Decline" }).click();
  await page.getByRole("button", { name: "Decline" }).click();
  await list.getByText("Zeno challenges you").waitFor({ state: "hidden" });
  const withdrawn = await challenge("tavla", two.id, one.token);
  await list.getByText("You have challenged Zeno").waitFor();
  await list.getByRole("button", { name: "Cancel" }).click();
  await list.getByText("You have challenged Zeno").waitFor({ state: "hidden" });
  const accepted = await challenge("tablut", one.id, two.token);
  await page.getByRole("button", { name: "Accept" }).click();
  await page.waitForURL(`**/match/${accepted.id}`);
  const { challenges } = await stage.server.ask("GET", "/challenges", undefined, two.token);
  const states = Object.fromEntries(challenges.map((/** @type {any} */ { id, state }) => [id, state]));
  assert.deepEqual(states, {
    [declined.id]: "declined",
    [withdrawn.id]: "withdrawn",
    [accepted.id]: "accepted",
  });
});

test("a challenge is shown on the other pages, too, and accepted there", async (t) => {
  const [one, two] = [await stage.guest("Agathias"), await stage.guest("Zeno")];
  const { page, goto } = await stage.visitor(t, { guest: one });
  await page.clock.install();
  await goto("/players");
  await page.getByRole("button", { name: "Your name: Agathias. Change it" }).waitFor();
  const clock = { kind: "fischer", base_ms: 600_000, increment_ms: 10_000 };
  const { id } = await stage.server.ask("POST", "/challenges", { to: one.id, game: "tavla", clock }, two.token);
  await page.clock.fastForward(10_000);
  await page.getByRole("status").getByText("Zeno challenges you").waitFor();
  await page.getByRole("button", { name: "1 challenge" }).click();
  await page.getByRole("button", { name: "Accept" }).click();
  await page.waitForURL(`**/match/${id}`);
});

test("a challenger on another page is led to the match when it is accepted", async (t) => {
  const [one, two] = [await stage.guest("Agathias"), await stage.account("Leontius", "Leontius")];
  const { page, goto } = await stage.visitor(t, { guest: one });
  await page.clock.install();
  await goto("/player/Leontius");
  await page.getByRole("button", { name: "Challenge" }).click();
  await page.getByRole("button", { name: "Send the challenge" }).click();
  await page.getByText("Challenge sent.").waitFor();
  await goto("/players");
  const { challenges: [{ id }] } = await stage.server.ask("GET", "/challenges", undefined, two.token);
  await stage.server.ask("POST", `/challenges/${id}/accept`, {}, two.token);
  await page.clock.fastForward(10_000);
  await page.waitForURL(`**/match/${id}`);
});

test("a challenge names its sender: the handle, if the name is another one, and the rating", async (t) => {
  const one = await stage.guest("Agathias");
  const unnamed = await stage.server.ask("POST", "/guests", {});
  for (const [{ token }, handle] of /** @type {const} */ ([[unnamed, "julia_aug"], [await stage.guest("Livia"), "drusilla"]])) {
    await stage.server.ask("POST", "/me/account", { handle, password: PASSWORD }, token);
    await stage.server.ask("POST", "/challenges", { to: one.id, game: "tavla", clock: { kind: "days", days: 3 } }, token);
  }
  const { page, goto } = await stage.visitor(t, { guest: one });
  await goto("/");
  const row = (/** @type {string} */ name) => page.getByRole("list", { name: "Challenges" }).getByRole("listitem").filter({ hasText: `${name} challenges you` });
  await row("julia_aug").getByText("rating 1500, provisional", { exact: true }).waitFor();
  await row("Livia").getByText("drusilla · rating 1500, provisional").waitFor();
});
