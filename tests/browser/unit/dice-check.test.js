import assert from "node:assert/strict";
import { test } from "node:test";

import { check } from "../../../web/dice/check.js";
import { FILE_MAX, parse } from "../../../web/dice/read.js";
import { recordOf, secretOf, vectors } from "./dice-records.js";

const codes = (verdict) => verdict.faults.map((fault) => fault.code);
const find = (record, type, at = 0) => record.events.filter((event) => event.type === type).at(at);

/** Removes events, and renumbers the rest. */
function cut(record, ...gone) {
  record.events = record.events.filter((event) => !gone.includes(event));
  record.events.forEach((event, at) => (event.seq = at + 1));
}

for (const game of ["zeno", "tavla", "scripta", "tabula"]) {
  test(`a valid record of ${game} is valid`, async () => {
    const verdict = await check(recordOf({ game, turns: [9, 7, 5] }));
    assert.deepEqual(verdict.faults, []);
    assert.equal(verdict.result, "true");
    assert.equal(verdict.checked, verdict.throws);
    assert.ok(verdict.throws >= 21);
    assert.ok(verdict.games.every((one) => one.holds && one.throws.every((thrown) => thrown.fits)));
    assert.equal(verdict.games[0].lot.fits, true);
    assert.equal(verdict.seeds[1].hashFits, true);
    assert.equal(verdict.brought, true);
  });
}

test("tavla's opening counts every throw, ties too", async () => {
  // Some of the first games of the vectors' chain begin with a tie.
  const verdict = await check(recordOf({ game: "tavla", turns: Array(12).fill(1) }));
  assert.equal(verdict.result, "true");
  const openings = verdict.games.map((game) => game.throws.filter((thrown) => thrown.kind === "opening"));
  assert.ok(openings.some((throws) => throws.length > 1 && throws[0].tied && !throws.at(-1).tied));
});

/** A valid record in which the turn of the second throw, and the next one, are taken back and played again. */
function withTakeback(game = "zeno") {
  const record = recordOf({ game, turns: [8] });
  const { events } = record;
  const given = events.indexOf(find(record, "thrown", 1));
  const answers = events.slice(given + 1, given + 4);
  const at = given + 4;
  const { seat, side, dice } = events[given];
  const back = { match: record.match, at: 2_000, type: "taken_back", seat, side, to: events[given].seq, turn: 2, dice };
  events.splice(at, 0, back, ...answers.map((event) => ({ ...event })));
  events.forEach((event, nth) => (event.seq = nth + 1));
  return { record, back, again: events.slice(at + 1, at + 4) };
}

for (const game of ["zeno", "tavla", "scripta"]) {
  test(`in ${game} the throws after a turn that was taken back are repeated`, async () => {
    const { record, again } = withTakeback(game);
    const verdict = await check(record);
    assert.deepEqual([verdict.faults, verdict.result], [[], "true"]);
    const repeated = verdict.games[0].throws.filter((thrown) => thrown.again);
    assert.deepEqual(repeated.map(({ seq }) => seq), again.filter(({ type }) => type === "thrown").map(({ seq }) => seq));
  });
}

test("after a takeback the throws cannot be different", async () => {
  const changed = withTakeback();
  const thrown = changed.again.find(({ type }) => type === "thrown");
  thrown.dice = thrown.dice.map((die) => (die % 6) + 1);
  changed.again.find(({ type }) => type === "turned" || type === "passed").steps = [];
  assert.ok(codes(await check(changed.record)).includes("throw"));
  const skipped = withTakeback();
  skipped.again.find(({ type }) => type === "thrown").throw += 1;
  assert.ok(codes(await check(skipped.record)).includes("throw_number"));
  const elsewhere = withTakeback();
  elsewhere.back.to = 1;
  assert.ok(codes(await check(elsewhere.record)).includes("taken_back"));
  const told = withTakeback();
  told.back.dice = told.back.dice.map((die) => (die % 6) + 1);
  assert.deepEqual(codes(await check(told.record)), ["taken_back_dice"]);
});

