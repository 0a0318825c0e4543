// The statistics of a game, for the same options and the same kind of players: results, lengths, throws, openings,
// times.

import { LitElement, css, html, nothing } from "../lit.js";
import { base, cards } from "../style/shared.js";
import { currentLocale, t } from "../text/text.js";
import { notationText, sideName } from "../text/words.js";
import { binned } from "./bins.js";
import "./plot.js";

/** @typedef {import("../api/wire").components["schemas"]["StatisticsTable"]} StatisticsTable */
/** @typedef {import("../api/wire").components["schemas"]["Share"]} Share */
/** @typedef {import("../api/wire").components["schemas"]["SideThrows"]} SideThrows */

/** The most bars that a phone can show. */
const BARS_MAX = 40;

/** @param {number} part from 0 to 1 */
const percent = (part) =>
  new Intl.NumberFormat(currentLocale(), { style: "percent", maximumFractionDigits: 1 }).format(part);

/** @param {number} count */
const number = (count, digits = 0) =>
  new Intl.NumberFormat(currentLocale(), { maximumFractionDigits: digits }).format(count);

/** @param {Share} share */
const shareText = ({ share, low, high, of }) =>
  of === 0 ? "–" : t("statistics.share", { share: percent(share), low: percent(low), high: percent(high) });

/** The reason for the end of a game. @param {string} reason */
const endText = (reason) => t(`ends.${reason}`);

/** A duration in its usual unit. @param {number} seconds */
function span(seconds) {
  const unit = seconds < 60 ? "second" : seconds < 3_600 ? "minute" : seconds < 86_400 ? "hour" : "day";
  const of = { second: 1, minute: 60, hour: 3_600, day: 86_400 }[unit];
  return new Intl.NumberFormat(currentLocale(), { style: "unit", unit, unitDisplay: "short", maximumFractionDigits: 0 })
    .format(seconds / of);
}

/** `<lusoria-statistics>`: a `table` of statistics. */
export class LusoriaStatistics extends LitElement {
  static properties = { table: { attribute: false } };

  static styles = [
    base,
    cards,
    css`
      :host {
        display: grid;
        gap: var(--gap-xl);
      }
      section {
        display: grid;
        gap: var(--gap-m);
        min-width: 0;
      }
      .scroll {
        overflow-x: auto;
      }
      table {
        width: 100%;
        border-collapse: collapse;
      }
      caption {
        padding-bottom: var(--gap-xs);
        font-weight: 600;
        text-align: start;
      }
      th,
      td {
        padding: 0.3rem 0.6rem;
        border-bottom: 1px solid var(--line);
        text-align: end;
        vertical-align: baseline;
      }
      th {
        font-weight: 600;
        text-align: start;
      }
      thead th:not(:first-child) {
        text-align: end;
      }
      tbody th {
        font-weight: 400;
      }
      .pair {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr));
        gap: var(--gap-l);
      }
      dl {
        display: flex;
        flex-wrap: wrap;
        gap: var(--gap-s) var(--gap-l);
        margin: 0;
      }
      dt {
        color: var(--muted);
        font-size: var(--size-s);
      }
      dd {
        margin: 0;
      }
    `,
  ];

  constructor() {
    super();
    /** @type {StatisticsTable} */
    this.table;
  }

  render() {
    const { table } = this;
    return html`
      ${this.results()} ${table.lengths ? this.lengths(table.lengths) : nothing}
      ${table.throws.length > 0 ? this.throws() : nothing} ${table.openings.length > 0 ? this.openings() : nothing}
      ${table.taken.length > 0 ? this.taken() : nothing} ${table.times.length > 0 ? this.times() : nothing}
    `;
  }

  results() {
    const { table } = this;
    const row = (/** @type {string} */ name, /** @type {Share} */ share) => html`
      <tr><th scope="row">${name}</th><td>${number(share.count)}</td><td>${shareText(share)}</td></tr>
    `;
    const head = html`<thead><tr>
      <th scope="col">${t("statistics.result")}</th>
      <th scope="col">${t("statistics.games")}</th>
      <th scope="col">${t("statistics.interval")}</th>
    </tr></thead>`;
    return html`
      <section>
        <h2>${t("statistics.results")}</h2>
        <p class="muted">${t("statistics.matches", { won: number(table.matches_won), drawn: number(table.matches_drawn), aborted: number(table.matches_aborted) })}</p>
        <div class="scroll">
          <table class="figures">
            <caption>${t("statistics.sides")}</caption>
            ${head}
            <tbody>
              ${table.sides.map(({ side, won }) => row(t("statistics.won", { side: sideName(side) }), won))}
              ${row(t("statistics.drawn"), table.drawn)}
              ${table.first ? row(t("statistics.first"), table.first) : nothing}
            </tbody>
          </table>
        </div>
        <div class="scroll">
          <table class="figures">
            <caption>${t("statistics.reasons")}</caption>
            ${head}
            <tbody>
              ${table.results.map(({ winner, points, reason, games }) => {
                const who = winner ? t("statistics.won", { side: sideName(winner) }) : t("statistics.drawn");
                const how = points > 1 ? t("statistics.points", { count: points, reason: endText(reason) }) : endText(reason);
                return row(`${who}: ${how}`, games);
              })}
            </tbody>
          </table>
        </div>
        <dl class="figures">
          ${table.turns.map(({ side, passed }) => html`<div>
            <dt>${t("statistics.passed", { side: sideName(side) })}</dt><dd>${shareText(passed)}</dd>
          </div>`)}
        </dl>
      </section>
    `;
  }

