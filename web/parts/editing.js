// Putting a position together on the board of the editor: pieces that go anywhere, whose turn it is, the dice; and
// whether the rules know such a position.

import { Problem } from "../api/rest.js";
import { factsOf } from "../game/games.js";
import { cleared, momentOf, queryOf, setUp, setupIn, setupMoves, startOf } from "../game/setup.js";
import { html, nothing } from "../lit.js";
import { Trial, patiently } from "../match/trial.js";
import { t } from "../text/text.js";
import { problemText, sideName } from "../text/words.js";
import { main, slot, tools } from "./bar.js";
import { shareFrom } from "./deeds.js";
import { saveForm, savedList } from "./saved.js";

/** @typedef {import("./match.js").Aside} Aside */
/** @typedef {import("./match.js").MatchElement} Match */
/** @typedef {import("../game/setup.js").Setup} Setup */

/** So many changes can be undone. */
const UNDO_MAX = 100;

const PIPS = [1, 2, 3, 4, 5, 6];

/** @implements {Aside} */
export class Editing {
  /** @param {Match} match @param {Setup} setup */
  constructor(match, setup) {
    this.match = match;
    this.setup = setup;
    /** Before each change. @type {Setup[]} */
    this.earlier = [];
    /** What was moved last. @type {import("../game/moves.js").Move | undefined} */
    this.moved = undefined;
    /** The dice as they are chosen: 0 for none. */
    this.chosen = this.diceOf(setup);
    /** @type {import("../game/story.js").Moment} */
    this.moment;
    /** What can be moved. @type {import("../game/moves.js").Move[]} */
    this.moves = [];
    /** Why the position is impossible; "" if it is not, none until that is known. @type {string | undefined} */
    this.fault = undefined;
    this.asked = 0;
    this.throws = 0;
    // Nothing is played here.
    this.trial = new Trial(async () => Promise.reject());
    this.take(setup);
  }

  /** @param {Setup} setup */
  diceOf = ({ dice }) => Array.from({ length: factsOf(this.match.entry.id).dice ?? 0 }, (_, nth) => dice[nth] ?? 0);

  /** Takes a setup over: draws it, writes it into the address and asks whether it is possible. @param {Setup} setup */
  take(setup) {
    const { entry } = this.match;
    this.setup = setup;
    this.throws += 1;
    this.moment = momentOf(entry, setup, sideName);
    this.moves = setupMoves(entry, setup.position);
    this.match.live.moment = this.moment;
    history.replaceState(null, "", `?${queryOf(setup)}`);
    this.judge();
  }

  /** @param {Partial<Setup>} change @param {import("../game/moves.js").Move} [moved] */
  change(change, moved) {
    this.earlier = [...this.earlier.slice(1 - UNDO_MAX), this.setup];
    this.moved = moved;
    this.take({ ...this.setup, ...change });
  }

  undo() {
    const last = this.earlier.pop();
    if (!last) return;
    this.moved = undefined;
    this.chosen = this.diceOf(last);
    this.take(last);
  }

  /** Asks the rules whether there is such a position. */
  async judge() {
    const asked = ++this.asked;
    const { match, setup: { position, dice, options } } = this;
    this.fault = undefined;
    match.requestUpdate();
    const { connection } = match.live;
    const body = { position, options, ...(dice.length > 0 || this.chosen.length === 0 ? { dice } : {}) };
    try {
      await connection.opened();
      // Over the socket: an impossible position is no fault of the page, as browsers say of HTTP's 409.
      await patiently(() => connection.http("POST", `/rules/${match.entry.id}`, { body }));
      if (asked === this.asked) this.fault = "";
    } catch (why) {
      if (!(why instanceof Problem)) throw why;
      // Before the throw nothing but the dice is missing.
      if (asked === this.asked) this.fault = why.code === "wrong_dice" && dice.length === 0 ? "" : problemText(why);
    }
    if (asked !== this.asked) return;
    match.saying.say(this.told()[1]);
    match.requestUpdate();
  }

  /** @returns {import("../match/view.js").BoardView} */
  view() {
    const { moved, moves, setup: { position } } = this;
    return { position, mover: moved?.side, steps: moved?.steps ?? [], moves, marks: [] };
  }

  /** @returns {import("../match/view.js").ThrowView | undefined} */
  thrown() {
    const { dice, position: { to_move: side } } = this.setup;
    if (dice.length === 0) return undefined;
    return { dice, states: dice.map(() => "ready"), side, seq: this.throws, covered: false, mine: false };
  }

