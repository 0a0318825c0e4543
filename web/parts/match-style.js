// How the page of a match is laid out: everything in sight at once, from a phone held
// upright to a wall.

import { css } from "../lit.js";
import { base, buttons } from "../style/shared.js";

export const styles = [
  base,
  buttons,
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
    main {
      flex: 1;
      min-height: 0;
      display: grid;
      grid-template: auto minmax(0, 1fr) auto auto / minmax(0, 1fr);
      gap: 0.25rem;
      padding: 0 max(0.375rem, env(safe-area-inset-left)) max(0.375rem, env(safe-area-inset-bottom));
    }
    .board {
      min-width: 0;
      min-height: 0;
      width: 100%;
      height: 100%;
    }
    .bar {
      display: flex;
      flex-wrap: wrap;
      align-items: center;
      justify-content: space-between;
      gap: 0.25rem var(--gap-s);
      min-height: 3.25rem;
    }
    .bar > p {
      flex: 1 1 8rem;
      min-width: 0;
      line-height: 1.25;
    }
    /* Two rows that are always there: the board does not change its size while a turn is built. */
    .play {
      flex: 1;
      display: grid;
      grid-template: minmax(2.75rem, auto) 2.75rem / 5.75rem auto minmax(0, 1fr);
      grid-template-areas: "dice dice hint" "tools buttons buttons";
      align-items: center;
      gap: 0.25rem var(--gap-s);
    }
    .play lusoria-dice {
      grid-area: dice;
      max-width: 70vw;
    }
    .play > p {
      grid-area: hint;
      line-height: 1.25;
    }
    .play > p:first-child {
      grid-column: 1 / -1;
    }
    /* As high as dice: between two throws the board keeps its size. */
    .thrown > p {
      display: grid;
      align-content: center;
      min-height: 3.52rem;
    }
    .play .buttons {
      grid-area: buttons;
    }
    .play .buttons button {
      padding-block: 0;
      line-height: 1.1;
    }
    .play .advised {
      gap: 0.125rem;
    }
    .play .advised button {
      padding-inline: 0.625rem;
      white-space: nowrap;
    }
    .play .advised .icon {
      width: 2rem;
      min-width: 2rem;
      padding: 0;
    }
    .tools {
      grid-area: tools;
      display: flex;
    }
    .grow {
      flex: 1 1 14rem;
    }
    .hint {
      color: var(--muted);
    }
    .play > .advice {
      font-size: 0.8125rem;
      line-height: 1.08;
    }
    .word {
      color: var(--accent);
      font-weight: 600;
    }
    .counter {
      white-space: nowrap;
      color: var(--warn);
    }
    .buttons {
      display: flex;
      gap: 0.25rem;
      justify-content: flex-end;
    }
    .ended .buttons {
      flex-wrap: wrap;
    }
    .open {
      display: grid;
      gap: var(--gap-s);
      width: 100%;
      max-width: 40rem;
      max-height: 70dvh;
      margin: 0 auto;
      padding: var(--gap-s);
      overflow-y: auto;
    }
    .ended {
      flex: 1 1 20rem;
      display: flex;
      flex-wrap: wrap;
      align-items: center;
      gap: var(--gap-s) var(--gap-m);
      padding: var(--gap-xs);
    }
    .ended .buttons {
      justify-content: flex-start;
      align-items: center;
      gap: var(--gap-s);
    }
    .result {
      font-family: var(--serif);
      font-size: var(--size-l);
    }
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
    .links {
      display: flex;
      flex-wrap: wrap;
      gap: var(--gap-s) var(--gap-m);
    }
    .links a {
      min-height: 1.5rem;
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
      font-family: var(--serif);
    }

    /* The smallest phones: the board comes first. */
    @media (max-height: 37rem) and (orientation: portrait) {
      main {
        gap: 0;
      }
      lusoria-player {
        min-height: 2.25rem;
        padding-block: 0;
      }
      .play {
        grid-template-rows: minmax(2.5rem, auto) 2.5rem;
        gap: 0 var(--gap-s);
      }
      .play button {
        min-height: 2.25rem;
      }
    }

    /* On its side, a phone has no height to give away. */
    @media (orientation: landscape) and (max-height: 30rem) {
      main {
        grid-template: auto minmax(0, 1fr) auto / minmax(0, 1fr) minmax(13rem, 17rem);
        grid-template-areas: "board top" "board bar" "board bottom";
      }
      .board {
        grid-area: board;
      }
      lusoria-player:first-child {
        grid-area: top;
      }
      .board + lusoria-player {
        grid-area: bottom;
      }
      .bar {
        grid-area: bar;
        flex-direction: column;
        justify-content: center;
        align-items: stretch;
      }
      .bar > p {
        flex: none;
      }
      .play {
        grid-template: auto auto auto / auto minmax(0, 1fr);
        grid-template-areas: "dice dice" "hint hint" "tools buttons";
        align-content: center;
      }
      .play lusoria-dice {
        max-width: 100%;
      }
      .thrown > p {
        min-height: 0;
      }
    }

    @media (min-width: 60rem) and (min-height: 30.01rem) {
      main {
        grid-template: auto minmax(0, 1fr) auto auto / minmax(0, 1fr) clamp(18rem, 24vw, 26rem);
        grid-template-areas: "top side" "board side" "bottom side" "bar side";
        gap: var(--gap-s) var(--gap-m);
        width: 100%;
        max-width: 120rem;
        margin: 0 auto;
        padding: var(--gap-s) var(--gap-m) var(--gap-m);
      }
      lusoria-player:first-child {
        grid-area: top;
      }
      .board {
        grid-area: board;
      }
      .board + lusoria-player {
        grid-area: bottom;
      }
      .bar {
        grid-area: bar;
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
      .side lusoria-turns,
      .side lusoria-analysis {
        flex: 1;
        min-height: 0;
      }
      .play {
        grid-template: minmax(3rem, auto) / auto minmax(0, 1fr) auto auto;
        grid-template-areas: "dice hint buttons tools";
      }
      .play lusoria-dice {
        max-width: 40vw;
      }
      .play > p:first-child {
        grid-column: 1 / 3;
      }
      .narrow {
        display: none;
      }
    }
  `,
];
