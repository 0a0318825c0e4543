// The details behind the verdict, on demand.

import { diceOf } from "../dice/read.js";
import { LitElement, css, html, nothing } from "../lit.js";
import { base, buttons } from "../style/shared.js";
import { t } from "../text/text.js";

/** @typedef {import("../dice/check.js").Verdict} Verdict */
/** @typedef {import("../dice/check.js").CheckedGame} CheckedGame */
/** @typedef {import("../dice/check.js").CheckedThrow} CheckedThrow */

/** Throws that are rendered at first: a table of many thousands would block the page. */
const SHOWN = 200;

/** Bytes from this one on are skipped. */
const SKIPPED_FROM = 252;

/** `<lusoria-dice-numbers>`. Properties: `verdict`; `names` of the players. */
export class LusoriaDiceNumbers extends LitElement {
  static properties = {
    verdict: { attribute: false },
    names: { attribute: false },
    shown: { state: true },
  };

  static styles = [
    base,
    buttons,
    css`
      h2 {
        margin-bottom: var(--gap-s);
      }

      p + dl,
      dl + p,
      p + p {
        margin-top: var(--gap-s);
      }

      dl {
        display: grid;
        grid-template-columns: minmax(0, max-content) minmax(0, 1fr);
        gap: var(--gap-xs) var(--gap-m);
        margin: 0;
      }

      dt {
        color: var(--muted);
      }

      dd {
        margin: 0;
      }

      .mono {
        font-family: var(--mono);
        font-size: 0.875em;
        overflow-wrap: anywhere;
      }

      details {
        margin-top: var(--gap-s);
        border: 1px solid var(--line);
        border-radius: var(--round);
        background: var(--raised);
      }

      summary {
        padding: var(--gap-s) var(--gap-m);
        min-height: var(--touch);
        cursor: pointer;
        font-weight: 600;
        line-height: 1.75rem;
      }

      .inside {
        padding: 0 var(--gap-m) var(--gap-m);
      }

      .wide {
        margin-top: var(--gap-m);
        overflow-x: auto;
      }

      table {
        width: 100%;
        border-collapse: collapse;
        font-size: var(--size-s);
        font-variant-numeric: tabular-nums;
      }

      caption {
        padding-bottom: var(--gap-xs);
        text-align: left;
      }

      th,
      td {
        padding: 0.35em 0.6em;
        border-bottom: 1px solid var(--line);
        text-align: left;
        font-weight: 400;
      }

      thead th {
        border-bottom: 2px solid var(--edge);
        font-weight: 600;
      }

      td.whole {
        white-space: nowrap;
        overflow-wrap: normal;
      }

      tr.wrong td,
      tr.wrong th {
        background: var(--tint);
      }

      s {
        color: var(--muted);
      }

      button {
        margin-top: var(--gap-m);
      }

      @media (max-width: 34rem) {
        dl {
          grid-template-columns: 1fr;
        }

        dd + dt {
          margin-top: var(--gap-xs);
        }
      }
    `,
  ];

  constructor() {
    super();
    /** @type {Verdict | undefined} */
    this.verdict = undefined;
    /** @type {[string, string]} */
    this.names = ["", ""];
    /** How many throws of each game are shown; none while it is closed. @type {Map<number, number>} */
    this.shown = new Map();
  }

  /** @param {Map<PropertyKey, unknown>} changed */
  willUpdate(changed) {
    if (changed.has("verdict")) this.shown = new Map();
  }

  /** @param {number} game @param {number} many */
  show(game, many) {
    this.shown = new Map(this.shown).set(game, many);
  }

  render() {
    const { verdict } = this;
    if (!verdict?.match) return nothing;
    return html`
      <h2>${t("dice.numbers")}</h2>
      <p>${t(hasDice(verdict) ? "dice.numbers.how" : "dice.numbers.how.lot")}</p>
      <details>
        <summary>${t("dice.numbers.match")}</summary>
        <div class="inside">
          <dl>
            <dt>${t("dice.numbers.id")}</dt>
            <dd class="mono">${verdict.match}</dd>
            <dt>${t("dice.numbers.commitment")}</dt>
            <dd class="mono">${verdict.commitment}</dd>
            ${/** @type {const} */ ([1, 2]).map((seat) => this.seed(verdict, seat))}
          </dl>
        </div>
      </details>
      ${verdict.games.map((game) => this.game(game))}
    `;
  }

