// Starts a match: the opponent, and the terms.

import { Problem } from "../api/rest.js";
import { LitElement, html, nothing } from "../lit.js";
import { fits } from "../player/fits.js";
import { keepLevel } from "../player/level.js";
import { guest } from "../player/identity.js";
import { USUAL_POINTS, create, join } from "../player/seats.js";
import { base, buttons, cards, fields } from "../style/shared.js";
import { currentLanguage, t } from "../text/text.js";
import { gameLine, gameName } from "../text/words.js";
import { levelStyle, levels, watching } from "./levels.js";
import { refusal } from "./refusal.js";
import { COMPUTER } from "./signs.js";
import { startStyle } from "./start-style.js";
import "./dialog.js";
import "./terms.js";

/** @typedef {import("../api/wire").components["schemas"]["Admission"]} Admission */
/** @typedef {import("../api/wire").components["schemas"]["CatalogueEntry"]} CatalogueEntry */
/** @typedef {import("../api/wire").components["schemas"]["Clock"]} Clock */
/** @typedef {import("../api/wire").components["schemas"]["MatchCard"]} MatchCard */
/** @typedef {import("../player/level.js").Level} Level */
/** @typedef {import("./dialog.js").LusoriaDialog} LusoriaDialog */
/** @typedef {import("../player/seats.js").Wishes} Wishes */
/** @typedef {import("./terms.js").LusoriaTerms} LusoriaTerms */
/** @typedef {import("./terms.js").Terms} Terms */

/** The match was taken or withdrawn: try another one. */
const TAKEN = ["full", "match_over", "no_such_match", "by_invitation_only"];

/**
 * `<lusoria-start>`: a dialogue for the game of `entry`; `waiting` are the open matches. Opens the page of the match
 * that the person joins.
 */
export class LusoriaStart extends LitElement {
  static properties = {
    entry: { attribute: false },
    waiting: { attribute: false },
    computer: { state: true },
    busy: { state: true },
    wrong: { state: true },
  };

  static styles = [base, buttons, cards, fields, startStyle, levelStyle];

  constructor() {
    super();
    /** @type {CatalogueEntry | undefined} */
    this.entry = undefined;
    /** @type {MatchCard[]} */
    this.waiting = [];
    /** Whether the person plays the computer, and chooses its level. */
    this.computer = false;
    /** The games to choose from, unless the game is fixed. @type {Map<string, CatalogueEntry> | undefined} */
    this.among = undefined;
    this.busy = false;
    /** @type {unknown} */
    this.wrong = "";
  }

  get dialog() {
    return /** @type {LusoriaDialog} */ (this.renderRoot.querySelector("lusoria-dialog"));
  }

  /**
   * Opens it for a game.
   * @param {CatalogueEntry} entry
   * @param {{computer?: boolean, among?: Map<string, CatalogueEntry>}} [how] whether the opponent is the computer;
   *   the games to choose from
   */
  async open(entry, { computer = false, among } = {}) {
    this.entry = entry;
    this.computer = computer;
    this.among = among;
    this.wrong = "";
    await this.updateComplete;
    this.dialog.open();
  }

  /** Opens the levels of the computer, or returns to the other opponents. @param {boolean} computer */
  async turnTo(computer) {
    this.computer = computer;
    await this.updateComplete;
    const first = /** @type {HTMLElement | null} */ (this.renderRoot.querySelector("[autofocus], .ways button"));
    first?.focus();
  }

  /** The chosen terms; the defaults before the form has rendered. @returns {Terms} */
  get terms() {
    const element = /** @type {LusoriaTerms | null} */ (this.renderRoot.querySelector("lusoria-terms"));
    return element?.terms ?? { points: USUAL_POINTS, rated: false, side: "lot", options: {}, bringSeed: true };
  }

  /** Open matches that fit the terms; before anything was chosen, the defaults. */
  fitting() {
    const { entry } = this;
    if (!entry) return [];
    const { terms } = this;
    const { clock, points, games, rated, side } = terms;
    const wanted = {
      game: entry.id,
      options: { ...usualOptions(entry), ...terms.options },
      clock,
      points,
      games,
      rated,
      side,
    };
    return this.waiting.filter((card) => fits(card, wanted, guest()?.id));
  }

  /** @param {Admission} admission */
  make(admission) {
    return this.goTo(async (entry) => {
      const joined = admission === "open" ? await this.sitDown() : undefined;
      return joined ?? this.setUp(entry, { admission });
    });
  }

  /** Plays the computer. @param {Level} level */
  play(level) {
    keepLevel(level);
    return this.goTo((entry) => this.setUp(entry, { opponent: { computer: level } }));
  }

  /** Lets the computer play itself. @param {Level} one the level of the first side @param {Level} other */
  watch(one, other) {
    const seats = { stand_in: { computer: one }, opponent: { computer: other } };
    return this.goTo((entry) => this.setUp(entry, { ...seats, side: entry.sides[0].id }));
  }

  /** Creates a match and opens it. @param {(entry: CatalogueEntry) => Promise<string>} make */
  async goTo(make) {
    const { entry } = this;
    if (!entry || this.busy) return;
    this.busy = true;
    this.wrong = "";
    try {
      const id = await make(entry);
      // Until the page unloads, a second click would create a second match.
      addEventListener("pagehide", () => (this.busy = false), { once: true });
      location.assign(`/match/${id}`);
    } catch (why) {
      this.busy = false;
      if (!(why instanceof Problem)) throw why;
      this.wrong = refusal(why);
    }
  }

