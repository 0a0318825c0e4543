// The dice of a throw: bone, with ringed pips, as the Romans cut them. Played dice keep their face and get a tick.

import { LitElement, css, html, nothing, repeat, svg } from "../lit.js";
import { moving } from "../player/preferences.js";
import { t } from "../text/text.js";
import { pipsOf } from "./faces.js";
import { spread } from "./spread.js";

/** @typedef {"ready" | "played" | "unplayable" | "unneeded"} DieState */

/** How long the first die rolls; each further die takes longer. */
const ROLL_MS = 760;
const LATER_MS = 130;

/**
 * @fires lusoria-throw the person rolls
 * @fires lusoria-order the person wants another order
 */
export class Dice extends LitElement {
  static properties = {
    dice: { attribute: false },
    states: { attribute: false },
    seq: { type: Number },
    covered: { type: Boolean },
    watched: { type: Boolean },
    ordered: { type: Boolean },
    side: { type: String },
    label: { type: String },
  };

  static styles = css`
    :host {
      display: inline-block;
      position: relative;
      --die: 2.75rem;
    }
    .dice {
      display: flex;
      flex-direction: var(--dice-flow, row);
      align-items: center;
      justify-content: center;
      gap: calc(var(--die) * 0.34);
      min-height: calc(var(--die) * 1.28);
    }
    .group {
      position: relative;
    }
    .faces {
      font-size: var(--die);
      display: flex;
      flex-direction: var(--dice-flow, row);
      align-items: center;
      gap: calc(var(--die) * 0.34);
    }
    svg {
      display: block;
      width: var(--die);
      height: var(--die);
      overflow: visible;
    }
    .defs {
      position: absolute;
      width: 0;
      height: 0;
    }
    /* How often a die of this value can still be played, as a badge. */
    .faces .uses {
      margin: calc(var(--die) * -0.06) calc(var(--die) * -0.06) calc(var(--die) * -0.06) calc(var(--die) * -0.12);
      width: calc(var(--die) * 0.62);
      height: calc(var(--die) * 0.62);
    }
    .uses.none {
      visibility: hidden;
    }
    .uses circle {
      fill: #fff8e6;
      stroke: #4a2c12;
      stroke-width: 6;
    }
    .uses text {
      font: 700 62px var(--title, Georgia, serif);
      fill: #2a1608;
      text-anchor: middle;
      dominant-baseline: central;
    }
    .edge {
      fill: #8f6f3e;
      stroke: #3d2610;
      stroke-width: 2.5;
    }
    .grain {
      fill: none;
      stroke: #a97f45;
      stroke-width: 1.3;
      stroke-linecap: round;
      opacity: 0.3;
    }
    .worn {
      fill: none;
      stroke: #fffdf5;
      stroke-width: 2.4;
      stroke-linecap: round;
      opacity: 0.85;
    }
    .bone {
      fill: url(#bone);
    }
    .cube,
    .shadow {
      transform-origin: 50px 50px;
    }
    /* The faces that a rolling die shows. */
    .before,
    .between {
      opacity: 0;
    }
    .bone-in {
      stop-color: #fff9e8;
    }
    .bone-out {
      stop-color: #dcc392;
    }
    .shadow {
      fill: light-dark(rgb(60 36 14 / 32%), rgb(0 0 0 / 60%));
    }
    .pip {
      fill: #24100a;
    }
    .ring {
      fill: none;
      stroke: #4a2614;
      stroke-width: 1.5;
    }
    .black .bone-in {
      stop-color: #4d3f37;
    }
    .black .bone-out {
      stop-color: #17100d;
    }
    .black .edge {
      fill: #080504;
      stroke: #c2a878;
    }
    .black .grain {
      stroke: #8a7565;
    }
    .black .worn {
      stroke: #a58f7c;
      opacity: 0.5;
    }
    .black .pip {
      fill: #fff1cf;
    }
    .black .ring {
      stroke: #f0cf8c;
    }
    /* The state of a die, in its corner, so that its face stays readable. */
    .fate circle {
      fill: #2f6d2b;
      stroke: #fff8ee;
      stroke-width: 6;
    }
    .fate path {
      fill: none;
      stroke: #fff8ee;
      stroke-width: 7;
      stroke-linecap: round;
      stroke-linejoin: round;
    }
    .unplayable .fate circle {
      fill: #b3240f;
    }
    .unneeded .fate circle {
      fill: #5d534a;
    }
    /* The die that a click plays next, and the sign that another one can be chosen. */
    .next {
      fill: none;
      stroke: var(--go, #1c5fb0);
      stroke-width: 7;
    }
    .turns {
      position: absolute;
      inset: var(--turns-at, 50% auto auto calc(100% + var(--die) * 0.17));
      translate: -50% -50%;
      rotate: var(--turns-turn, none);
      width: max(0.75rem, calc(var(--die) * 0.42));
      height: max(0.75rem, calc(var(--die) * 0.42));
      fill: var(--raised, #fcf8f0);
      stroke: var(--ink, #2a2018);
      stroke-width: 10;
      stroke-linecap: round;
      stroke-linejoin: round;
    }
    .turns circle {
      stroke-width: 5;
    }
    button {
      display: flex;
      align-items: center;
      gap: 0.6rem;
      min-height: calc(var(--die) * 1.28);
      padding: 0.25rem 0.9rem 0.25rem 0.5rem;
      border: 1px solid var(--edge, #87745b);
      border-radius: var(--round, 0.6rem);
      background: var(--raised, #fcf8f0);
      color: var(--ink, #2a2018);
      font: 600 1rem var(--text, serif);
      cursor: pointer;
      pointer-events: auto;
      white-space: nowrap;
    }
    /* For the keyboard and screen readers; for the pointer, what lies under the dice comes first (board/hand.js). */
    button.order {
      position: absolute;
      inset: 0;
      min-height: 0;
      padding: 0;
      border: none;
      background: none;
      pointer-events: none;
    }
    .cup-alone {
      width: max(1.75rem, var(--die));
      height: max(1.75rem, var(--die));
    }
    button:hover {
      border-color: var(--accent, #93271a);
    }
    button:focus-visible {
      outline: var(--ring, 3px solid #174d92);
      outline-offset: 2px;
    }
    .cup {
      fill: light-dark(#8a5229, #7c4a26);
      stroke: light-dark(#4c2910, #2a1608);
      stroke-width: 3;
    }
    .cup-in {
      fill: light-dark(#3a1f0d, #1a0d05);
    }
    .cup-line {
      fill: none;
      stroke: #d9ab62;
      stroke-width: 2.4;
    }
  `;

