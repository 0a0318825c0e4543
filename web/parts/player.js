// A player of a match: name, side, connection, clock, score, pip count.

import { css, html, nothing, svg } from "../lit.js";
import { PatientElement } from "../own-task.js";
import { hasSeveralGames, isLightSide } from "../game/story.js";
import { base } from "../style/shared.js";
import { firstTurnLeft, givenBack, remaining, written } from "../match/clock.js";
import { playerName } from "../match/telling.js";
import { guest } from "../player/identity.js";
import { changeText, markText, pointsText, sureText } from "../text/rating.js";
import { t } from "../text/text.js";
import { sideName } from "../text/words.js";
import { COMPUTER } from "./signs.js";

/** @typedef {import("../game/story.js").SideName} SideName */
/** @typedef {import("../game/story.js").Moment} Moment */
/** @typedef {import("../game/story.js").Player} Player */
/** @typedef {import("../game/story.js").Seat} Seat */

/** How often a running clock is redrawn. */
const TICK_MS = 100;

/** Below this time a clock has the colour of a warning. */
const LOW_MS = 20_000;

/** `<lusoria-player>`: one row above or below the board. Event: `lusoria-missed` if the dialogue of a name cannot be loaded. */
export class PlayerElement extends PatientElement {
  static properties = {
    moment: { attribute: false },
    seat: { attribute: false },
    here: { attribute: false },
    mine: { attribute: false },
    pips: { attribute: false },
    rating: { attribute: false },
    spectators: { attribute: false },
    connection: { attribute: false },
    plain: { type: Boolean, reflect: true },
    now: { state: true },
  };

  static styles = [
    base,
    css`
      :host {
        display: flex;
        align-items: center;
        gap: var(--gap-s);
        min-height: 2.5rem;
        padding: 0.25rem 0.625rem;
        border: 1px solid transparent;
        border-radius: var(--round-s);
      }
      :host([turn]) {
        background: var(--raised);
        border-color: var(--line);
        box-shadow: inset 0.1875rem 0 0 var(--fill);
      }
      .side {
        flex: none;
        width: 1.25rem;
        height: 1.25rem;
      }
      .light {
        fill: #f6ecd6;
        stroke: #6b5a43;
      }
      .dark {
        fill: #2b211a;
        stroke: #a08c70;
      }
      .who {
        flex: 1;
        min-width: 0;
        line-height: 1.2;
      }
      /* At the end of a game, its card stands beside them, with buttons. */
      .first,
      .more {
        max-width: var(--who, none);
        pointer-events: auto;
      }
      .first {
        display: flex;
        align-items: baseline;
        gap: 0.375rem;
      }
      .name {
        display: block;
        min-width: 0;
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
        font-weight: 600;
      }
      button.name {
        max-width: 100%;
        min-height: 1.5rem;
        margin: 0;
        padding: 0;
        border: 0;
        background: none;
        color: inherit;
        font: inherit;
        font-weight: 600;
        text-align: left;
        cursor: pointer;
      }
      button.name:hover {
        text-decoration: underline;
      }
      /* Space for four digits is reserved from the start; where there is no more, the words after them are hidden. */
      .rating {
        flex: 1 0 2.25rem;
        display: flex;
        flex-wrap: wrap;
        height: 1.2em;
        overflow: hidden;
        color: var(--muted);
        font-size: 0.8125rem;
        white-space: nowrap;
      }
      .mark {
        margin-right: 0.375rem;
        color: var(--accent);
      }
      .mark.computer {
        width: 1.125rem;
        height: 1.125rem;
        margin-bottom: -0.125rem;
        fill: none;
        stroke: currentcolor;
        stroke-width: 1.8;
        stroke-linecap: round;
        stroke-linejoin: round;
      }
      .mark.bot {
        padding: 0 0.375rem;
        border: 1px solid currentcolor;
        border-radius: var(--round-s);
        font-size: 0.75rem;
        font-weight: 400;
      }
      .more {
        display: block;
        font-size: 0.8125rem;
        color: var(--muted);
        white-space: nowrap;
        overflow: hidden;
        text-overflow: ellipsis;
      }
      .gone {
        color: var(--warn);
      }
      .score {
        min-width: 1.75rem;
        padding: 0 0.375rem;
        border: 1px solid var(--line);
        border-radius: var(--round-s);
        text-align: center;
        font-weight: 600;
      }
      .watched {
        flex: none;
        display: inline-flex;
        align-items: center;
        gap: 0.25rem;
        font-size: 0.8125rem;
        color: var(--muted);
      }
      .watched svg {
        width: 1.125rem;
        height: 1.125rem;
        fill: none;
        stroke: currentcolor;
        stroke-width: 1.8;
      }
      .lag {
        flex: none;
        font-size: 0.75rem;
        color: var(--muted);
      }
      .clock {
        min-width: 4.25rem;
        padding: 0.125rem 0.5rem;
        border-radius: var(--round-s);
        background: var(--sunk);
        font-size: var(--size-l);
        text-align: right;
      }
      .runs {
        background: var(--fill);
        color: var(--on-fill);
      }
      .low:not(.runs) {
        color: var(--accent);
      }
      /* In a frame of another site there may be room for only one line. */
      @media (max-height: 22rem), (max-width: 20rem) {
        :host([plain]) {
          min-height: 1.75rem;
          padding-block: 0;
        }
        :host([plain]) .more {
          display: none;
        }
        :host([plain]) .clock {
          min-width: 3.5rem;
          padding-block: 0;
          font-size: var(--size-m);
        }
      }
    `,
  ];

