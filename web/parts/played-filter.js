// The filter of a player's matches.

import { GAMES } from "../game/games.js";
import { LitElement, css, html, live, nothing } from "../lit.js";
import { FILTERS, HANDLE_MAX } from "../player/players.js";
import { base, buttons, fields } from "../style/shared.js";
import { t } from "../text/text.js";
import { gameName } from "../text/words.js";

/** @typedef {import("../player/players.js").Filter} Filter */

const RESULTS = ["won", "lost", "drawn", "aborted"];
const CLOCKS = ["none", "fischer", "delay", "days"];
const POINTS_MAX = 99;

/** `<lusoria-played-filter>`: shows `filter`. Event: `lusoria-filter` with a new filter as its detail. */
export class LusoriaPlayedFilter extends LitElement {
  static properties = { filter: { attribute: false } };

  static styles = [
    base,
    buttons,
    fields,
    css`
      form {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(min(100%, 9rem), 1fr));
        gap: var(--gap-s) var(--gap-m);
        align-items: end;
      }

      label,
      input,
      select {
        min-width: 0;
      }

      input[type="number"] {
        width: 100%;
      }

      input[type="date"] {
        width: 100%;
        min-height: var(--touch);
        padding: 0.375rem 0.75rem;
        border: 1px solid var(--edge);
        border-radius: var(--round-s);
        background: var(--raised);
        color: var(--ink);
        font: inherit;
      }

      .label {
        font-size: var(--size-s);
        font-weight: 400;
        color: var(--muted);
      }
    `,
  ];

  constructor() {
    super();
    /** @type {Filter} */
    this.filter = {};
  }

  /** Reports the chosen filter. */
  changed() {
    const form = new FormData(/** @type {HTMLFormElement} */ (this.renderRoot.querySelector("form")));
    const wished = FILTERS.map((name) => [name, String(form.get(name) ?? "").trim()]);
    this.tell(Object.fromEntries(wished.filter(([, value]) => value !== "")));
  }

  /** @param {Filter} filter */
  tell(filter) {
    if (JSON.stringify(filter) === JSON.stringify(this.filter)) return;
    this.dispatchEvent(new CustomEvent("lusoria-filter", { detail: filter }));
  }

  /** @param {SubmitEvent} submitted */
  submitted(submitted) {
    submitted.preventDefault();
    this.changed();
  }

  render() {
    return html`
      <form novalidate @submit=${this.submitted} @change=${this.changed}>
        ${this.choice("game", GAMES, (game) => gameName(/** @type {import("../game/games.js").Game} */ (game)))}
        ${this.choice("result", RESULTS, (result) => t(`players.result.${result}`))}
        ${this.choice("clock", CLOCKS, (clock) => t(`players.clock.${clock}`))}
        ${this.field("opponent", html`<input name="opponent" type="text" autocomplete="off" autocapitalize="none"
          spellcheck="false" maxlength=${HANDLE_MAX} .value=${live(this.filter.opponent ?? "")} />`)}
        ${this.field("points", html`<input name="points" type="number" min="1" max=${POINTS_MAX}
          .value=${live(this.filter.points ?? "")} />`)}
        ${this.field("from", html`<input name="from" type="date" .value=${live(this.filter.from ?? "")} />`)}
        ${this.field("until", html`<input name="until" type="date" .value=${live(this.filter.until ?? "")} />`)}
        ${Object.keys(this.filter).length > 0
          ? html`<button type="button" @click=${() => this.tell({})}>${t("players.filter.all")}</button>`
          : nothing}
      </form>
    `;
  }

  /** @param {string} name @param {unknown} input */
  field(name, input) {
    return html`<label><span class="label">${t(`players.filter.${name}`)}</span>${input}</label>`;
  }

  /** @param {"game" | "result" | "clock"} name @param {string[]} values @param {(value: string) => string} text */
  choice(name, values, text) {
    const chosen = this.filter[name] ?? "";
    return this.field(name, html`
      <select name=${name} .value=${live(chosen)}>
        <option value="">${t("players.filter.any")}</option>
        ${values.map((value) => html`<option value=${value} ?selected=${value === chosen}>${text(value)}</option>`)}
      </select>
    `);
  }
}

customElements.define("lusoria-played-filter", LusoriaPlayedFilter);
