// A TV channel on a full board: its match live, then the next one.

import { LiveMatch } from "./live.js";
import { Pace } from "./pace.js";

/** @typedef {import("../api/socket.js").Connection} Connection */
/** @typedef {import("../api/wire").components["schemas"]["CatalogueEntry"]} CatalogueEntry */
/** @typedef {{live: LiveMatch, pace: Pace}} Shown */

/** How long the end of a match is shown at least. */
const END_MS = 6_000;

/** When a match that the server cannot show now is requested again, unless the server says. */
const AGAIN_S = 5;
const SECOND_MS = 1_000;

/** The viewer is a stranger: on TV nobody has a seat. */
const NOBODY = () => undefined;

/** Event: `switch` (another match is shown). */
export class Broadcast extends EventTarget {
  /** @param {Connection} connection @param {CatalogueEntry} entry of the channel's game */
  constructor(connection, entry) {
    super();
    this.connection = connection;
    this.entry = entry;
    /** The match shown. @type {Shown | undefined} */
    this.shown = undefined;
    /** The next match; shown once it is loaded and the end of the current one has been shown. @type {LiveMatch | undefined} */
    this.coming = undefined;
    /** Until when the end of the match is shown, in milliseconds; undefined while it runs. @type {number | undefined} */
    this.until = undefined;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
  }

  /** Switches to another match, unless it is already shown. @param {string | undefined} id */
  tune(id) {
    if (id === undefined || id === (this.coming ?? this.shown?.live)?.id) return;
    this.coming?.stop();
    this.coming = undefined;
    clearTimeout(this.timer);
    if (id === this.shown?.live.id) return;
    const live = new LiveMatch(this.connection, id, NOBODY);
    this.coming = live;
    live.addEventListener("moment", () => this.look());
    live.addEventListener("refused", (event) => this.refused(live, /** @type {CustomEvent} */ (event).detail));
    live.start();
  }

  /** @param {LiveMatch} live @param {import("../api/rest.js").Problem} problem */
  refused(live, problem) {
    if (live !== this.coming) return;
    if (problem.mayPass) setTimeout(() => live === this.coming && live.start(), (problem.retryAfterS ?? AGAIN_S) * SECOND_MS);
    else this.coming = undefined;
  }

  /** Switches, if it is time. */
  look() {
    const { coming, shown } = this;
    if (shown) this.seeEnd(shown);
    if (!coming?.moment) return;
    if (shown?.pace.isBehind) return;
    const wait = (this.until ?? 0) - performance.now();
    clearTimeout(this.timer);
    if (wait > 0) {
      this.timer = setTimeout(() => this.look(), wait);
      return;
    }
    shown?.live.stop();
    const pace = new Pace(coming, this.entry);
    this.shown = { live: coming, pace };
    this.coming = undefined;
    // A viewer who joined after the end has not waited for it.
    this.until = coming.moment.state === "ended" ? 0 : undefined;
    pace.addEventListener("change", () => this.look());
    this.dispatchEvent(new Event("switch"));
  }

  /** Stops following; shows nothing. */
  stop() {
    clearTimeout(this.timer);
    this.coming?.stop();
    this.shown?.live.stop();
    this.coming = this.shown = undefined;
  }

  /** Notes when the end of the match was first shown. @param {Shown} shown */
  seeEnd({ live, pace }) {
    if (live.moment?.state !== "ended" || pace.isBehind) return;
    this.until ??= performance.now() + END_MS;
  }
}
