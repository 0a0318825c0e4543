// A tournament to look at, without controls: on a wall, /tournament/{id}/wall, or in a frame of another site,
// /embed/tournament/{id}. The viewer is a stranger, and nothing is stored. The query can ask for a theme, and for
// `show=standings`, `bracket` or `cross`.

import { ask } from "../api/rest.js";
import { Connection } from "../api/socket.js";
import { LitElement, css, html, nothing } from "../lit.js";
import { base, cards } from "../style/shared.js";
import { loadTexts, t } from "../text/text.js";
import { nameText } from "../text/words.js";
import { LiveTournament } from "../tournament/live.js";
import { localWhen } from "../tournament/times.js";
import * as server from "../tournament/tournaments.js";
import { endText, refusalText, roundText, termsText } from "../tournament/words.js";
import "../parts/countdown.js";
import "../parts/tournament-boards.js";
import "../parts/tournament-bracket.js";
import "../parts/tournament-cross.js";
import "../parts/tournament-standings.js";

/** @typedef {import("../tournament/tournaments.js").Tournament} Tournament */

const [, first, second = "", third = ""] = location.pathname.split("/");
const isFrame = first === "embed";
const id = isFrame ? third : second;

const asked = new URLSearchParams(location.search);
const theme = asked.get("theme");
if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;

/** How many places fit. */
const PLACES = { wall: 16, frame: 50 };
/** The times beside the name are written again so often. */
const LOOK_MS = 30_000;

/** `<lusoria-wall>`: the whole page. */
class LusoriaWall extends LitElement {
  static properties = { entry: { state: true }, problem: { state: true }, framed: { type: Boolean, reflect: true } };

  static styles = [
    base,
    cards,
    css`
      :host {
        display: block;
        min-height: 100dvh;
      }

      main {
        display: grid;
        grid-template: auto minmax(0, 1fr) / minmax(0, 1fr);
        gap: var(--gap-m);
        padding: clamp(0.5rem, 2vmin, 2.5rem);
      }

      header {
        display: flex;
        flex-wrap: wrap;
        align-items: baseline;
        justify-content: space-between;
        gap: 0 var(--gap-l);
      }

      h1 {
        overflow-wrap: anywhere;
      }

      .now {
        font-size: var(--size-l);
      }

      .now strong {
        color: var(--accent);
      }

      .parts {
        display: grid;
        align-content: start;
        grid-template-columns: minmax(0, 1fr);
        gap: var(--gap-l);
        min-height: 0;
      }

      .both {
        display: grid;
        align-content: start;
        gap: var(--gap-m);
      }

      .card {
        min-width: 0;
        padding: var(--gap-s) var(--gap-m);
      }

      /* On a wall everything is seen at once, from afar. */
      :host(:not([framed])) main {
        min-height: 100dvh;
      }

      :host(:not([framed])) .parts {
        font-size: clamp(1rem, 2.2vmin, 2rem);
      }

      @media (min-width: 62rem) {
        :host(:not([framed])) main {
          height: 100dvh;
          overflow: hidden;
        }

        :host(:not([framed])) .parts {
          grid-template-columns: minmax(0, 1fr) minmax(0, 1fr);
        }

        /* A bracket needs the room more than the places. */
        :host(:not([framed])) .parts.knockout {
          grid-template-columns: minmax(0, 2fr) minmax(0, 3fr);
        }

        :host(:not([framed])) .parts.alone {
          grid-template-columns: minmax(0, 1fr);
        }

        :host(:not([framed])) .parts > * {
          align-self: start;
          min-height: 0;
          max-height: 100%;
          overflow: hidden;
        }
      }

      :host([framed]) h1 {
        font-size: var(--size-l);
      }

      :host([framed]) .now {
        font-size: var(--size-m);
      }

      :host([framed]) main {
        gap: var(--gap-s);
        padding: var(--gap-s);
      }
    `,
  ];

  constructor() {
    super();
    this.framed = isFrame;
    /** The game, once it is loaded. @type {import("../api/wire").components["schemas"]["CatalogueEntry"] | undefined} */
    this.entry = undefined;
    /** @type {import("../api/rest.js").Problem | undefined} */
    this.problem = undefined;
    this.connection = new Connection(() => null);
    this.live = new LiveTournament(this.connection, id, { isQuiet: true, read: { ...server, tournament: server.tournamentOfStrangers } });
    this.live.addEventListener("change", () => this.changed());
    this.live.addEventListener("refused", (event) => (this.problem = /** @type {CustomEvent} */ (event).detail));
    this.connection.addEventListener("line", () => this.requestUpdate());
    this.connection.addEventListener("rewritten", () => location.reload());
    setInterval(() => this.requestUpdate(), LOOK_MS);
  }

