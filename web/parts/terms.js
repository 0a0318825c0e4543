// The terms of a match that is about to be made: time, length, side, options, dice.

import { factsOf } from "../game/games.js";
import { LitElement, css, html, live, nothing } from "../lit.js";
import { canCommit } from "../player/seeds.js";
import { base, fields } from "../style/shared.js";
import { t } from "../text/text.js";
import { clockText, sideName } from "../text/words.js";

/** @typedef {import("../api/wire").components["schemas"]["CatalogueEntry"]} CatalogueEntry */
/** @typedef {import("../api/wire").components["schemas"]["Clock"]} Clock */
/** @typedef {import("../api/wire").components["schemas"]["ClockPreset"]} ClockPreset */
/** @typedef {import("../api/wire").components["schemas"]["Options"]} Options */
/** @typedef {import("../api/wire").components["schemas"]["PlayAs"]} PlayAs */

/**
 * What the person wishes; without `clock` he left it as it usually is.
 * @typedef {object} Terms
 * @property {Clock} [clock]
 * @property {number} points 1 is a single game
 * @property {PlayAs} side
 * @property {Options} options
 * @property {boolean} bringSeed
 */

const POINTS_MAX = 99;
const SERIES = 3;

/** A match is a single game unless the person wishes otherwise. */
export const USUAL_POINTS = 1;

/**
 * What is chosen at first.
 * @typedef {object} Choice
 * @property {string} clock the id of a preset
 * @property {number} points
 * @property {PlayAs} side
 */

/**
 * `<lusoria-terms>`: for the game of `entry`; what was chosen is in `terms`. With `first` a clock and a length are always
 * chosen, and nothing is said of dice. Event: `lusoria-terms`.
 */
export class LusoriaTerms extends LitElement {
  static properties = {
    entry: { attribute: false },
    first: { attribute: false },
    clock: { state: true },
    length: { state: true },
  };

  static styles = [
    base,
    fields,
    css`
      .all {
        display: grid;
        gap: var(--gap-m);
      }

      .series {
        display: inline-flex;
        align-items: center;
        gap: var(--gap-s);
      }

      .series input[type="number"] {
        width: 4.5rem;
        min-height: 2rem;
        padding-block: 0.125rem;
      }

      label.check {
        align-items: flex-start;
        min-height: 0;
        padding-block: var(--gap-xs);
      }

      label.check input {
        margin-top: 0.2rem;
      }

      .hint {
        display: block;
        margin-top: var(--gap-xs);
      }
    `,
  ];

  constructor() {
    super();
    /** @type {CatalogueEntry | undefined} */
    this.entry = undefined;
    /** @type {Choice | undefined} */
    this.first = undefined;
    this.clock = "";
    /** @type {"single" | "pair" | "series"} */
    this.length = "single";
    this.series = SERIES;
    /** @type {PlayAs} */
    this.side = "lot";
    /** @type {Record<string, string | boolean>} */
    this.chosen = {};
    this.bringSeed = true;
  }

  /** Everything as usual again, or as it is chosen at first. */
  forget() {
    const { entry, first } = this;
    const has = (/** @type {PlayAs} */ side) => entry?.sides.some(({ id }) => id === side);
    this.clock = first?.clock ?? "";
    this.length = lengthOf(first?.points ?? USUAL_POINTS);
    this.series = first && this.length === "series" ? first.points : SERIES;
    this.side = first && has(first.side) ? first.side : "lot";
    this.chosen = {};
    this.bringSeed = first === undefined;
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (changed.has("entry")) this.forget();
  }

  /** What was chosen. @returns {Terms} */
  get terms() {
    const points = { single: USUAL_POINTS, pair: 2, series: this.series }[this.length];
    return {
      clock: this.entry?.clock_presets.find(({ id }) => id === this.clock)?.clock,
      points,
      side: this.side,
      options: /** @type {Options} */ (this.chosen),
      bringSeed: this.bringSeed && this.entry?.dice !== 0,
    };
  }

  /** `change` events of fields stay inside the element that they are in. */
  changed() {
    this.dispatchEvent(new CustomEvent("lusoria-terms"));
  }

