// Actions besides and after playing: resignation, draw, rematch, replay, the record, the dice.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { FAST } from "../support/browser.js";
import { Stage } from "../support/stage.js";
import { test } from "../support/test.js";

const stage = new Stage();

/** Both players at their match. @param {import("node:test").TestContext} t @param {string} game @param {number} turns already played */
async function two(t, game, turns, terms = {}) {
  const { id, guests } = await stage.match(game, terms);
  for (let turn = 0; turn < turns; turn += 1) await stage.playOne(id, guests);
  const seats = await Promise.all(guests.map((guest) => stage.at(t, id, { guest, preferences: FAST })));
  return { id, guests, seats };
}

/** The question before an action. @param {import("playwright-core").Page} page @param {string} name @param {import("playwright-core").Locator} [where] */
async function asked(page, name, where = beside(page)) {
  await page.getByRole("dialog", { name }).waitFor();
  return where.locator("lusoria-dialog");
}

/** The part beside the board. @param {import("playwright-core").Page} page */
const beside = (page) => page.getByRole("complementary");

/** The focused element of the match. @param {import("playwright-core").Page} page */
const focused = (page) =>
  page.evaluate(() => {
    let at = document.activeElement;
    while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
    return at?.matches(".places rect") ? "a place" : at?.textContent?.trim();
  });

/** A match that has ended, without a page. @param {string} game @param {number} turns */
async function ended(game, turns) {
  const { id, guests } = await stage.match(game);
  for (let turn = 0; turn < turns; turn += 1) await stage.playOne(id, guests);
  await stage.server.ask("POST", `/matches/${id}/resign`, {}, guests[0].token);
  return { id, guests };
}

test("resigning says what it costs: two points in tavla, while nothing is borne off", async (t) => {
  const { id, seats: [one, other] } = await two(t, "tavla", 4, { points: 3 });
  await beside(one.page).getByRole("button", { name: "Resign the game" }).click();
  const question = await asked(one.page, "Resign the game");
  await question.getByText("Zeno gets 2 points, because you have not borne off any piece yet").waitFor();
  await question.getByRole("button", { name: "Resign the game" }).click();
  await other.page.waitForFunction(() => document.querySelector("lusoria-match").live.moment.gameNumber === 2);
  assert.deepEqual((await stage.snapshot(id)).score, { 1: 0, 2: 2 });
});

test("resigning can be cancelled", async (t) => {
  const { id, seats: [one] } = await two(t, "tablut", 2);
  await beside(one.page).getByRole("button", { name: "Resign the game" }).click();
  const question = await asked(one.page, "Resign the game");
  await question.getByText("Zeno gets 1 point.").waitFor();
  await question.getByRole("button", { name: "Back", exact: true }).click();
  await one.page.getByRole("dialog").waitFor({ state: "hidden" });
  assert.equal((await stage.snapshot(id)).state, "playing");
});

test("a draw is offered and accepted, and a rematch leads both to the next match", async (t) => {
  const { id, seats } = await two(t, "tablut", 2);
  const [one, other] = seats;
  await beside(one.page).getByRole("button", { name: "Offer a draw" }).click();
  await (await asked(one.page, "Offer a draw")).getByRole("button", { name: "Offer a draw" }).click();
  const offered = other.page.locator(".told");
  await offered.getByRole("button", { name: "Accept the draw" }).click();
  await (await asked(other.page, "Accept the draw", offered)).getByRole("button", { name: "Accept the draw" }).click();
  for (const { page } of seats) await page.locator(".result").getByText("The match is drawn, 0–0.").waitFor();
  await other.page.getByRole("button", { name: "Rematch", exact: true }).click();
  await one.page.getByRole("button", { name: "Accept the rematch" }).click();
  for (const { page } of seats) await page.waitForURL((url) => url.pathname.startsWith("/match/") && !url.pathname.includes(id));
  assert.equal(one.page.url(), other.page.url());
  await Promise.all(seats.map(({ table }) => table.ready()));
  const next = await stage.snapshot(one.table.id);
  assert.equal(next.rematch_of, id);
});

test("on a phone an offer of a draw is answered where it is shown, and the answer is shown as one's own", async (t) => {
  const { id, guests } = await stage.match("tablut");
  for (let turn = 0; turn < 2; turn += 1) await stage.playOne(id, guests);
  const context = { viewport: { width: 360, height: 740 } };
  const { page } = await stage.at(t, id, { guest: guests[0], preferences: FAST, context });
  await stage.server.ask("POST", `/matches/${id}/draw`, { action: "offer" }, guests[1].token);
  const told = page.locator(".told");
  await told.getByText("Zeno offers a draw.").waitFor();
  await told.getByRole("button", { name: "Accept the draw" }).click({ trial: true });
  await told.getByRole("button", { name: "Decline" }).click();
  await told.getByText("You decline the draw.").waitFor();
  await told.getByRole("button").waitFor({ state: "detached" });
  await page.locator("lusoria-board .places rect:focus").waitFor({ state: "attached" });
});

