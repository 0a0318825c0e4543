// The organiser's form, the bracket as a picture, the cross-table, and when a page says that its person is here.

import assert from "node:assert/strict";
import { test } from "node:test";
import "./device.js";

process.env.TZ = "Europe/Athens";
globalThis.document ??= /** @type {any} */ ({ addEventListener: () => {}, visibilityState: "visible" });
globalThis.window ??= /** @type {any} */ (globalThis);
const { PRESET_NAMES, fitted, handlesIn, presetForm, wrongIn } = await import("../../../web/tournament/presets.js");
const { changesOf, formOf, requestOf } = await import("../../../web/tournament/request.js");
const { BOX, HEAD, layOut, wholeOf } = await import("../../../web/tournament/bracket.js");
const { crossTable } = await import("../../../web/tournament/cross.js");
const { recentPairings } = await import("../../../web/tournament/recent.js");
const { LiveTournament, hereIn } = await import("../../../web/tournament/live.js");
const { changesIn, leftText } = await import("../../../web/tournament/times.js");
const { pointsText, tieText } = await import("../../../web/tournament/words.js");

const { Problem } = await import("../../../web/api/rest.js");

/** What the form needs of a game. @param {string} game @returns {any} */
const entryOf = (game) => ({
  id: game,
  rated_in_pairs: game === "zeno",
  clock_presets: [["quick", 4], ["normal", 8], ["slow", 15]].map(([id, base]) => ({ id, clock: { kind: "fischer", base_ms: Number(base) * MINUTE, increment_ms: 4_000 } })),
});

const NOW = Date.parse("2026-11-29T17:07:00Z");
const MINUTE = 60_000;
const form = (/** @type {object} */ more = {}) => ({ ...presetForm("evening", NOW, () => "Arena of Tavla"), ...more });

test("every preset is without faults, and begins at a quarter of an hour to come", () => {
  for (const preset of PRESET_NAMES) {
    const made = presetForm(preset, NOW, ({ kind }) => kind);
    assert.deepEqual([...wrongIn(made, NOW)], [], preset);
    const request = requestOf(made, entryOf(made.game), []);
    assert.ok(request.begins_at > NOW && request.begins_at % (15 * MINUTE) === 0, preset);
    assert.equal(request.name, made.kind);
  }
});

test("what is wrong is said beside its field", () => {
  const cases = [
    [{}, {}],
    [{ name: "  " }, { name: "empty" }],
    [{ name: "x".repeat(61) }, { name: "long" }],
    [{ begins: "2026-11-29T19:00" }, { begins: "past" }],
    [{ begins: "" }, { begins: "time" }],
    [{ begins: "2027-12-24T19:00" }, { begins: "far" }],
    [{ clock: "days" }, { clock: "live" }],
    [{ lasts: "14" }, { lasts: "number" }],
    [{ lasts: "1.5e2" }, {}],
    [{ lasts: "" }, { lasts: "number" }],
    [{ waits: "0" }, { waits: "number" }],
    [{ kind: "swiss", rounds: "16" }, { rounds: "number" }],
    [{ kind: "swiss", rounds: "", lasts: "1" }, {}],
    [{ kind: "knockout", entrantsMax: "65" }, { entrantsMax: "number" }],
    [{ kind: "knockout", more: "99" }, {}],
    [{ kind: "knockout", more: "99", length: "series" }, { more: "number" }],
    [{ kind: "round_robin", ends: "2026-11-29T19:30" }, { ends: "order" }],
    [{ ratingMin: "1600", ratingMax: "1400" }, { ratingMax: "range" }],
    [{ clock: "own", minutes: "0" }, { minutes: "number" }],
    [{ players: Array.from({ length: 151 }, (_, nth) => `p${nth}`).join(" ") }, { players: "many" }],
  ];
  for (const [fields, wrong] of cases) {
    const found = Object.fromEntries([...wrongIn(form(fields), NOW)].map(([field, { key }]) => [field, key]));
    assert.deepEqual(found, wrong, JSON.stringify(fields).slice(0, 80));
  }
});

