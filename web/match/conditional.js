// Conditional turns: what is laid down to be played in a match by days while the person is away. The server keeps it,
// and plays it; the rules of a turn it tells, too.

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

/** The most turns of a line. */
const LINE_MAX = 16;

/** @param {Step} a @param {Step} b */
const same = (a, b) => a.from === b.from && a.to === b.to;

/** A line as people write it: pairs of turns. @param {Step[]} line */
export const lineText = (line) => line.map(({ from, to }) => `${from}–${to}`).join(" ");

/** What is laid down for a match, and the line that is being made. Event: `change`. */
export class Conditional extends EventTarget {
  /** @param {import("./live.js").LiveMatch} live @param {CatalogueEntry} entry */
  constructor(live, entry) {
    super();
    this.live = live;
    this.entry = entry;
    /** What is laid down; undefined until the server has told. @type {ConditionalTurns | undefined} */
    this.laidDown = undefined;
    /** The line that is being made. @type {Planned[]} */
    this.line = [];
    /** What can be played next in it. @type {Move[]} */
    this.moves = [];
    this.asked = 0;
    /** The event of the turn with which lines begin. @type {number | undefined} */
    this.seq = undefined;
    live.addEventListener("moment", () => this.seq !== undefined && this.wentOn());
  }

  /** Whether lines can be made now: in a game without dice, while the opponent thinks. */
  get canPlan() {
    const { moment, myTurn } = this.live;
    return moment !== undefined && isTafl(moment.game) && myTurn === undefined;
  }

  /** The position of the line that is being made. @returns {Position | undefined} */
  get position() {
    return this.line.at(-1)?.position ?? this.live.moment?.position;
  }

  /** Whose turn it is in it. @returns {"theirs" | "own"} */
  get who() {
    return this.line.length % 2 === 0 ? "theirs" : "own";
  }

  /** The steps of the line. @returns {Step[]} */
  get steps() {
    return this.line.map(({ step }) => step);
  }

  /** The lines that are laid down. @returns {Step[][]} */
  get lines() {
    return this.laidDown?.lines ?? [];
  }

  /** Whether the line can be laid down: it ends with a turn of one's own, and is new. */
  get isWhole() {
    const { steps } = this;
    const known = this.lines.some((line) => steps.every((step, nth) => line[nth] && same(line[nth], step)));
    return steps.length > 0 && this.who === "theirs" && !known;
  }

  get path() {
    return `/matches/${this.live.id}/conditional-turns`;
  }

  /** Reads what is laid down, and begins a line. @throws {import("../api/rest.js").Problem} */
  async read() {
    this.seq = this.live.moment?.toPlay?.seq;
    this.laidDown = await ask("GET", this.path, { token: token() });
    this.seq = this.laidDown?.seq;
    await this.begin([]);
  }

  /** The match has gone on: lines begin anew. */
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

  /** Takes the last turn of the line back. */
  undo() {
    return this.begin(this.line.slice(0, -1));
  }

  /** Lays the line down. What it goes on from is part of it. @throws {import("../api/rest.js").Problem} */
  async add() {
    const { steps } = this;
    const others = this.lines.filter((line) => !line.every((step, nth) => steps[nth] && same(steps[nth], step)));
    await this.put({ lines: [...others, steps] });
    await this.begin([]);
  }

  /** Takes a line back. @param {number} nth @throws {import("../api/rest.js").Problem} */
  remove(nth) {
    return this.put({ lines: this.lines.filter((_, other) => other !== nth) });
  }

  /** Whether turns without a choice are played. @param {boolean} forced @throws {import("../api/rest.js").Problem} */
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
