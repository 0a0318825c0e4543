// Premoves.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { kept } from "./device.js";
import { httpOver } from "./line.js";
import { entryOf } from "./vectors.js";

const { LiveMatch } = await import("../../../web/match/live.js");
const { Premove, movesAhead } = await import("../../../web/match/premove.js");
const { Turn } = await import("../../../web/match/turn.js");
const { prefer } = await import("../../../web/player/preferences.js");

const ENTRY = entryOf("tablut");
const ME = { id: "me", name: "Me" };
const THEM = { id: "them", name: "Them" };

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** The attackers in seat 2 have been thinking since event 3; the person defends. @param {{from: string, to: string}[]} legal what is legal for the person then */
async function thinking(legal) {
  /** @type {any[]} */
  const sent = [];
  const answers = {
    legal: () => ({ seq: 4, to_play: "defenders", dice_left: [], complete: false, steps: legal, position: ENTRY.start, notation: "" }),
    building: () => ({}),
    turn: (/** @type {any} */ fields) => (sent.push(fields), { events: [] }),
  };
  const line = {
    watch: (/** @type {any} */ _, /** @type {any} */ reader) => ((line.reader = reader), () => {}),
    now: () => 0,
    ask: async (/** @type {string} */ op, /** @type {any} */ fields) => answers[op](fields),
    http: httpOver((op, fields) => line.ask(op, fields)),
  };
  const live = new LiveMatch(/** @type {any} */ (line), "m");
  const turn = new Turn(live);
  live.start();
  line.reader.onSnapshot({
    head: 3, game: "tablut", points: 1, clock: { kind: "none" }, state: "playing", players: { 1: ME, 2: THEM },
    sides: { 1: "defenders", 2: "attackers" }, position: ENTRY.start, score: { 1: 0, 2: 0 }, dice: { commitment: "c", seeds: {} },
    to_play: { seat: 2, side: "attackers", seq: 3, dice: [], since_at: 0, first_turn: true }, turns: 0, game_number: 1,
  });
  live.past = /** @type {any} */ ([{}, {}, {}]);
  live.moments = /** @type {any} */ ([{}, {}, live.moment]);
  const premove = new Premove(live, turn, ENTRY);
  /** The attackers move. */
  const attacked = async () => {
    line.reader.onEvent({ seq: 4, at: 0, type: "turned", seat: 2, side: "attackers", answers: 3, notation: "d1-c1",
      steps: [{ from: "d1", to: "c1" }], position: { ...ENTRY.start, to_move: "defenders" } });
    await settled();
  };
  return { live, turn, premove, sent, attacked };
}

const move = (/** @type {string} */ from, /** @type {string} */ to) => ({ from, to, steps: [{ from, to }], dice: [] });

beforeEach(() => {
  kept.clear();
  kept.set("lusoria.guest", JSON.stringify({ ...ME, token: "t" }));
  prefer("ahead", "on");
});

test("premoves go along rows and columns, and not onto one's own pieces", () => {
  const moves = movesAhead(ENTRY, ENTRY.start, "defenders").filter(({ from }) => from === "e4").map(({ to }) => to);
  assert.deepEqual(moves.sort(), ["a4", "b4", "c4", "d4", "e1", "e2", "e8", "e9", "f4", "g4", "h4", "i4"]);
});

test("a premove is sent once, as soon as it is legal", async () => {
  const { premove, sent, attacked } = await thinking([{ from: "e4", to: "f4" }]);
  premove.enter(move("e4", "f4"));
  assert.deepEqual(premove.arrows, [{ from: "e4", to: "f4" }]);
  assert.deepEqual(sent, []);
  await attacked();
  assert.deepEqual(sent.map(({ seq, steps }) => ({ seq, steps })), [{ seq: 4, steps: [{ from: "e4", to: "f4" }] }]);
  assert.equal(premove.step, undefined);
  assert.equal(kept.get("lusoria.premove.m"), undefined);
});

test("a premove that is not legal is dropped, and reported", async () => {
  const { premove, sent, attacked } = await thinking([{ from: "e4", to: "g4" }]);
  let dropped = 0;
  premove.addEventListener("dropped", () => dropped++);
  premove.enter(move("e4", "f4"));
  await attacked();
  assert.deepEqual([sent.length, dropped, premove.step], [0, 1, undefined]);
});

test("a premove that is cancelled or switched off is not sent", async () => {
  for (const end of [(/** @type {any} */ premove) => premove.cancel(), () => prefer("ahead", "off")]) {
    prefer("ahead", "on");
    const { premove, sent, attacked } = await thinking([{ from: "e4", to: "f4" }]);
    premove.enter(move("e4", "f4"));
    end(premove);
    await attacked();
    assert.deepEqual([sent.length, premove.step], [0, undefined]);
  }
});

test("a premove of another turn is dropped", async () => {
  kept.set("lusoria.premove.m", JSON.stringify({ after: 1, step: { from: "e4", to: "f4" } }));
  const { premove, sent, attacked } = await thinking([{ from: "e4", to: "f4" }]);
  await attacked();
  assert.deepEqual([sent.length, premove.step], [0, undefined]);
});
