// The way from the end of a match back to its tournament: when the next round begins, or the next board at once.

import { LitElement, css, html, nothing } from "../lit.js";
import { base, buttons } from "../style/shared.js";
import { loadTexts, t } from "../text/text.js";
import { LiveTournament } from "../tournament/live.js";
import { pageOf } from "../tournament/tournaments.js";
import "./countdown.js";

/** `<lusoria-of-tournament>`: of `tournament` (its id and name), read over `connection`. */
class LusoriaOfTournament extends LitElement {
  static properties = { tournament: { attribute: false }, connection: { attribute: false } };

  static styles = [
    base,
    buttons,
    css`
      :host {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 0 var(--gap-s);
      }
    `,
  ];

  constructor() {
    super();
    /** @type {{id: string, name: string} | undefined} */
    this.tournament = undefined;
    /** @type {import("../api/socket.js").Connection | undefined} */
    this.connection = undefined;
    /** @type {LiveTournament | undefined} */
    this.live = undefined;
  }

  willUpdate() {
    const { connection, tournament } = this;
    if (this.live || !connection || !tournament) return;
    // A person who still looks at the last board comes back by a click.
    this.live = new LiveTournament(connection, tournament.id, { isQuiet: true });
    this.live.addEventListener("change", () => this.requestUpdate());
    this.live.start([]);
  }

  /** The page of a match has only the short texts. */
  async scheduleUpdate() {
    if (!this.hasUpdated) await loadTexts(true).catch(() => {});
    await super.scheduleUpdate();
  }

  render() {
    const { connection, live, tournament } = this;
    if (!tournament) return nothing;
    const { next_round_at: next, you } = live?.tournament ?? {};
    const match = you?.pairing?.match;
    const isOther = match && location.pathname !== `/match/${match}`;
    return html`
      <a class="button main" href=${isOther ? `/match/${match}` : pageOf(tournament.id)}>${t(isOther ? "tournaments.board" : "tournaments.return")}</a>
      ${next && !isOther
        ? html`<span class="small">${t("tournaments.return.in")} <lusoria-countdown .at=${next} .ahead=${connection?.ahead ?? 0}></lusoria-countdown></span>`
        : nothing}
    `;
  }
}

customElements.define("lusoria-of-tournament", LusoriaOfTournament);
