// Practises one's own costliest mistakes, on the board of their match: the texts, the controls, and the mistakes
// solved.

import { html, nothing } from "../lit.js";
import { inOrder } from "../game/moves.js";
import { costText, hundredths } from "../match/analysis.js";
import { arrowsOf } from "../match/hints.js";
import { Practice, mistakesOf } from "../match/practice.js";
import { play as sound } from "../match/sounds.js";
import { evaluationsOf } from "../match/variation.js";
import { dieStates, movesIn } from "../match/view.js";
import { t } from "../text/text.js";
import { notationText, problemText } from "../text/words.js";
import { main, slot, tools } from "./bar.js";

/** @typedef {import("./match.js").MatchElement} Match */
/** @typedef {import("../match/analysis.js").Judged} Judged */

/** @type {import("../game/moves.js").Move[]} */
const NO_MOVES = [];

/** Begins with the person's costliest mistake. @param {Match} match */
export function practise(match) {
  const { lookBack, live } = match;
  const mistakes = mistakesOf(lookBack.analysis.turns, live.mySeats);
  if (mistakes.length > 0) new Practising(match, mistakes).begin(0);
}

/** @implements {Aside} @typedef {import("./match.js").Aside} Aside */
class Practising {
  /** @param {Match} match @param {Judged[]} mistakes */
  constructor(match, mistakes) {
    this.match = match;
    this.practice = new Practice(mistakes, (seq) => match.live.moments[seq - 1], evaluationsOf(match.live.id));
    this.practice.addEventListener("change", () => match.requestUpdate());
    this.practice.addEventListener("judged", () => this.say());
    this.practice.addEventListener("refused", (event) => match.saying.tell(problemText(/** @type {CustomEvent} */ (event).detail)));
    /** @type {import("../board/marks.js").Arrow[]} */
    this.shownArrows = [];
  }

  /** Begins a mistake: the URL names the turn before it. @param {number} nth */
  begin(nth) {
    this.shownArrows = [];
    this.practice.begin(nth);
    this.match.look(this.practice.mistake.before);
    this.match.turnTo(this);
    this.say();
  }

  /** Announces the text to screen readers. */
  say() {
    const { saying } = this.match;
    saying.hush();
    saying.say(this.told()[1]);
  }

  get moment() {
    // No clock runs.
    return { ...this.practice.moment, clocks: undefined };
  }

  /** @param {import("../match/view.js").CatalogueEntry} entry @returns {import("../match/view.js").BoardView} */
  view(entry) {
    const { moment, phase, trial } = this.practice;
    const { legal, side, steps } = trial;
    const moves = legal && phase === "playing" ? movesIn(entry, /** @type {any} */ (legal)) : NO_MOVES;
    return { position: legal?.position ?? (steps.length === 0 ? moment.position : undefined), mover: side, steps, moves, marks: [] };
  }

  /** @returns {import("../match/view.js").ThrowView | undefined} */
  thrown() {
    const { moment, trial } = this.practice;
    const { toPlay } = moment;
    if (!toPlay || toPlay.dice.length === 0) return undefined;
    const { side, seq } = toPlay;
    const dice = inOrder(toPlay.dice, this.trial.order);
    const states = dieStates(dice, { steps: trial.steps, legal: /** @type {any} */ (trial.legal) });
    return { dice, states, side, seq, covered: false, mine: false };
  }

  /** @param {import("../match/view.js").CatalogueEntry} entry */
  arrows(entry) {
    const { mistake, phase } = this.practice;
    if (phase !== "shown") this.shownArrows = this.shownArrows.length > 0 ? [] : this.shownArrows;
    else if (this.shownArrows.length === 0) this.shownArrows = arrowsOf(entry, mistake.side, mistake.better);
    return this.shownArrows;
  }

  /** @returns {["advice" | "hint" | "result", string]} */
  told() {
    const { mistake, mistakes, nth, phase } = this.practice;
    const best = t("practice.shown", { turn: notationText(mistake.betterNotation), chance: hundredths(mistake.best) });
    switch (phase) {
      case "playing":
      case "judging":
        return ["hint", t("practice.ask", { nth: nth + 1, count: mistakes.length, turn: mistake.nth })];
      case "best":
        return ["result", t("practice.best")];
      case "good":
        return ["result", t("practice.good")];
      case "same":
        return ["hint", t("practice.same", { cost: this.costs(mistake.lost) })];
      case "other":
        return ["hint", t("practice.other", { cost: this.costs(this.practice.lost ?? 0) })];
      case "shown":
        return ["advice", best];
    }
  }

