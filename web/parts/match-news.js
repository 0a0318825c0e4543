// Announces and plays the sound of an event when it is shown.

import { told } from "../match/telling.js";
import { play as sound } from "../match/sounds.js";
import { t } from "../text/text.js";

/** @typedef {import("./match.js").MatchElement} Match */
/** @typedef {import("../game/story.js").Moment} Moment */
/** @typedef {import("../game/story.js").Seat} Seat */

/** Events that are also shown as text for a while. */
const READ = ["passed", "credited", "opening_thrown", "game_ended", "taken_back", "takeback_offered", "takeback_declined", "draw_offered", "draw_declined", "rematch_declined"];

/** Announces an event, and plays its sound. @param {Match} match @param {any} event @param {Moment} moment after it */
export function tellOf(match, event, moment) {
  const { live, saying, turn } = match;
  // A covered throw is announced when it is rolled.
  const isLast = event.seq === live.moment?.seq;
  const isCovered = event.type === "thrown" && ((event.seq === turn.seq && turn.isCovered) || (isLast && live.isThrowCovered));
  const text = isCovered ? "" : told(event, moment, live.mySeats);
  const { drawOfferedBy: draw, takebackOffer: back } = live.moments[event.seq - 2] ?? {};
  const isMine = (/** @type {Seat | undefined} */ seat) => event.type === "turned" && seat !== undefined && live.mySeats.includes(seat);
  if (isMine(draw) && moment.drawOfferedBy === undefined) saying.tell(t("ends.offerDraw.missed"));
  if (isMine(back?.seat) && event.seat !== back?.seat) saying.tell(t("ends.askTakeback.missed"));
  if (READ.includes(event.type) || event.call) saying.tell(text);
  else if (text) saying.say(text);
  const others = !live.mySeats.includes(event.seat);
  if (event.type === "thrown" && !isCovered) sound("dice", event.dice.length);
  if (event.type === "opening_thrown") sound("dice");
  if (event.type === "turned") letHear(match, event, others);
  if (event.type === "game_ended") sound("end");
  else if (live.myTurn && others && ["turned", "thrown"].includes(event.type)) sound("turn");
}

/** Plays the sound of a step in another player's turn when it is shown. @param {Match} match */
export function stepped(match) {
  const { steps = [] } = match.pace.frame?.built ?? {};
  match.stepsHeard = steps.length;
  sound(strikes(steps.slice(-1)) ? "hit" : "step");
}

/**
 * Plays the sound of a turn. In one's own turn only captures are news.
 * @param {Match} match @param {any} event @param {boolean} others whether another player has played it
 */
function letHear(match, { steps }, others) {
  const fresh = steps.slice(match.stepsHeard);
  match.stepsHeard = 0;
  if (others) sound(strikes(fresh) ? "hit" : "step");
  else if (fresh.some((/** @type {any} */ { captures }) => captures?.length)) sound("hit");
}

/** Whether a piece is hit, pinned or captured. @param {any[]} steps */
const strikes = (steps) => steps.some(({ hit, pin, captures }) => hit || pin || captures?.length);
