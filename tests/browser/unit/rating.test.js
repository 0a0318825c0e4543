// How ratings are written and announced, how curves are thinned, and what a player is missing for a place.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { beforeEach, test } from "node:test";
import "./device.js";
import { GAMES } from "../../../web/game/games.js";
import { begin, fromSnapshot, next } from "../../../web/game/story.js";
import { loadTexts } from "../../../web/text/text.js";

const { ratedText, told } = await import("../../../web/match/telling.js");
const { rowsOf } = await import("../../../web/match/rows.js");
const { RatingHistory, addressOf, boardOf, inOrder, scaleOf, shortOf, thinned } = await import("../../../web/player/ratings.js");
const { changeSaid, changeText, deviationText, differenceText, ratingText, sureText, unratedText } = await import("../../../web/text/rating.js");

/** @param {string} lang of the page */
const speak = async (lang) => {
  globalThis.document = { documentElement: { dataset: { languages: "en fr" }, lang } };
  globalThis.location = { search: `?lang=${lang}` };
  Object.defineProperty(globalThis, "navigator", { value: { languages: [lang] }, configurable: true });
  globalThis.fetch = async (url) => new Response(await readFile(url));
  await loadTexts();
};

beforeEach(() => speak("en"));

/** @param {number} points @param {number} deviation */
const rating = (points, deviation = 84) => ({ points, deviation, provisional: deviation >= 110 });
/** @param {number} before @param {number} after @param {number} [deviation] */
const change = (before, after, deviation) => ({ before: rating(before, deviation), after: rating(after, deviation) });

test("a rating is written without a separator, and a provisional one says so", () => {
  assert.equal(ratingText(rating(1612)), "1612");
  assert.equal(ratingText(rating(1612, 110)), "1612, provisional");
  assert.equal(deviationText(rating(1612)), "±84");
  assert.match(sureText(rating(1612)), /within ±84/);
  assert.match(sureText(rating(1500, 250)), /few matches: may be off by ±250/);
});

for (const [before, after, by, said] of [
  [1612, 1625, "+13", "up 13"],
  [1612, 1599, "\u221213", "down 13"],
  [1612, 1612, "±0", "unchanged"],
]) {
  test(`from ${before} to ${after}`, () => {
    assert.equal(differenceText(change(before, after)), by);
    assert.equal(changeText(change(before, after)), `${before} → ${after}, ${by}`);
    assert.equal(changeText(change(before, after, 200)), `${before} → ${after}, ${by}, provisional`);
    assert.equal(changeSaid("Anna", change(before, after)), `Anna: rating ${after}, ${said}`);
  });
}

test("ratings in French", async () => {
  await speak("fr");
  assert.equal(changeText(change(1500, 1612, 200)), "1500 → 1612, +112, provisoire");
  assert.equal(changeSaid("Anna", change(1612, 1500)), "Anna\u00a0: cote 1500, en baisse de 112");
  assert.equal(unratedText("two_accounts"), "La cotation de cette rencontre a été annulée\u00a0: les deux joueurs sont la même personne.");
});

test("an unknown reason is shown by its name", () => {
  assert.equal(unratedText("arranged"), "The rating of this match was taken back: the result was arranged.");
  assert.equal(unratedText("weather"), "The rating of this match was taken back: weather.");
});

const SEATS = { 1: { number: 12, ...change(1612, 1625) }, 2: { number: 1, ...change(1500, 1455, 240) } };
const EVENTS = [
  { type: "created", player: { id: "a", name: "Anna" }, points: 1, game: "tavla", clock: { kind: "none" }, seed: {} },
  { type: "joined", player: { id: "b", name: "Berit" }, seed: {} },
  { type: "game_ended", game_number: 1, reason: "resigned", winner_seat: 1, points: 1, score: { 1: 1, 2: 0 } },
  { type: "match_ended", result: "won", winner_seat: 1 },
  { type: "rated", constants: 1, seats: SEATS },
  { type: "unrated", reason: "help" },
].map((event, nth) => ({ seq: nth + 1, at: nth, ...event }));

/** The moments after those events. */
const moments = EVENTS.slice(1).reduce((found, event) => [...found, next(found.at(-1), /** @type {any} */ (event))], [begin(/** @type {any} */ (EVENTS[0]))]);

