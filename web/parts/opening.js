// What the computer has found about the first turn of a game, beside its board when it is over, and in variations.

import { LitElement, css, html, nothing } from "../lit.js";
import { isFirstTurn, openingFor, openings } from "../match/openings.js";
import { base } from "../style/shared.js";
import { currentLocale, t } from "../text/text.js";
import { notationText } from "../text/words.js";

/** @typedef {import("../game/story.js").Moment} Moment */

/** @param {number} hundredths */
const number = (hundredths) => new Intl.NumberFormat(currentLocale(), { maximumFractionDigits: 1 }).format(hundredths);

/** `<lusoria-opening>`: the `entry` of a game and `moments`, the first of which that begins a game counts. */
class OpeningElement extends LitElement {
  static properties = { entry: { attribute: false }, moments: { attribute: false }, all: { state: true } };

  static styles = [
    base,
    css`
      :host {
        padding: var(--gap-xs) var(--gap-s);
        border: 1px solid var(--line);
        border-radius: var(--round-s);
        font-size: var(--size-s);
      }
      h3 {
        font-size: var(--size-m);
      }
    `,
  ];

  constructor() {
    super();
    /** @type {import("../game/places.js").CatalogueEntry} */
    this.entry;
    /** @type {(Moment | undefined)[]} */
    this.moments;
    /** @type {import("../match/openings.js").Opening[]} */
    this.all = [];
    this.isRead = false;
  }

  willUpdate() {
    this.first = this.moments.find((moment) => isFirstTurn(this.entry, moment));
    if (!this.first || this.isRead) return;
    this.isRead = true;
    openings().then((all) => (this.all = all));
  }

  render() {
    const opening = this.first && openingFor(this.all, this.first);
    this.hidden = !opening;
    if (!opening) return nothing;
    const { dice, turn, wins, next, behind, isSure } = opening;
    return html`<h3>${t("opening.title", { dice })}</h3>
      <p>${t(next ? "opening.best" : "opening.only", { turn: notationText(turn), wins: number(wins) })}
        ${next ? t(isSure ? "opening.next" : "opening.equal", { turn: notationText(next), behind: number(Math.max(behind, 0)) }) : nothing}
        <a href="/findings">${t("opening.more")}</a></p>`;
  }
}

customElements.define("lusoria-opening", OpeningElement);
