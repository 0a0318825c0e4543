// Home: the games, the person's matches, open matches, and live ones.
//
// Content that loads late moves nothing. The person's own matches come first: nothing is shown until they are loaded.
// Then come one large board, and beside it the ways to play and the waiting players; below them the games.

import { catalogue } from "../api/catalogue.js";
import { Problem } from "../api/rest.js";
import { Connection } from "../api/socket.js";
import { GAMES, factsOfGame } from "../game/games.js";
import { LitElement, html, nothing, repeat, svg } from "../lit.js";
import { entitle, showCount, waits } from "../player/badge.js";
import { Finished } from "../player/finished.js";
import { guest, identity, loseSession, token } from "../player/identity.js";
import { keepMatches } from "../player/last-known.js";
import { BOARDS_MAX, Lists } from "../player/lists.js";
import { Opponents } from "../player/opponents.js";
import { join } from "../player/seats.js";
import { whenIdle } from "../player/worker.js";
import { base, buttons, cards } from "../style/shared.js";
import { loadTexts, t } from "../text/text.js";
import { clockText, gameLine, gameName, markedText, problemText } from "../text/words.js";
import { gamesText, lastGames, termsOf } from "../parts/opponents.js";
import { PICTURES } from "../parts/pictures.js";
import { refusal } from "../parts/refusal.js";
import { homeStyle } from "./home-style.js";
import "../board/miniature.js";
import "../parts/card.js";
import "../parts/head.js";

/** @typedef {import("../api/wire").components["schemas"]["CatalogueEntry"]} CatalogueEntry */
/** @typedef {import("../api/wire").components["schemas"]["Game"]} Game */
/** @typedef {import("../api/wire").components["schemas"]["MatchCard"]} MatchCard */
/** @typedef {import("../api/wire").components["schemas"]["Seek"]} Seek */
/** @typedef {import("../parts/start.js").LusoriaStart} LusoriaStart */
/** @typedef {import("../parts/unfinished.js").LusoriaUnfinished} LusoriaUnfinished */

/** If the person has more matches than this, at first only those where it is their turn are shown. */
const MINE_SHOWN = 6;
/** If more matches are open, at first the newest are shown. */
const OPEN_SHOWN = 8;
const MINUTE_MS = 60_000;
/** After this time the games are shown without the person's matches. */
const OWN_WITHIN_MS = 5_000;
/** After this time a loading message is shown. */
const SOON_MS = 700;

/** `<lusoria-home>`: the whole page. A game's id in the fragment of the URL opens that game. */
class LusoriaHome extends LitElement {
  static properties = {
    entries: { state: true },
    isReady: { state: true },
    isLate: { state: true },
    deals: { state: true },
    unhides: { state: true },
    wrong: { state: true },
    joining: { state: true },
    allMine: { state: true },
    allOpen: { state: true },
    said: { state: true },
  };

  static styles = [base, buttons, cards, homeStyle];

  constructor() {
    super();
    /** @type {Map<Game, CatalogueEntry>} */
    this.entries = new Map();
    /** Whether the person's matches are loaded, or are no longer waited for. */
    this.isReady = token() === null;
    this.isLate = false;
    /** Whether a match is being ended or hidden, which needs more code. */
    this.deals = false;
    /** Whether hidden matches are shown, too. */
    this.unhides = false;
    /** @type {unknown} */
    this.wrong = "";
    this.joining = "";
    this.allMine = false;
    this.allOpen = false;
    this.said = "";
    this.waited = 0;
    this.awaitsGreat = true;
    this.connection = new Connection(token);
    this.lists = new Lists(this.connection);
    this.finished = new Finished(this.connection);
    this.opponents = new Opponents(this.connection);
    this.opponents.addEventListener("met", (met) =>
      location.assign(`/match/${/** @type {CustomEvent<string>} */ (met).detail}`),
    );
    this.connection.addEventListener("line", () => this.requestUpdate());
    this.connection.addEventListener("stranger", () => loseSession(this.connection.asker));
    this.connection.addEventListener("blocked", () => (this.wrong = t("problems.blocked")));
    this.lists.addEventListener("change", () => this.tell());
    this.finished.addEventListener("change", () => this.requestUpdate());
    identity.addEventListener("change", () => this.connection.reopen());
    addEventListener("hashchange", () => this.openNamed());
    setInterval(() => this.requestUpdate(), MINUTE_MS);
  }

