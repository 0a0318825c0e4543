// The layout of the parts around the board of a match: beside it, or in the sheet.

import { css } from "../lit.js";

export const aroundStyles = css`
  .side {
    display: none;
  }
  .tabs {
    display: grid;
    grid-template-columns: 1fr 1fr;
  }
  .tabs button {
    min-height: 2.25rem;
    padding-block: 0;
    border-radius: var(--round-s) 0 0 var(--round-s);
  }
  .tabs button + button {
    border-left: 0;
    border-radius: 0 var(--round-s) var(--round-s) 0;
  }
  .beside {
    flex: 1;
    display: flex;
    flex-direction: column;
    gap: var(--gap-s);
    min-height: 0;
    overflow-y: auto;
    overscroll-behavior: contain;
  }
  .beside h3 {
    font-size: var(--size-m);
  }
  .tried button {
    display: grid;
    grid-template-columns: 1fr auto;
    gap: 0 var(--gap-s);
    width: 100%;
    min-height: 2.25rem;
    padding: 0.1875rem 0.375rem;
    border: 0;
    background: none;
    font-size: var(--size-s);
    text-align: left;
  }
  .tried button[aria-current] {
    background: var(--tint);
    box-shadow: inset 0 0 0 1px var(--accent);
  }
  .tried.line li {
    display: grid;
    grid-template-columns: auto 1fr auto;
    gap: 0 0.375rem;
    padding: 0.125rem 0.375rem;
    font-size: var(--size-s);
  }
  .beside .dice {
    display: flex;
    flex-wrap: wrap;
    gap: var(--gap-xs);
    margin: 0;
    padding: var(--gap-xs) var(--gap-s) var(--gap-s);
    border: 1px solid var(--line);
    border-radius: var(--round-s);
  }
  .beside .dice legend {
    font-size: var(--size-s);
  }
  .beside .dice :is(select, input) {
    width: auto;
    min-width: 0;
    min-height: 2.25rem;
    padding: 0 0.5rem;
    border: 1px solid var(--edge);
    border-radius: var(--round-s);
    background: var(--raised);
    color: var(--ink);
    font: inherit;
  }
  .beside .dice input {
    flex: 1 1 8rem;
  }
  .saved li {
    display: flex;
  }
  .tried .cost {
    color: var(--accent);
  }
  .links {
    display: flex;
    flex-wrap: wrap;
    gap: var(--gap-s) var(--gap-m);
  }
  .links a,
  .links button {
    min-height: 1.5rem;
  }
  .links button {
    min-width: 0;
    padding: 0;
    border: 0;
    background: none;
    color: var(--accent);
    text-decoration: underline;
    text-decoration-thickness: 0.06em;
    text-underline-offset: 0.15em;
  }
  .away {
    visibility: hidden;
  }
  dialog.sheet {
    width: min(34rem, 100vw);
    max-width: none;
    max-height: 80dvh;
    margin: auto auto 0;
    padding: var(--gap-m);
    border: 1px solid var(--line);
    border-radius: var(--round-l) var(--round-l) 0 0;
    background: var(--ground);
    color: var(--ink);
  }
  dialog.sheet[open] {
    display: flex;
    flex-direction: column;
    gap: var(--gap-s);
  }
  dialog.sheet::backdrop {
    background: var(--veil);
  }
  dialog lusoria-turns,
  dialog lusoria-analysis {
    flex: 1;
    min-height: 8rem;
    border: 1px solid var(--line);
    border-radius: var(--round-s);
    background: var(--raised);
  }
  header {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    gap: 0 var(--gap-s);
  }
  header strong {
    font-family: var(--title);
  }
`;
