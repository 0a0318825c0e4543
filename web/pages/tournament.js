// A tournament: /tournament/{id}. To enter, to be called, to watch; for its organiser, to direct.

import { catalogue } from "../api/catalogue.js";
import { Problem } from "../api/rest.js";
import { Connection } from "../api/socket.js";
import { LitElement, html, nothing } from "../lit.js";
import { saveFile } from "../player/files.js";
import { dropEntered, keepEntered } from "../player/entered.js";
import { identity, loseSession, token } from "../player/identity.js";
import { pageOf as playerPage } from "../player/players.js";
import { base, buttons, cards } from "../style/shared.js";
import { loadTexts, t } from "../text/text.js";
import { nameText } from "../text/words.js";
import { LiveTournament } from "../tournament/live.js";
import { recentPairings } from "../tournament/recent.js";
import { localWhen } from "../tournament/times.js";
import { FILES, file, rulesPage } from "../tournament/tournaments.js";
import { conditionTexts, countText, refusalText, roundText, termsText, whatText } from "../tournament/words.js";
import { tournamentStyle } from "./tournament-style.js";
import "../parts/countdown.js";
import "../parts/head.js";
import "../parts/tournament-boards.js";
import "../parts/tournament-rounds.js";
import "../parts/tournament-standings.js";
import "../parts/tournament-you.js";

/** @typedef {import("../tournament/tournaments.js").Tournament} Tournament */

const id = location.pathname.split("/")[2] ?? "";

/** How long a device listens for the calls of a tournament that its person has entered. */
const LISTENS_MS = 14 * 86_400_000;

/** `<lusoria-tournament>`: the whole page. */
class LusoriaTournament extends LitElement {
  static properties = {
    entry: { state: true },
    problem: { state: true },
    hasLuck: { state: true },
    wrong: { state: true },
  };

  static styles = [base, buttons, cards, tournamentStyle];

  constructor() {
    super();
    /** The game, once it is loaded. @type {import("../api/wire").components["schemas"]["CatalogueEntry"] | undefined} */
    this.entry = undefined;
    /** Why it cannot be shown. @type {Problem | undefined} */
    this.problem = undefined;
    /** Whether the table without luck is open. */
    this.hasLuck = false;
    this.wrong = "";
    this.connection = new Connection(token);
    this.live = new LiveTournament(this.connection, id);
    this.live.addEventListener("change", () => this.changed());
    this.live.addEventListener("refused", (event) => (this.problem = /** @type {CustomEvent<Problem>} */ (event).detail));
    this.connection.addEventListener("line", () => this.requestUpdate());
    this.connection.addEventListener("stranger", () => loseSession(this.connection.asker));
    this.connection.addEventListener("rewritten", () => location.reload());
    identity.addEventListener("change", () => {
      this.connection.reopen();
      this.live.stale();
    });
  }

  firstUpdated() {
    this.live.start(["standings"]);
    this.connection.open();
  }

  changed() {
    const { tournament } = this.live;
    if (!tournament) return;
    this.problem = undefined;
    document.title = t("tournaments.document", { name: tournament.name });
    if (!this.entry) this.load(tournament);
    const { format, phase, you } = tournament;
    // An arena pairs all the time: its last pairings are shown, which its events tell.
    this.live.want(format.kind === "arena" ? "events" : "pairings");
    if (format.kind === "knockout") import("../parts/tournament-bracket.js").catch(() => {});
    if (format.kind === "round_robin") import("../parts/tournament-cross.js").catch(() => {});
    if (you?.may.some((name) => name === "edit" || name === "end")) import("../parts/tournament-direction.js").catch(() => {});
    const isIn = you?.entrant && phase !== "ended" && !["withdrawn", "excluded", "out"].includes(you.state ?? "");
    if (isIn) keepEntered(id, Math.max(Date.now(), tournament.begins_at) + LISTENS_MS);
    else dropEntered(id);
    this.requestUpdate();
  }

  /** @param {Tournament} tournament */
  async load({ game }) {
    // Without a connection there are no small boards.
    this.entry = (await catalogue().catch(() => undefined))?.get(game);
  }

  async share() {
    const { game, listed: isListed } = /** @type {Tournament} */ (this.live.tournament);
    const loaded = await import("../parts/share.js").catch(() => undefined);
    loaded?.share({ path: `tournament/${id}`, game, framed: t("tournaments.embed.what"), isListed });
  }

