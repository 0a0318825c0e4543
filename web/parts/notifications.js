// Notifications on this device, and on the person's other devices.

import { Problem } from "../api/rest.js";
import { css, html, nothing, repeat } from "../lit.js";
import { guest, identity } from "../player/identity.js";
import * as notifications from "../player/notifications.js";
import { base, buttons, cards, fields } from "../style/shared.js";
import { t } from "../text/text.js";
import { moment, problemText } from "../text/words.js";
import { Doing } from "./doing.js";

/** @typedef {notifications.Subscription} Subscription */

/** `<lusoria-notifications>`: the content below a heading. */
export class LusoriaNotifications extends Doing {
  static properties = {
    state: { state: true },
    others: { state: true },
  };

  static styles = [
    base,
    buttons,
    cards,
    fields,
    css`
      :host {
        display: grid;
        gap: var(--gap-m);
      }

      ul {
        display: grid;
        gap: var(--gap-s);
      }

      li {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        justify-content: space-between;
        gap: var(--gap-s);
        padding: var(--gap-m);
        overflow-wrap: anywhere;
      }
    `,
  ];

  constructor() {
    super();
    /** @type {notifications.State | undefined} */
    this.state = undefined;
    /** The other devices with notifications. @type {Subscription[]} */
    this.others = [];
    this.changed = () => this.look();
    // The browser's permission, or another device, may have changed in the meantime.
    this.seen = () => document.visibilityState === "visible" && this.look();
  }

  connectedCallback() {
    super.connectedCallback();
    identity.addEventListener("change", this.changed);
    notifications.notifications.addEventListener("change", this.changed);
    document.addEventListener("visibilitychange", this.seen);
    this.look();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    identity.removeEventListener("change", this.changed);
    notifications.notifications.removeEventListener("change", this.changed);
    document.removeEventListener("visibilitychange", this.seen);
  }

  /** Loads the state. */
  async look() {
    const asker = guest();
    try {
      const state = await notifications.state();
      const all = asker && state !== "none" ? await notifications.subscriptions() : [];
      if (guest()?.token !== asker?.token) return;
      this.others = all.filter(({ current }) => !current);
      this.state = state;
    } catch (why) {
      if (!(why instanceof Problem)) throw why;
      // The page around it reports the end of a session.
      if (why.code !== "unknown_token") this.wrong = problemText(why);
    }
  }

  async turnOn() {
    await this.does(async () => {
      const isPermitted = await notifications.turnOn();
      this.said = t(isPermitted ? "notify.on.done" : "notify.unanswered");
    });
    await this.look();
  }

  async turnOff() {
    await this.does(async () => {
      await notifications.turnOff();
      this.said = t("notify.off.done");
    });
    await this.look();
  }

  /** @param {Subscription} subscription */
  async silence({ id, host }) {
    await this.does(async () => {
      await notifications.remove(id);
      this.said = t("notify.others.done", { browser: notifications.serviceName(host) });
    });
    await this.look();
    // The pressed button is gone.
    await this.go("#turn", "#what");
  }

  render() {
    return html`
      <p id="what" tabindex="-1">${t("notify.what")}</p>
      ${this.here()} ${this.told()} ${this.others.length > 0 ? this.elsewhere() : nothing}
    `;
  }

  /** The controls for this device. */
  here() {
    const { state } = this;
    if (state === undefined) return this.wrong ? nothing : html`<p class="muted">${t("common.loading")}</p>`;
    if (guest() === null) return html`<p>${t("notify.nobody")}</p>`;
    if (state !== "on" && state !== "off") return html`<p>${t(`notify.state.${state}`)}</p>`;
    return state === "on"
      ? html`<p>${t("notify.state.on")}</p>
          <p><button id="turn" aria-disabled=${this.held} @click=${this.turnOff}>${t("notify.off")}</button></p>`
      : html`<p><button id="turn" class="main" aria-disabled=${this.held} @click=${this.turnOn}>${t("notify.on")}</button></p>
          <p class="hint">${t("notify.hint")}</p>`;
  }

  elsewhere() {
    return html`
      <h3 id="others">${t("notify.others")}</h3>
      <ul aria-labelledby="others">
        ${repeat(
          this.others,
          ({ id }) => id,
          (subscription) => this.other(subscription),
        )}
      </ul>
    `;
  }

  /** @param {Subscription} subscription */
  other(subscription) {
    const browser = notifications.serviceName(subscription.host);
    const time = moment(subscription.created_at);
    return html`
      <li class="card">
        <span>${t("notify.others.one", { browser, time })}</span>
        <button
          aria-label=${t("notify.others.remove.of", { browser, time })}
          aria-disabled=${this.held}
          @click=${() => this.silence(subscription)}
        >
          ${t("notify.others.remove")}
        </button>
      </li>
    `;
  }
}

customElements.define("lusoria-notifications", LusoriaNotifications);