  firstUpdated() {
    const own = [this.lists.start(), this.opponents.refresh()];
    const ready = () => {
      if (this.isReady) return;
      this.isReady = true;
      if (location.hash === "#mine") this.goToMine();
    };
    Promise.allSettled(own).then(ready);
    setTimeout(ready, OWN_WITHIN_MS);
    setTimeout(() => (this.isLate = true), SOON_MS);
    this.load();
  }

  async load() {
    try {
      this.entries = await catalogue();
      this.openNamed();
    } catch (why) {
      if (!(why instanceof Problem)) throw why;
      this.wrong = problemText(why);
    }
  }

  /** Announces that more matches wait, and shows the number in the title. */
  tell() {
    this.requestUpdate();
    const { known, mine } = this.lists;
    const count = mine.filter(waits).length;
    entitle(count > 0 ? `(${count}) ${t("home.title")}` : t("home.title"), count > 0);
    if (known.mine) {
      showCount(count);
      keepMatches(mine);
    }
    if (count > this.waited) this.said = t("home.mine.waits", { count });
    this.waited = count;
  }

  openNamed() {
    if (location.hash === "#mine") return this.goToMine();
    const entry = this.entries.get(/** @type {Game} */ (location.hash.slice(1)));
    if (entry) this.open(entry);
  }

  /** Scrolls to the unfinished matches, once they are loaded. */
  goToMine() {
    if (!this.isReady) return;
    this.start.dialog?.close();
    this.allMine = true;
    unname();
    this.focusMine();
  }

  get start() {
    return /** @type {LusoriaStart} */ (this.renderRoot.querySelector("lusoria-start"));
  }

  /** @param {CatalogueEntry} entry @param {{computer?: boolean, among?: Map<string, CatalogueEntry>}} [how] */
  async open(entry, how) {
    // Loaded when the person wants to play.
    const loaded = await import("../parts/start.js").catch(() => undefined);
    this.wrong = loaded ? "" : problemText({ code: "offline" });
    if (loaded) this.start.open(entry, how);
  }

  /** @param {CustomEvent<MatchCard>} asked */
  async join({ detail: { id } }) {
    if (this.joining !== "") return;
    this.joining = id;
    this.wrong = "";
    try {
      await join(id, { bringSeed: true });
      addEventListener("pagehide", () => (this.joining = ""), { once: true });
      location.assign(`/match/${id}`);
    } catch (why) {
      this.joining = "";
      if (!(why instanceof Problem)) throw why;
      this.wrong = problemText(why);
      this.lists.refresh();
    }
  }

  /** Makes the same seek as another player, to be paired with them. @param {Seek} other */
  async joinSeek({ id, by, games, points, pairs, clocks, rated }) {
    if (this.joining !== "") return;
    this.joining = id;
    this.wrong = "";
    try {
      const seek = await this.opponents.seek({ games, points, pairs, clocks, rated, bots: by?.kind === "bot" });
      if (seek.match) return;
      // Another player was faster: the person waits for the next one.
      this.renderRoot.querySelector("lusoria-opponents")?.scrollIntoView({ block: "center" });
      this.said = t("opponents.seeking");
    } catch (why) {
      if (!(why instanceof Problem)) throw why;
      this.wrong = refusal(why);
    }
    this.joining = "";
    this.lists.askSeeks().catch(() => {});
  }

