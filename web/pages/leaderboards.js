// The best-rated players of every game, or of one: /leaderboards, /leaderboards/{game}. The query says the pace, and
// whether people or bots.

import { Problem } from "../api/rest.js";
import { GAMES } from "../game/games.js";
import { LitElement, html, nothing } from "../lit.js";
import { guest, identity } from "../player/identity.js";
import { pageOf, profile } from "../player/players.js";
import { PACES, PLACED, addressOf, boardOf, shortOf } from "../player/ratings.js";
import { base, buttons, cards } from "../style/shared.js";
import { deviationText, pointsText } from "../text/rating.js";
import { loadTexts, t } from "../text/text.js";
import { gameName } from "../text/words.js";
import { leaderboardsStyle } from "./leaderboards-style.js";
import "../parts/head.js";
import "../parts/leaderboard.js";

/** @typedef {import("../api/wire").components["schemas"]["Game"]} Game */
/** @typedef {import("../player/ratings.js").Board} Board */
/** @typedef {import("../player/ratings.js").Place} Place */
/** @typedef {import("../player/ratings.js").PlayerRating} PlayerRating */

/** `<lusoria-leaderboards>`: the whole page. */
class LusoriaLeaderboards extends LitElement {
  static properties = {
    board: { state: true },
    places: { state: true },
    isSettled: { state: true },
    mine: { state: true },
  };

  static styles = [base, buttons, cards, leaderboardsStyle];

  constructor() {
    super();
    /** @type {Board} */
    this.board = boardOf(location, GAMES);
    /** The players on the board of the game; undefined until loaded. @type {Place[] | undefined} */
    this.places = undefined;
    /** Whether the length of the first board is known, and with it the place of what follows. */
    this.isSettled = false;
    /** The viewer's account with its ratings; undefined until loaded, or without an account. @type {{isBot: boolean, ratings: PlayerRating[]} | undefined} */
    this.mine = undefined;
    addEventListener("popstate", () => this.show(boardOf(location, GAMES)));
    identity.addEventListener("change", () => this.look());
  }

  firstUpdated() {
    this.look();
  }

  /** On narrow screens, scrolls to the current game. */
  updated() {
    const ways = /** @type {HTMLElement} */ (this.renderRoot.querySelector(".ways"));
    const here = /** @type {HTMLElement} */ (ways.querySelector("[aria-current]"));
    ways.scrollLeft = here.offsetLeft - ways.offsetLeft - (ways.clientWidth - here.offsetWidth) / 2;
  }

  /** Loads the viewer's account; the boards work without it. */
  async look() {
    const handle = guest()?.handle;
    this.mine = undefined;
    this.requestUpdate();
    if (!handle) return;
    try {
      const { player, ratings = [] } = await profile(handle);
      if (guest()?.handle === handle) this.mine = { isBot: player.kind === "bot", ratings };
    } catch (why) {
      if (!(why instanceof Problem)) throw why;
    }
  }

  /** @param {CustomEvent<Place[] | undefined>} told */
  placed({ detail }) {
    this.places = detail;
    this.isSettled = true;
  }

  /** @param {Board} board */
  show(board) {
    const { game, isBots, pace } = this.board;
    if (game === board.game && pace === board.pace && isBots === board.isBots) return;
    this.board = board;
    this.places = undefined;
    document.title = titleOf(board);
  }

  /** Opens another board without a page load, unless it is to open elsewhere. @param {MouseEvent} event @param {Board} board */
  go(event, board) {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    const address = addressOf(board, location.search);
    if (address !== location.pathname + location.search) history.pushState(null, "", address);
    this.show(board);
  }

  render() {
    const { board } = this;
    const { game } = board;
    return html`
      <lusoria-head></lusoria-head>
      <main>
        <header>
          <h1>${game ? t("leaderboards.of", { game: gameName(game) }) : t("leaderboards.heading")}</h1>
          <nav class="ways" aria-label=${t("leaderboards.games")}>
            ${this.way({ ...board, game: undefined }, t("leaderboards.all"), !game, "page")}
            ${GAMES.map((one) => this.way({ ...board, game: one }, gameName(one), one === game, "page"))}
          </nav>
          <div class="switches">
            <nav class="switch" aria-label=${t("leaderboards.pace")}>
              ${PACES.map((pace) => this.way({ ...board, pace }, t(`rating.pace.${pace}`), pace === board.pace, "true"))}
            </nav>
            <nav class="switch" aria-label=${t("leaderboards.kind")}>
              ${this.way({ ...board, isBots: false }, t("leaderboards.people"), !board.isBots, "true")}
              ${this.way({ ...board, isBots: true }, t("leaderboards.bots"), board.isBots, "true")}
            </nav>
          </div>
        </header>
        ${game ? this.one(board) : this.all(board)}
      </main>
    `;
  }

