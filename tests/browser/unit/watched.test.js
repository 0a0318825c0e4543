// A small board follows the events of its match.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Watched } from "../../../web/player/watched.js";

const card = { id: "m", state: "live", to_play: 1, score: { 1: 0, 2: 0 }, updated_at: 1 };
const START = { white: {}, black: {}, to_move: "white" };
const NEXT = { white: { points: { 3: 1 } }, black: {}, to_move: "black" };
const snapshot = {
  state: "playing",
  position: START,
  sides: { 1: "black", 2: "white" },
  score: { 1: 0, 2: 1 },
  to_play: { seat: 2 },
  updated_at: 2,
};

/** A match that has received its snapshot. */
function watched() {
  let changes = 0;
  const match = new Watched({ ...card }, () => changes++);
  match.onSnapshot(structuredClone(snapshot));
  return { match, changes: () => changes };
}

test("a snapshot sets the state", () => {
  const { match, changes } = watched();
  assert.deepEqual(match.position, START);
  assert.equal(match.card.to_play, 2);
  assert.deepEqual(match.card.score, { 1: 0, 2: 1 });
  assert.equal(changes(), 1);
});

test("a turn moves the pieces and passes the turn on", () => {
  const { match } = watched();
  match.onEvent({ type: "turned", at: 3, position: NEXT });
  assert.deepEqual(match.position, NEXT);
  assert.equal(match.card.to_play, 1);
  assert.equal(match.card.updated_at, 3);
});

test("the next game can be played with sides exchanged", () => {
  const { match } = watched();
  match.onEvent({ type: "game_ended", at: 4, score: { 1: 0, 2: 2 } });
  assert.equal(match.card.to_play, undefined);
  match.onEvent({ type: "game_started", at: 5, sides: { 1: "white", 2: "black" }, position: START });
  assert.equal(match.card.to_play, 1);
  assert.deepEqual(match.card.score, { 1: 0, 2: 2 });
});

test("its end is noted", () => {
  const { match } = watched();
  match.onEvent({ type: "match_ended", at: 6 });
  assert.equal(match.ended, true);
  assert.equal(match.card.state, "finished");
});

test("other events change nothing", () => {
  const { match, changes } = watched();
  match.onEvent({ type: "draw_offered", at: 7, seat: 1 });
  assert.equal(changes(), 1);
});