  render() {
    const { connection, lists } = this;
    return html`
      <lusoria-head
        .line=${connection.line}
        .retryAt=${connection.retryAt}
        @lusoria-retry=${() => connection.open()}
      ></lusoria-head>
      <main class=${this.isReady ? "" : "held"}>
        <p class="unseen" role="status">${this.said}</p>
        <p class="wrong" role="alert">${this.wrong}</p>
        ${this.isReady ? this.content() : this.isLate ? html`<p class="soon">${t("common.loading")}</p>` : nothing}
      </main>
      <lusoria-start .waiting=${lists.open} @lusoria-closed=${unname}></lusoria-start>
      ${this.deals
        ? html`<lusoria-unfinished
            @lusoria-ended=${() => this.ended()}
            @lusoria-hidden=${() => this.focusMine()}
          ></lusoria-unfinished>`
        : nothing}
    `;
  }

  content() {
    const { connection, lists } = this;
    const { known } = lists;
    return html`
        ${lists.unfinished.length > 0 ? this.mine() : nothing}
        <div class="room">
          <lusoria-great class="object" .entries=${this.entries}></lusoria-great>
          <section class="play" aria-labelledby="opponents">
            <h1>${t("home.welcome")}</h1>
            <p class="lead">${t("home.lead")}</p>
            <h2 id="opponents" class="unseen">${t("opponents.title")}</h2>
            <lusoria-opponents .opponents=${this.opponents} .entries=${this.entries} .connection=${connection}></lusoria-opponents>
            <div class="ways">
              ${[false, true].map((computer) => html`<button aria-haspopup="dialog" ?disabled=${this.entries.size === 0}
                @click=${() => this.openAny(computer)}>${t(computer ? "levels.play" : "home.friend.play")}</button>`)}
            </div>
          </section>
          ${this.waiting()}
        </div>
        ${this.games()}
        ${known.open && known.live ? html`${this.live()} ${this.played()}` : nothing}
        <p class="small">${[["/tv", "tv.every"], ["/players", "home.players"], ["/tournaments", "head.tournaments"], ["/leaderboards", "head.leaderboards"], ["/record", "home.record"]].map(
          ([address, name], nth) => html`${nth ? " · " : ""}<a href=${address}>${t(name)}</a>`)}</p>
    `;
  }

  updated() {
    if (!this.awaitsGreat || !this.renderRoot.querySelector("lusoria-great")) return;
    this.awaitsGreat = false;
    whenIdle(() => import("../parts/great.js").catch(() => {}));
  }

  /** Opens the game of the last seek, or the easiest one; another can be chosen there. @param {boolean} computer */
  openAny(computer) {
    const [game] = lastGames();
    const entry = this.entries.get(game);
    if (entry) this.open(entry, { computer, among: this.entries });
  }

  games() {
    return html`
      <section aria-labelledby="games">
        <h2 id="games" tabindex="-1">${t("home.games")}</h2>
        <ul class="games">
          ${GAMES.map((game) => this.game(game, this.entries.get(game)))}
        </ul>
      </section>
    `;
  }

  /** @param {Game} game @param {CatalogueEntry | undefined} entry */
  game(game, entry) {
    return html`
      <li class="card game">
        <div class="picture" aria-hidden="true">
          ${entry
            ? html`<lusoria-miniature painted .entry=${entry} .position=${PICTURES[game]}></lusoria-miniature>`
            : nothing}
        </div>
        <div class="what">
          <h3>
            <button
              aria-haspopup="dialog"
              aria-describedby=${`line-${game}`}
              ?disabled=${!entry}
              @click=${() => entry && this.open(entry)}
            >
              ${gameName(game)}
            </button>
          </h3>
          <p id=${`line-${game}`}>${gameLine(game)}</p>
        </div>
        <div class="foot">
          ${facts(game)}
          <a href=${`/learn/${game}`} aria-label=${t("home.learn.of", { game: gameName(game) })}>${t("home.learn.short")}</a>
          <button
            class="computer"
            aria-haspopup="dialog"
            aria-label=${t("levels.play.of", { game: gameName(game) })}
            ?disabled=${!entry}
            @click=${() => entry && this.open(entry, { computer: true })}
          >
            ${t("levels.play")}
          </button>
        </div>
      </li>
    `;
  }

