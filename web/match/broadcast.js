// A channel of TV, big: its match as it is played, and the next one once that is there.

import { LiveMatch } from "./live.js";
import { Pace } from "./pace.js";

/** @typedef {import("../api/socket.js").Connection} Connection */
/** @typedef {import("../api/wire").components["schemas"]["CatalogueEntry"]} CatalogueEntry */
/** @typedef {{live: LiveMatch, pace: Pace}} Shown */

/** How long the end of a match is seen at least. */
const END_MS = 6_000;

/** After what time it is asked again for a match that the server cannot show now, if it does not say. */
const AGAIN_S = 5;
const SECOND_MS = 1_000;

/** Who looks is a stranger: on TV nobody has a seat. */
const NOBODY = () => undefined;

/** Event: `switch` (another match is shown). */
export class Broadcast extends EventTarget {
  /** @param {Connection} connection @param {CatalogueEntry} entry of the game of the channel */
  constructor(connection, entry) {
    super();
    this.connection = connection;
    this.entry = entry;
    /** What is shown. @type {Shown | undefined} */
    this.shown = undefined;
    /** What will be, once it is known how it stands and the end of what is shown has been seen. @type {LiveMatch | undefined} */
    this.coming = undefined;
    /** Until when the end of what is shown is to be seen, in milliseconds; none before it is. @type {number | undefined} */
    this.until = undefined;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
  }

  /** Goes to another match, if it is not the one that is shown. @param {string | undefined} id */
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

  /** Switches, if it is time to. */
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
    // Who comes when it is over has not waited for its end.
    this.until = coming.moment.state === "ended" ? 0 : undefined;
    pace.addEventListener("change", () => this.look());
    this.dispatchEvent(new Event("switch"));
  }

  /** Follows no match any more; nothing else is shown. */
  stop() {
    clearTimeout(this.timer);
    this.coming?.stop();
    this.shown?.live.stop();
    this.coming = this.shown = undefined;
  }

  /** Notes when the end of what is shown was first seen. @param {Shown} shown */
  seeEnd({ live, pace }) {
    if (live.moment?.state !== "ended" || pace.isBehind) return;
    this.until ??= performance.now() + END_MS;
  }
}