  constructor() {
    super();
    /** @type {number[]} as thrown */
    this.dice = [];
    /** @type {DieState[]} the state of each die to play, in the order of `spread` */
    this.states = [];
    /** The throw of these dice; a new throw is animated. @type {number | undefined} */
    this.seq = undefined;
    this.covered = false;
    /** Whether the other player is to roll. */
    this.watched = false;
    /** Whether another die can be played first. */
    this.ordered = false;
    this.side = "";
    this.label = "";
  }

  render() {
    if (this.covered && this.watched) {
      return html`<div class="dice" role="img" aria-label=${t("turn.covered")}>${cup}</div>`;
    }
    if (this.covered) {
      return html`<button @click=${this.#uncover}>
        ${cup}<span>${this.label || t("board.dice.cover")}</span>
      </button>`;
    }
    if (!this.dice.length) return nothing;
    return html`<div class="dice ${this.side}" role="img" aria-label=${this.#name()}>
        <svg width="0" height="0" class="defs" aria-hidden="true">${bone}</svg>
        ${repeat([this.seq], (seq) => seq, () => this.#groups().map(({ values, states }, nth, all) => group(values, states, {
          isNext: this.ordered && nth === all.findIndex((each) => each.states.includes("ready")),
          turns: this.ordered && nth === 0,
        })))}
      </div>
      ${this.ordered ? html`<button class="order" aria-label=${t("board.dice.order")} @click=${this.#reorder}></button>` : nothing}`;
  }

  /** @param {Map<string, unknown>} changed */
  updated(changed) {
    const isUncovered = changed.get("covered") === true;
    const isAnother = changed.get("seq") !== undefined;
    if ((isUncovered || isAnother) && !this.covered && moving()) this.#roll();
  }

  #uncover = () => this.dispatchEvent(new CustomEvent("lusoria-throw", { bubbles: true, composed: true }));

  #reorder = () => this.dispatchEvent(new CustomEvent("lusoria-order", { bubbles: true, composed: true }));

  /** The dice of one value, with the states of all their uses. */
  #groups() {
    const states = this.states.length ? this.states : this.dice.map(() => /** @type {DieState} */ ("ready"));
    const values = spread(this.dice, states.length);
    return [...new Set(this.dice)].map((value) => ({
      values: this.dice.filter((die) => die === value),
      states: states.filter((_, index) => values[index] === value),
    }));
  }

