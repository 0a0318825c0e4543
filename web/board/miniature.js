// A small still board: without textures in lists, with them in pictures of the games.

import { LitElement, css, html, nothing } from "../lit.js";
import { piecesOf } from "../game/position.js";
import { preferences, preferred } from "../player/preferences.js";
import { arrange } from "./arrange.js";
import { ground } from "./ground.js";
import { layOut } from "./layout.js";
import { lookOf } from "../game/looks.js";
import { markup, textOf } from "./markup.js";
import { isHere, load, sheetOf } from "./materials.js";
import { formOf, men } from "./men.js";
import { ownTask } from "../own-task.js";
import { skins } from "./skins.js";

/** @typedef {import("./layout.js").Layout} Layout */
/** @typedef {import("../game/position.js").Piece} Piece */

/** The usual proportions of boxes in lists. */
const BOX = { width: 1600, height: 900 };

/**
 * `<lusoria-miniature>`: `entry` in `position`, in the style that the person prefers, also when they change it;
 * `painted` with textures.
 */
export class Miniature extends LitElement {
  static properties = {
    entry: { attribute: false },
    position: { attribute: false },
    viewer: { attribute: false },
    painted: { type: Boolean },
    label: { type: String },
  };

  static styles = [
    skins,
    css`
      :host {
        display: block;
        --carved: var(--title, Georgia, serif);
      }
      svg {
        display: block;
        width: 100%;
        height: 100%;
      }
      /* Too small to read. */
      .tray-name {
        display: none;
      }
    `,
  ];

  constructor() {
    super();
    /** @type {import("../game/places.js").CatalogueEntry | undefined} */
    this.entry = undefined;
    /** @type {import("../game/position.js").Position | undefined} */
    this.position = undefined;
    /** @type {import("../game/places.js").SideName | null} */
    this.viewer = null;
    this.painted = false;
    /** Whether it is near the visible part of the page: no picture is loaded before. */
    this.isSeen = false;
    this.observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      this.observer.disconnect();
      this.isSeen = true;
      this.requestUpdate();
    });
    this.label = "";
    this.dress = () => {
      this.setAttribute("skin", this.look.skin);
      this.requestUpdate();
    };
  }

  connectedCallback() {
    super.connectedCallback();
    preferences.addEventListener("change", this.dress);
    if (this.painted && !this.isSeen) this.observer.observe(this);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    preferences.removeEventListener("change", this.dress);
    this.observer.disconnect();
  }

  /** Draws the boards of a page one after the other. */
  async scheduleUpdate() {
    await ownTask();
    await super.scheduleUpdate();
  }

  get look() {
    const look = lookOf(preferred("board"), this.entry?.id);
    return { ...look, painted: look.painted && this.painted && this.isSeen };
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (changed.has("entry")) this.setAttribute("skin", this.look.skin);
  }

  render() {
    if (!this.entry || !this.position) return nothing;
    const layout = layOut(this.entry, { viewer: this.viewer, ...BOX });
    const pieces = piecesOf(this.entry, this.position);
    const first = this.entry.sides[0].id;
    const { at } = arrange(layout, pieces);
    const sheet = this.look.painted ? sheetOf(layout.held.family) : undefined;
    const isPainted = sheet && isHere(sheet.href);
    // Draw the pieces until their picture has loaded.
    if (sheet && !isPainted) load(sheet.href).then((hasCome) => hasCome && this.requestUpdate());
    const upwards = [...pieces].sort((a, b) => a.level - b.level);
    const drawing = markup`<defs>${men(layout.held.family, isPainted ? sheet : undefined)}</defs>
      ${ground(layout, this.look)}
      ${upwards.map((piece) => {
        const lies = at.get(piece.key);
        if (!lies) return nothing;
        return markup`<use href=${formOf(piece, piece.side === first)} transform="translate(${lies.x} ${lies.y}) scale(${lies.size})"/>`;
      })}`;
    return html`<svg
      viewBox="0 0 ${layout.width} ${layout.height}"
      role=${this.label ? "img" : nothing}
      aria-label=${this.label || nothing}
      aria-hidden=${this.label ? nothing : "true"}
      .innerHTML=${textOf(drawing)}
    ></svg>`;
  }
}

customElements.define("lusoria-miniature", Miniature);
