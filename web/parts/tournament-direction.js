// What an organiser does with a running tournament: start, stop, the next round, pairings by hand, a result by hand,
// excluding somebody, the end. Each asks before it does what cannot be undone.

import { Problem } from "../api/rest.js";
import { LitElement, css, html, nothing } from "../lit.js";
import { base, buttons, cards, fields } from "../style/shared.js";
import { t } from "../text/text.js";
import { entrantName, refusalText, resultText } from "../tournament/words.js";
import "./dialog.js";

/** @typedef {import("./dialog.js").LusoriaDialog} LusoriaDialog */
/** @typedef {import("../tournament/live.js").LiveTournament} LiveTournament */
/** @typedef {import("../tournament/tournaments.js").Command} Command */
/** @typedef {import("../tournament/tournaments.js").Pairing} Pairing */
/** @typedef {import("../tournament/tournaments.js").Tournament} Tournament */

/** What is done, in the order of the buttons. */
const DEEDS = /** @type {const} */ (["start", "next_round", "stop", "resume", "pair", "set_result", "exclude", "end"]);

/** @typedef {typeof DEEDS[number]} Deed */

/** Those that need a word more. */
const ASKED = /** @type {Deed[]} */ (["next_round", "stop", "pair", "set_result", "exclude", "end"]);
/** Those that everybody can read the reason of. */
const REASONED = /** @type {Deed[]} */ (["stop", "set_result", "exclude", "end"]);

const REASON_MAX = 200;

/** The half points of a result by hand, by its name. @type {Record<string, [number, number]>} */
const RESULTS = { first: [2, 0], drawn: [1, 1], second: [0, 2], none: [0, 0] };

/** The name of a deed. @param {Deed} deed */
const nameOf = (deed) => t(`tournaments.${deed === "set_result" ? "set" : deed}`);

/** `<lusoria-tournament-direction>`: of the tournament `live`, for its organiser. */
export class LusoriaTournamentDirection extends LitElement {
  static properties = {
    live: { attribute: false },
    deed: { state: true },
    busy: { state: true },
    wrong: { state: true },
    lines: { state: true },
    chosen: { state: true },
  };

  static styles = [
    base,
    buttons,
    cards,
    fields,
    css`
      section {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: var(--gap-s);
        padding: var(--gap-m);
      }

      h2 {
        font-size: var(--size-l);
      }

      .row {
        display: flex;
        flex-wrap: wrap;
        gap: var(--gap-s);
      }

      form {
        display: grid;
        gap: var(--gap-m);
      }

      .pairing {
        display: grid;
        grid-template-columns: 1fr 1fr;
        gap: var(--gap-s);
      }
    `,
  ];

  constructor() {
    super();
    /** @type {LiveTournament | undefined} */
    this.live = undefined;
    /** What is being asked about. @type {Deed | undefined} */
    this.deed = undefined;
    this.busy = false;
    this.wrong = "";
    /** The pairing whose result is set; undefined for the newest. @type {number | undefined} */
    this.chosen = undefined;
    /** The pairings by hand, so far. @type {[string, string][]} */
    this.lines = [["", ""]];
    this.changed = () => this.requestUpdate();
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (changed.has("live")) this.live?.addEventListener("change", this.changed);
  }

  get dialog() {
    return /** @type {LusoriaDialog} */ (this.renderRoot.querySelector("lusoria-dialog"));
  }

  /** @param {Command} command */
  async do(command) {
    if (this.busy || !this.live) return;
    this.busy = true;
    this.wrong = "";
    try {
      await this.live.do("direct", command);
      this.dialog.close();
    } catch (why) {
      if (!(why instanceof Problem)) throw why;
      this.wrong = refusalText(why);
    } finally {
      this.busy = false;
    }
  }

  /** @param {Deed} deed */
  async begin(deed) {
    this.wrong = "";
    if (!ASKED.includes(deed)) return this.do({ command: deed });
    this.deed = deed;
    const pairs = Math.max(1, Math.floor(this.present.length / 2));
    this.lines = Array.from({ length: pairs }, () => ["", ""]);
    this.chosen = undefined;
    this.live?.want("pairings");
    await this.updateComplete;
    this.dialog.open();
  }

  /** @param {SubmitEvent} submitted */
  send(submitted) {
    submitted.preventDefault();
    const form = new FormData(/** @type {HTMLFormElement} */ (submitted.target));
    const text = (/** @type {string} */ name) => String(form.get(name) ?? "").trim();
    const reason = text("reason");
    switch (this.deed) {
      case "pair":
        return this.do({ command: "pair", pairings: this.lines.filter((line) => line.every(Boolean)).map(([first, second]) => ({ first: Number(first), second: Number(second) })) });
      case "set_result":
        return this.do({ command: "set_result", pairing: Number(text("pairing")), half_points: RESULTS[text("result")], reason });
      case "exclude":
        return this.do({ command: "exclude", player: text("player"), reason });
      case undefined:
        return undefined;
      case "next_round":
        return this.do({ command: "next_round", round: this.live?.tournament?.round ?? 1 });
      default:
        return this.do({ command: this.deed, ...(REASONED.includes(this.deed) ? { reason } : {}) });
    }
  }

