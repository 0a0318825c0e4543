// Tournaments: what runs, what comes, what has ended: /tournaments. The query names a game.

import { Problem, onThisClock } from "../api/rest.js";
import { GAMES } from "../game/games.js";
import { LitElement, html, nothing, repeat } from "../lit.js";
import { base, buttons, cards } from "../style/shared.js";
import { loadTexts, t } from "../text/text.js";
import { gameName, problemText } from "../text/words.js";
import { PRESET_NAMES } from "../tournament/presets.js";
import { listed, rulesPage } from "../tournament/tournaments.js";
import { leaderboardsStyle } from "./leaderboards-style.js";
import { tournamentsStyle } from "./tournaments-style.js";
import "../parts/head.js";
import "../parts/tournament-card.js";

/** @typedef {import("../api/wire").components["schemas"]["Game"]} Game */
/** @typedef {import("../tournament/tournaments.js").Card} Card */
/** @typedef {import("../tournament/tournaments.js").Stage} Stage */

const STAGES = /** @type {Stage[]} */ (["running", "announced", "ended"]);

/** The headings of the lists. */
const HEADINGS = { running: "tournaments.running", announced: "tournaments.coming", ended: "tournaments.ended" };

const MINUTE_MS = 60_000;

/** The game in the address, if any. @returns {Game | undefined} */
const gameOf = () => GAMES.find((game) => game === new URLSearchParams(location.search).get("game"));

/** `<lusoria-tournaments>`: the whole page. */
class LusoriaTournaments extends LitElement {
  static properties = {
    game: { state: true },
    lists: { state: true },
    wrong: { state: true },
    now: { state: true },
  };

  static styles = [base, buttons, cards, leaderboardsStyle, tournamentsStyle];

  constructor() {
    super();
    this.game = gameOf();
    /** What has been loaded, by stage. @type {Partial<Record<Stage, {cards: Card[], next?: string | null}>>} */
    this.lists = {};
    this.wrong = "";
    this.now = Date.now();
    this.asking = new AbortController();
    addEventListener("popstate", () => this.show(gameOf()));
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.load());
    setInterval(() => this.look(), MINUTE_MS);
  }

  firstUpdated() {
    this.load();
  }

  /** How far the server's time is ahead of this device's, in milliseconds. */
  get ahead() {
    return -onThisClock(0);
  }

  look() {
    this.now = Date.now() + this.ahead;
  }

  /** @param {Game | undefined} game */
  show(game) {
    if (game === this.game) return;
    this.game = game;
    this.lists = {};
    this.load();
  }

  /** @param {MouseEvent} event @param {string} address @param {Game | undefined} game */
  go(event, address, game) {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    history.pushState(null, "", address);
    this.show(game);
  }

  async load() {
    this.asking.abort();
    this.asking = new AbortController();
    const { signal } = this.asking;
    const { game } = this;
    this.wrong = "";
    try {
      const pages = await Promise.all(STAGES.map((stage) => listed(stage, { game, signal })));
      if (signal.aborted) return;
      this.lists = Object.fromEntries(STAGES.map((stage, nth) => [stage, { cards: pages[nth].tournaments, next: pages[nth].next }]));
      this.look();
    } catch (why) {
      if (!signal.aborted) this.failed(why);
    }
  }

  /** @param {unknown} why */
  failed(why) {
    if (!(why instanceof Problem)) throw why;
    this.wrong = problemText(why);
  }

  /** @param {Stage} stage */
  async more(stage) {
    const { game } = this;
    const known = this.lists[stage];
    if (!known?.next) return;
    try {
      const { tournaments, next } = await listed(stage, { game, cursor: known.next });
      if (game === this.game) this.lists = { ...this.lists, [stage]: { cards: [...known.cards, ...tournaments], next } };
    } catch (why) {
      this.failed(why);
    }
  }

  render() {
    const { game, wrong } = this;
    return html`
      <lusoria-head></lusoria-head>
      <main>
        <header>
          <h1>${t("tournaments.heading")}</h1>
          <p class="lead">${t("tournaments.lead")}</p>
          <p class="row"><a class="button" href=${`/tournaments/new${game ? `?game=${game}` : ""}`}>${t("tournaments.organise")}</a>
            <a class="button plain" href=${rulesPage()}>${t("tournaments.rules")}</a></p>
          <nav class="ways" aria-label=${t("tournaments.games")}>
            ${this.way(undefined, t("tournaments.games.all"), !game)}
            ${GAMES.map((one) => this.way(one, gameName(one), one === game))}
          </nav>
        </header>
        ${wrong ? html`<p role="alert" class="wrong">${wrong} <button @click=${this.load}>${t("common.retry")}</button></p>` : nothing}
        ${STAGES.map((stage) => this.list(stage))}
        <section class="organise" aria-labelledby="organise">
          <h2 id="organise">${t("tournaments.organise")}</h2>
          <p>${t("tournaments.organise.line")}</p>
          <ul class="presets">${PRESET_NAMES.map((preset) => html`<li class="card preset">
            <h3><a href=${`/tournaments/new?preset=${preset}${game ? `&game=${game}` : ""}`}>${t(`tournaments.preset.${preset}`)}</a></h3>
            <p class="muted">${t(`tournaments.preset.${preset}.line`)}</p>
          </li>`)}</ul>
        </section>
      </main>
    `;
  }

  /** @param {Game | undefined} game @param {string} text @param {boolean} isHere */
  way(game, text, isHere) {
    const address = game ? `/tournaments?game=${game}` : "/tournaments";
    return html`<a href=${address} aria-current=${isHere ? "page" : nothing}
      @click=${(/** @type {MouseEvent} */ event) => this.go(event, address, game)}>${text}</a>`;
  }

  /** @param {Stage} stage */
  list(stage) {
    const known = this.lists[stage];
    const { ahead, now } = this;
    return html`
      <section aria-labelledby=${stage} aria-busy=${String(!known)}>
        <h2 id=${stage}>${t(HEADINGS[stage])}</h2>
        ${known?.cards.length
          ? html`<ul class="list">${repeat(known.cards, ({ id }) => id, (card) => html`<li>
              <lusoria-tournament-card .card=${card} .now=${now} .ahead=${ahead}></lusoria-tournament-card></li>`)}</ul>`
          : html`<p class="empty">${known ? t(`tournaments.none.${stage}`) : t("common.loading")}</p>`}
        ${known?.next ? html`<p><button @click=${() => this.more(stage)}>${t("tournaments.more")}</button></p>` : nothing}
      </section>
    `;
  }
}

customElements.define("lusoria-tournaments", LusoriaTournaments);

await loadTexts(true);
document.title = t("tournaments.title");
document.body.append(new LusoriaTournaments());
