// The route of one's pieces: shown on the board during a person's first turns of a game, and on demand.

import { routeOf } from "../game/route.js";
import { nameOf } from "../game/places.js";
import { isTafl } from "../game/games.js";
import { isNewTo, partPlayed } from "../player/first-turns.js";
import { t } from "../text/text.js";

/** @typedef {import("./match.js").MatchElement} Match */

/** The side whose route is shown: one's own; for those who play both sides or watch, the side to move. @param {Match} match */
function sideOf({ live, own, shown }) {
  const isOne = live.mySeats.length === 1;
  return (isOne ? undefined : shown.toPlay?.side) ?? shown.sides?.[own];
}

/** Whether the route is still shown unasked. @param {Match} match */
const isShownUnasked = ({ at, live, shown }) =>
  at === undefined && live.mySeats.length > 0 && shown.state === "playing" && isNewTo(/** @type {any} */ (shown.game));

/** Whether the route is shown. @param {Match} match */
export const hasRoute = (match) => match.wantsRoute ?? isShownUnasked(match);

/** The side whose route the board shows; null if none. @param {Match} match */
export const routeSide = (match) => (hasRoute(match) && sideOf(match)) || null;

/** The opacity of the route, 0 to 1: unasked, it fades turn by turn. @param {Match} match */
export const routeOpacity = ({ shown, wantsRoute }) => (wantsRoute ? 1 : 1 - 0.75 * partPlayed(/** @type {any} */ (shown.game)));

/** The route in words. @param {Match} match */
export function routeText(match) {
  const { entry, shown } = match;
  const side = sideOf(match);
  if (!side) return "";
  if (isTafl(shown.game)) return t(`route.${side}`);
  const way = routeOf(entry, side);
  const [from = "", to = ""] = [way[0], way[way.length - 1]].map((place) => nameOf(entry, side, place));
  const isEntered = entry.board.places.some(({ kind }) => kind === "supply");
  return t(isEntered ? "route.entered" : "route.laid", { from, to });
}

/** The route in words, unasked before a turn. @param {Match} match */
export const routeHint = (match) => (match.wantsRoute === undefined && isShownUnasked(match) ? routeText(match) : "");

/** Shows or hides the route. @param {Match} match */
export function turnRoute(match) {
  match.wantsRoute = !hasRoute(match);
  match.saying.hush();
  if (match.wantsRoute) match.saying.tell(routeText(match));
}
