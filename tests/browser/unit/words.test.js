// The words of the page: familiar ones, and those composed from them.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { before, test } from "node:test";
import { currentLocale, loadTexts, t } from "../../../web/text/text.js";
import { ago, countedText, moment, notationText, reasonText } from "../../../web/text/words.js";

/** @param {string} lang of the page @param {string[]} languages of the reader */
const speak = async (lang, languages = [lang]) => {
  globalThis.document = { documentElement: { dataset: { languages: "en fr" }, lang } };
  globalThis.location = { search: `?lang=${lang}` };
  Object.defineProperty(globalThis, "navigator", { value: { languages }, configurable: true });
  globalThis.localStorage = { getItem: () => null, setItem: () => {} };
  globalThis.fetch = async (url) => new Response(await readFile(url));
  await loadTexts();
};

before(() => speak("en"));

/** The texts of a language by their keys. @param {string} language @returns {Promise<[string, string][]>} */
const texts = async (language) => {
  const files = ["text", "pages"].map((folder) => new URL(`../../../web/${folder}/${language}.json`, import.meta.url));
  const all = Object.assign({}, ...(await Promise.all(files.map(async (file) => JSON.parse(await readFile(file, "utf8"))))));
  return Object.entries(all).flatMap(([section, inside]) =>
    typeof inside === "string"
      ? [[section, inside]]
      : Object.entries(inside).map(([key, text]) => [`${section}.${key}`, JSON.stringify(text)]),
  );
};

/** Words that are unusual in games online, by the language of the texts. */
const UNKNOWN = {
  en: /\bbr(eak|oken?)( it| the match)? off\b|both sides here|picture code|as usual|like the device|dearest|given away|seldom|just so|take over|connecting again|\d:\d/i,
  fr: /\bsupply\b|interrompre|interrompue|comme d’habitude|comme l’appareil|les plus chers|continuer ici|\d:\d/i,
};

test("texts use the usual words", async () => {
  for (const [language, unknown] of Object.entries(UNKNOWN)) {
    assert.deepEqual((await texts(language)).filter(([, text]) => unknown.test(text)), [], language);
  }
});

test("texts about tablut do not mention dice", async () => {
  for (const language of Object.keys(UNKNOWN)) {
    const own = (await texts(language)).filter(([key]) => /^\w+\.tablut\./.test(key));
    assert.ok(own.length > 20, language);
    // "A hunt without dice" describes the game.
    assert.deepEqual(own.filter(([key, text]) => key !== "games.tablut.line" && /\b(dice|dés)\b/i.test(text)), [], language);
  }
});

/** The general problems of a tournament whose matches are impossible; on the wire they have no code of their own. */
const TERMS = { tournament_terms: "invalid_body" };

test("every refusal of a tournament has a text of tournaments", async () => {
  const source = (/** @type {string} */ path) => readFile(new URL(`../../../crates/${path}`, import.meta.url), "utf8");
  const [, onWire] = /--- tournaments ---(.*?)\/\/ ---/s.exec(await source("protocol/src/problem.rs")) ?? [];
  const codes = new Set([
    ...[...(await source("tournament/src/refusal.rs")).matchAll(/Self::\w+(?:\(_\))? => "(\w+)"/g)].map(([, code]) => TERMS[code] ?? code),
    ...[...onWire.matchAll(/^ +\w+ "(\w+)" \d+/gm)].map(([, code]) => code),
  ]);
  assert.ok(codes.size > 50, "the lists are read");
  for (const language of Object.keys(UNKNOWN)) {
    const known = new Set((await texts(language)).map(([key]) => key));
    assert.deepEqual([...codes].filter((code) => !known.has(`tournaments.problem.${code}`)), [], language);
  }
});

test("a die that leads elsewhere names its target, or that it bears off", async () => {
  const wrong = (/** @type {string} */ expected) =>
    reasonText({ code: "wrong_target", params: { die: 2, from: "supply", to: "B3", expected } });
  assert.equal(wrong("A2"), "With a 2 this piece goes to A2.");
  assert.equal(wrong("off"), "With a 2 this piece is borne off.");
  await speak("fr");
  assert.equal(wrong("A2"), "Avec un 2, ce pion va en A2.");
  assert.equal(wrong("off"), "Avec un 2, ce pion sort.");
  await speak("en");
});

test("places beside the board are written in the language of the page", async () => {
  const turn = "supply/5/9* bar/20 6/off(2)";
  assert.equal(notationText(turn), turn);
  await speak("fr");
  assert.equal(notationText(turn), "réserve/5/9* bar/20 6/sortie(2)");
  assert.equal(notationText("e9-e7xe6"), "e9-e7xe6");
  await speak("en");
});

test("dates and numbers have the reader's form, in the language of the page", async () => {
  const at = Date.UTC(2026, 10, 25, 12);
  await speak("en", ["fr-FR", "en-GB", "en-US"]);
  assert.equal(currentLocale(), "en-GB");
  assert.match(moment(at), /^25 Nov 2026/);
  await speak("en", ["en-US"]);
  assert.match(moment(at), /^Nov 25, 2026/);
  await speak("fr", ["de-DE"]);
  assert.equal(currentLocale(), "fr");
  assert.match(t("match.pips", { count: 12_345 }), /^12\s345 /);
  await speak("en");
});

test("small numbers are written as in each language", async () => {
  for (const language of Object.keys(UNKNOWN)) {
    await speak(language);
    const written = new Intl.NumberFormat(language);
    for (const count of [0, 7, 24, 999, 1000, 12_345, 0.5, -3]) {
      assert.ok(t("match.pips", { count }).startsWith(written.format(count)), `${language}, ${count}: ${t("match.pips", { count })}`);
    }
  }
  await speak("en");
});

test("no French line begins with a colon, a question mark or the end of a quotation", async () => {
  const breaks = / [:;?!%»]|« |[^\s\u00a0\u202f({]\?(?!\w)/;
  assert.deepEqual((await texts("fr")).filter(([, text]) => breaks.test(text)), []);
});

test("a moment ago is written without a number", async () => {
  assert.equal(ago(20_000), "just now");
  assert.equal(ago(120_000), "2 minutes ago");
  await speak("fr");
  assert.equal(ago(20_000), "à l’instant");
  await speak("en");
});

test("one of something is written in the singular", async () => {
  await speak("en");
  assert.deepEqual([countedText(1, 1), countedText(2, 1), countedText(1_234, 0)], ["1 game in 1 match", "2 games in 1 match", "1,234 games in 0 matches"]);
  assert.equal(t("home.results.known", { count: 1 }), "Your last match");
  assert.equal(t("statistics.times.days", { count: 1 }), "Correspondence: 1 turn");
  await speak("fr");
  assert.deepEqual([countedText(0, 1), countedText(2, 1)], ["0 partie en 1 rencontre", "2 parties en 1 rencontre"]);
  await speak("en");
});
