// Grain and clouds that lie over wood and stone.

import { svg } from "../lit.js";

/**
 * @param {string} id
 * @param {string} type
 * @param {string} frequency
 * @param {number} octaves
 * @param {string} values what the noise becomes
 */
const texture = (id, type, frequency, octaves, values) =>
  svg`<filter id=${`noise-${id}`} x="0" y="0" width="1" height="1">
    <feTurbulence type=${type} baseFrequency=${frequency} numOctaves=${octaves} seed="11"></feTurbulence>
    <feColorMatrix values=${values} result="noise"></feColorMatrix>
    <feTurbulence type="fractalNoise" baseFrequency="20" numOctaves="2" seed="3"></feTurbulence>
    <feColorMatrix values="0 0 0 0 .2  0 0 0 0 .14  0 0 0 0 .08  0 0 0 .5 -.21"></feColorMatrix>
    <feMerge><feMergeNode in="noise"></feMergeNode><feMergeNode></feMergeNode></feMerge>
    <feComposite in2="SourceAlpha" operator="in"></feComposite></filter>`;

export const textures = svg`
  ${texture("wood", "fractalNoise", ".22 9", 4, "0 0 0 0 .2  0 0 0 0 .08  0 0 0 0 .02  0 0 0 1.3 -.55")}
  ${texture("stone", "turbulence", ".34 .46", 3, "0 0 0 0 .42  0 0 0 0 .34  0 0 0 0 .27  0 0 0 -3.4 .42")}
  <linearGradient id="sheen" x1="0" y1="0" x2=".7" y2="1">
    <stop offset="0" class="sheen-in"/><stop offset=".6" class="sheen-out"/></linearGradient>`;
