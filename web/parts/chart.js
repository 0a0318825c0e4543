// The course of a game: the chance of winning after each turn, and luck and skill.

import { LitElement, css, html, nothing, svg } from "../lit.js";
import { isLight, placeOf, wayOf } from "../match/analysis.js";
import { base } from "../style/shared.js";
import { t } from "../text/text.js";

/** @typedef {import("../game/story.js").Seat} Seat */
/** @typedef {import("../match/analysis.js").Judged} Judged */
/** @typedef {import("../match/analysis.js").Passed} Passed */

/** The dimensions of the drawing. */
const WIDTH = 320;
const INSET = 8;
const CHANCE = { top: 6, height: 100 };
const PARTS = { top: 122, height: 44 };
const HEIGHT = PARTS.top + PARTS.height + 4;

/** The least scale of luck and skill: smaller values than this look small. */
const SCALE_MIN = { chances: 0.1, points: 0.2 };

/** @param {number} chance */
const percent = (chance) => Math.round(chance * 100);

/**
 * `<lusoria-chart>`: the judged `turns` of one game; the `seat` whose chances are drawn, and the player's `name`;
 * `marked`, the turns to mark; `shown`, the event shown; the `unit` of loss and luck. A click shows the position after
 * a turn, or before it if it is marked; the slider moves from turn to turn. Event: `lusoria-show` with the number of an
 * event in `detail.seq`, and in `detail.stays` whether the person may choose again.
 */
export class ChartElement extends LitElement {
  static properties = {
    turns: { attribute: false },
    seat: { attribute: false },
    name: { attribute: false },
    marked: { attribute: false },
    shown: { attribute: false },
    unit: { attribute: false },
    picked: { state: true },
  };

  static styles = [
    base,
    css`
      svg {
        display: block;
        width: 100%;
        height: auto;
        border-radius: var(--round-s);
        cursor: pointer;
      }
      .light {
        fill: #f6ecd6;
      }
      .dark {
        fill: #2b211a;
      }
      .frame {
        fill: none;
        stroke: var(--edge);
      }
      .half {
        stroke: #8d7a60;
        stroke-dasharray: 3 3;
      }
      .curve {
        fill: none;
        stroke: #b8402b;
        stroke-width: 2;
        stroke-linejoin: round;
      }
      .fault {
        fill: #f2c14e;
        stroke: #5a3410;
        stroke-width: 1.2;
      }
      .here {
        stroke: var(--focus);
        stroke-width: 1.6;
      }
      .zero {
        stroke: var(--edge);
      }
      .luck,
      .skill {
        fill: none;
        stroke-width: 2;
        stroke-linejoin: round;
      }
      .luck {
        stroke: var(--focus);
        stroke-dasharray: 5 3;
      }
      .skill {
        stroke: var(--accent);
      }
      input {
        width: 100%;
        height: 1.75rem;
        margin: 0;
        accent-color: var(--fill);
      }
      .key {
        display: flex;
        flex-wrap: wrap;
        gap: 0 var(--gap-m);
        font-size: 0.8125rem;
        color: var(--muted);
      }
      .key span {
        display: inline-flex;
        align-items: center;
        gap: 0.375rem;
      }
      .key svg {
        width: 1.5rem;
        height: 0.5rem;
        border-radius: 0;
        cursor: inherit;
      }
    `,
  ];

  constructor() {
    super();
    /** @type {Judged[]} */
    this.turns = [];
    /** @type {Seat} */
    this.seat = 1;
    this.name = "";
    /** @type {Judged[]} */
    this.marked = [];
    this.shown = 0;
    /** @type {"chances" | "points"} */
    this.unit = "chances";
    /** The turn chosen last: one event can be after a turn and before the next. @type {Judged | undefined} */
    this.picked = undefined;
  }

  /** The point of the match that is shown; -1 before the first turn. */
  get place() {
    const { marked, picked, shown, turns } = this;
    const isShown = picked && turns.includes(picked) && this.eventOf(picked) === shown;
    return isShown ? turns.indexOf(picked) : placeOf(turns, marked, shown);
  }

  /** The event for a turn: for a marked one, the position before it. @param {Judged} turn */
  eventOf(turn) {
    return this.marked.includes(turn) ? turn.before : turn.seq;
  }

  render() {
    const way = wayOf(this.turns, this.seat);
    if (way.length === 0) return nothing;
    const hasLuck = way.some(({ luck }) => luck !== 0);
    return html`
      <p class="key">${t("analysis.chance", { name: this.name })}</p>
      <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label=${this.said(way, hasLuck)} @click=${this.clicked}>
        ${this.chances(way)} ${parts(way, hasLuck, SCALE_MIN[this.unit])} ${this.here(way)}
      </svg>
      ${this.slider(way)}
      <p class="key" title=${t("analysis.parts", { name: this.name })}>
        ${hasLuck ? html`<span>${line("luck")}${t("analysis.luck")}</span>` : nothing}
        <span>${line("skill")}${t("analysis.skill")}</span>
      </p>
    `;
  }

