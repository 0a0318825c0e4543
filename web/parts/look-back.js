// Looking back at a match that is over: whether its analysis is shown beside the board.

import { Analysis } from "../match/analysis.js";

export class LookBack {
  /** @param {import("../match/live.js").LiveMatch} live @param {() => void} changed told of every change */
  constructor(live, changed) {
    this.analysis = new Analysis(live);
    this.analysis.addEventListener("change", changed);
    this.changed = changed;
    this.isOpen = false;
  }

  /** Shows the analysis, or the turns again. @param {boolean} isOpen */
  async turnTo(isOpen) {
    await import("./analysis.js");
    this.isOpen = isOpen;
    this.changed();
  }

  /** The turn that was given by an event and could have been better, if that is shown. @param {number} seq */
  faultAt(seq) {
    return this.isOpen ? this.analysis.faultAt(seq) : undefined;
  }
}
