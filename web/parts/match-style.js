// The layout of a match: everything fits without scrolling, from a phone in portrait to a wall.

import { css } from "../lit.js";
import { base, buttons } from "../style/shared.js";
import { aroundStyles } from "./around-style.js";

export const styles = [
  base,
  buttons,
  aroundStyles,
  css`
    :host {
      display: flex;
      flex-direction: column;
      height: 100vh;
      height: 100dvh;
      overflow: hidden;
    }
    lusoria-head {
      flex: none;
    }
    /* Everything around the board has a fixed height, whatever its content: only the board takes the rest, and keeps
       its size and layout while the window does. */
    main {
      --seat: 3rem;
      --told: 2.25rem;
      --bar: 2.75rem;
      flex: 1;
      min-height: 0;
      display: grid;
      grid-template: var(--seat) var(--told) minmax(0, 1fr) var(--seat) var(--bar) / minmax(0, 1fr);
      grid-template-areas: "top" "told" "board" "bottom" "bar";
      gap: 0.125rem;
      padding: 0 max(0.375rem, env(safe-area-inset-left)) max(0.375rem, env(safe-area-inset-bottom));
    }
    lusoria-player {
      grid-area: bottom;
      min-height: 0;
      height: var(--seat);
    }
    lusoria-player:first-child {
      grid-area: top;
    }
    .table {
      grid-area: board;
      position: relative;
      min-width: 0;
      min-height: 0;
    }
    .board {
      position: absolute;
      inset: 0;
      width: 100%;
      height: 100%;
    }
    .told {
      grid-area: told;
      display: flex;
      align-items: flex-start;
      gap: var(--gap-s);
      min-width: 0;
      padding: 0 0.625rem;
      overflow: hidden;
    }
    .told p {
      flex: 1;
      min-width: 0;
      overflow: hidden;
      display: -webkit-box;
      -webkit-box-orient: vertical;
      -webkit-line-clamp: 2;
      line-clamp: 2;
      font-size: 0.875rem;
      line-height: 1.125rem;
      text-wrap: pretty;
    }
    .told button {
      flex: none;
      min-height: 1.5rem;
      padding: 0 0.5rem;
      color: var(--accent);
      font-size: 0.875rem;
      font-weight: 600;
    }
    .told lusoria-ends {
      --ends-wrap: nowrap;
      flex: none;
    }
    .told lusoria-ends::part(action) {
      min-height: var(--told);
      padding: 0 0.5rem;
      font-size: 0.875rem;
      white-space: nowrap;
    }
    @media (width < 24rem) {
      .told:has(lusoria-ends) p {
        font-size: 0.75rem;
        line-height: 0.75rem;
        -webkit-line-clamp: 3;
        line-clamp: 3;
        overflow-wrap: anywhere;
      }
      .told lusoria-ends::part(action) {
        padding: 0 0.375rem;
        font-size: 0.75rem;
      }
    }
    .bar {
      grid-area: bar;
      display: flex;
      align-items: center;
      justify-content: space-between;
      gap: var(--gap-xs);
      min-width: 0;
    }
    .bar button {
      max-height: var(--bar);
      padding-block: 0;
      line-height: 1.1;
    }
    .slots {
      display: grid;
      grid-template-columns: repeat(3, 2.75rem);
      grid-auto-columns: minmax(0, 8.5rem);
      grid-auto-flow: column;
      flex: 1;
      justify-content: end;
      gap: 0.25rem;
    }
    .slots button {
      min-width: 0;
      padding: 0;
    }
    .slots .main {
      padding-inline: 0.25rem;
      grid-column: 4;
    }
    .tools {
      display: flex;
      flex: none;
    }
    .marked {
      position: relative;
    }
    .marked::after {
      content: "";
      position: absolute;
      inset: 0.5rem 0.375rem auto auto;
      width: 0.625rem;
      height: 0.625rem;
      border-radius: 50%;
      background: var(--accent);
    }
    .grow {
      flex: 1;
      min-width: 0;
    }
    .wide {
      display: none;
    }
    .hint {
      color: var(--muted);
    }
    .word {
      color: var(--accent);
      font-weight: 600;
    }
    .counter {
      color: var(--warn);
    }
    .told .result {
      font-size: var(--size-m);
    }
    .buttons {
      display: flex;
      gap: 0.25rem;
      justify-content: flex-end;
      min-width: 0;
    }
    .buttons button {
      padding-inline: 0.625rem;
      font-size: 0.9375rem;
    }

    /* The card over a part of the board. */
    .over {
      position: absolute;
      inset: auto 0 0;
      width: fit-content;
      max-width: min(30rem, 100%);
      max-height: 100%;
      margin: 0 auto;
      padding: var(--gap-s) var(--gap-m) var(--gap-m);
      overflow-y: auto;
      border: 1px solid var(--line);
      border-radius: var(--round);
      background: var(--ground);
      box-shadow: var(--shadow);
    }
    .over > * + * {
      margin-top: var(--gap-xs);
    }
    .reasons {
      inset: 0 0 auto;
      font-size: var(--size-s);
    }
    lusoria-notify-offer {
      position: absolute;
      inset: 0 0 auto;
      max-width: 40rem;
      max-height: 100%;
      margin: 0 auto;
      overflow-y: auto;
    }
    .waiting {
      width: 100%;
      display: grid;
      gap: var(--gap-s);
    }

    /* The end covers the part below the board or beside it, in as many lines as fit: the whole last position stays
       visible. What it covers is inert until it is hidden. */
    .ending {
      grid-area: bottom / bottom / bar / bar;
      position: relative;
      z-index: 1;
      display: flex;
      flex-direction: column;
      width: 100%;
      min-width: 0;
      padding: 0.25rem 0.5rem;
      overflow: hidden;
      border: 1px solid var(--line);
      border-radius: var(--round);
      background: var(--ground);
      box-shadow: var(--shadow);
    }
    .ending ~ .bar,
    .ending ~ lusoria-player {
      visibility: hidden;
    }
    .ending h2 {
      padding-inline: 0 2.5rem;
      overflow: hidden;
      font-size: 1.0625rem;
      line-height: 1.375rem;
      white-space: nowrap;
      text-overflow: ellipsis;
    }
    .ending h2:focus {
      outline: none;
    }
    .ending .aside {
      position: absolute;
      inset: 0 0 auto auto;
      min-height: 2.5rem;
      width: 2.5rem;
    }
    .how {
      flex: none;
      display: -webkit-box;
      -webkit-box-orient: vertical;
      -webkit-line-clamp: var(--how, 2);
      line-clamp: var(--how, 2);
      overflow: hidden;
      padding-right: 2.5rem;
      font-size: 0.8125rem;
      line-height: 1rem;
    }
    .how p {
      display: inline;
      font-size: inherit;
    }
    .balance button {
      display: inline;
      min-height: 0;
      padding: 0;
      border: 0;
      color: var(--accent);
      font: inherit;
      text-decoration: underline;
    }
    .how p + p::before {
      content: " · ";
    }
    /* Two lines leave less room for the buttons. */
    .ending:has(.how p + p) {
      --next: 1.875rem;
      padding-block: 0.125rem;
    }
    /* Beside the name that stays visible. */
    .how .beside {
      display: none;
    }
    .next {
      --touch: var(--next, 2.25rem);
      --ends-wrap: nowrap;
      --ends-row: auto;
      flex: 1;
      display: flex;
      align-items: flex-end;
      justify-content: safe flex-start;
      gap: var(--gap-xs);
      min-height: 0;
      overflow-x: auto;
      overscroll-behavior-x: contain;
      scrollbar-width: none;
    }
    .next > *,
    .next button,
    .next a {
      flex: none;
      padding-inline: 0.5rem;
      font-size: 0.875rem;
      white-space: nowrap;
    }
    .next lusoria-ends {
      padding: 0;
    }

    @media (width < 24rem) {
      .ending h2 {
        font-size: 0.9375rem;
      }
    }
    @media (min-width: 40rem) and (min-height: 30.01rem) {
      .ending {
        display: grid;
        grid-template: minmax(0, 1fr) auto / fit-content(50%) minmax(0, 1fr);
        align-items: center;
        gap: 0 var(--gap-m);
        padding: 0.125rem var(--gap-m) 0.375rem;
      }
      .ending h2 {
        padding: 0;
      }
      .how {
        --how: 3;
      }
      .next {
        --next: 2.5rem;
        grid-column: 1 / 3;
      }
    }
    /* The name below the board stays visible, with its rating and its clock at the ends of the row: the end stands between them, and what comes next below. */
    @media (min-width: 68rem) and (min-height: 30.01rem) {
      main:has(.ending) {
        --who: clamp(12rem, 17vw, 22rem);
      }
      .ending {
        grid-template: var(--seat) minmax(0, 1fr) / minmax(0, 1fr);
        align-items: start;
        gap: 0;
        padding: 0.125rem 0.5rem;
      }
      .ending ~ lusoria-player {
        visibility: visible;
        z-index: 2;
        pointer-events: none;
      }
      .ending h2,
      .how {
        grid-area: 1 / 1;
        margin: 0 6.5rem 0 calc(var(--who) + 2.75rem);
        padding: 0;
      }
      .ending h2 {
        line-height: 1.25rem;
      }
      .how {
        --how: 2;
        padding-top: 1.25rem;
      }
      .how .beside {
        display: inline;
      }
      .ending .aside {
        inset: auto 0 0 auto;
      }
      .next {
        grid-area: 2 / 1;
        align-self: stretch;
      }
    }

    /* The smallest phones: the board has priority. */
    @media (max-height: 37rem) and (orientation: portrait) {
      main {
        --seat: 2.375rem;
        --told: 2rem;
        --bar: 2.375rem;
        --how: 1;
        --next: 2rem;
        gap: 0;
      }
      .ending {
        padding-block: 0;
      }
      .ending h2 {
        font-size: 0.9375rem;
        line-height: 1.25rem;
      }
      lusoria-player {
        padding-block: 0;
      }
      .told p {
        font-size: 0.8125rem;
        line-height: 1rem;
      }
      .bar button {
        min-height: 2.375rem;
      }
    }

    /* In a narrow bar, the slider replaces the buttons to both ends. */
    lusoria-replay::part(first),
    lusoria-replay::part(last) {
      display: var(--ends, none);
    }
    dialog lusoria-replay {
      --ends: inline-flex;
    }

    /* In landscape, a phone has no height to spare. */
    @media (orientation: landscape) and (max-height: 30rem) {
      main {
        grid-template: var(--seat) minmax(0, 1fr) 6rem var(--seat) / minmax(0, 1fr) minmax(13rem, 17rem);
        grid-template-areas: "board top" "board told" "board bar" "board bottom";
      }
      .told p {
        -webkit-line-clamp: 4;
        line-clamp: 4;
      }
      .told:has(lusoria-ends) {
        flex-wrap: wrap;
        align-content: flex-start;
      }
      .told lusoria-ends {
        flex-basis: 100%;
      }
      .told lusoria-ends::part(action) {
        min-height: 2.25rem;
      }
      .bar {
        flex-wrap: wrap;
        align-content: center;
      }
      .slots {
        flex: 1 0 100%;
      }
      .grow {
        flex: 1 0 100%;
      }
      .ending {
        --how: 6;
        --next: 2.75rem;
        grid-area: top / top / bottom / bottom;
      }
      .how .beside {
        display: inline;
      }
      .next {
        --ends-wrap: wrap;
        flex-wrap: wrap;
        align-content: flex-end;
      }
    }

    /* Room for words beside the icons. */
    @media (min-width: 40rem) and (min-height: 30.01rem) {
      .slots {
        grid-template-columns: repeat(3, minmax(0, 9.5rem));
        grid-auto-columns: minmax(0, 12rem);
      }
      /* An icon stays in place, whatever text is beside it. */
      .slots .plain {
        justify-content: flex-start;
        padding-inline: 0.5rem;
      }
      .slots button .wide {
        display: -webkit-box;
        -webkit-box-orient: vertical;
        -webkit-line-clamp: 2;
        line-clamp: 2;
        overflow: hidden;
        text-align: start;
      }
      .bar .wide {
        display: inline-flex;
      }
      .bar .brief {
        display: none;
      }
      lusoria-replay {
        --ends: inline-flex;
      }
    }

    @media (min-width: 60rem) and (min-height: 30.01rem) {
      main {
        --told: 1.75rem;
        --bar: 3rem;
        grid-template: var(--seat) var(--told) minmax(0, 1fr) var(--seat) var(--bar) / minmax(0, 1fr) clamp(18rem, 24vw, 26rem);
        grid-template-areas: "top side" "told side" "board side" "bottom side" "bar side";
        gap: var(--gap-xs) var(--gap-m);
        width: 100%;
        max-width: 120rem;
        margin: 0 auto;
        padding: var(--gap-s) var(--gap-m) var(--gap-s);
      }
      .told p {
        -webkit-line-clamp: 1;
        line-clamp: 1;
        font-size: var(--size-m);
        line-height: 1.5rem;
      }
      .side {
        grid-area: side;
        display: flex;
        flex-direction: column;
        gap: var(--gap-s);
        min-height: 0;
        padding: var(--gap-m);
        border: 1px solid var(--line);
        border-radius: var(--round);
        background: var(--raised);
      }
      .side .links {
        min-height: 3.5rem;
        align-content: flex-start;
      }
      .side lusoria-turns,
      .side lusoria-analysis {
        flex: 1;
        min-height: 0;
      }
      .bar .narrow,
      .side .narrow {
        display: none;
      }
    }
  `,
];
