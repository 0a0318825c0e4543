// The layout of a player's page.

import { css } from "../lit.js";

export const playerStyle = css`
  main {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: var(--gap-xl);
    max-width: 48rem;
    margin: 0 auto;
    padding: var(--gap-l) var(--gap-m) var(--gap-xl);
  }

  header,
  section {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: var(--gap-m);
  }

  header h1 {
    overflow-wrap: anywhere;
  }

  header h1 + p {
    margin-top: calc(var(--gap-s) * -1);
  }

  h2 {
    display: flex;
    align-items: center;
    gap: var(--gap-m);
  }

  h2::after {
    content: "";
    flex: 1;
    border-top: 1px solid var(--line);
  }

  .row {
    display: flex;
    flex-wrap: wrap;
    gap: var(--gap-s);
  }

  details {
    min-width: 0;
  }

  summary {
    width: fit-content;
    padding: var(--gap-xs) 0;
    cursor: pointer;
  }

  lusoria-played-filter {
    padding: var(--gap-s) 0;
  }

  .pair {
    display: grid;
    gap: var(--gap-s);
    padding: var(--gap-m);
  }

  @media (max-width: 30rem) {
    .pair {
      padding: 0;
      border: 0;
      background: none;
      box-shadow: none;
    }
  }
`;
