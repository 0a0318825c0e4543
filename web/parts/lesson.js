// A first game: the board, its text, and the steps through the stations.

import "../board/board.js";
import "../board/dice.js";
import { roomOf } from "../board/spread.js";
import { inOrder, movesOf } from "../game/moves.js";
import { nameOf, placeOf } from "../game/places.js";
import { standing } from "../learn/lesson.js";
import { LitElement, html, nothing } from "../lit.js";
import { hearOn, play as sound } from "../match/sounds.js";
import { moving, preferred } from "../player/preferences.js";
import { base, buttons, cards } from "../style/shared.js";
import { t } from "../text/text.js";
import { gameName, notationText, reasonText, sideName } from "../text/words.js";
import { look } from "./lesson-style.js";

/** @typedef {import("../game/places.js").CatalogueEntry} CatalogueEntry */
/** @typedef {import("../learn/lesson.js").Lesson} Lesson */

/** The same object each time, so that the board sees no change. @type {number[]} */
const NO_ORDER = [];

/** `<lusoria-lesson>`. Properties: `lesson`; `entry`, its game. */
export class LusoriaLesson extends LitElement {
  static properties = {
    lesson: { attribute: false },
    entry: { attribute: false },
    refusal: { state: true },
  };

  static styles = [base, buttons, cards, look];

  constructor() {
    super();
    /** @type {Lesson | undefined} */
    this.lesson = undefined;
    /** @type {CatalogueEntry | undefined} */
    this.entry = undefined;
    /** Why a piece could not go. */
    this.refusal = "";
    /** @type {import("../board/board.js").Thrown | undefined} */
    this.lying = undefined;
    this.changed = () => {
      this.refusal = "";
      this.requestUpdate();
    };
  }

  /** @param {Map<PropertyKey, unknown>} changes */
  willUpdate(changes) {
    if (this.entry) hearOn(this.entry.id);
    if (!changes.has("lesson")) return;
    /** @type {Lesson | undefined} */ (changes.get("lesson"))?.removeEventListener("change", this.changed);
    this.lesson?.addEventListener("change", this.changed);
  }

  /** Scrolls a new text to its beginning. */
  updated() {
    this.renderRoot.querySelector(".told")?.scrollTo(0, 0);
  }

  /** @param {CustomEvent} event */
  moved({ detail: { move, strikes } }) {
    sound(strikes ? "hit" : "step");
    this.lesson?.add(move.steps);
  }

  /** @param {CustomEvent<{from: string, to?: string}>} event */
  async refused({ detail: { from, to } }) {
    const { lesson, entry } = this;
    const side = lesson?.station?.side;
    if (!lesson || !entry || !side || lesson.phase !== "playing") return;
    const name = (/** @type {string} */ place) => nameOf(entry, side, place);
    const reason = await lesson.why(name(from), to === undefined ? undefined : name(to));
    const told = reason && reasonText(reason);
    this.refusal = told ?? t(to === undefined ? "learn.unmovable" : "learn.unreachable");
  }

  render() {
    const { lesson, entry } = this;
    if (!lesson || !entry) return nothing;
    return html`
      <header>
        <h1>${gameName(entry.id)}</h1>
        ${lesson.ended ? nothing : this.progress(lesson)}
      </header>
      ${lesson.ended
        ? this.end(entry)
        : [this.told(lesson), this.board(lesson, entry), this.below(lesson)]}
    `;
  }

  /** @param {Lesson} lesson */
  progress({ at, stations }) {
    const text = t("learn.progress", { now: at + 1, all: stations.length });
    return html`
      <p class="progress">
        <progress max=${stations.length} value=${at + 1} aria-hidden="true"></progress>${text}
      </p>
    `;
  }

  /** @param {Lesson} lesson */
  told(lesson) {
    const { phase } = lesson;
    return html`
      <div
        class="card told ${phase}"
        tabindex="0"
        role="region"
        aria-label=${t("learn.told")}
        aria-live="polite"
      >
        ${this.refusal ? html`<p class="word">${this.refusal}</p>` : nothing} ${this.words(lesson)}
      </div>
    `;
  }

  /** @param {Lesson} lesson */
  words(lesson) {
    const { phase, station, steps } = lesson;
    if (!station) return nothing;
    const say = html`<p>${t(`learn.${station.say}`)}</p>`;
    const then = html`<p>${t(`learn.${station.then}`)}</p>`;
    switch (phase) {
      case "right":
        // After a pass, nothing has moved yet.
        if (steps.length === 0) return html`${say}${then}`;
        return html`<p><strong>${t("learn.right")}</strong></p>${then}`;
      case "replied": {
        const side = lesson.mover ? sideName(lesson.mover) : "";
        return html`${then}<p>${t("learn.played", { side, notation: notationText(lesson.reply?.notation ?? "") })}</p>`;
      }
      case "other":
        return html`<p>${t(station.hint ? `learn.${station.hint}` : "learn.notWanted")}</p>`;
      case "failed":
        return html`${say}<p class="word">${t("learn.problem")}</p>`;
      default:
        return say;
    }
  }

