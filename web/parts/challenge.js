// The dialogue in which a person challenges a player and waits for the reply.

import { catalogue } from "../api/catalogue.js";
import { Problem } from "../api/rest.js";
import { GAMES } from "../game/games.js";
import { LitElement, css, html, nothing } from "../lit.js";
import { Opponents } from "../player/opponents.js";
import { base, buttons, fields } from "../style/shared.js";
import { t } from "../text/text.js";
import { gameName, markedText } from "../text/words.js";
import { USUAL_POINTS } from "../player/seats.js";
import { refusal } from "./refusal.js";
import "./challenges.js";
import "./dialog.js";
import "./terms.js";

/** @typedef {import("../api/socket.js").Connection} Connection */
/** @typedef {import("../api/wire").components["schemas"]["CatalogueEntry"]} CatalogueEntry */
/** @typedef {import("../api/wire").components["schemas"]["Challenge"]} Challenge */
/** @typedef {import("../api/wire").components["schemas"]["Game"]} Game */
/** @typedef {import("../api/wire").components["schemas"]["OtherPlayer"]} OtherPlayer */
/** @typedef {import("./dialog.js").LusoriaDialog} LusoriaDialog */
/** @typedef {import("./terms.js").Choice} Choice */
/** @typedef {import("./terms.js").LusoriaTerms} LusoriaTerms */

const KEPT_AS = "lusoria.challenged";
const USUAL_CLOCK = "normal";

/** @returns {Partial<Choice & {game: Game}>} the terms of the last challenge from this device */
function last() {
  try {
    return JSON.parse(localStorage.getItem(KEPT_AS) ?? "{}");
  } catch {
    return {};
  }
}

/** @param {Choice & {game: Game}} choice */
function keep(choice) {
  try {
    localStorage.setItem(KEPT_AS, JSON.stringify(choice));
  } catch {
    // It will not be remembered.
  }
}

/**
 * `<lusoria-challenge>`: uses `connection`, the page's only one, and opens the match when the challenge is accepted. A
 * page that already has the `opponents` of the connection passes them.
 */
export class LusoriaChallenge extends LitElement {
  static properties = {
    connection: { attribute: false },
    opponents: { attribute: false },
    player: { state: true },
    entries: { state: true },
    game: { state: true },
    isSent: { state: true },
    busy: { state: true },
    wrong: { state: true },
  };

  static styles = [
    base,
    buttons,
    fields,
    css`
      form {
        display: grid;
        gap: var(--gap-m);
      }

      form p:empty {
        display: none;
      }

      .sent p {
        margin-bottom: var(--gap-m);
        text-wrap: balance;
      }

      .sent:focus {
        outline: none;
      }
    `,
  ];

  constructor() {
    super();
    /** @type {Connection | undefined} */
    this.connection = undefined;
    /** @type {Opponents | undefined} */
    this.opponents = undefined;
    /** The challenged player. @type {OtherPlayer | undefined} */
    this.player = undefined;
    /** @type {Map<Game, CatalogueEntry>} */
    this.entries = new Map();
    const { game } = last();
    this.game = GAMES.find((known) => known === game) ?? GAMES[0];
    this.isSent = false;
    this.busy = false;
    /** @type {unknown} */
    this.wrong = "";
    this.isListening = false;
    this.isMet = false;
  }

  get dialog() {
    return /** @type {LusoriaDialog} */ (this.renderRoot.querySelector("lusoria-dialog"));
  }

  /** Opens it. @param {OtherPlayer} player the challenged player */
  async open(player) {
    this.player = player;
    this.isSent = false;
    this.wrong = "";
    await this.updateComplete;
    this.dialog.open();
    try {
      this.entries = await catalogue();
    } catch (why) {
      if (!(why instanceof Problem)) throw why;
      this.wrong = refusal(why);
    }
  }

  /** The initial choice: the last one, as far as the game has it. @param {CatalogueEntry} entry @returns {Choice} */
  first(entry) {
    const kept = last();
    const isSame = kept.game === entry.id;
    const clock = entry.clock_presets.find(({ id }) => id === kept.clock) ?? entry.clock_presets.find(({ id }) => id === USUAL_CLOCK);
    const points = isSame && Number.isInteger(kept.points) ? kept.points : USUAL_POINTS;
    return {
      clock: clock?.id ?? entry.clock_presets[0].id,
      points: points ?? 1,
      ...(isSame && kept.games ? { games: /** @type {const} */ (2) } : {}),
      rated: kept.rated === true,
      side: (isSame && kept.side) || "lot",
    };
  }