test("an event has the changes of the ratings, and whether they were revoked", () => {
  assert.deepEqual(moments.map(({ ratings }) => ratings !== undefined), [false, false, false, false, true, true]);
  assert.deepEqual(moments[4].ratings, { constants: 1, seats: SEATS });
  assert.deepEqual(moments[5].ratings, { constants: 1, seats: SEATS, taken_back: "help" });
});

test("a snapshot has the same changes", () => {
  const seen = { head: 5, game: "tavla", points: 1, score: { 1: 1, 2: 0 }, players: {}, dice: { seeds: {} }, turns: 4 };
  assert.equal(fromSnapshot(/** @type {any} */ (seen)).ratings, undefined);
  const ratings = { constants: 1, seats: SEATS, taken_back: "arranged" };
  assert.deepEqual(fromSnapshot(/** @type {any} */ ({ ...seen, ratings })).ratings, ratings);
});

for (const [who, mine, texts] of [
  ["a watcher", [], ["Anna: 1612 → 1625, +13", "Berit: 1500 → 1455, \u221245, provisional"]],
  ["the winner", [1], ["Your rating: 1612 → 1625, +13", "Berit: 1500 → 1455, \u221245, provisional"]],
  ["the loser", [2], ["Anna: 1612 → 1625, +13", "Your rating: 1500 → 1455, \u221245, provisional"]],
]) {
  test(`ratings told to ${who}`, () => {
    const of = (/** @type {any} */ moment) => [1, 2].map((seat) => ratedText(moment, /** @type {any} */ (seat), /** @type {any} */ (mine)));
    assert.deepEqual(of(moments[4]), texts);
    assert.deepEqual(of(moments[3]), ["", ""], "before it is rated");
    assert.deepEqual(of(moments[5]), ["", ""], "when it is taken back");
  });
}

test("the list of turns and screen readers get sentences", () => {
  const said = "Anna: rating 1625, up 13. Berit: rating 1455, down 45, provisional.";
  assert.equal(told(EVENTS[4], moments[4]), said);
  const rows = rowsOf(EVENTS, moments);
  assert.deepEqual(rows.map(({ kind, seq }) => [kind, seq]), [["end", 3], ["end", 5], ["end", 6]]);
  assert.equal(rows[1].text, said);
});

/** Changes with these points. @param {number[]} points */
const history = (points) => points.map((after, nth) => ({ number: nth + 1, match: `m${nth}`, at: nth, ...change(1500, after) }));

test("a short curve is drawn whole, a long one keeps its ends, its peaks and its valleys", () => {
  assert.deepEqual(thinned([], 10), []);
  assert.deepEqual(thinned(history([1, 2, 3]), 4), [0, 1, 2]);
  const long = Array.from({ length: 10_000 }, (_, nth) => 1500 + (nth % 7));
  long[3_333] = 2222;
  long[7_777] = 777;
  const kept = thinned(history(long), 100);
  assert.ok(kept.length <= 100, `${kept.length}`);
  assert.deepEqual([kept[0], kept.at(-1)], [0, 9_999]);
  assert.ok(kept.includes(3_333) && kept.includes(7_777));
  assert.deepEqual(kept, [...new Set(kept)].sort((one, other) => one - other), "in their order, each once");
  // No extreme is lost at an edge, whatever the numbers.
  for (let length = 5; length < 60; length += 1) {
    for (let peak = 0; peak < length; peak += 1) {
      const flat = Array.from({ length }, (_, nth) => (nth === peak ? 2000 : 1500));
      assert.ok(thinned(history(flat), 8).includes(peak), `${peak} of ${length}`);
    }
  }
});

test("the grid lines of a chart are round numbers around its values", () => {
  for (const [low, high] of [[1500, 1500], [1250, 1750], [1493, 1507], [-40, 3990], [1200, 2210]]) {
    const { from, to, lines } = scaleOf(low, high);
    assert.ok(from <= low && high <= to, `${low}–${high} in ${from}–${to}`);
    assert.ok(lines.length >= 3 && lines.length <= 8, `${lines}`);
    assert.deepEqual([lines[0], lines.at(-1)], [from, to]);
    assert.ok(lines.every((line) => line % 10 === 0), `${lines}`);
  }
});

