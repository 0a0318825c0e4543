// The shared behaviour of forms and buttons that send a request: one at a time, its result, and the pause after too
// many wrong attempts.

import { Problem } from "../api/rest.js";
import { LitElement, html, nothing } from "../lit.js";
import { loseSession, token } from "../player/identity.js";
import { t } from "../text/text.js";
import { problemText } from "../text/words.js";
import "./wait.js";

const SECOND_MS = 1_000;

/** An element that runs requests and reports the result: its template includes `told()`. */
export class Doing extends LitElement {
  /** @type {import("lit").PropertyDeclarations} */
  static properties = {
    said: { state: true },
    wrong: { state: true },
    busy: { state: true },
    waitUntil: { state: true },
  };

  constructor() {
    super();
    this.said = "";
    this.wrong = "";
    this.busy = false;
    /** The end of the pause, in milliseconds since the epoch; 0 without one. */
    this.waitUntil = 0;
  }

  /** The value of its buttons' `aria-disabled`. */
  get held() {
    return this.busy || this.waitUntil > 0 ? "true" : "false";
  }

  /**
   * Sends a request that the server may refuse; does nothing during another request or a pause.
   * @param {() => Promise<unknown>} what
   * @param {(problem: Problem) => boolean | void} [refused] handles some problems itself, and returns true for them
   * @returns {Promise<boolean>} whether it succeeded
   */
  async does(what, refused = () => false) {
    if (this.held === "true") return false;
    this.busy = true;
    this.wrong = "";
    this.said = "";
    const key = token();
    try {
      await what();
      return true;
    } catch (why) {
      if (!(why instanceof Problem)) throw why;
      if (why.code === "unknown_token") loseSession(key);
      if (why.code === "too_many_attempts") this.waitUntil = Date.now() + (why.retryAfterS ?? 1) * SECOND_MS;
      if (!refused(why)) this.wrong = problemText(why);
      return false;
    } finally {
      this.busy = false;
    }
  }

  /** Ends the pause. */
  waited() {
    this.waitUntil = 0;
    this.wrong = "";
  }

  /** The result. */
  told() {
    return html`
      <p class=${this.said === "" ? "unseen" : "said"} role="status">${this.said}</p>
      <p class=${this.wrong === "" ? "unseen" : "wrong"} role="alert">${this.wrong}</p>
      ${this.waitUntil > 0
        ? html`<lusoria-wait .until=${this.waitUntil} @lusoria-over=${this.waited}></lusoria-wait>`
        : nothing}
    `;
  }

  /** Focuses the first of these that exists: the focused element is gone. @param {string[]} selectors */
  async go(...selectors) {
    await this.updateComplete;
    const found = selectors.map((selector) => this.renderRoot.querySelector(selector)).find((element) => element);
    /** @type {HTMLElement | undefined | null} */ (found)?.focus();
  }
}

/**
 * The values of the fields in a submitted form.
 * @param {SubmitEvent} submitted
 * @returns {(name: string) => string}
 */
export function typed(submitted) {
  submitted.preventDefault();
  const form = new FormData(/** @type {HTMLFormElement} */ (submitted.target));
  return (name) => String(form.get(name) ?? "");
}

/**
 * Asks for confirmation: a question, and a button for each answer.
 * @param {{question: string, yes: string, isDanger?: boolean, held?: string}} what
 * @param {() => void} agreed
 * @param {() => void} left
 */
export const sure = ({ question, yes, isDanger = false, held = "false" }, agreed, left) => html`
  <div class="sure" role="group" aria-label=${question}>
    <p>${question}</p>
    <div class="row">
      <button type="button" class=${isDanger ? "danger" : "main"} aria-disabled=${held} @click=${agreed}>${yes}</button>
      <button type="button" class="plain" data-first @click=${left}>${t("common.cancel")}</button>
    </div>
  </div>
`;
