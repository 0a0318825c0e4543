// What the computer has found about the first turn of a game, beside its board when it is over, and in variations.

import { LitElement, css, html, nothing } from "../lit.js";
import { openingFor, openings } from "../match/openings.js";
import { base } from "../style/shared.js";
import { currentLocale, t } from "../text/text.js";
import { notationText } from "../text/words.js";

/** @typedef {import("../game/story.js").Moment} Moment */

/** @param {number} hundredths */
const number = (hundredths) => new Intl.NumberFormat(currentLocale(), { maximumFractionDigits: 1 }).format(hundredths);

/** `<lusoria-opening>`: the `moment` of a first turn. */
class OpeningElement extends LitElement {
  static properties = { moment: { attribute: false }, all: { state: true } };

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
    /** @type {Moment} */
    this.moment;
    /** @type {import("../match/openings.js").Opening[]} */
    this.all = [];
  }

  connectedCallback() {
    super.connectedCallback();
    openings().then((all) => (this.all = all));
  }

  render() {
    const opening = openingFor(this.all, this.moment);
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