  constructor() {
    super();
    /** @type {Moment | undefined} */
    this.moment = undefined;
    /** @type {Seat} */
    this.seat = 1;
    this.here = true;
    this.mine = false;
    /** @type {number | undefined} */
    this.pips = undefined;
    /** The player's rating before the match, once it is loaded. @type {import("../text/rating.js").Rating | undefined} */
    this.rating = undefined;
    /** The number of spectators, shown in the upper row. */
    this.spectators = 0;
    /** The source of the server's time. @type {import("../api/socket.js").Connection | undefined} */
    this.connection = undefined;
    /** Whether the name is plain text, not a button. */
    this.plain = false;
    this.now = 0;
    this.timer = 0;
  }

  connectedCallback() {
    super.connectedCallback();
    this.timer = setInterval(() => this.looked(), TICK_MS);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearInterval(this.timer);
  }

  /** Updates the clock, if it runs. */
  looked() {
    const { moment, seat } = this;
    // While a turn is animated, the next player's clock already runs.
    if (!moment?.clocks || (moment.toPlay?.seat !== seat && moment.clocks.running !== seat)) return;
    const now = this.connection?.now() ?? 0;
    const read = (/** @type {number} */ at) =>
      `${written(remaining(moment, seat, at) ?? 0)} ${written(firstTurnLeft(moment, at) ?? 0)}`;
    if (read(now) !== read(this.now)) this.now = now;
  }

  willUpdate() {
    this.now = this.connection?.now() ?? 0;
  }

  /** @param {Map<string, unknown>} changed */
  updated(changed) {
    if (changed.has("moment")) this.toggleAttribute("turn", this.moment?.toPlay?.seat === this.seat);
  }

  render() {
    const { moment, seat } = this;
    if (!moment) return nothing;
    const side = moment.sides?.[seat];
    const name = moment.players[seat] ? playerName(moment, seat) : t("match.nobody");
    return html`
      ${side ? sideMark(side) : nothing}
      <span class="who">
        <span class="first">${this.name(moment.players[seat], name)}${this.rated(moment)}</span>
        <span class="more figures">${this.more(moment, side)}</span>
      </span>
      ${hasSeveralGames(moment)
        ? html`<span class="score figures" title=${t("match.score")}>
            <span class="unseen">${t("match.score")}</span>${moment.score[seat]}</span>`
        : nothing}
      ${this.watched()}${this.lag(moment)}${this.clock(moment)}
    `;
  }

  /** The name: a button if it is another player's, which opens the actions. @param {Player | undefined} player @param {string} name */
  name(player, name) {
    const told = html`${kindMark(player)}${name}${this.mine ? html` <span class="muted">(${t("match.you")})</span>` : nothing}`;
    if (!player || !this.connection || this.plain || player.kind === "computer" || player.id === guest()?.id) {
      return html`<span class="name" title=${name}>${told}</span>`;
    }
    return html`<button class="name" title=${name} aria-haspopup="dialog" @click=${() => this.ask(player)}>${told}</button>`;
  }

