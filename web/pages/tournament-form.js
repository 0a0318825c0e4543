// An organiser's form: a new tournament, /tournaments/new?preset=…&game=…, or one that exists, /tournament/{id}/edit.

import { catalogue } from "../api/catalogue.js";
import { Problem, freshKey } from "../api/rest.js";
import { GAMES } from "../game/games.js";
import { LitElement, css, html, nothing } from "../lit.js";
import { guest, identity } from "../player/identity.js";
import { signInAddress } from "../player/next.js";
import { profile } from "../player/players.js";
import { base, buttons } from "../style/shared.js";
import { loadTexts, t } from "../text/text.js";
import { PRESET_NAMES, handlesIn } from "../tournament/presets.js";
import { changesOf, formOf, requestOf } from "../tournament/request.js";
import { create, edit, pageOf, tournament } from "../tournament/tournaments.js";
import { refusalText } from "../tournament/words.js";
import "../parts/head.js";
import "../parts/tournament-form.js";

/** @typedef {import("../parts/tournament-form.js").LusoriaTournamentForm} FormElement */
/** @typedef {import("../tournament/presets.js").Form} Form */
/** @typedef {import("../tournament/presets.js").Field} Field */
/** @typedef {import("../tournament/tournaments.js").Tournament} Tournament */

/** The tournament in the address; none for a new one. */
const [, kind, id = ""] = location.pathname.split("/");
const edited = kind === "tournament" ? id : undefined;

/** The fields that refusals of the server are about. @type {Record<string, Field>} */
const FIELDS = {
  tournament_name: "name",
  tournament_description: "description",
  begins_in_the_past: "begins",
  begins_too_late: "begins",
  wait_out_of_range: "waits",
  ends_at_out_of_range: "ends",
  rounds_out_of_range: "rounds",
  every_out_of_range: "every",
  points_more_out_of_range: "more",
  arena_by_correspondence: "clock",
  tournament_needs_clock: "clock",
  lasts_out_of_range: "lasts",
  entrants_max_out_of_range: "entrantsMax",
  rating_range_empty: "ratingMax",
  too_many_players_listed: "players",
  no_such_guest: "players",
};

/** `<lusoria-tournament-form-page>`: the whole page. */
class LusoriaTournamentFormPage extends LitElement {
  static properties = {
    entries: { state: true },
    shown: { state: true },
    problem: { state: true },
    refused: { state: true },
    busy: { state: true },
  };

  static styles = [
    base,
    buttons,
    css`
      main {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: var(--gap-l);
        max-width: 52rem;
        margin: 0 auto;
        padding: var(--gap-l) var(--gap-m) var(--gap-xl);
      }
    `,
  ];

  constructor() {
    super();
    /** @type {Map<any, any>} */
    this.entries = new Map();
    /** The tournament that is edited, once it is loaded. @type {Tournament | undefined} */
    this.shown = undefined;
    /** Its form. @type {Form | undefined} */
    this.form = undefined;
    /** Why there is no form. @type {Problem | undefined} */
    this.problem = undefined;
    /** @type {{field?: Field, text: string} | undefined} */
    this.refused = undefined;
    this.busy = false;
    /** The same form is made once, however often it is sent. @type {Map<string, string>} */
    this.keys = new Map();
    identity.addEventListener("change", () => this.requestUpdate());
  }

  firstUpdated() {
    this.load();
  }

  async load() {
    this.problem = undefined;
    try {
      const [entries, shown] = await Promise.all([catalogue(), edited ? tournament(edited) : undefined]);
      this.form = shown && formOf(shown, entries.get(shown.game));
      this.shown = shown;
      this.entries = entries;
    } catch (why) {
      if (!(why instanceof Problem)) throw why;
      this.problem = why;
    }
  }

  /** @param {CustomEvent<Form>} sent */
  async send({ detail: form }) {
    this.busy = true;
    this.refused = undefined;
    try {
      const whole = requestOf(form, this.entries.get(form.game), await idsOf(form.players));
      const request = this.shown ? changesOf(whole, stageOf(this.shown)) : whole;
      const said = JSON.stringify(request);
      const key = this.keys.get(said) ?? freshKey();
      this.keys.set(said, key);
      const made = edited ? await edit(edited, request) : await create(request, key);
      addEventListener("pagehide", () => (this.busy = false), { once: true });
      location.assign(pageOf(made.id));
    } catch (why) {
      this.busy = false;
      if (!(why instanceof Problem)) throw why;
      this.refused = { field: FIELDS[why.code], text: refusalText(why) };
    }
  }

  render() {
    return html`
      <lusoria-head></lusoria-head>
      <main>
        <h1>${t(edited ? "tournaments.form.edit" : "tournaments.organise")}</h1>
        ${this.content()}
      </main>
    `;
  }

  content() {
    const { problem, shown } = this;
    if (problem) {
      return html`<p role="alert">${refusalText(problem)}</p><p><button @click=${this.load}>${t("common.retry")}</button></p>`;
    }
    if (!guest()?.handle) {
      return html`<p>${t("tournaments.form.account")}</p><p><a class="button main" href="/account">${t("head.open")}</a>
        <a class="button" href=${signInAddress(location)}>${t("head.signIn")}</a></p>`;
    }
    if (this.entries.size === 0) return html`<p role="status">${t("common.loading")}</p>`;
    if (shown && !shown.you?.may.includes("edit")) return html`<p>${t("tournaments.form.foreign")}</p>`;
    return html`<lusoria-tournament-form .entries=${this.entries} .form=${this.form} game=${gameAsked ?? nothing}
      stage=${shown ? stageOf(shown) : "new"} preset=${presetAsked} ?busy=${this.busy} ?coded=${shown?.has_code ?? false} .refused=${this.refused}
      @lusoria-form=${this.send}></lusoria-tournament-form>${edited ? html`<p><a href=${pageOf(edited)}>${t("common.cancel")}</a></p>` : nothing}`;
  }
}

const asked = new URLSearchParams(location.search);

/** The preset and the game in the address. */
const presetAsked = PRESET_NAMES.find((preset) => preset === asked.get("preset")) ?? PRESET_NAMES[0];
const gameAsked = GAMES.find((game) => game === asked.get("game"));

/** How far a tournament is, for its form. @param {Tournament} tournament @returns {"announced" | "entered" | "begun"} */
const stageOf = ({ entrants, phase }) => (phase !== "announced" && phase !== "check_in" ? "begun" : entrants > 0 ? "entered" : "announced");

/** The ids of players with these handles. @param {string} players @returns {Promise<string[]>} @throws {Problem} `no_such_guest` */
async function idsOf(players) {
  const all = await Promise.all(handlesIn(players).map((handle) => profile(handle)));
  return all.map(({ player }) => player.id);
}

customElements.define("lusoria-tournament-form-page", LusoriaTournamentFormPage);

await loadTexts(true);
document.title = t("tournaments.form.title");
document.body.append(new LusoriaTournamentFormPage());
