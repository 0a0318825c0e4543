// The header of every page: navigation, the person, preferences, the state of the connection.

import { css, html } from "../lit.js";
import { PatientElement } from "../own-task.js";
import { guest, identity } from "../player/identity.js";
import { registerLater, whenIdle } from "../player/worker.js";
import { base, buttons } from "../style/shared.js";
import { currentLanguage, t } from "../text/text.js";
import "./line.js";
import "./name.js";
import "./preferences.js";
import "./signed-out.js";
import "./theme.js";

/** @typedef {import("../api/socket.js").Line} Line */

/**
 * `<lusoria-head>`. Properties: `line` and `retryAt` as in `Connection`; without `line` the state is not shown. Event:
 * `lusoria-retry`. Its first button skips to the page's `<main>`, which stands beside it or in the document.
 */
export class LusoriaHead extends PatientElement {
  static properties = {
    line: { type: String },
    retryAt: { type: Number },
  };

  static styles = [
    base,
    buttons,
    css`
      :host {
        position: relative;
        z-index: 5;
        flex: none;
        min-height: var(--touch);
        border-bottom: 1px solid var(--line);
        background: var(--raised);
      }

      header {
        display: flex;
        align-items: center;
        gap: var(--gap-xs);
        max-width: 150rem;
        min-height: var(--touch);
        margin: 0 auto;
        padding-left: max(var(--gap-s), env(safe-area-inset-left));
        padding-right: max(var(--gap-s), env(safe-area-inset-right));
      }

      nav {
        display: flex;
        align-items: center;
        gap: var(--gap-xs);
      }

      a {
        display: inline-flex;
        align-items: center;
        gap: var(--gap-s);
        min-height: var(--touch);
        padding: 0 0.5rem;
        border-radius: var(--round-s);
        color: var(--ink);
        text-decoration: none;
      }

      a:hover {
        text-decoration: underline;
      }

      .home {
        font-family: var(--title);
        font-size: var(--size-l);
        font-weight: 600;
        letter-spacing: 0.02em;
      }

      .home svg {
        width: 1.75rem;
        height: 1.75rem;
        flex: none;
      }

      .home rect {
        fill: var(--fill);
      }

      .home path,
      .home use {
        fill: var(--on-fill);
      }

      .home circle {
        fill: none;
        stroke: var(--on-fill);
        stroke-width: 2.5;
      }

      .skip {
        position: absolute;
        top: 0;
        left: 0.5rem;
        z-index: 1;
        transform: translateY(-200%);
      }

      .skip:focus {
        transform: none;
      }

      /* On a phone the navigation is under the person's name. */
      @media (max-width: 40rem) {
        .players {
          display: none;
        }
      }

      @media (max-width: 52rem) {
        .leaderboards {
          display: none;
        }
      }

      /* The person's name needs the room more. */
      @media (max-width: 30rem) {
        header:has(lusoria-challenged[shown]) .home span {
          display: none;
        }
      }

      .rest {
        display: flex;
        align-items: center;
        justify-content: flex-end;
        flex: 1;
        min-width: 0;
      }

      lusoria-preferences {
        flex: none;
        min-width: var(--touch);
      }

      lusoria-line {
        position: absolute;
        inset: calc(100% + 0.25rem) 0 auto;
        display: flex;
        justify-content: center;
        pointer-events: none;
      }
    `,
  ];

  constructor() {
    super();
    /** @type {Line | undefined} */
    this.line = undefined;
    this.retryAt = 0;
  }

  connectedCallback() {
    super.connectedCallback();
    // The server's footer follows the page's content, also in the tab order.
    queueMicrotask(() => {
      const foot = document.querySelector("body > footer");
      if (foot) document.body.append(foot);
    });
  }

  skip() {
    const root = /** @type {Document | ShadowRoot} */ (this.getRootNode());
    const main = root.querySelector("main") ?? document.querySelector("main");
    if (!main) return;
    main.tabIndex = -1;
    main.focus();
    main.scrollIntoView();
  }

  render() {
    return html`
      <header>
        <button class="skip" @click=${this.skip}>${t("common.skip")}</button>
        <nav aria-label=${t("head.navigation")}>
          <a class="home" href="/" aria-label="Lusoria">${rosette()}<span>Lusoria</span></a>
          <a href=${`/rules?lang=${currentLanguage()}`}>${t("head.rules")}</a>
          <a class="players" href="/players">${t("head.players")}</a>
          <a class="leaderboards" href="/tournaments">${t("head.tournaments")}</a>
          <a class="leaderboards" href="/leaderboards">${t("head.leaderboards")}</a>
        </nav>
        <div class="rest">
          <slot></slot>
          <lusoria-challenged></lusoria-challenged>
          <lusoria-name></lusoria-name>
          <lusoria-preferences></lusoria-preferences>
        </div>
        <lusoria-line .line=${this.line} .retryAt=${this.retryAt}></lusoria-line>
      </header>
      <lusoria-signed-out></lusoria-signed-out>
    `;
  }
}

/** The rosette that divides the rows of Roman boards; the site's logo. */
function rosette() {
  return html`
    <svg viewBox="0 0 64 64" aria-hidden="true">
      <rect width="64" height="64" rx="14" />
      <circle cx="32" cy="32" r="25.5" />
      <path id="petal" d="M32 32A23 23 0 0 1 32 9 23 23 0 0 1 32 32z" />
      <use href="#petal" transform="rotate(60 32 32)" />
      <use href="#petal" transform="rotate(120 32 32)" />
      <use href="#petal" transform="rotate(180 32 32)" />
      <use href="#petal" transform="rotate(240 32 32)" />
      <use href="#petal" transform="rotate(300 32 32)" />
    </svg>
  `;
}

customElements.define("lusoria-head", LusoriaHead);
registerLater();

/** Starts synchronising preferences once this device has an account. */
async function lookAfter() {
  if (!guest()?.handle) return;
  identity.removeEventListener("change", lookAfter);
  (await import("../player/account-preferences.js")).lookAfterPreferences();
}

identity.addEventListener("change", lookAfter);
whenIdle(lookAfter);

/** Calls of one's tournaments: of a page's own socket, or listened for. */
addEventListener("lusoria-called", (event) => {
  const { call, ahead } = /** @type {CustomEvent} */ (event).detail;
  import("./called.js").then(({ show }) => show(call, ahead), () => {});
});
// The name is that of player/entered.js, which few pages need.
whenIdle(() => localStorage.getItem("lusoria.entered") && import("./called.js").then(({ listen }) => listen(), () => {}));

/** Only a guest who exists can be challenged. Home lists challenges itself. */
function beChallenged() {
  if (!guest() || location.pathname === "/") return;
  identity.removeEventListener("change", beChallenged);
  import("./challenged.js").catch(() => {});
}

identity.addEventListener("change", beChallenged);
whenIdle(beChallenged);
