// Bad connections: lost, slow, cut in the middle of a response; a server that goes down and comes back.

import assert from "node:assert/strict";
import { FAST } from "../support/browser.js";
import { Stage } from "../support/stage.js";
import { Table } from "../support/table.js";
import { test } from "../support/test.js";

const stage = new Stage({ alone: true });

/** The browser's own messages for a lost connection. */
const BROKEN = [/WebSocket connection to .* failed/, /net::ERR_/,
  // The service worker is loaded when the page is idle: the server may be down by then.
  /An unknown error occurred when fetching the script/];

const PLAYED = [{ from: "d1", to: "c1" }];
const MOVE = { ...PLAYED[0], dice: [] };

/** Waits until the page reports a lost connection. @param {import("playwright-core").Page} page */
const isTold = (page) => page.locator("lusoria-line .pill.waiting").waitFor();

/** Waits until the page no longer reports the connection. @param {import("playwright-core").Page} page */
const isGood = (page) => page.locator("lusoria-line .pill").waitFor({ state: "detached" });

/** The turns of a match. @param {any[]} events */
const turns = (events) => events.filter(({ type }) => type === "turned");

test("a game survives a server that is killed and restarted", async (t) => {
  const { id, guests } = await stage.match("tablut");
  const all = await Promise.all([guests[0], guests[1], null].map((guest) =>
    stage.at(t, id, { guest, preferences: FAST })));
  const [one, two] = all;
  for (const { person } of all) person.expecting.push(...BROKEN);
  await one.table.moves();
  await one.table.move(MOVE);
  for (const { table } of all) await table.reached(4);
  // Legal moves come from the server: they are loaded before it goes down.
  await two.table.moves();

  await stage.killed(t);
  for (const { page } of all) await isTold(page);
  // Steps in the meantime are kept, and sent when the connection is back.
  await two.table.tap("e3");
  await two.table.tap("d3");
  assert.deepEqual(await two.table.steps(), [{ from: "e3", to: "d3" }]);

  await stage.server.again();
  for (const { page, table } of all) {
    await isGood(page);
    await table.page.waitForFunction(() => document.querySelector("lusoria-match").live.moment.last?.notation === "e3-d3");
  }
  const events = await stage.events(id);
  assert.deepEqual(turns(events).map(({ steps }) => steps[0]), [PLAYED[0], { from: "e3", to: "d3" }]);
  const snapshot = await stage.snapshot(id);
  for (const { table } of all) {
    const folded = await table.folded();
    assert.equal(folded.seq, snapshot.head);
    assert.deepEqual(folded.position, snapshot.position);
  }
  assert.deepEqual(events.map(({ seq }) => seq), events.map((_, nth) => nth + 1));
});

test("a turn whose response is lost is sent again, and played once", async (t) => {
  const { id, guests } = await stage.match("tablut");
  const person = await stage.person(t, { guest: guests[0], preferences: FAST });
  const { page } = person;
  /** @type {string[]} */
  const sent = [];
  await page.routeWebSocket(/\/api\/v1\/socket$/, (line) => {
    const server = line.connectToServer();
    let asked = 0;
    line.onMessage((message) => {
      const { id: number, op } = JSON.parse(String(message));
      if (op === "turn") sent.push(String(message));
      // Of the first turn, neither the response nor the event arrives.
      if (op === "turn" && sent.length === 1) asked = number;
      server.send(message);
    });
    server.onMessage((message) => {
      if (asked && sent.length === 1) {
        if (JSON.parse(String(message)).re === asked) line.close({ code: 1001 });
        return;
      }
      line.send(message);
    });
  });
  await person.goto(`/match/${id}`);
  const table = await new Table(page).ready();
  await table.moves();
  await table.move(MOVE);
  await table.reached(4);
  await isGood(page);
  const events = turns(await stage.events(id));
  assert.deepEqual(events.map(({ steps }) => steps), [PLAYED]);
  assert.equal((await table.folded()).seq, 4);
});

test("a phone without a network shows it, reconnects by itself, and its turn arrives once", async (t) => {
  const { id, guests } = await stage.match("tablut");
  const { person, page, table } = await stage.at(t, id, { guest: guests[0], preferences: FAST });
  person.expecting.push(...BROKEN);
  await table.moves();
  await person.context.setOffline(true);
  await isTold(page);
  await table.move(MOVE);
  assert.deepEqual(await table.steps(), PLAYED);
  assert.deepEqual(turns(await stage.events(id)), []);
  await person.context.setOffline(false);
  await table.reached(4);
  await isGood(page);
  assert.deepEqual(turns(await stage.events(id)).map(({ steps }) => steps), [PLAYED]);
});

test("a turn that was not sent completely is sent after a reload", async (t) => {
  const { id, guests } = await stage.match("tablut");
  const { person, page, table } = await stage.at(t, id, { guest: guests[0], preferences: FAST });
  person.expecting.push(...BROKEN);
  await table.moves();
  await stage.killed(t);
  await isTold(page);
  await table.move(MOVE);
  assert.deepEqual(await table.steps(), PLAYED);
  await stage.server.again();
  await page.reload();
  await table.ready();
  await table.reached(4);
  assert.deepEqual(turns(await stage.events(id)).map(({ steps }) => steps), [PLAYED]);
});
