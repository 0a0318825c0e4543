// The ratings of a player, one for each game and pace, and the history of the selected one.

import { GAMES } from "../game/games.js";
import { LitElement, css, html, nothing } from "../lit.js";
import { RatingHistory, inOrder, ratingName } from "../player/ratings.js";
import { base, cards } from "../style/shared.js";
import { deviationText, pointsText, sureText } from "../text/rating.js";
import { currentLocale, t } from "../text/text.js";
import { gameName } from "../text/words.js";
import "./rating-curve.js";

/** @typedef {import("../player/ratings.js").PlayerRating} PlayerRating */

/** `<lusoria-ratings>`: the `ratings` of the player with the `handle`. The latest is selected at first. */
export class LusoriaRatings extends LitElement {
  static properties = {
    ratings: { attribute: false },
    handle: { type: String },
    history: { state: true },
  };

  static styles = [
    base,
    cards,
    css`
      :host {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: var(--gap-m);
      }

      ul {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(min(9.5rem, 100%), 1fr));
        gap: 0 var(--gap-s);
        margin-bottom: calc(var(--gap-s) * -1);
      }

      @media (max-width: 24rem) {
        ul {
          grid-template-columns: repeat(2, minmax(0, 1fr));
        }
      }

      /* The rows of neighbouring ratings are aligned. */
      li,
      button {
        display: grid;
        grid-row: span 4;
        grid-template-rows: subgrid;
      }

      li {
        margin-bottom: var(--gap-s);
      }

      button {
        width: 100%;
        margin: 0;
        padding: var(--gap-s) var(--gap-m);
        color: var(--ink);
        font: inherit;
        text-align: left;
        cursor: pointer;
        touch-action: manipulation;
      }

      button:hover {
        border-color: var(--edge);
      }

      button[aria-pressed="true"] {
        border-color: var(--accent);
        background: var(--tint);
        box-shadow: inset 0 0 0 1px var(--accent);
      }

      .game {
        font-weight: 600;
        line-height: 1.25;
      }

      .points {
        font-family: var(--title);
        font-size: var(--size-xl);
        font-weight: 600;
        line-height: 1.3;
      }

      .points small {
        color: var(--muted);
        font-family: var(--text);
        font-size: var(--size-s);
        font-weight: 400;
      }

      .provisional {
        color: var(--warn);
      }
    `,
  ];

  constructor() {
    super();
    /** @type {PlayerRating[]} */
    this.ratings = [];
    this.handle = "";
    /** The history of the selected rating. @type {RatingHistory | undefined} */
    this.history = undefined;
    this.chosen = "";
    /** The histories loaded until now. @type {Map<string, RatingHistory>} */
    this.read = new Map();
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (!changed.has("ratings") && !changed.has("handle")) return;
    this.read.clear();
    this.history = undefined;
    if (this.ratings.length === 0) return;
    const latest = this.ratings.reduce((late, one) => (one.played_at > late.played_at ? one : late));
    this.choose(this.ratings.find((rating) => ratingName(rating) === this.chosen) ?? latest);
  }

  /** Selects a rating and shows its history. @param {PlayerRating} rating */
  choose(rating) {
    const name = ratingName(rating);
    const history = this.read.get(name) ?? new RatingHistory(this.handle, rating);
    this.read.set(name, history);
    this.chosen = name;
    this.history = history;
    history.load();
  }

  render() {
    const all = inOrder(this.ratings, GAMES);
    const chosen = all.find((rating) => ratingName(rating) === this.chosen);
    if (!chosen) return nothing;
    return html`
      <ul>${all.map((rating) => this.tile(rating))}</ul>
      <lusoria-rating-curve .history=${this.history} name=${nameOf(chosen)}></lusoria-rating-curve>
    `;
  }

  /** @param {PlayerRating} rating */
  tile(rating) {
    const { game, matches, pace, played_at } = rating;
    const { provisional } = rating.rating;
    const last = new Intl.DateTimeFormat(currentLocale(), { dateStyle: "medium" }).format(played_at);
    return html`
      <li>
        <button class="card" aria-pressed=${String(ratingName(rating) === this.chosen)} @click=${() => this.choose(rating)}
          title=${`${sureText(rating.rating)} ${t("rating.last", { date: last })}`}>
          <span class="game">${gameName(game)}</span>
          <span class="small muted">${t(`rating.pace.${pace}`)}</span>
          <span class="points figures">${pointsText(rating.rating)}
            <small>${deviationText(rating.rating)}</small></span>
          <span class="small muted figures">${t("rating.count", { count: matches })}${provisional
              ? html` · <span class="provisional">${t("rating.provisional")}</span>`
              : nothing}</span>
        </button>
      </li>
    `;
  }
}

/** "Tavla, with a clock". @param {PlayerRating} rating */
const nameOf = ({ game, pace }) => `${gameName(game)}, ${t(`rating.pace.${pace}`).toLocaleLowerCase(currentLocale())}`;

customElements.define("lusoria-ratings", LusoriaRatings);
