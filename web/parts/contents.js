// A table of contents that follows the reader.

import { LitElement, css, html, nothing } from "../lit.js";
import { base } from "../style/shared.js";
import { t } from "../text/text.js";

/** Shorter texts need none. */
const HEADINGS_MIN = 3;

/** `<lusoria-contents>`. Property: `headings`, the document's headings to list. */
export class LusoriaContents extends LitElement {
  static properties = {
    headings: { attribute: false },
    at: { state: true },
  };

  static styles = [
    base,
    css`
      nav {
        position: sticky;
        top: 0;
        max-height: 100vh;
        padding: var(--gap-l) 0 var(--gap-l) var(--gap-m);
        overflow-y: auto;
        font-size: var(--size-s);
      }

      .title {
        margin-bottom: var(--gap-s);
        font-family: var(--title);
        font-size: var(--size-m);
        font-weight: 600;
      }

      a {
        display: block;
        padding: 0.3rem 0.75rem;
        border-left: 0.1875rem solid var(--line);
        color: var(--muted);
        text-decoration: none;
      }

      a:hover {
        text-decoration: underline;
      }

      a[aria-current] {
        border-left-color: var(--accent);
        color: var(--ink);
        font-weight: 600;
      }
    `,
  ];

  constructor() {
    super();
    /** @type {HTMLElement[]} */
    this.headings = [];
    /** The heading of the section being read. @type {HTMLElement | undefined} */
    this.at = undefined;
    this.look = () => {
      const read = this.headings.filter((heading) => heading.getBoundingClientRect().top < innerHeight / 3);
      this.at = read.at(-1);
    };
  }

  connectedCallback() {
    super.connectedCallback();
    addEventListener("scroll", this.look, { passive: true });
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    removeEventListener("scroll", this.look);
  }

  render() {
    if (this.headings.length < HEADINGS_MIN) return nothing;
    return html`
      <nav aria-labelledby="title">
        <p class="title" id="title">${t("rules.contents")}</p>
        <ul>
          ${this.headings.map((heading) => this.entry(heading))}
        </ul>
      </nav>
    `;
  }

  /** @param {HTMLElement} heading */
  entry(heading) {
    const here = heading === this.at ? "true" : nothing;
    return html`<li><a href="#${heading.id}" aria-current=${here}>${heading.textContent}</a></li>`;
  }
}

customElements.define("lusoria-contents", LusoriaContents);
