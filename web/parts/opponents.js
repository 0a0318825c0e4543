// Finds an opponent: play now, open seeks, and challenges.

import { Problem } from "../api/rest.js";
import { GAMES } from "../game/games.js";
import { LitElement, css, html, live, nothing, repeat } from "../lit.js";
import { guest } from "../player/identity.js";
import { lastLevel } from "../player/level.js";
import { base, buttons, cards, fields } from "../style/shared.js";
import { t } from "../text/text.js";
import { gameName, levelName } from "../text/words.js";
import { USUAL_POINTS } from "../player/seats.js";
import { refusal } from "./refusal.js";
import "./challenges.js";

/** @typedef {import("../api/wire").components["schemas"]["CatalogueEntry"]} CatalogueEntry */
/** @typedef {import("../api/wire").components["schemas"]["Clock"]} Clock */
/** @typedef {import("../api/wire").components["schemas"]["Game"]} Game */
/** @typedef {import("../api/wire").components["schemas"]["Seek"]} Seek */
/** @typedef {import("../player/opponents.js").Opponents} Opponents */
/** @typedef {"normal" | "none" | "days"} Pace */
/** @typedef {"single" | "pair"} Length */
/** @typedef {import("../api/wire").components["schemas"]["RatingRange"]} RatingRange */

const KEPT_AS = "lusoria.sought";
/** @type {Pace[]} */
const PACES = ["normal", "none", "days"];
/** @type {Length[]} */
const LENGTHS = ["single", "pair"];
/** The ranges for the opponent's rating around one's own, in points; 0 is any. */
const RANGES = [0, 100, 200, 400];
const CLOCKS_MAX = 10;
/** After this time, the computer is offered. */
const COMPUTER_AFTER_MS = 20_000;
const SECOND_MS = 1_000;
const USUAL_LEVEL = 2;

/**
 * The last seek from this device. With an account the default is rated, because ratings are what accounts are for.
 * @returns {{games: Game[], pace: Pace, length: Length, range: number, isRated: boolean}}
 */
function last() {
  /** @type {Record<string, any>} */
  let kept = {};
  try {
    kept = JSON.parse(localStorage.getItem(KEPT_AS) ?? "{}");
  } catch {
    // As if nothing had been stored.
  }
  const known = GAMES.filter((game) => kept.games?.includes(game));
  return {
    games: known.length > 0 ? known : [...GAMES],
    pace: PACES.includes(kept.pace) ? kept.pace : "normal",
    length: kept.length === "pair" ? "pair" : "single",
    range: RANGES.includes(kept.range) ? kept.range : 0,
    isRated: kept.isRated !== false,
  };
}

/** The games of the last seek from this device. */
export const lastGames = () => last().games;

/**
 * `<lusoria-opponents>`: of `opponents`; `entries` is the catalogue by game, `connection` has the server's time.
 */
class LusoriaOpponents extends LitElement {
  static properties = {
    opponents: { attribute: false },
    entries: { attribute: false },
    connection: { attribute: false },
    games: { state: true },
    pace: { state: true },
    length: { state: true },
    range: { state: true },
    isRated: { state: true },
    busy: { state: true },
    wrong: { state: true },
  };

  static styles = [
    base,
    buttons,
    cards,
    fields,
    css`
      .choice,
      li {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: var(--gap-s) var(--gap-m);
      }

      li {
        padding: var(--gap-m);
      }

      .now {
        display: grid;
        gap: var(--gap-s);
      }

      .now .main {
        min-height: 3.5rem;
        font-size: var(--size-l);
      }

      summary {
        min-height: 2rem;
        align-content: center;
        color: var(--muted);
        cursor: pointer;
      }

      ul {
        display: grid;
        gap: var(--gap-s);
      }

      ul:not([hidden]) + .now {
        margin-top: var(--gap-s);
      }

      fieldset {
        display: flex;
        flex-wrap: wrap;
        gap: var(--gap-s);
        min-width: 0;
        margin: 0;
        padding: 0;
        border: 0;
      }

      fieldset button[aria-pressed="true"] {
        border-color: var(--accent);
        box-shadow: inset 0 0 0 1px var(--accent);
      }

      .what {
        flex: 1 1 16rem;
        min-width: 0;
        overflow-wrap: anywhere;
      }

      .what + button {
        margin-inline-start: auto;
      }

      .choice {
        gap: var(--gap-s);
      }

      .choice fieldset {
        gap: var(--gap-xs);
      }

      .choice fieldset button {
        min-height: 2.25rem;
        padding-inline: 0.625rem;
        font-size: var(--size-s);
      }

      .choice label:not(.check) {
        flex: 1 1 6rem;
        min-width: 0;
      }

      .choice label:not(.check, .range) {
        flex-basis: 7.5rem;
      }

      .choice select {
        padding-inline: 0.5rem 0;
        font-size: var(--size-s);
      }

      .wrong {
        flex-basis: 100%;
        color: var(--accent);
        font-weight: 600;
      }

      .wrong:empty {
        display: none;
      }
    `,
  ];

