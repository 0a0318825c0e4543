// The person's name, and the dialogue that changes it and links to their pages.

import { Problem } from "../api/rest.js";
import { css, html, nothing } from "../lit.js";
import { guest, identity, learn, rename } from "../player/identity.js";
import { signInAddress } from "../player/next.js";
import { PatientElement } from "../own-task.js";
import { base, buttons, fields } from "../style/shared.js";
import { t } from "../text/text.js";
import { nameText, problemText } from "../text/words.js";
import "./dialog.js";

/** @typedef {import("./dialog.js").LusoriaDialog} LusoriaDialog */

const LONGEST = 24;

/** The person's name as shown. */
function shownName() {
  const known = guest();
  return known ? nameText(known.name) : undefined;
}

/** `<lusoria-name>`: a button with the guest's name. */
export class LusoriaName extends PatientElement {
  static properties = { wrong: { state: true }, busy: { state: true } };

  static styles = [
    base,
    buttons,
    fields,
    css`
      :host {
        min-width: 0;
      }

      #open {
        max-width: 100%;
      }

      #open span {
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
      }

      form {
        display: grid;
        gap: var(--gap-s);
      }

      form > div {
        display: flex;
        gap: var(--gap-s);
      }

      input {
        flex: 1;
        min-width: 0;
      }

      .links {
        display: flex;
        flex-wrap: wrap;
        gap: var(--gap-s);
        margin-top: var(--gap-m);
        padding-top: var(--gap-m);
        border-top: 1px solid var(--line);
      }

      @media (max-width: 30rem) {
        #open {
          padding-inline: 0.5rem;
        }

        .named svg,
        .nameless span {
          display: none;
        }
      }
    `,
  ];

  constructor() {
    super();
    this.wrong = "";
    this.busy = false;
    this.changed = () => this.requestUpdate();
  }

  connectedCallback() {
    super.connectedCallback();
    identity.addEventListener("change", this.changed);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    identity.removeEventListener("change", this.changed);
  }

  get dialog() {
    return /** @type {LusoriaDialog} */ (this.renderRoot.querySelector("lusoria-dialog"));
  }

  get input() {
    return /** @type {HTMLInputElement} */ (this.renderRoot.querySelector("input"));
  }

  open() {
    this.wrong = "";
    this.input.value = shownName() ?? "";
    this.dialog.open();
    this.input.select();
    // Another page may have opened an account since the last load; the data at hand will do.
    learn().catch(() => {});
  }

  /** @param {Event} submitted */
  async save(submitted) {
    submitted.preventDefault();
    if (this.busy) return;
    const name = this.input.value.trim();
    if (name === "") {
      this.wrong = t("head.name.empty");
      return this.input.focus();
    }
    this.busy = true;
    try {
      if (name !== shownName()) await rename(name);
      this.dialog.close();
    } catch (why) {
      if (!(why instanceof Problem)) throw why;
      this.wrong = problemText(why);
    } finally {
      this.busy = false;
    }
  }

  render() {
    const name = shownName();
    return html`
      <button
        id="open"
        class=${name ? "plain named" : "plain nameless"}
        aria-haspopup="dialog"
        aria-label=${name ? t("head.name", { name }) : t("head.noName")}
        @click=${this.open}
      >
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <circle cx="12" cy="8" r="4" />
          <path d="M4.5 20.5c.6-4.2 3.7-6.5 7.5-6.5s6.9 2.3 7.5 6.5" />
        </svg>
        <span>${name ?? t("head.noName")}</span>
      </button>
      <lusoria-dialog heading=${t("head.name.title")}>
        <form novalidate @submit=${this.save}>
          <div>
            <input
              type="text"
              autofocus
              autocomplete="nickname"
              maxlength=${LONGEST}
              aria-label=${t("head.name.title")}
              aria-invalid=${this.wrong === "" ? "false" : "true"}
              aria-describedby="wrong hint"
            />
            <button class="main" aria-disabled=${this.busy ? "true" : "false"}>${t("common.save")}</button>
          </div>
          <p id="wrong" class="wrong" role="alert">${this.wrong}</p>
          <p id="hint" class="hint">${t("head.name.hint")}</p>
        </form>
        ${this.links(guest()?.handle)}
      </lusoria-dialog>
    `;
  }

  /** The person's other pages. @param {string} [handle] of their account, if they have one */
  links(handle) {
    return html`
      <nav class="links" aria-label=${t("head.yours")}>
        <a class="button" href="/account">${handle ? t("head.account") : t("head.open")}</a>
        ${handle ? html`<a class="button" href=${`/player/${handle}`}>${t("head.profile")}</a>` : nothing}
        ${handle ? nothing : html`<a class="button" href=${signInAddress(location)}>${t("head.signIn")}</a>`}
        <a class="button" href="/devices">${t("head.devices")}</a>
        <a class="button" href="/#mine" @click=${() => this.dialog.close()}>${t("head.mine")}</a>
        <a class="button" href="/players">${t("head.players")}</a>
        <a class="button" href="/tournaments">${t("head.tournaments")}</a>
        <a class="button" href="/leaderboards">${t("head.leaderboards")}</a>
      </nav>
    `;
  }
}

customElements.define("lusoria-name", LusoriaName);