  /** The chart in words. @param {Passed[]} way @param {boolean} hasLuck */
  said(way, hasLuck) {
    const { name } = this;
    const chances = way.map(({ chance }) => percent(chance));
    const [first, last] = [chances[0], chances[chances.length - 1]];
    const [low, high] = [Math.min(...chances), Math.max(...chances)];
    const said = t("analysis.chance.said", { name, count: way.length, first, last, low, high });
    const { luck, skill } = way[way.length - 1];
    const told = t(`analysis.parts.said.${this.unit}`, { name, luck: signed(luck), skill: signed(skill) });
    return hasLuck ? `${said} ${told}` : said;
  }

  /** @param {Passed[]} way */
  chances(way) {
    const { top, height } = CHANCE;
    const points = [[INSET, top + height / 2], ...way.map(({ chance }, nth) => [across(nth, way), top + height * (1 - chance)])];
    const curve = points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L");
    const [last] = points[points.length - 1];
    const [mine, theirs] = isLight(this.turns, this.seat) ? ["light", "dark"] : ["dark", "light"];
    const faults = new Set(this.marked);
    return svg`
      <rect class=${theirs} x=${INSET} y=${top} width=${WIDTH - 2 * INSET} height=${height} />
      <path class=${mine} d="M${curve}L${last.toFixed(1)} ${top + height}L${INSET} ${top + height}Z" />
      <path class="half" d="M${INSET} ${top + height / 2}H${WIDTH - INSET}" />
      <path class="curve" d="M${curve}" />
      ${way.map(({ turn, chance }, nth) =>
        faults.has(turn)
          ? svg`<circle class="fault" cx=${across(nth, way)} cy=${top + height * (1 - chance)} r="3.6" />`
          : nothing,
      )}
      <rect class="frame" x=${INSET} y=${top} width=${WIDTH - 2 * INSET} height=${height} />`;
  }

  /** The marker at the point shown. @param {Passed[]} way */
  here(way) {
    const nth = this.place;
    if (nth < 0) return nothing;
    const x = across(nth, way);
    return svg`<path class="here" d="M${x} ${CHANCE.top}v${CHANCE.height}M${x} ${PARTS.top}v${PARTS.height}" />`;
  }

  /** A slider from turn to turn. @param {Passed[]} way */
  slider(way) {
    const nth = Math.max(this.place, 0);
    const { turn, chance } = way[nth];
    const said = t("analysis.place.said", { number: turn.nth, count: way.length, chance: percent(chance) });
    return html`<input type="range" min="0" max=${way.length - 1} .value=${String(nth)} aria-label=${t("analysis.place")}
      aria-valuetext=${said} @input=${(/** @type {any} */ event) => this.pick(Number(event.target.value), true)} />`;
  }

  /** @param {MouseEvent} event */
  clicked(event) {
    const box = /** @type {SVGElement} */ (event.currentTarget).getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * WIDTH;
    this.pick(Math.round(((x - INSET) / (WIDTH - 2 * INSET)) * this.turns.length) - 1, false);
  }

  /** @param {number} nth @param {boolean} stays whether the person may choose again */
  pick(nth, stays) {
    const { turns } = this;
    const turn = turns[Math.min(Math.max(nth, 0), turns.length - 1)];
    this.picked = turn;
    this.dispatchEvent(new CustomEvent("lusoria-show", { detail: { seq: this.eventOf(turn), stays } }));
  }
}

/** The horizontal position of a turn: the start of the game is to the left of the first. @param {number} nth @param {Passed[]} way */
const across = (nth, way) => INSET + ((nth + 1) / way.length) * (WIDTH - 2 * INSET);

/** The bars of luck and skill. @param {Passed[]} way @param {boolean} hasLuck @param {number} least the value at the edge */
function parts(way, hasLuck, least) {
  const { top, height } = PARTS;
  const middle = top + height / 2;
  const largest = Math.max(least, ...way.flatMap(({ luck, skill }) => [Math.abs(luck), Math.abs(skill)]));
  const path = (/** @type {"luck" | "skill"} */ what) => {
    const points = way.map((passed, nth) => {
      const y = middle - (passed[what] / largest) * (height / 2);
      return `${across(nth, way).toFixed(1)} ${y.toFixed(1)}`;
    });
    return `M${INSET} ${middle}L${points.join("L")}`;
  };
  return svg`
    <path class="zero" d="M${INSET} ${middle}H${WIDTH - INSET}" />
    ${hasLuck ? svg`<path class="luck" d=${path("luck")} />` : nothing}
    <path class="skill" d=${path("skill")} />`;
}

/** @param {"luck" | "skill"} what */
const line = (what) =>
  html`<svg viewBox="0 0 24 8" aria-hidden="true">${svg`<path class=${what} d="M0 4H24" />`}</svg>`;

/** Chances as differences: "+12", "−3". @param {number} chance */
export const signed = (chance) => {
  const count = percent(chance);
  return count > 0 ? `+${count}` : String(count).replace("-", "\u2212");
};

customElements.define("lusoria-chart", ChartElement);
