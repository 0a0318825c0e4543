// An invitation: who invites, the terms, and one button to join. Its code stands in the fragment of the URL, which
// browsers do not send; it leaves this page only in the body of a request.

import { Problem } from "../api/rest.js";
import { catalogue } from "../api/catalogue.js";
import { LitElement, css, html, nothing } from "../lit.js";
import { guest, identity } from "../player/identity.js";
import { look, spend } from "../player/seats.js";
import { base, buttons, cards } from "../style/shared.js";
import { currentLanguage, loadTexts, t } from "../text/text.js";
import { clockText, gameLine, gameName, markedText, moment, problemText, sideName } from "../text/words.js";
import { sideAcross } from "../parts/card.js";
import { PICTURES } from "../parts/pictures.js";
import "../board/miniature.js";
import "../parts/head.js";

/** @typedef {import("../api/wire").components["schemas"]["CatalogueEntry"]} CatalogueEntry */
/** @typedef {import("../api/wire").components["schemas"]["Snapshot"]} Snapshot */

/** `<lusoria-join>`: the whole page. */
class LusoriaJoin extends LitElement {
  static properties = {
    invited: { state: true },
    entry: { state: true },
    state: { state: true },
    wrong: { state: true },
  };

  static styles = [
    base,
    buttons,
    cards,
    css`
      main {
        display: grid;
        gap: var(--gap-m);
        max-width: 36rem;
        margin: 0 auto;
        padding: var(--gap-l) var(--gap-m) var(--gap-xl);
      }

      .card {
        overflow: hidden;
      }

      .picture {
        position: relative;
        aspect-ratio: 2 / 1;
        background: var(--sunk);
      }

      lusoria-miniature {
        position: absolute;
        inset: var(--gap-m);
      }

      .told {
        display: grid;
        gap: var(--gap-m);
        padding: var(--gap-l);
      }

      .by {
        font-size: var(--size-l);
        overflow-wrap: anywhere;
      }

      dl {
        display: grid;
        grid-template-columns: fit-content(40%) 1fr;
        gap: var(--gap-xs) var(--gap-m);
        margin: 0;
      }

      dt {
        color: var(--muted);
      }

      dd {
        margin: 0;
      }

      .by + .do {
        margin-top: var(--gap-m);
      }

      .do {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: var(--gap-s);
      }

      .do .main {
        flex: 1 1 100%;
        min-height: 3.25rem;
        font-size: var(--size-l);
      }

      .wrong {
        color: var(--accent);
      }

      @media (max-width: 30rem) {
        main {
          padding-top: var(--gap-m);
        }

        .told {
          padding: var(--gap-m);
        }
      }
    `,
  ];

  constructor() {
    super();
    /** @type {Snapshot | undefined} */
    this.invited = undefined;
    /** @type {CatalogueEntry | undefined} */
    this.entry = undefined;
    /** @type {"looking" | "invited" | "sitting" | "gone" | "none" | "unknown"} */
    this.state = "looking";
    this.wrong = "";
    identity.addEventListener("change", () => this.requestUpdate());
    addEventListener("hashchange", () => this.look());
  }

  firstUpdated() {
    this.look();
  }

  get code() {
    return location.hash.slice(1);
  }

  async look() {
    this.wrong = "";
    this.invited = undefined;
    if (this.code === "") return (this.state = "none");
    this.state = "looking";
    try {
      const invited = await look(this.code);
      this.invited = invited;
      this.state = invited.state === "open" ? "invited" : "gone";
      this.entry = (await catalogue()).get(invited.game);
    } catch (why) {
      this.refused(why);
    }
  }

  async sit() {
    const { invited } = this;
    if (!invited || this.state === "sitting") return;
    this.state = "sitting";
    this.wrong = "";
    try {
      await spend(this.code, invited, { bringSeed: true });
      // Going back from the match must not ask again.
      location.replace(`/match/${invited.id}`);
    } catch (why) {
      this.refused(why);
    }
  }

  /** @param {unknown} why */
  refused(why) {
    if (!(why instanceof Problem)) throw why;
    if (["unknown_code", "full", "match_over", "not_inviting", "no_such_match"].includes(why.code)) {
      this.state = "gone";
    } else if (["invalid_body"].includes(why.code)) {
      this.state = "none";
    } else {
      this.state = this.invited ? "invited" : "unknown";
      this.wrong = problemText(why);
    }
  }

