// The part beside the board, or in the sheet on small screens: the turns, the replay, the buttons that end the game,
// links to the rules.

import { html, nothing } from "../lit.js";
import "./replay.js";
import "./turns.js";
import { canLookBack } from "../match/analysis.js";
import { checkText } from "../match/telling.js";
import { isConditional } from "../match/actions.js";
import { stopsOf } from "../match/view.js";
import { t } from "../text/text.js";
import { clockText, gameName, lengthAndStake } from "../text/words.js";
import { ends, mayVary } from "./bar.js";
import { shareMatch } from "./deeds.js";
import { hasRoute, turnRoute } from "./match-route.js";

/** @typedef {import("./match.js").MatchElement} Match */
/** @typedef {import("../game/story.js").Moment} Moment */

/** The least height of a window in which the talk is open at first. It takes its space from the list of turns above it, so that what is below does not move. */
const HIGH_PX = 800;

/** @param {Match} match */
export function around(match) {
  const { at, live } = match;
  const moment = /** @type {Moment} */ (live.moment);
  const rows = seen(match);
  const checks = checkText(moment);
  return html`
    ${live.tournament ? html`<p class="small"><a href=${`/tournament/${live.tournament.id}`}>${live.tournament.name}</a></p>` : nothing}
    <header>
      <strong>${gameName(/** @type {any} */ (moment.game))}</strong>
      <span class="muted small">${live.isSetup ? t("editor.title") : [clockText(moment.clock), ...lengthAndStake(moment), ...(moment.takebacks > 0 ? [t("common.takebacks")] : [])].join(" · ")}</span>
    </header>
    ${match.aside ? nothing : choice(match, moment)}
    ${match.aside ? match.aside.beside() : match.lookBack.isOpen
      ? html`<lusoria-analysis .analysis=${match.lookBack.analysis} .moment=${moment} .seat=${match.own} .shown=${at ?? moment.seq}
          .mine=${live.mySeats} @lusoria-show=${match.lookedAt} @lusoria-practise=${() => match.practise()}></lusoria-analysis>`
      : html`<lusoria-turns .rows=${rows} .shown=${at ?? moment.seq} @lusoria-show=${match.showed}></lusoria-turns>`}
    ${opening(match)}
    <lusoria-talk .talk=${match.talk} ?open=${match.beside.isDrawn && innerHeight >= HIGH_PX}></lusoria-talk>
    ${at === undefined || match.aside || !mayVary(match) ? nothing : html`<button class="narrow" @click=${() => match.vary()}>${t("variation.try")}</button>`}
    ${match.aside ? nothing : html`<button class="narrow" aria-pressed=${String(hasRoute(match))} @click=${() => showRoute(match)}>${t("route.show")}</button>`}
    ${moment.state === "playing" ? ends(match) : nothing}
    ${isConditional(live) ? html`<lusoria-conditional .live=${live} .entry=${match.entry}></lusoria-conditional>` : nothing}
    <lusoria-replay class=${rows.length > 1 && at === undefined && !match.aside ? "" : "away"} .stops=${stopsOf(live.past)} .shown=${moment.seq}
      @lusoria-show=${match.showed}></lusoria-replay>
    <nav class="links small">
      <a href="/rules/${moment.game}">${t("match.rules")}</a>
      ${live.isSetup ? nothing : html`<button aria-haspopup="dialog" @click=${() => shareMatch(match)}>${t("share.title")}</button>`}
      ${!live.isSetup && checks && (moment.ended.length > 0 || moment.state === "ended")
        ? html`<a href="/match/${live.id}/dice">${checks}</a>`
        : nothing}
    </nav>
  `;
}

/** Statistics of first turns, before and after one. Only once the match is over, when they advise nobody. @param {Match} match */
function opening({ aside, at, entry, live, shown }) {
  if (live.moment?.state !== "ended") return nothing;
  import("./opening.js").catch(() => {});
  const moments = [shown, ...(at === undefined || aside ? [] : [live.moments[at - 2]])];
  return html`<lusoria-opening hidden .entry=${entry} .moments=${moments}></lusoria-opening>`;
}

/** Shows the route on the board that the sheet covers. @param {Match} match */
function showRoute(match) {
  turnRoute(match);
  match.closeSheet();
}

/** The turns, or the computer's analysis once a game is over. @param {Match} match @param {Moment} moment */
function choice({ lookBack }, moment) {
  const tab = (/** @type {string} */ name, /** @type {boolean} */ isOpen) =>
    html`<button ?disabled=${isOpen && !canLookBack(moment)} aria-pressed=${lookBack.isOpen === isOpen ? "true" : "false"}
      @click=${() => lookBack.turnTo(isOpen)}>${t(`analysis.${name}`)}</button>`;
  return html`<div class="tabs" role="group" aria-label=${t("analysis.what")}>
    ${tab("turns", false)}${tab("title", true)}
  </div>`;
}

/** The turns that have been shown. @param {Match} match */
function seen({ pace, rows }) {
  const { frame } = pace;
  return frame ? rows.filter(({ seq }) => seq <= frame.moment.seq) : rows;
}
