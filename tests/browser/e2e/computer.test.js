// The computer as an opponent: a match in two clicks, its turns, hints, the computer against itself.

import assert from "node:assert/strict";
import { FAST } from "../support/browser.js";
import { Random, seeded } from "../support/random.js";
import { Stage } from "../support/stage.js";
import { Table } from "../support/table.js";
import { test } from "../support/test.js";

const stage = new Stage({ alone: true });

/** Small pages render fast. */
const SMALL = { viewport: { width: 420, height: 640 } };

/** How long the computer may think on a busy machine. */
const THINKS_MS = 90_000;

/** Starts a match from home in two clicks. @param {import("../support/browser.js").Person} who @param {string} game @param {RegExp} level */
async function twoClicks(who, game, level) {
  await who.goto("/");
  await who.page.getByRole("button", { name: `Play the computer at ${game}` }).click();
  await who.page.getByRole("button", { name: level }).click();
  await who.page.waitForURL(/\/match\//);
  return new Table(who.page).ready();
}

/** A match against the computer, without a page. @param {string} game @param {number} level @param {object} [terms] */
async function against(game, level, terms = {}) {
  const guest = await stage.guest("Agathias");
  const side = game === "tablut" ? "attackers" : "white";
  const body = { game, side, opponent: { computer: level }, ...terms };
  const { match } = await stage.server.ask("POST", "/matches", body, guest.token);
  return { id: match.id, guest };
}

/** How long the computer may analyse a game on a busy machine. */
const LOOKS_BACK_MS = 120_000;

/** Plays until the match has ended. @param {Table} table @param {Random} random */
async function playToTheEnd(table, random) {
  for (;;) {
    const moves = await table.moves();
    if (!moves) return;
    const off = moves.filter(({ to }) => to.startsWith("off"));
    await table.move(random.pick(off.length > 0 ? off : moves));
  }
}

test("a game against the computer starts in two clicks, is played to its end, and played again", (t) => seeded(async () => {
  const person = await stage.person(t, { preferences: FAST, context: SMALL });
  const table = await twoClicks(person, "Tavla", /^Beginner/);
  const { id } = table;
  const { players } = await stage.snapshot(id);
  assert.deepEqual([players[1].kind, players[2].kind, players[2].level], ["person", "computer", 1]);
  await person.page.locator("lusoria-player").getByText("Computer (Beginner)").waitFor();
  assert.equal(await person.page.getByText("offline").count(), 0);
  await playToTheEnd(table, new Random());
  await person.page.locator(".result").waitFor();
  assert.equal((await stage.snapshot(id)).state, "ended");
  await person.page.getByRole("button", { name: "Look at the board" }).click();
  await looksBack(person.page);
  await person.page.getByRole("button", { name: "Result" }).click();
  const next = person.page.getByRole("button", { name: "Play again" });
  await next.waitFor();
  assert.equal(await person.page.getByText(/rematch/i).count(), 0, "the computer is not asked whether it wants to");
  await next.click();
  await person.page.waitForURL((url) => url.pathname.startsWith("/match/") && !url.pathname.includes(id));
  await table.ready();
  const again = Object.values((await stage.snapshot(table.id)).players);
  assert.deepEqual(again.map(({ level }) => level).filter(Boolean), [1]);
}));

test("after a game the next one can be against a stronger or a weaker level", async (t) => {
  const { id, guest } = await against("tablut", 2);
  await stage.server.ask("POST", `/matches/${id}/turn`, {
    seq: (await stage.snapshot(id)).to_play.seq, steps: [{ from: "d1", to: "c1" }],
  }, guest.token);
  const { page, table } = await stage.at(t, id, { guest, preferences: FAST });
  await turnOf(table, true);
  await stage.server.ask("POST", `/matches/${id}/resign`, {}, guest.token);
  const card = page.locator(".ending");
  await card.getByRole("heading", { name: "You have lost." }).waitFor();
  const levels = card.getByRole("button", { name: /^Play (?!again)/ });
  assert.equal(await levels.count(), 2, "one level stronger, and one weaker");
  await levels.last().click();
  await page.waitForURL((url) => url.pathname.startsWith("/match/") && !url.pathname.includes(id));
  await table.ready();
  const { players, sides } = await stage.snapshot(table.id);
  const [own] = Object.keys(players).filter((seat) => players[seat].id === guest.id);
  assert.equal(players[3 - Number(own)].level, 3);
  assert.equal(sides[own], "attackers");
});

/** Opens the computer's analysis of a finished match. @param {import("playwright-core").Page} page */
async function looksBack(page) {
  await page.locator(".bar").getByRole("button", { name: "Analysis" }).click();
  const sheet = page.locator("dialog.sheet");
  await sheet.getByRole("img", { name: /winning chances after each of/ }).waitFor({ timeout: LOOKS_BACK_MS });
  await sheet.locator("progress").waitFor({ state: "detached", timeout: LOOKS_BACK_MS });
  const slider = sheet.getByRole("slider", { name: "Turn of the game" });
  for (const [key, turn] of [["Home", 1], ["ArrowRight", 2], ["ArrowRight", 3], ["ArrowLeft", 2]]) {
    await slider.press(key);
    assert.match((await slider.getAttribute("aria-valuetext")) ?? "", new RegExp(`^Turn ${turn} of \\d+: \\d+%$`));
  }
  await sheet.getByRole("list", { name: "Costliest mistakes" }).getByRole("button").first().click();
  await page.locator(".told .hint").getByText(/Played .*: wins \d+%\. Better .*: \d+%/).waitFor();
  assert.ok((await page.locator("lusoria-board .high .arrow").count()) > 0);
  await page.getByRole("button", { name: "Back to the end" }).click();
}

test("the last level is marked, and no level looks chosen", async (t) => {
  const { page, goto } = await stage.visitor(t);
  await goto("/#tablut");
  await page.getByRole("button", { name: /^Against the computer/ }).click();
  await page.getByRole("button", { name: /^Advanced/ }).click();
  await page.waitForURL(/\/match\//);
  await goto("/");
  await page.getByRole("button", { name: "Play the computer at Zeno’s Tavli" }).click();
  const last = page.getByRole("button", { name: /last played/ });
  await last.waitFor();
  assert.match(await last.textContent(), /Advanced/);
  await page.waitForFunction(() => {
    let active = document.activeElement;
    while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
    return active?.textContent === "Choose a level to start";
  });
});

test("the computer's turn is shown step by step, and a tap shows the present", async (t) => {
  const { id, guest } = await against("tabula", 1);
  const { page, table } = await stage.at(t, id, { guest, preferences: { ...FAST, forced: "tap", pace: "slow" } });
  await page.evaluate(() => {
    const { pace } = document.querySelector("lusoria-match");
    window.seen = [];
    pace.addEventListener("step", () => window.seen.push([pace.now.built.steps.length, pace.now.moment.toPlay.seq]));
  });
  await playTurn(table);
  await page.waitForFunction(() => window.seen.length > 0);
  const { moment, turn } = await page.evaluate(() => {
    const { live, turn } = document.querySelector("lusoria-match");
    return { moment: { seq: live.moment.seq, seat: live.moment.toPlay.seat }, turn: turn.seq };
  });
  assert.equal(moment.seat, 1, "the person has the turn already");
  assert.equal(turn, moment.seq);
  assert.equal(await page.locator("lusoria-board .high .can").count(), 0, "but nothing can be moved yet");
  await table.tap((await table.page.locator("lusoria-board .places rect").first().getAttribute("data-place")) ?? "");
  assert.equal(await page.evaluate(() => document.querySelector("lusoria-match").pace.isBehind), false);
  const snapshot = await stage.snapshot(id);
  await page.waitForFunction((position) => {
    const board = document.querySelector("lusoria-match").renderRoot.querySelector("lusoria-board");
    return JSON.stringify(board.position) === position;
  }, JSON.stringify(snapshot.position));
});

/** Plays the first legal moves until a turn has been sent. @param {Table} table */
async function playTurn(table) {
  const before = await table.page.evaluate(() => document.querySelector("lusoria-match").turn.seq);
  for (;;) {
    const [first] = (await table.moves()) ?? [];
    await table.move(first);
    await table.page.waitForFunction((asked) => {
      const { live, turn } = document.querySelector("lusoria-match");
      return turn.seq === undefined || live.moment.toPlay?.seat !== 1 || (turn.asked !== asked && turn.legal && !turn.sending);
    }, table.asked);
    if ((await table.page.evaluate(() => document.querySelector("lusoria-match").turn.seq)) !== before) return;
  }
}

test("a hint is shown as arrows and in words, and played", async (t) => {
  const { id, guest } = await against("tavla", 2);
  const { page, table } = await stage.at(t, id, { guest, preferences: { ...FAST, confirming: "ask", forced: "tap" } });
  await table.moves();
  await table.button("Hint").click();
  await page.locator(".advice").getByText(/^Best: .* – wins \d+%/).waitFor({ timeout: THINKS_MS });
  assert.ok((await page.locator("lusoria-board .high .arrow").count()) > 0);
  await page.keyboard.press("h");
  await page.locator(".advice").getByText(/^2 of \d: /).waitFor();
  await table.button("Previous hint").click();
  const { seq, steps } = await page.evaluate(() => {
    const { hints, turn } = document.querySelector("lusoria-match");
    return { seq: turn.seq, steps: hints.shown.steps };
  });
  await table.button("Play it").click();
  await table.built(steps.length);
  assert.deepEqual(await table.steps(), steps);
  assert.equal(await page.locator("lusoria-board .high .arrow").count(), 0);
  await table.button("Confirm").click();
  await page.waitForFunction((answered) => document.querySelector("lusoria-match").live.moment.seq > answered, seq);
});

test("there are no hints between people", async (t) => {
  const { id, guests: [guest] } = await stage.match("tabula");
  const { page, goto } = await stage.visitor(t, { guest, preferences: { ...FAST, forced: "tap" } });
  const asked = [];
  const pathOf = (/** @type {{payload: string | Buffer}} */ { payload }) => JSON.parse(String(payload)).path ?? "";
  page.on("websocket", (line) => line.on("framesent", (frame) => asked.push(pathOf(frame))));
  await goto(`/match/${id}`);
  const table = await new Table(page).ready();
  const [first] = await table.moves();
  assert.equal(await table.button("Hint").count(), 0);
  await page.keyboard.press("h");
  // Requests sent afterwards get their responses afterwards.
  await table.move(first);
  await table.moves();
  assert.equal(await page.locator(".advice").count(), 0);
  assert.ok(asked.filter((path) => path.endsWith("/legal")).length > 1, asked.join());
  assert.equal(asked.some((path) => path.endsWith("/hint")), false, asked.join());
});

test("the computer plays itself, and the person who started it can abort the match", async (t) => {
  const { page, goto } = await stage.visitor(t, { preferences: FAST });
  await goto("/");
  await page.getByRole("button", { name: "Play the computer at Tablut" }).click();
  await page.getByText("Watch the computer play itself").click();
  await page.getByRole("combobox", { name: "Attackers" }).selectOption("Casual");
  await page.getByRole("combobox", { name: "Defenders" }).selectOption("Beginner");
  await page.getByRole("button", { name: "Watch", exact: true }).click();
  await page.waitForURL(/\/match\//);
  const table = await new Table(page).ready();
  const { players, sides } = await stage.snapshot(table.id);
  const levels = Object.fromEntries([1, 2].map((seat) => [sides[seat], players[seat].level]));
  assert.deepEqual(levels, { attackers: 2, defenders: 1 });
  await table.reached(5);
  const aside = page.getByRole("complementary");
  await aside.getByRole("button", { name: "Abort game" }).click();
  await page.getByRole("dialog", { name: "Abort game" }).waitFor();
  await aside.locator("lusoria-dialog").getByRole("button", { name: "Abort game" }).click();
  await page.locator(".result").waitFor();
});

/** The person's turn, once it is theirs and the takeback is allowed or not. @param {Table} table @param {boolean} mayTakeBack */
const turnOf = async ({ page }, mayTakeBack) => {
  const found = await page.waitForFunction((may) => {
    const { live, turn } = document.querySelector("lusoria-match") ?? {};
    if (!turn?.legal || turn.sending || (live.moment.played !== undefined) !== may) return undefined;
    const { moment } = live;
    return { seq: turn.seq, dice: moment.toPlay.dice, position: moment.position, takebacks: moment.takebacks };
  }, mayTakeBack, { timeout: THINKS_MS });
  return found.jsonValue();
};

test("a turn is taken back: confirmed once, given again with the same dice, and marked in the list", async (t) => {
  const { id, guest } = await against("zeno", 1);
  const { person, page, table } = await stage.at(t, id, { guest, preferences: { ...FAST, forced: "tap" } });
  const side = page.locator("aside");
  const back = side.getByRole("button", { name: "Take back" });
  const first = await turnOf(table, false);
  assert.equal(await back.isDisabled(), true, "it has its place before there is anything to take back");
  const place = await back.boundingBox();
  await playTurn(table);
  await turnOf(table, true);
  assert.equal(await back.isEnabled(), true);
  assert.deepEqual(await back.boundingBox(), place);

  await back.click();
  await page.getByRole("dialog", { name: "Take back" }).waitFor();
  const dialog = side.locator("lusoria-dialog");
  await dialog.getByText(/marked “with takebacks”/).waitFor();
  await dialog.getByRole("button", { name: "Take back" }).click();
  const again = await turnOf(table, false);
  assert.deepEqual([again.dice, again.position, again.takebacks], [first.dice, first.position, 1]);
  assert.ok(again.seq > first.seq);
  await page.locator("header").getByText("with takebacks").first().waitFor();
  await side.getByRole("listitem").getByText("(taken back)").first().waitFor({ state: "attached" });
  assert.equal(await side.locator("lusoria-turns [aria-current]").count(), 0, "no turn counts");
  assert.equal(await back.isDisabled(), true);
  assert.equal((await stage.snapshot(id)).takebacks, 1);

  // From now on one key is enough, and watchers who arrive later see the same.
  await playTurn(table);
  await turnOf(table, true);
  await page.keyboard.press("b");
  assert.equal((await turnOf(table, false)).takebacks, 2);
  await person.goto("/");
  await page.locator("lusoria-card").getByText("with takebacks").first().waitFor();
  await person.goto(`/match/${id}`);
  await table.ready();
  assert.deepEqual((await turnOf(table, false)).position, first.position);
});
