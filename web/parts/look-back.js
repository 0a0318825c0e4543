// Looks back at a finished match: whether its analysis is shown beside the board.

import { Analysis } from "../match/analysis.js";

export class LookBack {
  /**
   * @param {import("../match/live.js").LiveMatch} live @param {() => void} changed called after every change
   * @param {() => void} missed called when the analysis element cannot be loaded
   * @param {() => Promise<unknown>} [load] loads the element
   */
  constructor(live, changed, missed, load = () => import("./analysis.js")) {
    this.analysis = new Analysis(live);
    this.analysis.addEventListener("change", changed);
    this.changed = changed;
    this.missed = missed;
    this.load = load;
    this.isOpen = false;
  }

  /** Shows the analysis, or the turns again. @param {boolean} isOpen */
  async turnTo(isOpen) {
    try {
      if (isOpen) await this.load();
      this.isOpen = isOpen;
      this.changed();
    } catch {
      // There is no connection, or the server has a new release.
      this.missed();
    }
  }

  /** The mistake in the turn that an event gave, while mistakes are shown. @param {number} seq */
  faultAt(seq) {
    return this.isOpen ? this.analysis.faultAt(seq) : undefined;
  }
}
