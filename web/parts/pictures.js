// A typical position of each game, for its picture.

/** @typedef {import("../api/wire").components["schemas"]["Game"]} Game */
/** @typedef {import("../api/wire").components["schemas"]["Position"]} Position */

/** @type {Record<Game, Position>} */
export const PICTURES = {
  // Agathias: the emperor has thrown 2, 5 and 6, and must leave eight pieces alone.
  zeno: {
    white: { points: { 6: 7, 9: 1, 10: 2, 19: 2, 20: 2, 23: 1 }, exposed: true },
    black: { points: { 8: 2, 11: 2, 12: 2, 13: 1, 14: 2, 15: 2, 18: 2, 21: 2 }, exposed: true },
    to_move: "white",
  },
  // Each side holds a piece of the other prisoner.
  tavla: {
    white: { points: { 24: 5, 17: 2, 15: 2, 14: 2, 13: 1, 11: 1, 9: 1, 3: 1 }, pinned: ["13", "11"] },
    black: {
      points: { 24: 5, 20: 1, 19: 2, 18: 1, 17: 1, 14: 1, 12: 1, 9: 1, 8: 1, 3: 1 },
      pinned: ["8"],
    },
    to_move: "white",
  },
  // Pieces on all letters from A to E.
  scripta: {
    white: {
      points: { A6: 2, A7: 1, A8: 2, B3: 1, B4: 1, B5: 1, C1: 3, C3: 1, D1: 1, E1: 2 },
    },
    black: {
      points: { A1: 2, A3: 1, A5: 1, A9: 2, A11: 1, B2: 3, D3: 1, E2: 3, E4: 1 },
    },
    to_move: "white",
  },
  // A black piece waits on the bar.
  tabula: {
    white: { points: { 4: 1, 6: 2, 8: 1, 9: 5, 11: 3, 17: 1, 23: 1, 24: 1 } },
    black: { points: { 3: 1, 4: 1, 6: 1, 9: 5, 13: 2, 18: 3, 22: 1 }, bar: 1 },
    to_move: "black",
  },
  // The king has left his throne, and the ring around him has gaps.
  tablut: { board: "4t4/t3t4/t8/3tTt2t/1t1TK2tt/tT4T2/1T4T2/4t4/4t3t", to_move: "attackers" },
};
