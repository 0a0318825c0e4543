// The standings of a tournament: places that move, with the tie-breaks folded where there is no room.

import { LitElement, css, html, nothing, repeat } from "../lit.js";
import { guest } from "../player/identity.js";
import { pageOf } from "../player/players.js";
import { base, buttons } from "../style/shared.js";
import { t } from "../text/text.js";
import { entrantName, pointsText, tieText } from "../tournament/words.js";
import { tableStyle } from "./tournament-table-style.js";

/** @typedef {import("../tournament/tournaments.js").Standing} Standing */
/** @typedef {import("../tournament/tournaments.js").Standings} Standings */

/** How many places stand on a page. */
const PLACES = 50;
/** How long a place takes to move. */
const MOVES_MS = 400;

/**
 * `<lusoria-tournament-standings>`: `standings`, of a tournament of this `kind`; `plain` without links, and only the
 * first `most`; `early`, before the start, only the entrants.
 */
export class LusoriaTournamentStandings extends LitElement {
  static properties = {
    standings: { attribute: false },
    kind: { type: String },
    plain: { type: Boolean, reflect: true },
    early: { type: Boolean, reflect: true },
    most: { type: Number },
    page: { state: true },
    hasTies: { state: true },
  };

  static styles = [
    base,
    buttons,
    tableStyle,
    css`
      :host {
        container-type: inline-size;
      }

      .who {
        width: 100%;
        max-width: 0;
      }

      .all .who {
        min-width: 9rem;
      }

      .who > * {
        display: block;
        overflow: hidden;
        text-overflow: ellipsis;
      }

      tr.gone {
        color: var(--muted);
      }

      tr.gone .who {
        font-weight: 400;
      }

      .state {
        font-size: var(--size-s);
      }

      .state:not(:empty) {
        padding-left: 0;
      }

      .pages {
        display: flex;
        align-items: center;
        justify-content: center;
        gap: var(--gap-m);
        margin-top: var(--gap-s);
      }

      th.points {
        white-space: normal;
      }

      :host([early]) :is(.rank, .points, .played) {
        display: none;
      }

      .tie {
        white-space: normal;
      }

      /* Where there is no room, the tie-breaks are folded. */
      @container (width < 56rem) {
        .tie {
          display: none;
        }

        .all .tie {
          display: table-cell;
        }
      }

      @container (width >= 56rem) {
        .unfold {
          display: none;
        }
      }

      @container (width < 30rem) {
        .wide {
          display: none;
        }
      }
    `,
  ];

  constructor() {
    super();
    /** @type {Standings | undefined} */
    this.standings = undefined;
    this.kind = "";
    this.plain = false;
    this.early = false;
    this.most = Infinity;
    this.page = 0;
    this.hasTies = false;
    /** Where each row stood before, by entrant. @type {Map<number, number>} */
    this.tops = new Map();
  }

  get rows() {
    return /** @type {HTMLElement[]} */ ([...this.renderRoot.querySelectorAll("tr[data-entrant]")]);
  }

  /** Notes where the rows stand, so that they move from there. */
  willUpdate() {
    this.tops = new Map(this.hasUpdated ? this.rows.map((row) => [Number(row.dataset.entrant), row.offsetTop]) : []);
  }

  updated() {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    for (const row of this.rows) {
      const before = this.tops.get(Number(row.dataset.entrant));
      const by = before === undefined ? 0 : before - row.offsetTop;
      if (by !== 0) row.animate([{ transform: `translateY(${by}px)` }, { transform: "none" }], { duration: MOVES_MS, easing: "ease-out" });
    }
  }

