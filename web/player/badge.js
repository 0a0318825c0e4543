// Shows how many matches wait while the person looks elsewhere: in the document's title, on its icon, and on the icon
// of the installed app.

import { ask } from "../api/rest.js";
import { isInstalled } from "./device.js";
import { token } from "./identity.js";

/** @typedef {import("../api/wire").components["schemas"]["MatchCard"]} MatchCard */

const COUNTED_MAX = 50;

/** The icon without and with a dot. */
const ICON = /\bicon(-turn)?\.svg$/;

/**
 * Whether a match waits for the person; pass-and-play matches do not count.
 * @param {MatchCard} card
 */
export const waits = (card) => card.your_turn === true && (card.your_seats ?? []).length < 2;

/** Sets the document's title, and puts a dot on its icon if matches wait. @param {string} title @param {boolean} waiting */
export function entitle(title, waiting) {
  if (document.title !== title) document.title = title;
  const icon = /** @type {HTMLLinkElement | null} */ (document.querySelector('link[rel="icon"]'));
  const href = icon?.href.replace(ICON, waiting ? "icon-turn.svg" : "icon.svg");
  if (icon && href && icon.href !== href) icon.href = href;
}

/** Shows the number of waiting matches on the app's icon. @param {number} count */
export function showCount(count) {
  if (!("setAppBadge" in navigator)) return;
  // Not every system shows a number on icons.
  (count > 0 ? navigator.setAppBadge(count) : navigator.clearAppBadge()).catch(() => {});
}

/** Counts again when the person leaves a page that does not know the other matches. */
export function countWhenLeft() {
  if (!("setAppBadge" in navigator) || !isInstalled()) return;
  document.addEventListener("visibilitychange", async () => {
    const key = token();
    if (document.visibilityState === "visible" || key === null) return;
    const told = await ask("GET", `/me/matches?state=live&limit=${COUNTED_MAX}`, { token: key }).catch(() => undefined);
    if (told) showCount(told.matches.filter(waits).length);
  });
}
