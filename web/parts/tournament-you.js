// The person's own part in a tournament: entering, being there, their next opponent and the way to the board, a pause,
// a bye, withdrawing.

import { Problem } from "../api/rest.js";
import { LitElement, css, html, nothing } from "../lit.js";
import { guest } from "../player/identity.js";
import { signInAddress } from "../player/next.js";
import { base, buttons, cards, fields } from "../style/shared.js";
import { t } from "../text/text.js";
import { nameText } from "../text/words.js";
import { endText, pointsSaid, refusalText } from "../tournament/words.js";
import "./countdown.js";
import "./dialog.js";

/** @typedef {import("../tournament/live.js").LiveTournament} LiveTournament */
/** @typedef {import("../tournament/tournaments.js").Tournament} Tournament */
/** @typedef {import("../tournament/tournaments.js").You} You */

/** `<lusoria-tournament-you>`: of the tournament `live`; to be updated when it changes. */
export class LusoriaTournamentYou extends LitElement {
  static properties = {
    live: { attribute: false },
    busy: { state: true },
    wrong: { state: true },
    said: { state: true },
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

      section.called {
        border-color: var(--accent);
        box-shadow: inset 0.25rem 0 0 var(--accent), var(--shadow);
      }

      .now {
        font-size: var(--size-l);
        overflow-wrap: anywhere;
      }

      .row {
        display: flex;
        flex-wrap: wrap;
        align-items: end;
        gap: var(--gap-s);
      }

      .large {
        min-height: 3.5rem;
        padding-inline: 2rem;
        font-size: var(--size-l);
      }

      @media (max-width: 40rem) {
        .large {
          width: 100%;
        }
      }

      label {
        flex: 1 1 12rem;
        max-width: 20rem;
      }

      .wrong {
        font-weight: 600;
      }

      p:empty {
        display: none;
      }
    `,
  ];

  constructor() {
    super();
    /** @type {LiveTournament | undefined} */
    this.live = undefined;
    this.busy = false;
    this.wrong = "";
    /** What was last said aloud. */
    this.said = "";
    this.code = "";
    /** The match to whose board the person was called last. @type {string | undefined} */
    this.calledTo = undefined;
    this.changed = () => this.requestUpdate();
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (changed.has("live")) this.live?.addEventListener("change", this.changed);
    const match = this.live?.tournament?.you?.pairing?.match ?? undefined;
    if (match === this.calledTo) return;
    this.calledTo = match;
    const opponent = this.live?.tournament?.you?.pairing?.opponent;
    this.said = match && opponent ? t("tournaments.called", { name: nameText(opponent.name) }) : "";
  }

  /** @param {import("../tournament/tournaments.js").Command} command */
  async do(command) {
    if (this.busy || !this.live) return;
    this.busy = true;
    this.wrong = "";
    try {
      await this.live.do("entry", command);
    } catch (why) {
      if (!(why instanceof Problem)) throw why;
      this.wrong = refusalText(why);
    } finally {
      this.busy = false;
    }
  }

  /** @param {SubmitEvent} submitted */
  enter(submitted) {
    submitted.preventDefault();
    this.do({ command: "enter", ...(this.code.trim() ? { code: this.code.trim() } : {}) });
  }

  async withdraw() {
    const dialog = /** @type {import("./dialog.js").LusoriaDialog} */ (this.renderRoot.querySelector("lusoria-dialog"));
    if ((await dialog.open()) === "withdraw") this.do({ command: "withdraw" });
  }

  render() {
    const tournament = this.live?.tournament;
    if (!tournament) return nothing;
    const { you } = tournament;
    const content = this.content(tournament, you);
    this.hidden = content === nothing;
    const isCalled = Boolean(you?.pairing?.match || you?.pairing?.until);
    return html`
      <p class="unseen" role="status">${this.said}</p>
      <section class="card ${isCalled ? "called" : ""}" aria-labelledby="you">
        <h2 id="you" class="unseen">${t("tournaments.you")}</h2>
        ${content}
        <p class="wrong" role="alert">${this.wrong}</p>
      </section>
      <lusoria-dialog heading=${t("tournaments.withdraw.sure")}>
        <p>${t("tournaments.withdraw.why")} ${you?.pairing?.match ? t("tournaments.withdraw.playing") : ""}</p>
        <p class="row">
          <button class="danger" @click=${this.answer}>${t("tournaments.withdraw")}</button>
          <button autofocus @click=${this.answer}>${t("common.cancel")}</button>
        </p>
      </lusoria-dialog>
    `;
  }

  /** @param {Event} clicked */
  answer({ currentTarget }) {
    const button = /** @type {HTMLElement} */ (currentTarget);
    /** @type {import("./dialog.js").LusoriaDialog} */ (button.closest("lusoria-dialog")).close(button.classList.contains("danger") ? "withdraw" : "");
  }

  /** @param {Tournament} tournament @param {You | null | undefined} you */
  content(tournament, you) {
    if (tournament.phase === "ended") return this.over(tournament, you);
    if (!you?.entrant) return this.outside(tournament, you);
    return html`${this.now(tournament, you)} ${you.state === "out" ? nothing : this.ways(tournament, you)}`;
  }

  /** @param {Tournament} tournament @param {You | null | undefined} you */
  over(tournament, you) {
    const { winner } = tournament;
    const won = winner && (winner.id === guest()?.id ? t("tournaments.won.you") : `${t("tournaments.won.by", { name: nameText(winner.name) })}.`);
    return html`<p class="now">${won ?? endText(tournament)}</p>
      ${you?.place && (tournament.format.kind !== "knockout" || winner?.id !== guest()?.id) ? html`<p>${this.placed(tournament, you)}</p>` : nothing}`;
  }

  /** For a person outside. @param {Tournament} tournament @param {You | null | undefined} you */
  outside(tournament, you) {
    if (!guest()?.handle) {
      if (!mayBeOpen(tournament)) return nothing;
      return html`<p>${t("tournaments.enter.account")}</p>
        <p class="row"><a class="button main" href="/account">${t("tournaments.enter.open")}</a>
          <a class="button" href=${signInAddress(location)}>${t("head.signIn")}</a></p>`;
    }
    if (!you?.may.includes("enter")) return nothing;
    return html`<form class="row" @submit=${this.enter}>
      ${tournament.has_code
        ? html`<label><span class="label">${t("tournaments.code")}</span>
            <input type="text" name="code" autocomplete="off" autocapitalize="none" spellcheck="false"
              @input=${(/** @type {Event} */ { target }) => (this.code = /** @type {HTMLInputElement} */ (target).value)} /></label>`
        : nothing}
      <button class="main large" aria-disabled=${String(this.busy)}>${t("tournaments.enter")}</button>
    </form>`;
  }

  /** What is now, in a sentence, and what to do about it. @param {Tournament} tournament @param {You} you */
  now(tournament, you) {
    const { begins_at: begins, check_in_at: opens, clock, format, next_round_at: next, phase, playing, reason } = tournament;
    const { bye, here_until: until, pairing, state } = you;
    const ahead = this.live?.connection.ahead ?? 0;
    const count = (/** @type {number} */ at) => html`<lusoria-countdown .at=${at} .ahead=${ahead}></lusoria-countdown>`;
    const now = this.live?.connection.now() ?? 0;
    const isHere = (until ?? 0) > now;
    if (state === "withdrawn") return html`<p class="now">${t("tournaments.withdrawn")}</p>`;
    if (state === "excluded") {
      return html`<p class="now">${you.reason ? t("tournaments.excluded.why", { reason: you.reason }) : t("tournaments.excluded")}</p>`;
    }
    if (pairing?.match) {
      return html`<p class="now">${t("tournaments.opponent", { name: nameText(pairing.opponent.name) })}</p>
        <p class="row"><a class="button main large" href=${`/match/${pairing.match}`}>${t("tournaments.board")}</a></p>
        ${this.others(pairing.match)}`;
    }
    if (state === "out") return html`<p class="now">${t("tournaments.out")}</p>`;
    if (phase === "stopped") return html`<p class="now">${t("tournaments.stopped", { reason: reason ?? "" })}</p>`;
    if (state === "absent") return html`<p class="now">${t("tournaments.absent")}</p>${this.here("tournaments.back")}`;
    if (state === "paused") return html`<p class="now">${t("tournaments.paused")}</p>${this.here("tournaments.back")}`;
    if (pairing?.until) {
      return html`<p class="now">${t("tournaments.called.waits", { name: nameText(pairing.opponent.name) })} ${count(pairing.until)}</p>
        ${isHere ? nothing : this.here("tournaments.here")}`;
    }
    if (phase === "announced" || phase === "check_in") {
      const isLive = clock.kind !== "days" && format.kind !== "arena" && format.kind !== "round_robin";
      return html`<p class="now">${t("tournaments.entered")} ${t("tournaments.begins.in")} ${count(begins)}</p>
        ${phase === "check_in" && isLive
          ? html`<p>${t(isHere ? "tournaments.here.done" : "tournaments.here.open")}</p>${isHere ? nothing : this.here("tournaments.here")}`
          : isLive && opens ? html`<p class="muted">${t("tournaments.here.opens")} ${count(opens)}</p>` : nothing}`;
    }
    if (bye) return html`<p class="now">${t(bye.why === "asked" ? "tournaments.bye.asked" : "tournaments.bye.odd", { round: bye.round })}</p>${this.next(next, playing, count)}`;
    if (format.kind === "arena") return html`<p class="now">${t("tournaments.arena.waiting")}</p>`;
    if (format.kind === "round_robin" && clock.kind !== "days") {
      return isHere ? html`<p class="now">${t("tournaments.here.waiting")}</p>` : html`<p>${t("tournaments.here.robin")}</p>${this.here("tournaments.here")}`;
    }
    return this.next(next, playing, count);
  }

  /** The person's other boards of a round robin, which are played at the same time. @param {string} match */
  others(match) {
    const me = guest()?.id;
    const mine = (this.live?.pairings?.pairings ?? []).filter((one) =>
      one.state === "playing" && one.match && one.match !== match && [one.first, one.second].some(({ player }) => player.id === me));
    if (mine.length === 0) return nothing;
    return html`<ul class="row">${mine.map(({ first, match: other, second }) => html`<li><a class="button" href=${`/match/${other}`}>
      ${nameText((first.player.id === me ? second : first).player.name)}</a></li>`)}</ul>`;
  }

  /** When the next round comes. @param {number | null | undefined} at @param {number | undefined} playing @param {(at: number) => unknown} count */
  next(at, playing, count) {
    if (at) return html`<p class="now">${t("tournaments.next.in")} ${count(at)}</p>`;
    return html`<p class="now">${playing ? t("tournaments.next.boards", { count: playing }) : t("tournaments.next")}</p>`;
  }

  /** @param {string} key */
  here(key) {
    return html`<p class="row"><button class="main large" aria-disabled=${String(this.busy)} @click=${() => this.do({ command: "here" })}>${t(key)}</button></p>`;
  }

  /** The person's place. @param {Tournament} tournament @param {You} you */
  placed({ format }, { half_points: half, place }) {
    if (format.kind === "knockout") return t("tournaments.entered.place", { rank: place ?? 0 });
    return t("tournaments.entered.points", { rank: place ?? 0, points: pointsSaid(half ?? 0, format.kind) });
  }

  /** What else an entrant may do. @param {Tournament} tournament @param {You} you */
  ways(tournament, you) {
    const { byes = [], may, place } = you;
    const round = (tournament.round ?? 0) + 1;
    const said = byes.filter((one) => one >= round).map((one) => t("tournaments.bye.asked", { round: one }));
    return html`
      ${place && tournament.phase === "running" ? html`<p class="muted">${this.placed(tournament, you)}</p>` : nothing}
      ${said.map((text) => html`<p class="muted">${text}</p>`)}
      <p class="row">
        ${may.includes("pause") ? html`<button @click=${() => this.do({ command: "pause" })}>${t("tournaments.pause")}</button>` : nothing}
        ${may.includes("ask_bye") && !byes.includes(round)
          ? html`<button title=${t("tournaments.bye.why")} @click=${() => this.do({ command: "ask_bye", round })}>${t("tournaments.bye.round", { round })}</button>`
          : nothing}
        ${may.includes("withdraw") ? html`<button class="plain" aria-haspopup="dialog" @click=${this.withdraw}>${t("tournaments.withdraw")}</button>` : nothing}
      </p>`;
  }
}

/** Whether strangers can still enter, as far as they are told. @param {Tournament} tournament */
function mayBeOpen({ format, phase, round, rounds }) {
  if (phase === "announced" || phase === "check_in") return true;
  return phase === "running" && (format.kind === "arena" || (format.kind === "swiss" && 2 * (round ?? 0) <= (rounds ?? 0)));
}

customElements.define("lusoria-tournament-you", LusoriaTournamentYou);