  /** The player's rating during a rated match; its change is shown in a line below. @param {Moment} moment */
  rated(moment) {
    if (!moment.rated || moment.state === "ended" || this.plain) return nothing;
    const { rating } = this;
    // A space reserves the line.
    if (!rating) return html`<span class="rating">&nbsp;</span>`;
    return html`<span class="rating figures" title=${sureText(rating)}>
      <span><span class="unseen">${t("rating.one")}</span> ${pointsText(rating)}</span><span>${markText(rating)}</span></span>`;
  }

  /** @param {Player} player */
  async ask({ id, kind, name }) {
    const loaded = await import("./player-dialog.js").catch(() => {
      // There is no connection, or the server has a new release.
      this.dispatchEvent(new CustomEvent("lusoria-missed"));
    });
    if (loaded && this.connection) loaded.openPlayer({ id, name, kind: kind ?? "person" }, this.connection);
  }

  /** @param {Moment} moment @param {import("../game/story.js").ToPlay["side"] | undefined} side */
  more(moment, side) {
    const parts = [];
    // The clock comes first: a narrow row is cut at its end.
    const left = moment.toPlay?.seat === this.seat ? firstTurnLeft(moment, this.now) : undefined;
    if (left !== undefined) parts.push(html`${t("match.firstTurn", { time: written(left) })}`);
    const rated = moment.ratings?.taken_back ? undefined : moment.ratings?.seats[this.seat];
    if (rated) parts.push(html`<span title=${sureText(rated.after)}>${changeText(rated)}</span>`);
    if (side && moment.players[1]?.id !== moment.players[2]?.id) parts.push(html`${sideName(side)}`);
    // After the match was rated, the pip count no longer matters.
    if (!rated && this.pips !== undefined) parts.push(html`${t("match.pips", { count: this.pips })}`);
    const player = moment.players[this.seat];
    // The computer is always connected.
    if (!this.here && player && player.kind !== "computer" && moment.state !== "ended") {
      parts.push(html`<span class="gone">${t("match.gone")}</span>`);
    }
    return parts.map((part, nth) => (nth === 0 ? part : html` · ${part}`));
  }

  /** The number of spectators. */
  watched() {
    if (this.spectators === 0) return nothing;
    const label = t("match.spectators", { count: this.spectators });
    return html`<span class="watched figures" role="img" aria-label=${label} title=${label}>
      <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M2 12c3-5 6.5-7 10-7s7 2 10 7c-3 5-6.5 7-10 7s-7-2-10-7z" /><circle cx="12" cy="12" r="3" /></svg>${this.spectators}</span>`;
  }

  /** @param {Moment} moment */
  lag(moment) {
    const seconds = givenBack(moment, this.seat);
    if (seconds === undefined) return nothing;
    return html`<span class="lag figures" title=${t("match.lag.why")}>${t("match.lag", { seconds })}</span>`;
  }

  /** @param {Moment} moment */
  clock(moment) {
    const left = remaining(moment, this.seat, this.now);
    if (left === undefined) return nothing;
    const runs = moment.clocks?.running === this.seat;
    const classes = `clock figures${runs ? " runs" : ""}${left < LOW_MS ? " low" : ""}`;
    return html`<span class=${classes} role="timer" aria-label=${t("match.clock", { time: written(left) })}
      >${written(left)}</span>`;
  }
}

/**
 * The mark of bots and the computer.
 * @param {import("../game/story.js").Player | undefined} player
 */
function kindMark(player) {
  if (player?.kind === "bot") return html`<span class="mark bot" title=${t("levels.bot.mark")}>${t("levels.bot")}</span>`;
  if (player?.kind !== "computer") return nothing;
  const label = t("levels.computer.mark", { level: player.level ?? 0 });
  return html`<svg class="mark computer" viewBox="0 0 24 24" role="img" aria-label=${label}>${COMPUTER}</svg>`;
}

/** A small piece of a side: form and colour identify it. @param {SideName} side */
export function sideMark(side) {
  const isLight = isLightSide(side);
  return html`<svg class="side" viewBox="0 0 20 20" role="img" aria-label=${sideName(side)}>
    <circle class=${isLight ? "light" : "dark"} cx="10" cy="10" r="8.5" stroke-width="1.5" />
    ${isLight
      ? svg`<circle cx="10" cy="10" r="4.5" fill="none" stroke="#6b5a43" />`
      : svg`<path d="M6 10h8M10 6v8" stroke="#a08c70" stroke-width="1.5" />`}
  </svg>`;
}

customElements.define("lusoria-player", PlayerElement);
