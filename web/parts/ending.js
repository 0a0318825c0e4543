// The cards over a part of the board: a refusal in full, the invitation to an open match. The end of a game and what
// comes next cover the part below or beside the board, so that the last position stays visible. None of them changes
// the size of the board.

import { html, nothing } from "../lit.js";
import { isComputer } from "../match/actions.js";
import { canLookBack, hundredths } from "../match/analysis.js";
import { checkText, gameEnd, matchEndedText, playerName, ratedText, scoreText } from "../match/telling.js";
import { LEVELS } from "../player/level.js";
import { unratedText } from "../text/rating.js";
import { t } from "../text/text.js";
import { levelName } from "../text/words.js";
import { hasSeveralGames, other } from "../game/story.js";
import { ends } from "./bar.js";
import { shareMatch } from "./deeds.js";

/** @typedef {import("../game/story.js").Moment} Moment */
/** @typedef {import("./match.js").MatchElement} Match */

/** @param {Match} match */
export function overBoard(match) {
  const { at, saying } = match;
  const moment = match.shown;
  if (saying.isOpen && saying.all.length > 0) return reasons(saying.all);
  if (at !== undefined) return nothing;
  return moment.state === "open" && match.live.mySeats.length > 0 ? waiting(match, moment) : nothing;
}

/** The end of a game, unless it is hidden. @param {Match} match */
export const endCard = (match) => (isEnd(match) && !match.isEndAside ? ending(match, match.shown) : nothing);

/** Whether the end of a game is shown. @param {Match} match */
export const isEnd = ({ at, pace, shown }) => at === undefined && (shown.state === "ended" || pace.isHeld);

/** @param {string[]} all */
const reasons = (all) => html`<ul class="over reasons">${all.map((reason) => html`<li>${reason}</li>`)}</ul>`;

/** @param {Match} match @param {Moment} moment */
function ending(match, moment) {
  const { live } = match;
  const end = gameEnd(moment, live.mySeats);
  const isOver = moment.state === "ended";
  const title = isOver && (hasSeveralGames(moment) || !end) ? matchEndedText(moment, live.mySeats) : end?.title;
  return html`<section class="ending" aria-labelledby="end" @keydown=${(/** @type {KeyboardEvent} */ event) =>
      event.key === "Escape" && match.turnEnd()}>
    <button class="plain icon aside" @click=${() => match.turnEnd()} aria-label=${t("ends.aside")} title=${t("ends.aside")}>
      <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M6 6l12 12M18 6 6 18" /></svg></button>
    <h2 id="end" tabindex="-1">${title}</h2>
    <div class="how">
      ${end ? html`<p>${[end.why, end.points].filter(Boolean).join(" · ")}</p>` : nothing}
      ${balance(match)}
      ${ratings(match, moment)}
      ${hasSeveralGames(moment) ? html`<p class="muted small figures">${standing(moment)}</p>` : nothing}
    </div>
    <div class="next">
      ${isOver ? afterMatch(match, moment) : html`<button class="main" @click=${() => match.nextGame()}>${nextGameText(match)}</button>`}
    </div>
  </section>`;
}

/** The button to the next game, with the rest of the break before it. @param {Match} match */
function nextGameText({ pace }) {
  const leftMs = pace.isHeld ? pace.breakLeftMs : Infinity;
  return leftMs < Infinity ? t("ends.nextGameIn", { seconds: Math.ceil(leftMs / 1000) }) : t("ends.nextGame");
}

/**
 * The player's luck and skill: a button requests the computer's analysis, then shows the result and links to the whole
 * analysis.
 * @param {Match} match
 */
