// Reports a player of a match to the operator of the server.

import { css, html } from "../lit.js";
import { REASONS, REPORT_MAX, report } from "../player/talk.js";
import { base, buttons, fields } from "../style/shared.js";
import { t } from "../text/text.js";
import { markedText } from "../text/words.js";
import "./dialog.js";
import { Doing, typed } from "./doing.js";

/** @typedef {import("./dialog.js").LusoriaDialog} LusoriaDialog */

/** `<lusoria-report>`: a button and its dialogue to report `player` in the match `match`. */
export class LusoriaReport extends Doing {
  static properties = {
    ...Doing.properties,
    player: { attribute: false },
    match: { type: String },
    isDone: { state: true },
  };

  static styles = [
    base,
    buttons,
    fields,
    css`
      form {
        display: grid;
        gap: var(--gap-m);
      }
    `,
  ];

  constructor() {
    super();
    /** @type {import("../api/wire").components["schemas"]["OtherPlayer"]} */
    this.player;
    this.match = "";
    this.isDone = false;
  }

  open() {
    this.isDone = false;
    /** @type {LusoriaDialog} */ (this.renderRoot.querySelector("lusoria-dialog")).open();
  }

  /** @param {SubmitEvent} submitted */
  async send(submitted) {
    const field = typed(submitted);
    const reason = /** @type {import("../player/talk.js").ReportReason} */ (field("reason"));
    const text = field("text").trim();
    const made = { player: this.player.id, reason, ...(text === "" ? {} : { text }) };
    if (await this.does(() => report(this.match, made))) {
      this.isDone = true;
      this.said = t("report.done");
    }
  }

  render() {
    const name = markedText(this.player);
    return html`
      <button aria-haspopup="dialog" @click=${this.open}>${t("report.open")}</button>
      <lusoria-dialog heading=${t("report.heading", { name })} .held=${this.busy}>
        ${this.isDone
          ? this.told()
          : html`<form @submit=${this.send}>
              <p>${t("report.why")}</p>
              <label>
                <span class="label">${t("report.reason")}</span>
                <select name="reason">
                  ${REASONS.map((reason) => html`<option value=${reason}>${t(`report.reason.${reason}`)}</option>`)}
                </select>
              </label>
              <label>
                <span class="label">${t("report.text")}</span>
                <input name="text" maxlength=${REPORT_MAX} autocomplete="off" />
              </label>
              ${this.told()}
              <p><button class="main" aria-disabled=${this.held}>${t("report.send")}</button></p>
            </form>`}
      </lusoria-dialog>
    `;
  }
}

customElements.define("lusoria-report", LusoriaReport);
