// Finds players by their handles, and lists the players whom the person follows. The search stands in the query.

import { Problem } from "../api/rest.js";
import { LitElement, css, html, nothing, repeat } from "../lit.js";
import { token } from "../player/identity.js";
import { people } from "../player/people.js";
import { HANDLE_MAX, SEARCH_MIN, isOfHandle, pageOf, search } from "../player/players.js";
import { base, buttons, cards, fields } from "../style/shared.js";
import { loadTexts, t } from "../text/text.js";
import { problemText } from "../text/words.js";
import "../parts/head.js";

/** @typedef {import("../player/players.js").AccountPlayer} AccountPlayer */
/** @typedef {import("../player/people.js").OtherPlayer} OtherPlayer */

/** The pause after typing before a search begins. */
const PAUSE_MS = 250;

/** `<lusoria-players>`: the whole page. */
class LusoriaPlayers extends LitElement {
  static properties = {
    searched: { state: true },
    found: { state: true },
    wrong: { state: true },
  };

  static styles = [
    base,
    buttons,
    cards,
    fields,
    css`
      main {
        display: grid;
        gap: var(--gap-l);
        max-width: 40rem;
        margin: 0 auto;
        padding: var(--gap-l) var(--gap-m) var(--gap-xl);
      }

      section {
        display: grid;
        gap: var(--gap-m);
        min-width: 0;
      }

      ul {
        display: grid;
        gap: var(--gap-s);
      }

      li a {
        display: flex;
        flex-wrap: wrap;
        align-items: baseline;
        gap: 0 var(--gap-s);
        min-height: var(--touch);
        padding: var(--gap-s) var(--gap-m);
        color: var(--ink);
        text-decoration: none;
        overflow-wrap: anywhere;
      }

      li:has(a:hover) {
        border-color: var(--edge);
      }

      li a:hover strong {
        text-decoration: underline;
      }

      .empty {
        padding: var(--gap-l);
        border: 1px dashed var(--edge);
        border-radius: var(--round);
        color: var(--muted);
        text-align: center;
        text-wrap: balance;
      }

      p:empty {
        display: none;
      }
    `,
  ];

  constructor() {
    super();
    this.searched = new URLSearchParams(location.search).get("search")?.trim() ?? "";
    /** The players found, and the search; none until loaded. @type {{searched: string, players: AccountPlayer[]} | undefined} */
    this.found = undefined;
    this.wrong = "";
    this.timer = 0;
    this.asking = new AbortController();
    people.addEventListener("change", () => this.requestUpdate());
  }

  firstUpdated() {
    this.look();
    if (token() !== null) people.load().catch((why) => this.failed(why));
  }

  /** @param {unknown} why */
  failed(why) {
    if (!(why instanceof Problem)) throw why;
    this.wrong = problemText(why);
  }

  /** @param {Event} typed */
  typed({ target }) {
    this.searched = /** @type {HTMLInputElement} */ (target).value.trim();
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.look(), PAUSE_MS);
  }

  /** @param {SubmitEvent} submitted */
  submitted(submitted) {
    submitted.preventDefault();
    clearTimeout(this.timer);
    this.look();
  }

  /** Searches for the present text, and drops an earlier search. */
  async look() {
    const { searched } = this;
    this.asking.abort();
    this.asking = new AbortController();
    const { signal } = this.asking;
    this.wrong = "";
    this.name(searched);
    if (searched.length < SEARCH_MIN || !isOfHandle(searched)) {
      this.found = undefined;
      return;
    }
    try {
      const players = await search(searched, signal);
      if (!signal.aborted) this.found = { searched, players };
    } catch (why) {
      if (signal.aborted) return;
      this.found = undefined;
      this.failed(why);
    }
  }

  /** Writes the search into the URL. @param {string} searched */
  name(searched) {
    const where = new URL(location.href);
    if (searched === "") where.searchParams.delete("search");
    else where.searchParams.set("search", searched);
    if (where.href !== location.href) history.replaceState(null, "", where);
  }

  /** The status of the search. */
  told() {
    const { found, searched } = this;
    if (!isOfHandle(searched)) return t("players.search.wrong");
    // While the person types, nothing is reported about the previous search.
    if (searched !== found?.searched) return "";
    const count = found.players.length;
    return count > 0 ? t("players.search.found", { count }) : t("players.search.none", { searched });
  }

  /** Whether the list is empty, and no search is under way. */
  get isEmpty() {
    return this.searched === "" && (token() === null || people.isKnown);
  }

  render() {
    const { followed } = people;
    return html`
      <lusoria-head></lusoria-head>
      <main>
        <h1>${t("players.heading")}</h1>
        <p><a href="/leaderboards">${t("leaderboards.heading")}</a></p>
        <section aria-label=${t("players.search")}>
          <form role="search" @submit=${this.submitted}>
            <label>
              <span class="label">${t("players.search")}</span>
              <input name="search" type="text" inputmode="search" enterkeyhint="search" autocomplete="off"
                autocapitalize="none" spellcheck="false" maxlength=${HANDLE_MAX} aria-describedby="hint"
                .value=${this.searched} @input=${this.typed} />
            </label>
          </form>
          <p id="hint" class="hint">${t("players.search.hint", { count: SEARCH_MIN })}</p>
          <p role="status">${this.told()}</p>
          <p class="wrong" role="alert">${this.wrong}</p>
          ${this.found ? html`<ul>${repeat(this.found.players, ({ id }) => id, row)}</ul>` : nothing}
        </section>
        ${followed.length > 0
          ? html`<section aria-labelledby="followed">
              <h2 id="followed">${t("people.follows")}</h2>
              <ul>${repeat(followed, ({ id }) => id, row)}</ul>
            </section>`
          : this.isEmpty ? html`<section class="empty">
              <p>${t("players.empty")}</p>
              <p><a class="button" href="/">${t("opponents.title")}</a></p>
            </section>` : nothing}
      </main>
    `;
  }
}

/** A player in a list. @param {OtherPlayer & {handle?: string}} player */
function row({ id, handle, kind, name }) {
  return html`
    <li class="card">
      <a href=${pageOf(handle ?? id)}>
        <strong>${name}</strong>
        ${handle ? html`<span class="muted">@${handle}</span>` : nothing}
        ${kind === "bot" ? html`<span class="small muted">${t("levels.bot")}</span>` : nothing}
      </a>
    </li>
  `;
}

customElements.define("lusoria-players", LusoriaPlayers);

await loadTexts(true);
document.title = t("players.title");
document.body.append(new LusoriaPlayers());