test("in a game without dice the drawing of sides is checked", async () => {
  const verdict = await check(recordOf({ game: "tablut" }));
  assert.equal(verdict.result, "true");
  assert.equal(verdict.throws, 0);
  assert.equal(verdict.games[0].lot.fits, true);
});

test("a live game is open, finished ones are checked", async () => {
  const verdict = await check(recordOf({ turns: [5, 3], open: true }));
  assert.equal(verdict.result, "open");
  assert.deepEqual(verdict.faults, []);
  assert.equal(verdict.games[0].holds, true);
  assert.equal(verdict.games[1].holds, undefined);
  assert.deepEqual([verdict.throws, verdict.checked], [8, 5]);
});

test("if the server drew both seeds, no player brought one", async () => {
  const verdict = await check(recordOf({ kinds: ["drawn", "drawn"] }));
  assert.equal(verdict.result, "true");
  assert.equal(verdict.brought, false);
});

test("a match that was aborted before it began has nothing to check", async () => {
  const record = recordOf({ turns: [] });
  const verdict = await check(record);
  assert.equal(verdict.result, "nothing");
});

test("the data stored on the device is compared", async () => {
  const record = recordOf();
  const kept = { seed: vectors.seed1, commitment: vectors.s0 };
  assert.deepEqual((await check(record, kept)).kept, { commitment: true, seed: true });
  assert.deepEqual((await check(record, { commitment: vectors.s0 })).kept, { commitment: true });
  assert.deepEqual((await check(record, { seed: 7, commitment: {} })).kept, {});
  assert.deepEqual(codes(await check(record, { ...kept, commitment: vectors.s1 })), ["kept_commitment"]);
  assert.deepEqual(codes(await check(record, { ...kept, seed: "another" })), ["kept_seed"]);
  const drawn = recordOf({ kinds: ["drawn", "brought"] });
  assert.deepEqual(codes(await check(drawn, kept)), ["kept_seed"], "a seed of mine is not the server's");
});

