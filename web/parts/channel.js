// A TV channel in a small form: the board of its match, the players and the state. It links to the channel.

import { LitElement, css, html, nothing } from "../lit.js";
import { base, cards } from "../style/shared.js";
import { t } from "../text/text.js";
import { ago, gameName, lengthAndStake, markedText } from "../text/words.js";
import "../board/miniature.js";

/** @typedef {import("../api/wire").components["schemas"]["CatalogueEntry"]} CatalogueEntry */
/** @typedef {import("../api/wire").components["schemas"]["MatchCard"]} MatchCard */
/** @typedef {import("../player/previews.js").Preview} Preview */

/**
 * `<lusoria-channel>`: `game` of the channel; `entry` of the game; `preview` of its match, if there is one; `now`, the
 * server's time; `none` if no match has been played on it. Its height does not depend on its content.
 */
export class LusoriaChannel extends LitElement {
  static properties = {
    game: { type: String },
    entry: { attribute: false },
    preview: { attribute: false },
    now: { type: Number },
    none: { type: Boolean },
  };

  static styles = [
    base,
    cards,
    css`
      article {
        position: relative;
        display: grid;
        grid-template-rows: minmax(0, 1fr) auto;
        height: 100%;
        overflow: hidden;
      }

      article:has(a:hover) {
        border-color: var(--accent);
      }

      .board {
        position: relative;
        min-width: 0;
        min-height: 0;
        background: var(--sunk);
      }

      lusoria-miniature {
        position: absolute;
        inset: var(--gap-s);
      }

      /* A change of match is animated. */
      .board[data-match] {
        animation: appear 400ms;
      }

      @keyframes appear {
        from {
          opacity: 0;
        }
      }

      .told {
        min-width: 0;
        padding: var(--gap-s) var(--gap-m);
      }

      .told p,
      h3 {
        overflow: hidden;
        white-space: nowrap;
        text-overflow: ellipsis;
      }

      .told p {
        min-height: 1lh;
      }

      .told .none {
        min-height: 2lh;
        white-space: normal;
      }

      h3 {
        display: flex;
        align-items: baseline;
        gap: var(--gap-s);
        font-size: var(--size-m);
      }

      /* The whole card links to the channel. */
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

      a:focus-visible {
        outline: none;
      }

      a:focus-visible::after {
        outline: var(--ring);
        outline-offset: -0.1875rem;
      }

      a:hover {
        text-decoration: underline;
      }

      .live {
        padding: 0 0.5rem;
        border-radius: 1rem;
        background: var(--fill);
        color: var(--on-fill);
        font-family: var(--text);
        font-size: var(--size-s);
        font-weight: 400;
      }
    `,
  ];

  constructor() {
    super();
    this.game = "";
    /** @type {CatalogueEntry | undefined} */
    this.entry = undefined;
    /** @type {Preview | undefined} */
    this.preview = undefined;
    this.now = Date.now();
    /** Whether no match has been played on it. */
    this.none = false;
  }

  render() {
    const { entry, game, preview } = this;
    const card = preview?.watched.card;
    const position = preview?.watched.position ?? entry?.start;
    const name = gameName(/** @type {any} */ (game));
    return html`
      <article class="card">
        ${[card?.id].map((id) => html`<div class="board" data-match=${id ?? nothing} aria-hidden="true">
          ${entry && position ? html`<lusoria-miniature .entry=${entry} .position=${position}></lusoria-miniature>` : nothing}
        </div>`)}
        <div class="told">
          <h3>
            <a href=${`/tv/${game}`} aria-label=${t("tv.of", { game: name })}>${name}</a>
            ${preview && !preview.watched.ended && preview.channel.live ? html`<span class="live">${t("tv.live")}</span>` : nothing}
          </h3>
          ${card
            ? html`<p>${playersText(card)}</p>
                <p class="muted small figures">${this.standing(card)}</p>`
            : html`<p class="muted small none">${this.none ? t("tv.none") : ""}</p>`}
        </div>
      </article>
    `;
  }

  /** The state of the match, or how long ago it was played. @param {MatchCard} card */
  standing(card) {
    const { 1: a, 2: b } = card.score;
    const isOver = this.preview?.watched.ended || card.state === "finished";
    const said = [isOver ? `${t("home.card.over")} ${ago(Math.max(0, this.now - card.updated_at))}` : turnText(card)];
    if (a + b > 0) said.push(t("home.card.score", { a, b }));
    return [...said, ...lengthAndStake(card)].filter(Boolean).join(" · ");
  }
}

/** @param {MatchCard} card */
function playersText({ players }) {
  const [a, b] = [players[1], players[2]].map((player) => player && markedText(player));
  if (players[1].id === players[2]?.id && players[1].kind !== "computer") return t("home.card.both");
  return a && b ? t("common.against", { a, b }) : (a ?? "");
}

/** @param {MatchCard} card */
function turnText({ players, to_play: seat }) {
  const player = seat === 1 || seat === 2 ? players[seat] : undefined;
  return player ? t("home.card.theirs", { name: markedText(player) }) : "";
}

customElements.define("lusoria-channel", LusoriaChannel);
