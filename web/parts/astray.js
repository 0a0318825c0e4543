// Content for a page that was not found: the boards of the games, each linked to its game.

import { catalogue } from "../api/catalogue.js";
import { GAMES } from "../game/games.js";
import { html, render } from "../lit.js";
import { t } from "../text/text.js";
import { gameName } from "../text/words.js";
import "../board/miniature.js";
import { PICTURES } from "./pictures.js";

/** Shows them below the server's message. @param {HTMLElement} main */
export async function showBoards(main) {
  const place = document.createElement("section");
  main.append(place);
  // Without the catalogue, only the names of the games are shown.
  const entries = await catalogue().catch(() => new Map());
  render(
    html`<h2>${t("home.games")}</h2>
      <ul class="boards">
        ${GAMES.map(
          (game) => html`<li>
            <a href=${`/#${game}`}>
              <lusoria-miniature .entry=${entries.get(game)} .position=${PICTURES[game]}></lusoria-miniature>
              ${gameName(game)}
            </a>
          </li>`,
        )}
      </ul>`,
    place,
  );
}
