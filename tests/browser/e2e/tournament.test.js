// Tournaments: organised, entered, played and watched on the page.

import assert from "node:assert/strict";
import { judgeBothThemes, fitsNarrowest } from "../support/axe.js";
import { Stage } from "../support/stage.js";
import { Table } from "../support/table.js";
import { test } from "../support/test.js";

/** @typedef {Awaited<ReturnType<Stage["account"]>>} Account */
/** @typedef {import("playwright-core").Page} Page */

const MINUTE_MS = 60_000;

/** @type {Account[]} */
let players;

const stage = new Stage({
  prepare: async () => {
    players = await Promise.all(["Agathias", "Zeno", "Theodora", "Hypatia"].map((name) => stage.account(name, name)));
  },
});

/** Announces a tournament. @param {object} more @param {Account} organiser @returns {Promise<any>} */
const announced = (more, organiser = players[0]) =>
  stage.server.ask("POST", "/tournaments", {
    name: "Evening of Tavla",
    format: { kind: "swiss" },
    game: "tavla",
    clock: { kind: "fischer", base_ms: 300_000, increment_ms: 5_000 },
    begins_at: Date.now() + 10 * MINUTE_MS,
    ...more,
  }, organiser.token);

/** @param {string} id @param {object} command @param {Account} who */
const enters = (id, command, who) => stage.server.ask("POST", `/tournaments/${id}/entry`, command, who.token);

/** @param {string} id @param {object} command @param {Account} who */
const directs = (id, command, who = players[0]) => stage.server.ask("POST", `/tournaments/${id}/direction`, command, who.token);

/** A line of the standings. @param {Page} page @param {string} name */
const place = (page, name) => page.locator("lusoria-tournament-standings").getByRole("row", { name });

test("an arena is organised by a preset, two enter, meet, and the standings move", async (t) => {
  const [one, two] = [await stage.visitor(t, { guest: players[0] }), await stage.visitor(t, { guest: players[1] })];
  await one.goto("/tournaments");
  await one.page.getByRole("link", { name: "An hour’s arena" }).click();
  await one.page.getByRole("textbox", { name: "Name" }).fill("Arena of the baths");
  await one.page.getByRole("button", { name: "Create the tournament" }).click();
  await one.page.getByRole("heading", { name: "Arena of the baths", level: 1 }).waitFor();
  const id = new URL(one.page.url()).pathname.split("/")[2];

  await two.goto("/tournaments");
  await two.page.getByRole("link", { name: "Arena of the baths" }).click();
  for (const { page } of [one, two]) await page.getByRole("button", { name: "Enter", exact: true }).click();
  await place(one.page, "Zeno").waitFor();
  await one.page.getByRole("button", { name: "Start now" }).click();

  // Both are called to the same board.
  for (const { page } of [one, two]) await page.getByRole("link", { name: "To your board" }).click();
  const [table] = await Promise.all([one, two].map(({ page }) => new Table(page).ready()));
  assert.equal(new URL(one.page.url()).pathname, new URL(two.page.url()).pathname);
  await one.page.getByRole("link", { name: "Arena of the baths" }).first().waitFor();
  await stage.server.ask("POST", `/matches/${table.id}/resign`, { scope: "match" }, players[0].token);
  await one.page.getByRole("link", { name: /Back to the tournament|To your board/ }).first().waitFor();

  await one.goto(`/tournament/${id}`);
  await place(one.page, "1 Zeno").getByRole("cell", { name: "2", exact: true }).first().waitFor();
  await one.page.locator("lusoria-tournament-rounds").getByRole("link", { name: /(Agathias.*Zeno|Zeno.*Agathias): (2–0|0–2)/ }).waitFor();
  await one.page.getByRole("button", { name: "End the tournament" }).click();
  await one.page.getByRole("textbox", { name: "Reason" }).fill("The baths close");
  await one.page.getByRole("button", { name: "Confirm" }).click();
  await two.goto(`/tournament/${id}`);
  await two.page.getByText("The organiser has ended it. The baths close").waitFor();
});

