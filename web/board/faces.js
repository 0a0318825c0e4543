// Small faces of dice that show which dice a move plays.

import { nothing, svg } from "../lit.js";
import { writtenAt } from "./letters.js";

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

/** The centres of a die's pips, in steps of one from its middle. @param {number} die */
export const pipsOf = (die) => PIPS[die] ?? [];

/** The size of a die, the gap between two, and the width of their number. */
const SIZE = 0.38;
const GAP = 0.03;
const NUMBER = 0.46;

/** Several equal dice are shown as one die and their number. @param {number[]} dice */
const areAlike = (dice) => dice.length > 2 && dice.every((die) => die === dice[0]);

/** Whether dice stay distinguishable at a small size. @param {number[]} dice */
export const canShow = (dice) => dice.length === 2 || areAlike(dice);

/** @param {number[]} dice */
function widthOf(dice) {
  const count = areAlike(dice) ? 1 : dice.length;
  return count * (SIZE + GAP) - GAP + (areAlike(dice) ? NUMBER : 0);
}

/** Half the width of dice in a row. @param {number[]} dice */
export const reachOf = (dice) => Math.hypot(widthOf(dice), SIZE) / 2;

/** Dice in a row around (0, 0); several equal ones as one die and their number. @param {number[]} dice */
export function faces(dice) {
  const alike = areAlike(dice);
  const shown = alike ? dice.slice(0, 1) : dice;
  const left = -widthOf(dice) / 2;
  return svg`<g class="faces">${shown.map((die, index) => face(die, left + SIZE / 2 + index * (SIZE + GAP), SIZE))}
    ${alike ? svg`<text transform=${writtenAt(left + SIZE + NUMBER / 2, 0)}>×${dice.length}</text>` : nothing}</g>`;
}

/** @param {number} die @param {number} x @param {number} size */
const face = (die, x, size) => svg`<g transform="translate(${x} 0) scale(${size})">
  <rect x="-.5" y="-.5" width="1" height="1" rx=".18"/>
  ${pipsOf(die).map(([across, down]) => svg`<circle cx=${across * 0.26} cy=${down * 0.26} r=".1"/>`)}</g>`;
