// The organiser's form: four presets that work as they are, and every setting below them.

import { GAMES } from "../game/games.js";
import { LitElement, css, html, live, nothing } from "../lit.js";
import { base, buttons, cards, fields } from "../style/shared.js";
import { t } from "../text/text.js";
import { clockText, gameName } from "../text/words.js";
import { DESCRIPTION_MAX, ENTRANTS, FIELDS_OF, KINDS, NAME_MAX, PRESET_NAMES, RANGES, fitted, presetForm, wrongIn } from "../tournament/presets.js";

/** @typedef {import("../api/wire").components["schemas"]["CatalogueEntry"]} CatalogueEntry */
/** @typedef {import("../api/wire").components["schemas"]["Game"]} Game */
/** @typedef {import("../tournament/presets.js").Field} Field */
/** @typedef {import("../tournament/presets.js").Form} Form */
/** @typedef {import("../tournament/presets.js").Preset} Preset */
/** @typedef {import("../tournament/presets.js").Wrong} Wrong */

/** The fields that can still be changed, by how far a tournament is. @type {Record<"entered" | "begun", Field[]>} */
const OPEN_FIELDS = { entered: ["name", "description", "begins"], begun: ["name", "description"] };

/** The usual name of a tournament. @param {Form} form */
export const usualName = ({ kind, game }) => t(`tournaments.name.${kind}`, { game: gameName(game) });

/**
 * `<lusoria-tournament-form>`: for the games of `entries`; `form` is filled in, or that of `preset` for `game`. `stage` says how
 * far the tournament is: "new", "announced", "entered" or "begun". `busy` while it is sent; `refused`: the server's
 * answer, beside its `field` if it has one. Event: `lusoria-form`, with the form in `detail`.
 */
export class LusoriaTournamentForm extends LitElement {
  static properties = {
    entries: { attribute: false },
    form: { attribute: false },
    stage: { type: String },
    busy: { type: Boolean },
    refused: { attribute: false },
    preset: { type: String },
    game: { type: String },
    coded: { type: Boolean },
    wrong: { state: true },
  };

  static styles = [
    base,
    buttons,
    cards,
    fields,
    css`
      form,
      .fields {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: var(--gap-m);
      }

      .presets {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(100%, 18rem), 1fr));
        gap: var(--gap-s);
      }

      .presets legend {
        margin-bottom: var(--gap-s);
      }

      .presets label {
        display: grid;
        grid-template-columns: auto 1fr;
        align-content: start;
        gap: 0 var(--gap-s);
        padding: var(--gap-m);
        cursor: pointer;
      }

      .presets label:hover {
        border-color: var(--edge);
      }

      .presets label:has(:checked) {
        border-color: var(--accent);
        background: var(--tint);
      }

      .presets input {
        margin-top: 0.3rem;
      }

      .presets .muted {
        grid-column: 2;
      }

      .presets label:has(:checked) .muted {
        color: var(--ink);
      }

      .two {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(100%, 16rem), 1fr));
        gap: var(--gap-m);
        align-items: start;
      }

      .two > * {
        min-width: 0;
      }

      input[type="datetime-local"],
      textarea {
        width: 100%;
        min-height: var(--touch);
        padding: 0.375rem 0.75rem;
        border: 1px solid var(--edge);
        border-radius: var(--round-s);
        background: var(--raised);
        color: var(--ink);
        font: inherit;
      }

      input[type="datetime-local"] {
        max-width: 17rem;
      }

      [aria-invalid="true"] {
        border-color: var(--accent);
        border-width: 2px;
      }

      .unit {
        display: flex;
        align-items: center;
        gap: var(--gap-s);
      }

      .wrong:empty {
        display: none;
      }

      details {
        padding: 0 var(--gap-m);
      }

      details[open] {
        padding-bottom: var(--gap-m);
      }

      summary {
        padding: var(--gap-s) 0;
        min-height: var(--touch);
        align-content: center;
        font-weight: 600;
        cursor: pointer;
      }

      summary span {
        margin-left: var(--gap-s);
        color: var(--muted);
        font-weight: 400;
      }

      label.check {
        align-items: flex-start;
      }

      label.check input {
        margin-top: 0.2rem;
      }

      .hint {
        display: block;
      }

      .send {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: var(--gap-s) var(--gap-m);
      }
    `,
  ];