  render() {
    const { entry } = this;
    if (!entry) return nothing;
    return html`
      <div class="all" @change=${this.changed}>
        <label>
          <span class="label">${t("home.clock")}</span>
          <select .value=${this.clock} @change=${(/** @type {Event} */ e) => (this.clock = value(e))}>
            ${this.first ? nothing : html`<option value="">${t("clock.usual")}</option>`}
            ${entry.clock_presets.map(
              (preset) => html`<option value=${preset.id} ?selected=${preset.id === this.clock}>${presetText(preset)}</option>`,
            )}
          </select>
        </label>
        ${this.lengths(entry)}
        ${this.choice(
          t("home.side"),
          "side",
          /** @type {PlayAs[]} */ (["lot", ...entry.sides.map(({ id }) => id)]),
          this.side,
          sideText,
          (side) => (this.side = side),
        )}
        ${entry.options.map(({ name, values, default: usual }) =>
          this.choice(
            t(`home.option.${name}`),
            name,
            values.map(({ value }) => value),
            this.chosen[name] ?? usual,
            (of) => t(`home.option.${name}.${of}`),
            (of) => (this.chosen[name] = of),
          ),
        )}
        ${entry.dice > 0 && !this.first && canCommit() ? this.seed() : nothing}
      </div>
    `;
  }

  /** @param {CatalogueEntry} entry */
  lengths(entry) {
    const radio = (/** @type {"single" | "pair" | "series"} */ length) => html`
      <input
        type="radio"
        name="length"
        .checked=${live(this.length === length)}
        @change=${() => (this.length = length)}
      />
    `;
    return html`
      <fieldset class="choices">
        <legend>${t("home.length")}</legend>
        <label>${radio("single")} ${t("home.length.single")}</label>
        <label>${radio("pair")} ${t("home.length.pair")}</label>
        <span class="series">
          <label>${radio("series")} ${t("home.length.series")}</label>
          <input
            type="number"
            min="2"
            max=${POINTS_MAX}
            .value=${live(String(this.series))}
            aria-label=${t("home.length.points")}
            @change=${this.count}
          />
          <span aria-hidden="true">${t("home.length.points")}</span>
        </span>
        ${factsOf(entry.id).unfair ? html`<span class="hint">${t("home.length.fair")}</span>` : nothing}
      </fieldset>
    `;
  }

  /** @param {Event} changed */
  count(changed) {
    const field = /** @type {HTMLInputElement} */ (changed.target);
    this.series = Math.min(POINTS_MAX, Math.max(2, Math.round(Number(field.value)) || SERIES));
    field.value = String(this.series);
    this.length = "series";
  }

  /**
   * @template {string | boolean} V
   * @param {string} legend
   * @param {string} name
   * @param {V[]} values
   * @param {V} chosen
   * @param {(value: V) => string} text
   * @param {(value: V) => void} choose
   */
  choice(legend, name, values, chosen, text, choose) {
    return html`
      <fieldset class="choices">
        <legend>${legend}</legend>
        ${values.map(
          (of) => html`
            <label>
              <input type="radio" name=${name} .checked=${live(of === chosen)} @change=${() => choose(of)} />
              ${text(of)}
            </label>
          `,
        )}
      </fieldset>
    `;
  }

  seed() {
    return html`
      <label class="check">
        <input
          type="checkbox"
          .checked=${live(this.bringSeed)}
          @change=${(/** @type {Event} */ e) =>
            (this.bringSeed = /** @type {HTMLInputElement} */ (e.target).checked)}
        />
        <span>${t("home.seed")}<span class="hint">${t("home.seed.hint")}</span></span>
      </label>
    `;
  }
}

/** @param {number} points @returns {"single" | "pair" | "series"} */
const lengthOf = (points) => (points === 1 ? "single" : points === 2 ? "pair" : "series");

/** @param {Event} changed */
const value = (changed) => /** @type {HTMLSelectElement} */ (changed.target).value;

/** @param {PlayAs} side */
const sideText = (side) => (side === "lot" ? t("sides.lot") : sideName(side));

/** @param {ClockPreset} preset */
function presetText({ id, clock, lasts_ms }) {
  if (clock.kind === "none" || clock.kind === "days") return clockText(clock);
  const named = ["quick", "normal", "slow"].includes(id) ? `${t(`clock.${id}`)}: ` : "";
  const lasts = lasts_ms ? ` (${t("clock.lasts", { minutes: Math.round(lasts_ms / 60_000) })})` : "";
  return `${named}${clockText(clock)}${lasts}`;
}

customElements.define("lusoria-terms", LusoriaTerms);
