// Any position of a game, to be put together, analysed and shared: /editor/{game}?white=…&black=…&turn=….

import { ask, Problem } from "../api/rest.js";
import { Connection } from "../api/socket.js";
import { momentOf, setupIn, startOf } from "../game/setup.js";
import { Hints } from "../match/hints.js";
import { LiveMatch } from "../match/live.js";
import { Pace } from "../match/pace.js";
import { Turn } from "../match/turn.js";
import { edit } from "../parts/editing.js";
import { MatchElement } from "../parts/match.js";
import { loadTexts, t } from "../text/text.js";
import { gameName, problemText, sideName } from "../text/words.js";

const game = /** @type {import("../text/words.js").Game} */ (location.pathname.split("/")[2]);

await loadTexts();
document.title = t("editor.document", { game: gameName(game) });
const connection = new Connection(() => null);
try {
  const entry = await ask("GET", `/games/${game}`);
  // A match that is nobody's, and over: what is put together lies on its board.
  const live = new LiveMatch(connection, "", () => undefined);
  live.here = { 1: true, 2: true };
  live.moment = momentOf(entry, setupIn(entry, location.search) ?? startOf(entry), sideName);
  const turn = new Turn(live);
  const element = new MatchElement();
  Object.assign(element, { live, turn, entry, pace: new Pace(live, entry), hints: new Hints(live, turn) });
  document.body.append(element);
  edit(element, location.search);
  connection.open();
} catch (why) {
  if (!(why instanceof Problem)) throw why;
  const main = document.createElement("main");
  main.className = "text alone";
  const title = document.createElement("h1");
  title.textContent = problemText(why);
  main.append(title);
  document.body.append(main);
}
