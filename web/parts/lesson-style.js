// The layout of a first game: everything fits without scrolling, even on a phone.

import { css } from "../lit.js";

export const look = css`
  :host {
    display: grid;
    grid-template: auto auto minmax(0, 1fr) auto / minmax(0, 1fr);
    gap: var(--gap-s);
    min-height: 0;
  }

  header {
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: var(--gap-m);
  }

  h1 {
    font-size: var(--size-l);
  }

  .progress {
    flex: none;
    display: flex;
    align-items: center;
    gap: var(--gap-s);
    font-size: var(--size-s);
    color: var(--muted);
  }

  progress {
    width: 5rem;
    height: 0.5rem;
    border: 0;
    border-radius: 0.25rem;
    background: var(--sunk);
    outline: 1px solid var(--edge);
    appearance: none;
    overflow: hidden;
  }

  progress::-webkit-progress-bar {
    background: var(--sunk);
  }

  progress::-webkit-progress-value {
    background: var(--fill);
  }

  progress::-moz-progress-bar {
    background: var(--fill);
  }

  .told {
    /* The size of the board does not depend on the text. */
    height: clamp(6.5rem, 25vh, 10rem);
    padding: var(--gap-s) var(--gap-m);
    overflow-y: auto;
    font-size: 1.0625rem;
    line-height: 1.4;
  }

  .told.right {
    border-color: var(--good);
  }

  .told.other {
    border-color: var(--warn);
  }

  .told > * + * {
    margin-top: var(--gap-xs);
  }

  .word {
    color: var(--accent);
    font-weight: 600;
  }

  .right strong {
    color: var(--good);
  }

  lusoria-board {
    min-width: 0;
    min-height: 0;
    width: 100%;
    height: 100%;
  }

  .below {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: var(--gap-xs) var(--gap-s);
  }

  .buttons {
    display: flex;
    gap: var(--gap-s);
    margin-left: auto;
  }

  .end {
    grid-row: 2 / -1;
    align-self: center;
    justify-self: center;
    max-width: 34rem;
    padding: var(--gap-l);
    text-align: center;
  }

  .end > * + * {
    margin-top: var(--gap-m);
  }

  .end .ways {
    display: flex;
    flex-wrap: wrap;
    justify-content: center;
    gap: var(--gap-s);
  }

  @media (min-aspect-ratio: 6 / 5) {
    :host {
      grid-template: auto minmax(0, auto) auto minmax(0, 1fr) / minmax(0, 1fr) minmax(15rem, 24%);
      column-gap: var(--gap-m);
    }

    header,
    .told,
    .below {
      grid-column: 2;
    }

    header {
      flex-direction: column;
      align-items: flex-start;
      gap: var(--gap-xs);
    }

    .told {
      height: auto;
      min-height: 0;
    }

    @media (min-height: 44rem) {
      .told {
        padding: var(--gap-m);
        font-size: var(--size-l);
      }
    }

    lusoria-board {
      grid-column: 1;
      grid-row: 1 / -1;
    }

    .below {
      flex-direction: column;
      align-items: flex-start;
      margin-top: var(--gap-s);
    }

    .buttons {
      flex-wrap: wrap;
      margin-left: 0;
    }

    .end {
      grid-column: 1 / -1;
    }
  }

  @media (max-width: 24rem) {
    progress {
      display: none;
    }

    .told {
      font-size: 1rem;
    }
  }

  @media (max-height: 30rem) {
    header,
    .below {
      flex-flow: row wrap;
      align-items: center;
    }

    .told {
      padding: var(--gap-xs) var(--gap-s);
      font-size: 0.9375rem;
    }
  }
`;
