// Actions on an unfinished match without opening it: ends, hides or shows it again.

import { Problem, ask, freshKey } from "../api/rest.js";
import { fromSnapshot } from "../game/story.js";
import { LitElement, css, html, nothing } from "../lit.js";
import { actionsOf } from "../match/actions.js";
import { hide, isHidden, unhide } from "../player/hidden.js";
import { token } from "../player/identity.js";
import { base, buttons } from "../style/shared.js";
import { t } from "../text/text.js";
import { gameName, markedText, problemText } from "../text/words.js";
import "./dialog.js";
import "./ends.js";

/** @typedef {import("../api/wire").components["schemas"]["MatchCard"]} MatchCard */
/** @typedef {import("../game/story.js").Seat} Seat */
/** @typedef {import("../match/actions.js").Action} Action */
/** @typedef {import("./dialog.js").LusoriaDialog} LusoriaDialog */

/** The actions that end a match. Draws and claims need its own page with the board. */
const ENDING = ["abort", "resign"];

/** The opponent counts as connected: nothing can be claimed here. */
const THERE = { here: { 1: true, 2: true }, goneSince: {} };

/** `<lusoria-unfinished>`: a dialogue about a match. Events: `lusoria-ended` and `lusoria-hidden` afterwards. */
export class LusoriaUnfinished extends LitElement {
  static properties = {
    card: { state: true },
    actions: { state: true },
    busy: { state: true },
    wrong: { state: true },
  };

  static styles = [
    base,
    buttons,
    css`
      .deeds {
        display: grid;
        gap: var(--gap-l);
        margin-top: var(--gap-m);
      }

      .deeds > div {
        display: grid;
        justify-items: start;
        gap: var(--gap-s);
      }

      .wrong {
        color: var(--accent);
        font-weight: 600;
      }
    `,
  ];

  constructor() {
    super();
    /** @type {MatchCard | undefined} */
    this.card = undefined;
    /** @type {Action[] | undefined} the action that ends it; undefined until the match is loaded */
    this.actions = undefined;
    this.busy = false;
    this.wrong = "";
  }

  get dialog() {
    return /** @type {LusoriaDialog} */ (this.renderRoot.querySelector("lusoria-dialog"));
  }

  /** Opens it for a match of the person. @param {MatchCard} card */
  async open(card) {
    this.card = card;
    this.actions = undefined;
    this.wrong = "";
    await this.updateComplete;
    this.dialog.open();
    await this.look(card);
  }

  /** Finds the action that ends the match now. @param {MatchCard} card */
  look({ id, your_seats: seats }) {
    return this.tried(async () => {
      const moment = fromSnapshot(await ask("GET", `/matches/${id}`, { token: token() }));
      if (this.card?.id !== id) return;
      const all = actionsOf(moment, /** @type {Seat[]} */ (seats ?? []), THERE, 0);
      this.actions = all.filter(({ op }) => ENDING.includes(op));
    });
  }

  /** @param {CustomEvent<{op: string, fields: Record<string, unknown>}>} chosen */
  end({ detail: { op, fields } }) {
    const { card } = this;
    if (!card || this.busy) return;
    return this.tried(async () => {
      try {
        await ask("POST", `/matches/${card.id}/${op}`, { body: fields, token: token(), key: freshKey() });
      } catch (why) {
        // The match may have advanced: then another action ends it.
        await this.look(card);
        throw why;
      }
      this.close("lusoria-ended");
    });
  }

  /** @param {MatchCard} card */
  turn({ id }) {
    if (isHidden(id)) unhide(id);
    else hide(id);
    this.close("lusoria-hidden");
  }

  /** @param {string} event its name */
  close(event) {
    this.dialog.close();
    this.dispatchEvent(new CustomEvent(event));
  }

  /** Runs an action, and reports a failure. @param {() => Promise<void>} what */
  async tried(what) {
    this.busy = true;
    try {
      await what();
    } catch (why) {
      if (!(why instanceof Problem)) throw why;
      this.wrong = problemText(why);
    } finally {
      this.busy = false;
    }
  }

  render() {
    const { card } = this;
    if (!card) return nothing;
    const hidden = isHidden(card.id);
    return html`
      <lusoria-dialog heading=${gameName(card.game)}>
        <p>${playersText(card)}</p>
        <p class="wrong" role="alert">${this.wrong}</p>
        <div class="deeds">
          ${this.actions?.length === 0
            ? nothing
            : html`<div>
                <h3>${t("home.end")}</h3>
                ${this.actions
                  ? html`<lusoria-ends .actions=${this.actions} @lusoria-do=${this.end}></lusoria-ends>`
                  : html`<p class="muted">${this.wrong ? "" : t("common.loading")}</p>`}
              </div>`}
          <div>
            <h3>${hidden ? t("home.unhide") : t("home.hide")}</h3>
            <p class="muted">${hidden ? t("home.unhide.line") : t("home.hide.line")}</p>
            <button @click=${() => this.turn(card)}>${hidden ? t("home.unhide") : t("home.hide")}</button>
          </div>
        </div>
      </lusoria-dialog>
    `;
  }
}

/** @param {MatchCard} card */
function playersText({ players }) {
  const [a, b] = [players[1], players[2]];
  if (!b) return t("home.card.waits");
  if (a.id === b.id) return t("home.card.both");
  return t("common.against", { a: markedText(a), b: markedText(b) });
}

customElements.define("lusoria-unfinished", LusoriaUnfinished);
