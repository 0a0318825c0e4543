// What stands around the board of a match, drawn after it: below it, and beside it where there is room.

import { ownTask } from "../own-task.js";

/** Where there is room beside the board: as in match-style.js. */
const ROOM = "(min-width: 60rem) and (min-height: 30.01rem)";

/** What knows that of a match on the screen. */
export class Beside {
  #room = matchMedia(ROOM);
  #changed = () => this.match.requestUpdate();
  /** @type {Promise<void> | undefined} */
  #begun;
  /** Whether what is below the board is drawn. */
  isBelow = false;
  /** Whether its turn has come to be drawn beside the board. */
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

  /** Whether there is no room beside the board: then that is in the sheet. */
  get isAway() {
    return !this.#room.matches;
  }

  /** Whether what is beside the board is drawn. */
  get isDrawn() {
    return this.#isTurn && !this.isAway;
  }
}
