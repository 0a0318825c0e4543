// The page of a player with an account: /player/{handle}. Shows the player, their results and their matches. The query
// filters the matches.

import { Problem } from "../api/rest.js";
import { Connection } from "../api/socket.js";
import { LitElement, html, nothing } from "../lit.js";
import { guest, identity, learn, loseSession, token } from "../player/identity.js";
import { Opponents } from "../player/opponents.js";
import { PlayedMatches, against, filterOf, isId, pageOf, profile, queryOf } from "../player/players.js";
import { base, buttons, cards } from "../style/shared.js";
import { currentLocale, loadTexts, t } from "../text/text.js";
import { problemText } from "../text/words.js";
import { playerStyle } from "./player-style.js";
import "../parts/challenge.js";
import "../parts/challenges.js";
import "../parts/head.js";
import "../parts/played.js";
import "../parts/played-filter.js";
import "../parts/player-menu.js";
import "../parts/player-tournaments.js";
import "../parts/ratings.js";
import "../parts/records.js";
import "../parts/results.js";

/** @typedef {import("../player/people.js").OtherPlayer} OtherPlayer */
/** @typedef {import("../player/players.js").Filter} Filter */
/** @typedef {import("../player/players.js").HeadToHead} HeadToHead */
/** @typedef {import("../player/players.js").Profile} Profile */
/** @typedef {import("../parts/challenge.js").LusoriaChallenge} LusoriaChallenge */

/** The player in the URL: a handle, or the id of a guest. */
const named = decoded(location.pathname.split("/")[2] ?? "");

/** Decodes a part of the URL. @param {string} part */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** `<lusoria-player-page>`: the whole page. */
class LusoriaPlayerPage extends LitElement {
  static properties = {
    profile: { state: true },
    filter: { state: true },
    played: { state: true },
    mine: { state: true },
    theirs: { state: true },
    problem: { state: true },
    wrong: { state: true },
  };

  static styles = [base, buttons, cards, playerStyle];

  constructor() {
    super();
    /** @type {Profile | undefined} */
    this.profile = undefined;
    /** @type {Filter} */
    this.filter = filterOf(location.search);
    this.isNarrowed = false;
    /** @type {PlayedMatches | undefined} */
    this.played = undefined;
    /** The viewer's record against the player. @type {HeadToHead | undefined} */
    this.mine = undefined;
    /** The player's record against the opponent in the filter. @type {HeadToHead | undefined} */
    this.theirs = undefined;
    /** Why nothing can be shown. @type {Problem | undefined} */
    this.problem = undefined;
    this.wrong = "";
    this.connection = new Connection(token);
    this.opponents = new Opponents(this.connection);
    this.opponents.addEventListener("met", (met) =>
      location.assign(`/match/${/** @type {CustomEvent<string>} */ (met).detail}`),
    );
    this.connection.addEventListener("line", () => this.requestUpdate());
    this.connection.addEventListener("stranger", () => loseSession(this.connection.asker));
    identity.addEventListener("change", () => this.seenBy());
    addEventListener("popstate", () => this.narrow(filterOf(location.search)));
  }

  firstUpdated() {
    this.load();
  }

  async load() {
    this.problem = undefined;
    try {
      const found = await profile(named);
      const { handle, name } = found.player;
      this.profile = found;
      document.title = t("players.player.title", { name });
      if (handle !== named) history.replaceState(null, "", pageOf(handle) + location.search + location.hash);
      this.narrow(this.filter);
      await this.seenBy();
    } catch (why) {
      if (!(why instanceof Problem)) throw why;
      this.problem = why;
    }
  }

  /** Loads the viewer's account. */
  async seenBy() {
    const player = this.profile?.player;
    if (!player) return;
    this.requestUpdate();
    if (token() === null) this.connection.close();
    else {
      this.connection.follow("personal");
      this.connection.reopen();
    }
    try {
      const me = await learn();
      this.mine = me?.handle && me.id !== player.id ? await against(me.handle, player.handle) : undefined;
    } catch (why) {
      // The page works without it.
      if (!(why instanceof Problem)) throw why;
    }
  }

  /** Applies a filter. @param {Filter} filter */
  async narrow(filter) {
    const player = this.profile?.player;
    this.filter = filter;
    // Opened details stay open when all matches are shown again.
    this.isNarrowed ||= Object.keys(filter).length > 0;
    if (!player) return;
    const played = new PlayedMatches(player.handle, filter);
    this.played = played;
    this.theirs = undefined;
    played.more();
    if (!filter.opponent) return;
    try {
      const found = await against(player.handle, filter.opponent);
      if (this.played === played) this.theirs = found;
    } catch (why) {
      // The list of matches reports an unknown opponent.
      if (!(why instanceof Problem)) throw why;
    }
  }