  constructor() {
    super();
    /** @type {Map<Game, CatalogueEntry>} */
    this.entries = new Map();
    /** @type {Form | undefined} */
    this.form = undefined;
    /** @type {"new" | "announced" | "entered" | "begun"} */
    this.stage = "new";
    this.busy = false;
    /** @type {{field?: Field, text: string} | undefined} */
    this.refused = undefined;
    /** @type {Preset} */
    this.preset = "evening";
    /** The game at first. @type {Game | undefined} */
    this.game = undefined;
    /** Whether the tournament has a code. */
    this.coded = false;
    /** @type {Map<Field, Wrong>} */
    this.wrong = new Map();
    /** Whether the person has written a name of their own. */
    this.isNamed = false;
  }

  /** Fills the form in from a preset; keeps what the person has written in words. @param {Preset} preset */
  take(preset) {
    const { form } = this;
    const kept = form ? { game: form.game, description: form.description } : this.game && { game: this.game };
    this.preset = preset;
    this.wrong = new Map();
    this.form = this.fitted(presetForm(preset, Date.now(), this.isNamed && form ? () => form.name : usualName, kept));
  }

  /** @param {Form} form */
  fitted(form) {
    const fit = fitted(form, this.entries.get(form.game));
    return this.isNamed || this.stage !== "new" ? fit : { ...fit, name: usualName(fit) };
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (!this.form && this.entries.size > 0) this.take(this.preset);
    if (changed.has("refused") && this.refused?.field) this.goTo(this.refused.field);
  }

  /** @param {Partial<Form>} fields */
  set(fields) {
    if (!this.form) return;
    if ("name" in fields) this.isNamed = true;
    this.form = this.fitted({ ...this.form, ...fields });
    this.refused = undefined;
    // What was wrong is looked at again; nothing new is found fault with before it is sent.
    const now = wrongIn(this.form, Date.now());
    this.wrong = new Map([...now].filter(([field]) => this.wrong.has(field)));
  }

  /** @param {SubmitEvent} submitted */
  submitted(submitted) {
    submitted.preventDefault();
    const { form } = this;
    if (!form || this.busy) return;
    const wrong = wrongIn(form, Date.now());
    this.wrong = new Map([...wrong].filter(([field]) => this.isOpen(field)));
    const [first] = this.wrong.keys();
    if (first) this.goTo(first);
    else this.dispatchEvent(new CustomEvent("lusoria-form", { detail: form }));
  }

  /** Shows a field, and moves the focus there. @param {Field} field */
  async goTo(field) {
    await this.updateComplete;
    const input = /** @type {HTMLElement | null} */ (this.renderRoot.querySelector(`[name="${field}"]`));
    const details = input?.closest("details");
    if (details) details.open = true;
    input?.focus();
  }

  /** Whether a field can be changed. @param {Field} field */
  isOpen(field) {
    const { stage } = this;
    return stage === "new" || stage === "announced" || OPEN_FIELDS[stage].includes(field);
  }

  render() {
    const { form, stage } = this;
    if (!form) return html`<p class="muted" role="status">${t("common.loading")}</p>`;
    const isWhole = stage === "new" || stage === "announced";
    return html`
      <form novalidate @submit=${this.submitted}>
        ${stage === "new" ? this.presets() : nothing}
        <div class="two">
          ${this.text("name", form, { max: NAME_MAX })}
          ${isWhole ? this.games(form) : nothing}
          ${this.isOpen("begins") ? this.time("begins", form) : nothing}
          ${isWhole && form.kind === "arena" ? this.number("lasts", form) : nothing}
          ${isWhole && form.kind === "round_robin" ? this.time("ends", form) : nothing}
        </div>
        ${stage === "new" ? this.send() : nothing}
        ${isWhole ? this.more(form) : this.words(form)}
        ${stage === "new" ? nothing : this.send()}
      </form>
    `;
  }

  send() {
    const { busy, refused, stage } = this;
    return html`<div class="send">
      <button class="main" aria-disabled=${String(busy)}>${t(stage === "new" ? "tournaments.form.create" : "common.save")}</button>
      ${stage === "new" ? html`<span class="hint">${t("tournaments.form.enough")}</span>` : nothing}
      <p class="wrong" role="alert">${refused && !refused.field ? refused.text : ""}</p>
    </div>`;
  }

  presets() {
    return html`<fieldset class="presets">
      <legend>${t("tournaments.form.presets")}</legend>
      ${PRESET_NAMES.map((preset) => html`<label class="card">
        <input type="radio" name="preset" .checked=${live(this.preset === preset)} @change=${() => this.take(preset)} />
        <strong>${t(`tournaments.preset.${preset}`)}</strong>
        <span class="small muted">${t(`tournaments.preset.${preset}.line`)}</span>
      </label>`)}
    </fieldset>`;
  }

