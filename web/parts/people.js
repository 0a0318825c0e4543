// The players whom the person follows or has blocked, each with a button to undo it.

import { css, html, nothing, repeat } from "../lit.js";
import { people } from "../player/people.js";
import { pageOf } from "../player/players.js";
import { base, buttons, cards } from "../style/shared.js";
import { t } from "../text/text.js";
import { markedText } from "../text/words.js";
import { Doing } from "./doing.js";

/** @typedef {import("../player/people.js").OtherPlayer} OtherPlayer */

/** `<lusoria-people>`: of this device's guest. */
export class LusoriaPeople extends Doing {
  static styles = [
    base,
    buttons,
    cards,
    css`
      :host {
        display: grid;
        gap: var(--gap-m);
      }

      ul {
        display: grid;
        gap: var(--gap-s);
        margin-top: var(--gap-s);
      }

      li {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        justify-content: space-between;
        gap: var(--gap-s);
        padding: var(--gap-s) var(--gap-m);
      }

      li > :first-child {
        min-width: 0;
        overflow-wrap: anywhere;
        line-height: 1.75;
      }

      h3:focus {
        outline: none;
      }

      .wrong {
        color: var(--accent);
        font-weight: 600;
      }
    `,
  ];

  constructor() {
    super();
    this.changed = () => this.requestUpdate();
  }

  connectedCallback() {
    super.connectedCallback();
    people.addEventListener("change", this.changed);
    this.does(() => people.load());
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    people.removeEventListener("change", this.changed);
  }

  /** @param {OtherPlayer} player */
  unfollow(player) {
    return this.does(async () => {
      await people.unfollow(player.id);
      this.said = t("people.unfollowed", { name: markedText(player) });
      await this.go("#follows");
    });
  }

  /** @param {OtherPlayer} player */
  unblock(player) {
    return this.does(async () => {
      await people.unblock(player.id);
      this.said = t("people.unblocked", { name: markedText(player) });
      await this.go("#blocks");
    });
  }

  render() {
    const { blocked, followed, isKnown } = people;
    return html`
      ${this.told()}
      ${isKnown
        ? html`
            <div>
              <h3 id="follows" tabindex="-1">${t("people.follows")}</h3>
              ${this.list(followed, "people.unfollow", (player) => this.unfollow(player), t("people.follows.none"))}
            </div>
            <div>
              <h3 id="blocks" tabindex="-1">${t("people.blocks")}</h3>
              ${this.list(blocked, "people.unblock", (player) => this.unblock(player), t("people.blocks.none"))}
            </div>
          `
        : nothing}
    `;
  }

  /** @param {OtherPlayer[]} players @param {string} key the button's text @param {(player: OtherPlayer) => unknown} does @param {string} none */
  list(players, key, does, none) {
    if (players.length === 0) return html`<p class="muted">${none}</p>`;
    return html`
      <ul>
        ${repeat(
          players,
          ({ id }) => id,
          (player) => html`
            <li class="card">
              <a href=${pageOf(player.id)}>${markedText(player)}</a>
              <button
                aria-label=${t(`${key}.of`, { name: markedText(player) })}
                aria-disabled=${this.held}
                @click=${() => does(player)}
              >
                ${t(key)}
              </button>
            </li>
          `,
        )}
      </ul>
    `;
  }
}

customElements.define("lusoria-people", LusoriaPeople);