  render() {
    const tournament = this.live?.tournament;
    const may = tournament?.you?.may ?? [];
    const deeds = DEEDS.filter((deed) => may.includes(deed));
    const button = (/** @type {Deed} */ deed) => html`<button class=${deed === "start" ? "main" : deed === "end" ? "plain" : ""}
      aria-haspopup=${ASKED.includes(deed) ? "dialog" : nothing} @click=${() => this.begin(deed)}>${nameOf(deed)}</button>`;
    this.hidden = !tournament || (deeds.length === 0 && !may.includes("edit"));
    if (this.hidden || !tournament) return nothing;
    return html`
      <section class="card" aria-labelledby="direction">
        <h2 id="direction">${t("tournaments.direction")}</h2>
        <div class="row">
          ${deeds.filter((deed) => deed !== "end").map(button)}
          ${may.includes("edit") ? html`<a class="button" href=${`/tournament/${tournament.id}/edit`}>${t("tournaments.edit")}</a>` : nothing}
          ${deeds.includes("end") ? button("end") : nothing}
        </div>
        <p class="wrong" role="alert">${this.deed ? "" : this.wrong}</p>
      </section>
      <lusoria-dialog heading=${this.deed ? nameOf(this.deed) : ""} @lusoria-closed=${() => (this.deed = undefined)}>
        ${this.deed ? this.form(this.deed) : nothing}
      </lusoria-dialog>
    `;
  }

  /** @param {Deed} deed */
  form(deed) {
    const why = { next_round: "tournaments.next_round.why", end: "tournaments.end.why", pair: "tournaments.pair.why" }[/** @type {string} */ (deed)];
    return html`<form @submit=${this.send}>
      ${why ? html`<p>${t(why)}</p>` : nothing}
      ${deed === "pair" ? this.pairs() : nothing}
      ${deed === "set_result" ? this.result() : nothing}
      ${deed === "exclude" ? this.player() : nothing}
      ${REASONED.includes(deed)
        ? html`<label><span class="label">${t("tournaments.reason")}</span>
            <input type="text" name="reason" required maxlength=${REASON_MAX} autocomplete="off" aria-describedby="public" />
            <span class="hint" id="public">${t("tournaments.reason.public")}</span></label>`
        : nothing}
      <p class="wrong" role="alert">${this.wrong}</p>
      <p class="row">
        <button class=${deed === "end" || deed === "exclude" ? "danger" : "main"} aria-disabled=${String(this.busy)}>${t("tournaments.do")}</button>
        <button type="button" @click=${() => this.dialog.close()}>${t("common.cancel")}</button>
      </p>
    </form>`;
  }

  /** Those who can be paired or excluded, by name. */
  get present() {
    const all = this.live?.standings?.standings ?? [];
    return all.filter(({ state }) => !["withdrawn", "excluded"].includes(state)).toSorted((a, b) => a.player.name.localeCompare(b.player.name));
  }

  pairs() {
    const used = this.lines.flat();
    const choice = (/** @type {number} */ line, /** @type {0 | 1} */ nth) => html`
      <select aria-label=${t(nth === 0 ? "tournaments.pair.first" : "tournaments.pair.second", { number: line + 1 })}
        @change=${(/** @type {Event} */ { target }) => this.choose(line, nth, /** @type {HTMLSelectElement} */ (target).value)}>
        <option value="">${t("tournaments.pair.nobody")}</option>
        ${this.present.map(({ entrant, player }) => html`<option value=${entrant} ?selected=${this.lines[line][nth] === String(entrant)}
          ?disabled=${used.includes(String(entrant)) && this.lines[line][nth] !== String(entrant)}>${entrantName(player)}</option>`)}
      </select>`;
    return html`${this.lines.map((_, line) => html`<div class="pairing">${choice(line, 0)}${choice(line, 1)}</div>`)}
      <p><button type="button" @click=${() => (this.lines = [...this.lines, ["", ""]])}>${t("tournaments.pair.add")}</button></p>`;
  }

  /** @param {number} line @param {0 | 1} nth @param {string} entrant */
  choose(line, nth, entrant) {
    this.lines = this.lines.map((pair, at) => {
      if (at !== line) return pair;
      return nth === 0 ? [entrant, pair[1]] : [pair[0], entrant];
    });
  }

  result() {
    const all = (this.live?.pairings?.pairings ?? []).filter(({ first, second }) => first && second);
    const text = (/** @type {Pairing} */ pairing) =>
      `${entrantName(pairing.first?.player)} – ${entrantName(pairing.second?.player)} (${resultText(pairing)})`;
    const chosen = all.find(({ pairing }) => pairing === this.chosen) ?? all.at(-1);
    const won = (/** @type {Pairing["first"] | undefined} */ entrant) => t("tournaments.set.first", { name: entrantName(entrant?.player) });
    return html`<label><span class="label">${t("tournaments.match")}</span>
        <select name="pairing" @change=${(/** @type {Event} */ { target }) => (this.chosen = Number(/** @type {HTMLSelectElement} */ (target).value))}>
          ${all.toReversed().map((pairing) => html`<option value=${pairing.pairing}>${text(pairing)}</option>`)}</select></label>
      <label><span class="label">${t("tournaments.result")}</span>
        <select name="result">
          <option value="first">${won(chosen?.first)}</option><option value="second">${won(chosen?.second)}</option>
          <option value="drawn">${t("tournaments.set.drawn")}</option><option value="none">${t("tournaments.set.none")}</option>
        </select></label>`;
  }

  player() {
    return html`<label><span class="label">${t("tournaments.player")}</span>
      <select name="player">${this.present.map(({ player }) => html`<option value=${player.id}>${entrantName(player)}</option>`)}</select></label>`;
  }
}

customElements.define("lusoria-tournament-direction", LusoriaTournamentDirection);