function balance(match) {
  const { live, lookBack: { analysis }, own } = match;
  if (live.mySeats.length !== 1 || !live.moment || !canLookBack(live.moment)) return nothing;
  const [mine, theirs] = [analysis.totals[own], analysis.totals[other(own)]];
  const [luck, skill] = [mine.luck - theirs.luck, theirs.lost - mine.lost].map((value) => signed(hundredths(value)));
  const known = () => t(analysis.hasDice ? "ends.balance" : "ends.balance.skill", { luck, skill });
  const text = analysis.isReady ? known() : t(analysis.wanted > 0 ? "analysis.looking" : "ends.weigh");
  return html`<p class="balance figures" role="status"><button class="plain" @click=${() =>
      analysis.wanted > 0 ? match.openAnalysis() : analysis.want()}>${text}</button></p>`;
}

/** @param {number} value */
const signed = (value) => `${value < 0 ? "−" : "+"}${Math.abs(value)}`;

/** The changes of the ratings: where there is little room, only that of a player whose name is covered. @param {Match} match @param {Moment} moment */
function ratings({ bottom, live }, moment) {
  if (!moment.ratings) return nothing;
  if (moment.ratings.taken_back) return html`<p>${unratedText(moment.ratings.taken_back)}</p>`;
  const text = (/** @type {import("../game/story.js").Seat} */ seat) => ratedText(moment, seat, live.mySeats);
  return html`<p class="figures">${text(bottom)}</p><p class="figures beside">${text(other(bottom))}</p>`;
}

/** The score of a series or a pair. @param {Moment} moment */
const standing = (moment) =>
  t(moment.games ? "ends.standing.pair" : "ends.standing", {
    one: playerName(moment, 1),
    other: playerName(moment, 2),
    score: scoreText(moment),
    count: moment.points,
  });

/** @param {Match} match @param {Moment} moment */
function afterMatch(match, moment) {
  const { live } = match;
  const checks = checkText(moment);
  const { next, offeredBy } = moment.rematch;
  const waits = offeredBy && live.mySeats.length === 1 && live.mySeats[0] === offeredBy && !isComputer(moment, other(offeredBy));
  return html`
    ${live.tournament ? html`<lusoria-of-tournament .tournament=${live.tournament} .connection=${live.connection}></lusoria-of-tournament>` : nothing}
    ${next ? html`<a class="button main" href="/match/${next}">${t("match.next")}</a>` : ends(match)}
    ${waits ? html`<p class="muted small">${t("match.rematchWaits")}</p>` : nothing}
    <a class="button" href="/#${moment.game}">${t("ends.newOpponent")}</a>
    <button aria-haspopup="dialog" @click=${() => shareMatch(match)}>${t("share.title")}</button>
    ${canLookBack(moment) ? html`<button @click=${() => match.openAnalysis()}>${t("analysis.title")}</button>` : nothing}
    ${otherLevels(match, moment)}
    ${checks && moment.gameNumber > 0 ? html`<a class="button" href="/match/${live.id}/dice">${checks}</a>` : nothing}`;
}

/** Buttons for a new match against the computer, a level stronger or weaker. @param {Match} match @param {Moment} moment */
function otherLevels(match, moment) {
  const [own] = match.live.mySeats;
  const level = own && moment.players[other(own)]?.level;
  if (match.live.mySeats.length !== 1 || !level) return nothing;
  return LEVELS.filter((one) => Math.abs(one - level) === 1).map(
    (one) => html`<button @click=${() => match.playLevel(one)}>${t("ends.level", { level: levelName(one) })}</button>`,
  );
}

/** @param {Match} match @param {Moment} moment */
function waiting(match, moment) {
  return html`<section class="over waiting" aria-labelledby="waits">
    <h2 id="waits">${t("match.waiting")}</h2>
    ${moment.admission === "invitation" ? invitation(match) : html`<p>${t("match.waitingOpen")}</p>`}
    ${ends(match)}
  </section>`;
}

/** @param {Match} match */
function invitation(match) {
  const made = match.invitation;
  return made
    ? html`<lusoria-invitation .code=${made.code} .expires=${made.expires_at}></lusoria-invitation>`
    : html`<p>${t("match.inviteLost")}</p>
        <button @click=${() => match.invite()}>${t("match.inviteAnew")}</button>`;
}
