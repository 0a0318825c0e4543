// The cross-table of a round robin.

import { LitElement, css, html, nothing } from "../lit.js";
import { guest } from "../player/identity.js";
import { base } from "../style/shared.js";
import { t } from "../text/text.js";
import { crossTable } from "../tournament/cross.js";
import { entrantName, pointsText, resultText } from "../tournament/words.js";
import { tableStyle } from "./tournament-table-style.js";

/** @typedef {import("../tournament/cross.js").Cell} Cell */
/** @typedef {import("../tournament/tournaments.js").Pairings} Pairings */
/** @typedef {import("../tournament/tournaments.js").Standings} Standings */

/** `<lusoria-tournament-cross>`: of `standings` and `pairings`; `plain` without links. */
export class LusoriaTournamentCross extends LitElement {
  static properties = {
    standings: { attribute: false },
    pairings: { attribute: false },
    plain: { type: Boolean },
  };

  static styles = [
    base,
    tableStyle,
    css`
      :host {
        display: block;
        container-type: inline-size;
      }

      .scroll {
        margin: -0.25rem;
        padding: 0.25rem;
      }

      th.who {
        position: sticky;
        left: 0;
        max-width: 11rem;
        overflow: hidden;
        background: var(--raised);
        text-overflow: ellipsis;
      }

      .own .who {
        background: var(--tint);
      }

      thead th:not(.who) {
        text-align: center;
      }

      td {
        min-width: 2.5rem;
        text-align: center;
      }

      .self {
        background: var(--sunk);
      }

      td a {
        display: block;
        min-width: 1.5rem;
        line-height: 2rem;
      }

      /* On a phone the results need the room more than the names. */
      @container (width < 30rem) {
        th,
        td {
          padding-inline: 0.25rem;
        }

        th.who {
          max-width: 6rem;
        }

        td {
          min-width: 2.25rem;
        }

        .rank {
          min-width: 0;
          width: 1.25rem;
        }
      }
    `,
  ];

  constructor() {
    super();
    /** @type {Standings | undefined} */
    this.standings = undefined;
    /** @type {Pairings | undefined} */
    this.pairings = undefined;
    this.plain = false;
  }

  render() {
    const { pairings, standings } = this;
    if (!pairings || !standings) return html`<p class="muted">${t("common.loading")}</p>`;
    const rows = crossTable(standings.standings, pairings.pairings);
    return html`<div class="scroll" tabindex="0" role="group" aria-label=${t("tournaments.cross")}>
      <table>
        <caption class="unseen">${t("tournaments.cross.caption")}</caption>
        <thead><tr>
          <th class="rank" scope="col"><span class="unseen">${t("tournaments.rank")}</span></th>
          <th class="who" scope="col">${t("tournaments.player")}</th>
          ${rows.map(({ standing: { player } }, nth) => html`<th scope="col" title=${entrantName(player)}>${nth + 1}<span class="unseen"> ${entrantName(player)}</span></th>`)}
          <th scope="col">${t("tournaments.points.head")}</th>
        </tr></thead>
        <tbody>${rows.map(({ cells, standing: { half_points: half, player } }, at) => html`
          <tr class=${player.id === guest()?.id ? "own" : nothing}>
            <td class="rank">${at + 1}</td>
            <th class="who" scope="row" title=${entrantName(player)}>${entrantName(player)}</th>
            ${cells.map((cell, nth) => (nth === at ? html`<td class="self"></td>` : html`<td>${cell ? this.cell(cell) : nothing}</td>`))}
            <td class="points">${pointsText(half)}</td>
          </tr>`)}</tbody>
      </table>
    </div>`;
  }

  /** @param {Cell} cell */
  cell({ half, pairing }) {
    const isPlayed = half !== undefined;
    const text = isPlayed ? pointsText(half) : pairing.match ? "•" : "";
    if (!pairing.match || this.plain) return text;
    const said = `${t("common.against", { a: entrantName(pairing.first?.player), b: entrantName(pairing.second?.player) })}: ${resultText(pairing)}`;
    return html`<a href=${`/match/${pairing.match}`} aria-label=${said} title=${said}>${text}</a>`;
  }
}

customElements.define("lusoria-tournament-cross", LusoriaTournamentCross);