  /** @param {NonNullable<StatisticsTable["lengths"]>} lengths */
  lengths({ games, mean, p5, p25, median, p75, p95, histogram }) {
    const bars = binned(histogram, BARS_MAX).map(({ from, to, count }) => ({
      label: String(from),
      told: from === to ? String(from) : `${from}–${to}`,
      count,
    }));
    const value = (/** @type {string} */ name, /** @type {string} */ of) => html`<div><dt>${name}</dt><dd>${of}</dd></div>`;
    return html`
      <section>
        <h2>${t("statistics.lengths")}</h2>
        <p class="muted">${t("statistics.lengths.about", { count: games })}</p>
        <lusoria-plot heading=${t("statistics.lengths.plot")} what=${t("statistics.turns")} counted=${t("statistics.games")}
          .bars=${bars}></lusoria-plot>
        <dl class="figures">
          ${value(t("statistics.mean"), number(mean, 1))} ${value(t("statistics.median"), number(median))}
          ${value(t("statistics.quarters"), `${number(p25)}–${number(p75)}`)}
          ${value(t("statistics.ninety"), `${number(p5)}–${number(p95)}`)}
        </dl>
      </section>
    `;
  }

  throws() {
    return html`
      <section>
        <h2>${t("statistics.throws")}</h2>
        <p class="muted">${t("statistics.throws.about")}</p>
        <div class="pair">${this.table.throws.map((throws) => this.throwsOf(throws))}</div>
      </section>
    `;
  }

  /** @param {SideThrows} throws */
  throwsOf({ side, alike, alike_expected, chi_square, degrees, p, dice }) {
    const bars = dice.map(({ dice: values, count, expected }) => ({
      label: values.join(""),
      told: values.join("-"),
      count,
      expected,
    }));
    const test = { chi: number(chi_square, 1), degrees: number(degrees) };
    return html`
      <div>
        <lusoria-plot heading=${t("statistics.throws.plot", { side: sideName(side), count: alike.of })}
          what=${t("statistics.throw")} counted=${t("statistics.count")} .bars=${bars}></lusoria-plot>
        <p class="small">${t("statistics.alike", { share: shareText(alike), expected: percent(alike_expected) })}</p>
        <p class="small">${p === undefined || p === null
          ? t("statistics.chi.few", test)
          : t("statistics.chi", { ...test, p: number(p, 3) })}</p>
      </div>
    `;
  }

  openings() {
    const hasDice = this.table.openings.some(({ dice }) => dice.length > 0);
    return html`
      <section>
        <h2>${t("statistics.openings")}</h2>
        <p class="muted">${t(hasDice ? "statistics.openings.dice" : "statistics.openings.moves")}</p>
        <div class="scroll" tabindex="0" role="region" aria-label=${t("statistics.openings")}>
          <table class="figures">
            <thead><tr>
              <th scope="col">${t(hasDice ? "statistics.throw" : "statistics.moves")}</th>
              <th scope="col">${t("statistics.opening")}</th>
              <th scope="col">${t("statistics.games")}</th>
              <th scope="col">${t("statistics.openings.won")}</th>
            </tr></thead>
            <tbody>
              ${this.table.openings.map(({ dice, plies, moves, games, won }) => html`
                <tr>
                  <th scope="row">${hasDice ? dice.join("-") : plies}</th>
                  <td>${moves === "pass" ? t("statistics.pass") : notationText(moves)}</td>
                  <td>${number(games.count)}</td>
                  <td>${shareText(won)}</td>
                </tr>
              `)}
            </tbody>
          </table>
        </div>
      </section>
    `;
  }

  taken() {
    const [{ kind }] = this.table.taken;
    return html`
      <section>
        <h2>${t(`statistics.taken.${kind}`)}</h2>
        <div class="pair">
          ${this.table.taken.map(({ side, mean, histogram }) => html`
            <lusoria-plot
              heading=${t("statistics.taken.plot", { side: sideName(side), mean: number(mean, 1) })}
              what=${t("statistics.taken.number")} counted=${t("statistics.games")}
              .bars=${binned(histogram, BARS_MAX).map(({ from, to, count }) => ({
                label: String(from),
                told: from === to ? String(from) : `${from}–${to}`,
                count,
              }))}></lusoria-plot>
          `)}
        </div>
      </section>
    `;
  }

  times() {
    return html`
      <section>
        <h2>${t("statistics.times")}</h2>
        <p class="muted">${t("statistics.times.about")}</p>
        <div class="pair">
          ${this.table.times.map(({ clock, turns, histogram }) => html`
            <lusoria-plot heading=${t(`statistics.times.${clock}`, { count: turns })}
              what=${t("statistics.times.most")} counted=${t("statistics.turns")}
              .bars=${histogram.map(({ value, count }) => ({ label: span(value), told: span(value), count }))}></lusoria-plot>
          `)}
        </div>
      </section>
    `;
  }
}

customElements.define("lusoria-statistics", LusoriaStatistics);