  /** The same each time, so that the board knows that nothing has changed. @type {import("../board/marks.js").Arrow[]} */
  none = [];

  arrows() {
    return this.none;
  }

  /** @returns {["advice" | "hint", string]} */
  told() {
    if (this.fault) return ["advice", this.fault];
    return ["hint", this.fault === undefined ? t("editor.checking") : t("editor.possible", { side: sideName(this.setup.position.to_move) })];
  }

  /** @param {unknown} _ @param {import("../game/moves.js").Move} move */
  play(_, move) {
    this.change({ position: setUp(this.match.entry, this.setup.position, move) }, move);
  }

  async why() {
    return [];
  }

  /** @returns {import("./match-keys.js").Keys} */
  get keys() {
    return { u: () => this.undo(), f: () => this.match.flip(), c: () => this.analyse() };
  }

  /** There is nothing to go back to. */
  leave() {}

  /** Analyses the position, with turns for both sides from it. @param {import("../match/variation.js").Kept[]} [turns] */
  async analyse(turns = []) {
    const { match, moment } = this;
    if (this.fault !== "" && turns.length === 0) return;
    const loaded = await import("./varying.js").catch(() => match.saying.tell(t("analysis.unloaded")));
    if (!loaded) return;
    match.closeSheet();
    loaded.varyFrom(match, { ...moment }, turns);
  }

  /** Opens a variation that was saved. @param {import("../player/variations.js").Saved} saved */
  open({ query, turns }) {
    const setup = setupIn(this.match.entry, query);
    if (!setup) return;
    this.chosen = this.diceOf(setup);
    this.change(setup);
    if (turns.length > 0) this.analyse(turns);
    else this.match.closeSheet();
  }

  bar() {
    const { entry } = this.match;
    const { position } = this.setup;
    return html`${tools(this.match)}<div class="slots">
      ${slot("undo", t("turn.undo"), () => this.undo(), { key: "u", isIdle: this.earlier.length === 0 })}
      ${slot("again", t("editor.start"), () => this.change({ position: { ...entry.start, to_move: position.to_move } }))}
      ${slot("close", t("editor.clear"), () => this.change({ position: cleared(entry, position) }))}
      ${main(t("editor.analyse"), () => this.analyse(), { key: "c", isIdle: this.fault !== "" })}
    </div>`;
  }

  beside() {
    const { match, setup, chosen } = this;
    const { entry } = match;
    const { position } = setup;
    const path = `editor/${entry.id}?${queryOf(setup)}`;
    return html`<div class="beside">
      <p class="muted small">${t("editor.what")}</p>
      ${this.fault ? html`<p class="small">${this.fault}</p>` : nothing}
      <fieldset class="dice">
        <legend>${t("editor.turn")}</legend>
        <select aria-label=${t("editor.turn")} @change=${(/** @type {any} */ { target }) => this.change({ position: { ...position, to_move: target.value } })}>
          ${entry.sides.map(({ id }) => html`<option value=${id} ?selected=${id === position.to_move}>${sideName(id)}</option>`)}</select>
      </fieldset>
      ${chosen.length === 0 ? nothing : html`<fieldset class="dice">
        <legend>${t("editor.dice")}</legend>
        ${chosen.map((die, nth) => html`<select aria-label=${t("variation.die", { nth: nth + 1 })} @change=${(/** @type {any} */ { target }) => this.choose(nth, Number(target.value))}>
          <option value="0" ?selected=${die === 0}>–</option>
          ${PIPS.map((pips) => html`<option value=${pips} ?selected=${pips === die}>${pips}</option>`)}</select>`)}
      </fieldset>`}
      <p><button aria-haspopup="dialog" @click=${() => shareFrom(match, { game: entry.id, path, isListed: false })}>${t("editor.share")}</button></p>
      ${saveForm(match, () => ({ query: queryOf(this.setup), turns: [] }))}
      ${savedList(match, (saved) => this.open(saved))}
    </div>`;
  }

  /** @param {number} nth @param {number} pips */
  choose(nth, pips) {
    this.chosen = this.chosen.with(nth, pips);
    this.change({ dice: this.chosen.every((die) => die > 0) ? this.chosen : [] });
  }
}

/** The editor of a game, with the position that the address holds. @param {Match} match @param {string} query */
export function edit(match, query) {
  const given = setupIn(match.entry, query);
  const editing = new Editing(match, given ?? startOf(match.entry));
  match.turnTo(editing);
  if (!given && query.length > 1) match.saying.tell(t("editor.damaged"));
}
