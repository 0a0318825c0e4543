// Challenges made and received, each with buttons to reply or withdraw.

import { Problem } from "../api/rest.js";
import { LitElement, css, html, nothing, repeat } from "../lit.js";
import { guest } from "../player/identity.js";
import { ratingNow } from "../player/ratings.js";
import { base, buttons, cards, fields } from "../style/shared.js";
import { ratingText } from "../text/rating.js";
import { find, t } from "../text/text.js";
import { clockText, gameName, markedText, problemText, sideName } from "../text/words.js";

/** @typedef {import("../api/wire").components["schemas"]["Challenge"]} Challenge */
/** @typedef {import("../player/opponents.js").DeclineReason} DeclineReason */
/** @typedef {import("../player/opponents.js").Opponents} Opponents */

/** @type {DeclineReason[]} */
const REASONS = ["later", "too_fast", "too_slow", "other_game", "other_length", "no_bots"];

/** `<lusoria-challenges>`: those of `opponents`; if `with` is an id, only those made to or received from that player. Hides itself if there are none. */
export class LusoriaChallenges extends LitElement {
  static properties = {
    opponents: { attribute: false },
    with: { type: String },
    declining: { state: true },
    busy: { state: true },
    wrong: { state: true },
  };

  static styles = [
    base,
    buttons,
    cards,
    fields,
    css`
      :host([hidden]) {
        display: none;
      }

      ul {
        display: grid;
        gap: var(--gap-s);
        margin-bottom: var(--gap-s);
      }

      li {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: var(--gap-s) var(--gap-m);
        padding: var(--gap-m);
      }

      .what {
        flex: 1 1 16rem;
        min-width: 0;
        overflow-wrap: anywhere;
      }

      .why {
        flex: 1 1 100%;
        display: flex;
        flex-wrap: wrap;
        align-items: end;
        gap: var(--gap-s) var(--gap-m);
      }

      .why label {
        flex: 1 1 14rem;
      }

      .wrong {
        margin-bottom: var(--gap-s);
        font-weight: 600;
      }

      .wrong:empty {
        display: none;
      }
    `,
  ];

  constructor() {
    super();
    /** @type {Opponents | undefined} */
    this.opponents = undefined;
    /** @type {string | undefined} */
    this.with = undefined;
    /** The challenge for which the person chooses a reason. */
    this.declining = "";
    /** The ratings of other players as text, by player and rating. @type {Map<string, string>} */
    this.ratings = new Map();
    this.busy = false;
    this.wrong = "";
    this.changed = () => this.requestUpdate();
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (!changed.has("opponents")) return;
    /** @type {Opponents | undefined} */ (changed.get("opponents"))?.removeEventListener("change", this.changed);
    this.opponents?.addEventListener("change", this.changed);
  }

  /**
   * The other player's account: the handle, if it differs from the name, and the rating.
   * @param {string} name @param {string | null | undefined} handle @param {Challenge} challenge
   */
  account(name, handle, { game, clock }) {
    if (!handle) return [];
    const pace = clock.kind === "days" ? "days" : "live";
    const key = `${handle} ${game} ${pace}`;
    if (!this.ratings.has(key)) {
      this.ratings.set(key, "");
      ratingNow(handle, game, pace).then(
        (rating) => {
          this.ratings.set(key, t("opponents.rated", { rating: ratingText(rating) }));
          this.requestUpdate();
        },
        () => this.ratings.delete(key),
      );
    }
    return [handle === name ? "" : handle, this.ratings.get(key) ?? ""].filter((said) => said !== "");
  }

  /** @param {() => Promise<unknown> | undefined} does */
  async do(does) {
    if (this.busy) return;
    this.busy = true;
    this.wrong = "";
    try {
      await does();
    } catch (why) {
      if (!(why instanceof Problem)) throw why;
      this.wrong = problemText(why);
    } finally {
      this.busy = false;
    }
  }

  /** Opens the choice of a reason. @param {Challenge} challenge */
  async askWhy({ id }) {
    this.declining = id;
    await this.updateComplete;
    this.go(".why select");
  }

  /** @param {Challenge} challenge */
  async keepOn({ id }) {
    this.declining = "";
    await this.updateComplete;
    this.go(`[data-decline="${id}"]`);
  }

  /** @param {string} selector */
  go(selector) {
    /** @type {HTMLElement | null} */ (this.renderRoot.querySelector(selector))?.focus();
  }

  /** @param {SubmitEvent} submitted @param {Challenge} challenge */
  decline(submitted, challenge) {
    submitted.preventDefault();
    const form = new FormData(/** @type {HTMLFormElement} */ (submitted.target));
    const reason = /** @type {DeclineReason | ""} */ (form.get("reason"));
    return this.do(async () => {
      await this.opponents?.decline(challenge, reason || undefined);
      this.declining = "";
    });
  }

