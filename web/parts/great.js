// The large board of home: the most interesting live match, else Zeno's throw. It requests nothing while it is hidden.

import { Connection } from "../api/socket.js";
import { LitElement, css, html, nothing } from "../lit.js";
import { Channels, best } from "../player/channels.js";
import { base } from "../style/shared.js";
import "./zeno-throw.js";

/** @typedef {import("../api/wire").components["schemas"]["CatalogueEntry"]} CatalogueEntry */
/** @typedef {import("../api/wire").components["schemas"]["Game"]} Game */

/** How long it stays connected after it is hidden. */
const LINGER_MS = 3_000;
/** How long the end of a match is shown if there is no other live match. */
const END_MS = 20_000;
/** How long to wait for the list of live matches before something else is shown. */
const KNOWN_WITHIN_MS = 1_500;

/** `<lusoria-great>`: `entries` of the games. It fills its box. */
class LusoriaGreat extends LitElement {
  static properties = {
    entries: { attribute: false },
    screen: { state: true },
    isKnown: { state: true },
  };

  static styles = [
    base,
    css`
      :host {
        display: grid;
      }
      lusoria-embed,
      lusoria-zeno-throw {
        min-height: 0;
        width: 100%;
        height: 100%;
        animation: appear 400ms;
      }
      @keyframes appear {
        from {
          opacity: 0;
        }
      }
    `,
  ];

  constructor() {
    super();
    /** @type {Map<Game, CatalogueEntry>} */
    this.entries = new Map();
    /** The match shown. @type {import("./embed.js").LusoriaEmbed | undefined} */
    this.screen = undefined;
    /** Whether the live matches are known, or are no longer waited for. */
    this.isKnown = false;
    this.isSeen = false;
    /** @type {import("../match/broadcast.js").Broadcast | undefined} */
    this.broadcast = undefined;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.choosing = undefined;
    /** Until when the end of the last match is shown. @type {ReturnType<typeof setTimeout> | undefined} */
    this.resting = undefined;
    // The person's own connection watches some of the same matches.
    this.connection = new Connection(() => null);
    this.channels = new Channels();
    // Chooses once for all channels that arrive together.
    this.channels.addEventListener("change", () => {
      clearTimeout(this.choosing);
      this.choosing = setTimeout(() => this.choose());
    });
    this.connection.addEventListener("rewritten", () => location.reload());
    document.addEventListener("visibilitychange", () => this.look());
    this.observer = new IntersectionObserver((entries) => {
      this.isSeen = entries.at(-1)?.isIntersecting ?? false;
      this.look();
    });
  }

  connectedCallback() {
    super.connectedCallback();
    this.observer.observe(this);
    setTimeout(() => (this.isKnown = true), KNOWN_WITHIN_MS);
  }

  /** Watches while it is visible. */
  look() {
    clearTimeout(this.timer);
    if (this.isSeen && document.visibilityState === "visible") {
      this.connection.open();
      this.channels.start();
    } else {
      this.timer = setTimeout(() => this.leave(), LINGER_MS);
    }
  }

  /** Stops watching. Lets a connection that is being opened finish: aborting it would be an error. */
  leave() {
    if (this.connection.line === "connecting") return this.look();
    this.channels.stop();
    this.connection.close();
  }

  /** @param {Map<string, unknown>} changed */
  updated(changed) {
    if (changed.has("entries")) this.choose();
  }

  async choose() {
    const { broadcast } = this;
    const channel = best([...this.channels.all.values()].filter(({ live }) => live), broadcast?.entry.id);
    const entry = channel && this.entries.get(channel.game);
    if (!channel || !entry) {
      this.resting ??= setTimeout(() => this.rest(), END_MS);
      return;
    }
    clearTimeout(this.resting);
    this.resting = undefined;
    if (broadcast?.entry.id !== channel.game) {
      const loading = Promise.all([import("../match/broadcast.js"), import("./screen.js")]);
      const loaded = await loading.catch(() => undefined);
      // There is no connection, or another match has been chosen in the meantime.
      if (!loaded || this.broadcast !== broadcast) return;
      const [{ Broadcast }, { screenOf }] = loaded;
      broadcast?.stop();
      this.broadcast = new Broadcast(this.connection, entry);
      screenOf(this.broadcast, (element) => (this.screen = element), { inside: true });
    }
    this.broadcast?.tune(channel.match?.id);
  }

  /** Shows no match. */
  rest() {
    this.broadcast?.stop();
    this.broadcast = this.screen = this.resting = undefined;
  }

  render() {
    if (this.screen) return this.screen;
    return this.isKnown ? html`<lusoria-zeno-throw .entry=${this.entries.get("zeno")}></lusoria-zeno-throw>` : nothing;
  }
}

customElements.define("lusoria-great", LusoriaGreat);