  constructor() {
    super();
    /** @type {Opponents | undefined} */
    this.opponents = undefined;
    /** @type {Map<Game, CatalogueEntry>} */
    this.entries = new Map();
    /** @type {{now: () => number} | undefined} */
    this.connection = undefined;
    const { games, pace, length, range, isRated } = last();
    this.games = games;
    this.pace = pace;
    this.length = length;
    this.range = range;
    this.isRated = isRated;
    this.busy = false;
    /** @type {unknown} */
    this.wrong = "";
    this.changed = () => this.requestUpdate();
    this.timer = 0;
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (!changed.has("opponents")) return;
    /** @type {Opponents | undefined} */ (changed.get("opponents"))?.removeEventListener("change", this.changed);
    this.opponents?.addEventListener("change", this.changed);
  }

  updated() {
    // Updates the seconds.
    clearTimeout(this.timer);
    if (this.opponents?.seeks.some(isLive)) this.timer = window.setTimeout(this.changed, SECOND_MS);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearTimeout(this.timer);
  }

  /** @param {() => Promise<unknown> | undefined} does */
  async do(does) {
    if (this.busy) return;
    this.busy = true;
    this.wrong = "";
    try {
      await does();
    } catch (why) {
      if (!(why instanceof Problem)) throw why;
      this.wrong = refusal(why);
    } finally {
      this.busy = false;
    }
  }

  /** @param {Game} game */
  turn(game) {
    const games = GAMES.filter((other) => this.games.includes(other) !== (other === game));
    if (games.length === 0) return;
    this.games = games;
    this.keep();
  }

  keep() {
    try {
      const { games, pace, length, range, isRated } = this;
      localStorage.setItem(KEPT_AS, JSON.stringify({ games, pace, length, range, isRated }));
    } catch {
      // It will not be remembered.
    }
  }

  /** The clocks of the chosen pace, for all chosen games. @returns {Clock[]} */
  clocks() {
    if (this.pace === "none") return [{ kind: "none" }];
    const presets = this.games.flatMap((game) => this.entries.get(game)?.clock_presets ?? []);
    const fits = (/** @type {{id: string, clock: Clock}} */ { id, clock }) =>
      this.pace === "days" ? clock.kind === "days" : id === this.pace;
    const clocks = new Map(presets.filter(fits).map(({ clock }) => [JSON.stringify(clock), clock]));
    return [...clocks.values()].slice(0, CLOCKS_MAX);
  }

  /** Whether the seek is rated: it has a clock, and its players have accounts. */
  get rated() {
    return this.isRated && this.mayBeRated;
  }

  get mayBeRated() {
    return this.pace !== "none" && hasAccount();
  }

  /** The range for the opponent's rating: only accounts have ratings. @returns {RatingRange | undefined} */
  get rating() {
    const { range } = this;
    return range > 0 && hasAccount() ? { below: range, above: range } : undefined;
  }

  /** The games that are played in pairs although a single game is chosen, because only their pairs are rated. */
  get inPairs() {
    if (!this.rated || this.length === "pair") return [];
    return this.games.filter((game) => this.entries.get(game)?.rated_in_pairs);
  }

  playNow() {
    const { games, rated, rating, length } = this;
    const wishes = {
      games,
      clocks: this.clocks(),
      points: length === "pair" ? [] : [USUAL_POINTS],
      pairs: length === "pair" || this.inPairs.length > 0,
      bots: false,
      rated,
      rating,
    };
    return this.do(() => this.opponents?.seek(wishes));
  }

  /** Plays the computer instead of waiting. @param {Seek} seek */
  playComputer(seek) {
    const [game] = seek.games;
    const [clock] = seek.clocks;
    const opponent = { computer: lastLevel() ?? USUAL_LEVEL };
    const wishes = { game, clock, points: USUAL_POINTS, side: /** @type {const} */ ("lot"), options: {}, opponent };
    return this.do(() => this.opponents?.playComputer(seek, { ...wishes, admission: "open" }));
  }

  render() {
    const { opponents } = this;
    if (!opponents) return nothing;
    const { seeks } = opponents;
    return html`
      <lusoria-challenges .opponents=${opponents}></lusoria-challenges>
      <ul aria-label=${t("opponents.seeks")} ?hidden=${seeks.length === 0}>
        ${repeat(
          seeks,
          ({ id }) => id,
          (seek) => this.sought(seek),
        )}
      </ul>
      ${seeks.some(isLive) ? nothing : this.now()}
      <p class="wrong" role="alert">${this.wrong}</p>
    `;
  }

  now() {
    return html`
      <div class="now">
        <button class="main" ?disabled=${this.entries.size === 0} aria-disabled=${String(this.busy)} @click=${this.playNow}>
          ${t("opponents.now")}
        </button>
        ${this.hint()}
        <details ?open=${guest() !== null}>
          <summary>${t("opponents.choose")}</summary>
          <div class="choice">${this.choice()}</div>
        </details>
      </div>
    `;
  }

