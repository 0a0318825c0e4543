// The layout of the choices for a new match.

import { css } from "../lit.js";

export const startStyle = css`
  .among {
    display: flex;
    flex-wrap: wrap;
    gap: var(--gap-xs);
    margin-bottom: var(--gap-m);
  }

  .about {
    padding-top: var(--gap-m);
    border-top: 1px solid var(--line);
  }

  .ways {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(17rem, 1fr));
    gap: var(--gap-m);
    margin-top: var(--gap-m);
  }

  .ways button {
    flex-direction: column;
    align-items: flex-start;
    justify-content: flex-start;
    gap: var(--gap-xs);
    padding: var(--gap-m);
    border-color: var(--line);
    border-radius: var(--round);
    text-align: left;
    box-shadow: var(--shadow);
  }

  .ways button:hover {
    border-color: var(--line);
    background: var(--raised);
  }

  /* On touch screens, the hover style would stay after a tap and look like a choice. */
  @media (hover: hover) {
    .ways button:hover {
      border-color: var(--accent);
      background: var(--tint);
    }
  }

  .ways svg {
    width: 2.25rem;
    height: 2.25rem;
    color: var(--accent);
  }

  @media (max-width: 40rem) {
    .ways {
      gap: var(--gap-s);
    }

    .ways button {
      display: grid;
      grid-template-columns: auto 1fr;
      gap: 0 var(--gap-m);
      align-items: center;
      padding: 0.75rem var(--gap-m);
    }

    .ways svg {
      grid-row: span 2;
    }
  }

  .ways strong {
    font-size: var(--size-l);
  }

  .ways .lucky {
    color: var(--good);
    font-weight: 600;
  }

  .state {
    margin-top: var(--gap-s);
  }

  .wrong {
    color: var(--accent);
  }

  details[open] {
    padding-bottom: var(--gap-m);
  }

  summary {
    display: flex;
    align-items: center;
    gap: var(--gap-s);
    min-height: var(--touch);
    font-weight: 600;
    cursor: pointer;
  }

  summary::before {
    content: "";
    width: 0.5rem;
    height: 0.5rem;
    border-right: 2px solid;
    border-bottom: 2px solid;
    transform: rotate(-45deg);
    transition: transform 120ms;
  }

  details[open] summary::before {
    transform: rotate(45deg);
  }

  summary::-webkit-details-marker {
    display: none;
  }

  .read {
    display: flex;
    flex-wrap: wrap;
    gap: 0 var(--gap-l);
  }

  .read a {
    display: inline-flex;
    align-items: center;
    min-height: var(--touch);
  }
`;
