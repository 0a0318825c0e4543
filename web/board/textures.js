// Grain and clouds that lie over wood and stone.

import { svg } from "../lit.js";

/** @param {string} id @param {string} frequency @param {string} values what the noise becomes @param {number} seed */
const texture = (
  id,
  frequency,
  values,
  seed,
) => svg`<filter id=${`noise-${id}`} x="0" y="0" width="1" height="1">
    <feTurbulence type="fractalNoise" baseFrequency=${frequency} numOctaves="4" seed=${seed}></feTurbulence>
    <feColorMatrix values=${values}></feColorMatrix>
    <feComposite in2="SourceAlpha" operator="in"></feComposite></filter>`;

export const textures = svg`
  ${texture("wood", "0.35 6", "0 0 0 0 .16  0 0 0 0 .07  0 0 0 0 .02  0 0 0 1.5 -.58", 11)}
  ${texture("stone", "0.5 0.7", "0 0 0 0 .36  0 0 0 0 .28  0 0 0 0 .2  0 0 0 2 -.88", 4)}
  <linearGradient id="sheen" x1="0" y1="0" x2=".7" y2="1">
    <stop offset="0" class="sheen-in"/><stop offset=".6" class="sheen-out"/></linearGradient>`;
