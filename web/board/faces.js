// Small faces of dice, to show which ones a move plays.

import { nothing, svg } from "../lit.js";

const PIPS = [
  [],
  [[0, 0]],
  [
    [-1, -1],
    [1, 1],
  ],
  [
    [-1, -1],
    [0, 0],
    [1, 1],
  ],
  [
    [-1, -1],
    [1, -1],
    [-1, 1],
    [1, 1],
  ],
  [
    [-1, -1],
    [1, -1],
    [0, 0],
    [-1, 1],
    [1, 1],
  ],
  [
    [-1, -1],
    [1, -1],
    [-1, 0],
    [1, 0],
    [-1, 1],
    [1, 1],
  ],
];

/** Where the pips of a die are, in steps of one from its middle. @param {number} die */
export const pipsOf = (die) => PIPS[die] ?? [];

/** Dice in a row around (0, 0); many of a kind as one and their number. @param {number[]} dice */
export function faces(dice) {
  const alike = dice.length > 2 && dice.every((die) => die === dice[0]);
  const shown = alike ? dice.slice(0, 1) : dice;
  const size = shown.length > 2 ? 0.3 : 0.38;
  const gap = 0.03;
  const width = shown.length * (size + gap) - gap + (alike ? 0.4 : 0);
  return svg`<g class="faces">${shown.map((die, index) =>
    face(die, index * (size + gap) - width / 2 + size / 2, size),
  )}${alike ? svg`<text x=${width / 2 - 0.17} y="0">×${dice.length}</text>` : nothing}</g>`;
}

/** @param {number} die @param {number} x @param {number} size */
const face = (die, x, size) => svg`<g transform="translate(${x} 0) scale(${size})">
  <rect x="-.5" y="-.5" width="1" height="1" rx=".18"/>
  ${pipsOf(die).map(([across, down]) => svg`<circle cx=${across * 0.26} cy=${down * 0.26} r=".1"/>`)}</g>`;
