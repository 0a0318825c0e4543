// Offers notifications on this device once the person has made a turn in a correspondence match.

import { css, html, nothing } from "../lit.js";
import { offerNoMore, turnOn } from "../player/notifications.js";
import { base, buttons } from "../style/shared.js";
import { t } from "../text/text.js";
import { Doing } from "./doing.js";

/** How long the result is shown. */
const DONE_MS = 6_000;

/** `<lusoria-notify-offer>`: an overlay, placed by the page; it takes no focus. After an answer it disappears by itself. */
export class LusoriaNotifyOffer extends Doing {
  static properties = { isAnswered: { state: true } };

  static styles = [
    base,
    buttons,
    css`
      section {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: var(--gap-xs) var(--gap-s);
        padding: var(--gap-s) var(--gap-m);
        border: 1px solid var(--line);
        border-radius: var(--round);
        background: var(--raised);
        box-shadow: var(--shadow);
      }

      p.question {
        flex: 1 1 18rem;
      }

      .wrong {
        color: var(--accent);
      }
    `,
  ];

  constructor() {
    super();
    this.isAnswered = false;
  }

  async accept() {
    this.isAnswered = await this.does(async () => {
      this.said = t((await turnOn()) ? "notify.on.done" : "notify.unanswered");
    });
    if (this.isAnswered) setTimeout(() => this.remove(), DONE_MS);
  }

  never() {
    offerNoMore();
    this.remove();
  }

  render() {
    return html`
      <section aria-label=${t("notify.heading")}>
        ${this.isAnswered ? nothing : this.question()} ${this.told()}
      </section>
    `;
  }

  question() {
    return html`
      <p class="question">${t("notify.offer")}</p>
      <button class="main" aria-disabled=${this.held} @click=${this.accept}>${t("notify.offer.yes")}</button>
      <button class="plain" @click=${this.never}>${t("notify.offer.no")}</button>
    `;
  }
}

customElements.define("lusoria-notify-offer", LusoriaNotifyOffer);
