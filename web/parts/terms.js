// The terms of a new match: clock, length, side, options, dice.

import { LitElement, css, html, live, nothing } from "../lit.js";
import { guest } from "../player/identity.js";
import { canCommit } from "../player/seeds.js";
import { USUAL_POINTS } from "../player/seats.js";
import { base, fields } from "../style/shared.js";
import { t } from "../text/text.js";
import { clockText, sideName } from "../text/words.js";

/** @typedef {import("../api/wire").components["schemas"]["CatalogueEntry"]} CatalogueEntry */
/** @typedef {import("../api/wire").components["schemas"]["Clock"]} Clock */
/** @typedef {import("../api/wire").components["schemas"]["ClockPreset"]} ClockPreset */
/** @typedef {import("../api/wire").components["schemas"]["Options"]} Options */
/** @typedef {import("../api/wire").components["schemas"]["PlayAs"]} PlayAs */

/**
 * The person's choice; `clock` is missing if they left the default.
 * @typedef {object} Terms
 * @property {Clock} [clock]
 * @property {number} points 1 is a single game, or each game of a pair
 * @property {2} [games] of a pair
 * @property {boolean} rated
 * @property {PlayAs} side
 * @property {Options} options
 * @property {boolean} bringSeed
 */

const POINTS_MAX = 99;
const SERIES = 3;

/** The clock of a rated match whose player left the default. */
const RATED_CLOCK = "normal";

/** The custom clock, among those of the game. */
const OWN_CLOCK = "own";
const OWN_MINUTES_MAX = 180;
const OWN_SECONDS_MAX = 180;

/**
 * The initial choice.
 * @typedef {object} Choice
 * @property {string} clock the id of a preset
 * @property {number} points
 * @property {2} [games]
 * @property {boolean} rated
 * @property {PlayAs} side
 */

/**
 * `<lusoria-terms>`: for the game of `entry`; the choice is in `terms`. With `first` a clock and a length are always
 * chosen, and the dice are not mentioned. With `casual` the match cannot be rated. Event: `lusoria-terms`.
 */
export class LusoriaTerms extends LitElement {
  static properties = {
    entry: { attribute: false },
    first: { attribute: false },
    casual: { type: Boolean },
    clock: { state: true },
    length: { state: true },
    isRated: { state: true },
  };