test("what a player is missing for a place", () => {
  const DAY = 86_400_000;
  const now = 1000 * DAY;
  const of = (/** @type {object} */ more) => shortOf(/** @type {any} */ ({ rating: rating(1600, 75), matches: 20, played_at: now - 90 * DAY, ...more }), now);
  assert.deepEqual(of({}), { matches: 0, isUnsure: false, isOld: false });
  assert.deepEqual(of({ matches: 19, rating: rating(1600, 76), played_at: now - 90 * DAY - 1 }), { matches: 1, isUnsure: true, isOld: true });
  assert.deepEqual(shortOf(undefined, now), { matches: 20, isUnsure: false, isOld: false });
});

test("the URL names a board", () => {
  for (const [pathname, search, board, address] of [
    ["/leaderboards", "", { game: undefined, pace: "live", isBots: false }, "/leaderboards"],
    ["/leaderboards/zeno", "?pace=days", { game: "zeno", pace: "days", isBots: false }, "/leaderboards/zeno?pace=days"],
    ["/leaderboards/tavla", "?players=bots&pace=x", { game: "tavla", pace: "live", isBots: true }, "/leaderboards/tavla?players=bots"],
    ["/leaderboards/chess", "?players=all", { game: undefined, pace: "live", isBots: false }, "/leaderboards"],
  ]) {
    assert.deepEqual(boardOf({ pathname, search }, GAMES), board);
    assert.equal(addressOf(board), address);
  }
  assert.equal(addressOf({ pace: "live", isBots: true }, "?lang=fr&pace=days"), "/leaderboards?lang=fr&players=bots");
});

test("ratings are in the order of the games, live ones first", () => {
  const one = (/** @type {string} */ game, /** @type {string} */ pace) => /** @type {any} */ ({ game, pace });
  const all = [one("zeno", "live"), one("tavla", "days"), one("tablut", "days"), one("tavla", "live")];
  assert.deepEqual(inOrder(all, GAMES).map(({ game, pace }) => `${game} ${pace}`), ["tavla live", "tavla days", "tablut days", "zeno live"]);
});

/** Responds for the server with this many changes. @param {number} count @param {{failsAt?: number}} [how] */
function serve(count, { failsAt } = {}) {
  const asked = /** @type {string[]} */ ([]);
  globalThis.fetch = /** @type {any} */ (async (/** @type {any} */ url) => {
    const { pathname, searchParams } = new URL(String(url.url ?? url), "http://server");
    const [after, limit] = [Number(searchParams.get("after")), Number(searchParams.get("limit"))];
    asked.push(`${pathname} ${after}`);
    if (after === failsAt) return Response.json({ code: "busy", title: "Busy", status: 503 }, { status: 503 });
    const changes = Array.from({ length: Math.min(limit, count - after) }, (_, nth) => ({ number: after + nth + 1 }));
    const last = after + changes.length;
    return Response.json({ changes, ...(last < count ? { next: last } : {}) });
  });
  return asked;
}

/** @param {number} matches */
const historyOf = (matches) => new RatingHistory("Anna", /** @type {any} */ ({ game: "tavla", pace: "live", matches }));

test("a history is read page by page, and only once", async () => {
  const asked = serve(450);
  const read = historyOf(450);
  await Promise.all([read.load(), read.load()]);
  await read.load();
  assert.deepEqual(asked.map((path) => path.split(" ")[1]), ["0", "200", "400"]);
  assert.match(asked[0], /\/players\/Anna\/ratings\/tavla\/live/);
  assert.deepEqual([read.changes.length, read.changes.at(-1)?.number, read.isWhole, read.isCut], [450, 450, true, false]);
});

test("a failed page is loaded again from where it failed", async () => {
  serve(450, { failsAt: 200 });
  const read = historyOf(450);
  await read.load();
  assert.deepEqual([read.changes.length, read.isWhole, read.problem?.code], [200, false, "busy"]);
  serve(450);
  await read.load();
  assert.deepEqual([read.changes.length, read.isWhole, read.problem], [450, true, undefined]);
});

test("of a very long history only the latest part is read", async () => {
  const asked = serve(10_300);
  const read = historyOf(10_300);
  await read.load();
  assert.equal(asked[0].split(" ")[1], "300");
  assert.deepEqual([read.changes.length, read.changes[0].number, read.isCut], [10_000, 301, true]);
});