  /** The choices: games, pace, terms. */
  choice() {
    return html`
        <fieldset>
          <legend class="unseen">${t("opponents.games")}</legend>
          ${GAMES.map(
            (game) => html`
              <button
                aria-pressed=${this.games.includes(game) ? "true" : "false"}
                @click=${() => this.turn(game)}
              >
                ${gameName(game)}
              </button>
            `,
          )}
        </fieldset>
        <label>
          <span class="unseen">${t("home.clock")}</span>
          <select
            .value=${this.pace}
            @change=${(/** @type {Event} */ { target }) => {
              this.pace = /** @type {Pace} */ (/** @type {HTMLSelectElement} */ (target).value);
              this.keep();
            }}
          >
            ${PACES.map(
              (pace) => html`<option value=${pace} ?selected=${pace === this.pace}>${t(`opponents.pace.${pace}`)}</option>`,
            )}
          </select>
        </label>
        <label>
          <span class="unseen">${t("opponents.length")}</span>
          <select
            .value=${this.length}
            @change=${(/** @type {Event} */ { target }) => {
              this.length = /** @type {Length} */ (/** @type {HTMLSelectElement} */ (target).value);
              this.keep();
            }}
          >
            ${LENGTHS.map(
              (length) => html`<option value=${length} ?selected=${length === this.length}>${t(`opponents.length.${length}`)}</option>`,
            )}
          </select>
        </label>
        ${hasAccount() ? this.ranges() : nothing}
        <label class="check">
          <input
            type="checkbox"
            .checked=${live(this.rated)}
            ?disabled=${!this.mayBeRated}
            @change=${(/** @type {Event} */ { target }) => {
              this.isRated = /** @type {HTMLInputElement} */ (target).checked;
              this.keep();
            }}
          />
          ${t("home.stake.rated")}
        </label>
    `;
  }

  ranges() {
    return html`
      <label class="range">
        <span class="unseen">${t("opponents.range")}</span>
        <select
          .value=${String(this.range)}
          @change=${(/** @type {Event} */ { target }) => {
            this.range = Number(/** @type {HTMLSelectElement} */ (target).value);
            this.keep();
          }}
        >
          ${RANGES.map(
            (range) => html`<option value=${range} ?selected=${range === this.range}>${wishText(range)}</option>`,
          )}
        </select>
      </label>
    `;
  }

  /** The requirements of a rated match: an account, and in some games a pair. */
  hint() {
    if (!hasAccount()) {
      return html`<p class="small muted">${t("home.stake.account")} <a href="/account">${t("home.stake.open")}</a></p>`;
    }
    const games = this.inPairs.map(gameName).join(", ");
    return games ? html`<p class="small muted">${t("opponents.rated.pairs", { games })}</p>` : nothing;
  }

  /** @param {Seek} seek */
  sought(seek) {
    const waited = Math.max(0, (this.connection?.now() ?? Date.now()) - seek.created_at);
    return html`
      <li class="card">
        <div class="what">
          <strong>${isLive(seek) ? t("opponents.seeking") : t("opponents.seeking.days")}</strong>
          ${isLive(seek) ? html`<span class="figures muted" aria-hidden="true">${time(waited)}</span>` : nothing}
          <div class="small muted">${[gamesText(seek), ...termsOf(seek)].join(" · ")}</div>
        </div>
        ${isLive(seek) && waited >= COMPUTER_AFTER_MS
          ? html`<button @click=${() => this.playComputer(seek)}>
              ${t("opponents.computer", { game: gameName(seek.games[0]), level: levelName(lastLevel() ?? USUAL_LEVEL) })}
            </button>`
          : nothing}
        <button class="plain" @click=${() => this.do(() => this.opponents?.withdrawSeek(seek.id))}>
          ${t("common.cancel")}
        </button>
      </li>
    `;
  }
}

/** The games of a seek. @param {Seek} seek */
export const gamesText = ({ games }) => games.map(gameName).join(", ");

/** The terms besides the game and the clock. @param {Seek} seek @returns {string[]} */
export function termsOf({ pairs, points, rated, rating }) {
  const terms = [];
  if (pairs && points.length === 0) terms.push(t("opponents.pair"));
  if (rated) terms.push(t("match.rated"));
  if (rating) terms.push(rangeText(rating));
  return terms;
}

/** Whether a seek is for a live match. @param {Seek} seek */
const isLive = ({ clocks }) => clocks[0]?.kind !== "days";

/** Only accounts have ratings. */
const hasAccount = () => guest()?.handle !== undefined;

/** The chosen range for the opponent's rating. @param {number} range */
const wishText = (range) =>
  range === 0 ? t("opponents.range.any") : t("opponents.range.within", { points: String(range) });

/** The range in a seek: other programs may set the upper and the lower limit separately. @param {RatingRange} range */
const rangeText = ({ below, above }) =>
  below === above
    ? t("opponents.rating.within", { points: String(below) })
    : t("opponents.rating.between", { below: String(below), above: String(above) });

/** @param {number} ms */
const time = (ms) => `${Math.floor(ms / 60_000)}:${String(Math.floor(ms / SECOND_MS) % 60).padStart(2, "0")}`;

customElements.define("lusoria-opponents", LusoriaOpponents);
