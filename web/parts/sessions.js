// The signed-in devices of a person, each with a button to sign it out.

import { LitElement, css, html, nothing, repeat } from "../lit.js";
import { base, buttons, cards } from "../style/shared.js";
import { t } from "../text/text.js";
import { ago, moment } from "../text/words.js";

/** @typedef {import("../player/devices.js").Session} Session */

const HOUR_MS = 3_600_000;

/**
 * `<lusoria-sessions>`: `sessions`; the person's `name`, and whether they `hasAccount` to sign in to. Events:
 * `lusoria-sign-out` with a session as its detail, `lusoria-sign-out-others`; both only after confirmation.
 */
export class LusoriaSessions extends LitElement {
  static properties = {
    sessions: { attribute: false },
    name: { attribute: false },
    hasAccount: { attribute: false },
    asked: { state: true },
  };

  static styles = [
    base,
    buttons,
    cards,
    css`
      :host {
        display: grid;
        gap: var(--gap-m);
      }

      ul {
        display: grid;
        gap: var(--gap-s);
        margin: 0;
        padding: 0;
        list-style: none;
      }

      li {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        justify-content: space-between;
        gap: var(--gap-s);
        padding: var(--gap-m);
      }

      li > div {
        min-width: 0;
        overflow-wrap: anywhere;
      }

      .sure {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: var(--gap-s);
      }
    `,
  ];

  constructor() {
    super();
    /** @type {Session[]} */
    this.sessions = [];
    this.name = "";
    this.hasAccount = false;
    /** The session to be confirmed, or "others". */
    this.asked = "";
  }

  /** @param {string} what */
  async ask(what) {
    this.asked = what;
    await this.updateComplete;
    // If it cannot be undone, a second Enter must do nothing.
    const first = this.isLast(what) ? ".sure .plain" : ".sure .main";
    /** @type {HTMLElement | null} */ (this.renderRoot.querySelector(first))?.focus();
  }

  /** Closes the question; the focus returns to its button. */
  async leave() {
    const what = this.asked;
    this.asked = "";
    await this.updateComplete;
    /** @type {HTMLElement | null} */ (this.renderRoot.querySelector(`[data-of="${what}"]`))?.focus();
  }

  /** Whether signing out would lose this guest for ever. @param {string} id */
  isLast(id) {
    return !this.hasAccount && this.sessions.length === 1 && this.sessions[0].id === id;
  }

  /** @param {Session} [session] */
  signOut(session) {
    this.leave();
    const told = session
      ? new CustomEvent("lusoria-sign-out", { detail: session })
      : new CustomEvent("lusoria-sign-out-others");
    this.dispatchEvent(told);
  }

  render() {
    const others = this.sessions.filter(({ current }) => !current);
    return html`
      <ul>
        ${repeat(this.sessions, ({ id }) => id, (session) => this.row(session))}
      </ul>
      ${others.length > 1 ? this.allOthers(others.length) : nothing}
    `;
  }

  /** @param {Session} session */
  row(session) {
    const { id, current, device, origin, signed_in_by: by } = session;
    const name = device ?? t("devices.unnamed");
    return html`
      <li class="card">
        <div>
          <strong>${name}</strong>${current ? html` <span class="muted">${t("devices.current")}</span>` : nothing}
          <p class="small muted">
            ${t(`devices.origin.${by ?? origin}`, { time: moment(session.created_at) })}
            ${current ? nothing : html`<br />${t("devices.seen", { time: seen(session.seen_at) })}`}
          </p>
        </div>
        ${this.asked === id
          ? this.sure(this.question(session, name), () => this.signOut(session))
          : html`<button data-of=${id} aria-label=${t("devices.out.of", { device: name })} @click=${() => this.ask(id)}>
              ${t("devices.out")}
            </button>`}
      </li>
    `;
  }

  /** @param {Session} session @param {string} device */
  question({ id, current }, device) {
    if (!current) return t("devices.out.sure", { device });
    if (this.hasAccount) return t("devices.out.account");
    return this.isLast(id) ? t("devices.out.last", { name: this.name }) : t("devices.out.own");
  }

  /** @param {number} count */
  allOthers(count) {
    return this.asked === "others"
      ? this.sure(t("devices.others.sure", { count }), () => this.signOut())
      : html`<p><button data-of="others" @click=${() => this.ask("others")}>${t("devices.others")}</button></p>`;
  }

  /** @param {string} question @param {() => void} yes */
  sure(question, yes) {
    return html`
      <div class="sure" role="group" aria-label=${question}>
        <span>${question}</span>
        <button class="main" @click=${yes}>${t("devices.out")}</button>
        <button class="plain" @click=${this.leave}>${t("common.cancel")}</button>
      </div>
    `;
  }
}

/** The approximate time: the server stores the hour. @param {number} at */
function seen(at) {
  const passed = Date.now() - at;
  return passed < 2 * HOUR_MS ? t("devices.seen.lately") : ago(passed);
}

customElements.define("lusoria-sessions", LusoriaSessions);
