// Notices that nobody touches the screen any more: warns for a while, then reports that it is abandoned.

const SECOND_MS = 1_000;

/** Events: `change` when the warning's remaining time changes; `alone` when nobody has reacted. */
export class Idle extends EventTarget {
  /** @param {number} quietMs the time without a touch before it warns @param {number} warningS the time of the warning, in seconds */
  constructor(quietMs, warningS) {
    super();
    this.quietMs = quietMs;
    this.warningS = warningS;
    /** The warning's remaining seconds; undefined while there is none. @type {number | undefined} */
    this.left = undefined;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
  }

  /** Somebody is there: restarts the timer. */
  touched() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.warn(this.warningS), this.quietMs);
    this.tell(undefined);
  }

  /** @param {number} left in seconds */
  warn(left) {
    if (left <= 0) {
      this.tell(undefined);
      this.dispatchEvent(new Event("alone"));
      return;
    }
    this.tell(left);
    this.timer = setTimeout(() => this.warn(left - 1), SECOND_MS);
  }

  /** @param {number | undefined} left */
  tell(left) {
    if (left === this.left) return;
    this.left = left;
    this.dispatchEvent(new Event("change"));
  }
}
