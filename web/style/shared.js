// Styles shared by elements: each takes what it needs into its `static styles`.
//
// Colours, type and spacing are the custom properties of page.css, which elements inherit.

import { css } from "../lit.js";

/** For every element: box sizing, focus, titles, links. */
export const base = css`
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }

  :host {
    display: block;
  }

  [hidden] {
    display: none !important;
  }

  :focus-visible {
    outline: var(--ring);
    outline-offset: 2px;
  }

  main:focus {
    outline: none;
  }

  h1,
  h2,
  h3 {
    margin: 0;
    font-family: var(--title);
    font-weight: 600;
    line-height: 1.2;
    text-wrap: balance;
  }

  h1 {
    font-size: var(--size-xxl);
  }

  h2 {
    font-size: var(--size-xl);
  }

  h3 {
    font-size: var(--size-l);
  }

  p {
    margin: 0;
    text-wrap: pretty;
  }

  ul,
  ol {
    margin: 0;
    padding: 0;
    list-style: none;
  }

  a {
    color: var(--accent);
    text-underline-offset: 0.15em;
    text-decoration-thickness: 0.06em;
  }

  a:hover {
    text-decoration-thickness: 0.12em;
  }

  /** For screen readers only. */
  .unseen {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }

  .muted {
    color: var(--muted);
  }

  .small {
    font-size: var(--size-s);
  }

  /** Tabular figures: clocks, scores, counts. */
  .figures {
    font-variant-numeric: tabular-nums lining-nums;
  }

  @media (prefers-reduced-motion: reduce) {
    *,
    *::before,
    *::after {
      transition-duration: 0.01ms !important;
      animation-duration: 0.01ms !important;
      animation-iteration-count: 1 !important;
    }
  }
`;

/**
 * Buttons, and links that look like buttons: default ones, `main` (the main action), `plain` (text only), `icon` (a
 * square), `danger` (cannot be undone).
 */
export const buttons = css`
  button,
  a.button {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: var(--gap-s);
    min-height: var(--touch);
    min-width: var(--touch);
    margin: 0;
    padding: 0.375rem 1rem;
    border: 1px solid var(--edge);
    border-radius: var(--round-s);
    background: var(--raised);
    color: var(--ink);
    font: inherit;
    line-height: 1.25;
    text-align: center;
    text-decoration: none;
    cursor: pointer;
    touch-action: manipulation;
    transition: background-color 120ms, border-color 120ms;
  }

  button:hover,
  a.button:hover {
    border-color: var(--ink);
    background: var(--sunk);
  }

  button.main,
  a.button.main {
    border-color: transparent;
    background: var(--fill);
    color: var(--on-fill);
    font-weight: 600;
  }

  button.main:hover,
  a.button.main:hover {
    background: var(--fill-strong);
  }

  button.plain,
  a.button.plain {
    border-color: transparent;
    background: none;
  }

  button.plain:hover,
  a.button.plain:hover {
    background: var(--sunk);
  }

  button.danger {
    border-color: var(--accent);
    color: var(--accent);
  }

  button.icon,
  a.button.icon {
    padding: 0;
    width: var(--touch);
    flex: none;
  }

  button svg,
  a.button svg {
    width: 1.375rem;
    height: 1.375rem;
    flex: none;
    fill: none;
    stroke: currentcolor;
    stroke-width: 1.6;
    stroke-linecap: round;
    stroke-linejoin: round;
  }

  button:disabled,
  button[aria-disabled="true"] {
    opacity: 0.55;
    cursor: default;
  }

  button[aria-pressed="true"],
  button[aria-expanded="true"] {
    border-color: var(--accent);
    background: var(--tint);
  }

  @media (forced-colors: active) {
    button.main,
    a.button.main {
      border-color: ButtonText;
    }
  }
`;

/** Forms: labels, inputs, choices (`fieldset.choices` holds radio buttons in a row). */
export const fields = css`
  label {
    display: block;
  }

  .label,
  legend {
    display: block;
    padding: 0;
    margin-bottom: var(--gap-xs);
    font-weight: 600;
  }

  .hint {
    color: var(--muted);
    font-size: var(--size-s);
  }

  .wrong {
    color: var(--accent);
  }

  input[type="text"],
  input[type="password"],
  input[type="number"],
  select {
    width: 100%;
    min-height: var(--touch);
    padding: 0.375rem 0.75rem;
    border: 1px solid var(--edge);
    border-radius: var(--round-s);
    background: var(--raised);
    color: var(--ink);
    font: inherit;
  }

  input[type="number"] {
    width: 6rem;
    font-variant-numeric: tabular-nums;
  }

  input[aria-invalid="true"] {
    border-color: var(--accent);
    border-width: 2px;
  }

  fieldset {
    min-width: 0;
    margin: 0;
    padding: 0;
    border: 0;
  }

  .choices {
    display: flex;
    flex-wrap: wrap;
    gap: var(--gap-s);
  }

  .choices legend {
    float: left;
    width: 100%;
  }

  .choices label,
  label.check {
    display: flex;
    align-items: center;
    gap: var(--gap-s);
    min-height: var(--touch);
    cursor: pointer;
  }

  .choices label {
    padding: 0.25rem 0.875rem 0.25rem 0.625rem;
    border: 1px solid var(--line);
    border-radius: var(--round-s);
    background: var(--raised);
  }

  .choices label:hover {
    border-color: var(--edge);
  }

  .choices label:has(:disabled),
  label.check:has(:disabled) {
    color: var(--muted);
    cursor: default;
  }

  .choices label:has(:checked) {
    border-color: var(--accent);
    background: var(--tint);
  }

  input[type="radio"],
  input[type="checkbox"] {
    flex: none;
    width: 1.125rem;
    height: 1.125rem;
    margin: 0;
    accent-color: var(--fill);
    cursor: inherit;
  }
`;

/** Sheets on the background of the page. */
export const cards = css`
  .card {
    border: 1px solid var(--line);
    border-radius: var(--round);
    background: var(--raised);
    box-shadow: var(--shadow);
  }
`;