  #name() {
    const told = this.#groups().flatMap(({ values: [die], states }) =>
      states.map((state) => t(`board.dice.${state}`, { die: String(die) })),
    );
    const dice = t("board.dice", { dice: told.join(", ") });
    return this.label ? `${this.label} ${dice}` : dice;
  }

  /** Lets the dice tumble in, bounce and stop one after the other. */
  #roll() {
    this.renderRoot.querySelectorAll(".faces svg").forEach((die, index) => {
      const timing = { duration: ROLL_MS + index * LATER_MS };
      die.querySelector(".cube")?.animate(tumbling(index), timing);
      die.querySelector(".shadow")?.animate(following(index), timing);
      for (const [name, frames] of Object.entries(TURNING)) {
        die.querySelector(`.${name}`)?.animate(frames, timing);
      }
    });
  }
}

const bone = svg`<defs><linearGradient id="bone" x1="0" y1="0" x2="1" y2="1">
  <stop offset="0" class="bone-in"/><stop offset="1" class="bone-out"/></linearGradient></defs>`;

const cup = svg`<svg class="cup-alone" viewBox="0 0 100 100" aria-hidden="true">
  <path class="cup" d="M20 16 28 84C34 94 66 94 72 84L80 16Z"/>
  <ellipse class="cup cup-in" cx="50" cy="16" rx="30" ry="9"/>
  <path class="cup-line" d="M24 36C34 45 66 45 76 36M27 70C36 79 64 79 73 70"/></svg>`;

/**
 * @param {number[]} values @param {DieState[]} states
 * @param {{isNext: boolean, turns: boolean}} order whether the next die is one of these, and whether the sign follows
 */
function group(values, states, { isNext, turns }) {
  const open = states.filter((state) => state !== "played");
  const state = open.includes("ready") ? "ready" : (open[0] ?? "played");
  // Dice with a single use need no count.
  const single = states.length === values.length;
  const next = isNext ? (single ? states.indexOf("ready") : 0) : -1;
  return html`<div class="group">
    <div class="faces">
      ${values.map((value, index) => face(value, single ? states[index] : state, index, index === next))}
      ${values.length > 1 ? uses(single ? 0 : open.filter((each) => each === state).length) : nothing}
    </div>
    ${turns ? another : nothing}
  </div>`;
}

/** How often dice of this value can still be played. Takes up the same space if hidden. @param {number} left */
const uses = (left) => html`<svg viewBox="0 0 100 100" class=${left ? "uses" : "uses none"}>
  <circle cx="50" cy="50" r="46"></circle><text x="50" y="53">${left}</text></svg>`;

/** @param {number} value */
const pips = (value) =>
  svg`${pipsOf(value).map(
    ([across, down]) => svg`<g transform="translate(${50 + across * 27} ${48 + down * 27})">
      <circle class="ring" r="12.2"/><circle class="pip" r="9.4"/></g>`,
  )}`;

/**
 * The path of a die: the time, the distance left and the height (both in dice), and the rotation.
 * @type {{at: number, far: number, high: number, turn: number}[]}
 */
const ROLL = [
  { at: 0, far: 3.4, high: 1.1, turn: -640 },
  { at: 0.26, far: 1.9, high: 0, turn: -360 },
  { at: 0.43, far: 1, high: 0.5, turn: -210 },
  { at: 0.6, far: 0.36, high: 0, turn: -84 },
  { at: 0.71, far: 0.1, high: 0.16, turn: -34 },
  { at: 0.81, far: -0.06, high: 0, turn: 9 },
  { at: 0.91, far: -0.02, high: 0, turn: -4 },
  { at: 1, far: 0, high: 0, turn: 0 },
];