  render() {
    return html`
      <lusoria-head></lusoria-head>
      <main>
        <h1>${t("join.heading")}</h1>
        <div role="status">${this.told()}</div>
        ${this.invited && (this.state === "invited" || this.state === "sitting")
          ? this.invitation(this.invited)
          : nothing}
        <p class="wrong" role="alert">${this.wrong}</p>
      </main>
    `;
  }

  told() {
    const home = html`<p class="do"><a class="button" href="/">${t("join.home")}</a></p>`;
    switch (this.state) {
      case "looking":
        return html`<p>${t("join.looking")}</p>`;
      case "gone":
        return html`<p class="by">${t("join.gone")}</p>
          ${home}`;
      case "none":
        return html`<p class="by">${t("join.none")}</p>
          ${home}`;
      case "unknown":
        return html`<p class="do"><button @click=${this.look}>${t("common.retry")}</button></p>`;
      default:
        return nothing;
    }
  }

  /** @param {Snapshot} invited */
  invitation(invited) {
    const game = gameName(invited.game);
    const host = invited.players[1];
    return html`
      <div class="card">
        <div class="picture" aria-hidden="true">
          <lusoria-miniature .entry=${this.entry} .position=${PICTURES[invited.game]}></lusoria-miniature>
        </div>
        <div class="told">
          <p class="by">${t("join.by", { name: markedText(host), game })}</p>
          <p class="muted">${gameLine(invited.game)}</p>
          <dl>
            ${terms(invited, this.entry).map(
              ([name, value]) => html`
                <dt>${name}</dt>
                <dd class="figures">${value}</dd>
              `,
            )}
          </dl>
          ${host.id === guest()?.id ? this.own(invited) : this.seat(invited)}
          ${invited.deadline_at
            ? html`<p class="muted small">${t("join.until", { time: moment(invited.deadline_at) })}</p>`
            : nothing}
        </div>
      </div>
    `;
  }

  /** @param {Snapshot} invited */
  seat({ id, game }) {
    const sitting = this.state === "sitting";
    return html`
      <div class="do">
        <button class="main" aria-disabled=${sitting ? "true" : "false"} @click=${this.sit}>
          ${sitting ? t("join.sitting") : t("join.sit")}
        </button>
        <a class="button plain" href=${`/rules/${game}?lang=${currentLanguage()}`}>${t("join.rules")}</a>
        <a class="button plain" href=${`/match/${id}`}>${t("join.watch")}</a>
      </div>
    `;
  }

  /** @param {Snapshot} invited */
  own({ id }) {
    return html`
      <p>${t("join.own")}</p>
      <div class="do"><a class="button main" href=${`/match/${id}`}>${t("join.own.go")}</a></div>
    `;
  }
}

/**
 * The terms that one accepts by joining.
 * @param {Snapshot} invited
 * @param {CatalogueEntry | undefined} entry
 * @returns {[string, string][]}
 */
function terms({ clock, points, games, rated, side, options }, entry) {
  const chosen = (entry?.options ?? []).filter(({ name, default: usual }) => {
    const agreed = options[/** @type {keyof typeof options} */ (name)];
    return agreed !== undefined && agreed !== null && agreed !== usual;
  });
  return [
    [t("join.clock"), clockText(clock)],
    [t("join.length"), games ? t("home.length.pair") : points > 1 ? t("home.card.series", { count: points }) : t("home.card.single")],
    ...(rated ? [/** @type {[string, string]} */ ([t("home.stake"), t("home.stake.rated")])] : []),
    [t("join.side"), side === "lot" ? t("join.side.lot") : sideName(sideAcross(side))],
    ...chosen.map(
      ({ name }) =>
        /** @type {[string, string]} */ ([
          t(`home.option.${name}`),
          t(`home.option.${name}.${options[/** @type {keyof typeof options} */ (name)]}`),
        ]),
    ),
  ];
}

customElements.define("lusoria-join", LusoriaJoin);

await loadTexts();
document.title = t("join.title");
document.body.append(new LusoriaJoin());
