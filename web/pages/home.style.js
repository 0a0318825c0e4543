// How home is laid out.

import { css } from "../lit.js";

export const homeStyle = css`
  main {
    display: grid;
    gap: var(--gap-xl);
    max-width: 96rem;
    margin: 0 auto;
    padding: var(--gap-l) max(var(--gap-m), env(safe-area-inset-right)) var(--gap-xl)
      max(var(--gap-m), env(safe-area-inset-left));
  }

  header {
    max-width: 48rem;
    margin: 0 auto;
    text-align: center;
  }

  header p {
    margin-top: var(--gap-s);
    font-family: var(--serif);
    font-size: var(--size-l);
    color: var(--muted);
    text-wrap: balance;
  }

  .wrong {
    color: var(--accent);
    font-weight: 600;
    text-align: center;
  }

  main > .unseen,
  main > .wrong:empty {
    margin-top: calc(-1 * var(--gap-xl));
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
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 15rem), 1fr));
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

  .game > :last-child {
    padding: var(--gap-s) var(--gap-m) var(--gap-m);
  }

  .game p {
    font-size: var(--size-s);
    color: var(--muted);
  }

  .picture {
    aspect-ratio: 8 / 5;
    padding: var(--gap-s);
    background: var(--sunk);
  }

  .picture lusoria-miniature {
    width: 100%;
    height: 100%;
  }

  /* The whole card opens the game. */
  .game button {
    min-height: 2rem;
    padding: 0;
    border: 0;
    background: none;
    color: var(--ink);
    text-align: left;
  }

  .game button::after {
    content: "";
    position: absolute;
    inset: 0;
    border-radius: var(--round);
  }

  .game button:focus-visible {
    outline: none;
  }

  .game button:focus-visible::after {
    outline: var(--ring);
    outline-offset: -0.1875rem;
  }

  .game:hover button {
    color: var(--accent);
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

  .open {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(100%, 22rem), 1fr));
    gap: var(--gap-s);
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
    font-family: var(--serif);
    color: var(--muted);
    text-align: center;
    text-wrap: balance;
  }

  @media (max-width: 40rem) {
    main {
      gap: var(--gap-l);
      padding-top: var(--gap-m);
    }

    main > .unseen,
    main > .wrong:empty {
      margin-top: calc(-1 * var(--gap-l));
    }

    header p {
      font-size: var(--size-m);
    }

    .games {
      gap: var(--gap-s);
    }

    .game {
      flex-direction: row;
      align-items: stretch;
    }

    .picture {
      flex: none;
      width: 8rem;
      aspect-ratio: auto;
      display: grid;
    }

    .game > :last-child {
      padding: var(--gap-s) var(--gap-m);
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
