// Actions on a player: opening their page, challenging, following, blocking.

import { Problem } from "../api/rest.js";
import { css, html, nothing } from "../lit.js";
import { people } from "../player/people.js";
import { pageOf } from "../player/players.js";
import { base, buttons } from "../style/shared.js";
import { t } from "../text/text.js";
import { markedText, problemText } from "../text/words.js";
import { Doing } from "./doing.js";
import "./report.js";

/** @typedef {import("../api/wire").components["schemas"]["OtherPlayer"]} OtherPlayer */

/**
 * `<lusoria-player-menu>`: of `player`; `page` is the handle or id of their page, if it should be linked. Event:
 * `lusoria-challenge` with the player as its detail.
 */
export class LusoriaPlayerMenu extends Doing {
  /** @type {import("lit").PropertyDeclarations} */
  static properties = {
    ...Doing.properties,
    player: { attribute: false },
    page: { type: String },
    isAsked: { state: true },
  };

  static styles = [
    base,
    buttons,
    css`
      .row {
        display: flex;
        flex-wrap: wrap;
        gap: var(--gap-s);
      }

      .sure {
        margin-top: var(--gap-m);
        padding: var(--gap-m);
        border-left: 0.25rem solid var(--accent);
        background: var(--sunk);
      }

      .sure p {
        margin-bottom: var(--gap-m);
      }

      .said,
      .wrong {
        margin-top: var(--gap-s);
      }

      .wrong {
        color: var(--accent);
        font-weight: 600;
      }
    `,
  ];

  constructor() {
    super();
    /** @type {OtherPlayer | undefined} */
    this.player = undefined;
    /** @type {string | undefined} */
    this.page = undefined;
    /** Whether the person is asked to confirm a block. */
    this.isAsked = false;
    this.changed = () => this.requestUpdate();
  }

  connectedCallback() {
    super.connectedCallback();
    people.addEventListener("change", this.changed);
    // A failure does not matter: the lists may be known already.
    people.load().catch((why) => {
      if (!(why instanceof Problem)) throw why;
      this.wrong = problemText(why);
    });
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    people.removeEventListener("change", this.changed);
  }

  /** Sends a request that the server may refuse. @param {() => Promise<unknown>} what @param {string} said announced on success */
  async tells(what, said) {
    if (await this.does(what)) this.said = said;
  }

  /** @param {OtherPlayer} player */
  follow(player) {
    const name = markedText(player);
    return people.follows(player.id)
      ? this.tells(() => people.unfollow(player.id), t("people.unfollowed", { name }))
      : this.tells(() => people.follow(player), t("people.followed", { name }));
  }

  /** @param {OtherPlayer} player */
  async block(player) {
    if (people.blocks(player.id)) {
      return this.tells(() => people.unblock(player.id), t("people.unblocked", { name: markedText(player) }));
    }
    this.isAsked = true;
    await this.go(".sure");
  }

  /** @param {OtherPlayer} player */
  async sure(player) {
    await this.tells(() => people.block(player), t("people.blocked", { name: markedText(player) }));
    await this.leave();
  }

  /** Closes the question; the focus returns to its button. */
  async leave() {
    this.isAsked = false;
    await this.go(".block");
  }

  render() {
    const { player } = this;
    if (!player) return nothing;
    const match = /^\/match\/([0-9a-f-]{36})$/u.exec(location.pathname)?.[1];
    const isFollowed = people.follows(player.id);
    const isBlocked = people.blocks(player.id);
    return html`
      <div class="row">
        ${this.page ? html`<a class="button" href=${pageOf(this.page)}>${t("people.page")}</a>` : nothing}
        <button class="main" aria-haspopup="dialog" @click=${() => this.challenge(player)}>${t("people.challenge")}</button>
        <button ?disabled=${!people.isKnown} @click=${() => this.follow(player)}>
          ${t(isFollowed ? "people.unfollow" : "people.follow")}
        </button>
        <button class="block" ?disabled=${!people.isKnown} aria-expanded=${String(this.isAsked)} @click=${() => this.block(player)}>
          ${t(isBlocked ? "people.unblock" : "people.block")}
        </button>
        ${match ? html`<lusoria-report .player=${player} match=${match}></lusoria-report>` : nothing}
      </div>
      ${this.isAsked ? this.question(player) : nothing}
      ${this.told()}
    `;
  }

  /** @param {OtherPlayer} player */
  challenge(player) {
    this.dispatchEvent(new CustomEvent("lusoria-challenge", { detail: player, bubbles: true, composed: true }));
  }

  /** @param {OtherPlayer} player */
  question(player) {
    const name = markedText(player);
    return html`
      <div class="sure" role="group" tabindex="-1" aria-label=${t("people.block.sure", { name })}>
        <p><strong>${t("people.block.sure", { name })}</strong> ${t("people.block.why")}</p>
        <div class="row">
          <button class="danger" @click=${() => this.sure(player)}>${t("people.block")}</button>
          <button class="plain" @click=${this.leave}>${t("common.cancel")}</button>
        </div>
      </div>
    `;
  }
}

customElements.define("lusoria-player-menu", LusoriaPlayerMenu);