  firstUpdated() {
    this.live.start(["standings"]);
    this.connection.open();
  }

  async changed() {
    const { tournament } = this.live;
    this.problem = undefined;
    this.requestUpdate();
    if (["knockout", "round_robin"].includes(tournament?.format.kind ?? "")) this.live.want("pairings");
    if (!tournament || this.entry) return;
    document.title = t("tournaments.document", { name: tournament.name });
    // Without the game there are no small boards.
    this.entry = await ask("GET", `/games/${tournament.game}`).catch(() => undefined);
  }

  render() {
    const { tournament } = this.live;
    // An arena or a Swiss of which nothing is played has nothing but its places.
    const isAlone = ["arena", "swiss"].includes(tournament?.format.kind ?? "") && tournament?.best.length === 0;
    if (tournament) return html`<main>${this.head(tournament)} <div class="parts ${isAlone ? "alone" : tournament.format.kind}">${this.parts(tournament)}</div></main>`;
    if (!this.problem) return html`<main><p role="status">${t("common.loading")}</p></main>`;
    const all = html`<p><a href="/tournaments" target=${isFrame ? "_blank" : nothing} rel="noopener">${t("tournaments.all")}</a></p>`;
    return html`<main><p role="status">${refusalText(this.problem)}</p>${all}</main>`;
  }

  /** @param {Tournament} tournament */
  head(tournament) {
    return html`<header>
      <div>
        <h1>${isFrame ? html`<a href=${server.pageOf(id)} target="_blank" rel="noopener" title=${t("tournaments.embed.open")}>${tournament.name}</a>` : tournament.name}</h1>
        <p class="muted">${termsText(tournament)}</p>
      </div>
      <p class="now figures">${this.connection.line === "waiting" ? t("connection.waiting") : this.now(tournament)}</p>
    </header>`;
  }

  /** @param {Tournament} tournament */
  now(tournament) {
    const { begins_at: begins, ends_at: ends, next_round_at: next, phase, winner } = tournament;
    const count = (/** @type {number} */ at) => html`<strong><lusoria-countdown .at=${at} .ahead=${this.connection.ahead}></lusoria-countdown></strong>`;
    if (phase === "ended") return winner ? t("tournaments.won.by", { name: nameText(winner.name) }) : endText(tournament);
    if (phase === "announced" || phase === "check_in") return html`${localWhen(begins, this.connection.now())} · ${count(begins)}`;
    const far = roundText(tournament);
    if (!far && ends) return html`${t("tournaments.ends.in")} ${count(ends)}`;
    return html`${far}${next ? html` · ${t("tournaments.next.in")} ${count(next)}` : nothing}`;
  }

  /** @param {Tournament} tournament */
  parts(tournament) {
    const { connection, entry, live: { pairings, standings } } = this;
    const { kind } = tournament.format;
    const hasBegun = tournament.phase !== "announced" && tournament.phase !== "check_in";
    const show = asked.get("show");
    const places = html`<div class="card"><lusoria-tournament-standings plain most=${isFrame ? PLACES.frame : PLACES.wall} kind=${kind}
      .standings=${standings}></lusoria-tournament-standings></div>`;
    const picture = kind === "knockout"
      ? html`<lusoria-tournament-bracket plain ?fit=${!isFrame} .pairings=${pairings} .card=${tournament}></lusoria-tournament-bracket>`
      : kind === "round_robin"
        ? html`<div class="card"><lusoria-tournament-cross plain .pairings=${pairings} .standings=${standings}></lusoria-tournament-cross></div>`
        : nothing;
    if (isFrame) return hasBegun && picture !== nothing && show !== "standings" ? picture : places;
    const boards = html`<lusoria-tournament-boards plain large .best=${tournament.best} .entry=${entry} .connection=${connection}></lusoria-tournament-boards>`;
    return html`${places}<div class="both">${hasBegun && picture !== nothing ? picture : nothing}${boards}</div>`;
  }
}

customElements.define("lusoria-wall", LusoriaWall);

await loadTexts(true);
document.body.append(new LusoriaWall());
