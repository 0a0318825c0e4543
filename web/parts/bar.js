// The row below the board: the controls of a turn during a match, of the analysis afterwards, of the replay in the
// past. Every control keeps its place, even while it is disabled.

import { html, nothing, repeat, svg } from "../lit.js";
import { isTafl } from "../game/games.js";
import { canLookBack } from "../match/analysis.js";
import { stopsOf } from "../match/view.js";
import { preferred } from "../player/preferences.js";
import { t } from "../text/text.js";
import { shareMatch } from "./deeds.js";
import { hasRoute, turnRoute } from "./match-route.js";

/** @typedef {import("../game/story.js").Moment} Moment */
/** @typedef {import("./match.js").MatchElement} Match */

const SIGNS = {
  flip: "M7 4v16M3 8l4-4 4 4M17 20V4M13 16l4 4 4-4",
  route: "M6 19h9a4 4 0 0 0 0-8H9a4 4 0 0 1 0-8h8M14 0l3 3-3 3M5 19h.01",
  back: "M14 6l-6 6 6 6",
  on: "M10 6l6 6-6 6",
  close: "M7 7l10 10M17 7 7 17",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  try: "M6 20V10M6 14c0-5 10-2 10-8M12 8l4-4 4 4",
  share: "M12 15V3M8 7l4-4 4 4M5 12v8h14v-8",
  undo: "M8 5 4 9l4 4M4 9h10a5 5 0 0 1 0 10H9",
  again: "M17 2l4 4-4 4M3 11V9a3 3 0 0 1 3-3h15M7 22l-4-4 4-4M21 13v2a3 3 0 0 1-3 3H3",
  hint: "M9 18h6M10 21h4M8.5 15.5a6 6 0 1 1 7 0V18h-7z",
  skip: "M5 5l8 7-8 7zM13 5l8 7-8 7z",
  present: "M6 5l9 7-9 7zM18 5v14",
};

/** @typedef {keyof typeof SIGNS} Sign */

/** The content of the row now. @param {Match} match */
export function bar(match) {
  const moment = match.shown;
  if (match.at !== undefined) return replayBar(match);
  if (match.pace.isHeld) return heldBar(match);
  switch (moment.state) {
    case "open":
    case "awaiting_seeds":
      return openBar(match, moment);
    case "ended":
      return endedBar(match, moment);
    default:
      return html`${tools(match)}${slots(match, moment)}`;
  }
}

/**
 * The controls of a turn: four places that never change.
 * @param {Match} match @param {Moment} moment
 */
function slots(match, moment) {
  const { hints, live, pace, turn } = match;
  if (live.mySeats.length === 0) return html`<div class="slots">${skip(match)}</div>`;
  const mine = moment.toPlay !== undefined && turn.seq === moment.toPlay.seq && !pace.isBehind;
  const isAdvised = mine && hints.shown !== undefined;
  const looks = isAdvised && turn.steps.length === 0;
  const isFree = mine && !turn.isCovered && !turn.sending;
  const { premove } = match;
  const undo = premove.step ? slot("close", t("premove.cancel"), () => premove.cancel()) : slot("undo", t("turn.undo"), () => turn.undo(), { key: "u", isIdle: !isFree || turn.steps.length === 0 });
  const again = slot("again", t("turn.again"), () => turn.again && turn.play([turn.again]), {
    key: "a",
    isIdle: !isFree || !turn.again || turn.forced.length > 0,
  });
  const isOne = hints.turns.length < 2;
  return html`<div class="slots">
    ${isAdvised ? slot("close", t("hints.close"), () => hints.close()) : advice(match, mine)}
    ${looks ? slot("back", t("hints.previous"), () => hints.look(-1), { isIdle: isOne }) : undo}
    ${looks ? slot("on", t("hints.next"), () => hints.look(1), { isIdle: isOne }) : isTafl(moment.game) ? html`<span></span>` : again}
    ${looks ? main(t("hints.play"), () => hints.play()) : send(match, isFree)}
  </div>`;
}

/** Hints where they affect no other player, and a button that skips the animation. @param {Match} match @param {boolean} mine */
function advice(match, mine) {
  const { hints, pace, turn } = match;
  if (pace.isBehind || !hints.isPossible) return skip(match);
  if (hints.isAsking) return slot("hint", t("hints.asking"), () => {}, { isIdle: true });
  const isIdle = !mine || !hints.isOffered || turn.steps.length > 0 || turn.forced.length > 0;
  return slot("hint", t("hints.ask"), () => hints.ask(), { key: "h", isIdle });
}

/** @param {Match} match */
const skip = ({ pace }) =>
  slot("skip", t("turn.skip"), () => pace.skip(), { key: "s", isIdle: !pace.isBehind || pace.isHeld });

/** The button that sends the turn. @param {Match} match @param {boolean} isFree */
export function send({ turn, shown }, isFree) {
  if (turn.sending) return main(t("turn.sending"), () => {}, { isIdle: true });
  if (isFree && turn.forced.length > 0) return main(t("turn.playForced"), () => turn.playForced(), { key: "c" });
  if (isTafl(shown.game) && preferred("confirming") !== "ask") return html`<span></span>`;
  return main(t("turn.confirm"), () => turn.confirm(), { key: "c", isIdle: !isFree || !turn.isComplete });
}

/** @typedef {{key?: string, isIdle?: boolean}} How */

/** @param {string} key */
const shortcut = (key) => (key && preferred("keys") === "on" ? key : nothing);