test("an offer of a draw that was not accepted says so, and no button moves under the pointer", async (t) => {
  const { id, guests, seats: [one, other] } = await two(t, "tablut", 2);
  const resign = beside(one.page).getByRole("button", { name: "Resign the game" });
  const offer = beside(one.page).getByRole("button", { name: "Offer a draw" });
  const places = async () => [await offer.boundingBox(), await resign.boundingBox()];
  const before = await places();
  await offer.click();
  await (await asked(one.page, "Offer a draw")).getByRole("button", { name: "Offer a draw" }).click();
  await beside(one.page).getByText("Your offer of a draw is waiting for Zeno.").waitFor();
  const accept = other.page.locator(".told").getByRole("button", { name: "Accept the draw" });
  await accept.waitFor();
  assert.deepEqual(await places(), before, "while it waits");
  for (let turn = 0; turn < 2; turn += 1) await stage.playOne(id, guests);
  await one.page.locator(".told .word").getByText("Your offer of a draw was not accepted.").waitFor();
  await accept.waitFor({ state: "detached" });
  assert.deepEqual(await places(), before, "when it is over");
  assert.equal((await stage.snapshot(id)).state, "playing");
});

test("the end of a match leads to a rematch, another opponent and the analysis", async (t) => {
  const { seats: [one] } = await two(t, "tavla", 4);
  await beside(one.page).getByRole("button", { name: "Resign the game" }).click();
  await (await asked(one.page, "Resign the game")).getByRole("button", { name: "Resign the game" }).click();
  const card = one.page.locator(".ending");
  await card.getByRole("heading", { name: "You have lost." }).waitFor();
  await card.getByRole("button", { name: "Rematch", exact: true }).waitFor();
  await card.getByRole("button", { name: "Analysis" }).waitFor();
  await card.getByRole("link", { name: "New opponent" }).click();
  await one.page.waitForURL("**/#tavla");
  await one.page.getByRole("button", { name: /^Against anyone/ }).waitFor();
});

test("a player who still looks at the end of a game cannot resign the next one unseen", async (t) => {
  const { id, guests, seats: [one] } = await two(t, "tavla", 4, { points: 5 });
  const resign = beside(one.page).getByRole("button", { name: "Resign the game" });
  await resign.click();
  await asked(one.page, "Resign the game");
  await stage.server.ask("POST", `/matches/${id}/resign`, {}, guests[1].token);
  const card = one.page.locator(".ending");
  await card.getByRole("heading", { name: "You have won." }).waitFor();
  await one.page.getByRole("dialog").waitFor({ state: "hidden" });
  assert.ok(await resign.isDisabled());
  await beside(one.page).getByText("This game is over. Continue with the next one first.").waitFor();
  assert.ok(await beside(one.page).getByRole("button", { name: "Resign the whole match" }).isEnabled());
  await card.getByRole("button", { name: "Next game" }).click();
  await beside(one.page).locator("button:enabled").and(resign).waitFor();
  assert.deepEqual((await stage.snapshot(id)).score, { 1: 2, 2: 0 });
});

test("each player sees the end as theirs, can hide the card, and the next game waits for them", async (t) => {
  const { seats: [one, other] } = await two(t, "tavla", 4, { points: 5 });
  await beside(one.page).getByRole("button", { name: "Resign the game" }).click();
  await (await asked(one.page, "Resign the game")).getByRole("button", { name: "Resign the game" }).click();
  const card = (/** @type {import("playwright-core").Page} */ page) => page.locator(".ending");
  await card(one.page).getByRole("heading", { name: "You have lost." }).waitFor();
  await card(other.page).getByRole("heading", { name: "You have won." }).waitFor();
  await card(other.page).getByText("Agathias has resigned · 2 points").waitFor();
  await card(other.page).getByText("Agathias 0–2 Zeno, to 5 points").waitFor();
  const last = await other.table.shown();
  await other.page.waitForFunction(() => document.querySelector("lusoria-match").live.moment.gameNumber === 2);
  assert.deepEqual(await other.table.shown(), last, "the last position is still there");
  await card(other.page).getByRole("button", { name: "Look at the board" }).click();
  await card(other.page).waitFor({ state: "detached" });
  assert.equal(await focused(other.page), "Result");
  const bar = other.page.locator(".bar");
  await bar.getByRole("button", { name: "Result", expanded: false }).click();
  await card(other.page).getByRole("heading", { name: "You have won." }).waitFor();
  await other.page.keyboard.press("Escape");
  await card(other.page).waitFor({ state: "detached" });
  assert.equal(await focused(other.page), "Result");
  assert.deepEqual(await other.table.shown(), last, "put aside, it waits as well");
  await bar.getByRole("button", { name: "Next game" }).click();
  await bar.getByRole("button", { name: "Result" }).waitFor({ state: "detached" });
  assert.equal(await focused(other.page), "a place");
  assert.notDeepEqual(await other.table.shown(), last);
  // The other player has no deadline.
  await card(one.page).getByRole("button", { name: "Next game" }).click();
  await card(one.page).waitFor({ state: "detached" });
  assert.equal(await focused(one.page), "a place");
});

