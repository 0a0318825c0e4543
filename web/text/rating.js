// How ratings are written and said, everywhere on the page.
//
// Points are written without separators, as players have always written them: 1612. A deviation stands behind them as
// "±84"; that a rating is provisional is said in words.

import { find, t } from "./text.js";

/** @typedef {import("../api/wire").components["schemas"]["Rating"]} Rating */

/** What a match did to the rating of a player. @typedef {{before: Rating, after: Rating}} RatingChange */

/** "1612". @param {Rating} rating */
export const pointsText = ({ points }) => String(points);

/** "±84". @param {{deviation: number}} rating */
export const deviationText = ({ deviation }) => t("rating.deviation", { deviation: String(deviation) });

/** "1612, provisional". @param {Rating} rating */
export const ratingText = (rating) => marked(pointsText(rating), rating);

/** What stands behind the points of a provisional rating: ", provisional". @param {Rating} rating */
export const markText = (rating) => marked("", rating);

/** What is to be known of how sure a rating is. @param {Rating} rating */
export const sureText = (rating) =>
  t(rating.provisional ? "rating.provisional.why" : "rating.sure", { deviation: String(rating.deviation) });

/** By how much a rating went up. @param {RatingChange} change */
export const difference = ({ before, after }) => after.points - before.points;

/** "+13", "−13", "±0". @param {RatingChange} change */
export function differenceText(change) {
  const points = difference(change);
  return `${points > 0 ? "+" : points < 0 ? "\u2212" : "±"}${Math.abs(points)}`;
}

/** "1612 → 1625, +13", and that it is provisional where so. @param {RatingChange} change */
export const changeText = (change) => marked(stepText(change), change.after);

/** The same without the last word. @param {RatingChange} change */
export const stepText = (change) =>
  t("rating.change", { before: pointsText(change.before), after: pointsText(change.after), by: differenceText(change) });

/** The same in a sentence, for those who hear it. @param {string} name @param {RatingChange} change */
export function changeSaid(name, change) {
  const points = difference(change);
  const way = points > 0 ? "up" : points < 0 ? "down" : "same";
  const text = t(`rating.said.${way}`, { name, after: pointsText(change.after), count: Math.abs(points) });
  return marked(text, change.after);
}

/** Why the operator took the rating of a match back. @param {string} reason */
export const unratedText = (reason) =>
  t("rating.unrated", { why: find(`rating.unrated.${reason}`) ?? reason });

/** @param {string} text @param {Rating} rating */
const marked = (text, { provisional }) => (provisional ? t("rating.marked", { text }) : text);
