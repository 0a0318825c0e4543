// Plays a variation on the board of a finished match: dice that are thrown or chosen, turns for both sides, the
// computer's evaluation.

import { html, nothing } from "../lit.js";
import { inOrder } from "../game/moves.js";
import { costText, hundredths } from "../match/analysis.js";
import { arrowsOf, hopeText } from "../match/hints.js";
import { play as sound } from "../match/sounds.js";
import { diceText, playerName } from "../match/telling.js";
import { dieStates, movesIn, pastView } from "../match/view.js";
import { TURNS_MAX, Variation, evaluationsFrom, evaluationsOf, throwDice } from "../match/variation.js";
import { queryOf } from "../game/setup.js";
import { t } from "../text/text.js";
import { problemText } from "../text/words.js";
import { main, slot, tools } from "./bar.js";
import { saveForm } from "./saved.js";
import { swatch } from "./swatch.js";

/** @typedef {import("./match.js").Aside} Aside */
/** @typedef {import("./match.js").MatchElement} Match */

/** @type {import("../board/marks.js").Arrow[]} */
const NO_ARROWS = [];

const PIPS = [1, 2, 3, 4, 5, 6];

/** Begins a variation at the event shown. @param {Match} match */
export function vary(match) {
  const { at, live } = match;
  const base = at === undefined ? live.moment : live.moments[at - 1];
  if (base) new Varying(match, base).begin();
}

/** Begins one in the editor, at the position that is put together there. @param {Match} match @param {import("../game/story.js").Moment} base @param {import("../match/variation.js").Kept[]} turns */
export const varyFrom = (match, base, turns) => new Varying(match, base).begin(turns);

/** @implements {Aside} */
class Varying {
  /** @param {Match} match @param {import("../game/story.js").Moment} base */
  constructor(match, base) {
    this.match = match;
    this.base = base;
    /** What is gone back to. @type {Aside | undefined} */
    this.before = match.aside;
    this.variation = new Variation(base, match.live.isSetup ? evaluationsFrom(base) : evaluationsOf(match.live.id));
    this.variation.addEventListener("change", () => match.requestUpdate());
    this.variation.addEventListener("turn", () => (this.nth = undefined));
    this.variation.addEventListener("refused", (event) => match.saying.tell(problemText(/** @type {CustomEvent} */ (event).detail)));
    /** The index of the hint shown; undefined at first. @type {number | undefined} */
    this.nth = undefined;
    /** The dice in the choice. @type {number[]} */
    this.chosen = Array(this.variation.diceCount).fill(1);
    this.arrowsNow = NO_ARROWS;
    this.arrowsOf = /** @type {unknown} */ (undefined);
    this.said = "";
    this.variation.addEventListener("change", () => this.say());
  }

  /** @param {import("../match/variation.js").Kept[]} [turns] */
  begin(turns) {
    this.match.saying.hush();
    this.match.turnTo(this);
    this.variation.begin(turns);
  }

  /** Announces the text when it changes. */
  say() {
    const [, text] = this.told();
    if (text === this.said) return;
    this.said = text;
    this.match.saying.say(text);
  }

  get moment() {
    return this.variation.moment;
  }

  /** @param {import("../match/view.js").CatalogueEntry} entry @returns {import("../match/view.js").BoardView} */
  view(entry) {
    const { isPlaying, moment, trial } = this.variation;
    const past = pastView(entry, moment);
    if (!trial.side || (trial.steps.length === 0 && !trial.legal)) return past;
    const moves = trial.legal && !isPlaying ? movesIn(entry, /** @type {any} */ (trial.legal)) : [];
    const marks = trial.steps.length > 0 ? [] : past.marks;
    return { position: trial.legal?.position, mover: trial.side, steps: trial.steps, moves, marks };
  }

  /** @returns {import("../match/view.js").ThrowView | undefined} */
  thrown() {
    const { moment, trial } = this.variation;
    const { toPlay } = moment;
    if (!toPlay || toPlay.dice.length === 0) return undefined;
    const { side, seq } = toPlay;
    const dice = inOrder(toPlay.dice, this.trial.order);
    const states = dieStates(dice, { steps: trial.steps, legal: /** @type {any} */ (trial.legal) });
    return { dice, states, side, seq, covered: false, mine: false };
  }

