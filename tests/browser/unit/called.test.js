// The names of players.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { before, test } from "node:test";
import { playerName, told, turnText } from "../../../web/match/telling.js";
import { loadTexts } from "../../../web/text/text.js";
import { calledText, markedText } from "../../../web/text/words.js";

const COMPUTER = { id: "c", name: "Computer 4", kind: "computer", level: 4 };
const BOT = { id: "b", name: "Hal", kind: "bot" };
const ANNA = { id: "a", name: "Anna", kind: "person" };

const speak = async (lang) => {
  globalThis.document = { documentElement: { dataset: { languages: "en fr" }, lang } };
  globalThis.location = { search: `?lang=${lang}` };
  globalThis.navigator ??= { languages: [lang] };
  globalThis.localStorage = { getItem: () => null, setItem: () => {} };
  globalThis.fetch = async (url) => new Response(await readFile(url));
  await loadTexts();
};

before(() => speak("en"));

const moment = (one, two, more) => ({ game: "zeno", players: { 1: one, 2: two }, sides: { 1: "white", 2: "black" }, ...more });

test("the computer is named by its level, in the person's own language", async () => {
  assert.equal(calledText(COMPUTER), "Computer (Expert)");
  await speak("fr");
  assert.equal(calledText({ ...COMPUTER, level: 1 }), "Ordinateur (Débutant)");
  await speak("en");
});

test("an erased name is shown in the reader's language", async () => {
  const called = () => ["Erased guest", "Livia Ostiensis"].map((name) => calledText({ name, kind: "person" }));
  assert.deepEqual(called(), ["Erased guest", "Livia Ostiensis"]);
  await speak("fr");
  assert.deepEqual(called(), ["Invité effacé", "Livia Ostiensis"]);
  await speak("en");
});

test("an unknown level is a number", () => {
  assert.equal(calledText({ ...COMPUTER, level: 9 }), "Computer (9)");
});

test("bots are distinguishable from people where no mark stands beside the name", () => {
  assert.deepEqual([BOT, ANNA, { id: "o", name: "Old" }].map(markedText), ["Hal (bot)", "Anna", "Old"]);
  assert.equal(told({ type: "joined", player: BOT }, moment(ANNA, BOT)), "Hal (bot) has joined.");
});

test("two computers are distinguishable", () => {
  const watched = moment(COMPUTER, { ...COMPUTER, id: "d", level: 2 });
  assert.deepEqual([1, 2].map((seat) => playerName(watched, seat)), ["Computer (Expert)", "Computer (Casual)"]);
  const same = moment(COMPUTER, COMPUTER);
  assert.deepEqual([1, 2].map((seat) => playerName(same, seat)), ["Computer (Expert, White)", "Computer (Expert, Black)"]);
});

test("the computer thinks; other players are waited for", () => {
  const toPlay = { seat: 2, dice: [] };
  assert.equal(turnText(moment(ANNA, COMPUTER, { toPlay }), false, false), "Computer (Expert) is thinking …");
  assert.equal(turnText(moment(ANNA, BOT, { toPlay }), false, false), "Hal to play");
});
