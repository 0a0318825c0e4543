// The layout of TV.

import { css } from "../lit.js";

export const tvStyle = css`
  main {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    align-content: start;
    gap: var(--gap-l);
    width: 100%;
    max-width: 76rem;
    margin: 0 auto;
    padding: var(--gap-l) max(var(--gap-m), env(safe-area-inset-left)) var(--gap-xl);
  }

  .lead {
    margin-top: var(--gap-s);
    color: var(--muted);
  }

  .channels {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(100%, 22rem), 1fr));
    gap: var(--gap-m);
  }

  .channels lusoria-channel {
    height: 20rem;
  }

  nav {
    display: flex;
    gap: var(--gap-xs);
    min-width: 0;
    /* Space for the focus ring. */
    margin: -0.25rem;
    padding: 0.25rem;
    overflow-x: auto;
    scrollbar-width: thin;
  }

  nav a {
    display: inline-flex;
    flex: none;
    align-items: center;
    min-height: var(--touch);
    padding: 0 0.75rem;
    border-radius: var(--round-s);
    color: var(--ink);
  }

  nav a[aria-current] {
    background: var(--tint);
    font-weight: 600;
    text-decoration: none;
  }

  .notice {
    padding: var(--gap-l);
    text-align: center;
  }

  .notice > * + * {
    margin-top: var(--gap-m);
  }

  .empty {
    align-self: center;
    color: var(--muted);
    text-wrap: balance;
  }

  /* One channel: everything fits without scrolling. */
  :host([game]:not([game=""])) {
    display: flex;
    flex-direction: column;
    height: 100vh;
    height: 100dvh;
    overflow: hidden;
  }

  :host([game]:not([game=""])) main {
    flex: 1;
    min-height: 0;
    grid-template-rows: auto minmax(0, 1fr);
    align-content: stretch;
    gap: var(--gap-xs);
    max-width: 120rem;
    padding: var(--gap-xs) max(var(--gap-s), env(safe-area-inset-left)) max(var(--gap-xs), env(safe-area-inset-bottom));
  }

  :host([game]:not([game=""])) header {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0 var(--gap-m);
    min-width: 0;
  }

  :host([game]:not([game=""])) h1 {
    font-size: var(--size-l);
  }

  .screen {
    position: relative;
    display: grid;
    min-height: 0;
  }

  .screen lusoria-embed {
    width: 100%;
    height: 100%;
    animation: appear 400ms;
  }

  @keyframes appear {
    from {
      opacity: 0;
    }
  }

  .share {
    margin-left: auto;
    padding-inline: 0.25rem;
  }

  @media (max-width: 60rem) {
    nav {
      order: 1;
      flex-basis: 100%;
    }
  }

  /* A phone in landscape has space only for the board and the links to the other channels. */
  @media (max-height: 28rem) {
    :host([game]:not([game=""])) h1 {
      position: absolute;
      width: 1px;
      height: 1px;
      overflow: hidden;
      clip-path: inset(50%);
    }

    .share {
      display: none;
    }
  }
`;
