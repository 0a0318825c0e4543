// The tournaments that a player has entered or organised.

import { Problem, onThisClock } from "../api/rest.js";
import { LitElement, css, html, nothing } from "../lit.js";
import { base } from "../style/shared.js";
import { t } from "../text/text.js";
import { tournamentsOf } from "../tournament/tournaments.js";
import "./tournament-card.js";

/** `<lusoria-player-tournaments>`: of the `player`, by their handle; empty without any. */
class LusoriaPlayerTournaments extends LitElement {
  static properties = { player: { type: String }, cards: { state: true } };

  static styles = [
    base,
    css`
      h2 {
        display: flex;
        align-items: center;
        gap: var(--gap-m);
        margin-bottom: var(--gap-m);
      }

      h2::after {
        content: "";
        flex: 1;
        border-top: 1px solid var(--line);
      }

      ul {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(min(100%, 20rem), 1fr));
        gap: var(--gap-s);
      }
    `,
  ];

  constructor() {
    super();
    this.player = "";
    /** @type {import("../tournament/tournaments.js").Card[]} */
    this.cards = [];
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (changed.has("player")) this.load();
  }

  async load() {
    const { player } = this;
    if (player === "") return;
    try {
      const { tournaments } = await tournamentsOf(player);
      if (player === this.player) this.cards = tournaments;
    } catch (why) {
      // The page shows everything else without them.
      if (!(why instanceof Problem)) throw why;
    }
  }

  render() {
    const ahead = -onThisClock(0);
    this.hidden = this.cards.length === 0;
    if (this.hidden) return nothing;
    return html`<section aria-labelledby="tournaments">
      <h2 id="tournaments">${t("tournaments.heading")}</h2>
      <ul>${this.cards.map((card) => html`<li><lusoria-tournament-card .card=${card} .now=${Date.now() + ahead} .ahead=${ahead}></lusoria-tournament-card></li>`)}</ul>
    </section>`;
  }
}

customElements.define("lusoria-player-tournaments", LusoriaPlayerTournaments);
