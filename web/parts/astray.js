// What is worth seeing where there is nothing: the boards of the games, each leading to its game.

import { catalogue } from "../api/catalogue.js";
import { GAMES } from "../game/games.js";
import { html, render } from "../lit.js";
import { t } from "../text/text.js";
import { gameName } from "../text/words.js";
import "../board/miniature.js";
import { PICTURES } from "./pictures.js";

/** Shows them below what the server says. @param {HTMLElement} main */
export async function showBoards(main) {
  const place = document.createElement("section");
  main.append(place);
  // Without the catalogue the games are named alone.
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
