// A match in a list: its board, players, terms, state, and the side to move.

import { LitElement, css, html, nothing } from "../lit.js";
import { waits } from "../player/badge.js";
import { outcomeOf } from "../player/finished.js";
import { base, buttons, cards } from "../style/shared.js";
import { t } from "../text/text.js";
import { ago, clockText, gameName, markedText, sideName } from "../text/words.js";
import "../board/miniature.js";

/** @typedef {import("../api/wire").components["schemas"]["CatalogueEntry"]} CatalogueEntry */
/** @typedef {import("../api/wire").components["schemas"]["MatchCard"]} MatchCard */
/** @typedef {import("../api/wire").components["schemas"]["Position"]} Position */
/** @typedef {import("../api/wire").components["schemas"]["SideName"]} SideName */

/**
 * `<lusoria-card>`. Properties: `card`; `entry` of its game and `position`, for the board; `now`, the server's time;
 * `kind`: "mine", "live" and "finished" link to the match, "open" offers the free seat. Events, with the card in
 * `detail`: `lusoria-join`, and of "mine" `lusoria-more`.
 */
export class LusoriaCard extends LitElement {
  static properties = {
    card: { attribute: false },
    entry: { attribute: false },
    position: { attribute: false },
    now: { type: Number },
    kind: { type: String, reflect: true },
    busy: { type: Boolean },
  };

  static styles = [
    base,
    buttons,
    cards,
    css`
      article {
        position: relative;
        display: flex;
        gap: var(--gap-m);
        height: 100%;
        padding: var(--gap-m);
      }

      article:has(a:hover) {
        border-color: var(--edge);
      }

      article.waits {
        border-color: var(--accent);
        box-shadow: inset 0.25rem 0 0 var(--accent), var(--shadow);
      }

      .board {
        position: relative;
        flex: none;
        width: 7.5rem;
        min-height: 4.75rem;
      }

      lusoria-miniature {
        position: absolute;
        inset: 0;
      }

      @media (min-width: 40rem) {
        :host([kind="live"]) article {
          flex-direction: column;
        }

        :host([kind="live"]) .board {
          width: auto;
          aspect-ratio: 8 / 5;
        }
      }

      .told {
        flex: 1;
        min-width: 0;
        display: grid;
        align-content: center;
        gap: 0.125rem;
      }

      h3 {
        font-size: var(--size-m);
      }

      /* The whole card links to the match. */
      h3 a {
        color: inherit;
        text-decoration: none;
      }

      h3 a::after {
        content: "";
        position: absolute;
        inset: 0;
        border-radius: var(--round);
      }

      h3 a:focus-visible {
        outline: none;
      }

      h3 a:focus-visible::after {
        outline: var(--ring);
        outline-offset: 2px;
      }

      h3 a:hover {
        text-decoration: underline;
      }

      .players {
        overflow-wrap: anywhere;
      }

      .turn {
        display: flex;
        flex-wrap: wrap;
        align-items: baseline;
        gap: 0 var(--gap-s);
      }

      .waits .turn strong {
        padding: 0.0625rem 0.5rem;
        border-radius: 1rem;
        background: var(--fill);
        color: var(--on-fill);
        font-size: var(--size-s);
      }

      :host([kind="open"]) article {
        align-items: center;
        flex-wrap: wrap;
        gap: var(--gap-s) var(--gap-m);
      }

      :host([kind="open"]) .told {
        flex: 1 1 9rem;
      }

      /* Above the link that covers the card. */
      .more {
        position: absolute;
        top: 0;
        right: 0;
      }

      :host([kind="mine"]) h3 {
        padding-right: calc(var(--touch) - var(--gap-m));
      }

      :host([kind="finished"]) article {
        padding-block: 0.75rem;
      }

      .won {
        color: var(--good);
      }
    `,
  ];

  constructor() {
    super();
    /** @type {MatchCard | undefined} */
    this.card = undefined;
    /** @type {CatalogueEntry | undefined} */
    this.entry = undefined;
    /** @type {Position | undefined} */
    this.position = undefined;
    this.now = Date.now();
    /** @type {"mine" | "open" | "live" | "finished"} */
    this.kind = "live";
    this.busy = false;
  }

