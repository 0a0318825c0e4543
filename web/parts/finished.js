// The person's finished matches: the results by game, and each match.

import { Problem } from "../api/rest.js";
import { GAMES } from "../game/games.js";
import { LitElement, css, html, nothing, repeat } from "../lit.js";
import { base, buttons, cards } from "../style/shared.js";
import { t } from "../text/text.js";
import { gameName, problemText } from "../text/words.js";
import "./card.js";

/** @typedef {import("../player/finished.js").Finished} Finished */

/** How many matches are shown at first, and how many more each time. */
const SHOWN = 6;
const MORE_SHOWN = 24;

/** `<lusoria-finished>`: of `finished`; `connection` has the server's time. */
class LusoriaFinished extends LitElement {
  static properties = {
    finished: { attribute: false },
    connection: { attribute: false },
    shown: { state: true },
    busy: { state: true },
    wrong: { state: true },
  };

  static styles = [
    base,
    buttons,
    cards,
    css`
      .all {
        display: grid;
        gap: var(--gap-l);
        align-items: start;
      }

      .list {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(min(100%, 22rem), 1fr));
        gap: var(--gap-s);
        margin-bottom: var(--gap-s);
      }

      table {
        width: 100%;
        border-collapse: collapse;
      }

      caption {
        padding-top: var(--gap-s);
        caption-side: bottom;
        text-align: left;
      }

      th,
      td {
        padding: 0.375rem 0 0.375rem var(--gap-s);
        border-bottom: 1px solid var(--line);
        text-align: right;
      }

      th:first-child {
        padding-left: 0;
        text-align: left;
      }

      tbody th {
        font-weight: 600;
      }

      .wrong {
        color: var(--accent);
        font-weight: 600;
      }

      @media (min-width: 60rem) {
        .all {
          grid-template-columns: minmax(18rem, 1fr) 2.5fr;
        }
      }
    `,
  ];

  constructor() {
    super();
    /** @type {Finished | undefined} */
    this.finished = undefined;
    /** @type {{now: () => number} | undefined} */
    this.connection = undefined;
    this.shown = SHOWN;
    this.busy = false;
    this.wrong = "";
    this.changed = () => this.requestUpdate();
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (!changed.has("finished")) return;
    /** @type {Finished | undefined} */ (changed.get("finished"))?.removeEventListener("change", this.changed);
    this.finished?.addEventListener("change", this.changed);
  }

  /** Shows older ones, which may have to be loaded. */
  async more() {
    const { finished } = this;
    if (!finished || this.busy) return;
    this.busy = true;
    this.wrong = "";
    try {
      if (finished.cards.length < this.shown + MORE_SHOWN) await finished.more();
      this.shown += MORE_SHOWN;
    } catch (why) {
      if (!(why instanceof Problem)) throw why;
      this.wrong = problemText(why);
    } finally {
      this.busy = false;
    }
  }

  render() {
    const { finished } = this;
    if (!finished) return nothing;
    const now = this.connection?.now() ?? Date.now();
    const isMore = finished.cards.length > this.shown || finished.cursor !== undefined;
    return html`
      <div class="all">
        ${finished.results.length > 0 ? results(finished) : nothing}
        <div>
          <ul class="list">
            ${repeat(
              finished.cards.slice(0, this.shown),
              ({ id }) => id,
              (card) => html`<li><lusoria-card .card=${card} .now=${now} kind="finished"></lusoria-card></li>`,
            )}
          </ul>
          <p class="wrong" role="alert">${this.wrong}</p>
          ${isMore
            ? html`<button class="plain" aria-disabled=${String(this.busy)} @click=${this.more}>
                ${t("home.finished.more")}
              </button>`
            : nothing}
        </div>
      </div>
    `;
  }
}

/** @param {Finished} finished */
function results({ results: all, counted, cards: known, cursor }) {
  const newest = cursor ? t("home.results.known", { count: known.length }) : t("home.results.all");
  const inOrder = GAMES.flatMap((game) => all.filter((result) => result.game === game));
  const said = counted ? t("home.results.counted") : newest;
  return html`
    <table>
      <caption class="muted small">${said}</caption>
      <thead>
        <tr class="small muted">
          <th scope="col">${t("home.results.game")}</th>
          <th scope="col">${t("home.results.won")}</th>
          <th scope="col">${t("home.results.lost")}</th>
          <th scope="col">${t("home.results.drawn")}</th>
        </tr>
      </thead>
      <tbody class="figures">
        ${inOrder.map(
          ({ game, won, lost, drawn }) => html`
            <tr>
              <th scope="row">${gameName(game)}</th>
              <td>${won}</td>
              <td>${lost}</td>
              <td>${drawn}</td>
            </tr>
          `,
        )}
      </tbody>
    </table>
  `;
}

customElements.define("lusoria-finished", LusoriaFinished);
