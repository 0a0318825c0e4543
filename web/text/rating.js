// How ratings are written and announced on the page.
//
// Points are written without separators, as is usual: 1612. A deviation follows them as "±84"; a provisional rating is
// marked with a word.

import { find, t } from "./text.js";

/** @typedef {import("../api/wire").components["schemas"]["Rating"]} Rating */

/** The change of a player's rating in a match. @typedef {{before: Rating, after: Rating}} RatingChange */

/** "1612". @param {Rating} rating */
export const pointsText = ({ points }) => String(points);

/** "±84". @param {{deviation: number}} rating */
export const deviationText = ({ deviation }) => t("rating.deviation", { deviation: String(deviation) });

/** "1612, provisional". @param {Rating} rating */
export const ratingText = (rating) => marked(pointsText(rating), rating);

/** The suffix of a provisional rating: ", provisional". @param {Rating} rating */
export const markText = (rating) => marked("", rating);

/** How sure a rating is, in a sentence. @param {Rating} rating */
export const sureText = (rating) =>
  t(rating.provisional ? "rating.provisional.why" : "rating.sure", { deviation: String(rating.deviation) });

/** How much a rating went up. @param {RatingChange} change */
export const difference = ({ before, after }) => after.points - before.points;

/** "+13", "−13", "±0". @param {RatingChange} change */
export function differenceText(change) {
  const points = difference(change);
  return `${points > 0 ? "+" : points < 0 ? "\u2212" : "±"}${Math.abs(points)}`;
}

/** "1612 → 1625, +13", with the suffix if provisional. @param {RatingChange} change */
export const changeText = (change) => marked(stepText(change), change.after);

/** The same without the suffix. @param {RatingChange} change */
export const stepText = (change) =>
  t("rating.change", { before: pointsText(change.before), after: pointsText(change.after), by: differenceText(change) });

/** The same in a sentence, for screen readers. @param {string} name @param {RatingChange} change */
export function changeSaid(name, change) {
  const points = difference(change);
  const way = points > 0 ? "up" : points < 0 ? "down" : "same";
  const text = t(`rating.said.${way}`, { name, after: pointsText(change.after), count: Math.abs(points) });
  return marked(text, change.after);
}

/** Why the operator revoked the rating of a match. @param {string} reason */
export const unratedText = (reason) =>
  t("rating.unrated", { why: find(`rating.unrated.${reason}`) ?? reason });

/** @param {string} text @param {Rating} rating */
const marked = (text, { provisional }) => (provisional ? t("rating.marked", { text }) : text);
