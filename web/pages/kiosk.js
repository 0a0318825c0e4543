// A table in an exhibition: /kiosk. Visitors choose a game by its picture and play it at one screen; when they have
// left, it offers the games again, and shows Zeno's throw until the next touch. No link leaves the page.

import { catalogue } from "../api/catalogue.js";
import { Problem } from "../api/rest.js";
import { Connection } from "../api/socket.js";
import { GAMES } from "../game/games.js";
import { LitElement, css, html, nothing } from "../lit.js";
import { Hints } from "../match/hints.js";
import { LiveMatch } from "../match/live.js";
import { Pace } from "../match/pace.js";
import { Turn } from "../match/turn.js";
import { identity, loseSession, token } from "../player/identity.js";
import { beginMatch, endLeft } from "../player/kiosk.js";
import { base, buttons, cards } from "../style/shared.js";
import { currentLanguage, languageName, languages, loadTexts, t } from "../text/text.js";
import { gameLine, gameName, problemText } from "../text/words.js";
import "../board/miniature.js";
import { Idle } from "../parts/idle.js";
import { KioskTable } from "../parts/kiosk-table.js";
import { PICTURES } from "../parts/pictures.js";
import "../parts/theme.js";
import "../parts/zeno-throw.js";

/** @typedef {import("../api/wire").components["schemas"]["CatalogueEntry"]} CatalogueEntry */
/** @typedef {import("../api/wire").components["schemas"]["Game"]} Game */

const MINUTE_MS = 60_000;
/** Minutes without a touch before the kiosk asks whether anybody is there. */
const QUIET = { usual: 3, least: 1, most: 60 };
/** How long it asks, in seconds. */
const WARNING_S = 15;
/** The pause before the catalogue is requested again. */
const AGAIN_MS = 5_000;

const asked = new URLSearchParams(location.search);

/** The longest time without a touch, in milliseconds. */
function quietMs() {
  const minutes = Number(asked.get("minutes"));
  const isGiven = asked.has("minutes") && Number.isFinite(minutes);
  return (isGiven ? Math.min(QUIET.most, Math.max(QUIET.least, minutes)) : QUIET.usual) * MINUTE_MS;
}

/** The seating of the two players. */
const FACING = asked.get("facing") === "same" ? "same" : "opposite";

/** `<lusoria-kiosk>`: the whole page. */
class LusoriaKiosk extends LitElement {
  static properties = {
    entries: { state: true },
    table: { state: true },
    busy: { state: true },
    wrong: { state: true },
    attracts: { state: true },
  };

  static styles = [
    base,
    buttons,
    cards,
    css`
      :host {
        display: block;
        position: relative;
        height: 100vh;
        height: 100dvh;
        overflow: hidden;
        user-select: none;
        -webkit-user-select: none;
        -webkit-touch-callout: none;
        touch-action: none;
      }
      .choice {
        display: grid;
        grid-template-rows: auto minmax(0, 1fr) auto;
        gap: clamp(0.5rem, 2vmin, 2rem);
        height: 100%;
        padding: clamp(0.5rem, 2.5vmin, 3rem);
        text-align: center;
      }
      header p {
        color: var(--muted);
        font-size: var(--size-l);
      }
      header .wrong {
        color: var(--accent);
        font-family: inherit;
        font-size: var(--size-m);
      }
      ul {
        display: grid;
        grid-template: repeat(2, minmax(0, 1fr)) / repeat(6, minmax(0, 1fr));
        gap: clamp(0.5rem, 2vmin, 2rem);
        min-height: 0;
        margin: 0 auto;
        padding: 0;
        width: 100%;
        max-width: 110rem;
        list-style: none;
      }
      li {
        grid-column: span 2;
        min-height: 0;
      }
      /* Three above, and two centred below. */
      li:nth-child(4) {
        grid-column: 2 / span 2;
      }
      .game {
        display: grid;
        grid-template-rows: minmax(0, 1fr) auto auto;
        gap: 0.25rem;
        width: 100%;
        height: 100%;
        padding: clamp(0.375rem, 1.25vmin, 1.25rem);
        border-radius: var(--round-l);
        font-weight: 400;
      }
      .game strong {
        font-family: var(--title);
        font-size: clamp(1rem, 2.6vmin, 2rem);
        line-height: 1.2;
      }
      .game span {
        color: var(--muted);
        line-height: 1.25;
        text-wrap: balance;
      }
      .game lusoria-miniature {
        min-height: 0;
        width: 100%;
        height: 100%;
        pointer-events: none;
      }
      nav {
        display: flex;
        justify-content: center;
        gap: var(--gap-m);
      }
      nav button {
        min-width: min(14rem, 40vw);
        min-height: clamp(2.75rem, 7vmin, 5rem);
        font-size: clamp(1rem, 2.4vmin, 1.75rem);
      }
      .attract {
        position: absolute;
        inset: 0;
        z-index: 3;
        display: grid;
        grid-template-rows: minmax(0, 1fr) auto;
        gap: clamp(0.5rem, 2vmin, 2rem);
        padding: clamp(0.5rem, 3vmin, 4rem);
        border: 0;
        border-radius: 0;
        background: var(--ground);
        --caption: clamp(1rem, 2.8vmin, 2.25rem);
      }
      .attract strong {
        font: 600 clamp(1.25rem, 4vmin, 3rem) var(--title);
      }
      .wait,
      .veil {
        position: absolute;
        inset: 0;
        z-index: 3;
        display: grid;
        place-items: center;
        padding: var(--gap-m);
        background: var(--veil);
      }
      .veil {
        grid-auto-rows: 1fr;
      }
      .note {
        display: grid;
        gap: var(--gap-s);
        padding: var(--gap-l);
        border-radius: var(--round-l);
        background: var(--ground);
        text-align: center;
        font-size: var(--size-l);
      }
      .note.far {
        rotate: 180deg;
      }

      @media (orientation: portrait) {
        ul {
          grid-template: repeat(3, minmax(0, 1fr)) / repeat(4, minmax(0, 1fr));
        }
        li:nth-child(4) {
          grid-column: span 2;
        }
        li:nth-child(5) {
          grid-column: 2 / span 2;
        }
      }
      @media (max-width: 50rem), (max-height: 40rem) {
        .game span {
          display: none;
        }
      }
    `,
  ];

