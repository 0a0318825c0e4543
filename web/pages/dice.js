// The dice of a match, recomputed in this browser: /match/{id}/dice, or /dice for a file.

import { ask } from "../api/rest.js";
import { check, unreadable } from "../dice/check.js";
import { FILE_MAX, diceOf, parse } from "../dice/read.js";
import { computes } from "../dice/scheme.js";
import { falls } from "../dice/statistics.js";
import { LitElement, css, html, nothing } from "../lit.js";
import "../parts/dice-falls.js";
import "../parts/dice-numbers.js";
import "../parts/dice-verdict.js";
import "../parts/head.js";
import "../parts/record-file.js";
import { keptOf } from "../player/seeds.js";
import { base, buttons, cards } from "../style/shared.js";
import { loadTexts, t } from "../text/text.js";
import { gameName, markedText, moment, problemText, sideName } from "../text/words.js";

/** @typedef {import("../dice/check.js").Verdict} Verdict */
/** @typedef {import("../api/rest.js").Problem} Problem */

/** The longest name, also in a forged record. */
const NAME_MAX = 40;

/** `<lusoria-dice-page>`. Property: `match`, the id of the match; none for a file. */
export class LusoriaDicePage extends LitElement {
  static properties = {
    match: { type: String },
    record: { state: true },
    verdict: { state: true },
    problem: { state: true },
    busy: { state: true },
    file: { state: true },
  };

  static styles = [
    base,
    buttons,
    cards,
    css`
      main {
        width: 100%;
        max-width: 60rem;
        margin: 0 auto;
        padding: var(--gap-l) max(var(--gap-m), env(safe-area-inset-left)) var(--gap-xl);
      }

      .about {
        margin: var(--gap-xs) 0 var(--gap-l);
        color: var(--muted);
        overflow-wrap: anywhere;
      }

      main > section,
      lusoria-dice-falls,
      lusoria-dice-numbers {
        margin-top: var(--gap-xl);
      }

      .notice {
        padding: var(--gap-l);
      }

      .notice > * + *,
      section > * + * {
        margin-top: var(--gap-s);
      }

      .ways li {
        margin-top: var(--gap-s);
      }

      code {
        display: inline-block;
        max-width: 100%;
        padding: 0.1em 0.35em;
        border-radius: 0.25em;
        background: var(--sunk);
        font-family: var(--mono);
        font-size: 0.875em;
        overflow-wrap: anywhere;
      }
    `,
  ];

  constructor() {
    super();
    this.match = "";
    /** @type {any} */
    this.record = undefined;
    /** @type {Verdict | undefined} */
    this.verdict = undefined;
    /** @type {Problem | undefined} */
    this.problem = undefined;
    this.busy = false;
    this.file = "";
  }

  connectedCallback() {
    super.connectedCallback();
    if (this.match && computes()) this.load();
  }

  /** Loads and checks the record of the match. */
  async load() {
    this.busy = true;
    this.problem = undefined;
    try {
      await this.judge(await ask("GET", `/matches/${encodeURIComponent(this.match)}/record`));
    } catch (problem) {
      this.problem = /** @type {Problem} */ (problem);
    } finally {
      this.busy = false;
    }
  }

  /** @param {CustomEvent<{file: File}>} event */
  async read({ detail: { file } }) {
    this.busy = true;
    this.problem = undefined;
    this.file = file.name;
    // A file that is too large is not read.
    const text = file.size > FILE_MAX ? undefined : await file.text().catch(() => "");
    const { record, fault } = text === undefined ? tooBig() : parse(text);
    if (fault) [this.record, this.verdict] = [undefined, unreadable(fault)];
    else await this.judge(record);
    this.busy = false;
    await this.updateComplete;
    const result = /** @type {HTMLElement | null} */ (this.renderRoot.querySelector("#result"));
    result?.focus();
    result?.scrollIntoView({ block: "nearest" });
  }

  /** @param {any} record */
  async judge(record) {
    const id = typeof record?.match === "string" ? record.match : "";
    this.verdict = await check(record, keptOf(id));
    this.record = record;
  }

  /** The players' names, with marks if they are the same. @returns {[string, string]} */
  get names() {
    const players = this.record?.players;
    const called = [1, 2].map((seat) => {
      const { name, kind, level } = players?.[seat] ?? {};
      const isNamed = typeof name === "string" && name.trim() !== "";
      return isNamed ? markedText({ name: name.slice(0, NAME_MAX), kind, level }) : t("dice.player", { seat });
    });
    const sides = sidesOf(this.record);
    if (sides) return [`${called[0]} (${sides[0]})`, `${called[1]} (${sides[1]})`];
    if (called[0] !== called[1]) return [called[0], called[1]];
    return [t("dice.named", { name: called[0], seat: 1 }), t("dice.named", { name: called[1], seat: 2 })];
  }

