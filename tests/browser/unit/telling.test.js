// The texts for ends, and for dice that could not be played.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { before, test } from "node:test";
import { rowsOf } from "../../../web/match/rows.js";
import { checkText, gameEnd, matchEndedText, told, unplayedText } from "../../../web/match/telling.js";
import { loadTexts } from "../../../web/text/text.js";

before(async () => {
  globalThis.document = { documentElement: { dataset: { languages: "en" }, lang: "en" } };
  globalThis.location = { search: "" };
  globalThis.navigator ??= { languages: ["en"] };
  globalThis.fetch = async (url) => new Response(await readFile(url));
  await loadTexts();
});

/** A match that Anna has won. @param {object} [end] @param {object} [more] */
const won = (end = {}, more = {}) => ({
  points: 1,
  score: { 1: 1, 2: 0 },
  players: { 1: { id: "a", name: "Anna" }, 2: { id: "b", name: "Berit" } },
  sides: { 1: "white", 2: "black" },
  ended: [{ game: 1, reason: "resigned", winner: 1, points: 1, ...end }],
  result: { result: "won", winner: 1 },
  ...more,
});

const ALONE = { 1: { id: "a", name: "Anna" }, 2: { id: "a", name: "Anna" } };

for (const [what, moment, seats, title, why, points] of [
  ["the winner", won(), [1], "You have won.", "Berit has resigned", "1 point"],
  ["the loser", won(), [2], "You have lost.", "You have resigned", "1 point"],
  ["a watcher", won(), [], "Anna has won.", "Berit has resigned", "1 point"],
  ["who plays both sides", won({}, { players: ALONE }), [1, 2], "White has won.", "Black has resigned", "1 point"],
  ["the winner by two points", won({ reason: "mars", points: 2 }), [1], "You have won.", "Mars, the loser has borne off nothing", "2 points"],
  ["who runs out of time", won({ reason: "time" }), [2], "You have lost.", "Your time has run out", "1 point"],
  ["both of a draw", won({ reason: "agreed", winner: undefined, points: 0 }), [1], "The game is drawn.", "By agreement", ""],
]) {
  test(`the end of a game, told to ${what}`, () => {
    assert.deepEqual(gameEnd(moment, seats), { title, why, points });
  });
}

test("an aborted game has no end to tell", () => {
  assert.equal(gameEnd(won({ reason: "aborted" }), [1]), undefined);
  assert.equal(gameEnd(won({}, { ended: [] }), [1]), undefined);
});

test("the players are told about the match as theirs", () => {
  assert.equal(matchEndedText(won(), [1]), "You have won.");
  assert.equal(matchEndedText(won(), [2]), "You have lost.");
  assert.equal(matchEndedText(won(), []), "Anna has won.");
  assert.equal(matchEndedText(won({}, { points: 3, score: { 1: 3, 2: 1 } }), [2]), "You lose the match, 3–1.");
});

for (const [dice, steps, text] of [
  [[3, 4, 6], [3], "3 played; 4 and 6 blocked"],
  [[3, 4], [], "3 and 4 blocked"],
  [[3, 4], [4, 3], ""],
  [[5, 5], [5, 5, 5], ""],
  [[5, 5, 2], [5], "5 played; 5 and 2 blocked"],
  [[], [], ""],
]) {
  test(`of ${dice.join("-") || "no dice"}, ${steps.join(" ") || "none"} played: ${text || "nothing left"}`, () => {
    assert.equal(unplayedText(dice, steps.map((die) => ({ die }))), text);
  });
}

test("the list of turns says which dice were blocked, and which the winning turn did not need", () => {
  const last = (steps) => ({ seat: 1, side: "white", dice: [3, 4], steps });
  const events = [
    { seq: 1, type: "turned", side: "white", notation: "8/5" },
    { seq: 2, type: "passed", side: "black" },
    { seq: 3, type: "turned", side: "white", notation: "3/off" },
    { seq: 4, type: "game_ended", reason: "borne_off", winner_seat: 1, points: 1 },
  ];
  const left = [{ points: { 3: 2 }, off: 13 }, { points: { 3: 2 }, off: 13 }, { points: {}, off: 15 }, { points: {}, off: 15 }];
  const moments = [[{ die: 3 }], [], [{ die: 3 }], []].map((steps, nth) =>
    won({}, { last: last(steps), position: { white: left[nth], black: { points: { 1: 1 }, off: 14 } } }));
  const all = ["3 played; 4 blocked", "3 and 4 blocked", "3 played; 4 not needed", ""];
  assert.deepEqual(rowsOf(events, moments).map(({ left }) => left), all);
  // The turn is listed before the end of the game is known.
  const known = rowsOf(events.slice(0, 3), moments);
  assert.deepEqual(rowsOf(events, moments, known, 3).map(({ left }) => left), all);
});

test("turns that were taken back stay in the list, and the numbers continue from before them", () => {
  const events = [
    { seq: 1, type: "turned", side: "white", notation: "8/5" },
    { seq: 2, type: "turned", side: "black", notation: "8/4" },
    { seq: 3, type: "turned", side: "white", notation: "6/3" },
    { seq: 4, type: "taken_back", to: 2, turn: 3 },
    { seq: 5, type: "draw_offered", seat: 1 },
    { seq: 6, type: "turned", side: "white", notation: "6/2" },
  ];
  const moments = events.map(() => won({}, { last: undefined }));
  const listed = (rows) => rows.map(({ number, text, takenBack }) => [number, text, takenBack]);
  const all = [[1, "8/5", undefined], [2, "8/4", undefined], [3, "6/3", 4], [3, "6/2", undefined]];
  assert.deepEqual(listed(rowsOf(events, moments)), all);
  // For every length of the known prefix.
  for (const count of [2, 3, 4, 5]) {
    const known = rowsOf(events.slice(0, count), moments);
    assert.deepEqual(listed(rowsOf(events, moments, known, count)), all, `${count} at first`);
  }
});

test("dice can be checked; without dice, the drawing of the sides, if there was one", () => {
  assert.equal(checkText({ game: "tavla", isByLot: false }), "Check the dice");
  assert.equal(checkText({ game: "tablut", isByLot: true }), "Check the random sides");
  assert.equal(checkText({ game: "tablut", isByLot: false }), "");
});

for (const [type, to, others] of [
  ["takeback_offered", "You ask to take your last turn back.", "Berit asks to take the last turn back."],
  ["takeback_declined", "You do not let the turn be taken back.", "Berit does not let the turn be taken back."],
  ["draw_offered", "You offer a draw.", "Berit offers a draw."],
  ["draw_declined", "You decline the draw.", "Berit declines the draw."],
  ["rematch_offered", "You offer a rematch.", "Berit offers a rematch."],
  ["rematch_declined", "You decline the rematch.", "Berit declines the rematch."],
]) {
  test(`${type} is told to the player who did it as their own`, () => {
    const said = (mine) => told({ type, seat: 2 }, won(), mine);
    assert.deepEqual([[2], [1], [], [1, 2]].map(said), [to, others, others, others]);
  });
}

test("a drawn pair has a score", () => {
  const drawn = won({}, { games: 2, score: { 1: 1, 2: 1 }, result: { result: "drawn" } });
  assert.equal(matchEndedText(drawn), "The match is drawn, 1–1.");
  assert.equal(matchEndedText(won({}, { games: 2, score: { 1: 2, 2: 0 } })), "Anna wins the match, 2–0.");
});
