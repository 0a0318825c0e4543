// Signing in: with a handle and a password, with a passkey, or with a recovery code if those are lost (`#recover`). The
// previous guest of this device is kept, and the account can adopt their matches.

import { Problem } from "../api/rest.js";
import { css, html, nothing } from "../lit.js";
import { HANDLE_LONGEST, matchesOf, signIn, signInWithPasskey } from "../player/account.js";
import { guest, identity, learn } from "../player/identity.js";
import { nextOf } from "../player/next.js";
import { canOfferPasskeys, canUsePasskeys, signInChallenge, usePasskey } from "../player/passkeys.js";
import { base, buttons, cards, fields } from "../style/shared.js";
import { loadTexts, t } from "../text/text.js";
import { nameText } from "../text/words.js";
import "../parts/adoption.js";
import { Doing, typed } from "../parts/doing.js";
import "../parts/head.js";
import "../parts/recover.js";
import { secretField, secretStyle } from "../parts/secret.js";

/** @typedef {import("../player/identity.js").Guest} Guest */

const RECOVER = "#recover";

/** Before a passkey challenge expires, the browser gets a new one for autofill. */
const OFFER_ANEW_MS = 4 * 60_000;

/** `<lusoria-sign-in>`: the whole page. */
class LusoriaSignIn extends Doing {
  static properties = {
    former: { state: true },
    canPasskey: { state: true },
    isIn: { state: true },
  };

  static styles = [
    base,
    buttons,
    cards,
    fields,
    secretStyle,
    css`
      main {
        display: grid;
        gap: var(--gap-l);
        max-width: 30rem;
        margin: 0 auto;
        padding: var(--gap-l) var(--gap-m) var(--gap-xl);
      }

      form,
      section {
        display: grid;
        gap: var(--gap-m);
      }

      form button.main,
      .passkey button {
        width: 100%;
      }

      .secret button {
        width: auto;
      }

      .others {
        display: grid;
        gap: var(--gap-s);
        padding-top: var(--gap-m);
        border-top: 1px solid var(--line);
      }

      .others a {
        display: inline-block;
        padding: 0.25rem 0;
      }
    `,
  ];

  constructor() {
    super();
    /** The previous guest of this device, if the account may adopt them. @type {Guest | undefined} */
    this.former = undefined;
    this.canPasskey = canUsePasskeys();
    /** Whether the person has just signed in here. */
    this.isIn = false;
    /** Aborts the autofill of passkeys: a browser handles one request for them at a time. @type {AbortController | undefined} */
    this.offer = undefined;
    this.timer = 0;
    identity.addEventListener("change", () => this.requestUpdate());
    addEventListener("hashchange", () => this.turned());
  }

  firstUpdated() {
    // Load the guest, because only guests without an account are offered for adoption.
    learn().catch(() => {});
    this.offerPasskeys();
  }

  /** Whether a recovery code is used. */
  get recovers() {
    return location.hash === RECOVER;
  }

  async turned() {
    this.wrong = "";
    this.requestUpdate();
    this.offerPasskeys();
    await this.go("h1");
  }

  /** Lets the browser offer passkeys in the handle's field. */
  async offerPasskeys() {
    this.offer?.abort();
    clearTimeout(this.timer);
    if (this.recovers || this.isIn || !(await canOfferPasskeys())) return;
    const offer = (this.offer = new AbortController());
    this.timer = window.setTimeout(() => this.offerPasskeys(), OFFER_ANEW_MS);
    try {
      const challenge = await signInChallenge();
      const used = await usePasskey(challenge, { quietly: true, signal: offer.signal });
      await this.enter(() => signInWithPasskey(used));
    } catch (why) {
      if (offer.signal.aborted) return;
      // The button reports an error, if it is pressed.
      if (!(why instanceof Problem)) throw why;
      if (why.code === "no_passkeys") this.canPasskey = false;
    }
  }

  /** @param {SubmitEvent} submitted */
  submit(submitted) {
    const field = typed(submitted);
    const [handle, password] = [field("username").trim(), field("password")];
    if (handle === "" || password === "") {
      this.wrong = t("signIn.missing");
      return this.go(handle === "" ? "#username" : "#password");
    }
    return this.enter(() => signIn(handle, password));
  }

