// The pairings of a round with their results, and the entrants without an opponent.

import { LitElement, css, html, nothing, repeat } from "../lit.js";
import { guest } from "../player/identity.js";
import { base, buttons } from "../style/shared.js";
import { t } from "../text/text.js";
import { entrantName, pointsText, remarkText, resultText, roundName } from "../tournament/words.js";

/** @typedef {import("../tournament/tournaments.js").Card} Card */
/** @typedef {import("../tournament/tournaments.js").Pairing} Pairing */
/** @typedef {import("../tournament/tournaments.js").Pairings} Pairings */

/**
 * `<lusoria-tournament-rounds>`: `pairings` of the tournament of `card`, of all its rounds or of the one that was asked
 * for; `recent`, all of them in their order, without rounds. Event: `lusoria-round`, with the round that the person wants
 * in `detail`.
 */
export class LusoriaTournamentRounds extends LitElement {
  static properties = {
    pairings: { attribute: false },
    card: { attribute: false },
    recent: { type: Boolean },
    chosen: { state: true },
  };

  static styles = [
    base,
    buttons,
    css`
      nav {
        display: flex;
        gap: var(--gap-xs);
        margin: -0.25rem -0.25rem var(--gap-s);
        padding: 0.25rem;
        overflow-x: auto;
        scrollbar-width: thin;
      }

      nav button {
        flex: none;
        min-width: 2.5rem;
        min-height: 2.5rem;
        padding: 0 0.75rem;
      }

      li {
        display: grid;
        grid-template-columns: minmax(0, 1fr) 6.5rem minmax(0, 1fr);
        align-items: center;
        gap: 0 var(--gap-s);
        min-height: 2.75rem;
        padding: 0.25rem var(--gap-s);
        border-top: 1px solid var(--line);
      }

      li.own {
        background: var(--tint);
      }

      li > :first-child {
        text-align: right;
      }

      .name {
        min-width: 0;
        overflow-wrap: anywhere;
        line-height: 1.25;
      }

      .won {
        font-weight: 600;
      }

      .result {
        text-align: center;
      }

      .result a {
        display: inline-flex;
        align-items: center;
        justify-content: center;
        min-height: 2rem;
        min-width: 4rem;
      }

      @media (max-width: 40rem) {
        li {
          grid-template-columns: minmax(0, 1fr) 5rem minmax(0, 1fr);
          gap: 0 0.25rem;
          font-size: var(--size-s);
        }
      }

      .remark {
        grid-column: 1 / -1;
        text-align: center;
        overflow-wrap: anywhere;
      }

      .byes {
        margin-top: var(--gap-s);
        overflow-wrap: anywhere;
      }
    `,
  ];

  constructor() {
    super();
    /** @type {Pairings | undefined} */
    this.pairings = undefined;
    /** @type {Card | undefined} */
    this.card = undefined;
    this.recent = false;
    /** The round shown; undefined for the newest. @type {number | undefined} */
    this.chosen = undefined;
  }

  render() {
    const { card, pairings } = this;
    if (!pairings || !card) return html`<p class="muted">${t("common.loading")}</p>`;
    if (pairings.pairings.length + pairings.byes.length === 0) return html`<p class="muted">${t("tournaments.pairings.none")}</p>`;
    if (this.recent) return html`<ul>${repeat(pairings.pairings, ({ pairing }) => pairing, (pairing) => this.row(pairing))}</ul>`;
    const last = Math.max(card.round ?? 1, ...pairings.pairings.map(({ round }) => round));
    const rounds = Array.from({ length: last }, (_, nth) => nth + 1);
    const shown = this.chosen ?? Math.min(card.round ?? last, last);
    const isKnockout = card.format.kind === "knockout";
    const byes = pairings.byes.filter(({ round }) => round === shown);
    return html`
      ${rounds.length > 1
        ? html`<nav aria-label=${t("tournaments.rounds.heading")}>
            ${rounds.map((round) => html`<button aria-pressed=${String(round === shown)} aria-label=${roundName(card, round)}
              @click=${() => this.choose(round)}>${round}</button>`)}
          </nav>`
        : nothing}
      <h3>${roundName(card, shown)}</h3>
      <ul>${pairings.pairings.filter(({ round }) => round === shown).map((pairing) => this.row(pairing))}</ul>
      ${byes.length > 0
        ? html`<p class="small muted byes">${t("tournaments.byes")}: ${byes.map(({ half_points: half, player, why }, nth) =>
            html`${nth > 0 ? ", " : ""}${entrantName(player)} (${t(`tournaments.bye.why.${why}`)}${isKnockout ? nothing : html`, ${pointsText(half)}`})`)}</p>`
        : nothing}
    `;
  }

  /** @param {number} round */
  choose(round) {
    this.chosen = round;
    this.dispatchEvent(new CustomEvent("lusoria-round", { detail: round }));
  }

  /** @param {Pairing} pairing */
  row(pairing) {
    const { first, half_points: half, match, second } = pairing;
    const [a, b] = [entrantName(first?.player), entrantName(second?.player)];
    const isOwn = [first, second].some((entrant) => entrant?.player.id === guest()?.id);
    const result = resultText(pairing, this.card?.format.kind);
    const remark = remarkText(pairing);
    const won = (/** @type {number} */ nth) => half && half[nth] > half[1 - nth] ? "name won" : "name";
    return html`
      <li class=${isOwn ? "own" : nothing}>
        <span class=${won(0)}>${a}</span>
        <span class="result figures">${match
          ? html`<a href=${`/match/${match}`} aria-label=${`${t("common.against", { a, b })}: ${result}`}>${result}</a>`
          : html`<span class="muted small">${result}</span>`}</span>
        <span class=${won(1)}>${b}</span>
        ${remark ? html`<span class="remark small muted">${remark}</span>` : nothing}
      </li>
    `;
  }
}

customElements.define("lusoria-tournament-rounds", LusoriaTournamentRounds);
