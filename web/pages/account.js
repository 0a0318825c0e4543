// The person's account: opens one, or shows what belongs to it. A guest without an account finds what belongs to a
// guest.

import { Problem } from "../api/rest.js";
import { css, html, nothing } from "../lit.js";
import { holder, newRecoveryCodes, signOutHere } from "../player/account.js";
import { signOutOthers } from "../player/devices.js";
import { forget, guest, identity, learn, left, rename } from "../player/identity.js";
import { base, buttons, cards, fields } from "../style/shared.js";
import { loadTexts, t } from "../text/text.js";
import { moment, nameText } from "../text/words.js";
import "../parts/adoption.js";
import "../parts/api-tokens.js";
import "../parts/bot.js";
import "../parts/challenge-settings.js";
import { tellStanding } from "../parts/standing.js";
import "../parts/talk-settings.js";
import { Doing, sure, typed } from "../parts/doing.js";
import "../parts/head.js";
import "../parts/notifications.js";
import "../parts/open-account.js";
import "../parts/own-data.js";
import "../parts/passkeys.js";
import "../parts/password.js";
import "../parts/people.js";
import "../parts/proof.js";
import "../parts/recovery-codes.js";

/** @typedef {import("../player/account.js").Holder} Holder */
/** @typedef {import("../parts/proof.js").LusoriaProof} LusoriaProof */
/** @typedef {{handle: string, codes: string[]}} OwnCodes */

const NAME_LONGEST = 24;

