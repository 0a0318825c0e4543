// The row below the board: dice and buttons while a match is played, the invitation while it
// waits, the result when it has ended, the way through the past.

import { html, nothing, svg } from "../lit.js";
import { isTafl } from "../game/games.js";
import { canLookBack } from "../match/analysis.js";
import { adviceText } from "../match/hints.js";
import { dieStates, dieStatesBetween, stopsOf } from "../match/view.js";
import { preferred } from "../player/preferences.js";
import { diceText, matchEndedText, playerName, told, turnText } from "../match/telling.js";
import { t } from "../text/text.js";
import { clockText } from "../text/words.js";

/** @typedef {import("../game/story.js").Moment} Moment */
/** @typedef {import("./match.js").MatchElement} Match */

const SIGNS = {
  flip: "M7 4v16M3 8l4-4 4 4M17 20V4M13 16l4 4 4-4",
  back: "M14 6l-6 6 6 6",
  on: "M10 6l6 6-6 6",
  close: "M7 7l10 10M17 7 7 17",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  share: "M12 15V3M8 7l4-4 4 4M5 12v8h14v-8",
};

/** Counters of a tafl game are shown before they bite. */
const DROUGHT_SHOWN = 100;
const DROUGHT = 200;

/** What stands below the board now. @param {Match} match */
export function bar(match) {
  const moment = match.shown;
  if (match.at !== undefined) return replayBar(match);
  switch (moment.state) {
    case "open":
      return openBar(match, moment);
    case "awaiting_seeds":
      return html`<p>${t("match.awaitingSeeds")}</p>`;
    case "ended":
      return endedBar(match, moment);
    default:
      return playBar(match, moment);
  }
}

/** @param {Match} match @param {Moment} moment */
function playBar(match, moment) {
  const { turn, live, pace } = match;
  const { toPlay } = moment;
  const mine = toPlay !== undefined && turn.seq === toPlay.seq;
  const built = mine ? { steps: turn.steps, legal: /** @type {any} */ (turn.legal) } : live.building;
  const between = betweenOf(pace.frame);
  const dice = toPlay?.dice ?? (between && moment.last?.dice) ?? [];
  const states = between ? dieStatesBetween(dice, between) : dieStates(dice, built);
  const isCovered = mine && turn.isCovered;
  const isAdvised = mine && match.hints.shown !== undefined && !match.saying.word;
  const hint = match.saying.word || (isAdvised ? adviceText(match.hints) : goingOn(match, moment, mine));
  return html`<div class="play ${isTafl(moment.game) ? "" : "thrown"}">
    ${dice.length > 0
      ? html`<lusoria-dice .dice=${dice} .states=${states} .covered=${isCovered}
          .side=${toPlay?.side ?? moment.last?.side ?? ""} @lusoria-throw=${() => match.uncover()}></lusoria-dice>`
      : nothing}
    <p class=${match.saying.word ? "word" : isAdvised ? "advice" : "hint"}>${hint}${counters(moment)}</p>
    <div class="buttons ${isAdvised ? "advised" : ""}">${mine ? [adviceButtons(match), turnButtons(turn)] : pace.isBehind ? skipButton(match) : nothing}</div>
    ${tools(match)}
  </div>`;
}

/** What has been done of the turn that is being seen, and what is to come. @param {import("../match/pace.js").Frame | undefined} frame */
function betweenOf(frame) {
  const { moment, built } = frame ?? {};
  if (built || !moment?.last || moment.toPlay) return built;
  return { steps: moment.last.steps, rest: [] };
}

/** What goes on: of somebody's turn that is being seen, or of the match. @param {Match} match @param {Moment} moment @param {boolean} mine */
function goingOn({ pace, turn }, moment, mine) {
  const { frame } = pace;
  const seat = frame?.built ? moment.toPlay?.seat : frame && !moment.toPlay ? moment.last?.seat : undefined;
  if (seat) return t("match.plays", { name: playerName(moment, seat) });
  return turnText(moment, mine, turn.isCovered);
}

/** What a tafl game counts, before it bites. @param {Moment} moment */
function counters({ tafl, game }) {
  if (!isTafl(game)) return nothing;
  const parts = [];
  if ((tafl.repetitions ?? 1) > 1) parts.push(t("match.repetitions", { count: tafl.repetitions ?? 1 }));
  if (tafl.sinceCapture >= DROUGHT_SHOWN) parts.push(t("match.drought", { count: DROUGHT - tafl.sinceCapture }));
  return parts.map((part) => html` <span class="counter">${part}</span>`);
}

/** @param {import("../match/turn.js").Turn} turn */
function turnButtons(turn) {
  const button = (/** @type {string} */ name, /** @type {() => void} */ does, look = "", key = "") =>
    html`<button class=${look} @click=${does} ?disabled=${turn.sending}
      aria-keyshortcuts=${key && preferred("keys") === "on" ? key : nothing}>
      ${t(`turn.${name}`)}</button>`;
  if (turn.isCovered) return nothing;
  const { again, forced } = turn;
  return [
    turn.steps.length > 0 ? button("undo", () => turn.undo(), "", "u") : nothing,
    again && forced.length === 0 ? button("again", () => turn.play([again]), "", "a") : nothing,
    forced.length > 0 ? button("playForced", () => turn.playForced(), "main", "f") : nothing,
    turn.sending ? button("sending", () => {}, "main") : nothing,
    turn.isComplete && !turn.sending ? button("confirm", () => turn.confirm(), "main", "c") : nothing,
  ];
}