/** Ways of forging a record, and the faults that reveal them. */
const FORGERIES = {
  "a die changed": [
    (record) => {
      const { dice } = find(record, "thrown", 1);
      dice[0] = (dice[0] % 6) + 1;
    },
    "throw",
    // The turn was played with the original die.
    "other_dice_played",
  ],
  "a die changed in the throw and in the turn": [
    (record) => {
      const [thrown, turned] = [find(record, "thrown", 1), find(record, "turned", 1)];
      thrown.dice[0] = (thrown.dice[0] % 6) + 1;
      turned.steps.forEach((step, at) => (step.die = thrown.dice[at]));
    },
    "throw",
  ],
  "a throw left out with its turn": [
    (record) => cut(record, find(record, "thrown", 1), find(record, "turned", 1)),
    "throw_number",
  ],
  "a throw left out, those after it renumbered": [
    (record) => {
      cut(record, find(record, "thrown", 1), find(record, "turned", 1));
      record.events.filter((event) => event.type === "thrown").forEach((event, at) => (event.throw = at));
    },
    "throw",
  ],
  "an event left out": [(record) => record.events.splice(5, 1), "event_number"],
  "a throw put in": [
    (record) => {
      const thrown = find(record, "thrown", 1);
      record.events.splice(record.events.indexOf(thrown), 0, { ...thrown, dice: [6, 6, 6] });
      record.events.forEach((event, at) => (event.seq = at + 1));
    },
    "throw_number",
    "throw_unanswered",
  ],
  "a throw after the end": [
    (record) => {
      record.events.push({ ...find(record, "thrown", 1), seq: record.events.length + 1 });
    },
    "after_end",
    "throw_outside",
  ],
  "throws exchanged": [
    (record) => {
      const [one, two] = [find(record, "thrown", 0), find(record, "thrown", 1)];
      [one.throw, two.throw] = [two.throw, one.throw];
    },
    "throw_number",
    "throw",
  ],
  "a throw with too many dice": [(record) => find(record, "thrown").dice.push(1), "dice_count"],
  "a throw with a seven": [(record) => (find(record, "thrown").dice[0] = 7), "dice_count"],
  "seeds exchanged": [
    (record) => {
      const { seeds } = record.dice;
      [seeds[1], seeds[2]] = [seeds[2], seeds[1]];
    },
    "seed_differs",
  ],
  "seeds exchanged everywhere": [
    (record) => {
      const { seeds } = record.dice;
      [seeds[1], seeds[2]] = [seeds[2], seeds[1]];
      find(record, "seed_revealed").seed = vectors.seed2;
      find(record, "joined").seed.seed = vectors.seed1;
    },
    "seed_hash",
    "throw",
  ],
  "another seed": [
    (record) => {
      find(record, "joined").seed.seed = "mine";
      record.dice.seeds[2].seed = "mine";
    },
    "throw",
  ],
  "a seed that is none": [
    (record) => {
      find(record, "joined").seed.seed = "a|b";
      record.dice.seeds[2].seed = "a|b";
    },
    "seed_malformed",
    "thrown_before_seeds",
  ],
  "a seed called drawn that was brought": [
    (record) => (record.dice.seeds[2].kind = "drawn"),
    "seed_differs",
  ],
  "a seed that nobody promised": [
    (record) => {
      find(record, "created").seed = { kind: "drawn", seed: vectors.seed1 };
      record.dice.seeds[1].kind = "drawn";
    },
    "seed_unpromised",
  ],
  "the secret of another game": [
    (record) => {
      record.dice.secrets[1] = secretOf(2);
      find(record, "game_ended").secret = secretOf(2);
    },
    "secret_of_other",
    "throw",
  ],
  "a secret of nothing": [
    (record) => {
      record.dice.secrets[1] = "ab".repeat(32);
      find(record, "game_ended").secret = "ab".repeat(32);
    },
    "secret_chain",
    "throw",
  ],
  "a secret in one place only": [(record) => (record.dice.secrets[1] = secretOf(2)), "secret_differs"],
  "a secret withheld": [(record) => delete find(record, "game_ended").secret, "secret_missing"],
  "a secret too much": [(record) => (record.dice.secrets[2] = secretOf(2)), "secret_stray"],
  "another commitment": [
    (record) => (record.dice.commitment = vectors.s1),
    "commitment_differs",
    "secret_chain",
  ],
  "the lot changed": [
    (record) => {
      const { sides } = find(record, "game_started");
      [sides[1], sides[2]] = [sides[2], sides[1]];
    },
    "lot",
    "thrower",
  ],
  "no lot where there was one": [(record) => (record.side = "white"), "frame_differs"],
  "both sides White": [(record) => (find(record, "game_started").sides[1] = "white"), "sides"],
  "an end without its game's": [
    (record) => {
      cut(record, find(record, "game_ended"));
      record.dice.secrets = {};
    },
    "game_unended",
  ],
  "the end cut off": [(record) => record.events.splice(-2), "end_missing", "secret_stray"],
  "another match's event": [(record) => (find(record, "thrown").match = "x"), "other_match"],
  "a wrong game number": [(record) => (find(record, "game_started").game_number = 2), "game_number"],
  "no beginning": [(record) => cut(record, find(record, "created")), "first_event"],
  "no events": [(record) => (record.events = []), "first_event"],
};

for (const [name, [forge, ...expected]] of Object.entries(FORGERIES)) {
  test(`reveals: ${name}`, async () => {
    const record = recordOf();
    forge(record);
    const verdict = await check(record);
    assert.equal(verdict.result, "false");
    for (const code of expected) assert.ok(codes(verdict).includes(code), `${code} not in ${codes(verdict)}`);
  });
}