  /** A link to another board. @param {Board} board @param {string} text @param {boolean} isHere @param {"page" | "true"} current */
  way(board, text, isHere, current) {
    return html`<a href=${addressOf(board, location.search)} aria-current=${isHere ? current : nothing}
      @click=${(/** @type {MouseEvent} */ event) => this.go(event, board)}>${text}</a>`;
  }

  /** The boards of all games. @param {Board} board */
  all(board) {
    return html`
      <div class="boards">
        ${GAMES.map((game) => {
          const own = { ...board, game };
          return html`
            <section class="card" aria-labelledby=${game}>
              <h2 id=${game}><a href=${addressOf(own, location.search)}
                @click=${(/** @type {MouseEvent} */ event) => this.go(event, own)}>${gameName(game)}</a></h2>
              <lusoria-leaderboard brief .board=${boardNamed(own)}></lusoria-leaderboard>
            </section>
          `;
        })}
        ${this.who()}
      </div>
      <div class="words">${this.numbers()}</div>
    `;
  }

  /** The board of a game. @param {Board} board */
  one(board) {
    return html`
      <div class=${this.isSettled ? "one" : "one loading"}>
        <section aria-label=${t("leaderboards.heading")}>
          <lusoria-leaderboard .board=${boardNamed(board)} @lusoria-places=${this.placed}></lusoria-leaderboard>
        </section>
        <aside class="after beside">
          ${this.standing(board)} ${this.numbers()} ${this.who()}
        </aside>
      </div>
    `;
  }

  /** The viewer's place on the board, or what is missing for a place. @param {Board} board */
  standing(board) {
    const handle = guest()?.handle;
    const { mine } = this;
    if (mine && mine.isBot !== board.isBots) return nothing;
    if (board.isBots && !mine?.isBot) return nothing;
    return html`
      <section class="card mine" aria-labelledby="mine">
        <h2 id="mine">${t("leaderboards.mine")}</h2>
        ${handle ? this.short(board, handle) : html`<p>${t("leaderboards.account")}</p>
          <p><a class="button" href="/account">${t("head.open")}</a></p>`}
      </section>
    `;
  }

  /** @param {Board} board @param {string} handle */
  short({ game, pace }, handle) {
    const { mine, places } = this;
    if (!mine) return html`<p class="muted">${t("common.loading")}</p>`;
    const rating = mine.ratings.find((one) => one.game === game && one.pace === pace);
    const place = places?.find(({ id }) => id === guest()?.id);
    const { matches, isUnsure, isOld } = shortOf(rating, Date.now());
    const isShort = matches > 0 || isUnsure || isOld;
    return html`
      ${rating
        ? html`<p class="figures"><a class="points" href=${pageOf(handle)}>${pointsText(rating.rating)}</a>
            <span class="muted">${rating.rating.provisional ? t("rating.provisional") : deviationText(rating.rating)} ·
              ${t("rating.matches", { count: rating.matches })}</span></p>`
        : html`<p>${t("rating.none.yours")}</p>`}
      ${place ? html`<p>${t("leaderboards.place", { rank: place.rank })}</p>` : nothing}
      ${!place && isShort
        ? html`<p>${t("leaderboards.short")}</p>
            <ul>
              ${matches > 0 ? html`<li>${t("leaderboards.short.matches", { count: matches })}</li>` : nothing}
              ${isUnsure ? html`<li>${t("leaderboards.short.deviation", { deviation: String(PLACED.deviation) })}</li>` : nothing}
              ${isOld ? html`<li>${t("leaderboards.short.days", { days: PLACED.days })}</li>` : nothing}
            </ul>`
        : nothing}
    `;
  }

  /** An explanation of the numbers. */
  numbers() {
    return html`
      <section aria-labelledby="numbers">
        <h2 id="numbers">${t("leaderboards.numbers")}</h2>
        <div class="told">
          <p>${t("leaderboards.numbers.start")}</p>
          <p>${t("leaderboards.numbers.apart")}</p>
          <p>${t("leaderboards.numbers.fair")}</p>
          <p>${t("leaderboards.numbers.deviation")}</p>
        </div>
      </section>
    `;
  }

  /** The players on the boards. */
  who() {
    return html`
      <section class="who" aria-labelledby="who">
        <h2 id="who">${t("leaderboards.who")}</h2>
        <p>${t("leaderboards.takes", PLACED)}</p>
        <p>${t("leaderboards.who.rated")}</p>
      </section>
    `;
  }
}

/** The same object each time, so that the board sees no change. @type {Map<string, Board>} */
const named = new Map();

/** @param {Board} board */
function boardNamed(board) {
  const name = addressOf(board);
  const known = named.get(name) ?? board;
  named.set(name, known);
  return known;
}

/** @param {Board} board */
const titleOf = ({ game }) => (game ? t("leaderboards.document", { game: gameName(game) }) : t("leaderboards.title"));

customElements.define("lusoria-leaderboards", LusoriaLeaderboards);

await loadTexts(true);
document.title = titleOf(boardOf(location, GAMES));
document.body.append(new LusoriaLeaderboards());