test("a form and its tournament are the same", () => {
  const forms = [
    form(),
    presetForm("club", NOW, () => "Swiss", { rounds: "5", every: "24", code: "" }),
    presetForm("cup", NOW, () => "Cup", { length: "series", points: "5", more: "2", seeding: "lot", game: "tavla" }),
    presetForm("letters", NOW, () => "Letters", { byRound: true, days: "3", ratingMin: "1400", matchesMin: "5", ageMin: "7" }),
    form({ clock: "own", minutes: "7", seconds: "3", listed: false, who: "both", entrantsMax: "40", description: "A\nB" }),
  ];
  for (const one of forms) {
    const entry = entryOf(one.game);
    const { conditions, ...request } = requestOf(one, entry, []);
    const { entrants_max: most, who, ...shown } = conditions;
    const tournament = /** @type {any} */ ({ ...request, who, entrants_max: most, conditions: shown });
    const again = formOf(tournament, entry);
    const same = (/** @type {any} */ { minutes, seconds, ...rest }) => ({ ...rest, ...(one.clock === "own" ? { minutes, seconds } : {}) });
    // What another kind would need is not kept.
    const unused = one.kind === "round_robin" ? {} : { ends: again.ends };
    assert.deepEqual(requestOf(again, entry, []), requestOf({ ...one, ...unused }, entry, []), one.name);
    assert.equal(same(again).kind, one.kind);
  }
});

test("a form does not contradict itself", () => {
  assert.equal(fitted(form({ clock: "days" }), entryOf("tavla")).clock, "quick");
  assert.equal(fitted(form({ game: "zeno", rated: true }), entryOf("zeno")).length, "pair");
  assert.equal(fitted(form({ game: "zeno", rated: false }), entryOf("zeno")).length, "single");
  assert.deepEqual(fitted(form({ rated: true, options: { mother: "play_on" } }), entryOf("tavla")).options, {});
  assert.deepEqual(handlesIn(" @zeno, Agathias;zeno\nTheodora "), ["zeno", "Agathias", "Theodora"]);
});

test("after the first entry only words and the start can change", () => {
  const request = requestOf(form(), entryOf("tavla"), []);
  assert.deepEqual(Object.keys(changesOf(request, "entered")), ["name", "description", "begins_at"]);
  assert.deepEqual(Object.keys(changesOf(request, "begun")), ["name", "description"]);
  assert.equal(changesOf(request, "announced"), request);
});

/** A bracket whose upper entrant always wins, with byes for the top ones. @param {number} rounds @param {number} byes @param {number} played rounds that are known */
function bracket(rounds, byes, played) {
  let alive = Array.from({ length: 2 ** rounds }, (_, nth) => nth + 1);
  const known = [];
  for (let round = 1; round <= played; round += 1) {
    const next = [];
    for (let slot = 0; slot < alive.length / 2; slot += 1) {
      const pair = alive.slice(2 * slot, 2 * slot + 2);
      if (round > 1 || slot >= byes) known.push({ round, slot, entrants: pair });
      next.push(pair[0]);
    }
    alive = next;
  }
  return wholeOf(known, rounds, (round, slot) => /** @type {any} */ ({ round, slot, entrants: [undefined, undefined] }));
}

test("the boxes of a bracket do not touch, and a line leads from each to the next round", () => {
  for (let rounds = 1; rounds <= 6; rounds += 1) {
    for (const byes of rounds === 1 ? [0] : [0, 1, 2 ** (rounds - 1) - 1]) {
      for (let played = 1; played <= rounds; played += 1) {
        const { boxes, height, lines, width } = layOut(bracket(rounds, byes, played), true);
        const what = `${rounds} rounds, ${byes} byes, ${played} played`;
        assert.equal(lines.length, boxes.length - 1, what);
        for (const one of boxes) {
          assert.ok(one.y >= HEAD && one.y + BOX.height <= height && one.x + BOX.width <= width, what);
          const others = boxes.filter((other) => other !== one && other.x === one.x);
          assert.ok(others.every((other) => Math.abs(other.y - one.y) >= BOX.height), what);
        }
      }
    }
  }
});

test("a bracket whose losers join later still has every box once", () => {
  const ties = [
    { round: 2, slot: 0, entrants: [12, 11] }, { round: 2, slot: 1, entrants: [7, 9] },
    { round: 3, slot: 0, entrants: [12, 5] }, { round: 3, slot: 1, entrants: [9, 4] }, { round: 4, slot: 0, entrants: [5, undefined] },
  ];
  const { boxes, lines } = layOut(ties, false);
  assert.equal(new Set(boxes.map(({ tie }) => tie)).size, ties.length);
  assert.equal(lines.length, 4);
});