  /** Follows the challenge. @param {Connection} connection @returns {Opponents} */
  listen(connection) {
    const opponents = this.opponents ?? new Opponents(connection);
    this.opponents = opponents;
    if (!this.isListening) {
      this.isListening = true;
      opponents.addEventListener("change", () => this.heard());
      opponents.addEventListener("met", (met) => {
        this.isMet = true;
        location.assign(`/match/${/** @type {CustomEvent<string>} */ (met).detail}`);
      });
    }
    connection.follow("personal");
    connection.reopen();
    return opponents;
  }

  /** A withdrawn challenge can be sent again. */
  async heard() {
    this.requestUpdate();
    await this.updateComplete;
    if (!this.isSent || this.isMet || this.busy || this.stands) return;
    this.isSent = false;
    await this.updateComplete;
    /** @type {HTMLElement | null} */ (this.renderRoot.querySelector("select"))?.focus();
  }

  /** The result of the challenge, if there is one to show. @returns {Challenge | undefined} */
  get stands() {
    const { challenges = [], declined = [] } = this.opponents ?? {};
    return [...challenges, ...declined].find(({ to }) => to.id === this.player?.id);
  }

  /** @param {SubmitEvent} submitted */
  async send(submitted) {
    submitted.preventDefault();
    const { connection, player } = this;
    const entry = this.entries.get(this.game);
    const element = /** @type {LusoriaTerms | null} */ (this.renderRoot.querySelector("lusoria-terms"));
    if (this.busy || !connection || !player || !entry || !element) return;
    const { terms, clock: preset } = element;
    const { clock = { kind: "none" }, points = 1, games, rated, side, options } = terms;
    this.busy = true;
    this.wrong = "";
    try {
      keep({ game: this.game, clock: preset, points, games, rated, side });
      const wishes = { game: this.game, clock, points, games, rated, side, options };
      await this.listen(connection).challenge({ to: player.id, ...wishes });
      // The challenge may have created the guest.
      connection.reopen();
      this.isSent = true;
      await this.updateComplete;
      /** @type {HTMLElement | null} */ (this.renderRoot.querySelector(".sent"))?.focus();
    } catch (why) {
      if (!(why instanceof Problem)) throw why;
      this.wrong = refusal(why);
    } finally {
      this.busy = false;
    }
  }

  render() {
    const { player } = this;
    if (!player) return nothing;
    const name = markedText(player);
    return html`
      <lusoria-dialog heading=${t("challenge.title", { name })}>
        ${this.isSent ? this.sent(player, name) : this.form()}
      </lusoria-dialog>
    `;
  }

  form() {
    const entry = this.entries.get(this.game);
    return html`
      <form novalidate @submit=${this.send}>
        <label>
          <span class="label">${t("challenge.game")}</span>
          <select
            autofocus
            @change=${(/** @type {Event} */ { target }) =>
              (this.game = /** @type {Game} */ (/** @type {HTMLSelectElement} */ (target).value))}
          >
            ${GAMES.map((game) => html`<option value=${game} ?selected=${game === this.game}>${gameName(game)}</option>`)}
          </select>
        </label>
        ${entry ? html`<lusoria-terms .entry=${entry} .first=${this.first(entry)}></lusoria-terms>` : nothing}
        <p class="wrong" role="alert">${this.wrong}</p>
        <p>
          <button class="main" ?disabled=${!entry} aria-disabled=${String(this.busy)}>${t("challenge.send")}</button>
        </p>
      </form>
    `;
  }

  /** @param {OtherPlayer} player @param {string} name */
  sent(player, name) {
    const { stands } = this;
    const how = stands?.clock.kind === "days" ? "challenge.sent.days" : "challenge.sent.now";
    return html`
      <div class="sent" tabindex="-1">
        ${stands?.state === "declined" ? nothing : html`<p><strong>${t("challenge.sent")}</strong> ${t(how, { name })}</p>`}
      </div>
      <lusoria-challenges .opponents=${this.opponents} with=${player.id}></lusoria-challenges>
    `;
  }
}

customElements.define("lusoria-challenge", LusoriaChallenge);
