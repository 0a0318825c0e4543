// Conditional turns: turns entered in advance, to be played in a correspondence match while the person is away. The
// server stores and plays them, and decides which are legal.

import { ask } from "../api/rest.js";
import { isTafl } from "../game/games.js";
import { movesOf } from "../game/moves.js";
import { token } from "../player/identity.js";

/** @typedef {import("../api/wire").components["schemas"]["CatalogueEntry"]} CatalogueEntry */
/** @typedef {import("../api/wire").components["schemas"]["ConditionalTurns"]} ConditionalTurns */
/** @typedef {import("../api/wire").components["schemas"]["Position"]} Position */
/** @typedef {import("../api/wire").components["schemas"]["Step"]} Step */
/** @typedef {import("../game/moves.js").Move} Move */
/** @typedef {{step: Step, position: Position, ends: boolean}} Planned a turn, the position after it, and whether it ends the game */

/** The most turns in a line. */
const LINE_MAX = 16;

/** @param {Step} a @param {Step} b */
const same = (a, b) => a.from === b.from && a.to === b.to;

/** A line in notation: pairs of turns. @param {Step[]} line */
export const lineText = (line) => line.map(({ from, to }) => `${from}–${to}`).join(" ");

/** The conditional turns of a match, and the line being entered. Event: `change`. */
export class Conditional extends EventTarget {
  /** @param {import("./live.js").LiveMatch} live @param {CatalogueEntry} entry */
  constructor(live, entry) {
    super();
    this.live = live;
    this.entry = entry;
    /** The stored lines; undefined until the server has sent them. @type {ConditionalTurns | undefined} */
    this.laidDown = undefined;
    /** The line being entered. @type {Planned[]} */
    this.line = [];
    /** The legal next turns of the line. @type {Move[]} */
    this.moves = [];
    this.asked = 0;
    /** The event of the turn at which lines begin. @type {number | undefined} */
    this.seq = undefined;
    live.addEventListener("moment", () => this.seq !== undefined && this.wentOn());
  }

  /** Whether lines can be entered now: in a game without dice, while the opponent thinks. */
  get canPlan() {
    const { moment, myTurn } = this.live;
    return moment !== undefined && isTafl(moment.game) && myTurn === undefined;
  }

  /** The position at the end of the line. @returns {Position | undefined} */
  get position() {
    return this.line.at(-1)?.position ?? this.live.moment?.position;
  }

  /** The side to move at the end of the line. @returns {"theirs" | "own"} */
  get who() {
    return this.line.length % 2 === 0 ? "theirs" : "own";
  }

  /** The steps of the line. @returns {Step[]} */
  get steps() {
    return this.line.map(({ step }) => step);
  }

  /** The stored lines. @returns {Step[][]} */
  get lines() {
    return this.laidDown?.lines ?? [];
  }

  /** Whether the line can be stored: it ends with one's own turn, and is new. */
  get isWhole() {
    const { steps } = this;
    const known = this.lines.some((line) => steps.every((step, nth) => line[nth] && same(line[nth], step)));
    return steps.length > 0 && this.who === "theirs" && !known;
  }

  get path() {
    return `/matches/${this.live.id}/conditional-turns`;
  }

  /** Loads the stored lines, and begins a new one. @throws {import("../api/rest.js").Problem} */
  async read() {
    this.seq = this.live.moment?.toPlay?.seq;
    this.laidDown = await ask("GET", this.path, { token: token() });
    this.seq = this.laidDown?.seq;
    await this.begin([]);
  }

  /** The match has moved on: begins lines anew. */
  wentOn() {
    const { toPlay } = this.live.moment ?? {};
    if (toPlay?.seq === this.seq) return;
    if (toPlay) this.read().catch(() => {});
    this.changed();
  }

  /** @param {Planned[]} line */
  async begin(line) {
    this.line = line;
    this.moves = [];
    this.changed();
    const asked = ++this.asked;
    const { position } = this;
    if (!this.canPlan || !position || line.at(-1)?.ends || line.length >= LINE_MAX) return;
    const legal = await this.rules({ position });
    if (asked !== this.asked) return;
    this.moves = movesOf(this.entry, /** @type {any} */ ({ to_play: position.to_move, steps: legal.steps }));
    this.changed();
  }

  /** @param {import("../api/wire").components["schemas"]["RulesQuestion"]} question @returns {Promise<import("../api/wire").components["schemas"]["RulesAnswer"]>} */
  rules(question) {
    const { game, options } = /** @type {any} */ (this.live.moment);
    return ask("POST", `/rules/${game}`, { body: { ...question, options: options ?? {} } });
  }

  /** Adds a turn to the line. @param {Move} move @throws {import("../api/rest.js").Problem} */
  async play(move) {
    const { line, position } = this;
    const [step] = move.steps;
    this.moves = [];
    const answer = await this.rules({ position: /** @type {Position} */ (position), steps: [step], ends: true });
    if (line !== this.line) return;
    const after = answer.ends?.[0] ?? answer.position;
    await this.begin([...line, { step, position: after, ends: Boolean(answer.outcome) }]);
  }

  /** Removes the last turn of the line. */
  undo() {
    return this.begin(this.line.slice(0, -1));
  }

  /** Stores the line, including the stored line that it extends. @throws {import("../api/rest.js").Problem} */
  async add() {
    const { steps } = this;
    const others = this.lines.filter((line) => !line.every((step, nth) => steps[nth] && same(steps[nth], step)));
    await this.put({ lines: [...others, steps] });
    await this.begin([]);
  }

  /** Removes a stored line. @param {number} nth @throws {import("../api/rest.js").Problem} */
  remove(nth) {
    return this.put({ lines: this.lines.filter((_, other) => other !== nth) });
  }

  /** Sets whether forced turns are played. @param {boolean} forced @throws {import("../api/rest.js").Problem} */
  force(forced) {
    return this.put({ forced });
  }

  /** @param {Partial<ConditionalTurns>} change */
  async put(change) {
    const { forced = false, lines = [] } = this.laidDown ?? {};
    const seq = this.live.moment?.toPlay?.seq;
    this.laidDown = await ask("PUT", this.path, { body: { forced, lines, ...change, seq }, token: token() });
    this.seq = seq;
    this.changed();
  }

  changed() {
    this.dispatchEvent(new Event("change"));
  }
}
