// The table with luck taken out: beside the standings, never instead of them.

import { LitElement, css, html, nothing } from "../lit.js";
import { guest } from "../player/identity.js";
import { base } from "../style/shared.js";
import { currentLocale, t } from "../text/text.js";
import { rulesPage } from "../tournament/tournaments.js";
import { entrantName, pointsText } from "../tournament/words.js";
import { tableStyle } from "./tournament-table-style.js";

/** @typedef {import("../tournament/tournaments.js").Luck} Luck */

/** `<lusoria-tournament-luck>`: the table `luck`. */
export class LusoriaTournamentLuck extends LitElement {
  static properties = { luck: { attribute: false } };

  static styles = [
    base,
    tableStyle,
    css`
      :host {
        display: block;
        container-type: inline-size;
      }

      p {
        margin-bottom: var(--gap-s);
      }

      /* On a phone the names need the room. */
      @container (width < 30rem) {
        th,
        td {
          padding-inline: 0.25rem;
        }

        thead th {
          white-space: normal;
        }

        .rank {
          width: 1.25rem;
        }
      }

      .who {
        width: 100%;
        max-width: 0;
        overflow: hidden;
        text-overflow: ellipsis;
      }
    `,
  ];

  constructor() {
    super();
    /** @type {Luck | undefined} */
    this.luck = undefined;
  }

  render() {
    const { luck } = this;
    const number = new Intl.NumberFormat(currentLocale(), { minimumFractionDigits: 2, maximumFractionDigits: 2, signDisplay: "negative" });
    const signed = new Intl.NumberFormat(currentLocale(), { minimumFractionDigits: 2, maximumFractionDigits: 2, signDisplay: "exceptZero" });
    return html`
      <p>${t("tournaments.luck.why")} <a href=${rulesPage()}>${t("tournaments.luck.more")}</a></p>
      ${!luck ? html`<p class="muted">${t("common.loading")}</p>` : luck.table.length === 0 ? html`<p class="muted">${t("tournaments.luck.none")}</p>` : html`
        ${luck.known < luck.all ? html`<p class="muted small">${t("tournaments.luck.partly", { known: luck.known, all: luck.all })}</p>` : nothing}
        <table>
          <caption class="unseen">${t("tournaments.luck")}</caption>
          <thead><tr>
            <th class="rank" scope="col"><span class="unseen">${t("tournaments.rank")}</span></th>
            <th class="who" scope="col">${t("tournaments.player")}</th>
            <th scope="col">${t("tournaments.luck.points")}</th>
            <th scope="col">${t("tournaments.luck.luck")}</th>
            <th scope="col">${t("tournaments.points.head")}</th>
          </tr></thead>
          <tbody>${luck.table.map(({ half_points: half, luck: by, player, without_luck: points }) => html`
            <tr class=${player.id === guest()?.id ? "own" : nothing}>
              <td class="rank">${luck.table.findIndex((row) => row.without_luck === points) + 1}</td>
              <th class="who" scope="row">${entrantName(player)}</th>
              <td class="points">${number.format(points)}</td>
              <td class="muted">${signed.format(by)}</td>
              <td>${pointsText(half)}</td>
            </tr>`)}</tbody>
        </table>`}
    `;
  }
}

customElements.define("lusoria-tournament-luck", LusoriaTournamentLuck);
