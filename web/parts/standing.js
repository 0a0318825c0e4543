// The operator's messages: warnings until they are read, a mute, a ban; and exclusions from pairing.

import { css, html, nothing } from "../lit.js";
import { token } from "../player/identity.js";
import { readWarnings, standing } from "../player/talk.js";
import { base, buttons } from "../style/shared.js";
import { currentLocale, t } from "../text/text.js";
import { Doing } from "./doing.js";

/** @typedef {import("../player/talk.js").Standing} Standing */

/** `<lusoria-standing>`: the person's standing; empty without a message. */
export class LusoriaStanding extends Doing {
  static properties = { ...Doing.properties, standing: { attribute: false } };

  static styles = [
    base,
    buttons,
    css`
      :host {
        display: block;
        /* Above the hidden link that skips to the content. */
        position: relative;
        z-index: 20;
        background: var(--ground);
      }

      aside {
        margin: var(--gap-m) auto;
        padding: var(--gap-m);
        max-width: 60rem;
        border-left: 0.25rem solid var(--accent);
        background: var(--sunk);
      }
    `,
  ];

  constructor() {
    super();
    /** @type {Standing | undefined} */
    this.standing = undefined;
  }

  read() {
    const key = token();
    const upto = this.standing?.warnings[0]?.id;
    if (key === null || upto === undefined) return;
    this.does(async () => (this.standing = await readWarnings(key, upto)));
  }

  render() {
    const told = this.standing;
    if (!told || !isTold(told)) return nothing;
    const { warnings, muted, banned, unpaired_until } = told;
    return html`<aside role="note" aria-label=${t("standing.title")}>
      ${banned ? imposed("banned", banned) : nothing}
      ${muted && !banned ? imposed("muted", muted) : nothing}
      ${unpaired_until ? html`<p>${t("standing.unpaired", { time: moment(unpaired_until) })}</p>` : nothing}
      ${warnings.map((/** @type {{text?: string | null}} */ { text }) => html`<p><strong>${t("standing.warning")}</strong> ${text ?? ""}</p>`)}
      ${warnings.length > 0
        ? html`<p><button aria-disabled=${this.held} @click=${this.read}>${t("standing.read")}</button></p>`
        : nothing}
      ${this.told()}
    </aside>`;
  }
}

/** @param {Standing} told */
const isTold = ({ warnings, muted, banned, unpaired_until }) =>
  warnings.length > 0 || muted !== undefined || banned !== undefined || unpaired_until !== undefined;

/** @param {"muted" | "banned"} what @param {{until?: number | null, text?: string | null}} sanction */
function imposed(what, { until, text }) {
  const told = until === undefined || until === null ? t(`standing.${what}.good`) : t(`standing.${what}`, { time: moment(until) });
  return html`<p><strong>${told}</strong> ${text ?? ""}</p>`;
}

/** @param {number} at */
const moment = (at) => new Intl.DateTimeFormat(currentLocale(), { dateStyle: "medium", timeStyle: "short" }).format(at);

/** Shows the messages at the top of the page, if there are any. */
export async function tellStanding() {
  const key = token();
  if (key === null) return;
  const told = await standing(key).catch(() => undefined);
  if (!told || !isTold(told)) return;
  const element = new LusoriaStanding();
  element.standing = told;
  document.body.prepend(element);
}

customElements.define("lusoria-standing", LusoriaStanding);
