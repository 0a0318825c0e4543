// Shows a TV channel: one element for each match, which announces a change of match for a while.

import { playerName } from "../match/telling.js";
import { t } from "../text/text.js";
import { LusoriaEmbed } from "./embed.js";

/** How long the change of match is announced. */
const TOLD_MS = 8_000;

/**
 * Follows a channel.
 * @param {import("../match/broadcast.js").Broadcast} broadcast
 * @param {(element: LusoriaEmbed) => void} show replaces the previous element
 * @param {{inside?: boolean}} [how] where the element is shown
 * @returns {{update: () => void}} to be updated when the state of the connection changes
 */
export function screenOf(broadcast, show, { inside = false } = {}) {
  /** @type {LusoriaEmbed | undefined} */
  let element;
  let timer = 0;
  broadcast.addEventListener("switch", () => {
    const { shown, entry } = broadcast;
    if (!shown) return;
    const news = element ? newsOf(shown) : "";
    const next = Object.assign(new LusoriaEmbed(), { ...shown, entry, inside, news });
    element = next;
    clearTimeout(timer);
    if (news) timer = window.setTimeout(() => (next.news = ""), TOLD_MS);
    show(next);
  });
  return { update: () => element?.requestUpdate() };
}

/** The announcement of a change of match. @param {NonNullable<import("../match/broadcast.js").Broadcast["shown"]>} shown */
function newsOf({ live }) {
  const moment = /** @type {import("../game/story.js").Moment} */ (live.moment);
  return t("tv.now", { a: playerName(moment, 1), b: playerName(moment, 2) });
}
