// The layout of home.

import { css } from "../lit.js";

export const homeStyle = css`
  main {
    display: grid;
    gap: var(--gap-xl);
    max-width: 150rem;
    margin: 0 auto;
    padding: var(--gap-l) max(var(--gap-m), env(safe-area-inset-right)) var(--gap-xl)
      max(var(--gap-m), env(safe-area-inset-left));
  }

  /* One large board, and beside it the ways to play. Its height does not depend on its content. */
  .room {
    display: grid;
    grid-template: "object" min(96vw, 27rem) "play" auto "waits" 12rem / minmax(0, 1fr);
    gap: var(--gap-m) var(--gap-xl);
  }

  .object {
    grid-area: object;
    min-width: 0;
    --caption: var(--size-s);
  }

  .play {
    grid-area: play;
    display: grid;
    align-content: start;
    gap: var(--gap-m);
  }

  .ways {
    display: grid;
    grid-template-columns: 1fr 1fr;
    gap: var(--gap-s);
  }

  .lead {
    color: var(--muted);
  }

  /* Its content changes, but moves nothing else. */
  .waits {
    grid-area: waits;
    display: grid;
    grid-template-rows: auto minmax(0, 1fr);
    min-height: 0;
  }

  .waits h2 {
    margin-bottom: var(--gap-s);
    font-size: var(--size-l);
  }

  .list {
    min-height: 0;
    overflow-y: auto;
  }

  .meanwhile {
    display: grid;
    grid-template-columns: 8rem 1fr;
    align-items: center;
    gap: var(--gap-m);
    margin-top: var(--gap-s);
    padding: var(--gap-s);
    color: inherit;
  }

  .meanwhile lusoria-miniature {
    aspect-ratio: 8 / 5;
  }

  @media (min-width: 60rem) {
    .room {
      grid-template:
        "object play" auto
        "object waits" minmax(11rem, 1fr) / minmax(0, 1fr) clamp(20rem, 26vw, 30rem);
      height: clamp(34rem, 100vh - 8.5rem, 56vw);
    }

    .object {
      --caption: var(--size-m);
    }
  }

  .wrong {
    margin-top: var(--gap-s);
    color: var(--accent);
    font-weight: 600;
  }

  .wrong:empty {
    position: absolute;
  }

  section {
    min-width: 0;
  }

  h2 {
    display: flex;
    align-items: center;
    gap: var(--gap-m);
    margin-bottom: var(--gap-m);
  }

  h2::after {
    content: "";
    flex: 1;
    border-top: 1px solid var(--line);
  }

  .games {
    display: grid;
    grid-template-columns: repeat(5, 1fr);
    gap: var(--gap-m);
  }

  .game {
    position: relative;
    display: flex;
    flex-direction: column;
    overflow: hidden;
    transition: border-color 120ms;
  }

  .game:hover {
    border-color: var(--accent);
  }

  .what {
    padding: var(--gap-s) var(--gap-m);
  }

  .foot {
    flex: 1;
    display: flex;
    flex-direction: column;
    align-items: flex-start;
    padding: 0 var(--gap-m) var(--gap-m);
  }

  .game p {
    font-size: var(--size-s);
    color: var(--muted);
  }

  .picture {
    position: relative;
    aspect-ratio: 8 / 5;
    background: var(--sunk);
  }

  .picture lusoria-miniature {
    position: absolute;
    inset: var(--gap-s);
  }

  /* The whole card opens the game. */
  .game h3 button {
    min-height: 2rem;
    padding: 0;
    border: 0;
    background: none;
    color: var(--ink);
    text-align: left;
  }

  .game h3 button::after {
    content: "";
    position: absolute;
    inset: 0;
    border-radius: var(--round);
  }

  .game h3 button:focus-visible {
    outline: none;
  }

  .game h3 button:focus-visible::after {
    outline: var(--ring);
    outline-offset: -0.1875rem;
  }

  .game:hover h3 button {
    color: var(--accent);
  }

  .game .facts {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    gap: 0 var(--gap-s);
    color: var(--ink);
  }

  .facts svg {
    align-self: center;
    width: 2.25rem;
    height: 0.75rem;
    fill: none;
    stroke: var(--accent);
    stroke-width: 1.4;
  }

  .facts .full {
    fill: var(--accent);
  }

  /* Both lie at the foot of the card that opens the game. */
  .game a {
    position: relative;
    display: inline-flex;
    align-items: center;
    min-height: 2rem;
    margin-top: auto;
    font-size: var(--size-s);
  }

  .game .computer {
    position: relative;
    margin-top: var(--gap-xs);
    padding-inline: 0.75rem;
    border-color: var(--line);
    font-size: var(--size-s);
  }

  .game .computer:hover {
    border-color: var(--accent);
    background: var(--tint);
  }

  .mine {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(100%, 22rem), 1fr));
    gap: var(--gap-m);
  }

  .mine + button,
  .mine + button + button {
    margin-top: var(--gap-s);
  }

  h2:focus {
    outline: none;
  }

  h3 + .mine {
    margin-top: var(--gap-s);
  }

  /* While nothing else is shown, the page already has its least final height: a scroll bar that appeared later would
     move everything. */
  .held {
    min-height: 120vh;
    align-content: start;
  }

  .soon {
    color: var(--muted);
    text-align: center;
  }

  .open {
    display: grid;
    gap: var(--gap-s);
  }

  .seek {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: var(--gap-s) var(--gap-m);
    padding: var(--gap-m);
  }

  .seek > div {
    flex: 1 1 9rem;
    min-width: 0;
    overflow-wrap: anywhere;
  }

  .seek h3 {
    font-size: var(--size-m);
  }

  .live {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(100%, 17rem), 1fr));
    gap: var(--gap-m);
  }

  .mine > li,
  .live > li {
    display: grid;
  }

  /* Two large cards, three small ones. */
  @media (max-width: 72rem) {
    .games {
      grid-template-columns: repeat(6, 1fr);
    }

    .game {
      grid-column: span 2;
    }

    .game:nth-child(-n + 2) {
      grid-column: span 3;
    }
  }

  @media (max-width: 40rem) {
    main {
      gap: var(--gap-l);
      padding-top: var(--gap-m);
    }

    .lead {
      line-height: 1.35;
    }

    .games {
      grid-template-columns: 1fr;
      gap: var(--gap-s);
    }

    /* The picture beside the text, all else below both. */
    .game:nth-child(n) {
      display: grid;
      grid-column: auto;
      grid-template-columns: minmax(7rem, 36%) 1fr;
    }

    .picture {
      aspect-ratio: auto;
    }

    .foot {
      grid-column: span 2;
      flex-direction: row;
      flex-wrap: wrap;
      justify-content: space-between;
      gap: 0 var(--gap-xs);
      padding: var(--gap-s) 0.75rem;
      border-top: 1px solid var(--line);
    }

    .game .facts {
      flex-basis: 100%;
    }

    .game a,
    .game .computer {
      margin: 0;
    }
  }

`;
