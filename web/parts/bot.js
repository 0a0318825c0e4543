// Marks an account as a bot's: explains it, and asks twice, because it cannot be undone.

import { css, html } from "../lit.js";
import { declareBot } from "../player/account.js";
import { base, buttons, fields } from "../style/shared.js";
import { t } from "../text/text.js";
import { Doing, sure } from "./doing.js";

/** `<lusoria-bot>`: whether the account `isBot` already, and its `handle`. Event: `lusoria-changed`. */
export class LusoriaBot extends Doing {
  static properties = {
    isBot: { attribute: false },
    handle: { attribute: false },
    asked: { state: true },
  };

  static styles = [
    base,
    buttons,
    fields,
    css`
      :host,
      .sure {
        display: grid;
        gap: var(--gap-m);
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
    this.isBot = false;
    this.handle = "";
    /** How often the person has confirmed. */
    this.asked = 0;
  }

  ask() {
    this.asked += 1;
    this.go("[data-first]");
  }

  leave() {
    this.asked = 0;
    this.go("#declare");
  }

  async declare() {
    const isDone = await this.does(declareBot);
    this.asked = 0;
    if (!isDone) return this.go("#declare");
    this.said = t("account.bot.done");
    this.dispatchEvent(new CustomEvent("lusoria-changed"));
  }

  render() {
    return html`
      <p>${this.isBot ? t("account.bot.is") : t("account.bot.what")}</p>
      ${this.told()} ${this.isBot ? "" : this.asking()}
    `;
  }

  asking() {
    const { handle } = this;
    const yes = t("account.bot.yes");
    const leave = () => this.leave();
    if (this.asked === 0) return html`<p><button id="declare" @click=${this.ask}>${t("account.bot.declare")}</button></p>`;
    if (this.asked === 1) return sure({ question: t("account.bot.sure", { handle }), yes }, () => this.ask(), leave);
    const last = { question: t("account.bot.again", { handle }), yes: t("account.bot.do"), isDanger: true, held: this.held };
    return sure(last, () => this.declare(), leave);
  }
}

customElements.define("lusoria-bot", LusoriaBot);
