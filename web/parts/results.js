// A player's results, by game and by side.

import { LitElement, css, html, nothing } from "../lit.js";
import { base } from "../style/shared.js";
import { t } from "../text/text.js";
import { gameName, sideName } from "../text/words.js";

/** @typedef {import("../api/wire").components["schemas"]["Results"]} Results */
/** @typedef {Results["games"][number]} GameResults */

/** `<lusoria-results>`: `results`; `caption` names the player for screen readers. */
export class LusoriaResults extends LitElement {
  static properties = { results: { attribute: false }, caption: { type: String } };

  static styles = [
    base,
    css`
      table {
        width: 100%;
        border-collapse: collapse;
        font-variant-numeric: tabular-nums lining-nums;
      }

      th,
      td {
        padding: var(--gap-xs) var(--gap-s);
        text-align: right;
        vertical-align: baseline;
      }

      th:first-child {
        padding-left: 0;
        text-align: left;
      }

      td:last-child,
      th:last-child {
        padding-right: 0;
      }

      thead th {
        border-bottom: 1px solid var(--line);
        color: var(--muted);
        font-size: var(--size-s);
        font-weight: 400;
      }

      .game > * {
        padding-top: var(--gap-s);
        font-weight: 600;
      }

      .game th {
        font-size: var(--size-l);
        line-height: 1.2;
      }

      .side > * {
        padding-block: 0;
        color: var(--muted);
        font-size: var(--size-s);
        font-weight: 400;
      }

      .side th:first-child {
        padding-left: var(--gap-m);
      }

      tbody:not(:last-child) > :last-child > * {
        padding-bottom: var(--gap-s);
        border-bottom: 1px solid var(--line);
      }

      @media (max-width: 30rem) {
        th,
        td {
          padding-inline: var(--gap-xs);
        }

        .game th {
          font-size: var(--size-m);
        }

        thead th {
          font-size: 0.75rem;
        }

        .side th:first-child {
          padding-left: var(--gap-s);
        }
      }

      .older {
        margin-top: var(--gap-s);
      }
    `,
  ];

  constructor() {
    super();
    /** @type {Results | undefined} */
    this.results = undefined;
    this.caption = "";
  }

  render() {
    const { results } = this;
    if (!results) return nothing;
    return html`
      <table>
        <caption class="unseen">${this.caption}</caption>
        <thead>
          <tr>
            <th scope="col">${t("players.game")}</th>
            <th scope="col">${t("players.won")}</th>
            <th scope="col">${t("players.drawn")}</th>
            <th scope="col">${t("players.lost")}</th>
            <th scope="col">${t("players.points")}</th>
          </tr>
        </thead>
        ${results.games.map((of) => ofGame(of))}
      </table>
      ${results.older_left_out ? html`<p class="older small muted">${t("players.older")}</p>` : nothing}
    `;
  }
}

/** @param {GameResults} results */
function ofGame({ game, won, drawn, lost, points, points_against, sides }) {
  return html`
    <tbody>
      <tr class="game">
        <th scope="rowgroup">${gameName(game)}</th>
        <td>${won}</td>
        <td>${drawn}</td>
        <td>${lost}</td>
        <td>${t("players.score", { a: points, b: points_against })}</td>
      </tr>
      ${sides.map(
        (of) => html`
          <tr class="side">
            <th scope="row">${sideName(of.side)}</th>
            <td>${of.won}</td>
            <td>${of.drawn}</td>
            <td>${of.lost}</td>
            <td></td>
          </tr>
        `,
      )}
    </tbody>
  `;
}

customElements.define("lusoria-results", LusoriaResults);
