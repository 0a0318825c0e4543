// Steps through a match: first, back, play, forward, last, and a slider.

import { LitElement, css, html, nothing, svg } from "../lit.js";
import { KEY_OF, placeIn } from "../match/way.js";
import { base, buttons } from "../style/shared.js";
import { t } from "../text/text.js";

/** How long each event is shown in the replay. */
const PLAY_MS = 1_100;

const SIGNS = {
  first: "M6 5v14M18 5l-9 7 9 7z",
  back: "M17 5l-10 7 10 7z",
  play: "M7 4l13 8-13 8z",
  pause: "M8 5v14M16 5v14",
  on: "M7 5l10 7-10 7z",
  last: "M18 5v14M6 5l9 7-9 7z",
};

/** `<lusoria-replay>`. Event `lusoria-show` with the number of an event in `detail.seq`. */
export class ReplayElement extends LitElement {
  static properties = {
    stops: { attribute: false },
    shown: { attribute: false },
    plays: { state: true },
  };

  static styles = [
    base,
    buttons,
    css`
      :host {
        display: flex;
        align-items: center;
        gap: 0.25rem;
      }
      button {
        min-width: 2.25rem;
        min-height: 2.25rem;
        padding: 0;
      }
      input {
        flex: 1;
        min-width: 3rem;
        height: 2rem;
        accent-color: var(--fill);
      }
    `,
  ];

  constructor() {
    super();
    /** The events that change the board. @type {number[]} */
    this.stops = [];
    this.shown = 0;
    this.plays = false;
    this.timer = 0;
  }

  /** The index of the stop shown. */
  get place() {
    return placeIn(this.stops, this.shown);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearInterval(this.timer);
  }

  render() {
    const { place } = this;
    const last = this.stops.length - 1;
    return html`
      ${this.button("first", () => this.show(0), place === 0)}
      ${this.button("back", () => this.show(place - 1), place === 0)}
      ${this.button(this.plays ? "pause" : "play", () => this.toggle(), last < 1)}
      ${this.button("on", () => this.show(place + 1), place >= last)}
      ${this.button("last", () => this.show(last), place >= last)}
      <input type="range" min="0" max=${Math.max(last, 0)} .value=${String(place)} aria-label=${t("replay.where")}
        aria-valuetext=${t("replay.of", { place: place + 1, count: last + 1 })}
        @input=${(/** @type {any} */ event) => this.show(Number(event.target.value))} />
    `;
  }

  /** @param {keyof typeof SIGNS} name @param {() => void} does @param {boolean} isIdle */
  button(name, does, isIdle) {
    const label = t(`replay.${name}`);
    return html`<button class="plain" part=${name} @click=${does} ?disabled=${isIdle} aria-label=${label} title=${label}
      aria-keyshortcuts=${/** @type {Record<string, string>} */ (KEY_OF)[name] ?? nothing}>
      <svg viewBox="0 0 24 24" aria-hidden="true">${svg`<path d=${SIGNS[name]} />`}</svg>
    </button>${nothing}`;
  }

  /** @param {number} place */
  show(place) {
    const seq = this.stops[Math.min(Math.max(place, 0), this.stops.length - 1)];
    if (seq !== undefined) this.dispatchEvent(new CustomEvent("lusoria-show", { detail: { seq } }));
  }

  toggle() {
    clearInterval(this.timer);
    this.plays = !this.plays;
    if (!this.plays) return;
    if (this.place >= this.stops.length - 1) this.show(0);
    this.timer = setInterval(() => {
      if (this.place >= this.stops.length - 1) this.toggle();
      else this.show(this.place + 1);
    }, PLAY_MS);
  }
}

customElements.define("lusoria-replay", ReplayElement);
