// The levels of the computer: one tap begins. Beside them, the computer against itself.

import { css, html, nothing, svg } from "../lit.js";
import { LEVELS, lastLevel } from "../player/level.js";
import { t } from "../text/text.js";
import { levelName, sideName } from "../text/words.js";

/** @typedef {import("../api/wire").components["schemas"]["CatalogueEntry"]} CatalogueEntry */
/** @typedef {import("../player/level.js").Level} Level */
/** @typedef {import("./start.js").LusoriaStart} Start */

/** The level of the computer against itself before the person has chosen one. */
const USUAL = 2;

/** The choice of levels. None has the focus, because it would look chosen. @param {Start} start */
export function levels(start) {
  const last = lastLevel();
  return html`
    <p id="how-well" class="how-well" tabindex="-1" autofocus>${t("levels.choose")}</p>
    <ol class="ways levels" aria-labelledby="how-well">
      ${LEVELS.map((level) => html`<li>${choice(start, level, last)}</li>`)}
    </ol>
    <p><button class="plain back" @click=${() => start.turnTo(false)}>
      <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M14 6l-6 6 6 6" /></svg>${t("levels.back")}
    </button></p>
  `;
}

/** @param {Start} start @param {Level} level @param {Level | undefined} last */
function choice(start, level, last) {
  return html`
    <button aria-disabled=${start.busy ? "true" : "false"}
      @click=${() => start.play(level)}>
      ${strength(level)}
      <strong>${levelName(level)}</strong>
      <span class="small muted">${t(`levels.${level}.line`)}</span>
      ${level === last ? html`<span class="last small">${t("levels.last")}</span>` : nothing}
    </button>
  `;
}

/** As many pieces as the number of the level. @param {Level} level */
const strength = (level) => html`<svg class="strength" viewBox="0 0 64 14" aria-hidden="true">
  ${LEVELS.map((nth) => svg`<circle class=${nth <= level ? "full" : "empty"} cx=${nth * 13 - 7} cy="7" r="5" />`)}
</svg>`;

/** The computer against itself. @param {Start} start @param {CatalogueEntry} entry */
export function watching(start, entry) {
  const usual = lastLevel() ?? USUAL;
  const chosen = (/** @type {string} */ name) => {
    const select = /** @type {HTMLSelectElement} */ (start.renderRoot.querySelector(`select[name=${name}]`));
    return /** @type {Level} */ (Number(select.value));
  };
  const [one, other] = entry.sides.map(({ id }) => sideName(id));
  return html`
    <details>
      <summary>${t("levels.watch")}</summary>
      <div class="watch">
        ${player("one", one, usual)} ${player("other", other, usual)}
        <button aria-disabled=${start.busy ? "true" : "false"}
          @click=${() => start.watch(chosen("one"), chosen("other"))}>${t("levels.watch.begin")}</button>
      </div>
    </details>
  `;
}

/** @param {string} name @param {string} label @param {Level} usual */
const player = (name, label, usual) => html`
  <label>
    <span class="label">${label}</span>
    <select name=${name}>
      ${LEVELS.map((level) => html`<option value=${level} ?selected=${level === usual}>${levelName(level)}</option>`)}
    </select>
  </label>
`;

export const levelStyle = css`
  .how-well {
    font-size: var(--size-l);
  }

  .how-well:focus {
    outline: none;
  }

  .ways.levels {
    grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr));
    gap: var(--gap-s);
    margin-bottom: var(--gap-s);
  }

  .levels > li {
    display: grid;
  }

  .ways .strength {
    width: 4rem;
    height: 0.875rem;
    stroke-width: 1.4;
  }

  .strength .full {
    fill: currentcolor;
  }

  /* Only a reminder: it must not look chosen. */
  .levels .last {
    color: var(--muted);
    font-style: italic;
  }

  .back {
    padding-inline: 0.25rem 0.75rem;
  }

  .watch {
    display: flex;
    flex-wrap: wrap;
    align-items: end;
    gap: var(--gap-s) var(--gap-m);
  }

  .watch select {
    min-width: 9rem;
  }

  @media (max-width: 40rem) {
    .ways.levels {
      grid-template-columns: 1fr;
    }

    .ways .strength {
      grid-row: span 2;
    }

    .levels .last {
      grid-column: 2;
    }
  }
`;
