// The line above the board: refusals, hints, the state, and the answers to an offer. Its place does not depend on its
// length.

import { html, nothing } from "../lit.js";
import { isTafl } from "../game/games.js";
import { adviceText } from "../match/hints.js";
import { diceText, matchEndedText, playerName, ratedText, told, turnText } from "../match/telling.js";
import { t } from "../text/text.js";
import { clockText, notationText } from "../text/words.js";
import { answers } from "./bar.js";
import { routeHint } from "./match-route.js";

/** @typedef {import("../game/story.js").Moment} Moment */
/** @typedef {import("../game/story.js").Seat} Seat */
/** @typedef {import("./match.js").MatchElement} Match */

/** From these numbers on the counters of a tafl game are shown. */
const DROUGHT_SHOWN = 100;
const DROUGHT = 200;

/** @param {Match} match */
export function toldOf(match) {
  const { saying } = match;
  const [kind, text] = sentence(match);
  return html`<p class=${kind}>${text}${kind === "hint" ? counters(match.shown) : nothing}</p>
    ${saying.all.length > 0 && kind === "word"
      ? html`<button class="plain" aria-expanded=${saying.isOpen ? "true" : "false"} @click=${() => saying.toggle()}
          >${saying.isOpen ? t("common.close") : t("turn.why")}</button>`
      : nothing}${answers(match)}`;
}

/** @param {Match} match @returns {[kind: "word" | "advice" | "hint" | "result", text: string]} */
function sentence(match) {
  const { at, live, hints, saying, turn } = match;
  const moment = match.shown;
  if (saying.word) return ["word", saying.word];
  if (match.aside) return match.aside.told();
  if (at !== undefined) return ["hint", pastText(match)];
  switch (moment.state) {
    case "open":
      return ["hint", waitingText(match, moment)];
    case "awaiting_seeds":
      return ["hint", t("match.awaitingSeeds")];
    case "ended":
      return ["result", endedText(match, moment)];
    default: {
      if (match.premove.step) return ["advice", premoveText(match.premove)];
      const mine = moment.toPlay !== undefined && turn.seq === moment.toPlay.seq;
      if (mine && hints.shown) return ["advice", adviceText(hints)];
      return ["hint", goingOn(match, moment, mine)];
    }
  }
}

/** @param {Match} match @param {Moment} moment */
function waitingText({ live }, moment) {
  if (live.mySeats.length > 0) return t("match.waiting");
  return moment.admission === "invitation" ? t("match.byInvitation") : t("match.waitsForYou", { clock: clockText(moment.clock) });
}

/** How the match has ended, the change of one's own rating, and the other player's offer while the card that shows it is hidden. @param {Match} match @param {Moment} moment */
function endedText(match, moment) {
  const offered = match.isEndAside && match.rematchOffer;
  const { mySeats } = match.live;
  const texts = [matchEndedText(moment, mySeats), mySeats.length === 1 ? ratedText(moment, mySeats[0], mySeats) : ""];
  if (offered) texts.push(t("match.rematchOffered", { name: playerName(moment, offered) }));
  return texts.filter(Boolean).join(" ");
}

/** The premove, to be played when the opponent has moved. @param {import("../match/premove.js").Premove} premove */
export const premoveText = ({ step }) => (step ? t("premove.entered", { move: `${step.from}–${step.to}` }) : "");

/** The present state: of a turn that is animated, or of the match. @param {Match} match @param {Moment} moment @param {boolean} mine */
function goingOn(match, moment, mine) {
  const { live, pace, lastThrow } = match;
  const { frame } = pace;
  const seat = frame?.built ? moment.toPlay?.seat : frame && !moment.toPlay ? moment.last?.seat : undefined;
  const { drawOfferedBy: draw, takebackOffer: back } = moment;
  const isAsked = (/** @type {Seat | undefined} */ seat) => seat && live.mySeats.length === 1 && !live.mySeats.includes(seat);
  if (draw && isAsked(draw)) return t("match.drawOffered", { name: playerName(moment, draw) });
  if (back && isAsked(back.seat)) return t("match.takebackOffered", { name: playerName(moment, back.seat) });
  if (seat && !pace.isHeld) return t("match.plays", { name: playerName(moment, seat) });
  const text = turnText(moment, mine, lastThrow?.covered ?? false);
  return mine ? [text, routeHint(match)].filter(Boolean).join(" · ") : text;
}

/** The counters of a tafl game, when a draw is near. @param {Moment} moment */
function counters({ state, tafl, game }) {
  if (!isTafl(game) || state !== "playing") return nothing;
  const parts = [];
  if ((tafl.repetitions ?? 1) > 1) parts.push(t("match.repetitions", { count: tafl.repetitions ?? 1 }));
  if (tafl.sinceCapture >= DROUGHT_SHOWN) parts.push(t("match.drought", { count: DROUGHT - tafl.sinceCapture }));
  return parts.map((part) => html` <span class="counter">${part}</span>`);
}

/** The event shown, or what would have been better. @param {Match} match */
export function pastText({ at, fault, live, shown }) {
  const event = live.past[(at ?? 0) - 1];
  if (fault) return compared(fault, shown);
  return event ? told(event, shown, live.mySeats) : t("replay.loading");
}

/**
 * The turn that was played, and the better one.
 * @param {import("../match/analysis.js").Judged} fault @param {Moment} moment before it
 */
function compared({ notation, chance, betterNotation, best }, { toPlay }) {
  const of = (/** @type {number} */ what) => Math.round(what * 100);
  const params = { turn: notationText(notation), chance: of(chance), better: notationText(betterNotation), best: of(best) };
  const dice = toPlay && toPlay.dice.length > 0 ? `${diceText(toPlay.dice)} · ` : "";
  return dice + t("analysis.compare", params);
}
