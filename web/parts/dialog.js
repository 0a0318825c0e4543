// A modal dialogue with a title, closed by Escape, a click outside or its button; the focus returns to where it was.
// While `held`, only scripts close it.

import { LitElement, css, html } from "../lit.js";
import { base, buttons } from "../style/shared.js";
import { t } from "../text/text.js";

/**
 * `<lusoria-dialog>`: its slot is the content. An element with `autofocus` in it gets the focus. Event:
 * `lusoria-closed`.
 */
export class LusoriaDialog extends LitElement {
  static properties = {
    heading: { type: String },
    wide: { type: Boolean, reflect: true },
    held: { type: Boolean },
  };

  static styles = [
    base,
    buttons,
    css`
      :host {
        display: contents;
      }

      dialog {
        width: min(34rem, 100vw - 1rem);
        max-width: none;
        max-height: calc(100dvh - 1rem);
        padding: 0;
        border: 1px solid var(--line);
        border-radius: var(--round-l);
        background: var(--ground);
        color: var(--ink);
        box-shadow: var(--shadow);
        overscroll-behavior: contain;
      }

      :host([wide]) dialog {
        width: min(52rem, 100vw - 1rem);
      }

      dialog::backdrop {
        background: var(--veil);
      }

      .inside {
        padding: 0 var(--gap-l) var(--gap-l);
      }

      .head {
        position: sticky;
        top: 0;
        z-index: 1;
        display: flex;
        align-items: center;
        justify-content: space-between;
        gap: var(--gap-m);
        margin: 0 calc(-1 * var(--gap-l)) var(--gap-s);
        padding: var(--gap-s) var(--gap-s) var(--gap-s) var(--gap-l);
        background: var(--ground);
      }

      h2:focus {
        outline: none;
      }

      @media (max-width: 30rem) {
        .inside {
          padding-inline: var(--gap-m);
        }

        .head {
          margin-inline: calc(-1 * var(--gap-m));
          padding-left: var(--gap-m);
        }
      }

      @media (prefers-reduced-motion: no-preference) {
        dialog[open] {
          animation: appear 160ms ease-out;
        }
      }

      @keyframes appear {
        from {
          opacity: 0;
          transform: translateY(0.5rem);
        }
      }
    `,
  ];

  constructor() {
    super();
    this.heading = "";
    this.wide = false;
    /** Whether the person cannot close it just now. */
    this.held = false;
    /** @type {((answer: string) => void) | undefined} */
    this.answered = undefined;
  }

  get dialog() {
    return /** @type {HTMLDialogElement} */ (this.renderRoot.querySelector("dialog"));
  }

  /** Whether it is open. */
  get isOpen() {
    return this.hasUpdated && this.dialog.open;
  }

  /** Opens it. @returns {Promise<string>} the value passed to `close`; "" if the person closed it */
  async open() {
    await this.updateComplete;
    this.answered?.("");
    const answer = new Promise((resolve) => (this.answered = resolve));
    if (!this.dialog.open) this.dialog.showModal();
    const first = this.querySelector("[autofocus]") ?? this.renderRoot.querySelector("h2");
    /** @type {HTMLElement | null} */ (first)?.focus();
    return answer;
  }

  /** Closes it. @param {string} [answer] the result of `open` */
  close(answer = "") {
    this.dialog.close(answer);
  }

  closed() {
    const answered = this.answered;
    this.answered = undefined;
    answered?.(this.dialog.returnValue);
    this.dialog.returnValue = "";
    this.dispatchEvent(new CustomEvent("lusoria-closed", { bubbles: true, composed: true }));
  }

  /** The person wants to close it. */
  leave() {
    if (!this.held) this.close();
  }

  /** @param {MouseEvent} click */
  beside(click) {
    if (click.target === this.dialog) this.leave();
  }

  /** Escape, or the back gesture of a phone. @param {Event} event */
  cancelled(event) {
    if (this.held && event.target === this.dialog) event.preventDefault();
  }

  /** Browsers ignore a second refusal of Escape: stop it before it becomes a request to close. @param {KeyboardEvent} event */
  pressed(event) {
    if (this.held && event.key === "Escape") event.preventDefault();
  }

  render() {
    return html`
      <dialog aria-labelledby="heading" @close=${this.closed} @cancel=${this.cancelled} @keydown=${this.pressed}
        @pointerdown=${this.beside}>
        <div class="inside">
          <div class="head">
            <h2 id="heading" tabindex="-1">${this.heading}</h2>
            <button class="plain icon" aria-label=${t("common.close")} aria-disabled=${this.held ? "true" : "false"}
              @click=${this.leave}>
              <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M6 6l12 12M18 6 6 18" /></svg>
            </button>
          </div>
          <slot></slot>
        </div>
      </dialog>
    `;
  }
}

customElements.define("lusoria-dialog", LusoriaDialog);

/** Puts an element on the page, and opens the dialogue that it draws. @param {LitElement} element */
export async function openIn(element) {
  document.body.append(element);
  await element.updateComplete;
  await /** @type {LusoriaDialog} */ (element.renderRoot.querySelector("lusoria-dialog")).open();
}