test("a cross-table has each result from both sides", () => {
  const standings = /** @type {any} */ ([3, 1, 2].map((entrant) => ({ entrant })));
  const pairing = (/** @type {number} */ a, /** @type {number} */ b, /** @type {number[]} */ half) => ({ first: { entrant: a }, second: { entrant: b }, ...(half && { half_points: half }) });
  const rows = crossTable(standings, /** @type {any} */ ([pairing(1, 2, [2, 0]), pairing(3, 1, [1, 1]), pairing(2, 3, undefined)]));
  assert.deepEqual(rows.map(({ cells }) => cells.map((cell) => cell && (cell.half ?? "open"))), [
    [undefined, 1, "open"],
    [1, undefined, 2],
    ["open", 0, undefined],
  ]);
});

test("the page says that its person is here while that counts, and only then", () => {
  const live = { kind: "fischer" };
  const cases = [
    ["check-in", { clock: live, phase: "check_in", you: { entrant: 1, state: "away" } }, 0],
    ["checked in", { clock: live, phase: "check_in", you: { entrant: 1, state: "here", here_until: NOW + 10 * MINUTE } }, 5 * MINUTE],
    ["called", { clock: live, phase: "running", you: { entrant: 1, state: "away", pairing: { until: NOW + MINUTE } } }, 0],
    ["here lasts on", { clock: live, phase: "running", you: { entrant: 1, state: "here", here_until: NOW + MINUTE } }, 0],
    ["not called", { clock: live, phase: "running", you: { entrant: 1, state: "away" } }, undefined],
    ["before check-in", { clock: live, phase: "announced", you: { entrant: 1, state: "away" } }, undefined],
    ["absent", { clock: live, phase: "running", you: { entrant: 1, state: "absent", pairing: { until: NOW + MINUTE } } }, undefined],
    ["paused", { clock: live, phase: "running", you: { entrant: 1, state: "paused", here_until: NOW + MINUTE } }, undefined],
    ["playing", { clock: live, phase: "running", you: { entrant: 1, state: "playing", here_until: NOW + MINUTE } }, undefined],
    ["not entered", { clock: live, phase: "check_in", you: { may: ["enter"] } }, undefined],
    ["correspondence", { clock: { kind: "days" }, phase: "check_in", you: { entrant: 1, state: "away" } }, undefined],
    ["a stranger", { clock: live, phase: "check_in" }, undefined],
  ];
  for (const [what, tournament, wait] of cases) assert.equal(hereIn(/** @type {any} */ (tournament), NOW), wait, String(what));
});

/** A connection that nothing comes over by itself. */
class Line extends EventTarget {
  line = "open";
  follow() {}
  now() {
    return NOW;
  }

  /** @param {object} detail */
  tell(detail) {
    this.dispatchEvent(new CustomEvent("notice", { detail }));
  }
}

test("a tournament is read once for all that happens in a second, and not while nobody looks", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let at = 0;
  t.mock.method(performance, "now", () => at);
  const asked = /** @type {string[]} */ ([]);
  let head = 1;
  const read = /** @type {any} */ ({
    tournament: async () => (asked.push("tournament"), { head, clock: { kind: "fischer" }, format: { kind: "swiss" }, round: 2, phase: "running" }),
    standings: async () => (asked.push("standings"), { head }),
    pairings: async (/** @type {string} */ _, /** @type {number} */ round) => (asked.push(`pairings ${round}`), { head }),
  });
  const settle = async () => {
    for (let nth = 0; nth < 20; nth += 1) await Promise.resolve();
  };
  const pass = async (/** @type {number} */ ms) => {
    at += ms;
    t.mock.timers.tick(ms);
    await settle();
  };
  const connection = new Line();
  const live = new LiveTournament(/** @type {any} */ (connection), "t", { read });
  live.start(["standings", "pairings"]);
  await settle();
  assert.deepEqual(asked.splice(0), ["tournament", "standings", "pairings 2"]);

  const changed = () => connection.tell({ notice: "tournament_changed", tournament: "t", head });
  changed();
  connection.tell({ notice: "tournament_changed", tournament: "another", head: 9 });
  await pass(2_000);
  assert.deepEqual(asked.splice(0), [], "what is known is not read again");

  for (head = 2; head < 12; head += 1) changed();
  await settle();
  head = 12;
  changed();
  changed();
  await pass(999);
  assert.equal(asked.filter((what) => what === "tournament").length, 1);
  await pass(1);
  assert.equal(asked.splice(0).filter((what) => what === "tournament").length, 2);

  /** @type {any} */ (document).visibilityState = "hidden";
  head = 20;
  changed();
  await pass(60_000);
  assert.deepEqual(asked.splice(0), [], "nobody looks");
  /** @type {any} */ (document).visibilityState = "visible";
  live.look();
  await settle();
  assert.deepEqual(asked.splice(0), ["tournament", "standings", "pairings 2"]);

  read.tournament = async () => {
    asked.push("tournament");
    throw new Problem({ code: "unavailable" });
  };
  head = 21;
  changed();
  await pass(1_000);
  await pass(5_000);
  assert.equal(asked.splice(0).length, 1, "a busy server is not asked at once");
  await pass(1_000);
  assert.equal(asked.splice(0).length, 1);
});