for (const [width, height] of [[360, 740], [320, 568], [740, 360], [820, 1180]]) {
  test(`the end covers nothing of the last position on ${width}×${height}, and hiding it shifts nothing`, async (t) => {
    const { id, guests } = await ended("tabula", 6);
    const { page } = await stage.at(t, id, { guest: guests[0], preferences: FAST, context: { viewport: { width, height } } });
    const card = page.locator(".ending");
    const board = page.locator("lusoria-board");
    const [over, under] = [await card.boundingBox(), await board.boundingBox()];
    assert.ok(over && under);
    const apart = over.y >= under.y + under.height || over.x >= under.x + under.width;
    assert.ok(apart, JSON.stringify([over, under]));
    assert.ok(over.x + over.width <= width && over.y + over.height <= height, JSON.stringify(over));
    for (const button of await card.locator("button:visible, a:visible").all()) {
      await button.scrollIntoViewIfNeeded();
      const { x = -1, width: wide = 0, y = -1, height: high = 0 } = (await button.boundingBox()) ?? {};
      assert.ok(x >= over.x && x + wide <= over.x + over.width + 1, `${await button.innerText()}: ${x} + ${wide}`);
      assert.ok(y >= over.y && y + high <= over.y + over.height + 1, `${await button.innerText()}: ${y} + ${high}`);
    }
    await card.getByRole("button", { name: "Look at the board" }).click();
    await page.locator(".bar").getByRole("button", { name: "Result" }).waitFor();
    assert.deepEqual(await board.boundingBox(), under);
  });
}

test("a match is replayed by steps, by jumps and from a link", async (t) => {
  const { id } = await ended("tabula", 6);
  const { page, table } = await stage.at(t, id);
  await page.getByRole("button", { name: "Replay" }).click();
  const events = await stage.events(id);
  const positions = new Map(events.filter(({ position }) => position).map(({ seq, position }) => [seq, position]));
  const started = events.find(({ type }) => type === "game_started");
  await shows(page, started.seq);
  assert.deepEqual(await table.shown(), positions.get(started.seq));
  // First the throw, then the turn.
  await page.getByRole("button", { name: "Forward", exact: true }).click();
  await page.getByRole("button", { name: "Forward", exact: true }).click();
  const [first, second] = events.filter(({ type }) => type === "turned");
  await shows(page, first.seq);
  assert.deepEqual(await table.shown(), positions.get(first.seq));
  await page.getByRole("button", { name: "Back", exact: true }).click();
  assert.deepEqual(await table.shown(), positions.get(started.seq));
  await beside(page).getByRole("button", { name: /^2\./ }).click();
  await shows(page, second.seq);
  assert.deepEqual(await table.shown(), positions.get(second.seq));
  await page.waitForURL((url) => url.searchParams.get("at") === String(second.seq));

  const guest = await stage.person(t);
  await guest.goto(`/match/${id}?at=${first.seq}`);
  await shows(guest.page, first.seq);
  await guest.page.getByRole("button", { name: "Back to the end" }).click();
  await guest.page.locator(".result").getByText("Zeno has won.").waitFor();
  await guest.page.waitForURL((url) => url.search === "");
  await page.getByRole("slider").press("End");
  await page.locator(".hint").getByText("Zeno wins (resignation): 1 point.").waitFor();
});