  render() {
    const { opponents } = this;
    if (!opponents) {
      this.hidden = true;
      return nothing;
    }
    const me = guest()?.id;
    const here = (/** @type {Challenge} */ { from, to }) => !this.with || [from.id, to.id].includes(this.with);
    // Those that wait for a reply come first.
    const mine = (/** @type {Challenge} */ { from }) => Number(from.id === me);
    const waiting = opponents.challenges.filter(here).sort((a, b) => mine(a) - mine(b));
    const declined = opponents.declined.filter(here);
    this.hidden = waiting.length + declined.length === 0 && this.wrong === "";
    return html`
      <ul aria-label=${t("opponents.challenges")} ?hidden=${waiting.length + declined.length === 0}>
        ${repeat(
          [...waiting, ...declined],
          ({ id }) => id,
          (challenge) => html`<li class="card">${this.row(challenge, me)}</li>`,
        )}
      </ul>
      <p class="wrong" role="alert">${this.wrong}</p>
    `;
  }

  /** @param {Challenge} challenge @param {string | undefined} me */
  row(challenge, me) {
    if (challenge.state === "declined") return this.refused(challenge);
    return challenge.to.id === me ? this.got(challenge) : this.made(challenge);
  }

  /** @param {Challenge} challenge */
  got(challenge) {
    const name = markedText(challenge.from);
    return html`
      ${told(t("opponents.got", { name }), challenge, this.account(challenge.from.name, challenge.from_handle, challenge))}
      ${this.declining === challenge.id
        ? this.why(challenge)
        : html`
            <button class="main" @click=${() => this.do(() => this.opponents?.accept(challenge))}>
              ${t("opponents.accept")}
            </button>
            <button class="plain" data-decline=${challenge.id} @click=${() => this.askWhy(challenge)}>
              ${t("opponents.decline")}
            </button>
          `}
    `;
  }

  /** @param {Challenge} challenge */
  why(challenge) {
    const isBot = challenge.to.kind === "bot" || challenge.from.kind === "bot";
    const reasons = REASONS.filter((reason) => reason !== "no_bots" || isBot);
    return html`
      <form class="why" @submit=${(/** @type {SubmitEvent} */ submitted) => this.decline(submitted, challenge)}>
        <label>
          <span class="label">${t("challenge.why")}</span>
          <select name="reason">
            <option value="">${t("challenge.why.none")}</option>
            ${reasons.map((reason) => html`<option value=${reason}>${t(`challenge.why.${reason}`)}</option>`)}
          </select>
        </label>
        <button class="main" aria-disabled=${String(this.busy)}>${t("opponents.decline")}</button>
        <button class="plain" type="button" @click=${() => this.keepOn(challenge)}>${t("common.cancel")}</button>
      </form>
    `;
  }

  /** @param {Challenge} challenge */
  made(challenge) {
    return html`
      ${told(
        t("opponents.made", { name: markedText(challenge.to) }),
        challenge,
        this.account(challenge.to.name, challenge.to_handle, challenge),
      )}
      <button class="plain" @click=${() => this.do(() => this.opponents?.withdrawChallenge(challenge))}>
        ${t("common.cancel")}
      </button>
    `;
  }

  /** @param {Challenge} challenge */
  refused(challenge) {
    const name = markedText(challenge.to);
    const reason = challenge.reason && find(`challenge.why.${challenge.reason}`);
    const said = reason ? t("challenge.declined.why", { name, reason }) : t("challenge.declined", { name });
    return html`
      ${told(said, challenge)}
      <button class="plain" @click=${() => this.opponents?.dismiss(challenge)}>${t("common.close")}</button>
    `;
  }
}

/** @param {string} who @param {Challenge} challenge @param {string[]} [account] the known data of the other player's account */
function told(who, { game, clock, points, games, rated, side, from }, account = []) {
  const terms = [gameName(game), clockText(clock)];
  if (games) terms.push(t("opponents.pair"));
  else if (points > 1) terms.push(t("opponents.points", { count: points }));
  if (rated) terms.push(t("match.rated"));
  if (side !== "lot") terms.push(t("opponents.side", { name: markedText(from), side: sideName(side) }));
  return html`
    <div class="what">
      <strong>${who}</strong>
      ${account.length > 0 ? html`<div class="small figures">${account.join(" · ")}</div>` : nothing}
      <div class="small muted">${terms.join(" · ")}</div>
    </div>
  `;
}

customElements.define("lusoria-challenges", LusoriaChallenges);