  /** @param {Lesson} lesson @param {CatalogueEntry} entry */
  board(lesson, entry) {
    const { station, answer, phase } = lesson;
    if (!station) return nothing;
    const playing = phase === "playing" && answer;
    const { marks = [], side } = station;
    const hints = marks.map((name) => ({ place: placeOf(entry, side, name), kind: "hint" }));
    const legal = /** @type {any} */ ({ ...answer, to_play: side });
    return html`
      <lusoria-board
        .entry=${entry}
        .position=${lesson.position}
        .mover=${lesson.mover}
        .steps=${moving() ? lesson.led : []}
        .viewer=${side}
        .moves=${playing ? movesOf(entry, legal) : []}
        .order=${this.order(lesson)}
        .marks=${phase === "playing" ? hints : []}
        .thrown=${this.thrown(lesson)}
        .label=${t("learn.board", { game: gameName(entry.id) })}
        @lusoria-move=${this.moved}
        @lusoria-refused=${this.refused}
        @lusoria-order=${() => lesson.reorder()}
        >${this.dice(lesson)}</lusoria-board
      >
    `;
  }

  /** @param {Lesson} lesson */
  below(lesson) {
    const { at, phase, station, steps, stations } = lesson;
    const isLast = at === stations.length - 1 && !(phase === "right" && station?.reply);
    const done = phase === "right" || phase === "replied";
    const again = phase === "other" || phase === "failed";
    const isFirst = at === 0 && steps.length === 0 && !lesson.reply;
    const undoes = phase === "playing" && steps.length > 0;
    return html`
      <div class="below">
        <div class="buttons">
          ${iconButton("learn.back", "M15 5l-7 7 7 7", isFirst, () => lesson.back())}
          ${station?.expect.pass
            ? nothing
            : iconButton("learn.undo", "M5 10h9a5 5 0 010 10h-3M9 5l-5 5 5 5", !undoes, () => lesson.undo())}
          ${again
            ? html`<button class="main" @click=${() => lesson.again()}>${t("learn.again")}</button>`
            : nothing}
          <button class=${done ? "main" : ""} @click=${() => lesson.next()}>
            ${t(isLast ? "learn.finish" : "learn.next")}
          </button>
        </div>
      </div>
    `;
  }

  /** The dice in the order in which clicks play them; empty where a click selects a piece. @param {Lesson} lesson */
  order(lesson) {
    return preferred("clicks") === "one" && lesson.phase === "playing" ? lesson.order : NO_ORDER;
  }

  /** The throw on the board: the same object while it lies there. @param {Lesson} lesson */
  thrown(lesson) {
    const { at, mover: side, phase } = lesson;
    const dice = diceOf(lesson);
    if (dice.length === 0 || !side) return (this.lying = undefined);
    const seq = 2 * at + (phase === "replied" ? 1 : 0);
    if (this.lying?.seq !== seq) this.lying = { seq, side, count: roomOf(dice) };
    return this.lying;
  }

  /** @param {Lesson} lesson */
  dice(lesson) {
    const { answer, hand, left, mover, phase } = lesson;
    const dice = diceOf(lesson);
    const states = phase === "replied" ? [] : standing(inOrder(hand, lesson.order), left, answer?.complete ?? false);
    return html`
      <lusoria-dice
        slot="dice"
        .dice=${phase === "replied" ? dice : inOrder(dice, lesson.order)}
        .states=${states}
        .seq=${this.lying?.seq}
        .covered=${false}
        .ordered=${this.order(lesson).length > 1 && lesson.hasOrder}
        .side=${mover ?? ""}
        .label=${t("learn.dice")}
      ></lusoria-dice>
    `;
  }

  /** @param {CatalogueEntry} entry */
  end({ id }) {
    const game = gameName(id);
    return html`
      <section class="card end">
        <h2>${t("learn.ended")}</h2>
        <p>${t("learn.ended.more")}</p>
        <div class="ways">
          <a class="button main" href="/#${id}">${t("learn.play", { game })}</a>
          <a class="button" href="/rules/${id}">${t("learn.rules", { game })}</a>
          <button class="plain" @click=${() => this.lesson?.go(0)}>${t("learn.again")}</button>
        </div>
      </section>
    `;
  }
}

/** The last throw. @param {Lesson} lesson @returns {number[]} */
const diceOf = ({ phase, station }) => (phase === "replied" ? station?.reply?.dice : station?.dice) ?? [];

/** @param {string} name @param {string} path @param {boolean} disabled @param {() => unknown} does */
function iconButton(name, path, disabled, does) {
  const label = t(name);
  return html`
    <button class="icon" aria-label=${label} title=${label} ?disabled=${disabled} @click=${does}>
      <svg viewBox="0 0 24 24" aria-hidden="true"><path d=${path} /></svg>
    </button>
  `;
}

customElements.define("lusoria-lesson", LusoriaLesson);
