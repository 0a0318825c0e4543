// The bracket of a knock-out: a picture whose boxes are a list to a screen reader.

import { LitElement, css, html, nothing, svg } from "../lit.js";
import { base } from "../style/shared.js";
import { t } from "../text/text.js";
import { BOX, HEAD, layOut, wholeOf } from "../tournament/bracket.js";
import { entrantName, pointsText, resultText, roundName } from "../tournament/words.js";

/** @typedef {import("../tournament/tournaments.js").Card} Card */
/** @typedef {import("../tournament/tournaments.js").Pairing} Pairing */
/** @typedef {import("../tournament/tournaments.js").Pairings} Pairings */
/** @typedef {import("../tournament/bracket.js").Tie & {pairing?: Pairing}} Place */

/** The middle of the upper and of the lower line of a box. */
const LINES = [BOX.height * 0.28, BOX.height * 0.76];

/** The space beside the box to which the picture is scrolled. */
const MARGIN_PX = 16;

/**
 * `<lusoria-tournament-bracket>`: `pairings` of the knock-out of `card`; `plain` without links; `fit` so that it
 * fills its place, without scrolling and without the consolation.
 */
export class LusoriaTournamentBracket extends LitElement {
  static properties = {
    pairings: { attribute: false },
    card: { attribute: false },
    plain: { type: Boolean },
    fit: { type: Boolean, reflect: true },
  };

  static styles = [
    base,
    css`
      .scroll {
        overflow-x: auto;
        padding: 0.25rem;
        margin: -0.25rem;
      }

      h3 {
        margin: var(--gap-m) 0 var(--gap-s);
      }

      svg {
        display: block;
        overflow: visible;
      }

      :host([fit]) .scroll {
        height: 100%;
        overflow: hidden;
      }

      :host([fit]) svg {
        width: 100%;
        height: 100%;
      }

      rect {
        fill: var(--raised);
        stroke: var(--line);
      }

      .live rect {
        stroke: var(--accent);
      }

      a:hover rect {
        stroke: var(--ink);
      }

      a:focus-visible {
        outline: none;
      }

      a:focus-visible rect {
        stroke: var(--focus);
        stroke-width: 3;
      }

      path {
        fill: none;
        stroke: var(--edge);
      }

      .between {
        stroke: var(--line);
      }

      text {
        fill: var(--ink);
        font: 400 14px var(--text);
        font-variant-numeric: tabular-nums lining-nums;
        dominant-baseline: middle;
      }

      .column {
        fill: var(--muted);
        font-size: 13px;
      }

      .won {
        font-weight: 700;
      }

      .lost,
      .nobody {
        fill: var(--muted);
      }

      .points {
        text-anchor: end;
      }
    `,
  ];

  constructor() {
    super();
    /** @type {Pairings | undefined} */
    this.pairings = undefined;
    /** @type {Card | undefined} */
    this.card = undefined;
    this.plain = false;
    this.fit = false;
    /** A person scrolls by themselves afterwards. */
    this.hasScrolled = false;
  }

  /** Shows at first what is being played; after the end, the final. */
  updated() {
    if (this.hasScrolled || this.fit) return;
    for (const scroll of this.renderRoot.querySelectorAll(".scroll")) {
      const boxes = [...scroll.querySelectorAll("[role=listitem]")];
      const box = boxes.find((one) => one.querySelector(".live")) ?? (this.card?.phase === "ended" ? boxes.at(-1) : undefined);
      if (box) scroll.scrollLeft = box.getBoundingClientRect().right - scroll.getBoundingClientRect().right + MARGIN_PX;
      this.hasScrolled = true;
    }
  }

  render() {
    const { card, pairings } = this;
    if (!card || !pairings) return html`<p class="muted">${t("common.loading")}</p>`;
    const placed = (/** @type {string} */ bracket) => pairings.pairings.filter((pairing) => (pairing.bracket ?? "main") === bracket).map(placeOf);
    const main = placed("main");
    if (main.length === 0) return html`<p class="muted">${t("tournaments.pairings.none")}</p>`;
    const consolation = placed("consolation");
    const rounds = Math.max(card.rounds ?? 0, ...main.map(({ round }) => round));
    const whole = wholeOf(main, rounds, (round, slot) => ({ round, slot, entrants: [undefined, undefined] }));
    return html`
      ${this.picture(whole, "main", card)}
      ${consolation.length > 0 && !this.fit
        ? html`<h3>${t("tournaments.bracket.consolation")}</h3>${this.picture(consolation, "consolation", card)}`
        : nothing}
    `;
  }

  /** @param {Place[]} places @param {"main" | "consolation"} bracket @param {Card} card */
  picture(places, bracket, card) {
    const { boxes, columns, height, lines, width } = layOut(places, bracket === "main");
    return html`<div class="scroll" tabindex=${this.fit ? nothing : "0"} role="group" aria-label=${t(`tournaments.bracket.${bracket}`)}>
      <svg width=${rem(width)} height=${rem(height)} viewBox="-1 0 ${width + 2} ${height + 1}" role="list" aria-label=${t(`tournaments.bracket.${bracket}`)}>
        <g aria-hidden="true">
          ${lines.map(({ x, y, toX, toY }) => svg`<path d="M${x} ${y}H${(x + toX) / 2}V${toY}H${toX}" />`)}
          ${columns.map(({ round, x }) => svg`<text class="column" x=${x + 2} y=${HEAD / 2 - 2}>${roundName(card, round, bracket)}</text>`)}
        </g>
        ${boxes.map(({ tie, x, y }) => svg`<g role="listitem" transform="translate(${x} ${y})">${this.box(tie, bracket, card)}</g>`)}
      </svg>
    </div>`;
  }

  /** @param {Place} place @param {"main" | "consolation"} bracket @param {Card} card */
  box({ pairing, round }, bracket, card) {
    const half = pairing?.half_points;
    const players = [pairing?.first?.player, pairing?.second?.player];
    const said = t("tournaments.bracket.tie", {
      round: roundName(card, round, bracket),
      a: entrantName(players[0]),
      b: entrantName(players[1]),
      result: pairing ? resultText(pairing) : t("tournaments.pairing.open"),
    });
    const drawn = svg`<g aria-hidden="true" class=${pairing?.state === "playing" ? "live" : nothing}>
      <rect width=${BOX.width} height=${BOX.height} rx="6" />
      <path class="between" d="M0 ${BOX.height / 2}H${BOX.width}" />
      ${players.map((player, nth) => {
        const won = half && half[nth] > half[1 - nth] ? "won" : half ? "lost" : player ? "" : "nobody";
        return svg`<text class=${won} x="10" y=${LINES[nth]}>${player ? entrantName(player) : "…"}</text>
          ${half ? svg`<text class="points ${won}" x=${BOX.width - 10} y=${LINES[nth]}>${pointsText(half[nth])}</text>` : nothing}`;
      })}
    </g>`;
    if (!pairing?.match || this.plain) return svg`<g role="img" aria-label=${said}>${drawn}</g>`;
    return svg`<a href=${`/match/${pairing.match}`} aria-label=${said}>${drawn}</a>`;
  }
}

/** The picture is as large as the text of the page. @param {number} length in its units */
const rem = (length) => `${length / 16}rem`;

/** @param {Pairing} pairing @returns {Place} */
const placeOf = (pairing) => ({
  pairing,
  round: pairing.round,
  slot: pairing.slot ?? 0,
  entrants: [pairing.first?.entrant, pairing.second?.entrant],
});

customElements.define("lusoria-tournament-bracket", LusoriaTournamentBracket);
