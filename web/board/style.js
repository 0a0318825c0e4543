// How a board fills its box, and the look of its marks.

import { css } from "../lit.js";

export const frame = css`
  :host {
    display: block;
    position: relative;
    width: 100%;
    min-height: 0;
    aspect-ratio: var(--ratio, 2);
    --carved: var(--title, Georgia, serif);
  }
  .ground,
  .play {
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
  }
  .dice[hidden] {
    display: none;
  }
  .dice.upright {
    --dice-flow: column;
    --turns-at: calc(100% + var(--die) * 0.17) auto auto 50%;
    --turns-turn: 90deg;
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
  .play.live .can,
  .play.on-dice {
    cursor: pointer;
  }
  .ways,
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

  .tray-name {
    display: var(--tray-names, inline);
    font: 600 var(--written) var(--carved);
    --least: calc(1100px / var(--unit, 100));
    --written: max(26px, var(--least));
    dominant-baseline: central;
    fill: var(--label);
  }
  .tray-name.narrow {
    text-anchor: middle;
    --written: min(max(20px, var(--least)), var(--fits, 100px));
  }

  .counts text {
    font: 700 max(48px, calc(1600px / var(--unit, 100))) var(--carved);
    font-variant-numeric: lining-nums;
    text-anchor: middle;
    dominant-baseline: central;
    stroke-width: 14;
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


  .mark {
    fill: none;
    stroke-width: 0.06;
  }
  .mark.last {
    stroke: var(--last);
    stroke-width: 0.045;
    stroke-linejoin: round;
    fill: var(--last);
    fill-opacity: 0.26;
  }
  .mark .behind {
    fill: none;
    stroke: var(--cut);
    stroke-width: 0.12;
  }
  .mark.last .behind {
    stroke-width: 0.075;
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
  /* While a piece is held its targets matter: the last move and the route fade. */
  .play:has(circle.chosen) .mark.last {
    opacity: 0.3;
  }
  .play:has(circle.chosen) .route {
    opacity: 0.5;
  }
  circle.can {
    fill: none;
    stroke: var(--can);
    stroke-width: 0.055;
  }
  /* Premoves must not draw attention. */
  :host([ahead]) circle.can {
    display: none;
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

  /* The route is inlaid in the board: a line in its groove, and arrowheads. */
  .route {
    opacity: var(--route-opacity, 1);
    transition: opacity 1.5s;
  }
  .route .behind,
  .route .along {
    fill: none;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  .route .behind {
    stroke: var(--cut);
    stroke-width: 0.12;
  }
  .route .along {
    stroke: var(--inlay);
    stroke-width: 0.07;
  }
  .route .head,
  .route .from {
    fill: var(--inlay);
    stroke: var(--cut);
    stroke-width: 0.03;
    stroke-linejoin: round;
  }
  .route .sign {
    opacity: 1;
  }
  .route .goal {
    fill: none;
    stroke: var(--inlay);
    stroke-width: 0.06;
    paint-order: stroke;
  }

  .target .dot {
    fill: var(--go);
    stroke: var(--glow);
    stroke-width: 0.04;
    opacity: 0.72;
  }
  .target .ring {
    fill: none;
    stroke: var(--go);
    stroke-width: 0.1;
    opacity: 0.85;
  }
  .target .disc {
    fill: var(--glow);
    fill-opacity: 0.72;
    stroke: var(--go);
    stroke-width: 0.03;
  }
  .target.meant .dot {
    opacity: 1;
    transform: scale(1.5);
  }
  .target.meant .ring,
  .target.meant .disc {
    opacity: 1;
    stroke-width: 0.15;
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
    font: 700 36px var(--text, serif);
    fill: var(--go);
    text-anchor: middle;
    dominant-baseline: central;
  }

  .taken > use {
    transform: translate(-0.02px, -0.1px) scale(1.1);
  }

  @media (prefers-reduced-motion: no-preference) {
    :host(:not([still])) .men use {
      transition: transform 140ms ease-out;
    }
    .target .dot {
      transition: transform 120ms;
    }
  }
`;
