// The parts around the board of a match, rendered after it: below it, and beside it where there is room.

import { ownTask } from "../own-task.js";

/** The screens with room beside the board: as in match-style.js. */
const ROOM = "(min-width: 60rem) and (min-height: 30.01rem)";

/** Decides which parts around the board of a match are rendered. */
export class Beside {
  #room = matchMedia(ROOM);
  #changed = () => this.match.requestUpdate();
  /** @type {Promise<void> | undefined} */
  #begun;
  /** Whether the part below the board is rendered. */
  isBelow = false;
  /** Whether the part beside the board may render by now. */
  #isTurn = false;

  /** @param {import("./match.js").MatchElement} match */
  constructor(match) {
    this.match = match;
    match.addController(this);
  }

  hostConnected() {
    this.#room.addEventListener("change", this.#changed);
  }

  hostDisconnected() {
    this.#room.removeEventListener("change", this.#changed);
  }

  hostUpdated() {
    this.#begun ??= this.#begin();
  }

  async #begin() {
    await ownTask();
    this.isBelow = true;
    this.#changed();
    const board = /** @type {import("../board/board.js").Board} */ (this.match.renderRoot.querySelector("lusoria-board"));
    await board.updateComplete;
    await ownTask();
    this.#isTurn = true;
    this.#changed();
  }

  /** Whether there is no room beside the board: then its part is in the sheet. */
  get isAway() {
    return !this.#room.matches;
  }

  /** Whether the part beside the board is rendered. */
  get isDrawn() {
    return this.#isTurn && !this.isAway;
  }
}