  mine() {
    const { mine, hidden } = this.lists;
    const few = Math.max(MINE_SHOWN, Math.min(this.waited, BOARDS_MAX));
    const shown = this.allMine ? mine : mine.slice(0, few);
    return html`
      <section aria-labelledby="mine">
        <h2 id="mine" tabindex="-1">${t("home.mine")}</h2>
        ${this.ownCards(shown)}
        ${shown.length < mine.length ? all(() => this.showAllMine()) : nothing}
        ${hidden.length > 0
          ? html`<button class="plain" aria-expanded=${String(this.unhides)} @click=${() => this.turnHidden()}>
                ${this.unhides ? t("home.hidden.conceal") : t("home.hidden.show", { count: hidden.length })}
              </button>
              ${this.unhides
                ? html`<h3>${t("home.hidden")}</h3>
                    ${this.ownCards(hidden)}`
                : nothing}`
          : nothing}
      </section>
    `;
  }

  /** @param {MatchCard[]} cards */
  ownCards(cards) {
    const { boards } = this.lists;
    if (cards.length === 0) return nothing;
    return html`
      <ul class="mine" @lusoria-more=${this.deal}>
        ${repeat(
          cards,
          ({ id }) => id,
          (card) => html`<li>${this.card(card, "mine", boards.get(card.id))}</li>`,
        )}
      </ul>
    `;
  }

  showAllMine() {
    this.allMine = true;
    this.lists.askBoards(this.lists.mine).catch(() => {});
  }

  turnHidden() {
    this.unhides = !this.unhides;
    if (this.unhides) this.lists.askBoards(this.lists.hidden).catch(() => {});
  }

  /** Ends or hides a match. @param {CustomEvent<MatchCard>} chosen */
  async deal({ detail: card }) {
    // Rarely needed, so loaded on demand.
    const loaded = await import("../parts/unfinished.js").catch(() => undefined);
    this.wrong = loaded ? "" : problemText({ code: "offline" });
    if (!loaded) return;
    this.deals = true;
    await this.updateComplete;
    /** @type {LusoriaUnfinished} */ (this.renderRoot.querySelector("lusoria-unfinished")).open(card);
  }

  ended() {
    this.said = t("home.ended");
    this.lists.refresh();
    this.finished.refresh();
    return this.focusMine();
  }

  /** The focused card has been removed. */
  async focusMine() {
    await this.updateComplete;
    const next = this.renderRoot.querySelector("#mine") ?? this.renderRoot.querySelector("#games");
    /** @type {HTMLElement | null} */ (next)?.focus();
  }

  played() {
    const { connection, finished } = this;
    if (finished.cards.length === 0) return nothing;
    if (!customElements.get("lusoria-finished")) import("../parts/finished.js").catch(() => {});
    return html`
      <section aria-labelledby="finished">
        <h2 id="finished">${t("home.finished")}</h2>
        <lusoria-finished .finished=${finished} .connection=${connection}></lusoria-finished>
      </section>
    `;
  }

