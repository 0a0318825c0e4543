// Saving a variation in this browser, and those that are saved.

import { html, nothing } from "../lit.js";
import { NAME_MAX, SAVED_MAX, forget, save, saved } from "../player/variations.js";
import { t } from "../text/text.js";

/** @typedef {import("../player/variations.js").Saved} Saved */
/** @typedef {import("./match.js").MatchElement} Match */

/** A name for it, and the button that saves it. @param {Match} match @param {() => Pick<Saved, "query" | "turns">} what */
export function saveForm(match, what) {
  const submitted = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const [field] = /** @type {HTMLFormElement} */ (event.currentTarget).getElementsByTagName("input");
    const name = field.value.trim();
    if (name === "") return;
    const how = save({ name, game: match.entry.id, ...what() });
    if (how === "saved") field.value = "";
    match.saying.tell(t(`saved.${how}`, { name, count: SAVED_MAX }));
    match.requestUpdate();
  };
  return html`<form class="dice" @submit=${submitted}>
    <input type="text" required maxlength=${NAME_MAX} aria-label=${t("saved.name")} placeholder=${t("saved.name")} />
    <button>${t("saved.save")}</button>
  </form>`;
}

/** Those of a game, each to be opened or deleted. @param {Match} match @param {(variation: Saved) => void} open */
export function savedList(match, open) {
  const own = saved().filter(({ game }) => game === match.entry.id);
  const remove = (/** @type {Saved} */ variation) => {
    forget(variation);
    match.saying.tell(t("saved.deleted", { name: variation.name }));
    match.requestUpdate();
  };
  return html`<h3 id="saved">${t("saved.title")}</h3>
    ${own.length === 0 ? html`<p class="muted small">${t("saved.none")}</p>` : nothing}
    <ul class="tried saved" aria-labelledby="saved">${own.map((variation) => html`<li>
      <button @click=${() => open(variation)}>${variation.name}</button>
      <button class="plain icon" aria-label=${t("saved.delete", { name: variation.name })} title=${t("saved.delete", { name: variation.name })}
        @click=${() => remove(variation)}><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M6 6l12 12M18 6 6 18" /></svg></button></li>`)}</ul>`;
}
