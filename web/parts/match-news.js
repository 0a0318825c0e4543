// What is heard and read of an event when it is seen.

import { told } from "../match/telling.js";
import { play as sound } from "../match/sounds.js";
import { t } from "../text/text.js";

/** @typedef {import("./match.js").MatchElement} Match */
/** @typedef {import("../game/story.js").Moment} Moment */

/** What is read too, for a while. */
const READ = ["passed", "credited", "opening_thrown", "game_ended", "draw_offered", "draw_declined", "rematch_declined"];

/** Tells of an event, and lets it be heard. @param {Match} match @param {any} event @param {Moment} moment after it */
export function tellOf({ live, saying, turn }, event, moment) {
  // What is covered is told when it is uncovered.
  const isLast = event.seq === live.moment?.seq;
  const isCovered = event.type === "thrown" && ((event.seq === turn.seq && turn.isCovered) || (isLast && live.isThrowCovered));
  const text = isCovered ? "" : told(event, moment);
  const before = live.moments[event.seq - 2]?.drawOfferedBy;
  const isMissed = event.type === "turned" && before !== undefined && moment.drawOfferedBy === undefined;
  if (isMissed && live.mySeats.includes(before)) saying.tell(t("ends.offerDraw.missed"));
  if (READ.includes(event.type) || event.call) saying.tell(text);
  else if (text) saying.say(text);
  const others = !live.mySeats.includes(event.seat);
  if (!isCovered && ["thrown", "opening_thrown"].includes(event.type)) sound("dice");
  if (event.type === "turned" && others) {
    const hits = event.steps.some((/** @type {any} */ step) => step.hit || step.pin || step.captures?.length);
    sound(hits ? "hit" : "step");
  }
  if (event.type === "game_ended") sound("end");
  else if (live.myTurn && others && ["turned", "thrown"].includes(event.type)) sound("turn");
}
