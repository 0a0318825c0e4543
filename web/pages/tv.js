// TV: /tv, all channels; /tv/{game}, the match of one, on a full board. Both continue by themselves.

import { catalogue } from "../api/catalogue.js";
import { Problem } from "../api/rest.js";
import { Connection } from "../api/socket.js";
import { GAMES } from "../game/games.js";
import { LitElement, html, nothing, repeat } from "../lit.js";
import { Broadcast } from "../match/broadcast.js";
import { Channels } from "../player/channels.js";
import { Previews } from "../player/previews.js";
import { base, buttons, cards } from "../style/shared.js";
import { loadTexts, t } from "../text/text.js";
import { gameName, problemText } from "../text/words.js";
import "../parts/channel.js";
import "../parts/head.js";
import { share } from "../parts/share.js";
import { screenOf } from "../parts/screen.js";
import { tvStyle } from "./tv-style.js";

/** @typedef {import("../api/wire").components["schemas"]["CatalogueEntry"]} CatalogueEntry */
/** @typedef {import("../api/wire").components["schemas"]["Game"]} Game */

const MINUTE_MS = 60_000;

/** `<lusoria-tv>`: the whole page. Property: `game` of the channel; none for all channels. */
class LusoriaTv extends LitElement {
  static properties = {
    game: { type: String, reflect: true },
    entries: { state: true },
    screen: { state: true },
    problem: { state: true },
  };

  static styles = [base, buttons, cards, tvStyle];

  constructor() {
    super();
    /** @type {Game | ""} */
    this.game = "";
    /** @type {Map<Game, CatalogueEntry>} */
    this.entries = new Map();
    /** The match shown. @type {import("../parts/embed.js").LusoriaEmbed | undefined} */
    this.screen = undefined;
    this.problem = "";
    // On TV nobody has a seat: the viewer is a stranger.
    this.connection = new Connection(() => null);
    this.channels = new Channels();
    this.previews = new Previews(this.connection);
    this.connection.addEventListener("line", () => this.requestUpdate());
    this.connection.addEventListener("rewritten", () => location.reload());
    this.previews.addEventListener("change", () => this.requestUpdate());
  }

  firstUpdated() {
    this.load();
    // On narrow screens, scrolls to the current channel.
    const ways = /** @type {HTMLElement | null} */ (this.renderRoot.querySelector("nav"));
    const here = /** @type {HTMLElement | null} */ (ways?.querySelector("[aria-current]"));
    if (ways && here) ways.scrollLeft = here.offsetLeft - ways.offsetLeft - (ways.clientWidth - here.offsetWidth) / 2;
  }

  async load() {
    this.problem = "";
    try {
      this.entries = await catalogue();
    } catch (why) {
      if (!(why instanceof Problem)) throw why;
      this.problem = problemText(why);
      return;
    }
    const entry = this.game ? this.entries.get(this.game) : undefined;
    if (entry) this.watch(entry);
    else this.watchAll();
    this.connection.open();
    this.channels.start();
  }

  watchAll() {
    this.channels.addEventListener("change", (told) => {
      this.previews.tune(/** @type {CustomEvent} */ (told).detail);
      this.requestUpdate();
    });
    setInterval(() => this.requestUpdate(), MINUTE_MS);
  }

  /** @param {CatalogueEntry} entry */
  watch(entry) {
    const broadcast = new Broadcast(this.connection, entry);
    const screen = screenOf(broadcast, (element) => (this.screen = element), { inside: true });
    this.connection.addEventListener("line", () => screen.update());
    this.channels.addEventListener("change", () => {
      broadcast.tune(this.channels.all.get(entry.id)?.match?.id);
      this.requestUpdate();
    });
  }

  render() {
    const { connection, game } = this;
    return html`
      <lusoria-head .line=${connection.line} .retryAt=${connection.retryAt}
        @lusoria-retry=${() => this.retry()}></lusoria-head>
      <main>
        <header>
          <h1>${game ? t("tv.of", { game: gameName(game) }) : t("tv.title")}</h1>
          ${game ? this.ways(game) : html`<p class="lead">${t("tv.lead")}</p>`}
        </header>
        ${this.problem
          ? html`<div class="card notice">
              <p role="alert">${this.problem}</p>
              <button @click=${this.load}>${t("common.retry")}</button>
            </div>`
          : game ? this.channel(game) : this.all()}
      </main>
    `;
  }

  retry() {
    this.connection.retryNow();
    this.channels.retryNow();
  }

  /** The other channels. @param {Game} game */
  ways(game) {
    return html`
      <nav aria-label=${t("tv.channels")}>
        <a href="/tv">${t("tv.all")}</a>
        ${GAMES.map((one) => html`<a href=${`/tv/${one}`} aria-current=${one === game ? "page" : nothing}>${gameName(one)}</a>`)}
      </nav>
      <button class="plain share" aria-haspopup="dialog" @click=${() => share({ path: `tv/${game}`, game, isListed: true })}>${t("share.title")}</button>
    `;
  }

  /** @param {Game} game */
  channel(game) {
    const isEmpty = this.channels.all.has(game) && !this.channels.all.get(game)?.match;
    return html`
      <div class="screen">
        ${this.screen ??
        html`<div class="notice empty">
          <p>${isEmpty ? t("tv.none.game", { game: gameName(game) }) : t("common.loading")}</p>
          ${isEmpty ? html`<p><a href=${`/#${game}`}>${t("tv.play")}</a></p>` : nothing}
        </div>`}
      </div>
    `;
  }

  all() {
    const { channels, entries, previews } = this;
    return html`
      <ul class="channels">
        ${repeat(GAMES, (game) => game, (game) => html`<li>
          <lusoria-channel game=${game} .entry=${entries.get(game)} .preview=${changed(previews.shown.get(game))}
            .now=${this.connection.now()} ?none=${channels.all.has(game) && !channels.all.get(game)?.match}></lusoria-channel>
        </li>`)}
      </ul>
    `;
  }
}

/** Observes changes within the object, too. @template {object} T @param {T | undefined} preview */
const changed = (preview) => preview && { ...preview };

customElements.define("lusoria-tv", LusoriaTv);

await loadTexts();
const page = new LusoriaTv();
const named = location.pathname.split("/")[2] ?? "";
page.game = GAMES.find((game) => game === named) ?? "";
document.title = page.game ? t("tv.document", { game: gameName(page.game) }) : t("tv.document.all");
document.body.append(page);
