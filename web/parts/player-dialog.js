// Actions on a player whose name stands beside a board. Loaded on demand.

import { Problem } from "../api/rest.js";
import { LitElement, css, html, nothing } from "../lit.js";
import { profile } from "../player/players.js";
import { base } from "../style/shared.js";
import { markedText } from "../text/words.js";
import "./challenge.js";
import { openIn } from "./dialog.js";
import "./player-menu.js";

/** @typedef {import("../api/socket.js").Connection} Connection */
/** @typedef {import("../api/wire").components["schemas"]["OtherPlayer"]} OtherPlayer */
/** @typedef {import("./challenge.js").LusoriaChallenge} LusoriaChallenge */
/** @typedef {import("./dialog.js").LusoriaDialog} LusoriaDialog */

/** `<lusoria-player-dialog>`: uses `connection`. */
class LusoriaPlayerDialog extends LitElement {
  static properties = {
    connection: { attribute: false },
    player: { state: true },
    handle: { state: true },
  };

  static styles = [
    base,
    css`
      :host {
        display: contents;
      }
    `,
  ];

  constructor() {
    super();
    /** @type {Connection | undefined} */
    this.connection = undefined;
    /** @type {OtherPlayer | undefined} */
    this.player = undefined;
    /** The player's ratings, if they have an account. @type {string | undefined} */
    this.handle = undefined;
  }

  /** @param {OtherPlayer} player */
  async open(player) {
    this.player = player;
    this.handle = undefined;
    openIn(this);
    try {
      const found = await profile(player.id);
      if (this.player === player) this.handle = found.player.handle;
    } catch (why) {
      // Guests without an account have no page.
      if (!(why instanceof Problem)) throw why;
    }
  }

  get dialog() {
    return /** @type {LusoriaDialog} */ (this.renderRoot.querySelector("lusoria-dialog"));
  }

  /** @param {CustomEvent<OtherPlayer>} asked */
  challenge({ detail }) {
    this.dialog.close();
    /** @type {LusoriaChallenge} */ (this.renderRoot.querySelector("lusoria-challenge")).open(detail);
  }

  render() {
    const { connection, handle, player } = this;
    if (!player) return nothing;
    return html`
      <lusoria-dialog heading=${markedText(player)} @lusoria-challenge=${this.challenge}>
        ${handle ? html`<p class="muted">@${handle}</p>` : nothing}
        <lusoria-player-menu .player=${player} .page=${handle}></lusoria-player-menu>
      </lusoria-dialog>
      <lusoria-challenge .connection=${connection}></lusoria-challenge>
    `;
  }
}

customElements.define("lusoria-player-dialog", LusoriaPlayerDialog);

/** @type {LusoriaPlayerDialog | undefined} */
let shown;

/** Opens it for a player. @param {OtherPlayer} player @param {Connection} connection the page's only one */
export function openPlayer(player, connection) {
  shown ??= new LusoriaPlayerDialog();
  shown.connection = connection;
  return shown.open(player);
}
