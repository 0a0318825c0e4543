// How a board fills its box, and how what is shown on it for a while looks.

import { css } from "../lit.js";

export const frame = css`
  :host {
    display: block;
    position: relative;
    width: 100%;
    min-height: 0;
    aspect-ratio: var(--ratio, 2);
    --carved: var(--serif, Georgia, serif);
  }
  svg {
    position: absolute;
    inset: 0;
    width: 100%;
    height: 100%;
    display: block;
    overflow: visible;
    user-select: none;
    -webkit-user-select: none;
  }
  .dice {
    position: absolute;
    inset: 0 auto auto 0;
    display: flex;
    pointer-events: none;
    --beads: absolute;
    --beads-at: 100% auto auto 50%;
    --beads-shift: -50% 0;
  }
  .dice[hidden] {
    display: none;
  }
  .dice.upright {
    --dice-flow: column;
    --beads-at: 50% auto auto 100%;
    --beads-shift: 0 -50%;
  }
  ::slotted(*) {
    --die: inherit;
  }
  .ground {
    will-change: transform;
    pointer-events: none;
  }
  .play {
    touch-action: manipulation;
  }
  .play.live {
    touch-action: none;
  }
  .play.live .can {
    cursor: pointer;
  }
  .low,
  .men,
  .counts,
  .high,
  .targets,
  .lifted {
    pointer-events: none;
  }

  .places rect {
    fill: transparent;
    stroke: none;
    outline: none;
  }
  .places rect:focus-visible {
    stroke: var(--focus, #174d92);
    stroke-width: 0.075;
    paint-order: stroke;
    filter: none;
  }

  .counts text {
    font: 700 0.46px var(--sans, sans-serif);
    text-anchor: middle;
    dominant-baseline: central;
    stroke-width: 0.14;
    paint-order: stroke;
    stroke-linejoin: round;
  }
  .counts .first {
    fill: #33240f;
    stroke: var(--first-mid);
  }
  .counts .second {
    fill: #ffffff;
    stroke: var(--second-mid);
  }

  .sheen-in {
    stop-color: rgb(255 255 255 / 16%);
  }
  .sheen-out {
    stop-color: rgb(255 255 255 / 0%);
  }
  .inlaid {
    opacity: 0.45;
  }
  .texture {
    filter: url(#noise-wood);
  }
  :host([skin="stone"]) .texture {
    filter: url(#noise-stone);
  }
  :host([skin="contrast"]) .texture {
    display: none;
  }

  .mark {
    fill: none;
    stroke-width: 0.06;
  }
  .mark.last {
    stroke: var(--last);
    fill: var(--last);
    fill-opacity: 0.2;
  }
  .mark .behind {
    fill: none;
    stroke: var(--cut);
    stroke-width: 0.12;
  }
  .mark.hint .behind {
    stroke: var(--glow);
  }
  .mark.hint {
    stroke: var(--go);
    stroke-dasharray: 0.14 0.1;
    stroke-width: 0.08;
  }
  .mark.captured,
  .mark.check {
    stroke: var(--alarm);
    stroke-width: 0.09;
    stroke-linecap: round;
  }
  circle.can {
    fill: none;
    stroke: var(--can);
    stroke-width: 0.055;
  }
  circle.chosen {
    fill: none;
    stroke: var(--go);
    stroke-width: 0.09;
    stroke-dasharray: 0.16 0.1;
  }
  .arrow {
    fill: var(--go);
    stroke: var(--glow);
    stroke-width: 0.05;
    stroke-linejoin: round;
    fill-opacity: 0.92;
  }

  .target .halo {
    fill: var(--glow);
    fill-opacity: 0.45;
  }
  .target .ring {
    fill: var(--glow);
    fill-opacity: 0.7;
    stroke: var(--go);
    stroke-width: 0.09;
  }
  .target.several .ring {
    stroke-dasharray: 0.17 0.09;
  }
  .target .dot {
    fill: var(--go);
  }
  .target.meant .halo {
    fill: var(--go);
    fill-opacity: 0.55;
  }
  .target.meant .ring {
    fill-opacity: 0.95;
    stroke-width: 0.13;
  }
  .faces rect {
    fill: var(--first-mid);
    stroke: #33240f;
    stroke-width: 0.05;
  }
  .faces circle {
    fill: #33240f;
  }
  .faces text {
    font: 700 0.36px var(--sans, sans-serif);
    fill: var(--go);
    text-anchor: middle;
    dominant-baseline: central;
  }

  @media (prefers-reduced-motion: no-preference) {
    .target.meant .halo {
      transition: fill-opacity 120ms;
    }
  }
`;
