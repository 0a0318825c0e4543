// The best boards that are played, as small live boards.

import { LitElement, css, html, nothing, repeat } from "../lit.js";
import { Watched } from "../player/watched.js";
import { base, cards } from "../style/shared.js";
import { t } from "../text/text.js";
import { entrantName } from "../tournament/words.js";
import "../board/miniature.js";

/** @typedef {import("../api/wire").components["schemas"]["CatalogueEntry"]} CatalogueEntry */
/** @typedef {import("../tournament/tournaments.js").Pairing} Pairing */

/**
 * `<lusoria-tournament-boards>`: of the pairings `best`, on the board of `entry`; watched over `connection`, while the
 * page is seen. Empty if nothing is played. `plain` without links; `large` where there is room.
 */
export class LusoriaTournamentBoards extends LitElement {
  static properties = {
    best: { attribute: false },
    entry: { attribute: false },
    connection: { attribute: false },
    plain: { type: Boolean },
    large: { type: Boolean, reflect: true },
  };

  static styles = [
    base,
    cards,
    css`
      ul {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(100%, 13rem), 1fr));
        gap: var(--gap-m);
      }

      :host([large]) ul {
        grid-template-columns: repeat(2, minmax(0, 1fr));
      }

      :host([large]) li {
        max-width: none;
      }

      li {
        position: relative;
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        max-width: 26rem;
        padding: var(--gap-s);
      }

      li:has(a:hover) {
        border-color: var(--accent);
      }

      @media (max-width: 40rem) {
        ul {
          grid-template-columns: repeat(2, minmax(0, 1fr));
          gap: var(--gap-s);
        }

        p {
          font-size: var(--size-s);
        }
      }

      h2 {
        margin-bottom: var(--gap-s);
        font-size: var(--size-l);
      }

      .board {
        position: relative;
        aspect-ratio: 8 / 5;
      }

      lusoria-miniature {
        position: absolute;
        inset: 0;
      }

      /* A name a line, so that both are read. */
      p {
        text-align: center;
      }

      p span {
        display: block;
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
      }

      .moves {
        font-weight: 600;
      }

      a {
        color: inherit;
        text-decoration: none;
      }

      a::after {
        content: "";
        position: absolute;
        inset: 0;
        border-radius: var(--round);
      }

      a:focus-visible {
        outline: none;
      }

      a:focus-visible::after {
        outline: var(--ring);
      }
    `,
  ];

  constructor() {
    super();
    /** At most four. @type {Pairing[]} */
    this.best = [];
    /** @type {CatalogueEntry | undefined} */
    this.entry = undefined;
    /** @type {import("../api/socket.js").Connection | undefined} */
    this.connection = undefined;
    this.plain = false;
    this.large = false;
    /** The boards that are watched, by match. @type {Map<string, {watched: Watched, stop: () => void}>} */
    this.watching = new Map();
    this.seen = () => this.requestUpdate();
  }

  connectedCallback() {
    super.connectedCallback();
    document.addEventListener("visibilitychange", this.seen);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    document.removeEventListener("visibilitychange", this.seen);
    this.keep([]);
  }

  get shown() {
    return this.best.filter(({ match }) => match);
  }

  /** Watches these matches and no others. @param {Pairing[]} pairings */
  keep(pairings) {
    const ids = pairings.map(({ match }) => String(match));
    for (const [id, { stop }] of this.watching) {
      if (ids.includes(id)) continue;
      stop();
      this.watching.delete(id);
    }
    for (const id of ids) {
      if (this.watching.has(id) || !this.connection) continue;
      // Only the position and the side to move are shown.
      const watched = new Watched(/** @type {any} */ ({ id }), () => this.requestUpdate());
      this.watching.set(id, { watched, stop: this.connection.watch(id, watched) });
    }
  }

  willUpdate() {
    this.keep(document.visibilityState === "visible" ? this.shown : []);
  }

  render() {
    const { entry, shown } = this;
    this.hidden = shown.length === 0;
    return html`${this.plain ? nothing : html`<h2>${t("tournaments.boards")}</h2>`}<ul>${repeat(shown, ({ match }) => match, ({ first, match, second }) => {
      const watched = this.watching.get(String(match))?.watched;
      const [a, b] = [entrantName(first?.player), entrantName(second?.player)];
      const moves = watched?.card.to_play;
      const names = html`<span class=${moves === 1 ? "moves" : nothing}>${a}</span><span class=${moves === 2 ? "moves" : nothing}>${b}</span>`;
      return html`<li class="card">
        <div class="board" aria-hidden="true">${entry
          ? html`<lusoria-miniature .entry=${entry} .position=${watched?.position ?? entry.start}></lusoria-miniature>`
          : nothing}</div>
        <p>${this.plain ? names : html`<a href=${`/match/${match}`} aria-label=${`${t("tournaments.watch")}: ${t("common.against", { a, b })}`}>${names}</a>`}</p>
      </li>`;
    })}</ul>`;
  }
}

customElements.define("lusoria-tournament-boards", LusoriaTournamentBoards);