  /** Everything else. @param {Form} form */
  more(form) {
    return html`
      <details class="card" ?open=${this.stage !== "new"}>
        <summary>${t("tournaments.form.format")}<span>${t(`tournaments.kind.${form.kind}`)}</span></summary>
        <div class="fields">
          ${this.choices("kind", KINDS, form, (kind) => t(`tournaments.kind.${kind}`), t(`tournaments.what.${form.kind}`))}
          ${FIELDS_OF[form.kind].filter((field) => field !== "ends" && field !== "lasts").map((field) => this.ofKind(field, form))}
          ${form.clock === "days" ? nothing : this.number("waits", form)}
        </div>
      </details>
      <details class="card">
        <summary>${t("tournaments.form.match")}<span>${this.clockName(form)}</span></summary>
        <div class="fields">${this.match(form)}</div>
      </details>
      <details class="card">
        <summary>${t("tournaments.form.who")}</summary>
        <div class="fields">${this.who(form)}</div>
      </details>
      <details class="card">
        <summary>${t("tournaments.form.words")}</summary>
        <div class="fields">
          ${this.words(form)}
          ${this.check("listed", form)}
        </div>
      </details>
    `;
  }

  /** @param {Form} form */
  words(form) {
    const error = this.error("description");
    return html`<label>
      <span class="label">${t("tournaments.form.description")}</span>
      <textarea name="description" rows="4" maxlength=${DESCRIPTION_MAX} aria-invalid=${String(error !== "")}
        aria-describedby="wrong-description" .value=${live(form.description)}
        @input=${(/** @type {Event} */ event) => this.set({ description: valueOf(event) })}></textarea>
      ${this.told("description", error)}
    </label>`;
  }

  /** @param {Field} field @param {Form} form */
  ofKind(field, form) {
    if (field === "seeding") {
      return this.choices("seeding", /** @type {const} */ (["rating", "lot"]), form, (one) => t(`tournaments.seeding.${one}`));
    }
    if (field === "consolation" || field === "byRound") return this.check(field, form);
    return field === "more" && form.length !== "series" ? nothing : this.number(field, form);
  }

  /** @param {Form} form */
  games(form) {
    return html`<label>
      <span class="label">${t("home.results.game")}</span>
      <select name="game" @change=${(/** @type {Event} */ event) => this.set({ game: /** @type {Game} */ (valueOf(event)), options: {} })}>
        ${GAMES.map((game) => html`<option value=${game} ?selected=${game === form.game}>${gameName(game)}</option>`)}
      </select>
      ${this.told("game", this.error("game"))}
    </label>`;
  }

  /** The name of the clock. @param {Form} form */
  clockName({ clock, days, game }) {
    if (clock === "days") return clockText({ kind: "days", days: Number(days) || 1 });
    const preset = this.entries.get(game)?.clock_presets.find(({ id }) => id === clock);
    return preset ? clockText(preset.clock) : t("clock.own");
  }

  /** @param {Form} form */
  match(form) {
    const entry = this.entries.get(form.game);
    const isPairOnly = form.rated && entry?.rated_in_pairs;
    const clocks = (entry?.clock_presets ?? []).filter(({ clock }) => clock.kind !== "none" && clock.kind !== "days");
    return html`
      ${this.check("rated", form)}
      <label>
        <span class="label">${t("home.clock")}</span>
        <select name="clock" aria-describedby="wrong-clock" @change=${(/** @type {Event} */ event) => this.set({ clock: valueOf(event) })}>
          ${clocks.map(({ id, clock }) => html`<option value=${id} ?selected=${id === form.clock}>${t(`clock.${id}`)}: ${clockText(clock)}</option>`)}
          <option value="own" ?selected=${form.clock === "own"}>${t("clock.own")}</option>
          ${form.kind === "arena" ? nothing : html`<option value="days" ?selected=${form.clock === "days"}>${t("tournaments.form.days")}</option>`}
        </select>
        ${this.told("clock", this.error("clock"))}
      </label>
      ${form.clock === "own" ? html`<div class="two">${this.number("minutes", form)}${this.number("seconds", form)}</div>` : nothing}
      ${form.clock === "days" ? this.number("days", form) : nothing}
      ${this.choices("length", /** @type {const} */ (["single", "pair", "series"]), form, (length) =>
        t(length === "series" ? "tournaments.form.series" : `home.length.${length}`), isPairOnly ? t("home.length.rated") : "")}
      ${form.length === "series" ? this.number("points", form) : nothing}
      ${(form.rated ? [] : entry?.options ?? []).map(({ name, values, default: usual }) => html`
        <fieldset class="choices">
          <legend>${t(`home.option.${name}`)}</legend>
          ${values.map(({ value }) => html`<label><input type="radio" name=${name} .checked=${live(value === (form.options[name] ?? usual))}
            @change=${() => this.set({ options: { ...form.options, [name]: value } })} />${t(`home.option.${name}.${value}`)}</label>`)}
        </fieldset>`)}
    `;
  }