test("the last events of an arena tell its newest pairings", () => {
  const standings = /** @type {any} */ ([1, 2, 3].map((entrant) => ({ entrant, player: { name: `P${entrant}` } })));
  const paired = (/** @type {number} */ pairing, /** @type {number} */ first, /** @type {number} */ second) => ({
    type: "round_paired", round: pairing, pairings: [{ pairing, board: 1, first, second, match: `m${pairing}` }],
  });
  const events = /** @type {any} */ ([
    { type: "match_ended", match: "m1", end: "won", seat: 1 },
    paired(2, 1, 2), { type: "match_began", match: "m2" }, { type: "match_ended", match: "m2", end: "won", seat: 2 },
    paired(3, 2, 3), { type: "match_began", match: "m3" }, { type: "match_ended", match: "m3", end: "drawn" },
    paired(4, 1, 3), { type: "match_began", match: "m4" }, { type: "match_ended", match: "m4", end: "no_show", seat: 1 },
    { type: "forfeited", pairing: 4, absent: [1], winner: 3 },
    paired(5, 1, 2), { type: "result_set", pairing: 5, half_points: [2, 0], reason: "power cut" }, { type: "match_began", match: "m5" },
    paired(6, 2, 1), { type: "match_began", match: "m6" }, { type: "match_ended", match: "m6", end: "aborted" },
    { type: "again", pairing: 6, match: "m7", first: 1 }, { type: "match_began", match: "m7" },
    paired(8, 3, 9), paired(9, 3, 1), { type: "result_set", pairing: 1, half_points: [1, 1], reason: "earlier" },
  ]);
  const told = (/** @type {any} */ one) => [one.pairing, one.first.player.name, one.second.player.name, one.state, one.half_points, one.match];
  assert.deepEqual(recentPairings(events, standings).map(told), [
    [9, "P3", "P1", "open", undefined, undefined],
    [6, "P1", "P2", "playing", undefined, "m7"],
    [5, "P1", "P2", "ended", [2, 0], "m5"],
    [4, "P1", "P3", "ended", [0, 2], "m4"],
    [3, "P2", "P3", "ended", [1, 1], "m3"],
    [2, "P1", "P2", "ended", [0, 2], "m2"],
  ]);
  const many = /** @type {any} */ (Array.from({ length: 30 }, (_, nth) => paired(nth + 1, 1, 2)));
  assert.deepEqual(recentPairings(many, standings).map(({ pairing }) => pairing), Array.from({ length: 12 }, (_, nth) => 30 - nth));
});

test("points, tie-breaks and times are written as people write them", () => {
  assert.deepEqual([0, 1, 2, 5, 6].map((half) => pointsText(half)), ["0", "½", "1", "2½", "3"]);
  assert.equal(pointsText(5, "arena"), "5");
  assert.deepEqual([tieText(9, "buchholz_cut_1"), tieText(9, "sonneborn_berger"), tieText(9, "wins"), tieText(null, "wins")], ["4.5", "2.25", "9", "–"]);
  assert.deepEqual([0, 999, 61_000, 59 * MINUTE + 59_000].map(leftText), ["0:00", "0:01", "1:01", "59:59"]);
  assert.deepEqual([500, 61_250, 3 * 60 * MINUTE + 1].map(changesIn), [500, 250, 1]);
});
