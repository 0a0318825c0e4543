// Notices that nobody touches the screen any more: says so for a while, then that it is left alone.

const SECOND_MS = 1_000;

/** Events: `change` when what is left of the warning changes; `alone` when nobody has stopped it. */
export class Idle extends EventTarget {
  /** @param {number} quietMs how long nothing happens before it warns @param {number} warningS how long it warns, in seconds */
  constructor(quietMs, warningS) {
    super();
    this.quietMs = quietMs;
    this.warningS = warningS;
    /** The seconds that are left of the warning; undefined while there is none. @type {number | undefined} */
    this.left = undefined;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
  }

  /** Somebody is there: it waits from now on. */
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
