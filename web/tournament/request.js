// The organiser's form as the server reads it, and back.

import { localText, localTime, presetForm } from "./presets.js";

/** @typedef {import("../api/wire").components["schemas"]["CatalogueEntry"]} CatalogueEntry */
/** @typedef {import("../api/wire").components["schemas"]["Clock"]} Clock */
/** @typedef {import("./presets.js").Form} Form */
/** @typedef {import("./tournaments.js").Tournament} Tournament */

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** @param {string} text @returns {number | undefined} */
const numberOf = (text) => (text.trim() === "" ? undefined : Number(text));

/** @param {Form} form @param {CatalogueEntry} entry of its game @returns {Clock} */
function clockOf({ clock, days, minutes, seconds }, entry) {
  if (clock === "days") return { kind: "days", days: Number(days) };
  const preset = entry.clock_presets.find(({ id }) => id === clock)?.clock;
  return preset ?? { kind: "fischer", base_ms: Number(minutes) * MINUTE_MS, increment_ms: Number(seconds) * SECOND_MS };
}

/** @param {Form} form */
function formatOf({ byRound, consolation, ends, every, kind, lasts, more, rounds, seeding }) {
  switch (kind) {
    case "arena":
      return { kind, lasts_ms: Number(lasts) * MINUTE_MS };
    case "swiss": {
      const everyHours = numberOf(every);
      return { kind, rounds: numberOf(rounds), every_ms: everyHours && everyHours * HOUR_MS };
    }
    case "knockout":
      return { kind, seeding, consolation, points_more_by_round: numberOf(more) ?? 0 };
    case "round_robin":
      return { kind, ends_at: localTime(ends), by_round: byRound };
  }
}

/**
 * What is sent for a form without faults.
 * @param {Form} form @param {CatalogueEntry} entry of its game @param {string[]} players the ids of those named
 */
export function requestOf(form, entry, players) {
  const { code, description, game, length, listed, name, options, points, rated, waits, who } = form;
  return {
    name: name.trim(),
    description: description.trim(),
    format: formatOf(form),
    game,
    options,
    points: length === "series" ? Number(points) : 1,
    ...(length === "pair" ? { games: 2 } : {}),
    clock: clockOf(form, entry),
    rated,
    begins_at: localTime(form.begins),
    wait_ms: Number(waits) * MINUTE_MS,
    listed,
    conditions: {
      who,
      entrants_max: numberOf(form.entrantsMax),
      rated_matches_min: numberOf(form.matchesMin) ?? 0,
      rating_min: numberOf(form.ratingMin),
      rating_max: numberOf(form.ratingMax),
      account_age_ms_min: (numberOf(form.ageMin) ?? 0) * DAY_MS,
      players,
      ...(code.trim() ? { code: code.trim() } : {}),
    },
  };
}

/**
 * What of a request can still change: all of it before somebody has entered, then the words and a later start, and after
 * the start the words.
 * @param {ReturnType<typeof requestOf>} request @param {"announced" | "entered" | "begun"} stage
 */
export function changesOf(request, stage) {
  if (stage === "announced") return request;
  const { begins_at: begins, description, name } = request;
  return stage === "entered" ? { name, description, begins_at: begins } : { name, description };
}

/**
 * The form of a tournament. The server tells nobody its code: the organiser writes it again.
 * @param {Tournament} tournament @param {CatalogueEntry | undefined} entry of its game
 * @returns {Form}
 */
export function formOf({ begins_at: begins, clock, conditions, description = "", format, game, games, listed, name, options, points, rated = false, wait_ms: waitMs, who, you, ...of }, entry) {
  const text = (/** @type {number | null | undefined} */ number) => (number ? String(number) : "");
  const same = (/** @type {Clock} */ other) => JSON.stringify(other) === JSON.stringify(clock);
  const preset = entry?.clock_presets.find((one) => one.clock.kind === "fischer" && same(one.clock));
  return {
    ...presetForm("evening", begins, () => name),
    description,
    game,
    options: /** @type {Record<string, string | boolean>} */ (options ?? {}),
    length: games ? "pair" : points > 1 ? "series" : "single",
    ...(points > 1 ? { points: String(points) } : {}),
    clock: clock.kind === "days" ? "days" : preset?.id ?? "own",
    ...(clock.kind === "days" ? { days: String(clock.days) } : {}),
    ...(clock.kind === "fischer" ? { minutes: String(clock.base_ms / MINUTE_MS), seconds: String(clock.increment_ms / SECOND_MS) } : {}),
    rated,
    begins: localText(begins),
    waits: String(Math.round(waitMs / MINUTE_MS)),
    listed,
    kind: format.kind,
    ...(format.kind === "arena" ? { lasts: String(format.lasts_ms / MINUTE_MS) } : {}),
    ...(format.kind === "swiss" ? { rounds: text(format.rounds), every: text(format.every_ms && format.every_ms / HOUR_MS) } : {}),
    ...(format.kind === "knockout"
      ? { seeding: format.seeding ?? "rating", consolation: format.consolation ?? false, more: String(format.points_more_by_round ?? 0) }
      : {}),
    ...(format.kind === "round_robin" ? { ends: localText(format.ends_at), byRound: format.by_round ?? false } : {}),
    who,
    entrantsMax: text(of.entrants_max),
    matchesMin: text(conditions.rated_matches_min),
    ratingMin: text(conditions.rating_min),
    ratingMax: text(conditions.rating_max),
    ageMin: text(conditions.account_age_ms_min && Math.ceil(conditions.account_age_ms_min / DAY_MS)),
    players: (you?.players ?? []).map(({ handle, id }) => handle ?? id).join(", "),
  };
}
