// The best-rated players of a game.

import { Problem } from "../api/rest.js";
import { LitElement, css, html, nothing, repeat } from "../lit.js";
import { guest } from "../player/identity.js";
import { pageOf } from "../player/players.js";
import { PLACED, leaderboard } from "../player/ratings.js";
import { base, buttons } from "../style/shared.js";
import { deviationText, pointsText, sureText } from "../text/rating.js";
import { currentLocale, t } from "../text/text.js";
import { gameName, problemText } from "../text/words.js";

/** @typedef {import("../player/ratings.js").Board} Board */
/** @typedef {import("../player/ratings.js").Place} Place */

/** How many players a full board has, and a brief one. */
const PLACES = 50;
const PLACES_BRIEF = 5;

/**
 * `<lusoria-leaderboard>`: the `board` of a game; `brief` shows only the names and ratings of the first five. Marks the
 * viewer's place. Event: `lusoria-places` with the places in `detail`, or none if they could not be loaded.
 */
export class LusoriaLeaderboard extends LitElement {
  static properties = {
    board: { attribute: false },
    brief: { type: Boolean, reflect: true },
    places: { state: true },
    wrong: { state: true },
  };

  static styles = [
    base,
    buttons,
    css`
      :host {
        --row: 3rem;
      }

      :host([brief]) {
        --row: 2.5rem;
      }

      table {
        width: 100%;
        border-collapse: collapse;
        font-variant-numeric: tabular-nums lining-nums;
      }

      tr {
        height: var(--row);
      }

      thead tr {
        height: 2rem;
      }

      th,
      td {
        padding: 0 var(--gap-s);
        font-weight: 400;
        text-align: right;
        white-space: nowrap;
      }

      thead th {
        color: var(--muted);
        font-size: var(--size-s);
      }

      tbody tr {
        border-top: 1px solid var(--line);
      }

      :host([brief]) tbody tr:first-child {
        border-top: 0;
      }

      tbody tr:hover {
        background: var(--sunk);
      }

      .rank {
        width: 2.5rem;
        color: var(--muted);
      }

      .who {
        width: 100%;
        max-width: 0;
        text-align: left;
      }

      .who a {
        display: block;
        overflow: hidden;
        color: inherit;
        font-weight: 600;
        line-height: var(--row);
        text-decoration: none;
        text-overflow: ellipsis;
      }

      .who a:hover {
        text-decoration: underline;
      }

      .who a:focus-visible {
        outline-offset: -3px;
      }

      .who .muted {
        font-weight: 400;
      }

      .points {
        font-weight: 600;
      }

      tbody tr:nth-child(-n + 3) .points,
      tbody tr:nth-child(-n + 3) .rank {
        color: var(--accent);
      }

      .own,
      .own:hover {
        background: var(--tint);
      }

      .own .rank {
        box-shadow: inset 0.1875rem 0 0 var(--fill);
      }

      td:last-child,
      th:last-child {
        padding-right: var(--gap-s);
      }

      .room {
        display: grid;
        align-content: start;
        min-height: calc(2rem + 8 * var(--row));
      }

      :host([brief]) .room {
        min-height: calc(5 * var(--row));
      }

      [aria-busy="true"] table {
        opacity: 0.6;
      }

      .empty {
        display: grid;
        gap: var(--gap-s);
        align-content: center;
        justify-items: center;
        min-height: inherit;
        padding: var(--gap-l) var(--gap-m);
        border: 1px dashed var(--edge);
        border-radius: var(--round);
        color: var(--muted);
        text-align: center;
        text-wrap: balance;
      }

      .empty strong {
        color: var(--ink);
        font-size: var(--size-l);
      }

      .empty p {
        max-width: 30rem;
      }

      :host([brief]) .empty {
        padding: var(--gap-s);
        border: 0;
      }

      /* Without room, the deviation and the date of a rating are on the player's page only. */
      @media (max-width: 40rem) {
        .wide {
          display: none;
        }
        .rank {
          width: 2.25rem;
          padding-left: var(--gap-xs);
        }
      }
    `,
  ];

