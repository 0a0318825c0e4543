// TV at home: the board of the channel that is most worth watching, which changes by itself. It asks for nothing while
// nobody sees it.

import { Connection } from "../api/socket.js";
import { LitElement, css, html, nothing } from "../lit.js";
import { Channels, best } from "../player/channels.js";
import { Previews } from "../player/previews.js";
import { base } from "../style/shared.js";
import { t } from "../text/text.js";
import "./channel.js";

/** @typedef {import("../api/wire").components["schemas"]["CatalogueEntry"]} CatalogueEntry */
/** @typedef {import("../api/wire").components["schemas"]["Game"]} Game */

/** From how far below the window it begins. */
const NEAR = "200px";
/** How long it goes on when it is not seen any more: who scrolls comes back. */
const LINGER_MS = 3_000;
const MINUTE_MS = 60_000;

/** `<lusoria-tv-board>`: `entries` of the games. Its height is that of its room. */
export class LusoriaTvBoard extends LitElement {
  static properties = {
    entries: { attribute: false },
    game: { state: true },
  };

  static styles = [
    base,
    css`
      lusoria-channel {
        height: 100%;
      }

      p {
        display: grid;
        place-content: center;
        height: 100%;
        padding: var(--gap-m);
        color: var(--muted);
        text-align: center;
      }
    `,
  ];

  constructor() {
    super();
    /** @type {Map<Game, CatalogueEntry>} */
    this.entries = new Map();
    /** The channel that is shown. @type {Game | undefined} */
    this.game = undefined;
    this.isSeen = false;
    this.isChoosing = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    // The person's own connection watches some of the same matches.
    this.connection = new Connection(() => null);
    this.channels = new Channels();
    this.previews = new Previews(this.connection);
    this.channels.addEventListener("change", () => this.chooseSoon());
    this.channels.addEventListener("line", () => this.requestUpdate());
    this.previews.addEventListener("change", () => this.turned());
    this.connection.addEventListener("rewritten", () => location.reload());
    document.addEventListener("visibilitychange", () => this.look());
    setInterval(() => this.requestUpdate(), MINUTE_MS);
    this.observer = new IntersectionObserver(
      (entries) => {
        this.isSeen = entries.at(-1)?.isIntersecting ?? false;
        this.look();
      },
      { rootMargin: NEAR },
    );
  }

  connectedCallback() {
    super.connectedCallback();
    this.observer.observe(this);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.observer.disconnect();
    this.isSeen = false;
    this.look();
  }

  /** Watches while it is seen. */
  look() {
    clearTimeout(this.timer);
    if (this.isSeen && document.visibilityState === "visible") {
      this.connection.open();
      this.channels.start();
    } else {
      this.timer = setTimeout(() => this.leave(), LINGER_MS);
    }
  }

  /** Watches no more. A line that is being opened is not broken off: it would be an error. */
  leave() {
    if (this.connection.line === "connecting") return this.look();
    this.channels.stop();
    this.connection.close();
  }

  /** Chooses once among all that is told at once. */
  chooseSoon() {
    if (this.isChoosing) return;
    this.isChoosing = true;
    setTimeout(() => {
      this.isChoosing = false;
      this.choose();
    });
  }

  choose() {
    const channel = best(this.channels.all.values(), this.game);
    if (channel) this.previews.tune(channel);
    this.requestUpdate();
  }

  /** Shows another channel once it is known how its match stands. */
  turned() {
    const wanted = best(this.channels.all.values(), this.game)?.game;
    if (wanted && this.previews.shown.has(wanted)) {
      this.game = wanted;
      this.previews.only(wanted);
    }
    this.requestUpdate();
  }

  render() {
    const { channels, connection, entries, game, previews } = this;
    const preview = game && previews.shown.get(game);
    if (!preview) return channels.isOpen && !best(channels.all.values()) ? html`<p>${t("tv.none")}</p>` : nothing;
    return html`<lusoria-channel beside game=${game} .entry=${entries.get(game)} .preview=${{ ...preview }}
      .now=${connection.now()}></lusoria-channel>`;
  }
}

customElements.define("lusoria-tv-board", LusoriaTvBoard);
