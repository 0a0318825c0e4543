// What waits for the person, where they see it while they look elsewhere: in the title of the document, on its icon,
// and on the icon of the page that they have installed.

import { ask } from "../api/rest.js";
import { isInstalled } from "./device.js";
import { token } from "./identity.js";

/** @typedef {import("../api/wire").components["schemas"]["MatchCard"]} MatchCard */

const COUNTED_MAX = 50;

/** The icon as it is, and with a dot. */
const ICON = /\bicon(-turn)?\.svg$/;

/**
 * Whether a match waits for the person: one with both sides their own waits for nobody.
 * @param {MatchCard} card
 */
export const waits = (card) => card.your_turn === true && (card.your_seats ?? []).length < 2;

/** Names the document, and puts a dot on its icon if something waits for the person. @param {string} title @param {boolean} waiting */
export function entitle(title, waiting) {
  if (document.title !== title) document.title = title;
  const icon = /** @type {HTMLLinkElement | null} */ (document.querySelector('link[rel="icon"]'));
  const href = icon?.href.replace(ICON, waiting ? "icon-turn.svg" : "icon.svg");
  if (icon && href && icon.href !== href) icon.href = href;
}

/** Shows on the icon of the app how many matches wait. @param {number} count */
export function showCount(count) {
  if (!("setAppBadge" in navigator)) return;
  // Systems may have icons without a place for it.
  (count > 0 ? navigator.setAppBadge(count) : navigator.clearAppBadge()).catch(() => {});
}

/** Counts anew when the person leaves a page that does not know what waits elsewhere. */
export function countWhenLeft() {
  if (!("setAppBadge" in navigator) || !isInstalled()) return;
  document.addEventListener("visibilitychange", async () => {
    const key = token();
    if (document.visibilityState === "visible" || key === null) return;
    const told = await ask("GET", `/me/matches?state=live&limit=${COUNTED_MAX}`, { token: key }).catch(() => undefined);
    if (told) showCount(told.matches.filter(waits).length);
  });
}
