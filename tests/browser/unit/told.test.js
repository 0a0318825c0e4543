// Texts for people: the rules with their pictures, and the first games.

import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

const ROOT = new URL("../../../", import.meta.url);
const GAMES = ["zeno", "tavla", "scripta", "tabula", "tablut"];

/** @param {string} name */
const read = (name) => readFileSync(new URL(name, ROOT), "utf8");
/** @param {string} name */
const readJson = (name) => JSON.parse(read(name));

const languages = readdirSync(new URL("web/text/", ROOT))
  .filter((name) => name.endsWith(".json"))
  .map((name) => name.slice(0, -".json".length));
/** The languages of the rules. */
const told = readdirSync(new URL("docs/rules/", ROOT)).filter((name) => /^[a-z]{2}$/.test(name));
const diagrams = readJson("docs/rules/diagrams.json");

/** @param {string} language @param {string} page */
function picturesOf(language, page) {
  const names = read(`docs/rules/${language}/${page}.md`).matchAll(/!\[(.+)\]\(\.\.\/diagrams\/(.+)\.svg\)/g);
  return [...names].map(([, , name]) => name);
}

test("every picture is a diagram, the same ones in every language", () => {
  for (const page of [...GAMES, "index"]) {
    const pictures = picturesOf("en", page);
    for (const name of pictures) assert.ok(diagrams[name], `${name} in ${page}`);
    for (const language of told) assert.deepEqual(picturesOf(language, page), pictures, page);
  }
});

test("every diagram is a picture of its game's page", () => {
  for (const [name, { game }] of Object.entries(diagrams)) {
    assert.ok(picturesOf("en", game).includes(name), name);
  }
});

test("links from page to page lead somewhere", () => {
  for (const language of told) {
    for (const page of [...GAMES, "index"]) {
      const from = new URL(`docs/rules/${language}/${page}.md`, ROOT);
      for (const [, to] of readFileSync(from, "utf8").matchAll(/[^!]\[[^\]]+\]\(([^)]+\.md)\)/g)) {
        assert.ok(existsSync(new URL(to, from)), `${to} in ${from.pathname}`);
      }
    }
  }
});

test("every text of a station exists in every language, and no other", () => {
  /** @type {string[]} */
  const said = [];
  for (const game of GAMES) {
    const { game: named, stations } = readJson(`web/learn/${game}.json`);
    assert.equal(named, game);
    for (const { say, hint, then } of stations) said.push(...[say, hint, then].filter(Boolean));
  }
  for (const language of languages) {
    const texts = Object.keys(readJson(`web/pages/${language}.json`).learn);
    const ofGames = texts.filter((key) => GAMES.includes(key.split(".")[0] ?? ""));
    assert.deepEqual(ofGames.sort(), said.toSorted(), language);
  }
});

test("a station is a turn of the learner", () => {
  for (const game of GAMES) {
    const { stations } = readJson(`web/learn/${game}.json`);
    for (const { side, position, expect } of stations) {
      assert.equal(position.to_move, side);
      assert.equal(Object.keys(expect).length, 1);
    }
  }
});