test("a page that is seen checks in by itself, and calls to the board; those who withdraw are asked first", async (t) => {
  const { id } = await announced({ format: { kind: "knockout" } });
  for (const who of players) await enters(id, { command: "enter" }, who);
  for (const who of players.slice(2)) await enters(id, { command: "here" }, who);
  const first = await stage.visitor(t, { guest: players[0] });
  await first.goto(`/tournament/${id}`);
  await first.page.getByText("You are checked in").waitFor();

  const second = await stage.visitor(t, { guest: players[1] });
  await second.goto(`/tournament/${id}`);
  await second.page.getByText("You are checked in").waitFor();
  await directs(id, { command: "start" });
  for (const { page } of [first, second]) await page.getByRole("link", { name: "To your board" }).waitFor();
  await first.page.getByRole("list", { name: "Main bracket" }).getByRole("listitem").nth(2).waitFor();

  // On another page of the same browser a banner calls.
  await second.goto("/leaderboards");
  await second.page.getByRole("alert").getByRole("link", { name: "To your board" }).waitFor();

  await first.page.getByRole("button", { name: "Withdraw" }).click();
  await first.page.getByText("Your running match is resigned for you.").waitFor();
  await first.page.locator("lusoria-tournament-you button.danger").click();
  await first.page.getByText("You have withdrawn.").waitFor();
  // The match was resigned.
  await first.page.getByRole("link", { name: /1–0|0–1/ }).first().waitFor();
});

test("a tournament is organised and entered with the keyboard alone", async (t) => {
  const { page, goto } = await stage.visitor(t, { guest: players[2] });
  await goto("/tournaments/new?preset=cup");
  await page.getByRole("textbox", { name: "Name" }).waitFor();
  const press = (/** @type {string} */ key) => page.keyboard.press(key);
  const named = () => page.evaluate(() => {
    let active = document.activeElement;
    while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
    return active?.getAttribute("name") ?? active?.textContent?.trim() ?? "";
  });
  /** Moves the focus to a control. @param {string} name */
  const tabTo = async (name) => {
    for (let times = 0; times < 60; times += 1) {
      if ((await named()).startsWith(name)) return;
      await press("Tab");
    }
    assert.fail(`no way to ${name}`);
  };
  await tabTo("name");
  await press("ControlOrMeta+a");
  await press("Delete");
  await tabTo("Create the tournament");
  await press("Enter");
  // An empty name is refused beside its field, which gets the focus.
  await page.getByText("This is needed.").waitFor();
  assert.equal(await named(), "name");
  await page.keyboard.type("Cup of letters");
  await press("Enter");
  await page.getByRole("heading", { name: "Cup of letters", level: 1 }).waitFor();
  await page.getByRole("button", { name: "Enter", exact: true }).waitFor();
  await tabTo("Enter");
  await press("Enter");
  await page.getByText("You have entered.").waitFor();
});

test("each preset makes a tournament without another choice", async (t) => {
  const { page, goto } = await stage.visitor(t, { guest: players[1] });
  for (const [preset, name] of [["evening", "Arena of Tavla"], ["club", "Swiss of Tavla"], ["cup", "Cup of Tavla"], ["letters", "Round robin of Tavla"]]) {
    await goto(`/tournaments/new?preset=${preset}`);
    await page.getByRole("button", { name: "Create the tournament" }).click();
    await page.getByRole("heading", { name, level: 1 }).waitFor();
    await page.getByRole("button", { name: "Enter", exact: true }).waitFor();
  }
});

test("an unknown tournament is said to be unknown, with a way to all", async (t) => {
  const { person, page, goto } = await stage.visitor(t);
  person.expecting.push(/status of 404/);
  for (const [path, shown] of [["", "heading"], ["/wall", "status"]]) {
    await goto(`/tournament/01a226fd-a308-7256-96be-103c3145806f${path}`);
    await page.getByRole(/** @type {any} */ (shown)).getByText("There is no such tournament").waitFor();
    await page.getByRole("link", { name: "All tournaments" }).click();
    await page.getByRole("heading", { name: "Tournaments", level: 1 }).waitFor();
  }
});

