// Previous guests of this device, whose matches the account can adopt.

import { Problem } from "../api/rest.js";
import { css, html, nothing } from "../lit.js";
import { COUNTED_MAX, adopt, matchesOf } from "../player/account.js";
import { forgetLeft } from "../player/identity.js";
import { base, buttons, cards, fields } from "../style/shared.js";
import { t } from "../text/text.js";
import { nameText, problemText } from "../text/words.js";
import { Doing, sure } from "./doing.js";

/** @typedef {import("../player/identity.js").Guest} Guest */
/** @typedef {{count: number, more: boolean}} Count */

/**
 * `<lusoria-adoption>`: `guests`, those that may be offered; only guests with matches are shown. If `titled`, it is a
 * section with a heading, shown only if there is an offer. Event: `lusoria-adopted`, after an adoption, with a message
 * as its detail.
 */
export class LusoriaAdoption extends Doing {
  static properties = {
    guests: { attribute: false },
    titled: { type: Boolean, reflect: true },
    counts: { state: true },
    asked: { state: true },
  };

  static styles = [
    base,
    buttons,
    cards,
    fields,
    css`
      :host {
        display: grid;
        gap: var(--gap-s);
      }

      :host([titled]) {
        display: contents;
      }

      section {
        display: grid;
        gap: var(--gap-m);
        padding-top: var(--gap-l);
        border-top: 1px solid var(--line);
      }

      li {
        display: grid;
        gap: var(--gap-s);
        padding: var(--gap-m);
        overflow-wrap: anywhere;
      }

      .sure {
        display: grid;
        gap: var(--gap-s);
      }

      .row {
        display: flex;
        flex-wrap: wrap;
        gap: var(--gap-s);
      }
    `,
  ];

  constructor() {
    super();
    /** @type {Guest[]} */
    this.guests = [];
    this.titled = false;
    /** The guests whose matches have been counted, by id. @type {Set<string>} */
    this.known = new Set();
    /** The number of matches of each guest, by id. @type {Record<string, Count>} */
    this.counts = {};
    /** The guest in the open question. */
    this.asked = "";
  }

  /** @param {Map<PropertyKey, unknown>} changed */
  updated(changed) {
    if (!changed.has("guests")) return;
    const { known } = this;
    this.known = new Set(this.guests.map(({ id }) => id));
    for (const guest of this.guests) if (!known.has(guest.id)) this.count(guest);
  }

  /** @param {Guest} guest */
  async count(guest) {
    try {
      const count = await matchesOf(guest);
      this.counts = { ...this.counts, [guest.id]: count };
    } catch (why) {
      // A guest who cannot be counted now is not offered; an unknown token cannot return.
      if (why instanceof Problem && why.code === "unknown_token") forgetLeft(guest.id);
    }
  }

  /** The guests with matches. */
  get offered() {
    return this.guests.filter(({ id }) => (this.counts[id]?.count ?? 0) > 0);
  }

  /** @param {string} id */
  ask(id) {
    this.asked = id;
    this.go("[data-first]");
  }

  leave() {
    const id = this.asked;
    this.asked = "";
    this.go(`[data-of="${id}"]`);
  }

  /** @param {Guest} guest */
  take(guest) {
    return this.does(
      async () => {
        const { complete } = await adopt(guest);
        this.gone(guest, t(complete ? "account.adopt.done" : "account.adopt.rest", { name: nameText(guest.name) }));
      },
      (problem) => {
        if (problem.code !== "unknown_guest_token") return false;
        this.gone(guest, problemText(problem));
        return true;
      },
    );
  }

  /** Removes the adopted guest from the list. @param {Guest} guest @param {string} detail the message */
  gone(guest, detail) {
    this.dispatchEvent(new CustomEvent("lusoria-adopted", { detail }));
    forgetLeft(guest.id);
  }

  render() {
    const { offered, titled } = this;
    const list = offered.length > 0 ? html`<ul>${offered.map((guest) => this.row(guest))}</ul>` : nothing;
    if (!titled) return html`${this.told()} ${list}`;
    if (offered.length === 0) return nothing;
    return html`
      <section aria-labelledby="adoption">
        <h2 id="adoption" tabindex="-1">${t("account.adopt.heading")}</h2>
        <p>${t("account.adopt.what")}</p>
        ${this.told()} ${list}
      </section>
    `;
  }

  /** @param {Guest} guest */
  row(guest) {
    const { name, id } = guest;
    const { count, more } = this.counts[id];
    const matches = more ? t("account.adopt.many", { count: COUNTED_MAX }) : t("account.adopt.matches", { count });
    const question = { question: t("account.adopt.sure", { name }), yes: t("account.adopt.yes"), held: this.held };
    return html`
      <li class="card">
        <p>${t("account.adopt.was", { name, matches })}</p>
        ${this.asked === id
          ? sure(question, () => this.take(guest), () => this.leave())
          : html`<p><button data-of=${id} aria-label=${t("account.adopt.of", { name })} @click=${() => this.ask(id)}>
              ${t("account.adopt")}
            </button></p>`}
      </li>
    `;
  }
}

customElements.define("lusoria-adoption", LusoriaAdoption);