  render() {
    const { card } = this;
    if (!card) return nothing;
    const waiting = this.kind === "mine" && waits(card);
    return html`
      <article class=${waiting ? "card waits" : "card"}>
        ${this.kind === "mine" || this.kind === "live" ? this.board(card) : nothing}
        <div class="told">
          <h3>
            ${this.kind === "open"
              ? gameName(card.game)
              : html`<a href=${`/match/${card.id}`}>${gameName(card.game)}</a>`}
          </h3>
          <p class="players">${this.players(card)}</p>
          ${this.kind === "open" ? nothing : this.turn(card)}
          <p class="muted small figures">${terms(card, this.kind).join(" · ")}</p>
        </div>
        ${this.kind === "open" ? this.seat(card) : nothing} ${this.kind === "mine" ? this.more(card) : nothing}
      </article>
    `;
  }

  /** @param {MatchCard} card */
  board(card) {
    const position = this.position ?? this.entry?.start;
    return html`
      <div class="board" aria-hidden="true">
        ${this.entry && position
          ? html`<lusoria-miniature .entry=${this.entry} .position=${position}></lusoria-miniature>`
          : nothing}
      </div>
    `;
  }

  /** @param {MatchCard} card */
  players(card) {
    const a = markedText(card.players[1]);
    const b = card.players[2] && markedText(card.players[2]);
    if (this.kind === "open") return a;
    const isOne = card.players[1].id === card.players[2]?.id;
    if (isOne && card.players[1].kind !== "computer") return t("home.card.both");
    return !b ? a : t("common.against", { a, b });
  }

  /** Ends or hides the match. @param {MatchCard} card */
  more(card) {
    const said = t("home.more", { game: gameName(card.game), players: this.players(card) });
    return html`
      <button class="plain icon more" aria-haspopup="dialog" aria-label=${said} @click=${() => this.tell("lusoria-more", card)}>
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M5.5 12h.01M12 12h.01M18.5 12h.01" stroke-width="3" />
        </svg>
      </button>
    `;
  }

  /** @param {MatchCard} card */
  turn(card) {
    const when = ago(Math.max(0, this.now - card.updated_at));
    const won = this.kind === "finished" && outcomeOf(card) === "won";
    return html`<p class="turn"><strong class=${won ? "won" : nothing}>${turnText(card, this.kind)}</strong>
      <span class="muted small">${when}</span></p>`;
  }

  /** @param {MatchCard} card */
  seat(card) {
    const said = t("home.card.join.to", { game: gameName(card.game), name: markedText(card.players[1]) });
    return html`
      <button
        aria-label=${said}
        aria-disabled=${this.busy ? "true" : "false"}
        @click=${() => !this.busy && this.tell("lusoria-join", card)}
      >
        ${t("home.card.join")}
      </button>
    `;
  }

  /** @param {string} event @param {MatchCard} card */
  tell(event, card) {
    this.dispatchEvent(new CustomEvent(event, { detail: card, bubbles: true, composed: true }));
  }
}

/** @param {MatchCard} card @param {string} kind */
function turnText(card, kind) {
  if (kind === "finished") return t(`home.outcome.${outcomeOf(card)}`);
  if (card.state === "finished") return t("home.card.over");
  if (card.state === "open") return t("home.card.waits");
  if (kind === "mine" && card.your_turn) return t("home.card.yours");
  const player = card.to_play === 1 || card.to_play === 2 ? card.players[card.to_play] : undefined;
  return player ? t("home.card.theirs", { name: markedText(player) }) : t("home.card.seeds");
}

/** The terms, and the score. @param {MatchCard} card @param {string} kind */
function terms(card, kind) {
  const said = [clockText(card.clock)];
  if (card.games) said.push(t("home.card.pair"));
  else if (card.points > 1) said.push(t("home.card.series", { count: card.points }));
  if (card.rated) said.push(t("match.rated"));
  if (card.score[1] + card.score[2] > 0) {
    said.push(t("home.card.score", { a: card.score[1], b: card.score[2] }));
  }
  if (card.takebacks) said.push(t("common.takebacks"));
  if (card.state === "open") said.push(sideText(card, kind));
  return said;
}

const ACROSS = /** @type {Record<SideName, SideName>} */ ({
  white: "black",
  black: "white",
  defenders: "attackers",
  attackers: "defenders",
});

/** The side that is left for the person who joins. @param {SideName} side */
export const sideAcross = (side) => ACROSS[side];

/**
 * The person's side: the one they chose, or the one that is left.
 * @param {MatchCard} card
 * @param {string} kind
 */
function sideText({ side }, kind) {
  if (side === "lot") return t("home.card.plays.lot");
  return t("home.card.you.play", { side: sideName(kind === "mine" ? side : sideAcross(side)) });
}

customElements.define("lusoria-card", LusoriaCard);
