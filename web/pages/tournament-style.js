// The layout of the page of a tournament.

import { css } from "../lit.js";

export const tournamentStyle = css`
  main {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    align-content: start;
    gap: var(--gap-l);
    width: 100%;
    max-width: 84rem;
    min-height: 100vh;
    margin: 0 auto;
    padding: var(--gap-l) max(var(--gap-m), env(safe-area-inset-left)) var(--gap-xl);
  }

  h1 {
    overflow-wrap: anywhere;
  }

  header {
    display: grid;
    gap: var(--gap-xs);
  }

  .terms {
    font-size: var(--size-l);
  }

  .own:not(:has(> :not([hidden]))) {
    display: none;
  }

  .own,
  .columns,
  .columns > div {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    align-content: start;
    gap: var(--gap-l);
    min-width: 0;
  }

  section {
    min-width: 0;
  }

  section > p {
    margin-bottom: var(--gap-s);
  }

  h2 {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    gap: 0 var(--gap-m);
    margin-bottom: var(--gap-s);
    font-size: var(--size-l);
  }

  h2 span {
    font-family: var(--text);
    font-size: var(--size-s);
    font-weight: 400;
  }

  .sheet {
    padding: var(--gap-s);
    border: 1px solid var(--line);
    border-radius: var(--round);
    background: var(--raised);
  }

  .about {
    display: grid;
    gap: var(--gap-s);
    padding: var(--gap-m);
  }

  .about h2 {
    margin: var(--gap-s) 0 0;
    font-size: var(--size-m);
  }

  .about ul {
    padding-left: 1.2em;
    list-style: disc;
  }

  .about li::marker {
    color: var(--accent);
  }

  .description {
    white-space: pre-line;
    overflow-wrap: anywhere;
  }

  .row {
    display: flex;
    flex-wrap: wrap;
    gap: var(--gap-s);
  }

  @media (min-width: 62rem) {
    .own {
      grid-template-columns: repeat(auto-fit, minmax(28rem, 1fr));
    }

    .columns {
      grid-template-columns: minmax(0, 1fr) minmax(0, 1fr);
      gap: var(--gap-xl);
    }
  }
`;
