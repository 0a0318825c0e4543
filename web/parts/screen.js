// What a channel of TV shows as elements: one for each match, which says for a while that it has followed another.

import { playerName } from "../match/telling.js";
import { t } from "../text/text.js";
import { LusoriaEmbed } from "./embed.js";

/** How long it is told that another match is shown. */
const TOLD_MS = 8_000;

/**
 * Follows a channel.
 * @param {import("../match/broadcast.js").Broadcast} broadcast
 * @param {(element: LusoriaEmbed) => void} show puts an element in the place of the one before
 * @param {{inside?: boolean}} [how] where it stands
 * @returns {{update: () => void}} to be updated when the state of the line has changed
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

/** Says that another match is shown. @param {NonNullable<import("../match/broadcast.js").Broadcast["shown"]>} shown */
function newsOf({ live }) {
  const moment = /** @type {import("../game/story.js").Moment} */ (live.moment);
  return t("tv.now", { a: playerName(moment, 1), b: playerName(moment, 2) });
}
