// A tournament in a list: what it is, when, how many, and how far.

import { LitElement, css, html, nothing } from "../lit.js";
import { base, cards } from "../style/shared.js";
import { t } from "../text/text.js";
import { nameText } from "../text/words.js";
import { localWhen } from "../tournament/times.js";
import { pageOf } from "../tournament/tournaments.js";
import { countText, roundText, termsText } from "../tournament/words.js";
import "./countdown.js";

/** @typedef {import("../tournament/tournaments.js").Card} Card */

/** From when before the start it is counted down. */
const COUNTED_MS = 24 * 3_600_000;

/** `<lusoria-tournament-card>`: `card`; `now`, the server's time, `ahead` of this device's by so many milliseconds. */
export class LusoriaTournamentCard extends LitElement {
  static properties = {
    card: { attribute: false },
    now: { type: Number },
    ahead: { type: Number },
  };

  static styles = [
    base,
    cards,
    css`
      :host {
        height: 100%;
      }

      article {
        position: relative;
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        align-content: start;
        gap: 0.125rem;
        height: 100%;
        padding: var(--gap-m);
      }

      article:has(a:hover) {
        border-color: var(--edge);
      }

      article.runs {
        box-shadow: inset 0.25rem 0 0 var(--accent), var(--shadow);
      }

      h3 {
        overflow-wrap: anywhere;
        text-wrap: pretty;
      }

      /* The whole card links to the tournament. */
      a {
        color: inherit;
        text-decoration: none;
      }

      a::after {
        content: "";
        position: absolute;
        inset: 0;
        border-radius: var(--round);
      }

      a:hover {
        text-decoration: underline;
      }

      a:focus-visible {
        outline: none;
      }

      a:focus-visible::after {
        outline: var(--ring);
        outline-offset: 2px;
      }

      .when {
        display: flex;
        flex-wrap: wrap;
        justify-content: space-between;
        gap: 0 var(--gap-m);
        margin-top: var(--gap-xs);
      }

      .when strong {
        color: var(--accent);
      }
    `,
  ];

  constructor() {
    super();
    /** @type {Card | undefined} */
    this.card = undefined;
    this.now = Date.now();
    this.ahead = 0;
  }

  render() {
    const { card } = this;
    if (!card) return nothing;
    const runs = card.phase === "running" || card.phase === "stopped";
    return html`
      <article class=${runs ? "card runs" : "card"}>
        <h3><a href=${pageOf(card.id)}>${card.name}</a></h3>
        <p class="figures">${termsText(card)}</p>
        <p class="when figures"><span>${this.when(card)}</span><span class="muted">${countText(card)}</span></p>
      </article>
    `;
  }

  /** How far it is. @param {Card} card */
  when(card) {
    const { ahead, now } = this;
    const { begins_at: begins, ended_at: ended, ends_at: ends, phase, winner } = card;
    if (phase === "ended") {
      if (winner) return html`<strong>${t("tournaments.won.by", { name: nameText(winner.name) })}</strong>`;
      return t("tournaments.ended.when", { when: localWhen(ended ?? begins, now) });
    }
    if (phase === "running" || phase === "stopped") {
      const far = roundText(card);
      if (far) return far;
      return ends ? html`${t("tournaments.ends.in")} <lusoria-countdown .at=${ends} .ahead=${ahead}></lusoria-countdown>` : t("tournaments.began", { when: localWhen(begins, now) });
    }
    const isSoon = begins - now < COUNTED_MS;
    return html`${localWhen(begins, now)}${isSoon ? html` · <strong><lusoria-countdown .at=${begins} .ahead=${ahead}></lusoria-countdown></strong>` : nothing}`;
  }

}

customElements.define("lusoria-tournament-card", LusoriaTournamentCard);
