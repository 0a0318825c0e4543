// Looking back at a match that is over: whether its analysis is shown beside the board.

import { Analysis } from "../match/analysis.js";

export class LookBack {
  /**
   * @param {import("../match/live.js").LiveMatch} live @param {() => void} changed told of every change
   * @param {() => void} missed told when what shows the analysis cannot be loaded
   * @param {() => Promise<unknown>} [load] loads that
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
      // There is no line, or the server has other files by now.
      this.missed();
    }
  }

  /** The turn that was given by an event and could have been better, if that is shown. @param {number} seq */
  faultAt(seq) {
    return this.isOpen ? this.analysis.faultAt(seq) : undefined;
  }
}