  /** @param {Form} form */
  who(form) {
    return html`
      ${this.choices("who", /** @type {const} */ (["people", "bots", "both"]), form, (who) => t(`tournaments.who.${who}`))}
      <div class="two">
        ${this.number("entrantsMax", form, ENTRANTS[form.kind])}
        ${this.number("matchesMin", form)}
        ${this.number("ratingMin", form)}
        ${this.number("ratingMax", form)}
        ${this.number("ageMin", form)}
      </div>
      ${this.text("code", form)}
      ${this.text("players", form)}
    `;
  }

  /** What is wrong with a field. @param {Field} field */
  error(field) {
    const wrong = this.wrong.get(field);
    if (wrong) return t(`tournaments.wrong.${wrong.key}`, { min: wrong.min ?? 0, max: wrong.max ?? 0 });
    return this.refused?.field === field ? this.refused.text : "";
  }

  /** @param {Field} field @param {string} error */
  told(field, error) {
    return html`<span class="small wrong" id="wrong-${field}" role="alert">${error}</span>`;
  }

  /** @param {"name" | "code" | "players"} field @param {Form} form @param {{max?: number}} [how] */
  text(field, form, { max } = {}) {
    const error = this.error(field);
    const hint = field === "name" ? "" : t(`tournaments.form.${field}.${field === "code" && this.coded ? "kept" : "hint"}`);
    return html`<label>
      <span class="label">${t(`tournaments.form.${field}`)}</span>
      <input type="text" name=${field} autocomplete="off" maxlength=${max ?? nothing} aria-invalid=${String(error !== "")}
        aria-describedby="wrong-${field}" .value=${live(form[field])} @input=${(/** @type {Event} */ event) => this.set({ [field]: valueOf(event) })} />
      ${hint ? html`<span class="hint">${hint}</span>` : nothing}
      ${this.told(field, error)}
    </label>`;
  }

  /** @param {"begins" | "ends"} field @param {Form} form */
  time(field, form) {
    const error = this.error(field);
    return html`<label>
      <span class="label">${t(`tournaments.form.${field}`)}</span>
      <input type="datetime-local" name=${field} aria-invalid=${String(error !== "")} aria-describedby="wrong-${field}"
        .value=${live(form[field])} @change=${(/** @type {Event} */ event) => this.set({ [field]: valueOf(event) })} />
      ${this.told(field, error)}
    </label>`;
  }

  /** @param {Field} field @param {Form} form @param {{min: number, max: number}} [range] */
  number(field, form, range = RANGES[/** @type {keyof typeof RANGES} */ (field)]) {
    const error = this.error(field);
    return html`<label>
      <span class="label">${t(`tournaments.form.${field}`)}</span>
      <span class="unit"><input type="number" inputmode="numeric" name=${field} min=${range.min} max=${range.max}
        aria-invalid=${String(error !== "")} aria-describedby="wrong-${field}" .value=${live(String(form[field]))}
        @change=${(/** @type {Event} */ event) => this.set({ [field]: valueOf(event) })} />
        <span class="hint">${t(`tournaments.form.${field}.unit`)}</span></span>
      ${this.told(field, error)}
    </label>`;
  }

  /** @param {"rated" | "listed" | "consolation" | "byRound"} field @param {Form} form */
  check(field, form) {
    return html`<label class="check">
      <input type="checkbox" name=${field} .checked=${live(form[field])}
        @change=${(/** @type {Event} */ event) => this.set({ [field]: /** @type {HTMLInputElement} */ (event.target).checked })} />
      <span>${t(`tournaments.form.${field}`)}<span class="hint">${t(`tournaments.form.${field}.hint`)}</span></span>
    </label>`;
  }

  /**
   * @template {string} V
   * @param {Field} field @param {readonly V[]} values @param {Form} form @param {(value: V) => string} text @param {string} [hint]
   */
  choices(field, values, form, text, hint = "") {
    return html`<fieldset class="choices">
      <legend>${t(`tournaments.form.${field}`)}</legend>
      ${values.map((value) => html`<label><input type="radio" name=${field} .checked=${live(form[field] === value)}
        @change=${() => this.set({ [field]: value })} />${text(value)}</label>`)}
      ${hint ? html`<span class="hint">${hint}</span>` : nothing}
    </fieldset>`;
  }
}

/** @param {Event} event */
const valueOf = ({ target }) => /** @type {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} */ (target).value;

customElements.define("lusoria-tournament-form", LusoriaTournamentForm);
