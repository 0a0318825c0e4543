// The person's API tokens: lists, creates and revokes them.

import { css, html, nothing, repeat } from "../lit.js";
import {
  DAYS,
  DAYS_AT_FIRST,
  NAME_LONGEST,
  apiTokens,
  makeApiToken,
  revokeApiToken,
  scopesFor,
} from "../player/api-tokens.js";
import { base, buttons, cards, fields } from "../style/shared.js";
import { find, t } from "../text/text.js";
import { moment } from "../text/words.js";
import { Doing, sure, typed } from "./doing.js";
import { copyText } from "./invitation.js";
import "./proof.js";

/** @typedef {import("../player/account.js").Ways} Ways */
/** @typedef {import("../player/api-tokens.js").ApiToken} ApiToken */
/** @typedef {import("../player/api-tokens.js").CreatedApiToken} CreatedApiToken */
/** @typedef {import("../player/api-tokens.js").Scope} Scope */
/** @typedef {import("./proof.js").LusoriaProof} LusoriaProof */

/** `<lusoria-api-tokens>`: `ways` of an account, and whether it `isBot`. */
export class LusoriaApiTokens extends Doing {
  static properties = {
    ways: { attribute: false },
    isBot: { attribute: false },
    tokens: { state: true },
    made: { state: true },
    copied: { state: true },
    isOpen: { state: true },
    asked: { state: true },
  };

  static styles = [
    base,
    buttons,
    cards,
    fields,
    css`
      :host,
      form,
      .sure,
      .made {
        display: grid;
        gap: var(--gap-m);
      }

      ul {
        display: grid;
        gap: var(--gap-s);
      }

      li,
      .made {
        padding: var(--gap-m);
      }

      li {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        justify-content: space-between;
        gap: var(--gap-s);
        overflow-wrap: anywhere;
      }

      .row,
      .link {
        display: flex;
        flex-wrap: wrap;
        gap: var(--gap-s);
      }

      .link input {
        flex: 1;
        min-width: 0;
        font-family: var(--mono);
      }

      label.check {
        align-items: flex-start;
        padding: 0.375rem 0;
        min-height: 0;
      }

      label.check input {
        margin-top: 0.2rem;
      }

      code {
        font-family: var(--mono);
        font-size: var(--size-s);
        overflow-wrap: anywhere;
      }
    `,
  ];

  constructor() {
    super();
    /** @type {Ways} */
    this.ways = { password: true, passkey: false };
    this.isBot = false;
    /** @type {ApiToken[] | undefined} */
    this.tokens = undefined;
    /** The token just created: shown until the person has copied it. @type {CreatedApiToken | undefined} */
    this.made = undefined;
    this.copied = false;
    this.isOpen = false;
    /** The token in the open question. */
    this.asked = "";
  }

  get proof() {
    return /** @type {LusoriaProof} */ (this.renderRoot.querySelector("lusoria-proof"));
  }

  /** @param {Map<PropertyKey, unknown>} changed */
  updated(changed) {
    // Marking the account as a bot's revokes its tokens.
    if (changed.has("isBot")) this.look();
  }

  look() {
    return this.does(async () => (this.tokens = await apiTokens()));
  }

  open() {
    this.isOpen = true;
    this.made = undefined;
    this.said = "";
    this.go("#name");
  }

  close() {
    this.isOpen = false;
    this.wrong = "";
    this.go("#make");
  }

  /** @param {SubmitEvent} submitted */
  async make(submitted) {
    const field = typed(submitted);
    const name = field("name").trim();
    const form = new FormData(/** @type {HTMLFormElement} */ (submitted.target));
    const scopes = /** @type {Scope[]} */ (form.getAll("scope").map(String));
    if (name === "") {
      this.wrong = t("account.name.missing");
      return this.go("#name");
    }
    const wishes = { name, scopes, expires_in_days: Number(field("days")) };
    const purpose = {
      heading: t("account.programs.make"),
      text: t("account.programs.making", { name }),
      action: t("account.programs.do"),
    };
    /** @type {CreatedApiToken | undefined} */
    let made;
    const isDone = await this.proof.ask(purpose, async (proof) => (made = await makeApiToken(wishes, proof)));
    if (!isDone) return;
    this.isOpen = false;
    this.wrong = "";
    this.copied = false;
    this.made = made;
    await this.look();
    await this.go("#token");
  }

