// The looks of a board: stone, wood and high contrast, each light and dark.

import { css } from "../lit.js";

export const skins = css`
  :host {
    --frame: light-dark(#74482a, #4a2f1d);
    --field: light-dark(#cc9e68, #80593a);
    --cut: light-dark(rgb(50 26 10 / 78%), rgb(12 6 3 / 85%));
    --lit: light-dark(rgb(255 226 176 / 35%), rgb(255 214 160 / 16%));
    --bowl: light-dark(rgb(46 22 6 / 16%), rgb(0 0 0 / 28%));
    --letter: light-dark(#5e1f10, #fbe2b4);
    --number: light-dark(#4a2a12, #fbecd0);
    --label: light-dark(#f3dfb8, #dcc296);
    --dark-point: light-dark(#6d3a20, #41220f);
    --light-point: light-dark(#ecd3a2, #b98f5c);
    --bar: light-dark(#74482a, #432a1a);
    --special: light-dark(rgb(90 40 14 / 30%), rgb(0 0 0 / 32%));
    --first-high: #fffaf0;
    --first-mid: #f1e4c8;
    --first-low: #cdb68c;
    --first-edge: #9c8358;
    --first-cut: #8d7245;
    --second-high: #5a4a42;
    --second-mid: #2b211d;
    --second-low: #130d0b;
    --second-edge: #070403;
    --second-cut: #d5ac62;
    --king-high: #ffe9a8;
    --king-mid: #dfae45;
    --king-low: #96651a;
    --king-edge: #5e3c0c;
    --king-cut: #4a2c06;
    --mitre: light-dark(rgb(30 14 4 / 55%), rgb(0 0 0 / 60%));
    --string: light-dark(#d8b071, #a47a45);
    --inlay: light-dark(#f5e3b3, #e3c07f);
    --bevel-lit: light-dark(rgb(255 232 196 / 38%), rgb(255 226 190 / 20%));
    --bevel-dim: light-dark(rgb(24 10 2 / 42%), rgb(0 0 0 / 50%));
    --fall: light-dark(rgb(36 16 4 / 60%), rgb(0 0 0 / 70%));
    --depth: 1;
    --men-line: 0.028;
    --outline: 0.016;
    --first-rim: #a98f62;
    --second-rim: rgb(255 240 220 / 26%);
    --can: light-dark(#174d92, #a8d2ff);
    --go: light-dark(#1c5fb0, #8fc6ff);
    --last: light-dark(#ffd24a, #f7d060);
    --alarm: light-dark(#c02414, #ff6a52);
    --glow: light-dark(#fff6dc, #120c08);
  }

  :host([skin="stone"]) {
    --frame: light-dark(#dfd4c0, #524d48);
    --field: light-dark(#f3ede0, #6b645d);
    --cut: light-dark(rgb(74 58 40 / 72%), rgb(18 17 16 / 80%));
    --lit: light-dark(rgb(255 255 255 / 85%), rgb(255 255 255 / 17%));
    --bowl: light-dark(rgb(84 64 40 / 13%), rgb(0 0 0 / 22%));
    --letter: light-dark(#8c2f1c, #f0d09a);
    --number: light-dark(#54412d, #ece6da);
    --label: light-dark(#54412d, #e6dfd2);
    --dark-point: light-dark(#9c5644, #4c2a24);
    --light-point: light-dark(#e6cd98, #a28a5f);
    --bar: light-dark(#dfd4c0, #524d48);
    --special: light-dark(rgb(150 88 62 / 26%), rgb(20 10 8 / 34%));
    --mitre: transparent;
    --string: var(--cut);
    --inlay: light-dark(#c59a45, #e0b45c);
    --bevel-lit: light-dark(rgb(255 255 255 / 80%), rgb(255 255 255 / 20%));
    --bevel-dim: light-dark(rgb(70 58 44 / 34%), rgb(0 0 0 / 46%));
    --fall: light-dark(rgb(60 46 30 / 46%), rgb(0 0 0 / 62%));
    --second-high: #58606a;
    --second-mid: #2a2f36;
    --second-low: #12151a;
    --second-edge: #07090b;
    --second-cut: #b9c6d2;
  }

  :host([skin="contrast"]) {
    --frame: light-dark(#ffffff, #000000);
    --field: light-dark(#ffffff, #000000);
    --cut: light-dark(#000000, #ffffff);
    --lit: transparent;
    --bowl: transparent;
    --letter: light-dark(#000000, #ffffff);
    --number: light-dark(#000000, #ffffff);
    --label: light-dark(#000000, #ffffff);
    --dark-point: light-dark(#8a8a8a, #6a6a6a);
    --light-point: light-dark(#ffffff, #000000);
    --bar: light-dark(#d8d8d8, #2e2e2e);
    --special: light-dark(#d8d8d8, #3a3a3a);
    --first-high: #ffffff;
    --first-mid: #ffffff;
    --first-low: #ffffff;
    --first-edge: #000000;
    --first-cut: #000000;
    --second-high: #000000;
    --second-mid: #000000;
    --second-low: #000000;
    --second-edge: #ffffff;
    --second-cut: #ffffff;
    --king-high: #ffdf3d;
    --king-mid: #ffdf3d;
    --king-low: #ffdf3d;
    --king-edge: #000000;
    --king-cut: #000000;
    --mitre: transparent;
    --string: transparent;
    --inlay: light-dark(#0033cc, #66b3ff);
    --bevel-lit: var(--cut);
    --bevel-dim: var(--cut);
    --fall: transparent;
    --depth: 0;
    --men-line: 0.05;
    --outline: 0.045;
    --first-rim: #000000;
    --second-rim: #ffffff;
    --can: light-dark(#0033cc, #66b3ff);
    --go: light-dark(#0033cc, #66b3ff);
    --last: light-dark(#b35900, #ffd500);
    --glow: light-dark(#ffffff, #000000);
  }

  .frame {
    fill: var(--frame);
  }
  .field {
    fill: var(--field);
  }
  .grain {
    mix-blend-mode: multiply;
  }
  .mitre {
    fill: none;
    stroke: var(--mitre);
    stroke-width: 0.02;
  }
  .string {
    fill: none;
    stroke: var(--string);
    stroke-width: 0.03;
  }
  .bevel .lit {
    fill: var(--bevel-lit);
  }
  .bevel .dim {
    fill: var(--bevel-dim);
  }
  .sheen-in {
    stop-color: rgb(255 255 255 / 14%);
  }
  .sheen-out {
    stop-color: rgb(255 255 255 / 0%);
  }
  .fall-in {
    stop-color: var(--fall);
  }
  .fall-mid {
    stop-color: var(--fall);
    stop-opacity: 0.36;
  }
  .fall-out {
    stop-color: var(--fall);
    stop-opacity: 0;
  }
  .bowl-in {
    stop-color: var(--fall);
    stop-opacity: 0.85;
  }
  .bowl-mid {
    stop-color: var(--fall);
    stop-opacity: 0.25;
  }
  .bowl-out {
    stop-color: var(--lit);
    stop-opacity: 0.5;
  }
  .under {
    fill: rgb(0 0 0 / 28%);
  }
  .bar {
    fill: var(--bar);
  }
  .dark-point {
    fill: var(--dark-point);
  }
  .light-point {
    fill: var(--light-point);
  }
  .camp,
  .throne {
    fill: var(--special);
  }
  .floor {
    fill: var(--bowl);
    stroke: var(--cut);
    stroke-width: 0.02;
  }
  /* Leather for the dice. */
  .dice-floor {
    fill: light-dark(#a35c46, #7c4334);
    stroke: var(--cut);
    stroke-width: 0.02;
  }
  :host([skin="contrast"]) .dice-floor {
    fill: light-dark(#d8d8d8, #5a5a5a);
  }
  .sign {
    opacity: 0.8;
    fill: none;
    stroke-width: 0.045;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  .sign circle {
    stroke-width: 0.03;
  }
  .sign.first {
    stroke: var(--first-cut);
  }
  .sign.first circle {
    fill: var(--first-mid);
  }
  .sign.second {
    stroke: var(--second-cut);
  }
  .sign.second circle {
    fill: var(--second-mid);
  }
  .cut,
  .light {
    fill: none;
    stroke-width: 0.032;
    stroke-linejoin: round;
  }
  .cut {
    stroke: var(--cut);
  }
  .light {
    stroke: var(--lit);
  }
  .cut .filled {
    fill: var(--cut);
    stroke: none;
  }
  .light .filled {
    fill: var(--lit);
    stroke: none;
  }
  .cut .bowl {
    fill: url(#bowl);
  }
  .letter {
    font: 600 60px var(--carved);
    text-anchor: middle;
    dominant-baseline: central;
    stroke: none;
  }
  .cut .letter {
    fill: var(--letter);
  }
  .light .letter {
    fill: var(--lit);
  }
  .labels text {
    fill: var(--label);
    font: var(--written) var(--carved);
    /* At least 11 px on the screen, if the board knows the pixels of a cell. */
    --least: calc(1100px / var(--unit, 100));
    --written: max(31px, var(--least));
    text-anchor: middle;
    dominant-baseline: central;
    font-variant-numeric: lining-nums;
  }

  .labels.upright text {
    --written: max(36px, var(--least));
  }
  .labels.upright.rows text {
    --written: max(33px, var(--least));
  }
  .labels.upright.named text {
    --written: max(27px, var(--least));
  }
  .labels.rows text {
    fill: var(--number);
  }
  .shade-in {
    stop-color: rgb(20 10 4 / 55%);
  }
  .shade-out {
    stop-color: rgb(20 10 4 / 0%);
  }
  .first-high {
    stop-color: var(--first-high);
  }
  .first-mid {
    stop-color: var(--first-mid);
  }
  .first-low {
    stop-color: var(--first-low);
  }
  .second-high {
    stop-color: var(--second-high);
  }
  .second-mid {
    stop-color: var(--second-mid);
  }
  .second-low {
    stop-color: var(--second-low);
  }
  .king-high {
    stop-color: var(--king-high);
  }
  .king-mid {
    stop-color: var(--king-mid);
  }
  .king-low {
    stop-color: var(--king-low);
  }
  .shadow,
  .gloss,
  .man-light {
    opacity: var(--depth);
  }
  .man-face {
    stroke-width: var(--outline);
  }
  .man-face.first {
    stroke: var(--first-rim);
  }
  .man-face.second {
    stroke: var(--second-rim);
  }
  .man-face.king {
    stroke: var(--king-edge);
  }
  .man-edge.first {
    fill: var(--first-edge);
  }
  .man-edge.second {
    fill: var(--second-edge);
  }
  .man-edge.king {
    fill: var(--king-edge);
  }
  .man-cut,
  .man-light {
    fill: none;
    stroke-width: var(--men-line);
  }
  .man-cut.first {
    stroke: var(--first-cut);
  }
  .man-cut.second {
    stroke: var(--second-cut);
  }
  .man-light.first {
    stroke: rgb(255 255 255 / 75%);
  }
  .man-cut.first .dot {
    fill: var(--first-cut);
    stroke: none;
  }
  .crown {
    fill: none;
    stroke: var(--king-cut);
    stroke-width: 0.055;
    stroke-linejoin: round;
    stroke-linecap: round;
  }
  .king-ring {
    fill: none;
    stroke: var(--king-cut);
    stroke-width: 0.025;
  }
  .gloss {
    fill: rgb(255 255 255 / 45%);
  }
  :host([skin="contrast"]) :is(.under, .sheen, .fall) {
    display: none;
  }
`;
