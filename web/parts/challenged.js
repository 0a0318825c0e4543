// Challenges to the person on pages that do not list them: a button in the header, and its dialogue.
//
// They are polled, without a subscription: a subscriber keeps its own seeks alive (player/opponents.js), and a person
// on another page no longer waits for an opponent.

import { ask } from "../api/rest.js";
import { LitElement, css, html, nothing } from "../lit.js";
import { guest, token } from "../player/identity.js";
import { Opponents } from "../player/opponents.js";
import { base, buttons } from "../style/shared.js";
import { t } from "../text/text.js";
import { markedText } from "../text/words.js";
import "./challenges.js";
import "./dialog.js";

/** @typedef {import("./dialog.js").LusoriaDialog} LusoriaDialog */

const EVERY_MS = 10_000;

/** `<lusoria-challenged>`: empty without a challenge to the person. The attribute `shown` says that there is one. */
class LusoriaChallenged extends LitElement {
  static styles = [
    base,
    buttons,
    css`
      :host {
        flex: none;
      }

      #open svg {
        display: none;
      }

      @media (max-width: 40rem) {
        #open {
          padding-inline: 0.5rem;
        }

        #open svg {
          display: block;
        }

        .word {
          display: none;
        }
      }
    `,
  ];

  constructor() {
    super();
    this.opponents = new Opponents();
    this.opponents.addEventListener("change", () => this.heard());
    this.opponents.addEventListener("met", (met) =>
      location.assign(`/match/${/** @type {CustomEvent<string>} */ (met).detail}`),
    );
    this.look = () => this.learn();
    this.timer = 0;
  }

  connectedCallback() {
    super.connectedCallback();
    this.timer = window.setInterval(this.look, EVERY_MS);
    document.addEventListener("visibilitychange", this.look);
    this.learn();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearInterval(this.timer);
    document.removeEventListener("visibilitychange", this.look);
  }

  async learn() {
    const key = token();
    if (key === null || document.visibilityState !== "visible") return;
    // A failed request is repeated the next time.
    const told = await ask("GET", "/challenges", { token: key }).catch(() => undefined);
    if (!told || key !== token()) return;
    this.opponents.take(told.challenges);
    // The request keeps one's own challenges alive: when one is accepted, its clock starts.
    for (const { id, state, clock } of told.challenges) {
      if (state === "accepted" && clock.kind !== "days") this.opponents.met(id, id);
    }
  }

  /** The challenges that wait for the person's reply. */
  get got() {
    const me = guest()?.id;
    return this.opponents.challenges.filter(({ to }) => to.id === me);
  }

  get dialog() {
    return /** @type {LusoriaDialog | null} */ (this.renderRoot.querySelector("lusoria-dialog"));
  }

  heard() {
    if (this.got.length === 0 && this.dialog?.isOpen) this.dialog.close();
    this.requestUpdate();
  }

  render() {
    const { got, opponents } = this;
    const [last] = got;
    const count = got.length;
    this.toggleAttribute("shown", count > 0);
    return html`
      <p class="unseen" role="status">${last ? t("opponents.got", { name: markedText(last.from) }) : ""}</p>
      ${count === 0
        ? nothing
        : html`<button id="open" class="main" aria-haspopup="dialog" aria-label=${t("head.challenges", { count })}
            @click=${() => this.dialog?.open()}>
            <svg viewBox="0 0 24 24" aria-hidden="true">
              <path d="M4 4l11 11M20 4L9 15M5 13l6 6M19 13l-6 6M4 20l3-3M20 20l-3-3" />
            </svg>
            <span class="word">${t("head.challenges", { count })}</span>
          </button>`}
      <lusoria-dialog heading=${t("opponents.challenges")}>
        <lusoria-challenges .opponents=${opponents}></lusoria-challenges>
      </lusoria-dialog>
    `;
  }
}

customElements.define("lusoria-challenged", LusoriaChallenged);