  async withPasskey() {
    this.offer?.abort();
    await this.enter(async () => signInWithPasskey(await usePasskey(await signInChallenge())));
    if (!this.isIn) this.offerPasskeys();
  }

  /** Signs in. @param {() => Promise<Guest>} how */
  async enter(how) {
    const before = guest();
    await this.does(
      async () => this.entered(before, await how()),
      ({ code }) => {
        if (code === "no_passkeys") this.canPasskey = false;
        if (!["wrong_credentials", "invalid_body"].includes(code)) return false;
        this.wrong = t("signIn.wrong");
        this.go("#password");
        return true;
      },
    );
  }

  /** @param {Guest | null} before @param {Guest} now */
  async entered(before, now) {
    this.isIn = true;
    const isOther = before !== null && before.id !== now.id && before.handle === undefined;
    const has = isOther && (await matchesOf(before).catch(() => undefined));
    if (!has || has.count === 0) return this.goOn();
    this.former = before;
    await this.go("h1");
  }

  /** Returns to the page the person came from, replacing this one in the history. */
  goOn() {
    location.replace(nextOf(location.search, location.origin));
  }

  /** @param {CustomEvent<{before: Guest | null, now: Guest}>} told */
  recovered({ detail: { before, now } }) {
    return this.entered(before, now);
  }

  /** @param {CustomEvent<string>} told */
  adopted({ detail }) {
    this.former = undefined;
    this.said = detail;
    this.go("h1");
  }

  render() {
    return html`
      <lusoria-head></lusoria-head>
      <main>${this.isIn ? this.welcome() : this.recovers ? this.recovery() : this.form()}</main>
    `;
  }

  /** The person is signed in, and may have left a guest behind. */
  welcome() {
    return html`
      <h1 tabindex="-1">${t("signIn.welcome", { handle: guest()?.handle ?? nameText(guest()?.name ?? "") })}</h1>
      ${this.told()}
      ${this.former
        ? html`<section>
            <p>${t("signIn.former")}</p>
            <lusoria-adoption .guests=${[this.former]} @lusoria-adopted=${this.adopted}></lusoria-adoption>
          </section>`
        : nothing}
      <p><button class=${this.former ? "" : "main"} @click=${this.goOn}>
        ${this.former ? t("signIn.notNow") : t("signIn.goOn")}
      </button></p>
    `;
  }

  form() {
    return html`
      <h1 tabindex="-1">${t("signIn.heading")}</h1>
      ${this.present()}
      <form novalidate @submit=${this.submit}>
        <div>
          <label class="label" for="username">${t("account.handle")}</label>
          <input id="username" name="username" type="text" autocomplete="username webauthn" autocapitalize="none"
            spellcheck="false" maxlength=${HANDLE_LONGEST} />
        </div>
        ${secretField({ name: "password", label: t("account.password"), autocomplete: "current-password" })}
        ${this.told()}
        <p><button class="main" aria-disabled=${this.held}>${t("signIn.do")}</button></p>
      </form>
      ${this.canPasskey
        ? html`<p class="passkey">
            <button aria-disabled=${this.held} @click=${this.withPasskey}>${t("signIn.passkey")}</button>
          </p>`
        : nothing}
      <ul class="others">
        <li><a href=${RECOVER}>${t("signIn.recover")}</a></li>
        <li><a href="/account">${t("signIn.open")}</a></li>
        <li><a href="/devices">${t("signIn.devices")}</a></li>
      </ul>
    `;
  }

  /** The present guest of this device. */
  present() {
    const known = guest();
    if (!known) return nothing;
    return html`<p>
      ${known.handle ? t("signIn.as", { handle: known.handle }) : t("signIn.asGuest", { name: nameText(known.name) })}
    </p>`;
  }

  recovery() {
    return html`
      <h1 tabindex="-1">${t("signIn.recover.heading")}</h1>
      <p>${t("signIn.recover.what")}</p>
      <lusoria-recover @lusoria-signed-in=${this.recovered}></lusoria-recover>
      <ul class="others">
        <li>${t("signIn.recover.none")}</li>
        <li><a href="#">${t("signIn.recover.back")}</a></li>
      </ul>
    `;
  }
}

customElements.define("lusoria-sign-in", LusoriaSignIn);

await loadTexts(true);
document.title = t("signIn.title");
document.body.append(new LusoriaSignIn());
