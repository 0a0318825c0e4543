// The first turns of a game, explained on the board: /learn/{game}.

import { ask } from "../api/rest.js";
import { Connection } from "../api/socket.js";
import { Lesson } from "../learn/lesson.js";
import { LitElement, css, html, nothing } from "../lit.js";
import "../parts/head.js";
import "../parts/lesson.js";
import { base, buttons, cards } from "../style/shared.js";
import { loadTexts, t } from "../text/text.js";
import { gameName, problemText } from "../text/words.js";

/** @typedef {import("../text/words.js").Game} Game */

/** `<lusoria-learn-page>`. Property: `game`. */
export class LusoriaLearnPage extends LitElement {
  static properties = {
    game: { type: String },
    lesson: { state: true },
    entry: { state: true },
    problem: { state: true },
  };

  static styles = [
    base,
    buttons,
    cards,
    css`
      :host {
        display: flex;
        flex-direction: column;
        height: 100vh;
        height: 100dvh;
        overflow: hidden;
      }

      main {
        flex: 1;
        min-height: 0;
        display: grid;
        grid-template: minmax(0, 1fr) / minmax(0, 1fr);
        width: 100%;
        max-width: 120rem;
        margin: 0 auto;
        padding: var(--gap-s) max(var(--gap-s), env(safe-area-inset-left))
          max(var(--gap-s), env(safe-area-inset-bottom));
      }

      .notice {
        max-width: 34rem;
        margin: var(--gap-xl) auto;
        padding: var(--gap-l);
      }

      .notice > * + * {
        margin-top: var(--gap-m);
      }
    `,
  ];

  constructor() {
    super();
    this.game = "";
    /** @type {Lesson | undefined} */
    this.lesson = undefined;
    /** @type {any} */
    this.entry = undefined;
    this.problem = "";
    this.connection = new Connection(() => null);
  }

  connectedCallback() {
    super.connectedCallback();
    this.connection.addEventListener("line", () => this.requestUpdate());
    this.connection.open();
    this.load();
  }

  async load() {
    this.problem = "";
    const { game, connection } = this;
    try {
      const script = await fetch(new URL(`../learn/${game}.json`, import.meta.url));
      if (!script.ok) return void (this.problem = t("learn.none"));
      this.entry = await ask("GET", `/games/${game}`);
      const lesson = new Lesson(await script.json(), async (body) => {
        await connection.opened();
        // Over the socket: browsers would log HTTP's 409 for an illegal step as an error.
        return connection.http("POST", `/rules/${game}`, { body });
      });
      this.lesson = lesson;
      await lesson.go(0);
    } catch (problem) {
      this.problem = problemText(/** @type {import("../text/words.js").Told} */ (problem));
    }
  }

  render() {
    return html`
      <lusoria-head .line=${this.connection.line} .retryAt=${this.connection.retryAt}
        @lusoria-retry=${() => this.connection.retryNow()}></lusoria-head>
      <main>
        ${this.lesson && !this.problem
          ? html`<lusoria-lesson .lesson=${this.lesson} .entry=${this.entry}></lusoria-lesson>`
          : nothing}
        ${this.problem
          ? html`
              <div class="card notice">
                <p>${this.problem}</p>
                <button @click=${this.load}>${t("common.retry")}</button>
              </div>
            `
          : nothing}
      </main>
    `;
  }
}

customElements.define("lusoria-learn-page", LusoriaLearnPage);

await loadTexts(true);
const page = new LusoriaLearnPage();
page.game = /^\/learn\/([a-z]+)$/.exec(location.pathname)?.[1] ?? "";
document.title = t("learn.document", { game: gameName(/** @type {Game} */ (page.game)) });
document.body.append(page);
