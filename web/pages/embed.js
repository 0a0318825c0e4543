// A match or a TV channel in a frame of another site: /embed/match/{id}, /embed/tv/{game}. The viewer is a stranger,
// even if this browser has a guest or an account, and nothing is stored.

import { ask, Problem } from "../api/rest.js";
import { Connection } from "../api/socket.js";
import { Broadcast } from "../match/broadcast.js";
import { LiveMatch } from "../match/live.js";
import { Pace } from "../match/pace.js";
import { Channels } from "../player/channels.js";
import { loadTexts, t } from "../text/text.js";
import { gameName, problemText } from "../text/words.js";
import { screenOf } from "../parts/screen.js";
import { LusoriaEmbed } from "../parts/embed.js";

/** The pause before a failed request is repeated, if the server names none. */
const AGAIN_S = 5;
const SECOND_MS = 1_000;

const NOBODY = () => undefined;

/** The theme that the other site asks for, if any. */
const theme = new URLSearchParams(location.search).get("theme");
if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;

/** The target of the address: a match by its id, or the channel of a game. */
const [, , kind, name = ""] = location.pathname.split("/");

/** The game in the document or the address; requested while the match loads. */
const named = kind === "tv" ? name : /** @type {HTMLMetaElement | null} */ (document.querySelector("meta[name=game]"))?.content;
const early = named === undefined ? undefined : ask("GET", `/games/${named}`).catch(() => undefined);

/** @type {HTMLElement | undefined} */
let shown;

/** Replaces the page's content. @param {HTMLElement} element */
function show(element) {
  document.querySelector("main.alone")?.remove();
  shown?.remove();
  shown = element;
  document.body.append(element);
}

/** @param {string} text */
function say(text) {
  const main = document.createElement("main");
  main.className = "text alone";
  const told = document.createElement("p");
  told.textContent = text;
  main.append(told);
  show(main);
}

await loadTexts();
const connection = new Connection(() => null);

/** Watches a match and its rematches. @param {string} id */
function watch(id) {
  const live = new LiveMatch(connection, id, NOBODY);
  /** @type {LusoriaEmbed | undefined} */
  let element;
  let isBegun = false;
  const followed = new AbortController();
  const { signal } = followed;

  /** Watches the rematch, after the end has been shown. @param {string} next */
  function follow(next) {
    followed.abort();
    live.stop();
    watch(next);
  }

  async function begin() {
    const { moment } = live;
    if (isBegun || !moment) return;
    isBegun = true;
    if (moment.admission !== "open") return refuse(t("embed.none"));
    // A viewer who arrives after the rematch began wants this match.
    const isOfOld = moment.rematch.next !== undefined;
    try {
      const entry = (await early) ?? (await ask("GET", `/games/${moment.game}`));
      const pace = new Pace(live, entry);
      const look = () => {
        const next = live.moment?.rematch.next;
        if (next && !isOfOld && !pace.isBehind) follow(next);
      };
      pace.addEventListener("change", look, { signal });
      element = new LusoriaEmbed();
      Object.assign(element, { live, pace, entry });
      show(element);
    } catch (why) {
      if (!(why instanceof Problem)) throw why;
      isBegun = false;
      say(problemText(why));
      // Retry with a timer: the next event may take long.
      setTimeout(begin, (why.retryAfterS ?? AGAIN_S) * SECOND_MS);
    }
  }

  /** @param {string} text */
  function refuse(text) {
    live.stop();
    say(text);
  }

  live.addEventListener("moment", begin);
  live.addEventListener("refused", (event) => {
    const problem = /** @type {CustomEvent} */ (event).detail;
    if (!problem.mayPass) return refuse(t("embed.none"));
    say(problemText(problem));
    setTimeout(() => signal.aborted || live.start(), (problem.retryAfterS ?? AGAIN_S) * SECOND_MS);
  });
  connection.addEventListener("line", () => {
    if (element) element.requestUpdate();
    else if (connection.line === "waiting") say(t("connection.waiting"));
    else if (connection.line === "open") begin();
  }, { signal });
  live.start();
}

/** Watches a channel. @param {import("../api/wire").components["schemas"]["Game"]} game */
async function tune(game) {
  const entry = (await early) ?? (await ask("GET", `/games/${game}`).catch(() => undefined));
  if (!entry) {
    say(t("connection.waiting"));
    setTimeout(() => tune(game), AGAIN_S * SECOND_MS);
    return;
  }
  const channels = new Channels();
  const broadcast = new Broadcast(connection, entry);
  const screen = screenOf(broadcast, show);
  channels.addEventListener("change", () => {
    const match = channels.all.get(game)?.match;
    if (match) broadcast.tune(match.id);
    else if (channels.all.has(game)) say(t("tv.none.game", { game: gameName(game) }));
  });
  connection.addEventListener("line", () => {
    screen.update();
    if (!broadcast.shown && connection.line === "waiting") say(t("connection.waiting"));
  });
  channels.start();
}

connection.addEventListener("rewritten", () => location.reload());
if (kind === "tv") tune(/** @type {any} */ (name));
else watch(name);
connection.open();
