// Statistics of the games: /statistics, and /statistics/{game}.

import { ask } from "../api/rest.js";
import { LitElement, css, html, nothing } from "../lit.js";
import "../parts/head.js";
import "../parts/statistics.js";
import { base, buttons, cards, fields } from "../style/shared.js";
import { currentLocale, loadTexts, t } from "../text/text.js";
import { countedText, gameName, problemText } from "../text/words.js";

/** @typedef {import("../api/wire").components["schemas"]["GameStatistics"]} GameStatistics */
/** @typedef {import("../api/wire").components["schemas"]["StatisticsList"]} StatisticsList */
/** @typedef {import("../api/wire").components["schemas"]["StatisticsTable"]} StatisticsTable */
/** @typedef {import("../text/words.js").Game} Game */

/** `<lusoria-statistics-page>`. Property: `game`; none for the list of games. */
class LusoriaStatisticsPage extends LitElement {
  static properties = {
    game: { type: String },
    list: { state: true },
    statistics: { state: true },
    chosen: { state: true },
    problem: { state: true },
  };

  static styles = [
    base,
    buttons,
    cards,
    fields,
    css`
      main {
        display: grid;
        gap: var(--gap-l);
        max-width: 60rem;
        margin: 0 auto;
        padding: var(--gap-l) max(var(--gap-m), env(safe-area-inset-left)) var(--gap-xl);
      }
      main > * {
        min-width: 0;
      }
      ul {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(min(100%, 16rem), 1fr));
        gap: var(--gap-m);
      }
      li a {
        display: grid;
        min-height: var(--touch);
        padding: var(--gap-m);
        color: var(--ink);
        text-decoration: none;
      }
      li a:hover strong {
        text-decoration: underline;
      }
      .links {
        display: flex;
        flex-wrap: wrap;
        gap: var(--gap-s) var(--gap-m);
      }
      .cite {
        display: grid;
        gap: var(--gap-s);
        padding: var(--gap-m);
        font-size: var(--size-s);
      }
      select {
        max-width: 100%;
      }
      .notice {
        padding: var(--gap-l);
      }
      .notice > * + * {
        margin-top: var(--gap-m);
      }
    `,
  ];

  constructor() {
    super();
    this.game = "";
    /** @type {StatisticsList | undefined} */
    this.list = undefined;
    /** @type {GameStatistics | undefined} */
    this.statistics = undefined;
    this.chosen = 0;
    this.problem = "";
  }

  connectedCallback() {
    super.connectedCallback();
    this.load();
  }

  async load() {
    this.problem = "";
    try {
      if (this.game) this.statistics = await ask("GET", `/statistics/${this.game}`);
      else this.list = await ask("GET", "/statistics");
    } catch (problem) {
      this.problem = problemText(/** @type {import("../text/words.js").Told} */ (problem));
    }
  }

  render() {
    const title = this.game
      ? t("statistics.title.game", { game: gameName(/** @type {Game} */ (this.game)) })
      : t("statistics.title");
    return html`
      <lusoria-head></lusoria-head>
      <main>
        <h1>${title}</h1>
        ${this.problem
          ? html`<div class="card notice">
              <p role="alert">${this.problem}</p>
              <button @click=${this.load}>${t("common.retry")}</button>
            </div>`
          : this.game ? this.ofGame() : this.ofAll()}
      </main>
    `;
  }

  ofAll() {
    const { list } = this;
    return html`
      <p>${t("statistics.about")}</p>
      <ul>
        ${list?.games.map(({ game, matches, games }) => html`
          <li class="card">
            <a href=${`/statistics/${game}`}>
              <strong>${gameName(game)}</strong>
              <span class="muted figures">${countedText(games, matches)}</span>
            </a>
          </li>
        `)}
      </ul>
      ${this.waiting(list?.waiting)}
      ${this.cite("/statistics")}
    `;
  }

  ofGame() {
    const { statistics } = this;
    if (!statistics) return nothing;
    const { tables, waiting } = statistics;
    const table = tables[this.chosen];
    const path = `/api/v1/statistics/${this.game}`;
    return html`
      ${this.waiting(waiting)}
      ${table
        ? html`
            ${tables.length > 1
              ? html`<label>
                  <span class="label">${t("statistics.which")}</span>
                  <select @change=${this.choose}>
                    ${tables.map((of, index) => html`
                      <option value=${index} ?selected=${index === this.chosen}>${this.named(of)}</option>
                    `)}
                  </select>
                </label>`
              : html`<p>${this.named(table)}</p>`}
            <lusoria-statistics .table=${table}></lusoria-statistics>
          `
        : html`<p>${t("statistics.none")}</p>`}
      <section>
        <p class="links">
          <a href=${path}>JSON</a>
          <a href=${`${path}/counts.csv`} download>CSV</a>
          <a href="/statistics">${t("statistics.all")}</a>
          <a href=${`/rules/${this.game}`}>${t("home.rules.of", { game: gameName(/** @type {Game} */ (this.game)) })}</a>
        </p>
      </section>
      ${this.cite(`/statistics/${this.game}`)}
    `;
  }

  /** @param {Event} changed */
  choose({ target }) {
    this.chosen = Number(/** @type {HTMLSelectElement} */ (target).value);
  }

  /** The caption of a table. @param {StatisticsTable} table */
  named({ players, standard, options, games }) {
    const rules = standard
      ? t("statistics.standard")
      : Object.entries(options).map(([name, value]) => `${name} = ${value}`).join(", ");
    return `${t(`statistics.players.${players}`)} · ${rules} · ${t("statistics.count.games", { count: games })}`;
  }

  /** @param {number | undefined} count */
  waiting(count) {
    return count ? html`<p class="muted" role="status">${t("statistics.waiting", { count })}</p>` : nothing;
  }

  /** How to cite this page. @param {string} path */
  cite(path) {
    const date = new Intl.DateTimeFormat(currentLocale(), { dateStyle: "long" }).format(new Date());
    return html`
      <aside class="card cite">
        <h2>${t("statistics.cite")}</h2>
        <p>${t("statistics.citation", { address: `${location.origin}${path}`, date })}</p>
        <p class="muted">${t("statistics.privacy")}</p>
      </aside>
    `;
  }
}

customElements.define("lusoria-statistics-page", LusoriaStatisticsPage);

await loadTexts();
const page = new LusoriaStatisticsPage();
page.game = /^\/statistics\/([a-z]+)$/.exec(location.pathname)?.[1] ?? "";
document.title = page.game
  ? t("statistics.document", { game: gameName(/** @type {Game} */ (page.game)) })
  : `${t("statistics.title")} – Lusoria`;
document.body.append(page);