  async copy() {
    const field = /** @type {HTMLInputElement} */ (this.renderRoot.querySelector("#token"));
    this.copied = await copyText(this.made?.token ?? "", field);
    this.wrong = this.copied ? "" : t("common.uncopied");
  }

  seen() {
    this.made = undefined;
    this.go("#make");
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

  /** @param {ApiToken} token */
  revoke({ id, name }) {
    return this.does(async () => {
      await revokeApiToken(id);
      this.asked = "";
      this.tokens = this.tokens?.filter((token) => token.id !== id);
      if (this.made?.id === id) this.made = undefined;
      this.said = t("account.programs.revoked", { name });
      this.go("#make");
    });
  }

  render() {
    return html`
      <p>${t("account.programs.what")}</p>
      ${this.told()}
      ${this.made ? this.shown(this.made) : nothing}
      ${this.tokens && this.tokens.length > 0
        ? html`<ul>${repeat(this.tokens, ({ id }) => id, (token) => this.one(token))}</ul>`
        : nothing}
      ${this.isOpen
        ? this.form()
        : html`<p><button id="make" @click=${this.open}>${t("account.programs.make")}</button></p>`}
      <lusoria-proof .ways=${this.ways}></lusoria-proof>
    `;
  }

  /** @param {CreatedApiToken} made */
  shown({ name, token }) {
    return html`
      <div class="card made" role="group" aria-label=${t("account.programs.made", { name })}>
        <p><strong>${t("account.programs.made", { name })}</strong><br />${t("account.programs.once")}</p>
        <div class="link">
          <input id="token" type="text" readonly .value=${token} aria-label=${t("account.programs.token")}
            @focus=${(/** @type {Event} */ event) => /** @type {HTMLInputElement} */ (event.target).select()} />
          <button class="main" @click=${this.copy}>${this.copied ? t("account.copied") : t("account.copy")}</button>
        </div>
        <p><button @click=${this.seen}>${t("account.programs.seen")}</button></p>
      </div>
    `;
  }

  /** @param {ApiToken} token */
  one(token) {
    const { id, name, scopes, expires_at, used_at } = token;
    const isOver = expires_at <= Date.now();
    const question = {
      question: t("account.programs.sure", { name }),
      yes: t("account.programs.revoke"),
      held: this.held,
    };
    return html`
      <li class="card">
        <div>
          <strong>${name}</strong>
          <p class="small muted">
            ${scopes.length > 0
              ? scopes.map((scope, at) => html`${at > 0 ? ", " : ""}<code>${scope}</code>`)
              : t("account.programs.nothing")}<br />
            ${isOver
              ? t("account.programs.over", { time: moment(expires_at) })
              : t("account.programs.until", { time: moment(expires_at) })}<br />
            ${used_at ? t("account.used", { time: moment(used_at) }) : t("account.unused")}
          </p>
        </div>
        ${this.asked === id
          ? sure(question, () => this.revoke(token), () => this.leave())
          : html`<button data-of=${id} aria-label=${t("account.programs.revoke.of", { name })}
              @click=${() => this.ask(id)}>${t("account.programs.revoke")}</button>`}
      </li>
    `;
  }

  form() {
    return html`
      <form novalidate @submit=${this.make}>
        <label>
          <span class="label">${t("account.programs.name")}</span>
          <input id="name" name="name" type="text" autocomplete="off" maxlength=${NAME_LONGEST} />
        </label>
        <fieldset>
          <legend>${t("account.programs.scopes")}</legend>
          ${scopesFor(this.isBot).map(
            (scope) => html`
              <label class="check">
                <input type="checkbox" name="scope" value=${scope} />
                <span>${find(`account.scope.${scope}`) ?? scope} <code class="muted">${scope}</code></span>
              </label>
            `,
          )}
        </fieldset>
        <label>
          <span class="label">${t("account.programs.days")}</span>
          <select name="days">
            ${DAYS.map(
              (days) => html`<option value=${days} ?selected=${days === DAYS_AT_FIRST}>
                ${t("account.programs.daysCount", { count: days })}
              </option>`,
            )}
          </select>
        </label>
        <div class="row">
          <button class="main">${t("account.programs.do")}</button>
          <button type="button" class="plain" @click=${this.close}>${t("common.cancel")}</button>
        </div>
      </form>
    `;
  }
}

customElements.define("lusoria-api-tokens", LusoriaApiTokens);
