// What is heard and read of an event when it is seen.

import { told } from "../match/telling.js";
import { play as sound } from "../match/sounds.js";
import { t } from "../text/text.js";

/** @typedef {import("./match.js").MatchElement} Match */
/** @typedef {import("../game/story.js").Moment} Moment */

/** What is read too, for a while. */
const READ = ["passed", "credited", "opening_thrown", "game_ended", "draw_offered", "draw_declined", "rematch_declined"];

/** Tells of an event, and lets it be heard. @param {Match} match @param {any} event @param {Moment} moment after it */
export function tellOf(match, event, moment) {
  const { live, saying, turn } = match;
  // What is covered is told when it is uncovered.
  const isLast = event.seq === live.moment?.seq;
  const isCovered = event.type === "thrown" && ((event.seq === turn.seq && turn.isCovered) || (isLast && live.isThrowCovered));
  const text = isCovered ? "" : told(event, moment, live.mySeats);
  const before = live.moments[event.seq - 2]?.drawOfferedBy;
  const isMissed = event.type === "turned" && before !== undefined && moment.drawOfferedBy === undefined;
  if (isMissed && live.mySeats.includes(before)) saying.tell(t("ends.offerDraw.missed"));
  if (READ.includes(event.type) || event.call) saying.tell(text);
  else if (text) saying.say(text);
  const others = !live.mySeats.includes(event.seat);
  if (event.type === "thrown" && !isCovered) sound("dice", event.dice.length);
  if (event.type === "opening_thrown") sound("dice");
  if (event.type === "turned") letHear(match, event, others);
  if (event.type === "game_ended") sound("end");
  else if (live.myTurn && others && ["turned", "thrown"].includes(event.type)) sound("turn");
}

/** Lets a step of somebody else's turn be heard while it is seen. @param {Match} match */
export function stepped(match) {
  const { steps = [] } = match.pace.frame?.built ?? {};
  match.stepsHeard = steps.length;
  sound(strikes(steps.slice(-1)) ? "hit" : "step");
}

/**
 * Lets what is new of a turn be heard. Of one's own that is what one did not foresee: that pieces are captured.
 * @param {Match} match @param {any} event @param {boolean} others whether somebody else has played it
 */
function letHear(match, { steps }, others) {
  const fresh = steps.slice(match.stepsHeard);
  match.stepsHeard = 0;
  if (others) sound(strikes(fresh) ? "hit" : "step");
  else if (fresh.some((/** @type {any} */ { captures }) => captures?.length)) sound("hit");
}

/** Whether a piece is hit, pinned or captured. @param {any[]} steps */
const strikes = (steps) => steps.some(({ hit, pin, captures }) => hit || pin || captures?.length);