  /** Joins an open match. @returns {Promise<string | undefined>} the match; undefined if none fits */
  async sitDown() {
    for (const { id } of this.fitting()) {
      try {
        await join(id, { bringSeed: this.terms.bringSeed });
        return id;
      } catch (why) {
        if (!(why instanceof Problem) || !TAKEN.includes(why.code)) throw why;
      }
    }
    return undefined;
  }

  /**
   * Creates the match.
   * @param {CatalogueEntry} entry
   * @param {Pick<Wishes, "admission" | "opponent" | "stand_in" | "side">} against who may join, or the opponent
   */
  async setUp(entry, against) {
    const { clock, points, games, rated, side, options, bringSeed } = this.terms;
    const wishes = {
      game: entry.id,
      clock: clock ?? usualClock(entry, against.admission),
      points,
      games,
      // Against the computer, or alone, nothing is rated.
      rated: rated && !against.opponent && against.admission !== "both_seats",
      side,
      options,
      ...against,
    };
    // A mere watcher brings no seed.
    const { match } = await create(wishes, { bringSeed: bringSeed && !against.stand_in });
    return match.id;
  }

  render() {
    const { entry } = this;
    if (!entry) return nothing;
    const lang = currentLanguage();
    const game = gameName(entry.id);
    return html`
      <lusoria-dialog wide heading=${game}>
        ${this.among ? html`<div class="among" role="group" aria-label=${t("home.games")}>${[...this.among.values()].map((one) => html`<button
          aria-pressed=${String(one === entry)} @click=${() => (this.entry = one)}>${gameName(one.id)}</button>`)}</div>` : nothing}
        ${this.computer ? levels(this) : this.ways(entry)}
        <p class="state" role="status">
          ${this.busy ? t("home.making") : html`<span class="wrong">${this.wrong}</span>`}
        </p>
        <details>
          <summary>${entry.dice > 0 ? t("home.terms") : t("home.terms.diceless")}</summary>
          <lusoria-terms .entry=${entry} ?casual=${this.computer} @lusoria-terms=${() => this.requestUpdate()}></lusoria-terms>
        </details>
        ${this.computer ? watching(this, entry) : nothing}
        <div class="about">
          <p>${t(`games.${entry.id}.about`)}</p>
          <p class="read">
            <a href=${`/rules/${entry.id}?lang=${lang}`}>${t("home.rules.of", { game })}</a>
            <a href=${`/learn/${entry.id}`}>${t("home.learn")}</a>
          </p>
        </div>
      </lusoria-dialog>
    `;
  }

  /** The choice of the opponent. @param {CatalogueEntry} entry */
  ways(entry) {
    const count = this.fitting().length;
    const by = (/** @type {Admission} */ admission) => () => this.make(admission);
    return html`
      <p class="muted">${gameLine(entry.id)}</p>
      <div class="ways">
        ${this.way(() => this.turnTo(true), MACHINE, t("levels.way"), t("levels.way.line"))}
        ${this.way(by("invitation"), FRIEND, t("home.friend"), t("home.friend.line"))}
        ${count > 0
          ? this.way(by("open"), ANYONE, t("home.anyone"), t("home.anyone.waiting", { count }), "lucky")
          : this.way(by("open"), ANYONE, t("home.anyone"), t("home.anyone.line"))}
        ${this.way(by("both_seats"), ALONE, t("home.alone"), t("home.alone.line"))}
      </div>
    `;
  }

  /**
   * @param {() => unknown} does
   * @param {unknown} picture
   * @param {string} name
   * @param {string} line
   * @param {string} [tone]
   */
  way(does, picture, name, line, tone = "muted") {
    return html`
      <button aria-disabled=${this.busy ? "true" : "false"} @click=${does}>
        ${picture}
        <strong>${name}</strong>
        <span class=${`small ${tone}`}>${line}</span>
      </button>
    `;
  }
}

/**
 * The default clock: none against friends and the computer; strangers may leave.
 * @param {CatalogueEntry} entry
 * @param {Admission | undefined} admission
 * @returns {Clock}
 */
function usualClock(entry, admission) {
  const id = admission === "open" ? "normal" : "none";
  return entry.clock_presets.find((preset) => preset.id === id)?.clock ?? { kind: "none" };
}

/** @param {CatalogueEntry} entry */
const usualOptions = ({ options }) =>
  Object.fromEntries(options.map(({ name, default: usual }) => [name, usual]));

const MACHINE = html`<svg viewBox="0 0 24 24" aria-hidden="true">${COMPUTER}</svg>`;

const FRIEND = html`<svg viewBox="0 0 24 24" aria-hidden="true">
  <path d="M10 14a4 4 0 0 0 5.7 0l3-3a4 4 0 0 0-5.7-5.7l-1 1" />
  <path d="M14 10a4 4 0 0 0-5.7 0l-3 3a4 4 0 0 0 5.7 5.7l1-1" />
</svg>`;

const ANYONE = html`<svg viewBox="0 0 24 24" aria-hidden="true">
  <circle cx="8" cy="8" r="3" />
  <circle cx="16.5" cy="8.5" r="2.5" />
  <path d="M2.5 19c.4-3.4 2.6-5.5 5.5-5.5s5.1 2.1 5.5 5.5M15.5 13.6c3.2-.6 5.6 1.4 6 5.4" />
</svg>`;

const ALONE = html`<svg viewBox="0 0 24 24" aria-hidden="true">
  <rect x="3" y="5" width="18" height="14" rx="2" />
  <path d="M12 5v14" />
  <circle cx="7.5" cy="12" r="1.8" />
  <circle cx="16.5" cy="12" r="1.8" fill="currentColor" />
</svg>`;

customElements.define("lusoria-start", LusoriaStart);