/** Easing of a die's rise and fall. @param {number} high the height at the end @param {number} before the height at the start */
const falling = (high, before) => (high > before ? "cubic-bezier(.2, .6, .5, 1)" : "cubic-bezier(.5, 0, .8, .5)");

/** A die in the air and on the board, in units of its drawing. @param {number} index @returns {Keyframe[]} */
const tumbling = (index) =>
  ROLL.map(({ at, far, high, turn }, nth) => ({
    offset: at,
    transform: `translate(${-100 * far * (1 + 0.4 * index)}px, ${-100 * high + (index % 2 ? 22 : -16) * far}px) rotate(${
      turn * (index % 2 ? -1 : 1)
    }deg) scale(${1 + 0.3 * high})`,
    opacity: at === 0 ? 0 : 1,
    easing: falling(ROLL[nth + 1]?.high ?? 0, high),
  }));

/** Its shadow, which stays on the board. @param {number} index @returns {Keyframe[]} */
const following = (index) =>
  ROLL.map(({ at, far, high }) => ({
    offset: at,
    transform: `translate(${-100 * far * (1 + 0.4 * index) + 40 * high}px, ${(index % 2 ? 22 : -16) * far + 46 * high}px) scale(${
      1 - 0.3 * high
    })`,
    opacity: at === 0 ? 0 : 1 - 0.6 * high,
  }));

/** Which face is up while a die rolls. @type {Record<string, Keyframe[]>} */
const TURNING = {
  before: [{ opacity: 1 }, { opacity: 1, offset: 0.26 }, { opacity: 0, offset: 0.27 }, { opacity: 0 }],
  between: [{ opacity: 0 }, { opacity: 0, offset: 0.26 }, { opacity: 1, offset: 0.27 }, { opacity: 1, offset: 0.52 },
    { opacity: 0, offset: 0.53 }, { opacity: 0 }],
  shown: [{ opacity: 0 }, { opacity: 0, offset: 0.52 }, { opacity: 1, offset: 0.53 }, { opacity: 1 }],
};

/** An arrow to both sides: play another die first. */
const another = svg`<svg class="turns" viewBox="-50 -50 100 100" aria-hidden="true"><circle r="46"/>
  <path fill="none" d="M-28 0H28M-14-15-28 0-14 15M14-15 28 0 14 15"/></svg>`;

/** @param {number} value @param {DieState} state @param {number} index @param {boolean} isNext */
const face = (value, state, index, isNext) =>
  html`<svg viewBox="0 0 100 100" class=${state}>
    <g class="body" transform="rotate(${[-5, 4, -2][index % 3]} 50 50)">
      <rect class="shadow" x="6" y="10" width="96" height="96" rx="20"></rect>
      <g class="cube">
        <rect class="edge" x="2" y="4" width="96" height="96" rx="19"></rect>
        <rect class="bone" x="2" y="0" width="96" height="96" rx="19"></rect>
        ${wear}
        <g class="before">${pips((value % 6) + 1)}</g>
        <g class="between">${pips(((value + 2) % 6) + 1)}</g>
        <g class="shown">${pips(value)}</g>
      </g>
      ${isNext ? svg`<rect class="next" x="-3" y="-3" width="106" height="106" rx="24"/>` : nothing}
    </g>
    ${state === "ready" ? nothing : svg`<g class="fate" transform="translate(104 -6)"><circle r="22"/><path d=${FATES[state]}/></g>`}
  </svg>`;

/** The canals of the bone, and the light on worn edges. */
const wear = svg`<path class="grain" d="M9 26c20-7 41 2 60-5M31 39c18 5 40-3 60 2M7 61c22 6 34-4 57 1M38 74c17-4 33 4 52-1M16 86c19-5 38 2 55-2"/>
  <path class="worn" d="M8 30C7 12 14 6 34 5M48 4.5H66"/>`;

/** A tick, a cross, a dash. @type {Record<Exclude<DieState, "ready">, string>} */
const FATES = { played: "M-9 1-3 7 9-7", unplayable: "M-7-7 7 7M7-7-7 7", unneeded: "M-10 0H10" };

customElements.define("lusoria-dice", Dice);
