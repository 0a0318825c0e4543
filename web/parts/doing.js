// What forms and buttons have in common that ask the server for something: one thing at a time, what came of it,
// and how long to wait after too many wrong attempts.

import { Problem } from "../api/rest.js";
import { LitElement, html, nothing } from "../lit.js";
import { loseSession, token } from "../player/identity.js";
import { t } from "../text/text.js";
import { problemText } from "../text/words.js";
import "./wait.js";

const SECOND_MS = 1_000;

/** An element that does something and tells of it: `told()` stands somewhere in what it renders. */
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
    /** Until when nothing can be attempted, in milliseconds since the epoch; 0 if it can. */
    this.waitUntil = 0;
  }

  /** What `aria-disabled` of its buttons is. */
  get held() {
    return this.busy || this.waitUntil > 0 ? "true" : "false";
  }

  /**
   * Does something that the server may refuse; nothing while something else is done or waited for.
   * @param {() => Promise<unknown>} what
   * @param {(problem: Problem) => boolean | void} [refused] answers some problems itself, and is true then
   * @returns {Promise<boolean>} whether it was done
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

  /** It can be attempted again. */
  waited() {
    this.waitUntil = 0;
    this.wrong = "";
  }

  /** What came of it. */
  told() {
    return html`
      <p class=${this.said === "" ? "unseen" : "said"} role="status">${this.said}</p>
      <p class=${this.wrong === "" ? "unseen" : "wrong"} role="alert">${this.wrong}</p>
      ${this.waitUntil > 0
        ? html`<lusoria-wait .until=${this.waitUntil} @lusoria-over=${this.waited}></lusoria-wait>`
        : nothing}
    `;
  }

  /** Moves the focus to the first of these that is there: what had it is gone. @param {string[]} selectors */
  async go(...selectors) {
    await this.updateComplete;
    const found = selectors.map((selector) => this.renderRoot.querySelector(selector)).find((element) => element);
    /** @type {HTMLElement | undefined | null} */ (found)?.focus();
  }
}

/**
 * What was typed into the fields of the form that is submitted.
 * @param {SubmitEvent} submitted
 * @returns {(name: string) => string}
 */
export function typed(submitted) {
  submitted.preventDefault();
  const form = new FormData(/** @type {HTMLFormElement} */ (submitted.target));
  return (name) => String(form.get(name) ?? "");
}

/**
 * Asks once more before something is done: a question, and a button for each answer.
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
