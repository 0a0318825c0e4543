// Grain and clouds that lie over wood and stone.

import { svg } from "../lit.js";

/**
 * @param {string} id
 * @param {string} type
 * @param {string} frequency
 * @param {string} values what the noise becomes
 */
const texture = (id, type, frequency, values) =>
  svg`<filter id=${`noise-${id}`} x="0" y="0" width="1" height="1">
    <feTurbulence type=${type} baseFrequency=${frequency} numOctaves="4" seed="11"></feTurbulence>
    <feColorMatrix values=${values}></feColorMatrix>
    <feComposite in2="SourceAlpha" operator="in"></feComposite></filter>`;

export const textures = svg`
  ${texture("wood", "fractalNoise", ".22 9", "0 0 0 0 .2  0 0 0 0 .08  0 0 0 0 .02  0 0 0 1.3 -.55")}
  ${texture("stone", "turbulence", ".45 .6", "0 0 0 0 .4  0 0 0 0 .32  0 0 0 0 .24  0 0 0 -2.6 .42")}
  <linearGradient id="sheen" x1="0" y1="0" x2=".7" y2="1">
    <stop offset="0" class="sheen-in"/><stop offset=".6" class="sheen-out"/></linearGradient>`;
