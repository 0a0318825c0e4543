// Shown instead of a page that the server does not send: the service worker responds with this document at the
// requested URL. It loads the page when the server is back.

import { LitElement, css, html, nothing } from "../lit.js";
import { keptTurns, lastKnown } from "../player/last-known.js";
import { base, buttons, cards } from "../style/shared.js";
import { loadTexts, t } from "../text/text.js";
import { calledText, gameName, moment } from "../text/words.js";
import "../parts/head.js";

/** @typedef {import("../player/last-known.js").Known} Known */

/** Each pause is twice as long as the previous one, within these limits. */
const PAUSE_MIN_S = 2;
const PAUSE_MAX_S = 60;
const SECOND_MS = 1_000;

/** Where this tab stores the number of failed attempts: repeated failures must not lead to fast reloads. */
const TRIES_AS = "lusoria.tries";
const TRIES_FOR_MS = 3 * PAUSE_MAX_S * SECOND_MS;

/** Its own URL, which has no other page. */
const OWN = "/offline";

/** The statuses of a proxy whose server is down. */
const GONE = [502, 503, 504];

/** `<lusoria-offline>`: the whole page. */
class LusoriaOffline extends LitElement {
  static properties = {
    seconds: { state: true },
    trying: { state: true },
    isBack: { state: true },
  };

  static styles = [
    base,
    buttons,
    cards,
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
      }

      .again {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: var(--gap-s) var(--gap-m);
      }

      ul {
        display: grid;
        gap: var(--gap-s);
      }

      li {
        padding: var(--gap-m);
        overflow-wrap: anywhere;
      }

      li a {
        font-weight: 600;
      }
    `,
  ];

  constructor() {
    super();
    /** Counts down to the next attempt. */
    this.seconds = 0;
    this.trying = false;
    this.isBack = false;
    this.timer = 0;
    addEventListener("online", () => this.attempt());
    addEventListener("offline", () => this.requestUpdate());
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.attempt());
  }

  firstUpdated() {
    if (location.pathname === OWN) this.attempt();
    else this.wait();
  }

  /** Requests the page again. */
  async attempt() {
    if (this.trying || this.isBack) return;
    clearInterval(this.timer);
    this.trying = true;
    const answered = await fetch(location.href, { method: "HEAD", cache: "no-store" }).catch(() => undefined);
    this.trying = false;
    if (answered && !GONE.includes(answered.status)) this.back();
    else this.wait();
  }

  /** The server responds. */
  back() {
    this.isBack = true;
    if (location.pathname === OWN) return;
    // If the reload fails, this document is shown again, and waits longer.
    tried(tries() + 1);
    location.reload();
  }

  /** Waits for the next attempt. */
  wait() {
    const count = tries();
    this.seconds = Math.min(PAUSE_MIN_S * 2 ** count, PAUSE_MAX_S);
    tried(count + 1);
    clearInterval(this.timer);
    this.timer = window.setInterval(() => {
      // A hidden page tries when it becomes visible.
      if (document.visibilityState !== "visible") return;
      this.seconds -= 1;
      if (this.seconds <= 0) this.attempt();
    }, SECOND_MS);
  }

  render() {
    return html`
      <lusoria-head></lusoria-head>
      <main>
        <h1>${t(this.isBack ? "offline.back" : "offline.heading")}</h1>
        ${this.isBack ? this.answers() : this.silent()}
      </main>
    `;
  }

  answers() {
    if (location.pathname !== OWN) return html`<p role="status">${t("common.loading")}</p>`;
    return html`<p role="status"><a href="/">${t("common.home")}</a></p>`;
  }

  silent() {
    const kept = keptTurns().length;
    return html`
      <p>${t(navigator.onLine ? "offline.unknown" : "offline.device")}</p>
      <div class="again">
        <button class="main" aria-disabled=${this.trying ? "true" : "false"} @click=${() => this.attempt()}>
          ${t("common.retry")}
        </button>
        <p class="muted figures">${this.trying ? t("offline.trying") : t("offline.next", { count: this.seconds })}</p>
      </div>
      <section aria-labelledby="meanwhile">
        <h2 id="meanwhile">${t("offline.meanwhile")}</h2>
        ${kept > 0 ? html`<p>${t("offline.kept", { count: kept })}</p>` : nothing}
        <p>${t("offline.nothing")}</p>
      </section>
      ${this.lastKnown()}
    `;
  }

  /** The last known state of the person's matches. */
  lastKnown() {
    const known = lastKnown();
    if (!known || known.matches.length === 0) return nothing;
    return html`
      <section aria-labelledby="matches">
        <h2 id="matches">${t("offline.matches")}</h2>
        <p class="small muted">${t("offline.matches.when", { time: moment(known.at) })}</p>
        <ul>
          ${known.matches.map((match) => this.match(match))}
        </ul>
      </section>
    `;
  }

  /** @param {Known} match */
  match({ id, game, opponent, waits }) {
    const isKept = keptTurns().includes(id);
    return html`
      <li class="card">
        <a href=${`/match/${id}`}>${gameName(game)}</a>${opponent
          ? html` · ${t("offline.against", { name: calledText(opponent) })}`
          : nothing}
        ${isKept
          ? html`<p class="small">${t("offline.match.kept")}</p>`
          : waits
            ? html`<p class="small">${t("offline.match.yours")}</p>`
            : nothing}
      </li>
    `;
  }
}

/** The number of consecutive failures. @returns {number} */
function tries() {
  try {
    const { count, at } = JSON.parse(sessionStorage.getItem(TRIES_AS) ?? "{}");
    return Date.now() - at < TRIES_FOR_MS ? count : 0;
  } catch {
    return 0;
  }
}

/** @param {number} count */
function tried(count) {
  try {
    sessionStorage.setItem(TRIES_AS, JSON.stringify({ count, at: Date.now() }));
  } catch {
    // Without storage, each attempt comes after the shortest pause.
  }
}

customElements.define("lusoria-offline", LusoriaOffline);

await loadTexts();
document.title = t("offline.title");
document.body.append(new LusoriaOffline());
