// How home is laid out.

import { css } from "../lit.js";

export const homeStyle = css`
  main {
    display: grid;
    gap: var(--gap-xl);
    max-width: 110rem;
    margin: 0 auto;
    padding: var(--gap-l) max(var(--gap-m), env(safe-area-inset-right)) var(--gap-xl)
      max(var(--gap-m), env(safe-area-inset-left));
  }

  header {
    max-width: 48rem;
    margin: 0 auto;
    text-align: center;
  }

  .lead {
    margin-top: var(--gap-s);
    font-family: var(--text);
    font-size: var(--size-l);
    color: var(--muted);
    text-wrap: balance;
  }

  .wrong {
    margin-top: var(--gap-s);
    color: var(--accent);
    font-weight: 600;
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

  .beside {
    margin-top: var(--gap-s);
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

  /* Both lie on the card that opens the game, at its foot. */
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

  .others {
    display: grid;
    gap: var(--gap-xl);
  }

  /* As high before it is there as afterwards, whatever it shows. */
  lusoria-tv-board {
    display: block;
    max-width: 40rem;
    height: 13rem;
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

  /* As long as nothing else is shown, the page is as high as it will be at least: a bar to scroll it with
     would push everything aside when it comes. */
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
    grid-template-columns: repeat(auto-fill, minmax(min(100%, 22rem), 1fr));
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

  .empty {
    padding: var(--gap-l);
    border: 1px dashed var(--edge);
    border-radius: var(--round);
    font-family: var(--text);
    color: var(--muted);
    text-align: center;
    text-wrap: balance;
  }

  /* Two large, three small. */
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
      font-size: 0.9375rem;
      line-height: 1.35;
    }

    lusoria-tv-board {
      height: 18rem;
    }

    .games {
      grid-template-columns: 1fr;
      gap: var(--gap-s);
    }

    /* The picture beside what it shows, all else below both. */
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

  @media (min-width: 70rem) {
    .others {
      grid-template-columns: minmax(20rem, 1fr) 2fr;
    }

    .open {
      grid-template-columns: 1fr;
    }
  }
`;
