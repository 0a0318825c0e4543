// The look of the tables of a tournament.

import { css } from "../lit.js";

export const tableStyle = css`
  .scroll {
    position: relative;
    overflow-x: auto;
  }

  table {
    width: 100%;
    border-collapse: collapse;
    font-variant-numeric: tabular-nums lining-nums;
  }

  th,
  td {
    height: 2.5rem;
    padding: 0.25rem var(--gap-s);
    font-weight: 400;
    text-align: right;
    white-space: nowrap;
  }

  thead th {
    height: 2rem;
    color: var(--muted);
    font-size: var(--size-s);
  }

  tbody tr {
    border-top: 1px solid var(--line);
  }

  .who {
    font-weight: 600;
    text-align: left;
  }

  .who a {
    color: inherit;
    line-height: 2rem;
    text-decoration: none;
  }

  .who a:hover {
    text-decoration: underline;
  }

  .who a:focus-visible {
    outline-offset: -3px;
  }

  .who .muted {
    font-weight: 400;
  }

  .rank {
    width: 2.25rem;
    color: var(--muted);
  }

  .points {
    font-weight: 600;
  }

  .own {
    background: var(--tint);
  }

  .own .rank {
    box-shadow: inset 0.1875rem 0 0 var(--fill);
  }
`;