/** Advice, where it spoils nobody's game. @param {Match} match */
function adviceButtons({ hints, turn }) {
  if (hints.shown) {
    const others = hints.turns.length > 1;
    return html`
      ${others ? tool("back", t("hints.previous"), () => hints.look(-1)) : nothing}
      ${others ? tool("on", t("hints.next"), () => hints.look(1)) : nothing}
      ${turn.steps.length === 0 ? html`<button class="main" @click=${() => hints.play()}>${t("hints.play")}</button>` : nothing}
      ${tool("close", t("hints.close"), () => hints.close())}`;
  }
  if (hints.isAsking) return html`<button class="plain" disabled>${t("hints.asking")}</button>`;
  if (!hints.isOffered || turn.steps.length > 0 || turn.forced.length > 0) return nothing;
  return html`<button class="plain" @click=${() => hints.ask()}
    aria-keyshortcuts=${preferred("keys") === "on" ? "h" : nothing}>${t("hints.ask")}</button>`;
}

/** @param {Match} match */
const skipButton = ({ pace }) =>
  html`<button class="plain" @click=${() => pace.skip()} aria-keyshortcuts=${preferred("keys") === "on" ? "s" : nothing}>
    ${t("turn.skip")}</button>`;

/** @param {Match} match */
function tools(match) {
  return html`<div class="tools">
    ${tool("flip", t("match.flip"), () => match.flip())}
    ${tool("more", t("match.more"), () => match.openSheet(), "narrow")}
  </div>`;
}

/** @param {keyof typeof SIGNS} sign @param {string} label @param {() => void} does @param {string} [where] */
function tool(sign, label, does, where = "") {
  return html`<button class="icon plain ${where}" @click=${does} aria-label=${label} title=${label}>
    <svg viewBox="0 0 24 24" aria-hidden="true">${svg`<path d=${SIGNS[sign]} />`}</svg></button>`;
}

/** @param {Match} match @param {Moment} moment */
function openBar(match, moment) {
  const invited = moment.admission === "invitation";
  if (match.live.mySeats.length === 0) {
    return invited
      ? html`<p>${t("match.byInvitation")}</p>`
      : html`<p>${t("match.waitsForYou", { clock: clockText(moment.clock) })}</p>
          <button class="main" @click=${() => match.deeds.sitDown()}>${t("match.sitDown")}</button>`;
  }
  return html`<div class="open">
    <h2>${t("match.waiting")}</h2>
    ${invited ? invitation(match) : html`<p>${t("match.waitingOpen")}</p>`}
    ${ends(match)}
  </div>`;
}

/** @param {Match} match */
function invitation(match) {
  const made = match.invitation;
  return made
    ? html`<lusoria-invitation .code=${made.code} .expires=${made.expires_at}></lusoria-invitation>`
    : html`<p>${t("match.inviteLost")}</p>
        <button @click=${() => match.invite()}>${t("match.inviteAnew")}</button>`;
}

/** What can be done beside playing. @param {Match} match */
export const ends = (match) =>
  html`<lusoria-ends .actions=${match.actions()} @lusoria-do=${match.does}></lusoria-ends>`;

/** @param {Match} match @param {Moment} moment */
function endedBar(match, moment) {
  const { live } = match;
  const { next, offeredBy } = moment.rematch;
  return html`<div class="ended">
    <p class="result">${matchEndedText(moment)}</p>
    <div class="buttons">
      ${ends(match)}
      ${next ? html`<a class="button main" href="/match/${next}">${t("match.next")}</a>` : nothing}
      ${offeredBy && live.mySeats.length === 1 && live.mySeats[0] === offeredBy
        ? html`<span class="muted">${t("match.rematchWaits")}</span>`
        : nothing}
      ${canLookBack(moment)
        ? html`<button @click=${() => match.openAnalysis()}>${t("analysis.title")}</button>`
        : nothing}
      ${moment.gameNumber > 0
        ? html`<button @click=${() => match.replay()}>${t("replay.begin")}</button>
            <a class="button" href="/match/${live.id}/dice">${t("match.checkDice")}</a>`
        : nothing}
    </div>
  </div>
  ${tools(match)}`;
}

/**
 * What was played, and what would have been better.
 * @param {import("../match/analysis.js").Judged} fault @param {Moment} moment before it
 */
function compared({ notation, chance, betterNotation, best }, { toPlay }) {
  const of = (/** @type {number} */ what) => Math.round(what * 100);
  const params = { turn: notation, chance: of(chance), better: betterNotation, best: of(best) };
  const dice = toPlay && toPlay.dice.length > 0 ? `${diceText(toPlay.dice)} · ` : "";
  return dice + t("analysis.compare", params);
}

/** @param {Match} match */
function replayBar(match) {
  const { live, at } = match;
  const event = live.past[(at ?? 0) - 1];
  const { fault } = match;
  return html`
    <p class="hint">${fault ? compared(fault, match.shown) : event ? told(event, match.shown) : t("replay.loading")}</p>
    <lusoria-replay class="grow" .stops=${stopsOf(live.past)} .shown=${at}
      @lusoria-show=${match.showed}></lusoria-replay>
    <div class="buttons">
      <button class="main" @click=${() => match.show(undefined)}>${t("replay.present")}</button>
      ${tool("share", t("replay.share"), () => match.sharePosition())}
    </div>
    ${tools(match)}`;
}
