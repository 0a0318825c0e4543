// The matches of a player, from their point of view: the opponent, the result, the date.

import { hasSeveralGames } from "../game/story.js";
import { LitElement, css, html, nothing, repeat } from "../lit.js";
import { playedBy } from "../player/players.js";
import { base, buttons, cards } from "../style/shared.js";
import { currentLocale, t } from "../text/text.js";
import { clockText, gameName, lengthAndStake, markedText, problemText } from "../text/words.js";

/** @typedef {import("../api/wire").components["schemas"]["MatchCard"]} MatchCard */
/** @typedef {import("../player/players.js").PlayedMatches} PlayedMatches */

/** `<lusoria-played>`: the matches in `played` of the player with the id `player`, and a button for more. */
export class LusoriaPlayed extends LitElement {
  static properties = { played: { attribute: false }, player: { type: String } };

  static styles = [
    base,
    buttons,
    cards,
    css`
      ul {
        display: grid;
        gap: var(--gap-s);
      }

      li {
        position: relative;
        display: grid;
        grid-template-columns: 1fr auto;
        gap: 0 var(--gap-m);
        align-items: baseline;
        padding: var(--gap-s) var(--gap-m);
        overflow-wrap: anywhere;
      }

      li:has(a:hover) {
        border-color: var(--edge);
      }

      a {
        color: inherit;
        font-weight: 600;
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

      .result {
        text-align: right;
      }

      .won {
        color: var(--good);
        font-weight: 600;
      }

      time {
        text-align: right;
      }

      .more {
        margin-top: var(--gap-m);
      }

      .empty {
        padding: var(--gap-l);
        border: 1px dashed var(--edge);
        border-radius: var(--round);
        color: var(--muted);
        text-align: center;
        text-wrap: balance;
      }

      .wrong {
        color: var(--accent);
        font-weight: 600;
      }
    `,
  ];

  constructor() {
    super();
    /** @type {PlayedMatches | undefined} */
    this.played = undefined;
    this.player = "";
    this.changed = () => this.requestUpdate();
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (!changed.has("played")) return;
    /** @type {PlayedMatches | undefined} */ (changed.get("played"))?.removeEventListener("change", this.changed);
    this.played?.addEventListener("change", this.changed);
  }

  /** Loads more; focuses the first new match. */
  async more() {
    const { played } = this;
    const before = played?.matches.length ?? 0;
    await played?.more();
    await this.updateComplete;
    /** @type {HTMLElement | undefined} */ (this.renderRoot.querySelectorAll("a")[before])?.focus();
  }

  render() {
    const { played } = this;
    if (!played) return nothing;
    const { hasMore, isLoading, problem } = played;
    const isEmpty = played.matches.length === 0;
    return html`
      <ul>
        ${repeat(
          played.matches,
          ({ id }) => id,
          (card) => this.row(card),
        )}
      </ul>
      ${isEmpty && !hasMore && !problem ? html`<p class="empty">${t("players.matches.none")}</p>` : nothing}
      <p class="wrong" role="alert">${problem ? problemText(problem) : ""}</p>
      ${hasMore
        ? html`<p class="more">
            <button aria-disabled=${String(isLoading)} @click=${this.more}>
              ${isLoading ? t("common.loading") : problem ? t("common.retry") : t(isEmpty ? "players.matches.on" : "players.matches.more")}
            </button>
          </p>`
        : nothing}
    `;
  }

  /** @param {MatchCard} card */
  row(card) {
    const { clock, created_at, game, id, takebacks } = card;
    const terms = [clockText(clock)];
    if (takebacks) terms.push(t("common.takebacks"));
    terms.push(...lengthAndStake(card));
    return html`
      <li class="card">
        <div>
          <a href=${`/match/${id}`}>${gameName(game)}</a>
          <span>${this.opponent(card)}</span>
        </div>
        <span class="result figures">${this.result(card)}</span>
        <span class="small muted figures">${terms.join(" · ")}</span>
        <time class="small muted" datetime=${new Date(created_at).toISOString()}>${day(created_at)}</time>
      </li>
    `;
  }

  /** @param {MatchCard} card */
  opponent({ players }) {
    const isFirst = players[1].id === this.player;
    const other = isFirst ? players[2] : players[1];
    if (!other) return nothing;
    if (other.id === this.player) return t("players.alone");
    return t("players.against", { name: markedText(other) });
  }

  /** @param {MatchCard} card */
  result(card) {
    const { players, score } = card;
    const result = playedBy(card, this.player);
    const isAlone = players[1].id === players[2]?.id;
    if (isAlone && ["won", "lost"].includes(result)) return t("home.card.over");
    const [own, theirs] = players[1].id === this.player ? [score[1], score[2]] : [score[2], score[1]];
    const isTold = hasSeveralGames(card) && result !== "open";
    return html`<span class=${result}>${t(`players.result.${result}`)}</span>
      ${isTold ? t("players.score", { a: own, b: theirs }) : nothing}`;
  }
}

/** @param {number} at milliseconds since the epoch */
const day = (at) => new Intl.DateTimeFormat(currentLocale(), { dateStyle: "medium" }).format(at);

customElements.define("lusoria-played", LusoriaPlayed);