  /** The hint shown. */
  get shown() {
    const { opinion, trial } = this.variation;
    return this.nth === undefined || trial.steps.length > 0 ? undefined : opinion?.turns?.[this.nth];
  }

  /** @param {import("../match/view.js").CatalogueEntry} entry */
  arrows(entry) {
    const { shown } = this;
    const { side } = this.variation;
    // The same turn must be the same arrows, so that the board sees no change.
    if (shown !== this.arrowsOf) this.arrowsNow = shown && side ? arrowsOf(entry, side, shown.steps) : NO_ARROWS;
    this.arrowsOf = shown;
    return this.arrowsNow;
  }

  /** @returns {["advice" | "hint" | "result", string]} */
  told() {
    const { variation, shown } = this;
    const { isOver, opinion, turns } = variation;
    if (shown) return ["advice", t("variation.best", { turn: shown.notation, hope: hopeText(shown.value) })];
    const last = turns.at(-1);
    const cost = last?.lost === undefined || variation.moment.toPlay?.dice.length ? "" : this.judged(last);
    if (isOver) return ["result", [cost, t("variation.over")].filter(Boolean).join(" ")];
    return ["hint", [cost, this.hope(opinion)].filter(Boolean).join(" ")];
  }

  /** The chances of the side to move. @param {import("../match/variation.js").Evaluation | undefined} opinion */
  hope(opinion) {
    const name = this.name();
    if (!opinion?.value) return this.variation.turns.length >= TURNS_MAX ? t("variation.long") : t("variation.thinks");
    return t(this.variation.needsDice ? "variation.throws" : "variation.moves", { name, hope: hopeText(opinion.value) });
  }

  /** The side to move. */
  name() {
    const { moment, side } = this.variation;
    const seat = moment.sides?.[1] === side ? 1 : 2;
    return playerName(moment, seat);
  }

  /** A turn and its loss. @param {import("../match/variation.js").Played} turn */
  judged({ notation, lost }) {
    const turn = notation || t("match.passes");
    return lost === undefined || hundredths(lost) === 0 ? t("variation.good", { turn }) : t("variation.costs", { turn, cost: this.costs(lost) });
  }

  /** The loss of a turn. @param {number} lost */
  costs(lost) {
    return costText(this.match.lookBack.analysis.unit, lost);
  }

  /** @param {import("../match/trial.js").Step[]} steps */
  play(steps) {
    this.nth = undefined;
    this.variation.trial.play(steps);
  }

  /** The turn being played here. */
  get trial() {
    return this.variation.trial;
  }

  /** @param {string} from @param {string} [to] */
  why(from, to) {
    return this.variation.trial.why(from, to);
  }

  /** The keyboard shortcuts. @returns {import("./match-keys.js").Keys} */
  get keys() {
    return {
      u: () => this.takeBack(),
      t: () => this.throw(),
      d: () => this.trial.reorder(),
      c: () => this.variation.playForced(),
      f: () => this.match.flip(),
      h: () => this.look(),
    };
  }

  takeBack() {
    this.nth = undefined;
    this.variation.takeBack();
  }

  throw() {
    this.lay(throwDice(this.variation.diceCount));
  }

  /** @param {number[]} dice */
  lay(dice) {
    if (!this.variation.needsDice) return;
    sound("dice", dice.length);
    this.variation.throw(dice);
    this.match.closeSheet();
  }

  /** Shows the best turn, then the next. */
  look() {
    const count = this.variation.opinion?.turns?.length ?? 0;
    if (count === 0) return;
    this.nth = this.nth === undefined ? 0 : (this.nth + 1) % count;
    this.match.requestUpdate();
    this.say();
  }

  /** Plays one of the best turns. @param {import("../match/trial.js").Step[]} steps */
  follow(steps) {
    this.nth = undefined;
    this.match.closeSheet();
    this.variation.playSteps(steps);
  }