  static styles = [
    base,
    fields,
    css`
      .all {
        display: grid;
        gap: var(--gap-m);
      }

      .series,
      .own label {
        display: inline-flex;
        align-items: center;
        gap: var(--gap-s);
      }

      .own {
        display: flex;
        flex-wrap: wrap;
        gap: var(--gap-s) var(--gap-l);
        margin-top: var(--gap-s);
      }

      .series input[type="number"],
      .own input[type="number"] {
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
    this.casual = false;
    this.clock = "";
    /** The custom clock. */
    this.own = { minutes: 0, seconds: 0 };
    /** Whether the person wants it rated, if possible. */
    this.isRated = false;
    /** @type {"single" | "pair" | "series"} */
    this.length = "single";
    this.series = SERIES;
    /** @type {PlayAs} */
    this.side = "lot";
    /** @type {Record<string, string | boolean>} */
    this.chosen = {};
    this.bringSeed = true;
  }

  /** Resets everything to the defaults, or to the first choice. */
  forget() {
    const { entry, first } = this;
    const has = (/** @type {PlayAs} */ side) => entry?.sides.some(({ id }) => id === side);
    this.clock = first?.clock ?? "";
    const normal = entry?.clock_presets.find(({ id }) => id === RATED_CLOCK)?.clock;
    if (normal?.kind === "fischer") this.own = { minutes: normal.base_ms / 60_000, seconds: normal.increment_ms / 1_000 };
    this.length = lengthOf(first);
    this.isRated = first?.rated ?? false;
    this.series = first && this.length === "series" ? first.points : SERIES;
    this.side = first && has(first.side) ? first.side : "lot";
    this.chosen = {};
    this.bringSeed = first === undefined;
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (changed.has("entry")) this.forget();
  }

  /** Whether the match is rated: only people with accounts have ratings. */
  get rated() {
    return this.isRated && !this.casual && guest()?.handle !== undefined;
  }

  /** The choice, made consistent: a rated match has a clock and the default options. @returns {Terms} */
  get terms() {
    const { rated } = this;
    const length = this.lengthPlayed;
    const id = rated && this.clock === "" ? RATED_CLOCK : this.clock;
    const { minutes, seconds } = this.own;
    /** @type {Clock} */
    const own = { kind: "fischer", base_ms: minutes * 60_000, increment_ms: seconds * 1_000 };
    return {
      clock: id === OWN_CLOCK ? own : this.entry?.clock_presets.find((preset) => preset.id === id)?.clock,
      points: length === "series" ? this.series : USUAL_POINTS,
      ...(length === "pair" ? { games: /** @type {const} */ (2) } : {}),
      rated,
      side: this.side,
      options: rated ? {} : /** @type {Options} */ (this.chosen),
      bringSeed: this.bringSeed && this.entry?.dice !== 0,
    };
  }

  /** The length: some games are rated only in pairs. */
  get lengthPlayed() {
    return this.isPairOnly ? "pair" : this.length;
  }

  get isPairOnly() {
    return this.rated && (this.entry?.rated_in_pairs ?? false);
  }

  /** @param {boolean} rated */
  stake(rated) {
    this.isRated = rated;
    const has = this.entry?.clock_presets.find(({ id }) => id === this.clock);
    if (rated && has?.clock.kind === "none") this.clock = this.first ? RATED_CLOCK : "";
  }

  /** `change` events of fields do not leave their element. */
  changed() {
    this.dispatchEvent(new CustomEvent("lusoria-terms"));
  }

  render() {
    const { entry, rated } = this;
    if (!entry) return nothing;
    const clocks = entry.clock_presets.filter(({ clock }) => !rated || clock.kind !== "none");
    return html`
      <div class="all" @change=${this.changed}>
        ${this.casual ? nothing : this.stakes()}
        <label>
          <span class="label">${t("home.clock")}</span>
          <select .value=${this.clock} @change=${(/** @type {Event} */ e) => (this.clock = value(e))}>
            ${this.first || rated ? nothing : html`<option value="">${t("clock.usual")}</option>`}
            ${clocks.map(
              (preset) => html`<option value=${preset.id} ?selected=${preset.id === (this.clock || (rated ? RATED_CLOCK : ""))}>${presetText(preset)}</option>`,
            )}
            <option value=${OWN_CLOCK}>${t("clock.own")}</option>
          </select>
        </label>
        ${this.clock === OWN_CLOCK
          ? html`<div class="own">
              ${this.ownTime("minutes", 1, OWN_MINUTES_MAX)} ${this.ownTime("seconds", 0, OWN_SECONDS_MAX)}
            </div>`
          : nothing}
        ${this.lengths(entry)}
        ${this.choice(
          t("home.side"),
          "side",
          /** @type {PlayAs[]} */ (["lot", ...entry.sides.map(({ id }) => id)]),
          this.side,
          sideText,
          (side) => (this.side = side),
        )}
        ${(rated ? [] : entry.options).map(({ name, values, default: usual }) =>
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

  /** A part of the custom clock. @param {"minutes" | "seconds"} part @param {number} min @param {number} max */
  ownTime(part, min, max) {
    const set = (/** @type {Event} */ changed) => (this.own[part] = whole(changed, min, max));
    return html`<label>
      <input type="number" inputmode="numeric" min=${min} max=${max} .value=${live(String(this.own[part]))} @change=${set} />
      ${t(`clock.own.${part}`)}
    </label>`;
  }

  /** Rated or casual. Guests see the requirements of a rated match. */
  stakes() {
    const hasAccount = guest()?.handle !== undefined;
    const radio = (/** @type {boolean} */ rated) => html`
      <label>
        <input
          type="radio"
          name="stake"
          .checked=${live(this.rated === rated)}
          ?disabled=${rated && !hasAccount}
          @change=${() => this.stake(rated)}
        />
        ${t(rated ? "home.stake.rated" : "home.stake.casual")}
      </label>
    `;
    return html`
      <fieldset class="choices">
        <legend>${t("home.stake")}</legend>
        ${radio(false)} ${radio(true)}
        <span class="hint">
          ${hasAccount
            ? t("home.stake.hint")
            : html`${t("home.stake.account")} <a href="/account">${t("home.stake.open")}</a>`}
        </span>
      </fieldset>
    `;
  }

  /** @param {CatalogueEntry} entry */
  lengths(entry) {
    const radio = (/** @type {"single" | "pair" | "series"} */ length) => html`
      <input
        type="radio"
        name="length"
        .checked=${live(this.lengthPlayed === length)}
        ?disabled=${this.isPairOnly && length !== "pair"}
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
            ?disabled=${this.isPairOnly}
            @change=${this.count}
          />
          <span aria-hidden="true">${t("home.length.points")}</span>
        </span>
        ${this.isPairOnly
          ? html`<span class="hint">${t("home.length.rated")}</span>`
          : entry.rated_in_pairs
            ? html`<span class="hint">${t("home.length.fair")}</span>`
            : nothing}
      </fieldset>
    `;
  }

  /** @param {Event} changed */
  count(changed) {
    this.series = whole(changed, 2, POINTS_MAX, SERIES);
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

/** @param {Choice | undefined} first @returns {"single" | "pair" | "series"} */
const lengthOf = (first) => (first?.games ? "pair" : (first?.points ?? USUAL_POINTS) > 1 ? "series" : "single");

/** @param {Event} changed */
const value = (changed) => /** @type {HTMLSelectElement} */ (changed.target).value;

/**
 * The whole number that was typed, within its bounds; it is written into its field.
 * @param {Event} changed @param {number} min @param {number} max @param {number} [usual] if there is none
 */
function whole({ target }, min, max, usual = min) {
  const field = /** @type {HTMLInputElement} */ (target);
  const number = Math.min(max, Math.max(min, Math.round(Number(field.value)) || usual));
  field.value = String(number);
  return number;
}

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