test("arrows, Home, End and the wheel over the board replay a match, and the position is announced", async (t) => {
  const { id } = await ended("tabula", 4);
  const { page, table } = await stage.at(t, id);
  const events = await stage.events(id);
  const stops = events.filter(({ type }) => ["game_started", "opening_thrown", "thrown", "turned", "passed", "game_ended"].includes(type));
  const seqs = stops.map(({ seq }) => seq);
  await page.keyboard.press("ArrowLeft");
  await shows(page, seqs.at(-2));
  await page.keyboard.press("Home");
  await shows(page, seqs[0]);
  await page.keyboard.press("ArrowRight");
  await shows(page, seqs[1]);
  const said = page.getByRole("status").filter({ hasText: /\d-\d-\d/ });
  await said.waitFor();
  await page.keyboard.press("End");
  await shows(page, seqs.at(-1));
  await page.waitForURL((url) => url.searchParams.get("at") === String(seqs.at(-1)));
  await page.keyboard.press("ArrowRight");
  await shows(page, undefined);
  await page.locator(".result").waitFor();

  // The mouse does not change the focus; on the board, arrow keys move between places.
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Home");
  const { x, y } = await table.at("off:white");
  await page.mouse.click(x, y);
  await page.mouse.wheel(0, 100);
  await shows(page, seqs[1]);
  await page.keyboard.press("ArrowRight");
  await shows(page, seqs[2]);
  await page.mouse.wheel(0, -100);
  await shows(page, seqs[1]);
  await page.locator("lusoria-board .places rect[tabindex='0']").focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowLeft");
  assert.equal(await page.evaluate(() => document.querySelector("lusoria-match").at), seqs[1]);
});

test("the wheel does not lead a player away from their turn, but arrow keys do", async (t) => {
  const { seats: [one, other] } = await two(t, "tablut", 3);
  const [waits] = await Promise.all([one, other].map(async ({ page, table }) => {
    const { x, y } = await table.at("e5");
    await page.mouse.move(x, y);
    await page.mouse.wheel(0, -100);
    return { page, table };
  }));
  const head = await waits.page.evaluate(() => document.querySelector("lusoria-match").live.moment.seq);
  await waits.page.keyboard.press("ArrowLeft");
  await shows(waits.page, head - 1);
  // In the replay, the wheel steps, too.
  await waits.page.mouse.wheel(0, 100);
  await shows(waits.page, undefined);
  assert.equal(await other.page.evaluate(() => document.querySelector("lusoria-match").at), undefined);
});

test("a match is played back automatically", async (t) => {
  const { id } = await ended("tablut", 3);
  const { page } = await stage.at(t, id);
  await page.getByRole("button", { name: "Replay" }).click();
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await page.locator(".hint").getByText("Zeno wins (resignation): 1 point.").waitFor();
});

test("the record is downloaded, and its dice are valid; those of a forged one are not", async (t) => {
  const { id } = await ended("tabula", 4);
  const { person, page } = await stage.at(t, id);
  await beside(page).getByRole("button", { name: "Share" }).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Download the record" }).click(),
  ]);
  await page.keyboard.press("Escape");
  assert.equal(download.suggestedFilename(), `lusoria-${id}.json`);
  const record = JSON.parse(await readFile(await download.path(), "utf8"));
  assert.deepEqual(record, await stage.server.ask("GET", `/matches/${id}/record`));

  await beside(page).getByRole("link", { name: "Check the dice" }).click();
  await page.getByText("The dice of this match are genuine.").waitFor();

  const forged = structuredClone(record);
  const [thrown] = forged.events.filter(({ type }) => type === "thrown");
  thrown.dice[0] = (thrown.dice[0] % 6) + 1;
  await person.goto("/dice");
  await page.locator("input[type=file]").setInputFiles(fileOf("forged.json", forged));
  await page.getByText("This record is not valid.").waitFor();
  await page.locator("input[type=file]").setInputFiles(fileOf("true.json", record));
  await page.getByText("The dice of this match are genuine.").waitFor();
});

test("in tablut the drawing of the sides is checked, if there was one, and dice are not mentioned", async (t) => {
  const { id, guests } = await stage.match("tablut", { side: "lot" });
  await stage.server.ask("POST", `/matches/${id}/resign`, {}, guests[0].token);
  const { page } = await stage.at(t, id);
  await beside(page).getByRole("link", { name: "Check the random sides" }).click();
  await page.getByRole("heading", { name: "The random sides, computed again" }).waitFor();
  await page.getByText("The random sides are genuine.").waitFor();
  for (const part of await page.locator("main details").all()) await part.evaluate((details) => (details.open = true));
  assert.doesNotMatch(await page.locator("main").innerText(), /\bdice\b|\bthrow/i);
});

test("a match of tablut with chosen sides has nothing to check", async (t) => {
  const { id } = await ended("tablut", 1);
  const { page } = await stage.at(t, id);
  await beside(page).getByRole("button", { name: "Share" }).waitFor();
  assert.equal(await page.getByText("Check the").count(), 0);
});

/** @param {string} name @param {unknown} content */
const fileOf = (name, content) => ({ name, mimeType: "application/json", buffer: Buffer.from(JSON.stringify(content)) });

/** Waits until the page shows the match after an event. @param {import("playwright-core").Page} page @param {number} seq */
const shows = (page, seq) =>
  page.waitForFunction((seq) => document.querySelector("lusoria-match")?.at === seq, seq);