test("reveals: tavla's opening", async () => {
  const tied = recordOf({ game: "tavla" });
  find(tied, "opening_thrown", -1).begins = undefined;
  assert.ok(codes(await check(tied)).includes("opening_begins"));
  const twice = recordOf({ game: "tavla" });
  const decided = find(twice, "opening_thrown", -1);
  twice.events.splice(twice.events.indexOf(decided) + 1, 0, { ...decided, throw: decided.throw + 1 });
  assert.ok(codes(await check(twice)).includes("opening_extra"));
  const none = recordOf({ game: "tavla" });
  cut(none, ...none.events.filter((event) => event.type === "opening_thrown"));
  assert.ok(codes(await check(none)).includes("opening_missing"));
});

test("another match's id makes every throw different", async () => {
  const record = recordOf();
  record.match = "0190a6c2-7b1e-7cc3-98c4-dc0c0c073990";
  record.events.forEach((event) => (event.match = record.match));
  const found = codes(await check(record));
  assert.ok(found.includes("throw"));
});

test("faults are reported with the numbers", async () => {
  const record = recordOf();
  const thrown = find(record, "thrown", 2);
  const expected = thrown.dice.join(" ");
  thrown.dice = thrown.dice.map((die) => (die % 6) + 1);
  const { faults } = await check(record);
  const { params } = faults.find((fault) => fault.code === "throw");
  const recorded = thrown.dice.join(" ");
  assert.deepEqual(params, { game: 1, seq: thrown.seq, throw: 3, recorded, expected });
});

test("a gap is one fault, not one for every throw after it", async () => {
  const record = recordOf({ turns: [40] });
  cut(record, find(record, "thrown", 1), find(record, "turned", 1));
  assert.deepEqual(codes(await check(record)), ["throw_number"]);
});

test("the number of faults is limited", async () => {
  const record = recordOf({ turns: [300] });
  record.events.filter((event) => event.type === "thrown").forEach((event) => (event.seat = 3 - event.seat));
  const verdict = await check(record);
  assert.equal(verdict.faults.length, 100);
  assert.equal(verdict.faultsMore, 200);
});

test("garbage has a verdict, not an exception", async () => {
  const record = recordOf();
  const rubbish = [null, undefined, 1, "", "record", [], [[]], {}, { format: "lusoria-record-1" }];
  for (const value of rubbish) assert.equal((await check(value)).result, "unreadable");
  for (const key of Object.keys(record)) {
    for (const value of [null, undefined, 0, -1, 1e400, "", "x", [], [null], {}, { 1: null }, true]) {
      const verdict = await check({ ...record, [key]: value });
      assert.ok(["false", "unreadable", "true"].includes(verdict.result));
    }
  }
});

test("garbage in any event has a verdict, not an exception", async () => {
  const whole = JSON.stringify(recordOf({ game: "tavla", turns: [2] }));
  const { events } = JSON.parse(whole);
  for (const at of events.keys()) {
    for (const key of [...Object.keys(events[at]), "__proto__"]) {
      for (const value of [null, -1, 0.5, 1e300, "x", "__proto__", [], [null], {}, { kind: "brought" }]) {
        const record = JSON.parse(whole);
        record.events[at][key] = value;
        assert.notEqual((await check(record)).result, undefined);
      }
    }
  }
});

test("other schemes and formats are named", async () => {
  const record = recordOf();
  assert.deepEqual(codes(await check({ ...record, format: "lusoria-record-2" })), ["not_a_record"]);
  const other = { ...record, dice: { ...record.dice, scheme: "lusoria-dice-v2" } };
  assert.deepEqual(codes(await check(other)), ["other_scheme"]);
  const { faults } = await check({ ...record, dice: { ...record.dice, commitment: "AB" } });
  assert.deepEqual(faults, [{ code: "malformed", params: { part: "dice.commitment" } }]);
});

test("files that are too long or no JSON are not read", () => {
  assert.equal(parse(" ".repeat(FILE_MAX + 1)).fault.code, "too_big");
  assert.equal(parse("{").fault.code, "not_json");
  assert.deepEqual(parse("[1]").record, [1]);
});