  /** The loss of a turn. @param {number} lost */
  costs(lost) {
    return costText(this.match.lookBack.analysis.unit, lost);
  }

  /** @param {import("../match/trial.js").Step[]} steps */
  play(steps) {
    this.practice.trial.play(steps);
  }

  /** The turn being played here. */
  get trial() {
    return this.practice.trial;
  }

  /** @param {string} from @param {string} [to] */
  why(from, to) {
    return this.practice.trial.why(from, to);
  }

  /** The keyboard shortcuts. @returns {import("./match-keys.js").Keys} */
  get keys() {
    const { isReady } = this.practice;
    return {
      u: () => this.undo(),
      d: () => this.isOver || this.trial.reorder(),
      h: () => this.show(),
      c: () => (isReady ? this.check() : this.isOver ? this.next() : undefined),
      f: () => this.match.flip(),
    };
  }

  /** Whether the mistake has been judged, or its solution shown. */
  get isOver() {
    return !["playing", "judging"].includes(this.practice.phase);
  }

  /** Takes a step back; after the judgement all steps, to try again. */
  undo() {
    const { phase, trial } = this.practice;
    if (phase === "playing") return trial.undo();
    if (phase === "judging") return;
    this.practice.again();
    this.say();
  }

  show() {
    if (["best", "good", "judging", "shown"].includes(this.practice.phase)) return;
    this.practice.show();
    this.say();
  }

  check() {
    sound("step");
    this.practice.play();
  }

  next() {
    if (!this.practice.isLast) return this.begin(this.practice.nth + 1);
    const { foundCount, mistakes } = this.practice;
    this.leave();
    this.match.saying.tell(t("practice.result", { found: foundCount, count: mistakes.length }));
  }

  /** Returns to the analysis, at the practised turn. */
  leave() {
    this.match.turnTo(undefined);
    this.match.openAnalysis();
  }

  bar() {
    const { phase, trial, isReady, isLast } = this.practice;
    const isPlaying = phase === "playing";
    return html`${tools(this.match)}<div class="slots">
      ${slot("close", t("practice.leave"), () => this.leave())}
      ${slot("hint", t("practice.solution"), () => this.show(), { key: "h", isIdle: !isPlaying && !["same", "other"].includes(phase) })}
      ${slot("undo", t(isPlaying ? "turn.undo" : "practice.retry"), () => this.undo(), {
        key: "u",
        isIdle: isPlaying ? trial.steps.length === 0 : ["judging", "best", "good"].includes(phase),
      })}
      ${this.isOver
        ? main(t(isLast ? "practice.end" : "practice.next"), () => this.next(), { key: "c" })
        : main(t("practice.check"), () => this.check(), { key: "c", isIdle: !isReady })}
    </div>`;
  }

  /** All practised mistakes, and which of them were solved. */
  beside() {
    const { found, mistakes, nth } = this.practice;
    return html`<div class="beside">
      <h3 id="practice">${t("practice.title")}</h3>
      <ol class="tried" aria-labelledby="practice">${mistakes.map((mistake, place) => html`<li>
        <button class="figures" @click=${() => this.go(place)} aria-current=${place === nth ? "true" : nothing}>
          <span>${t("practice.turn", { turn: mistake.nth })}</span>
          <span class="cost">${this.costs(mistake.lost)}</span>
          <span class="muted">${this.stateOf(found.get(mistake))}</span>
        </button></li>`)}</ol>
      <p class="muted small">${t("practice.what")}</p>
      <p><button @click=${() => this.leave()}>${t("practice.leave")}</button></p>
    </div>`;
  }

  /** @param {boolean | undefined} isFound */
  stateOf(isFound) {
    return isFound === undefined ? "" : t(isFound ? "practice.found" : "practice.missed");
  }

  /** @param {number} nth */
  go(nth) {
    this.match.closeSheet();
    this.begin(nth);
  }
}