  leave() {
    this.match.turnTo(this.before);
    this.match.requestUpdate();
  }

  /** What the way back is called. */
  get wayBack() {
    return t(this.match.live.isSetup ? "editor.back" : "variation.leave");
  }

  /** A position as links have it. @param {import("../game/story.js").Moment} moment */
  query({ options, position, toPlay }) {
    return queryOf({ position: /** @type {any} */ (position), dice: toPlay?.dice ?? [], options });
  }

  bar() {
    const { variation } = this;
    const { opinion, needsDice, canTakeBack, trial, isPlaying, diceCount } = variation;
    const isPass = trial.isComplete && trial.steps.length === 0;
    const isForced = !isPlaying && (trial.forced.length > 0 || isPass);
    return html`${tools(this.match)}<div class="slots">
      ${slot("close", this.wayBack, () => this.leave())}
      ${slot("hint", t("variation.look"), () => this.look(), { key: "h", isIdle: !opinion?.turns?.length || trial.steps.length > 0 })}
      ${slot("undo", t("variation.back"), () => this.takeBack(), { key: "u", isIdle: !canTakeBack })}
      ${isForced || diceCount === 0
        ? main(t(isPass ? "variation.pass" : "turn.playForced"), () => variation.playForced(), { key: "c", isIdle: !isForced })
        : main(t("variation.throw"), () => this.throw(), { key: "t", isIdle: !needsDice })}
    </div>`;
  }

  /** The choice of dice, the best turns, and the turns played. */
  beside() {
    const { moment, opinion, needsDice, turns, diceCount } = this.variation;
    const best = opinion?.turns ?? [];
    return html`<div class="beside">
      <h3>${t("variation.title")}</h3>
      <p class="muted small">${t("variation.what")}</p>
      ${turns.length === 0 ? nothing : html`<ol class="tried line" aria-label=${t("variation.line")}>${turns.map((turn) => html`<li class="figures">
        ${swatch(turn.side)} <span>${turn.dice.length > 0 ? `${diceText(turn.dice)}: ` : ""}${turn.notation || t("match.passes")}</span>
        <span class="cost">${turn.lost === undefined || hundredths(turn.lost) === 0 ? "" : this.costs(turn.lost)}</span></li>`)}</ol>`}
      ${diceCount === 0 ? nothing : this.dice(needsDice)}
      ${best.length === 0 ? nothing : html`<h3 id="best">${t("variation.bestTurns")}</h3>
        <ol class="tried" aria-labelledby="best">${best.map((/** @type {import("../api/wire").components["schemas"]["HintedTurn"]} */ { notation, value, lost, steps }) => html`<li>
          <button class="figures" @click=${() => this.follow(steps)}>
            <span>${notation || t("match.passes")}</span>
            <span class="cost">${hundredths(lost) === 0 ? "" : this.costs(lost)}</span>
            <span class="muted">${hopeText(value)}</span>
          </button></li>`)}</ol>`}
      ${saveForm(this.match, () => ({ query: this.query(this.base), turns: this.variation.kept }))}
      <p><a href="/editor/${moment.game}?${this.query(moment)}">${t("editor.edit")}</a></p>
      <p><button @click=${() => this.leave()}>${this.wayBack}</button></p>
    </div>`;
  }

  /** @param {boolean} isFree */
  dice(isFree) {
    return html`<fieldset class="dice" ?disabled=${!isFree}>
      <legend>${t("variation.dice")}</legend>
      ${this.chosen.map((chosen, nth) => html`<select aria-label=${t("variation.die", { nth: nth + 1 })}
        @change=${(/** @type {any} */ event) => (this.chosen[nth] = Number(event.target.value))}>
        ${PIPS.map((pips) => html`<option value=${pips} ?selected=${pips === chosen}>${pips}</option>`)}</select>`)}
      <button @click=${() => this.lay([...this.chosen])}>${t("variation.lay")}</button>
    </fieldset>`;
  }
}