test("a form tells what the server refuses beside its field, and a code opens the entry", async (t) => {
  const { person, page, goto } = await stage.visitor(t, { guest: players[3] });
  person.expecting.push(/status of 404/);
  await goto("/tournaments/new?preset=club");
  await page.locator("summary", { hasText: "Who may enter" }).click();
  const list = page.getByRole("textbox", { name: "Only these players" });
  await list.fill("Agathias, nobody_here");
  await page.getByRole("textbox", { name: "Code" }).fill("amphora");
  await page.getByRole("button", { name: "Create the tournament" }).click();
  await page.getByText("Nobody has one of these handles.").waitFor();
  await list.fill("");
  await page.getByRole("button", { name: "Create the tournament" }).click();
  await page.getByRole("textbox", { name: "Code of the organiser" }).waitFor();
  const id = new URL(page.url()).pathname.split("/")[2];
  await assert.rejects(enters(id, { command: "enter" }, players[3]), /wrong_code/);
  await page.getByRole("textbox", { name: "Code of the organiser" }).fill("amphora");
  await page.getByRole("button", { name: "Enter", exact: true }).click();
  await page.getByText("You have entered.").waitFor();
});

test("a French phone shows everything without scrolling sideways, and axe finds nothing", async (t) => {
  const { id } = await announced({ name: "Coupe des thermes et de la bibliothèque d’Alexandrie", format: { kind: "round_robin", ends_at: Date.now() + 90 * MINUTE_MS } });
  for (const who of players) await enters(id, { command: "enter" }, who);
  await directs(id, { command: "start" });
  const cup = await announced({ format: { kind: "knockout" } });
  for (const who of players) for (const command of ["enter", "here"]) await enters(cup.id, { command }, who);
  await directs(cup.id, { command: "start" });
  const context = { viewport: { width: 390, height: 844 }, locale: "fr-FR" };
  for (const [path, shown] of [
    [`/tournament/${id}`, "lusoria-tournament-cross table"],
    [`/tournament/${cup.id}`, "lusoria-tournament-bracket svg a"],
    [`/tournament/${id}/wall`, "lusoria-tournament-cross table"],
    ["/tournaments", "lusoria-tournament-card"],
    ["/tournaments/new", "lusoria-tournament-form textarea"],
    ["/tournaments/rules", "main.text h2"],
  ]) {
    const { page, goto } = await stage.visitor(t, { guest: players[0], context });
    await goto(path);
    await page.locator(shown).first().waitFor({ state: "attached" });
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390, path);
    await judgeBothThemes(page, path);
    await fitsNarrowest(page, path);
  }
});

test("a wall and a frame follow by themselves, and know nobody", async (t) => {
  const { id } = await announced({ format: { kind: "arena", lasts_ms: 30 * MINUTE_MS }, name: "Wall" });
  const wall = await stage.visitor(t, { guest: players[0] });
  await wall.goto(`/tournament/${id}/wall`);
  await wall.page.getByText("Nobody has entered yet.").waitFor();
  await enters(id, { command: "enter" }, players[1]);
  await place(wall.page, "Zeno").waitFor();
  assert.equal(await wall.page.getByRole("button").count(), 0);
  const frame = await stage.visitor(t);
  await frame.goto(`/embed/tournament/${id}?theme=dark`);
  await place(frame.page, "Zeno").waitFor();
  assert.equal(await frame.page.getByRole("link").count(), 1);
});

test("the address of a listed tournament previews its name, that of an unlisted one does not", async () => {
  for (const [listed, title] of [[true, "Symposium – Lusoria"], [false, "A tournament – Lusoria"]]) {
    const { id } = await announced({ name: "Symposium", listed });
    const document = await (await fetch(`${stage.server.address}/tournament/${id}`)).text();
    assert.ok(document.includes(`<title>${title}</title>`), document.slice(0, 500));
    assert.equal(document.includes('name="robots" content="noindex"'), !listed);
  }
});