  /** @param {CustomEvent<Filter>} wished */
  narrowed({ detail: filter }) {
    const where = queryOf(filter, location.search);
    if (where !== location.search) history.pushState(null, "", location.pathname + where);
    this.narrow(filter);
  }

  /** @param {CustomEvent<OtherPlayer>} asked */
  challenge({ detail }) {
    /** @type {LusoriaChallenge} */ (this.renderRoot.querySelector("lusoria-challenge")).open(detail);
  }

  render() {
    const { connection } = this;
    const isConnected = connection.line !== "closed";
    return html`
      <lusoria-head
        .line=${isConnected ? connection.line : undefined}
        .retryAt=${connection.retryAt}
        @lusoria-retry=${() => connection.retryNow()}
      ></lusoria-head>
      <main>${this.profile ? this.page(this.profile) : this.nobody()}</main>
      <lusoria-challenge .connection=${connection} .opponents=${this.opponents}></lusoria-challenge>
    `;
  }

  /** Shown without a player, or before one is loaded. */
  nobody() {
    const { problem } = this;
    if (!problem) return html`<p role="status">${t("common.loading")}</p>`;
    const isUnknown = ["no_such_guest", "invalid_path"].includes(problem.code);
    const why = isId(named) ? "players.pageless" : "players.nobody";
    return html`
      <h1>${t(isUnknown ? why : "players.unread")}</h1>
      <p>${isUnknown ? t(`${why}.why`) : problemText(problem)}</p>
      <p class="row">
        ${isUnknown ? nothing : html`<button class="main" @click=${this.load}>${t("common.retry")}</button>`}
        <a class="button" href="/players">${t("players.nobody.search")}</a>
      </p>
    `;
  }

  /** @param {Profile} profile */
  page({ player, ratings = [], results }) {
    const { handle, id, kind, name, since } = player;
    const isOwn = guest()?.id === id;
    const opened = new Intl.DateTimeFormat(currentLocale(), { dateStyle: "long" }).format(since);
    return html`
      <header>
        <h1>${name}</h1>
        <p class="muted">@${handle} · ${t(`players.kind.${kind}`)} · ${t("players.since", { date: opened })}</p>
        ${isOwn
          ? html`<p><a class="button" href="/account">${t("players.own")}</a></p>`
          : html`<lusoria-player-menu .player=${player} @lusoria-challenge=${this.challenge}></lusoria-player-menu>`}
        ${isOwn ? nothing : html`<lusoria-challenges .opponents=${this.opponents} with=${id}></lusoria-challenges>`}
      </header>
      <section aria-labelledby="ratings">
        <h2 id="ratings">${t("rating.heading")}</h2>
        ${ratings.length > 0
          ? html`<lusoria-ratings .ratings=${ratings} handle=${handle}></lusoria-ratings>`
          : html`<p class="muted">${t("rating.none")}</p>`}
      </section>
      <section aria-labelledby="results">
        <h2 id="results">${t("players.results")}</h2>
        ${results.games.length > 0
          ? html`<lusoria-results .results=${results} caption=${t("players.results")}></lusoria-results>
              <p class="small muted">${t("players.results.which")}</p>`
          : html`<p class="muted">${t("players.results.none")}</p>`}
      </section>
      ${this.between(this.mine, t("players.you"))}
      <lusoria-player-tournaments player=${handle}></lusoria-player-tournaments>
      <section aria-labelledby="matches">
        <h2 id="matches">${t("players.matches")}</h2>
        <details ?open=${this.isNarrowed}>
          <summary>${t("players.filter")}</summary>
          <lusoria-played-filter .filter=${this.filter} @lusoria-filter=${this.narrowed}></lusoria-played-filter>
        </details>
        ${this.theirs && this.theirs.opponent.id !== guest()?.id
          ? this.table(this.theirs, t("common.against", { a: name, b: this.theirs.opponent.name }))
          : nothing}
        <lusoria-played .played=${this.played} player=${id}></lusoria-played>
        <lusoria-records .handle=${handle} .filter=${this.filter}></lusoria-records>
      </section>
    `;
  }

  /** @param {HeadToHead | undefined} pair @param {string} heading */
  between(pair, heading) {
    if (!pair || pair.results.games.length === 0) return nothing;
    return html`
      <section aria-labelledby="between">
        <h2 id="between">${heading}</h2>
        <lusoria-results .results=${pair.results} caption=${heading}></lusoria-results>
      </section>
    `;
  }

  /** @param {HeadToHead} pair @param {string} heading */
  table({ results }, heading) {
    return html`
      <div class="card pair">
        <h3>${heading}</h3>
        ${results.games.length > 0
          ? html`<lusoria-results .results=${results} caption=${heading}></lusoria-results>`
          : html`<p class="muted">${t("players.pair.none")}</p>`}
      </div>
    `;
  }
}

customElements.define("lusoria-player-page", LusoriaPlayerPage);

await loadTexts(true);
document.title = t("players.title");
document.body.append(new LusoriaPlayerPage());
