// What is said about a tournament: its format in a sentence, its conditions, points, results.

import { find, t } from "../text/text.js";
import { clockText, gameName, lengthAndStake, nameText, problemText } from "../text/words.js";
import { ENTRANTS } from "./presets.js";
import { lastsText, localWhen } from "./times.js";

/** @typedef {import("./tournaments.js").Card} Card */
/** @typedef {import("./tournaments.js").Pairing} Pairing */
/** @typedef {import("./tournaments.js").Tournament} Tournament */

const DAY_MS = 86_400_000;

/** A space in which no line breaks. */
const KEPT = "\u00a0";

/** "Swiss · Tavla · 5 min + 3 s per turn · rated"; a line breaks after a dot only. @param {Card} card */
export const termsText = (card) =>
  [t(`tournaments.kind.${card.format.kind}`), gameName(card.game), clockText(card.clock), ...lengthAndStake(card)]
    .map((text) => text.replaceAll(" ", KEPT)).join(`${KEPT}· `);

/** What a tournament is, in sentences. @param {Tournament} tournament @param {number} now */
export function whatText({ clock, format, rounds, wait_ms: waitMs }, now) {
  const isCorrespondence = clock.kind === "days";
  const said = [t(`tournaments.what.${format.kind}${format.kind === "round_robin" && isCorrespondence ? ".days" : ""}`)];
  if (format.kind === "knockout" && format.consolation) said.push(t("tournaments.what.consolation"));
  if (format.kind === "arena") said.push(t("tournaments.lasts", { time: lastsText(format.lasts_ms) }));
  if (format.kind === "swiss" && rounds) said.push(t("tournaments.rounds", { count: rounds }));
  if (format.kind === "round_robin") said.push(t("tournaments.until", { when: localWhen(format.ends_at, now) }));
  if (format.kind !== "arena" && !isCorrespondence && waitMs) said.push(t("tournaments.waits", { time: lastsText(waitMs) }));
  return said.join(" ");
}

/** Who may enter, a sentence each. @param {Tournament} tournament @returns {string[]} */
export function conditionTexts({ conditions, entrants_max: most, format, has_code: hasCode, listed, who }) {
  const { account_age_ms_min: age, players, rated_matches_min: matches, rating_max: high, rating_min: low } = conditions;
  return [
    t(`tournaments.condition.${who}`),
    ...(hasCode ? [t("tournaments.condition.code")] : []),
    ...(players ? [t("tournaments.condition.list")] : []),
    ...(matches ? [t("tournaments.condition.matches", { count: matches })] : []),
    ...(low ? [t("tournaments.condition.ratingMin", { rating: String(low) })] : []),
    ...(high ? [t("tournaments.condition.ratingMax", { rating: String(high) })] : []),
    ...(age ? [t("tournaments.condition.age", { count: Math.ceil(age / DAY_MS) })] : []),
    ...(most < ENTRANTS[format.kind].max ? [t("tournaments.condition.most", { count: most })] : []),
    ...(listed ? [] : [t("tournaments.unlisted")]),
  ];
}

/** "Round 3 of 5"; nothing where the rounds are not played one after the other. @param {Card} card */
export function roundText({ format, round, rounds }) {
  if (!round || format.kind === "arena" || (format.kind === "round_robin" && !format.by_round)) return "";
  return rounds ? t("tournaments.round.of", { round, rounds }) : t("tournaments.round", { round });
}

/** "5 of 16 entrants", or without the most if that is the format's. @param {Card} card */
export const countText = ({ entrants: count, entrants_max: max, format, phase }) =>
  phase !== "ended" && max < ENTRANTS[format.kind].max ? t("tournaments.count.max", { count, max }) : t("tournaments.count", { count });

/** Points as a number: half points as "2½", "½", "3"; those of an arena, which has whole ones, as they are. @param {number} half @param {string} [kind] of the tournament */
export function pointsText(half, kind = "") {
  if (kind === "arena") return String(half);
  const whole = Math.floor(half / 2);
  if (half % 2 === 0) return String(whole);
  return whole === 0 ? "½" : `${whole}½`;
}

/** "2½ points". @param {number} half @param {string} kind of the tournament */
export const pointsSaid = (half, kind) =>
  t("tournaments.points", { count: kind === "arena" ? half : Math.ceil(half / 2), text: pointsText(half, kind) });

/** The value of a tie-break: what counts half points or quarters is written in points. @param {number | null | undefined} value @param {string} tie */
export function tieText(value, tie) {
  if (value === null || value === undefined) return "–";
  const parts = { direct_encounter: 2, buchholz_cut_1: 2, sonneborn_berger: 4 }[tie] ?? 1;
  return String(value / parts);
}

/** The result of a pairing: "1–0", "½–½", or what it waits for. @param {Pairing} pairing @param {string} [kind] of the tournament */
export function resultText({ half_points: half, state }, kind = "") {
  if (!half) return t(`tournaments.pairing.${state === "playing" ? "playing" : state === "called" ? "called" : "open"}`);
  return `${pointsText(half[0], kind)}–${pointsText(half[1], kind)}`;
}

/** What is remarkable about a result. @param {Pairing} pairing */
export function remarkText({ forfeit, by_hand: isByHand, reason }) {
  if (isByHand && reason) return t("tournaments.byhand", { reason });
  return forfeit ? t("tournaments.forfeit") : "";
}

/** The name of a round. @param {Card} card @param {number} round @param {"main" | "consolation"} [bracket] */
export function roundName({ format, rounds }, round, bracket = "main") {
  if (format.kind === "knockout" && rounds && bracket === "main") {
    if (round === rounds) return t("tournaments.bracket.final");
    if (round === rounds - 1) return t("tournaments.bracket.semi");
  }
  return t("tournaments.round", { round });
}

/** A name of an entrant, also in a text. @param {{name: string} | null | undefined} player */
export const entrantName = (player) => (player ? nameText(player.name) : t("tournaments.bracket.open"));

/** Why the server refuses something about a tournament. @param {import("../text/words.js").Told} problem */
export const refusalText = (problem) => find(`tournaments.problem.${problem.code}`) ?? problemText(problem);

/** How a tournament ended. @param {Tournament} tournament */
export function endText({ ended, reason }) {
  const what = t(`tournaments.over.${ended ?? "finished"}`);
  return reason ? t("tournaments.over.why", { what, reason }) : what;
}