  /** @param {Verdict} verdict @param {1 | 2} seat */
  seed({ seeds }, seat) {
    const seed = seeds[seat];
    if (!seed) return nothing;
    return html`
      <dt>${t("dice.numbers.seed", { seat, name: this.names[seat - 1] })}</dt>
      <dd>
        <span class="mono">${seed.seed ?? "–"}</span>
        (${t(`dice.numbers.${seed.kind}`)})
      </dd>
      ${seed.hash
        ? html`
            <dt>${t("dice.numbers.hash")}</dt>
            <dd><span class="mono">${seed.hash}</span> ${fits(seed.hashFits)}</dd>
          `
        : nothing}
    `;
  }

  /** @param {CheckedGame} game */
  game(game) {
    const shown = this.shown.get(game.number) ?? 0;
    const opened = (/** @type {Event} */ event) => {
      const { open } = /** @type {HTMLDetailsElement} */ (event.currentTarget);
      if (open && shown === 0) this.show(game.number, SHOWN);
    };
    return html`
      <details @toggle=${opened}>
        <summary>
          ${t("dice.numbers.game", { game: game.number })}${hasDice(this.verdict)
            ? `, ${t("dice.numbers.throws", { count: game.throws.length })}`
            : nothing}
        </summary>
        ${shown > 0 ? this.inside(game, shown) : nothing}
      </details>
    `;
  }

  /** @param {CheckedGame} game @param {number} shown */
  inside({ number, secret, holds, lot, throws }, shown) {
    return html`
      <div class="inside">
        <dl>
          <dt>${t("dice.numbers.secret")}</dt>
          <dd>
            ${secret
              ? html`<span class="mono">${secret}</span> ${fits(holds)}`
              : t("dice.numbers.unpublished")}
          </dd>
          ${lot
            ? html`
                <dt>${t("dice.numbers.lot")}</dt>
                <dd>
                  ${t("dice.numbers.lot.fell", { byte: lot.byte, name: this.names[lot.seat - 1] })}
                  ${fits(lot.fits)}
                </dd>
                <dt>${t("dice.numbers.lot.input")}</dt>
                <dd class="mono">${lot.input}</dd>
              `
            : nothing}
        </dl>
        ${throws.length > 0 ? this.table(number, throws.slice(0, shown)) : nothing}
        ${throws.length > shown
          ? html`<button @click=${() => this.show(number, shown + SHOWN)}>
              ${t("dice.numbers.more", { count: Math.min(SHOWN, throws.length - shown) })}
            </button>`
          : nothing}
      </div>
    `;
  }

  /** @param {number} number @param {CheckedThrow[]} throws */
  table(number, throws) {
    const caption = t("dice.numbers.caption", { game: number });
    return html`
      <div class="wide" tabindex="0" role="region" aria-label=${caption}>
        <table>
          <caption>
            ${caption}
          </caption>
          <thead>
            <tr>
              <th scope="col">${t("dice.numbers.number")}</th>
              <th scope="col">${t("dice.numbers.who")}</th>
              <th scope="col">${t("dice.numbers.recorded")}</th>
              <th scope="col">${t("dice.numbers.computed")}</th>
              <th scope="col">${t("dice.numbers.bytes")}</th>
              <th scope="col">${t("dice.numbers.input")}</th>
            </tr>
          </thead>
          <tbody>
            ${throws.map((thrown) => this.row(thrown))}
          </tbody>
        </table>
      </div>
    `;
  }

  /** @param {CheckedThrow} thrown */
  row({ index, kind, seat, tied, dice, drawn, fits: same }) {
    const opening = tied ? "dice.numbers.tied" : "dice.numbers.opening";
    return html`
      <tr class=${same === false ? "wrong" : ""}>
        <th scope="row">${index + 1}</th>
        <td class="whole">${kind === "opening" || !seat ? t(opening) : this.names[seat - 1]}</td>
        <td class="whole">${dice.join(" ")}</td>
        <td class="whole">${drawn ? html`${drawn.dice.join(" ")} ${fits(same)}` : "–"}</td>
        <td class="whole">${drawn?.bytes.map(byteOf) ?? "–"}</td>
        <td class="mono whole">${drawn?.input ?? "–"}</td>
      </tr>
    `;
  }
}

/** @param {Verdict | undefined} verdict */
const hasDice = (verdict) => diceOf(verdict?.game) !== 0;

/** @param {number} byte */
const byteOf = (byte) => (byte < SKIPPED_FROM ? `${byte} ` : html`<s>${byte}</s> `);

/** @param {boolean | undefined} same */
function fits(same) {
  if (same === undefined) return nothing;
  const [sign, words] = same ? ["✓", t("dice.numbers.fits")] : ["✗", t("dice.numbers.differs")];
  return html`<span role="img" aria-label=${words} title=${words}>${sign}</span>`;
}

customElements.define("lusoria-dice-numbers", LusoriaDiceNumbers);