  /** Downloads something. @param {keyof typeof FILES} what @param {string} name of the tournament */
  async take(what, name) {
    this.wrong = "";
    try {
      const words = name.replace(/[^\p{L}\p{N}]+/gu, "-").toLowerCase();
      saveFile(await file(id, what), `${words}.${FILES[what].end}`);
    } catch (why) {
      if (!(why instanceof Problem)) throw why;
      this.wrong = refusalText(why);
    }
  }

  async openLuck() {
    await import("../parts/tournament-luck.js").catch(() => {});
    this.hasLuck = true;
    this.live.want("luck");
  }

  render() {
    const { connection, live } = this;
    return html`
      <lusoria-head .line=${connection.line} .retryAt=${connection.retryAt} @lusoria-retry=${() => connection.retryNow()}></lusoria-head>
      <main>${live.tournament ? this.page(live.tournament) : this.nothingYet()}</main>
    `;
  }

  nothingYet() {
    const { problem } = this;
    if (!problem) return html`<p role="status">${t("common.loading")}</p>`;
    const isUnknown = ["no_such_tournament", "invalid_path"].includes(problem.code);
    return html`
      <h1>${t(isUnknown ? "tournaments.unknown" : "tournaments.unread")}</h1>
      ${isUnknown ? html`<p>${t("tournaments.unknown.why")}</p>` : html`<p>${refusalText(problem)}</p><p><button class="main" @click=${() => this.live.stale()}>${t("common.retry")}</button></p>`}
      <p><a class="button" href="/tournaments">${t("tournaments.all")}</a></p>
    `;
  }

  /** @param {Tournament} tournament */
  page(tournament) {
    const { connection, entry, live } = this;
    const now = connection.now();
    const hasBegun = tournament.phase !== "announced" && tournament.phase !== "check_in";
    return html`
      <header>
        <h1>${tournament.name}</h1>
        <p class="terms">${termsText(tournament)}</p>
        <p class="muted">${this.when(tournament, now)} · <a href=${playerPage(tournament.organiser.handle ?? tournament.organiser.id)}>${t("tournaments.by", { name: nameText(tournament.organiser.name) })}</a></p>
      </header>
      <div class="own">
        <lusoria-tournament-you .live=${live}></lusoria-tournament-you>
        ${tournament.you?.may.some((name) => name === "edit" || name === "end")
          ? html`<lusoria-tournament-direction .live=${live}></lusoria-tournament-direction>`
          : nothing}
      </div>
      ${hasBegun ? this.picture(tournament) : nothing}
      ${hasBegun
        ? html`<div class="columns">
            <div>
              <lusoria-tournament-boards .best=${tournament.best} .entry=${entry} .connection=${connection}></lusoria-tournament-boards>
              ${this.places(tournament, hasBegun)}
            </div>
            <div>${this.rounds(tournament)} ${this.luck(tournament)} ${this.about(tournament, now)} ${this.along(tournament, hasBegun)}</div>
          </div>`
        : html`<div class="columns">
            <div>${this.about(tournament, now)} ${this.along(tournament, hasBegun)}</div>
            <div>${this.places(tournament, hasBegun)}</div>
          </div>`}
    `;
  }

  /** The standings or, before the start, the entrants. @param {Tournament} tournament @param {boolean} hasBegun */
  places(tournament, hasBegun) {
    return html`<section aria-labelledby="standings">
      <h2 id="standings">${t(hasBegun ? "tournaments.standings" : "tournaments.entrants")} <span class="muted figures">${countText(tournament)}</span></h2>
      <div class="sheet"><lusoria-tournament-standings .standings=${this.live.standings} kind=${tournament.format.kind}
        ?early=${!hasBegun}></lusoria-tournament-standings></div>
    </section>`;
  }

  /** The pairings of a round; of an arena the last ones. @param {Tournament} tournament */
  rounds(tournament) {
    const { events, pairings, standings } = this.live;
    if (tournament.format.kind === "arena") {
      const recent = events && standings && { head: events.head, pairings: recentPairings(events.events, standings.standings), byes: [] };
      return html`<section aria-labelledby="rounds"><h2 id="rounds">${t("tournaments.recent")}</h2>
        <div class="sheet"><lusoria-tournament-rounds recent .pairings=${recent} .card=${tournament}></lusoria-tournament-rounds></div></section>`;
    }
    return html`<section aria-labelledby="rounds"><h2 id="rounds">${t("tournaments.rounds.heading")}</h2>
      <div class="sheet"><lusoria-tournament-rounds .pairings=${pairings} .card=${tournament}
        @lusoria-round=${(/** @type {CustomEvent<number>} */ { detail }) => this.live.choose(detail)}></lusoria-tournament-rounds></div></section>`;
  }