  render() {
    const { hasTies, most, plain, standings } = this;
    if (!standings) return html`<p class="muted">${t("common.loading")}</p>`;
    const all = standings.standings;
    if (all.length === 0) return html`<p class="muted">${t("tournaments.standings.none")}</p>`;
    const pages = plain ? 1 : Math.ceil(all.length / PLACES);
    const page = Math.min(this.page, pages - 1);
    const shown = plain ? all.slice(0, most) : all.slice(page * PLACES, (page + 1) * PLACES);
    const isKnockout = this.kind === "knockout";
    // The round that somebody has reached is what a knock-out has for points.
    const ties = plain || this.early ? [] : standings.ties.map((tie, nth) => ({ tie, nth })).filter(({ tie }) => !isKnockout || tie !== "round_reached");
    const reached = isKnockout ? standings.ties.indexOf("round_reached") : -1;
    return html`
      ${ties.length > 0
        ? html`<button class="plain unfold" aria-pressed=${String(hasTies)} @click=${() => (this.hasTies = !hasTies)}>${t("tournaments.ties.show")}</button>`
        : nothing}
      <div class="scroll ${hasTies ? "all" : ""}" tabindex=${hasTies ? "0" : nothing}>
        <table>
          <caption class="unseen">${t("tournaments.standings")}</caption>
          <thead>
            <tr>
              <th class="rank" scope="col"><span class="unseen">${t("tournaments.rank")}</span></th>
              <th class="who" scope="col">${t("tournaments.player")}</th>
              <th scope="col"><span class="unseen">${t("tournaments.you")}</span></th>
              ${plain ? nothing : html`<th class="wide" scope="col">${t("leaderboards.rating")}</th>`}
              <th class="points" scope="col">${isKnockout ? t("tournaments.round.reached") : t("tournaments.points.head")}</th>
              <th class="wide played" scope="col">${t("tournaments.played")}</th>
              ${ties.map(({ tie }) => html`<th class="tie" scope="col">${t(`tournaments.tie.${tie}`)}</th>`)}
            </tr>
          </thead>
          <tbody>${repeat(shown, ({ entrant }) => entrant, (standing) => this.row(standing, ties, reached))}</tbody>
        </table>
      </div>
      ${pages > 1 ? this.pages(page, pages) : nothing}
    `;
  }

  /** @param {Standing} standing @param {{tie: string, nth: number}[]} ties @param {number} reached the column of the round in a knock-out */
  row({ entrant, half_points: half, place, played, player, rating, state, ties: values }, ties, reached) {
    const isOwn = player.id === guest()?.id;
    const isGone = ["withdrawn", "excluded", "out"].includes(state);
    const said = ["playing", "absent", "paused", "withdrawn", "excluded"].includes(state) ? t(`tournaments.state.${state}`) : "";
    const name = html`${entrantName(player)}${isOwn ? html` <span class="muted">${t("tournaments.yours")}</span>` : nothing}`;
    return html`
      <tr data-entrant=${entrant} class="${isOwn ? "own" : ""} ${isGone ? "gone" : ""}">
        <td class="rank">${place}</td>
        <th class="who" scope="row">${this.plain || !player.handle ? html`<span>${name}</span>` : html`<a href=${pageOf(player.handle)}>${name}</a>`}</th>
        <td class="state muted">${said}</td>
        ${this.plain ? nothing : html`<td class="wide muted">${rating}</td>`}
        <td class="points">${reached >= 0 ? (values[reached] ?? "–") : pointsText(half, this.kind)}</td>
        <td class="wide played">${played}</td>
        ${ties.map(({ tie, nth }) => html`<td class="tie">${tieText(values[nth], tie)}</td>`)}
      </tr>
    `;
  }

  /** @param {number} page @param {number} pages */
  pages(page, pages) {
    const go = (/** @type {number} */ to) => () => (this.page = to);
    return html`<nav class="pages" aria-label=${t("tournaments.standings")}>
      <button ?disabled=${page === 0} @click=${go(page - 1)}>${t("tournaments.page.before")}</button>
      <span class="figures">${t("tournaments.page", { page: page + 1, pages })}</span>
      <button ?disabled=${page === pages - 1} @click=${go(page + 1)}>${t("tournaments.page.after")}</button>
    </nav>`;
  }
}

customElements.define("lusoria-tournament-standings", LusoriaTournamentStandings);
