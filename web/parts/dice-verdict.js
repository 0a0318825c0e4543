// The result of checking a record's dice, in plain words, and what it proves.

import { LitElement, css, html, nothing } from "../lit.js";
import { base, cards } from "../style/shared.js";
import { find, listed, t } from "../text/text.js";

/** @typedef {import("../dice/check.js").Verdict} Verdict */
/** @typedef {import("../dice/faults.js").Fault} Fault */

/** Faults that are listed at first. */
const LISTED = 5;

/**
 * `<lusoria-dice-verdict>`. Properties: `verdict`; `names` of the players in seats 1 and 2.
 */
export class LusoriaDiceVerdict extends LitElement {
  static properties = {
    verdict: { attribute: false },
    names: { attribute: false },
  };

  static styles = [
    base,
    cards,
    css`
      .result {
        display: grid;
        grid-template-columns: auto 1fr;
        gap: var(--gap-m);
        align-items: start;
        padding: var(--gap-l);
        border-left: 0.375rem solid var(--edge);
      }

      .result.true {
        border-left-color: var(--good);
      }

      .result.open,
      .result.nothing {
        border-left-color: var(--warn);
      }

      .result.false,
      .result.unreadable {
        border-left-color: var(--accent);
      }

      svg {
        width: 3.5rem;
        height: 3.5rem;
        fill: none;
        stroke-width: 3;
        stroke-linecap: round;
        stroke-linejoin: round;
      }

      .true svg {
        stroke: var(--good);
      }

      .open svg,
      .nothing svg {
        stroke: var(--warn);
      }

      .false svg,
      .unreadable svg {
        stroke: var(--accent);
      }

      .words > * + * {
        margin-top: var(--gap-s);
      }

      .faults {
        padding-left: 1.2em;
        list-style: disc;
      }

      .faults li + li {
        margin-top: var(--gap-xs);
      }

      summary {
        min-height: 1.75rem;
        cursor: pointer;
      }

      .proves {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr));
        gap: var(--gap-l);
        margin-top: var(--gap-l);
      }

      .proves h2 {
        margin-bottom: var(--gap-s);
        font-size: var(--size-l);
      }

      .proves li {
        position: relative;
        padding-left: 1.6em;
      }

      .proves li + li {
        margin-top: var(--gap-s);
      }

      .proves li::before {
        position: absolute;
        left: 0;
        font-weight: 700;
      }

      .proved li::before {
        content: "✓" / "";
        color: var(--good);
      }

      .unproved li::before {
        content: "–" / "";
        color: var(--warn);
      }

      @media (max-width: 30rem) {
        .result {
          grid-template-columns: 1fr;
          padding: var(--gap-m);
        }

        svg {
          width: 2.75rem;
          height: 2.75rem;
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
  }

  render() {
    const { verdict } = this;
    if (!verdict) return nothing;
    const words = wordsOf(verdict);
    return html`
      <section class="card result ${verdict.result}">
        ${sign(verdict.result)}
        <div class="words">
          <h2>${t(`dice.${words}`)}</h2>
          <p>${t(`dice.${words}.more`, { count: verdict.throws, checked: verdict.checked })}</p>
          ${this.faults(verdict)}
        </div>
      </section>
      ${verdict.result === "true" || words === "open" ? this.proves(verdict) : nothing}
    `;
  }

  /** @param {Verdict} verdict */
  faults({ faults, faultsMore }) {
    if (faults.length === 0) return nothing;
    const [first, rest] = [faults.slice(0, LISTED), faults.slice(LISTED)];
    const list = (/** @type {Fault[]} */ some) =>
      html`<ul class="faults">${some.map((fault) => html`<li>${faultText(fault, this.names)}</li>`)}</ul>`;
    return html`
      ${list(first)}
      ${rest.length === 0
        ? nothing
        : html`
            <details>
              <summary>${t("dice.faults.more", { count: rest.length + faultsMore })}</summary>
              ${list(rest)}
              ${faultsMore > 0 ? html`<p>${t("dice.faults.unlisted", { count: faultsMore })}</p>` : nothing}
            </details>
          `}
    `;
  }

  /** @param {Verdict} verdict */
  proves(verdict) {
    const { proved, unproved } = this.proofs(verdict);
    return html`
      <div class="proves">
        <section class="proved">
          <h2>${t("dice.proves")}</h2>
          <ul>${proved.map((text) => html`<li>${text}</li>`)}</ul>
        </section>
        <section class="unproved">
          <h2>${t("dice.provesNot")}</h2>
          <ul>${unproved.map((text) => html`<li>${text}</li>`)}</ul>
        </section>
      </div>
    `;
  }

  /** @param {Verdict} verdict */
  proofs({ throws, seeds, brought, kept, result }) {
    const proved = [t(throws > 0 ? "dice.proves.fixed" : "dice.proves.lot")];
    const unproved = [];
    const bringers = /** @type {const} */ ([1, 2]).filter((seat) => seeds[seat]?.kind === "brought");
    const names = listed(bringers.map((seat) => this.names[seat - 1]));
    if (kept.seed) proved.push(t("dice.proves.yours"));
    else if (brought) proved.push(t("dice.proves.brought", { names, count: bringers.length }));
    else unproved.push(t("dice.provesNot.drawn"));
    if (kept.commitment) proved.push(t("dice.proves.kept"));
    else unproved.push(t("dice.provesNot.kept"));
    if (throws > 0) unproved.push(t(brought ? "dice.provesNot.foreseen" : "dice.provesNot.known"));
    if (result === "open") unproved.push(t("dice.provesNot.open"));
    unproved.push(t("dice.provesNot.turns"));
    return { proved, unproved };
  }
}

/** The key of a result's texts. @param {Verdict} verdict */
function wordsOf({ result, throws, checked, games, faults }) {
  if (result === "unreadable") return faults[0].code === "other_scheme" ? "unknown" : "unreadable";
  if (result === "true" && throws === 0) return "lotTrue";
  if (result === "open" && checked === 0 && !games.some((game) => game.lot)) return "early";
  return result;
}

/** @param {Fault} fault @param {[string, string]} names */
function faultText({ code, params }, names) {
  const filled = { ...params };
  for (const key of ["seat", "expected", "found"]) {
    const named = key === "seat" || code === "lot";
    if (named && (params[key] === 1 || params[key] === 2)) filled[key] = names[params[key] - 1];
  }
  return find(`dice.fault.${code}`, filled) ?? code;
}

/** @param {Verdict["result"]} result */
function sign(result) {
  const shapes = {
    true: html`<svg viewBox="0 0 48 48" aria-hidden="true">
      <circle cx="24" cy="24" r="20" /><path d="M15 25l6.5 6.5L34 18" />
    </svg>`,
    false: html`<svg viewBox="0 0 48 48" aria-hidden="true">
      <path d="M24 5L44 41H4z" /><path d="M24 18v11M24 35v.5" />
    </svg>`,
    open: html`<svg viewBox="0 0 48 48" aria-hidden="true">
      <circle cx="24" cy="24" r="20" /><path d="M24 12v12l8 6" />
    </svg>`,
  };
  if (result === "unreadable") return shapes.false;
  return result === "nothing" ? shapes.open : shapes[result];
}

customElements.define("lusoria-dice-verdict", LusoriaDiceVerdict);