  constructor() {
    super();
    /** @type {Map<Game, CatalogueEntry>} */
    this.entries = new Map();
    /** @type {KioskTable | undefined} */
    this.table = undefined;
    this.busy = false;
    this.wrong = "";
    /** Whether Zeno's throw is shown to passers-by. */
    this.attracts = false;
    /** The current match, or the one being created. @type {LiveMatch | undefined} */
    this.live = undefined;
    /** Counts the games, to ignore late responses for an earlier one. */
    this.times = 0;
    this.language = currentLanguage();
    this.connection = new Connection(token);
    this.idle = new Idle(quietMs(), WARNING_S);
    this.idle.addEventListener("change", () => this.requestUpdate());
    this.idle.addEventListener("alone", () => this.alone());
    this.connection.addEventListener("stranger", () => {
      loseSession(this.connection.asker);
      // The match is no longer played here.
      this.choose();
    });
    this.connection.addEventListener("blocked", () => this.choose(t("problems.blocked")));
    // The journals were restored: the match may not exist any more.
    this.connection.addEventListener("rewritten", () => this.choose());
    identity.addEventListener("change", () => {
      this.connection.reopen();
      this.live?.look();
    });
    for (const name of ["pointerdown", "keydown", "wheel"]) {
      addEventListener(name, () => this.idle.touched(), { capture: true, passive: true });
    }
  }

  connectedCallback() {
    super.connectedCallback();
    this.connection.addEventListener("line", () => this.tidy());
    this.connection.open();
    this.load();
    this.idle.touched();
  }

  /** Loads the games; repeats until it succeeds. */
  async load() {
    try {
      this.entries = await catalogue();
      this.wrong = "";
    } catch (why) {
      if (!(why instanceof Problem)) throw why;
      this.wrong = problemText(why);
      setTimeout(() => this.load(), AGAIN_MS);
    }
  }

  /** Ends the abandoned matches in the background, unless one is being played. */
  tidy() {
    if (this.live || this.connection.line !== "open") return;
    endLeft(this.connection).catch(() => {});
  }

  /** @param {Game} game */
  async play(game) {
    if (this.busy) return;
    this.attracts = false;
    const times = ++this.times;
    this.busy = true;
    this.wrong = "";
    this.idle.touched();
    try {
      const id = await beginMatch(game);
      // A failure needs no message.
      if (times !== this.times) return this.tidy();
      this.sitDown(id, times);
    } catch (why) {
      if (!(why instanceof Problem)) throw why;
      if (times === this.times) this.choose(problemText(why));
    }
  }

  /** @param {string} id @param {number} times */
  sitDown(id, times) {
    const { connection } = this;
    const live = new LiveMatch(connection, id);
    this.live = live;
    const turn = new Turn(live);
    live.addEventListener("moment", () => {
      const entry = this.entries.get(/** @type {Game} */ (live.moment?.game));
      if (times !== this.times || this.table || !entry) return;
      const table = new KioskTable();
      Object.assign(table, { live, turn, entry, pace: new Pace(live, entry), hints: new Hints(live, turn), facing: FACING });
      table.addEventListener("lusoria-stop", () => this.choose());
      table.addEventListener("lusoria-again", () => this.again(entry.id));
      this.table = table;
      this.busy = false;
    });
    live.addEventListener("refused", (event) => {
      if (times === this.times) this.choose(problemText(/** @type {CustomEvent} */ (event).detail));
    });
    live.start();
  }