  /** The players who wait for an opponent. Takes up the same space for any number. */
  waiting() {
    const { known, open, seeks } = this.lists;
    const shown = this.allOpen ? open : open.slice(0, OPEN_SHOWN);
    const isEmpty = open.length + seeks.length === 0;
    return html`
      <section class="waits" aria-labelledby="open">
        <h2 id="open">${t("home.open")}</h2>
        <div class="list">
          ${isEmpty
            ? known.open ? html`<p class="muted">${t("home.open.empty")}</p>${this.meanwhile()}` : nothing
            : html`<ul class="open" @lusoria-join=${this.join}>
                ${repeat(
                  seeks,
                  ({ id }) => id,
                  (seek) => html`<li class="card seek">${this.seek(seek)}</li>`,
                )}
                ${repeat(
                  shown,
                  ({ id }) => id,
                  (card) => html`<li>${this.card(card, "open")}</li>`,
                )}
              </ul>`}
          ${shown.length < open.length ? all(() => (this.allOpen = true)) : nothing}
        </div>
      </section>
    `;
  }

  /** Shown while nobody waits: the lesson of the easiest game. */
  meanwhile() {
    const [game] = GAMES;
    return html`<a class="card meanwhile" href=${`/learn/${game}`}>
      <lusoria-miniature painted .entry=${this.entries.get(game)} .position=${PICTURES[game]}></lusoria-miniature>
      <span>${t("home.learn.of", { game: gameName(game) })}</span>
    </a>`;
  }

  /** @param {Seek} seek */
  seek(seek) {
    const { by, clocks, rated } = seek;
    const games = gamesText(seek);
    const name = by ? markedText(by) : "";
    const terms = [clocks.map(clockText).join(" / "), ...termsOf(seek)];
    return html`
      <div>
        <h3>${games}</h3>
        <p>${name}</p>
        <p class="muted small figures">${terms.join(" · ")}</p>
      </div>
      ${rated && !guest()?.handle
        ? html`<a class="button" href="/account">${t("home.stake.open")}</a>`
        : html`<button
            aria-label=${t("home.card.join.to", { game: games, name })}
            aria-disabled=${this.joining === "" ? "false" : "true"}
            @click=${() => this.joinSeek(seek)}
          >
            ${t("home.card.join")}
          </button>`}
    `;
  }

  live() {
    const { watched } = this.lists;
    if (watched.size === 0) return nothing;
    return html`
      <section aria-labelledby="live">
        <h2 id="live">${t("home.live")}</h2>
        <ul class="live">
          ${repeat(
            watched,
            ([id]) => id,
            ([, { card, position }]) => html`<li>${this.card(card, "live", position)}</li>`,
          )}
        </ul>
      </section>
    `;
  }

  /**
   * @param {MatchCard} card
   * @param {"mine" | "open" | "live"} kind
   * @param {import("../api/wire").components["schemas"]["Position"]} [position]
   */
  card(card, kind, position) {
    return html`
      <lusoria-card
        .card=${card}
        .entry=${this.entries.get(card.game)}
        .position=${position}
        .now=${this.connection.now()}
        .kind=${kind}
        .busy=${this.joining !== ""}
      ></lusoria-card>
    `;
  }
}

/** The difficulty and the length of a game. @param {Game} game */
function facts(game) {
  const { difficulty, turns, minutes } = factsOfGame(game);
  const [from, to] = minutes;
  return html`
    <p class="facts figures">
      <svg viewBox="0 0 40 12" aria-hidden="true">
        ${[1, 2, 3].map((nth) => svg`<circle class=${nth <= difficulty ? "full" : ""} cx=${nth * 13 - 6} cy="6" r="4.5" />`)}
      </svg>
      <strong>${t(`home.difficulty.${difficulty}`)}</strong>
      <span>${t("home.lasts", { turns, from, to })}</span>
    </p>
  `;
}

/** The rest of a list. @param {() => void} show */
const all = (show) => html`<button class="plain" @click=${show}>${t("home.all")}</button>`;

/** Closes the game in the URL. */
function unname() {
  if (location.hash !== "") history.replaceState(null, "", location.pathname + location.search);
}

customElements.define("lusoria-home", LusoriaHome);

await loadTexts();
document.title = t("home.title");
document.body.append(new LusoriaHome());
if (token() !== null) import("../parts/standing.js").then((standing) => standing.tellStanding()).catch(() => {});