  /** The bracket or the cross-table, across the whole page. @param {Tournament} tournament */
  picture(tournament) {
    const { pairings, standings } = this.live;
    if (tournament.format.kind === "knockout") {
      return html`<section aria-labelledby="bracket"><h2 id="bracket">${t("tournaments.bracket")}</h2>
        <lusoria-tournament-bracket .pairings=${pairings} .card=${tournament}></lusoria-tournament-bracket></section>`;
    }
    if (tournament.format.kind !== "round_robin") return nothing;
    return html`<section aria-labelledby="cross"><h2 id="cross">${t("tournaments.cross")}</h2>
      <div class="sheet"><lusoria-tournament-cross .pairings=${pairings} .standings=${standings}></lusoria-tournament-cross></div></section>`;
  }

  /** @param {Tournament} tournament @param {number} now */
  when(tournament, now) {
    const { begins_at: begins, ended_at: ended, ends_at: ends, phase } = tournament;
    const count = (/** @type {number} */ at) => html`<lusoria-countdown .at=${at} .ahead=${this.connection.ahead}></lusoria-countdown>`;
    if (phase === "ended") return t("tournaments.ended.when", { when: localWhen(ended ?? begins, now) });
    if (phase === "announced" || phase === "check_in") {
      return html`${t("tournaments.begins", { when: localWhen(begins, now) })} (<span class="figures">${count(begins)}</span>)`;
    }
    const left = ends ? html`${t("tournaments.ends.in")} ${count(ends)}` : t("tournaments.began", { when: localWhen(begins, now) });
    return html`${roundText(tournament) || left}`;
  }

  /** @param {Tournament} tournament @param {number} now */
  about(tournament, now) {
    return html`
      <section class="card about" aria-labelledby="conditions">
        <p>${whatText(tournament, now)}</p>
        ${tournament.description ? html`<p class="description">${tournament.description}</p>` : nothing}
        <h2 id="conditions">${t("tournaments.conditions")}</h2>
        <ul>${conditionTexts(tournament).map((text) => html`<li>${text}</li>`)}</ul>
        <p><a href=${rulesPage()}>${t("tournaments.rules")}</a></p>
      </section>
    `;
  }

  /** Only rated matches are analysed, and only dice are luck. @param {Tournament} tournament */
  luck({ rated }) {
    if (!rated || this.entry?.dice === 0) return nothing;
    return html`<section aria-labelledby="luck">
      <h2 id="luck">${t("tournaments.luck")}</h2>
      ${this.hasLuck
        ? html`<div class="sheet"><lusoria-tournament-luck .luck=${this.live.luck}></lusoria-tournament-luck></div>`
        : html`<p class="muted">${t("tournaments.luck.why")}</p><p><button @click=${this.openLuck}>${t("tournaments.luck.show")}</button></p>`}
    </section>`;
  }

  /** Downloads, and other views. @param {Tournament} tournament @param {boolean} hasBegun */
  along({ name }, hasBegun) {
    const taken = /** @type {(keyof typeof FILES)[]} */ (hasBegun ? Object.keys(FILES) : ["calendar"]);
    return html`
      <section aria-labelledby="along">
        <h2 id="along">${t("tournaments.downloads")}</h2>
        <p class="row">
          <button @click=${this.share} aria-haspopup="dialog">${t("share.title")}</button>
          <a class="button" href=${`/tournament/${id}/wall`}>${t("tournaments.wall")}</a>
          ${taken.map((what) => html`<button @click=${() => this.take(what, name)}>${t(`tournaments.download.${what}`)}</button>`)}
        </p>
        <p class="wrong" role="alert">${this.wrong}</p>
      </section>
    `;
  }
}

customElements.define("lusoria-tournament", LusoriaTournament);

await loadTexts(true);
document.title = t("tournaments.title");
document.body.append(new LusoriaTournament());
