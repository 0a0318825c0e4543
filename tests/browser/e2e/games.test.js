// Every game, begun on the home page and played to its end by two people, before a third.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { FAST, Person, launch } from "../support/browser.js";
import { againstAnyone, byAddress, byLink, fromTheList } from "../support/home.js";
import { Random, SEED, seeded } from "../support/random.js";
import { Server } from "../support/server.js";
import { Table } from "../support/table.js";

/** @type {Server} */
let server;
/** @type {import("playwright-core").Browser} */
let browser;

before(async () => {
  server = await Server.start();
  browser = await launch();
});

after(async () => {
  await browser?.close();
  await server?.end();
});

/** Small pages are drawn fast. */
const person = (width = 420, height = 560) =>
  Person.at(browser, server.address, { preferences: FAST, context: { viewport: { width, height } } });

/** Plays until there is nothing more to play. @param {Table} table @param {Random} random */
async function play(table, random) {
  for (;;) {
    const moves = await table.moves();
    if (!moves) return;
    const off = moves.filter(({ to }) => to.startsWith("off"));
    await table.move(random.pick(off.length > 0 ? off : moves));
  }
}

/** Finds the match on the home page; by its address if it is by invitation. @param {Person} who @param {Table} table @param {string} game */
async function watch(who, { id }, game) {
  const { admission } = await server.ask("GET", `/matches/${id}`);
  if (admission === "invitation") await who.goto(`/match/${id}`);
  else {
    await who.goto("/");
    await who.page.getByRole("region", { name: "Live now" }).getByRole("link", { name: game }).click();
  }
  return new Table(who.page).ready();
}

/** What a snapshot and a moment of the page have in common. @param {any} state */
const told = ({ state, score, position, players, sides }) => ({
  state,
  score,
  position,
  sides,
  players: [players[1].id, players[2].id],
});

const WAYS = [
  ["Tabula", byAddress],
  ["Tavla", againstAnyone],
  ["Ludus XII scriptorum", fromTheList],
  ["Tablut", byLink],
  ["Zeno’s Tavli", byLink],
];

describe("to the end", { concurrency: 3 }, () => {
  for (const [nth, [game, join]] of WAYS.entries()) {
    test(game, () => seeded(async () => {
      const [one, two, three] = await Promise.all([person(), person(640, 360), person()]);
      const tables = await join(one, two, game);
      const watching = await watch(three, tables[0], game);
      await Promise.all(tables.map((table, seat) => play(table, new Random(SEED + 10 * nth + seat))));

      const snapshot = await server.ask("GET", `/matches/${tables[0].id}`);
      for (const table of [...tables, watching]) {
        await table.moves();
        const folded = await table.folded();
        assert.equal(folded.seq, snapshot.head);
        assert.deepEqual(told(folded), told(snapshot));
        if (snapshot.tafl) {
          const { sinceCapture, repetitions } = folded.tafl;
          assert.deepEqual({ moves_since_capture: sinceCapture, repetitions }, snapshot.tafl);
        }
      }
      for (const who of [one, two, three]) await who.leave();
    }));
  }
});
