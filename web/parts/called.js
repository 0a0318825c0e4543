// The banner of a call: one's tournament has begun a round, an opponent waits, or the board is ready. It is loaded when a
// call comes, or when this device listens for one: then over a socket of its own, as long as the page is seen.

import { Connection } from "../api/socket.js";
import { LitElement, css, html, nothing } from "../lit.js";
import { dropEntered, entered } from "../player/entered.js";
import { token } from "../player/identity.js";
import { base, buttons } from "../style/shared.js";
import { loadTexts, t } from "../text/text.js";
import { nameText } from "../text/words.js";
import { LiveTournament } from "../tournament/live.js";
import { pageOf } from "../tournament/tournaments.js";
import "./countdown.js";

/** @typedef {{tournament: string, name: string, round?: number | null, match?: string | null, opponent?: {name: string} | null, until?: number | null}} Call */

/** `<lusoria-called>`: the `call`, with the server's time `ahead` of this device's. */
class LusoriaCalled extends LitElement {
  static properties = { call: { attribute: false }, ahead: { type: Number } };

  static styles = [
    base,
    buttons,
    css`
      :host {
        position: fixed;
        inset: auto 0 0;
        z-index: 6;
        display: flex;
        justify-content: center;
        padding: var(--gap-s) var(--gap-s) max(var(--gap-s), env(safe-area-inset-bottom));
        pointer-events: none;
      }

      div {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        justify-content: space-between;
        gap: var(--gap-s) var(--gap-m);
        max-width: 44rem;
        padding: var(--gap-s) var(--gap-s) var(--gap-s) var(--gap-m);
        border: 1px solid var(--accent);
        border-radius: var(--round);
        background: var(--raised);
        box-shadow: var(--shadow);
        pointer-events: auto;
      }

      p {
        min-width: 0;
        overflow-wrap: anywhere;
      }

      .row {
        display: flex;
        gap: var(--gap-xs);
        margin-left: auto;
      }
    `,
  ];

  constructor() {
    super();
    /** @type {Call | undefined} */
    this.call = undefined;
    this.ahead = 0;
  }

  render() {
    const { call } = this;
    if (!call) return nothing;
    const { match, name, opponent, round, until } = call;
    const said = match && opponent
      ? t("tournaments.call.board", { name, opponent: nameText(opponent.name) })
      : round && !opponent ? t("tournaments.call.round", { name, round }) : t("tournaments.call", { name });
    return html`<div role="alert">
      <p>${said} ${!match && until ? html`<lusoria-countdown .at=${until} .ahead=${this.ahead}></lusoria-countdown>` : nothing}</p>
      <span class="row">
        <a class="button main" href=${match ? `/match/${match}` : pageOf(call.tournament)}>${t(match ? "tournaments.board" : "tournaments.call.open")}</a>
        <button class="plain icon" aria-label=${t("common.close")} @click=${() => (this.call = undefined)}>
          <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M6 6l12 12M18 6 6 18" /></svg></button>
      </span>
    </div>`;
  }
}

customElements.define("lusoria-called", LusoriaCalled);

/** @type {LusoriaCalled | undefined} */
let banner;

/** What this page has shown: a call is shown once. */
const shown = new Set();

/** Shows a call, unless this is the page to which it calls. @param {Call} call @param {number} [ahead] */
export async function show(call, ahead = 0) {
  const { match, round, tournament } = call;
  const key = [tournament, round, match].join(" ");
  const isHere = [pageOf(tournament), match && `/match/${match}`].includes(location.pathname);
  if (isHere || shown.has(key)) return;
  shown.add(key);
  // Most pages have only the short texts.
  await loadTexts(true).catch(() => {});
  if (!banner) {
    banner = new LusoriaCalled();
    document.body.append(banner);
  }
  Object.assign(banner, { call, ahead });
}

/** Listens for the calls of the tournaments that the person has entered. */
export function listen() {
  const ids = entered().filter((id) => pageOf(id) !== location.pathname);
  if (ids.length === 0 || token() === null) return;
  const connection = new Connection(token);
  for (const id of ids) {
    // A person who looks at another page has not said that they are at the board.
    const live = new LiveTournament(connection, id, { isQuiet: true });
    live.addEventListener("change", () => {
      const { name, phase, you } = /** @type {import("../tournament/tournaments.js").Tournament} */ (live.tournament);
      if (phase === "ended" || !you?.entrant) return dropEntered(id);
      const { match, opponent, round, until } = you.pairing ?? {};
      if (match || until) show({ tournament: id, name, round, match, opponent, until }, connection.ahead);
    });
    live.start([]);
  }
  connection.open();
}
