// The players' ratings in a rated match: which are requested, when, and which belongs to whom.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import "./device.js";

const { followRatings } = await import("../../../web/match/player-ratings.js");

const rating = (/** @type {number} */ points) => ({ points, deviation: 84, provisional: false });

/** The ratings on the server, by player, game and pace. @type {Record<string, object>} */
const known = {
  "one/tavla/days": rating(1700),
  "one/tablut/live": rating(1650),
  "one/tavla/live": rating(1612),
  "two/tavla/live": rating(1500),
};

/** @type {string[]} */
let asked = [];

beforeEach(() => {
  asked = [];
  globalThis.fetch = async (url) => {
    const [, player, path] = String(url).match(/players\/([^/]+)\/ratings\/([^?]+)\?limit=1$/) ?? [];
    asked.push(player);
    const found = known[`${player}/${path}`];
    if (found) return Response.json({ rating: found, changes: [] });
    return Response.json({ code: "no_such_guest", status: 404 }, { status: 404 });
  };
});

/** A match that advances. @param {object} moment */
function match(moment) {
  const live = Object.assign(new EventTarget(), {
    moment: { rated: true, state: "playing", game: "tavla", clock: { kind: "fischer" }, players: { 1: { id: "one" }, 2: { id: "two" } }, ...moment },
  });
  /** @type {any[]} */
  const told = [];
  followRatings(/** @type {any} */ (live), (ratings) => told.push(ratings));
  return { live, told, goesOn: (/** @type {object} */ changes) => {
    Object.assign(live.moment, changes);
    live.dispatchEvent(new Event("moment"));
  } };
}

/** Waits for requests and their responses. */
async function answered() {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

test("each player's rating is that of the game and the pace", async () => {
  const { told } = match({});
  await answered();
  assert.deepEqual(told.at(-1), { 1: rating(1612), 2: rating(1500) });
  const byDays = match({ clock: { kind: "days", days: 3 } });
  const tablut = match({ game: "tablut" });
  await answered();
  assert.deepEqual(byDays.told.at(-1)[1], rating(1700));
  assert.deepEqual(tablut.told.at(-1)[1], rating(1650));
});

test("no player is requested twice, and a player who joins later is requested then", async () => {
  const { goesOn, told } = match({ state: "open", players: { 1: { id: "one" } } });
  goesOn({ seq: 2 });
  await answered();
  assert.deepEqual(asked, ["one"]);
  goesOn({ state: "playing", players: { 1: { id: "one" }, 2: { id: "two" } } });
  goesOn({ seq: 4 });
  await answered();
  assert.deepEqual(asked, ["one", "two"]);
  assert.deepEqual(told.map((ratings) => Object.keys(ratings)), [["1"], ["1", "2"]]);
});

test("in casual matches, and after the end, nothing is requested", async () => {
  match({ rated: false });
  const { goesOn } = match({ state: "ended" });
  goesOn({ seq: 9 });
  await answered();
  assert.deepEqual(asked, []);
});

test("a failed request is ignored", async () => {
  const { told } = match({ players: { 1: { id: "gone" }, 2: { id: "two" } } });
  await answered();
  assert.deepEqual(told.map((ratings) => Object.keys(ratings)), [["2"]]);
});
