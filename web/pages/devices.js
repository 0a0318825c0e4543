// The devices of a person: moves one's name and matches to another device, takes them over here, and signs devices out.
// A code may stand in the fragment of the URL, which browsers do not send; it leaves this page only in the body of a
// request.

import { Problem } from "../api/rest.js";
import { css, html, nothing } from "../lit.js";
import { deviceName } from "../player/device.js";
import { codeIn, makeCode, sessions, signOut, signOutOthers } from "../player/devices.js";
import { LEFT_MOST, become, comeBack, forget, guest, identity, learn, left, loseSession, takeOver } from "../player/identity.js";
import { Doing, typed } from "../parts/doing.js";
import { base, buttons, cards, fields } from "../style/shared.js";
import { loadTexts, t } from "../text/text.js";
import { nameText } from "../text/words.js";
import "../parts/device-code.js";
import "../parts/head.js";
import "../parts/sessions.js";

/** @typedef {import("../player/devices.js").Session} Session */
/** @typedef {import("../player/devices.js").DeviceCode} DeviceCode */

/** How often to check whether the code shown was used. */
const LOOK_EVERY_MS = 5_000;
const MINUTE_MS = 60_000;
const DEVICE_LONGEST = 40;
const CODE_LONGEST = 200;

/** `<lusoria-devices>`: the whole page. */
class LusoriaDevices extends Doing {
  /** @type {import("lit").PropertyDeclarations} */
  static properties = {
    ...Doing.properties,
    sessions: { state: true },
    code: { state: true },
  };

  static styles = [
    base,
    buttons,
    cards,
    fields,
    css`
      main {
        display: grid;
        gap: var(--gap-l);
        max-width: 40rem;
        margin: 0 auto;
        padding: var(--gap-l) var(--gap-m) var(--gap-xl);
      }

      /* Without a message, it takes up no space. */
      main > p:empty {
        margin-top: calc(-1 * var(--gap-l));
      }

      section,
      form {
        display: grid;
        gap: var(--gap-m);
      }

      section.card {
        padding: var(--gap-l);
      }

      ul {
        display: grid;
        gap: var(--gap-s);
        margin: 0;
        padding: 0;
        list-style: none;
      }

      .row {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: var(--gap-s);
        overflow-wrap: anywhere;
      }
    `,
  ];

