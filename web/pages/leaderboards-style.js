// The layout of the leaderboards.

import { css } from "../lit.js";

export const leaderboardsStyle = css`
  main {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    align-content: start;
    gap: var(--gap-l);
    width: 100%;
    max-width: 76rem;
    /* The part below the boards is hidden until they are loaded. */
    min-height: 100vh;
    margin: 0 auto;
    padding: var(--gap-l) max(var(--gap-m), env(safe-area-inset-left)) var(--gap-xl);
  }

  h1 {
    overflow-wrap: anywhere;
  }

  header {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: var(--gap-m);
  }

  .ways {
    display: flex;
    gap: var(--gap-xs);
    /* Space for the focus ring. */
    margin: -0.25rem;
    padding: 0.25rem;
    overflow-x: auto;
    scrollbar-width: thin;
  }

  .switches {
    display: flex;
    flex-wrap: wrap;
    gap: var(--gap-s) var(--gap-l);
  }

  .switch {
    display: inline-flex;
    max-width: 100%;
    border: 1px solid var(--edge);
    border-radius: var(--round-s);
  }

  .ways a,
  .switch a {
    display: inline-flex;
    flex: none;
    align-items: center;
    min-height: var(--touch);
    padding: 0 0.875rem;
    border: 1px solid transparent;
    border-radius: var(--round-s);
    color: var(--ink);
    text-decoration: none;
    white-space: nowrap;
  }

  .switch a {
    flex: 0 1 auto;
    min-height: 2.5rem;
    border: 0;
    border-radius: calc(var(--round-s) - 1px);
  }

  .ways a:hover,
  .switch a:hover {
    background: var(--sunk);
  }

  .ways a[aria-current] {
    border-color: var(--accent);
    background: var(--tint);
    font-weight: 600;
  }

  .switch a[aria-current] {
    background: var(--fill);
    color: var(--on-fill);
  }

  @media (max-width: 24rem) {
    .switch a {
      padding: 0 0.5rem;
    }
  }

  @media (forced-colors: active) {
    .switch a[aria-current] {
      outline: 2px solid LinkText;
      outline-offset: -4px;
    }
  }

  .boards {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(20rem, 100%), 1fr));
    gap: var(--gap-m);
  }

  .boards > section {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: var(--gap-s);
    align-content: start;
    padding: var(--gap-m);
  }

  .boards h2 {
    font-size: var(--size-l);
  }

  .boards h2 a {
    color: inherit;
    text-decoration: none;
  }

  .boards h2 a:hover {
    text-decoration: underline;
  }

  .one {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: var(--gap-l) var(--gap-xl);
    align-items: start;
  }

  aside,
  .words {
    display: grid;
    gap: var(--gap-l);
  }

  .words > section,
  aside > section {
    display: grid;
    gap: var(--gap-s);
    align-content: start;
  }

  aside > section {
    max-width: 44rem;
  }

  .told p {
    break-inside: avoid;
  }

  .told p + p {
    margin-top: var(--gap-s);
  }

  .words h2,
  aside h2,
  .who h2 {
    font-size: var(--size-l);
  }

  .mine {
    min-height: 8.5rem;
    padding: var(--gap-m);
  }

  .mine .points {
    font-family: var(--title);
    font-size: var(--size-xl);
    font-weight: 600;
    line-height: 1.2;
  }

  .mine ul {
    padding-left: 1.2em;
    list-style: disc;
  }

  .mine li::marker {
    color: var(--accent);
  }

  .loading .after {
    visibility: hidden;
  }

  @media (min-width: 62rem) {
    .one {
      grid-template-columns: minmax(0, 1fr) 20rem;
    }

    .words .told {
      columns: 2;
      column-gap: var(--gap-xl);
    }

    .loading .beside {
      visibility: visible;
    }
  }
`;
