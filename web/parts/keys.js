// The keyboard shortcuts of a match, in a dialogue; `?` opens it.

import { LitElement, css, html } from "../lit.js";
import { base, buttons } from "../style/shared.js";
import { t } from "../text/text.js";
import { openIn } from "./dialog.js";

/** Each letter, and the key of its text. @type {[key: string, text: string][]} */
const KEYS = [
  ["T", "board.dice.cover"],
  ["D", "board.dice.order"],
  ["C", "turn.confirm"],
  ["U", "turn.undo"],
  ["A", "turn.again"],
  ["S", "turn.skip"],
  ["H", "hints.ask"],
  ["B", "ends.takeBack"],
  ["F", "match.flip"],
  ["W", "route.show"],
];

/** `<lusoria-keys>`: exists only while its dialogue is open. */
class KeysElement extends LitElement {
  static styles = [
    base,
    buttons,
    css`
      dl {
        display: grid;
        grid-template-columns: auto 1fr;
        gap: var(--gap-s) var(--gap-m);
        margin: 0 0 var(--gap-m);
      }
      dd {
        margin: 0;
      }
      kbd {
        display: inline-block;
        min-width: 2rem;
        padding: 0.125rem 0.5rem;
        border: 1px solid var(--edge);
        border-radius: var(--round-s);
        background: var(--raised);
        font: 600 1em var(--text);
        text-align: center;
      }
    `,
  ];

  render() {
    return html`
      <lusoria-dialog heading=${t("preferences.keys.title")} @lusoria-closed=${() => this.remove()}>
        <dl>${KEYS.map(([key, text]) => html`<dt><kbd>${key}</kbd></dt><dd>${t(text)}</dd>`)}</dl>
        <p>${t("preferences.keys.way")}</p>
      </lusoria-dialog>
    `;
  }
}

customElements.define("lusoria-keys", KeysElement);

/** Shows them. */
export async function showKeys() {
  if (document.querySelector("lusoria-keys")) return;
  await openIn(new KeysElement());
}
