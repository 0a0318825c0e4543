// The elements around the rules, whose text is in the server's document.

import { css } from "../lit.js";
import "../parts/contents.js";
import "../parts/head.js";
import { inOwnLanguage, reachable } from "../parts/reading.js";
import { chooseLanguage, currentLanguage, find, languages, loadTexts, t } from "../text/text.js";

/** The frame of the text. */
const around = css`
  .reading {
    width: 100%;
    max-width: 44rem;
    margin: 0 auto;
  }

  .ways {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0 var(--gap-m);
    padding: var(--gap-s) max(var(--gap-m), env(safe-area-inset-left)) 0;
  }

  .ways a {
    display: inline-flex;
    align-items: center;
    min-height: 2.25rem;
  }

  .ways .tongue {
    margin-left: auto;
  }

  .ways .tongue ~ .tongue {
    margin-left: 0;
  }

  main.text h2,
  main.text h3 {
    scroll-margin-top: var(--gap-m);
  }

  lusoria-contents {
    display: none;
  }

  @media (min-width: 70rem) {
    .reading {
      display: grid;
      grid-template-columns: 16rem minmax(0, 44rem) 16rem;
      column-gap: var(--gap-l);
      width: fit-content;
      max-width: 100%;
    }

    .ways,
    .reading > main {
      grid-column: 2;
    }

    lusoria-contents {
      display: block;
      grid-column: 1;
      grid-row: 1 / span 2;
    }
  }

  @media print {
    lusoria-head,
    lusoria-contents,
    .ways {
      display: none;
    }
  }
`;

/** The game of the page, if it is about one, and whether these are the exact rules. */
function about() {
  const [, , game, exact] = location.pathname.split("/");
  const isGame = find(`games.${game}`) !== undefined;
  return { game: isGame ? game : undefined, exact: !isGame && game !== undefined || exact === "exact" };
}

/** @param {string} to @param {string} text */
function link(to, text) {
  const made = document.createElement("a");
  made.href = to;
  made.textContent = text;
  return made;
}

/** Where to go from here. */
function ways() {
  const { game } = about();
  const bar = document.createElement("nav");
  bar.className = "ways";
  bar.ariaLabel = t("rules.links");
  if (game) {
    bar.append(link(`/#${game}`, t("rules.play")), link(`/learn/${game}`, t("rules.learn")), link(`/editor/${game}`, t("editor.title")));
    bar.append(link(`/rules?lang=${currentLanguage()}`, t("rules.all")));
  }
  for (const name of languages()) {
    if (name === currentLanguage()) continue;
    const own = new Intl.DisplayNames(name, { type: "language" }).of(name) ?? name;
    const other = link(`?lang=${name}`, own.charAt(0).toLocaleUpperCase(name) + own.slice(1));
    other.lang = name;
    other.hreflang = name;
    other.className = "tongue";
    other.addEventListener("click", () => chooseLanguage(name));
    bar.append(other);
  }
  return bar;
}

await loadTexts();
const main = document.querySelector("main");
if (main) {
  if (!about().exact) inOwnLanguage(main);
  if (around.styleSheet) document.adoptedStyleSheets.push(around.styleSheet);
  const reading = document.createElement("div");
  reading.className = "reading";
  const contents = document.createElement("lusoria-contents");
  main.replaceWith(reading);
  reading.append(contents, ways(), main);
  Object.assign(contents, { headings: [...main.querySelectorAll("h2[id]")] });
  document.body.prepend(document.createElement("lusoria-head"));
  reachable(main);
  // The target of the fragment has moved.
  document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
}
