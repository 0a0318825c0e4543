// Times of tournaments as people say them: the local time of a start, and how long until then.

import { currentLocale, t } from "../text/text.js";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** How long something lasts: "90 min", "3 h", "2 days". @param {number} ms */
export function lastsText(ms) {
  const minutes = Math.round(ms / MINUTE_MS);
  if (minutes < 120 || (minutes % 60 !== 0 && minutes < 600)) return t("tournaments.minutes", { count: minutes });
  const hours = Math.round(ms / HOUR_MS);
  return hours < 48 ? t("tournaments.hours", { count: hours }) : t("tournaments.days", { count: Math.round(ms / DAY_MS) });
}

/** How long until something, as on a clock: "4:05", "3 h 20 min", "2 days". @param {number} ms */
export function leftText(ms) {
  const seconds = Math.max(0, Math.ceil(ms / SECOND_MS));
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${String(seconds % 60).padStart(2, "0")}`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return t("tournaments.left", { hours, minutes: minutes % 60 });
  return t("tournaments.days", { count: Math.round(ms / DAY_MS) });
}

/** How soon `leftText` says something else, in milliseconds. @param {number} ms until the time */
export const changesIn = (ms) => (ms < HOUR_MS + MINUTE_MS ? (ms % SECOND_MS || SECOND_MS) : ms % MINUTE_MS || MINUTE_MS);

/** @param {number} at */
const midnight = (at) => new Date(at).setHours(0, 0, 0, 0);

/**
 * A time on this device's clock: "today, 20:00", "tomorrow, 20:00", "Sat 5 Dec, 20:00".
 * @param {number} at @param {number} now
 */
export function localWhen(at, now) {
  const time = new Intl.DateTimeFormat(currentLocale(), { timeStyle: "short" }).format(at);
  const days = Math.round((midnight(at) - midnight(now)) / DAY_MS);
  if (days === 0 || days === 1) {
    const day = new Intl.RelativeTimeFormat(currentLocale(), { numeric: "auto" }).format(days, "day");
    return t("tournaments.when", { day, time });
  }
  const year = new Date(at).getFullYear() === new Date(now).getFullYear() ? undefined : "numeric";
  const day = new Intl.DateTimeFormat(currentLocale(), { weekday: "short", day: "numeric", month: "short", year }).format(at);
  return t("tournaments.when", { day, time });
}