/** `<lusoria-account>`: the whole page. */
class LusoriaAccount extends Doing {
  static properties = {
    holder: { state: true },
    isKnown: { state: true },
    codes: { state: true },
    asked: { state: true },
    isErased: { state: true },
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

      section {
        display: grid;
        gap: var(--gap-m);
        padding-top: var(--gap-l);
        border-top: 1px solid var(--line);
      }

      section h3 {
        padding-top: var(--gap-s);
      }

      .hint {
        margin-top: var(--gap-xs);
      }

      .row {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: var(--gap-s);
        overflow-wrap: anywhere;
      }

      form .row input {
        flex: 1;
        min-width: 0;
      }

      .sure {
        display: grid;
        gap: var(--gap-s);
      }

      @media print {
        lusoria-head {
          display: none;
        }
      }
    `,
  ];

  constructor() {
    super();
    /** @type {Holder | undefined} */
    this.holder = undefined;
    /** Whether the account has been loaded. */
    this.isKnown = false;
    /** Recovery codes, shown only once, and their account. @type {OwnCodes | undefined} */
    this.codes = undefined;
    /** The open question to the person: "others" or "here". */
    this.asked = "";
    this.isErased = false;
    /** The guest whose account is shown. */
    this.of = whose();
    /** Counts the loads, to ignore late responses. */
    this.looked = 0;
    identity.addEventListener("change", () => this.turned());
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.look());
  }

  firstUpdated() {
    this.look();
  }

  get proof() {
    return /** @type {LusoriaProof} */ (this.renderRoot.querySelector("#proof"));
  }

  /** The guest may have changed, or only their name. */
  turned() {
    if (whose() !== this.of) {
      this.of = whose();
      this.holder = undefined;
      this.asked = "";
      this.isErased &&= guest() === null;
      this.look();
    }
    this.requestUpdate();
  }

  /** Loads everything again. Ignores earlier responses: they may be for another guest. */
  async look() {
    this.looked += 1;
    const mine = this.looked;
    /** @type {Holder | undefined} */
    let found;
    let wrong = "";
    try {
      const known = await learn();
      if (mine === this.looked && known?.handle) found = await holder();
    } catch (why) {
      if (!(why instanceof Problem)) throw why;
      found = this.holder;
      if (!found && guest()?.handle) wrong = t("account.unread");
    }
    if (mine !== this.looked) return;
    this.holder = found;
    this.wrong = wrong;
    this.isKnown = true;
  }

  /** @param {CustomEvent<OwnCodes>} told */
  opened({ detail }) {
    this.codes = detail;
  }

  /** The account had been opened earlier, and its codes were never shown. */
  had() {
    this.said = t("account.had");
  }

  async newCodes() {
    const purpose = {
      heading: t("account.codes.anew"),
      text: t("account.codes.making"),
      action: t("account.codes.do"),
    };
    await this.proof.ask(purpose, async (proof) => {
      const handle = guest()?.handle ?? "";
      this.codes = { handle, codes: await newRecoveryCodes(proof) };
    });
  }

  /** The person has stored the codes: they are not shown again. */
  async kept() {
    this.codes = undefined;
    await this.look();
    await this.go("h1");
  }

  /** @param {SubmitEvent} submitted */
  rename(submitted) {
    const name = typed(submitted)("name").trim();
    if (name === "") {
      this.wrong = t("head.name.empty");
      return this.go("#shown-name");
    }
    return this.does(async () => {
      await rename(name);
      this.said = t("account.name.done");
    });
  }

  /** @param {string} what */
  ask(what) {
    this.asked = what;
    this.go("[data-first]");
  }

  leave() {
    const what = this.asked;
    this.asked = "";
    this.go(`[data-of="${what}"]`);
  }

  signOutOthers() {
    return this.does(async () => {
      await signOutOthers();
      this.asked = "";
      await this.look();
      this.said = t("devices.others.done");
      await this.go("#devices", "h1");
    });
  }

  signOut() {
    return this.does(async () => {
      await signOutHere();
      location.assign("/sign-in");
    });
  }

  /** @param {CustomEvent<string>} told */
  adopted({ detail }) {
    this.said = detail;
    this.go("h1");
  }

  erased() {
    this.isErased = true;
    forget();
    this.go("h1");
  }

  render() {
    return html`
      <lusoria-head></lusoria-head>
      <main>${this.content()}</main>
    `;
  }

  content() {
    if (this.codes) {
      const { codes, handle } = this.codes;
      return html`
        <h1>${t("account.heading")}</h1>
        <lusoria-recovery-codes .codes=${codes} .handle=${handle} @lusoria-kept=${this.kept}>
        </lusoria-recovery-codes>
      `;
    }
    if (this.isErased) {
      return html`
        <h1 tabindex="-1">${t("account.erased.heading")}</h1>
        <p role="status">${t("account.erased")}</p>
        <p><a class="button main" href="/">${t("common.home")}</a></p>
      `;
    }
    if (this.holder) return this.owned(this.holder);
    if (this.isKnown && !guest()?.handle) return this.none();
    if (this.wrong !== "") return this.unread();
    return html`<h1>${t("account.heading")}</h1><p role="status">${t("common.loading")}</p>`;
  }

  /** The account could not be loaded. */
  unread() {
    return html`
      <h1>${t("account.heading")}</h1>
      ${this.told()}
      <p><button @click=${this.look}>${t("common.retry")}</button></p>
    `;
  }

  /** Shown without an account. */
  none() {
    const known = guest();
    return html`
      <h1 tabindex="-1">${t("account.open.heading")}</h1>
      <p>${known ? t("account.open.what", { name: nameText(known.name) }) : t("account.open.whatNobody")}</p>
      <lusoria-open-account @lusoria-opened=${this.opened} @lusoria-had=${this.had}></lusoria-open-account>
      <p>${t("account.open.else")} <a href="/sign-in?next=/account">${t("head.signIn")}</a></p>
      ${known ? [this.others(), this.section("data", t("account.data"), this.data(nameText(known.name)))] : nothing}
    `;
  }

  /** @param {Holder} holder */
  owned(holder) {
    const { handle, ways, passkeys, isBot } = holder;
    const changed = () => this.look();
    return html`
      <h1 tabindex="-1">${t("account.heading")}</h1>
      ${this.told()} ${this.summary(holder)}
      ${this.section(
        "signing-in",
        t("account.signingIn"),
        html`
          <h3>${t("account.password")}</h3>
          <lusoria-password .handle=${handle} .ways=${ways} @lusoria-changed=${changed}></lusoria-password>
          <h3>${t("account.passkeys")}</h3>
          <lusoria-passkeys .passkeys=${passkeys} .ways=${ways} @lusoria-changed=${changed}></lusoria-passkeys>
          <h3>${t("account.codes")}</h3>
          ${this.recoveryCodes(holder)}
        `,
      )}
      ${this.section("devices", t("account.devices"), this.devices(holder))} ${this.adoption()}
      ${this.others(ways)}
      ${this.section(
        "programs",
        t("account.programs"),
        html`
          <lusoria-api-tokens .ways=${ways} .isBot=${isBot}></lusoria-api-tokens>
          <h3>${t("account.bot")}</h3>
          <lusoria-bot .handle=${handle} .isBot=${isBot} @lusoria-changed=${changed}></lusoria-bot>
        `,
      )}
      ${this.section("data", t("account.data"), this.data(handle, ways))}
      <lusoria-proof id="proof" .ways=${ways}></lusoria-proof>
    `;
  }

  /** @param {string} id @param {string} heading @param {unknown} content */
  section(id, heading, content) {
    return html`
      <section aria-labelledby=${id}>
        <h2 id=${id} tabindex="-1">${heading}</h2>
        ${content}
      </section>
    `;
  }

  /** Who the person is. @param {Holder} holder */
  summary({ handle, created_at, isBot }) {
    return html`
      <p>
        ${isBot ? t("account.bot.mark") : nothing}
        ${t("account.since", { handle, time: moment(created_at) })}
        <a href=${`/player/${handle}`}>${t("head.profile")}</a>
      </p>
      <form novalidate @submit=${this.rename}>
        <label class="label" for="shown-name">${t("account.shownName")}</label>
        <div class="row">
          <input id="shown-name" name="name" type="text" autocomplete="nickname" maxlength=${NAME_LONGEST}
            aria-describedby="shown-name-hint" .value=${guest()?.name ?? ""} />
          <button aria-disabled=${this.held}>${t("common.save")}</button>
        </div>
        <p id="shown-name-hint" class="hint">${t("head.name.hint")}</p>
      </form>
    `;
  }

  /** @param {Holder} holder */
  recoveryCodes({ recovery_codes_left: count }) {
    return html`
      <p>${count > 0 ? t("account.codes.left", { count }) : t("account.codes.noneLeft")}</p>
      <p><button @click=${this.newCodes}>${t("account.codes.anew")}</button></p>
    `;
  }

  /** @param {Holder} holder */
  devices({ sessions }) {
    const others = sessions - 1;
    return html`
      <p>${t("account.devices.count", { count: sessions })} <a href="/devices">${t("head.devices")}</a></p>
      ${this.asked === "others"
        ? sure(
            { question: t("devices.others.sure", { count: others }), yes: t("devices.out"), held: this.held },
            () => this.signOutOthers(),
            () => this.leave(),
          )
        : nothing}
      <div class="row">
        <button @click=${this.signOut} aria-disabled=${this.held}>${t("account.signOut")}</button>
        ${others > 0 && this.asked !== "others"
          ? html`<button data-of="others" @click=${() => this.ask("others")}>${t("account.signOutOthers")}</button>`
          : nothing}
      </div>
    `;
  }

  /** Previous guests of this device. */
  adoption() {
    const guests = left().filter(({ handle }) => handle === undefined);
    return html`<lusoria-adoption titled .guests=${guests} @lusoria-adopted=${this.adopted}></lusoria-adoption>`;
  }

  /** The person's relations to others. */
  others(/** @type {import("../player/account.js").Ways | undefined} */ ways = undefined) {
    return html`
      ${ways ? this.section("talk", t("talk.settings.heading"), html`<lusoria-talk-settings .ways=${ways}></lusoria-talk-settings>`) : nothing}
      ${this.section(
        "challenges",
        t("account.challenges"),
        html`<lusoria-challenge-settings></lusoria-challenge-settings>`,
      )}
      ${this.section("notify", t("notify.heading"), html`<lusoria-notifications></lusoria-notifications>`)}
      ${this.section("people", t("account.people"), html`<lusoria-people></lusoria-people>`)}
    `;
  }

  /** @param {string} name @param {import("../player/account.js").Ways} [ways] */
  data(name, ways) {
    return html`<lusoria-own-data .name=${name} .ways=${ways} @lusoria-erased=${this.erased}></lusoria-own-data>`;
  }
}

/** The guest, and their account. */
const whose = () => {
  const known = guest();
  return known && `${known.id} ${known.handle ?? ""}`;
};

customElements.define("lusoria-account", LusoriaAccount);

await loadTexts(true);
document.title = t("account.title");
document.body.append(new LusoriaAccount());
tellStanding();
