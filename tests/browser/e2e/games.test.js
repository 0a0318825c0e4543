// Every game, started on the home page and played to its end by two people.

import assert from "node:assert/strict";
import { FAST } from "../support/browser.js";
import { againstAnyone, byAddress, byLink, fromTheList } from "../support/home.js";
import { Random, SEED, seeded } from "../support/random.js";
import { Stage } from "../support/stage.js";
import { Table } from "../support/table.js";
import { test } from "../support/test.js";

const stage = new Stage({ alone: true });

/** Small pages render fast. @param {import("node:test").TestContext} t */
const person = (t, width = 420, height = 560) =>
  stage.person(t, { preferences: FAST, context: { viewport: { width, height } } });

/** Plays until the match ends. @param {Table} table @param {Random} random */
async function play(table, random) {
  for (;;) {
    const moves = await table.moves();
    if (!moves) return;
    const off = moves.filter(({ to }) => to.startsWith("off"));
    await table.move(random.pick(off.length > 0 ? off : moves));
  }
}

/** Opens the match from the home page; by its address if it is by invitation. @param {import("../support/browser.js").Person} who @param {Table} table @param {string} game */
async function watch(who, { id }, game) {
  const { admission } = await stage.server.ask("GET", `/matches/${id}`);
  if (admission === "invitation") await who.goto(`/match/${id}`);
  else {
    await who.goto("/");
    await who.page.getByRole("region", { name: "Live now" }).getByRole("link", { name: game }).click();
  }
  return new Table(who.page).ready();
}

/** The fields that a snapshot and a moment of the page share. @param {any} state */
const told = ({ state, score, position, players, sides }) => ({
  state,
  score,
  position,
  sides,
  players: [players[1].id, players[2].id],
});

/** How people meet, and whether a third one watches: in a game with dice and one without. */
const WAYS = [
  ["Tabula", byAddress, true],
  ["Tavla", againstAnyone, false],
  ["Ludus XII scriptorum", fromTheList, false],
  ["Tablut", byLink, true],
  ["Zeno’s Tavli", byLink, false],
];

for (const [nth, [game, join, isWatched]] of WAYS.entries()) {
  test(game, (t) => seeded(async () => {
    const [one, two] = await Promise.all([person(t), person(t, 640, 360)]);
    const tables = await join(one, two, game);
    const watching = isWatched ? [await watch(await person(t), tables[0], game)] : [];
    await Promise.all(tables.map((table, seat) => play(table, new Random(SEED + 10 * nth + seat))));

    const snapshot = await stage.server.ask("GET", `/matches/${tables[0].id}`);
    for (const table of [...tables, ...watching]) {
      await table.moves();
      const folded = await table.folded();
      assert.equal(folded.seq, snapshot.head);
      assert.deepEqual(told(folded), told(snapshot));
      if (snapshot.tafl) {
        const { sinceCapture, repetitions } = folded.tafl;
        assert.deepEqual({ moves_since_capture: sinceCapture, repetitions }, snapshot.tafl);
      }
    }
  }));
}
