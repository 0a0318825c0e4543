// The layout of the pages of tournaments.

import { css } from "../lit.js";

export const tournamentsStyle = css`
  .lead {
    color: var(--muted);
  }

  .row {
    display: flex;
    flex-wrap: wrap;
    gap: var(--gap-s);
  }

  main > section {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: var(--gap-s);
    min-width: 0;
  }

  .list {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(100%, 20rem), 1fr));
    gap: var(--gap-m);
  }

  .empty {
    padding: var(--gap-m);
    border: 1px dashed var(--edge);
    border-radius: var(--round);
    color: var(--muted);
  }

  .wrong {
    color: var(--accent);
  }

  .presets {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 15rem), 1fr));
    gap: var(--gap-m);
  }

  .preset {
    position: relative;
    padding: var(--gap-m);
  }

  .preset a {
    color: inherit;
    text-decoration: none;
  }

  .preset a:hover {
    text-decoration: underline;
  }

  .preset:has(a:hover) {
    border-color: var(--edge);
  }

  .preset a::after {
    content: "";
    position: absolute;
    inset: 0;
    border-radius: var(--round);
  }

  .preset a:focus-visible {
    outline: none;
  }

  .preset a:focus-visible::after {
    outline: var(--ring);
    outline-offset: 2px;
  }
`;