  render() {
    return html`
      <lusoria-head></lusoria-head>
      <main>
        <h1>${t(diceOf(this.verdict?.game) === 0 ? "dice.title.lot" : "dice.title")}</h1>
        ${this.about()}
        ${computes() ? this.checked() : this.insecure()}
        ${computes() ? this.another() : nothing}
        ${this.otherwise()}
      </main>
    `;
  }

  about() {
    const { record, verdict } = this;
    if (!verdict?.game) return html`<p class="about">${t("dice.lead")}</p>`;
    const [one, two] = this.names;
    const at = record.created_at;
    const match = this.file ? "" : this.match;
    return html`
      <p class="about">
        ${gameName(/** @type {any} */ (verdict.game))} · ${t("common.against", { a: one, b: two })}
        ${Number.isFinite(at) && Math.abs(at) < 8e15 ? html` · ${moment(at)}` : nothing}
        ${this.file ? html` · ${this.file}` : nothing}
        ${match ? html` · <a href=${`/match/${match}`}>${t("dice.match")}</a>` : nothing}
      </p>
    `;
  }

  checked() {
    const { verdict, names } = this;
    return html`
      <div id="result" tabindex="-1" aria-live="polite" aria-busy=${this.busy}>
        ${this.busy ? html`<p class="card notice">${t("dice.computing")}</p>` : this.result()}
      </div>
      ${verdict && !this.busy && verdict.result !== "unreadable"
        ? html`
            <lusoria-dice-falls
              .falls=${falls(verdict.games)}
              .names=${names}
              .dice=${diceOf(verdict.game) ?? 2}
            ></lusoria-dice-falls>
            <lusoria-dice-numbers .verdict=${verdict} .names=${names}></lusoria-dice-numbers>
          `
        : nothing}
    `;
  }

  result() {
    if (this.problem) {
      return html`
        <div class="card notice">
          <p>${problemText(this.problem)}</p>
          <button @click=${this.load}>${t("common.retry")}</button>
        </div>
      `;
    }
    if (!this.verdict) return nothing;
    return html`
      <lusoria-dice-verdict .verdict=${this.verdict} .names=${this.names}></lusoria-dice-verdict>
    `;
  }

  insecure() {
    return html`
      <div class="card notice">
        <h2>${t("dice.insecure")}</h2>
        <p>${t("dice.insecure.more")}</p>
      </div>
    `;
  }

  another() {
    return html`
      <section>
        <h2>${t(this.match ? "dice.another" : "dice.own")}</h2>
        <lusoria-record-file @lusoria-file=${this.read}></lusoria-record-file>
      </section>
    `;
  }

  otherwise() {
    const { match } = this;
    const file = `${match || "record"}.json`;
    return html`
      <section>
        <h2>${t("dice.otherwise")}</h2>
        <p>${t("dice.otherwise.why")}</p>
        <ul class="ways">
          ${match
            ? html`<li>
                <a href=${`/api/v1/matches/${match}/record`} download=${file}>${t("dice.download")}</a>
              </li>`
            : nothing}
          <li>${t("dice.otherwise.script")}<br /><code>python3 examples/verify.py ${file}</code></li>
          <li><a href="/record">${t("home.record")}</a></li>
          <li>${t("dice.otherwise.replay")}<br /><code>lusoria replay ${file}</code></li>
          <li><a href="/api">${t("dice.otherwise.scheme")}</a></li>
        </ul>
      </section>
    `;
  }
}

const tooBig = () => ({
  record: undefined,
  fault: { code: "too_big", params: { megabytes: FILE_MAX / 1e6 } },
});

/** The players' sides, if they played only one game. @param {any} record @returns {string[] | undefined} */
function sidesOf(record) {
  if (!Array.isArray(record?.events)) return undefined;
  const games = record.events.filter((/** @type {any} */ event) => event?.type === "game_started");
  if (games.length !== 1) return undefined;
  const sides = [games[0].sides?.[1], games[0].sides?.[2]];
  return sides.every((side) => typeof side === "string") ? sides.map(knownSide) : undefined;
}

const SIDES = ["white", "black", "defenders", "attackers"];

/** @param {any} side */
const knownSide = (side) => (SIDES.includes(side) ? sideName(side) : "?");

customElements.define("lusoria-dice-page", LusoriaDicePage);

await loadTexts(true);
document.title = t("dice.document");
const page = new LusoriaDicePage();
page.match = /^\/match\/([^/]+)\/dice$/.exec(location.pathname)?.[1] ?? "";
page.className = "whole";
document.body.append(page);