  /** Leaves the match, and shows the games. @param {string} [wrong] an error message */
  choose(wrong = "") {
    this.times += 1;
    this.live?.stop();
    this.live = undefined;
    this.table = undefined;
    this.busy = false;
    this.wrong = wrong;
    this.tidy();
  }

  /** Plays the same game again. @param {Game} game */
  again(game) {
    this.choose();
    this.play(game);
  }

  /** Everybody has left: the next visitors must see nothing of theirs, nor their choice of language. */
  async alone() {
    this.choose();
    await this.speak(this.language);
    // Unless a game has been chosen in the meantime.
    if (!this.busy && !this.table) this.attracts = true;
  }

  /** @param {string} name of a language */
  async speak(name) {
    if (name === currentLanguage()) return;
    const here = new URL(location.href);
    here.searchParams.set("lang", name);
    history.replaceState(null, "", here);
    await loadTexts().catch(() => {});
    document.title = t("kiosk.title");
    this.requestUpdate();
  }

  render() {
    return html`
      ${this.table ?? this.choice()}
      ${this.busy && !this.table ? html`<div class="wait"><p class="note" role="status">${t("kiosk.begins")}</p></div>` : nothing}
      ${this.attracts ? this.attraction() : nothing}
      ${this.idle.left !== undefined && this.table ? this.warning(this.idle.left) : nothing}
    `;
  }

  /** The view for passers-by. A touch or any key leads to the games. */
  attraction() {
    const leave = () => (this.attracts = false);
    return html`<button class="attract" aria-label=${t("kiosk.touch")} @click=${leave} @keydown=${leave}>
      <lusoria-zeno-throw .entry=${this.entries.get("zeno")}></lusoria-zeno-throw>
      <strong>${t("kiosk.touch")}</strong>
    </button>`;
  }

  choice() {
    const { entries } = this;
    return html`<main class="choice">
      <header>
        <h1>${t("kiosk.choose")}</h1>
        ${this.wrong ? html`<p class="wrong" role="alert">${this.wrong}</p>` : html`<p>${t("kiosk.two")}</p>`}
      </header>
      <ul>${GAMES.map((game) => html`<li>${this.game(game, entries.get(game))}</li>`)}</ul>
      <nav aria-label=${t("preferences.language")}>
        ${languages().map((name) => html`<button lang=${name} aria-pressed=${String(name === currentLanguage())}
          @click=${() => this.speak(name)}>${languageName(name)}</button>`)}
      </nav>
    </main>`;
  }

  /** @param {Game} game @param {CatalogueEntry | undefined} entry */
  game(game, entry) {
    return html`<button class="game" ?disabled=${entry === undefined} @click=${() => this.play(game)}>
      <lusoria-miniature painted .entry=${entry} .position=${PICTURES[game]}></lusoria-miniature>
      <strong>${gameName(game)}</strong>
      <span>${gameLine(game)}</span>
    </button>`;
  }

  /** Asks both sides whether anybody is there. @param {number} left in seconds */
  warning(left) {
    const note = (/** @type {string} */ side) => html`<div class="note ${side}">
      <h2>${t("kiosk.alone")}</h2><p class="figures">${t("kiosk.alone.left", { count: left })}</p></div>`;
    return html`<div class="veil" role="alertdialog" aria-modal="true" aria-label=${t("kiosk.alone")}>
      ${FACING === "opposite" ? note("far") : nothing}${note("near")}</div>`;
  }
}

customElements.define("lusoria-kiosk", LusoriaKiosk);

/** Blocks gestures of the browser that would leave the page or change its look. */
function holdFast() {
  const no = (/** @type {Event} */ event) => event.preventDefault();
  for (const name of ["contextmenu", "dragstart", "selectstart", "gesturestart"]) document.addEventListener(name, no);
  document.addEventListener("touchmove", (event) => event.touches.length > 1 && no(event), { passive: false });
  document.addEventListener("wheel", (event) => event.ctrlKey && no(event), { passive: false });
  // Going back leads here again. Browsers allow that only after a touch.
  const stay = () => history.pushState(null, "", location.href);
  addEventListener("popstate", stay);
  addEventListener("pointerdown", stay, { once: true });
  stay();
}

await loadTexts();
document.title = t("kiosk.title");
holdFast();
document.body.append(new LusoriaKiosk());
