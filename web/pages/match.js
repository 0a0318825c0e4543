// The page of a match: /match/{id}, /match/{id}?at=N.

import { ask, Problem } from "../api/rest.js";
import { Connection } from "../api/socket.js";
import { ownTask } from "../own-task.js";
import { Hints } from "../match/hints.js";
import { LiveMatch } from "../match/live.js";
import { Pace } from "../match/pace.js";
import { revealInTime } from "../match/seeds.js";
import { Turn } from "../match/turn.js";
import { countWhenLeft } from "../player/badge.js";
import { identity, loseSession, token } from "../player/identity.js";
import { loadTexts, t } from "../text/text.js";
import { problemText } from "../text/words.js";
import { MatchElement } from "../parts/match.js";

/** The match in the URL. */
const id = location.pathname.split("/")[2] ?? "";

/** The event in the URL, if any. */
function askedFor() {
  const at = Number(new URLSearchParams(location.search).get("at"));
  return Number.isInteger(at) && at > 0 ? at : undefined;
}

/** The game in the document; requested while the match loads. */
const named = /** @type {HTMLMetaElement | null} */ (document.querySelector("meta[name=game]"))?.content;
const early = named === undefined ? undefined : ask("GET", `/games/${named}`).catch(() => undefined);

/** @param {string} text */
function say(text) {
  document.querySelector("main.alone")?.remove();
  const main = document.createElement("main");
  main.className = "text alone";
  const title = document.createElement("h1");
  title.textContent = text;
  const home = document.createElement("a");
  home.href = "/";
  home.textContent = t("common.home");
  main.append(title, home);
  document.body.append(main);
}

await loadTexts();
const connection = new Connection(token);
const live = new LiveMatch(connection, id);
const turn = new Turn(live);
revealInTime(live);

/** @type {MatchElement | undefined} */
let element;

async function begin() {
  if (element || !live.moment) return;
  const at = askedFor();
  try {
    const entry = (await early) ?? (await ask("GET", `/games/${live.moment.game}`));
    if (at !== undefined) await live.readPast();
    await ownTask();
    if (element) return;
    element = new MatchElement();
    Object.assign(element, { live, turn, entry, pace: new Pace(live, entry), hints: new Hints(live, turn) });
    document.querySelector("main.alone")?.remove();
    document.body.append(element);
    element.nameTitle();
    element.updateComplete.then(ownTask).then(tellTournament).then(tellRatings).then(ownTask).then(hearTalk);
    if (at !== undefined && at < live.past.length) element.show(at);
  } catch (why) {
    if (why instanceof Problem) say(problemText(why));
    else throw why;
  }
}

/** The way back to the tournament, for the end of the match. */
function tellTournament() {
  // Without a connection, the way is a link beside the board.
  if (live.tournament) import("../parts/of-tournament.js").catch(() => {});
}

/** The operator's messages to the person, after the board has rendered. */
function tellStanding() {
  if (token() !== null) import("../parts/standing.js").then((standing) => standing.tellStanding()).catch(() => {});
}

/** The talk, after everything else has rendered. */
async function hearTalk() {
  // Without a connection, the talk is optional.
  const loaded = await import("../parts/talk.js").catch(() => undefined);
  if (element) loaded?.hearTalk(element);
}

/** The ratings of the players, after the board has rendered. */
async function tellRatings() {
  if (!live.moment?.rated || live.moment.state === "ended") return;
  // Without a connection, the ratings are optional.
  const loaded = await import("../match/player-ratings.js").catch(() => undefined);
  loaded?.followRatings(live, (ratings) => element && Object.assign(element, { ratings }));
}

let isOffered = false;

/** In a correspondence match, offers notifications once. */
async function offerToTell() {
  if (isOffered || live.moment?.clock.kind !== "days") return;
  isOffered = true;
  try {
    const { mayOffer } = await import("../player/notifications.js");
    if (!(await mayOffer())) return;
    const { LusoriaNotifyOffer } = await import("../parts/notify-offer.js");
    if (element) element.offer = new LusoriaNotifyOffer();
  } catch {
    // The connection is lost; the offer can wait.
  }
}

live.addEventListener("moment", begin);
live.addEventListener("refused", (event) => {
  if (!element) say(problemText(/** @type {CustomEvent} */ (event).detail));
});
connection.addEventListener("line", () => {
  if (!element && connection.line === "waiting") say(t("connection.waiting"));
});
// A guest whom the server no longer knows may still watch.
connection.addEventListener("stranger", () => loseSession(connection.asker));
connection.addEventListener("blocked", () => {
  element?.remove();
  say(t("problems.blocked"));
});
connection.addEventListener("rewritten", () => location.reload());
identity.addEventListener("change", () => {
  connection.reopen();
  if (live.moment) live.look();
});
turn.addEventListener("played", offerToTell);
countWhenLeft();
live.start();
live.addEventListener("moment", () => ownTask().then(tellStanding), { once: true });
connection.open();
