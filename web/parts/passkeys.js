// The passkeys of an account: adds, renames and removes them.

import { Problem } from "../api/rest.js";
import { css, html, nothing, repeat } from "../lit.js";
import { deviceName } from "../player/device.js";
import { NAME_LONGEST, addPasskey, canUsePasskeys, makePasskey, removePasskey, renamePasskey } from "../player/passkeys.js";
import { base, buttons, cards, fields } from "../style/shared.js";
import { t } from "../text/text.js";
import { moment, problemText } from "../text/words.js";
import { Doing, typed } from "./doing.js";
import "./proof.js";

/** @typedef {import("../player/account.js").Ways} Ways */
/** @typedef {import("../player/passkeys.js").Passkey} Passkey */
/** @typedef {import("./proof.js").LusoriaProof} LusoriaProof */

/** After these problems a new passkey cannot be used: the person creates another. */
const SPENT = ["unknown_passkey_challenge", "wrong_passkey", "wrong_origin"];

/** `<lusoria-passkeys>`: `passkeys` and `ways` of an account. Event: `lusoria-changed`. */
export class LusoriaPasskeys extends Doing {
  static properties = {
    passkeys: { attribute: false },
    ways: { attribute: false },
    renamed: { state: true },
    isAdding: { state: true },
  };

  static styles = [
    base,
    buttons,
    cards,
    fields,
    css`
      :host,
      form {
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

      li form {
        flex: 1;
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
    /** @type {Passkey[]} */
    this.passkeys = [];
    /** @type {Ways} */
    this.ways = { password: true, passkey: false };
    /** The id of the passkey being renamed. */
    this.renamed = "";
    this.isAdding = false;
  }

  get proof() {
    return /** @type {LusoriaProof} */ (this.renderRoot.querySelector("lusoria-proof"));
  }

  /** @param {string} said */
  changed(said) {
    this.said = said;
    this.dispatchEvent(new CustomEvent("lusoria-changed"));
  }

  open() {
    this.isAdding = true;
    this.said = "";
    this.go("#name");
  }

  close() {
    this.isAdding = false;
    this.wrong = "";
    this.go("#add");
  }

  /** @param {SubmitEvent} submitted */
  async add(submitted) {
    const name = typed(submitted)("name").trim();
    if (name === "") {
      this.wrong = t("account.name.missing");
      return this.go("#name");
    }
    /** @type {import("../player/passkeys.js").NewPasskey | undefined} */
    let made;
    await this.does(async () => (made = await makePasskey(name)));
    if (!made) return;
    const passkey = made;
    const purpose = {
      heading: t("account.passkeys.add"),
      text: t("account.passkeys.adding"),
      action: t("account.passkeys.do"),
    };
    let spent = "";
    const isDone = await this.proof.ask(purpose, async (proof) => {
      try {
        await addPasskey(passkey, proof);
      } catch (why) {
        if (why instanceof Problem && SPENT.includes(why.code)) {
          spent = problemText(why);
          this.proof.giveUp();
        }
        throw why;
      }
    });
    if (spent) {
      this.wrong = spent;
      return this.go("#name");
    }
    if (!isDone) return;
    this.close();
    this.changed(t("account.passkeys.added", { name }));
  }

  /** @param {Passkey} passkey */
  async takeAway({ id, name }) {
    const purpose = {
      heading: t("account.passkeys.remove.of", { name }),
      text: t("account.passkeys.removing"),
      action: t("account.passkeys.remove"),
      isDanger: true,
    };
    if (!(await this.proof.ask(purpose, (proof) => removePasskey(id, proof)))) return;
    this.changed(t("account.passkeys.removed", { name }));
    this.go("#add", "p");
  }

  /** @param {Passkey} passkey */
  edit({ id }) {
    this.renamed = id;
    this.go("#renamed");
  }

  leave() {
    const id = this.renamed;
    this.renamed = "";
    this.go(`[data-of="${id}"]`);
  }

  /** @param {SubmitEvent} submitted */
  async rename(submitted) {
    const name = typed(submitted)("renamed").trim();
    if (name === "") {
      this.wrong = t("account.name.missing");
      return this.go("#renamed");
    }
    const isDone = await this.does(() => renamePasskey(this.renamed, name));
    if (!isDone) return;
    this.leave();
    this.changed(t("account.passkeys.renamed", { name }));
  }

  render() {
    const usable = canUsePasskeys();
    return html`
      <p>${t("account.passkeys.what")}</p>
      ${this.told()}
      ${this.passkeys.length > 0
        ? html`<ul>${repeat(this.passkeys, ({ id }) => id, (passkey) => this.one(passkey))}</ul>`
        : nothing}
      ${this.isAdding ? this.form() : nothing}
      ${usable && !this.isAdding
        ? html`<p><button id="add" @click=${this.open}>${t("account.passkeys.add")}</button></p>`
        : nothing}
      ${usable ? nothing : html`<p class="muted">${t("account.passkeys.unusable")}</p>`}
      <lusoria-proof .ways=${this.ways}></lusoria-proof>
    `;
  }

  /** @param {Passkey} passkey */
  one(passkey) {
    const { id, name, created_at, used_at, can_be_synced } = passkey;
    if (this.renamed === id) return html`<li class="card">${this.renaming(passkey)}</li>`;
    const isLast = !this.ways.password && this.passkeys.length === 1;
    return html`
      <li class="card">
        <div>
          <strong>${name}</strong>
          <p class="small muted">
            ${t("account.passkeys.since", { time: moment(created_at) })}<br />
            ${used_at ? t("account.used", { time: moment(used_at) }) : t("account.unused")}<br />
            ${can_be_synced ? t("account.passkeys.synced") : t("account.passkeys.bound")}
          </p>
        </div>
        <div class="row">
          <button data-of=${id} aria-label=${t("account.rename.of", { name })} @click=${() => this.edit(passkey)}>
            ${t("account.rename")}
          </button>
          ${isLast
            ? nothing
            : html`<button aria-label=${t("account.passkeys.remove.of", { name })} @click=${() => this.takeAway(passkey)}>
                ${t("account.passkeys.remove")}
              </button>`}
        </div>
        ${isLast ? html`<p class="small muted">${t("account.passkeys.last")}</p>` : nothing}
      </li>
    `;
  }

  /** @param {Passkey} passkey */
  renaming({ name }) {
    return html`
      <form novalidate @submit=${this.rename}>
        <label>
          <span class="label">${t("account.name")}</span>
          <input id="renamed" name="renamed" type="text" autocomplete="off" maxlength=${NAME_LONGEST} value=${name} />
        </label>
        <div class="row">
          <button class="main" aria-disabled=${this.held}>${t("common.save")}</button>
          <button type="button" class="plain" @click=${this.leave}>${t("common.cancel")}</button>
        </div>
      </form>
    `;
  }

  form() {
    return html`
      <form novalidate @submit=${this.add}>
        <label>
          <span class="label">${t("account.passkeys.name")}</span>
          <input id="name" name="name" type="text" autocomplete="off" maxlength=${NAME_LONGEST} value=${deviceName() ?? ""} />
        </label>
        <div class="row">
          <button class="main" aria-disabled=${this.held}>${t("account.passkeys.do")}</button>
          <button type="button" class="plain" @click=${this.close}>${t("common.cancel")}</button>
        </div>
      </form>
    `;
  }
}

customElements.define("lusoria-passkeys", LusoriaPasskeys);
