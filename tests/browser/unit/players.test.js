// The filter of a player's matches, and their results.

import assert from "node:assert/strict";
import { test } from "node:test";
import "./device.js";

process.env.TZ = "Europe/Athens";
const { PlayedMatches, filterOf, isOfHandle, playedBy, queryOf, wantedOf } = await import("../../../web/player/players.js");

test("the URL has the filter, and its other parts are ignored", () => {
  const cases = [
    ["", {}, ""],
    ["?lang=fr&cursor=x", {}, ""],
    ["?game=zeno&result=won", { game: "zeno", result: "won" }, "?game=zeno&result=won"],
    ["?result=&opponent=%20agathias%20", { opponent: "agathias" }, "?opponent=agathias"],
    ["?until=2026-03-31&points=3&clock=days", { points: "3", clock: "days", until: "2026-03-31" }, "?points=3&clock=days&until=2026-03-31"],
  ];
  for (const [query, filter, again] of cases) {
    assert.deepEqual(filterOf(query), filter, query);
    assert.equal(queryOf(filterOf(query)), again, query);
  }
  assert.equal(queryOf({ result: "lost" }, "?game=zeno&lang=fr&result=won"), "?lang=fr&result=lost");
  assert.equal(queryOf({}, "?game=zeno"), "");
});

test("days are in the device's time zone, and the last one counts whole", () => {
  const at = (/** @type {string} */ moment) => String(Date.parse(moment));
  const cases = [
    [{ from: "2026-03-01" }, { from: at("2026-02-28T22:00:00Z") }],
    // In this night the clocks go forward: the day has 23 hours.
    [{ from: "2026-03-29", until: "2026-03-29" }, { from: at("2026-03-28T22:00:00Z"), until: at("2026-03-29T21:00:00Z") }],
    [{ until: "2026-12-31" }, { until: at("2026-12-31T22:00:00Z") }],
    [{ from: "1969-01-01" }, { from: "0" }],
    [{ from: "yesterday", until: "31.12.2026" }, {}],
    [{ game: "tavla", from: "" }, { game: "tavla" }],
  ];
  for (const [filter, wanted] of cases) {
    assert.deepEqual(Object.fromEntries(wantedOf(/** @type {any} */ (filter))), wanted, JSON.stringify(filter));
  }
});

test("a result is from the player's point of view", () => {
  const players = { 1: { id: "a", name: "A" }, 2: { id: "z", name: "Z" } };
  const cases = [
    [{ state: "open", players: { 1: players[1] } }, "a", "open"],
    [{ state: "live", players }, "a", "live"],
    [{ state: "finished", result: "won", winner_seat: 2, players }, "a", "lost"],
    [{ state: "finished", result: "won", winner_seat: 2, players }, "z", "won"],
    [{ state: "finished", result: "won", winner_seat: 1, players }, "a", "won"],
    [{ state: "finished", result: "drawn", players }, "a", "drawn"],
    [{ state: "finished", result: "aborted", players: { 1: players[1] } }, "a", "aborted"],
  ];
  for (const [card, player, played] of cases) {
    assert.equal(playedBy(/** @type {any} */ (card), String(player)), played, JSON.stringify(card));
  }
});

test("a text that no handle begins with is not searched for", () => {
  for (const text of ["", "aga", "Aga_1-x", "a".repeat(20)]) assert.ok(isOfHandle(text), text);
  for (const text of ["aga thias", "ágathias", "@aga", "a".repeat(21)]) assert.ok(!isOfHandle(text), text);
});

/** Responds with pages of so many matches each; the last page ends the list. @param {import("node:test").TestContext} t @param {(number | string)[]} pages a code refuses */
function server(t, pages) {
  /** @type {string[]} */
  const asked = [];
  t.mock.method(globalThis, "fetch", async (/** @type {string} */ path) => {
    const page = pages[asked.length];
    const nth = asked.push(path);
    if (typeof page === "string") return Response.json({ code: page }, { status: 404 });
    const matches = Array.from({ length: page }, (_, at) => ({ id: `${nth}-${at}` }));
    return Response.json({ matches, next: nth < pages.length ? `after-${nth}` : undefined });
  });
  return asked;
}

test("after short and empty pages a few more are loaded automatically", async (t) => {
  const asked = server(t, [0, 3, 0, 17, 20, 0, 0, 0, 0, 0, 1]);
  const played = new PlayedMatches("zeno", { result: "won" });
  await played.more();
  assert.equal(played.matches.length, 20);
  assert.equal(asked.length, 4);
  assert.match(asked[1], /\/players\/zeno\/matches\?result=won&cursor=after-1$/);
  await played.more();
  assert.deepEqual([played.matches.length, asked.length], [40, 5]);
  await played.more();
  assert.deepEqual([played.matches.length, asked.length, played.hasMore], [40, 10, true]);
  await played.more();
  assert.deepEqual([played.matches.length, played.hasMore], [41, false]);
  await played.more();
  assert.equal(asked.length, 11, "after the end nothing is asked");
});

test("a failed page is reported, and loaded again", async (t) => {
  server(t, ["no_such_guest", 2]);
  const played = new PlayedMatches("zeno", { opponent: "nobody" });
  await played.more();
  assert.equal(played.problem?.code, "no_such_guest");
  assert.deepEqual([played.hasMore, played.isLoading], [true, false]);
  await played.more();
  assert.deepEqual([played.problem, played.matches.length], [undefined, 2]);
});