  constructor() {
    super();
    /** @type {Board | undefined} */
    this.board = undefined;
    this.brief = false;
    /** @type {Place[] | undefined} */
    this.places = undefined;
    this.wrong = "";
    this.isLoading = false;
    this.asking = new AbortController();
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (changed.has("board")) this.load();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.asking.abort();
  }

  /** Loads the board; ignores responses to earlier requests. */
  async load() {
    const { board, brief } = this;
    this.asking.abort();
    if (!board?.game) return;
    this.asking = new AbortController();
    const { signal } = this.asking;
    this.isLoading = true;
    this.wrong = "";
    try {
      const limit = brief ? PLACES_BRIEF : PLACES;
      const places = await leaderboard(board.game, board.pace, { bots: board.isBots, limit, signal });
      if (signal.aborted) return;
      this.places = places;
    } catch (why) {
      if (signal.aborted) return;
      if (!(why instanceof Problem)) throw why;
      this.places = undefined;
      this.wrong = problemText(why);
    } finally {
      if (!signal.aborted) this.told();
    }
  }

  /** The board is loaded, or has failed. */
  told() {
    this.isLoading = false;
    this.requestUpdate();
    this.dispatchEvent(new CustomEvent("lusoria-places", { detail: this.places }));
  }

  render() {
    return html`<div class="room" aria-busy=${String(this.isLoading)}>${this.content()}</div>`;
  }

  content() {
    const { brief, places, wrong } = this;
    if (wrong) {
      return html`<div class="empty" role="alert"><p>${wrong}</p>
        <p><button @click=${this.load}>${t("common.retry")}</button></p></div>`;
    }
    if (!places) return html`<p class="muted" role="status">${t("common.loading")}</p>`;
    if (places.length === 0) return this.nobody();
    return html`
      <table>
        <caption class="unseen">${t("leaderboards.of", { game: gameName(/** @type {any} */ (this.board?.game)) })}</caption>
        <thead class=${brief ? "unseen" : nothing}>
          <tr>
            <th class="rank" scope="col"><span class="unseen">${t("leaderboards.rank")}</span></th>
            <th class="who" scope="col">${t("leaderboards.player")}</th>
            <th scope="col">${t("leaderboards.rating")}</th>
            ${brief ? nothing : html`
              <th class="wide" scope="col">${t("rating.table.deviation")}</th>
              <th scope="col">${t("leaderboards.matches")}</th>
              <th class="wide" scope="col">${t("leaderboards.last")}</th>`}
          </tr>
        </thead>
        <tbody>${repeat(places, ({ id }) => id, (place) => this.row(place))}</tbody>
      </table>
    `;
  }

  /** @param {Place} place */
  row({ handle, id, matches, name, played_at, rank, rating }) {
    const isOwn = id === guest()?.id;
    return html`
      <tr class=${isOwn ? "own" : nothing}>
        <td class="rank">${rank}</td>
        <th class="who" scope="row"><a href=${pageOf(handle)} title="@${handle}">${name}${isOwn ? html` <span class="muted">(${t("match.you")})</span>` : nothing}</a></th>
        <td class="points" title=${sureText(rating)}>${pointsText(rating)}</td>
        ${this.brief ? nothing : html`
          <td class="wide muted">${deviationText(rating)}</td>
          <td>${matches}</td>
          <td class="wide muted">${day(played_at)}</td>`}
      </tr>
    `;
  }

  nobody() {
    if (this.brief) return html`<p class="empty">${t("leaderboards.nobody")}</p>`;
    return html`
      <div class="empty">
        <p><strong>${t("leaderboards.nobody")}</strong></p>
        <p>${t("leaderboards.takes", PLACED)}</p>
        ${this.board?.isBots ? nothing : html`<p><a class="button" href="/#${this.board?.game}">${t("leaderboards.play")}</a></p>`}
      </div>
    `;
  }
}

/** @param {number} at milliseconds since the epoch */
const day = (at) => new Intl.DateTimeFormat(currentLocale(), { dateStyle: "medium" }).format(at);

customElements.define("lusoria-leaderboard", LusoriaLeaderboard);