  constructor() {
    super();
    /** @type {Session[] | undefined} */
    this.sessions = undefined;
    /** The code shown. @type {DeviceCode | undefined} */
    this.code = undefined;
    /** The guest whose sessions are shown. @type {string | undefined} */
    this.of = undefined;
    this.timer = 0;
    identity.addEventListener("change", () => this.refresh());
    addEventListener("hashchange", () => this.requestUpdate());
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.look());
  }

  firstUpdated() {
    this.refresh();
    // A person with an account can return without a code.
    learn().catch(() => {});
  }

  /** The code in the link that led here. */
  get brought() {
    return codeIn(location.hash);
  }

  /** The guest may have changed. */
  refresh() {
    const known = guest();
    if (known?.id !== this.of) {
      this.of = known?.id;
      this.sessions = undefined;
      this.hideCode();
    }
    this.requestUpdate();
    this.look();
  }

  /** Reloads the list, and checks whether the code was used. */
  async look() {
    const known = guest();
    if (!known) return;
    try {
      const found = await sessions();
      if (guest()?.token !== known.token) return;
      const fresh = this.sessions && found.find(({ id }) => !this.sessions?.some((other) => other.id === id));
      this.sessions = found;
      if (this.code && fresh) {
        this.hideCode();
        this.said = t("devices.joined", { device: fresh.device ?? t("devices.unnamed") });
      }
    } catch (why) {
      // A short loss of the connection needs no message.
      if (why instanceof Problem && why.code === "unknown_token") loseSession(known.token);
    }
  }

  hideCode() {
    clearInterval(this.timer);
    this.code = undefined;
  }

  show() {
    return this.does(async () => {
      await become();
      await this.look();
      this.code = await makeCode();
      clearInterval(this.timer);
      this.timer = window.setInterval(() => this.look(), LOOK_EVERY_MS);
      this.said = t("devices.code.made", { count: Math.round((this.code.until - Date.now()) / MINUTE_MS) });
      await this.go("lusoria-device-code");
    });
  }

  /** @param {CustomEvent<Session>} told */
  signOut({ detail: session }) {
    return this.does(async () => {
      await signOut(session.id);
      if (session.current) {
        forget();
      } else {
        this.hideCode();
        await this.look();
      }
      await this.go("#list", "h1");
      this.said = t("devices.out.done", { device: session.device ?? t("devices.unnamed") });
    });
  }

  signOutOthers() {
    return this.does(async () => {
      await signOutOthers();
      this.hideCode();
      await this.look();
      await this.go("#list", "h1");
      this.said = t("devices.others.done");
    });
  }

  /** @param {SubmitEvent} submitted */
  take(submitted) {
    const field = typed(submitted);
    const code = this.brought || codeIn(field("code"));
    if (code === "") {
      this.wrong = t("devices.take.empty");
      return undefined;
    }
    return this.does(async () => {
      const { name } = await takeOver(code, field("device").trim() || undefined);
      this.leaveLink();
      this.said = t("devices.take.done", { name });
    }, (problem) => this.gone(problem));
  }

  /** The code is no longer valid. @param {Problem} problem */
  gone({ code }) {
    if (code !== "unknown_code") return false;
    this.wrong = t("devices.take.gone");
    return true;
  }

  /** A reload must not ask again. */
  leaveLink() {
    history.replaceState(null, "", location.pathname + location.search);
    this.requestUpdate();
  }

  /** @param {{id: string, name: string}} other */
  back({ id, name }) {
    return this.does(async () => {
      await comeBack(id);
      this.said = t("devices.take.done", { name });
    });
  }

  render() {
    const known = guest();
    return html`
      <lusoria-head></lusoria-head>
      <main>
        <h1 tabindex="-1">${t("devices.heading")}</h1>
        ${this.told()}
        ${this.brought ? this.offered() : nothing}
        <section aria-labelledby="onward">
          <h2 id="onward">${t("devices.onward")}</h2>
          <p>${known ? t("devices.onward.how", { name: nameText(known.name) }) : t("devices.onward.nobody")}</p>
          ${known ? this.onward() : nothing}
        </section>
        ${known && this.sessions
          ? html`<section aria-labelledby="list">
              <h2 id="list" tabindex="-1">${t("devices.list")}</h2>
              <lusoria-sessions
                .sessions=${this.sessions}
                .name=${nameText(known.name)}
                .hasAccount=${known.handle !== undefined}
                @lusoria-sign-out=${this.signOut}
                @lusoria-sign-out-others=${this.signOutOthers}
              ></lusoria-sessions>
            </section>`
          : nothing}
        ${this.brought
          ? nothing
          : html`<section aria-labelledby="take">
              <h2 id="take">${t("devices.take")}</h2>
              <p>${t("devices.take.how")}</p>
              ${this.form(true)}
            </section>`}
        ${left().length > 0 ? this.former() : nothing}
      </main>
    `;
  }

  /** The offer of the link that led here. */
  offered() {
    return html`
      <section class="card" aria-labelledby="offered">
        <h2 id="offered">${t("devices.offered")}</h2>
        <p>${t("devices.offered.how")}</p>
        ${this.form(false)}
        <p><button class="plain" @click=${this.leaveLink}>${t("devices.offered.no")}</button></p>
      </section>
    `;
  }

  /** @param {boolean} isTyped whether the code must be typed */
  form(isTyped) {
    const known = guest();
    return html`
      <form novalidate @submit=${this.take}>
        ${isTyped
          ? html`<label>
              <span class="label">${t("devices.take.code")}</span>
              <input name="code" type="text" autocomplete="off" autocapitalize="none" spellcheck="false"
                maxlength=${CODE_LONGEST} />
            </label>`
          : nothing}
        <label>
          <span class="label">${t("devices.take.device")}</span>
          <input name="device" type="text" autocomplete="off" maxlength=${DEVICE_LONGEST} value=${deviceName() ?? ""} />
        </label>
        ${known ? html`<p class="hint">${t("devices.take.leaves", { name: nameText(known.name), count: LEFT_MOST })}</p>` : nothing}
        <p><button class="main" aria-disabled=${this.held}>${t("devices.take.do")}</button></p>
      </form>
    `;
  }

  onward() {
    const { code } = this;
    return code
      ? html`<lusoria-device-code tabindex="-1" role="group" aria-label=${t("devices.code")}
          .code=${code.code} .until=${code.until} @lusoria-expired=${this.expired}></lusoria-device-code>`
      : html`<p>
          <button class="main" aria-disabled=${this.held} @click=${this.show}>
            ${t("devices.code.make")}
          </button>
        </p>`;
  }

  expired() {
    this.hideCode();
    this.said = t("devices.code.expired");
  }

  former() {
    return html`
      <section aria-labelledby="former">
        <h2 id="former">${t("devices.former")}</h2>
        <p>${t("devices.former.how")}</p>
        <ul>
          ${left().map(
            (other) => html`
              <li class="row">
                <button @click=${() => this.back(other)}>${t("devices.former.back", { name: nameText(other.name) })}</button>
              </li>
            `,
          )}
        </ul>
      </section>
    `;
  }
}

customElements.define("lusoria-devices", LusoriaDevices);

await loadTexts(true);
document.title = t("devices.title");
document.body.append(new LusoriaDevices());