/**
 * A place for a control. A new control is a new element, so that its change is not animated.
 * @param {Sign} sign @param {string} label @param {() => void} does @param {How} [how]
 */
export const slot = (sign, label, does, { key = "", isIdle = false } = {}) =>
  html`<button class="plain" @click=${does} ?disabled=${isIdle} aria-label=${label} title=${label}
    aria-keyshortcuts=${shortcut(key)}>
    <svg viewBox="0 0 24 24" aria-hidden="true">${svg`<path d=${SIGNS[sign]} />`}</svg>
    ${repeat([label], (said) => said, (said) => html`<span class="wide">${said}</span>`)}</button>`;

/** The main button. @param {string} label @param {() => void} does @param {How} [how] */
export const main = (label, does, { key = "", isIdle = false } = {}) =>
  html`<button class="main" ?disabled=${isIdle} aria-keyshortcuts=${shortcut(key)}
    @click=${(/** @type {MouseEvent} */ event) => isFirst(event) && does()}>${label}</button>`;

/** The second click of a double click was meant for the previous button. @param {MouseEvent} event */
const isFirst = ({ detail }) => detail <= 1;

/** The controls that are always there. @param {Match} match */
export function tools(match) {
  return html`<div class="tools">
    ${tool("flip", t("match.flip"), () => match.flip(), { key: "f" })}
    ${tool("route", t("route.show"), () => turnRoute(match), { where: "wide", key: "w", isPressed: hasRoute(match) })}
    ${more(match)}
  </div>`;
}

/** The button that opens the sheet, where the part beside the board has no room: marked while the sheet has unread remarks. @param {Match} match */
function more(match) {
  const count = match.talk?.unseen ?? 0;
  const open = () => match.openSheet();
  if (count === 0) return tool("more", t("match.more"), open, { where: "narrow" });
  return tool("more", t("match.more.said", { count }), open, { where: "narrow marked" });
}

/** @param {Sign} sign @param {string} label @param {() => void} does @param {{where?: string, key?: string, isPressed?: boolean}} [how] */
function tool(sign, label, does, { where = "", key = "", isPressed } = {}) {
  return html`<button class="icon plain ${where}" @click=${does} aria-label=${label} title=${label} aria-keyshortcuts=${shortcut(key)}
    aria-pressed=${isPressed === undefined ? nothing : String(isPressed)}>
    <svg viewBox="0 0 24 24" aria-hidden="true">${svg`<path d=${SIGNS[sign]} />`}</svg></button>`;
}

/** @param {Match} match @param {Moment} moment */
function openBar(match, moment) {
  const isFree = moment.state === "open" && moment.admission !== "invitation" && match.live.mySeats.length === 0;
  return html`${tools(match)}
    ${isFree ? html`<button class="main" @click=${() => match.deeds.sitDown()}>${t("match.sitDown")}</button>` : nothing}`;
}

/** @param {Match} match @param {Moment} moment */
function endedBar(match, moment) {
  return html`${tools(match)}
    <div class="buttons">
      ${moment.gameNumber > 0 ? html`<button @click=${() => match.replay()}>${t("replay.begin")}</button>` : nothing}
      ${canLookBack(moment) ? html`<button @click=${() => match.openAnalysis()}>${t("analysis.title")}</button>` : nothing}
      ${result(match, match.isEndAside && match.rematchOffer ? "main" : "")}
    </div>`;
}

/** Shown between two games of a series. @param {Match} match */
function heldBar(match) {
  return html`${tools(match)}
    <div class="buttons">
      ${result(match)}
      ${main(t("ends.nextGame"), () => match.nextGame())}
    </div>`;
}

/** Hides the end of a game, or shows it again. @param {Match} match @param {string} [look] */
const result = (match, look = "") =>
  html`<button class=${look} aria-expanded=${match.isEndAside ? "false" : "true"} @click=${() => match.turnEnd()}>${t("ends.result")}</button>`;

/** Whether a variation can start here: the match is over. @param {Match} match */
export const mayVary = ({ live, shown }) =>
  live.moment !== undefined && canLookBack(live.moment) && shown.position !== undefined && shown.gameNumber > 0;

/** @param {Match} match */
function replayBar(match) {
  const { live, at } = match;
  const back = t(live.moment?.state === "ended" ? "replay.end" : "replay.present");
  return html`${tools(match)}
    <lusoria-replay class="grow" .stops=${stopsOf(live.past)} .shown=${at}
      @lusoria-show=${match.showed}></lusoria-replay>
    ${mayVary(match) ? tool("try", t("variation.try"), () => match.vary(), { where: "wide" }) : nothing}
    ${tool("share", t("share.title"), () => shareMatch(match), { where: "wide" })}
    <button class="main present" @click=${() => match.show(undefined)} aria-label=${back} title=${back}>
      <svg class="brief" viewBox="0 0 24 24" aria-hidden="true">${svg`<path d=${SIGNS.present} />`}</svg>
      <span class="wide">${back}</span></button>`;
}

/** The actions besides playing. @param {Match} match */
export const ends = (match) => buttons(match, match.actions().filter(({ answers }) => !answers));

/** The answers to an offer of a draw, if there is one. @param {Match} match */
export function answers(match) {
  const open = match.actions().filter(({ answers: answer }) => answer);
  return open.length > 0 ? buttons(match, open) : nothing;
}

/** @param {Match} match @param {import("../match/actions.js").Action[]} actions */
const buttons = (match, actions) => html`<lusoria-ends .actions=${actions} @lusoria-do=${match.does}></lusoria-ends>`;
