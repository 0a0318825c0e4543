// The games in the catalogue, and the positions of the rules' tests.

import { readFileSync } from "node:fs";

const games = JSON.parse(readFileSync(new URL("./games.json", import.meta.url), "utf8"));

export const GAMES = Object.keys(games);

/** A game's entry of the catalogue. */
export const entryOf = (game) => games[game];

/** Every position of the test vectors of a game. */
export function vectorsOf(game) {
  return [game, `${game}-corners`].flatMap((name) => {
    const file = new URL(`../../../crates/rules/tests/vectors/${name}.jsonl`, import.meta.url);
    return readFileSync(file, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
  });
}
