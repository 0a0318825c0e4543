// A person's page of a match: what it shows, and how they play on it.

/** @typedef {{x: number, y: number}} Point */
/** @typedef {{from: string, to: string, dice: number[]}} Move */

/** The page of a match. */
export class Table {
  /** @param {import("playwright-core").Page} page */
  constructor(page) {
    this.page = page;
    /** How often the page had asked for legal moves at the last move. */
    this.asked = -1;
  }

  /** Waits until the page shows the match. */
  async ready() {
    await this.page.locator("lusoria-match lusoria-board .places rect").first().waitFor({ state: "attached" });
    return this;
  }

  /** The match's id. */
  get id() {
    return new URL(this.page.url()).pathname.split("/")[2];
  }

  /** The moment of the match, folded from all its events. @returns {Promise<any>} */
  folded() {
    return this.page.evaluate(async () => {
      const { live } = /** @type {any} */ (document.querySelector("lusoria-match"));
      await live.readPast();
      return { ...live.moments.at(-1), stood: undefined, played: undefined };
    });
  }

  /**
   * The legal moves, as soon as they differ from the last ones; undefined when the match has ended.
   * @returns {Promise<Move[] | undefined>}
   */
  async moves() {
    const found = await this.page.waitForFunction((before) => {
      const match = /** @type {any} */ (document.querySelector("lusoria-match"));
      if (match?.live.moment.state === "ended") return { asked: before };
      if (!match?.turn.legal || match.turn.sending || match.turn.asked === before) return undefined;
      const { moves } = match.renderRoot.querySelector("lusoria-board");
      return moves.length > 0 ? { moves, asked: match.turn.asked } : undefined;
    }, this.asked);
    const { moves, asked } = await found.jsonValue();
    this.asked = asked;
    return moves;
  }

  /** The centre of a place of the board on the screen. @param {string} place @returns {Promise<Point>} */
  at(place) {
    return this.page.evaluate((place) => {
      const match = /** @type {any} */ (document.querySelector("lusoria-match"));
      const places = match.renderRoot.querySelector("lusoria-board").renderRoot.querySelectorAll(".places rect");
      const box = [...places].find((rect) => rect.dataset.place === place).getBoundingClientRect();
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    }, place);
  }

  /** Clicks on a place. @param {string} place */
  async tap(place) {
    const { x, y } = await this.at(place);
    await this.page.mouse.click(x, y);
  }

  /** Moves by two taps, or by dragging where a tap would move. @param {Move} move */
  async move({ from, to }) {
    const isTap = await this.page.evaluate(() => {
      const match = /** @type {any} */ (document.querySelector("lusoria-match"));
      return match.renderRoot.querySelector("lusoria-board").order.length === 0;
    });
    if (!isTap) return this.drag({ from, to });
    await this.tap(from);
    await this.tap(to);
  }

  /** Moves by dragging with the mouse. @param {{from: string, to: string}} move */
  async drag({ from, to }) {
    const [start, end] = [await this.at(from), await this.at(to)];
    const { mouse } = this.page;
    await mouse.move(start.x, start.y);
    await mouse.down();
    await mouse.move(end.x, end.y, { steps: 6 });
    await this.page.locator("lusoria-board .targets .meant").waitFor({ state: "attached" });
    await mouse.up();
  }

  /** Moves by dragging with a finger. @param {Move} move */
  async swipe({ from, to }) {
    const [start, end] = [await this.at(from), await this.at(to)];
    const cdp = await this.page.context().newCDPSession(this.page);
    const touch = (/** @type {string} */ type, /** @type {Point[]} */ ...touchPoints) =>
      cdp.send("Input.dispatchTouchEvent", /** @type {any} */ ({ type, touchPoints }));
    await touch("touchStart", start);
    for (let step = 1; step <= 6; step += 1) {
      const part = step / 6;
      await touch("touchMove", { x: start.x + (end.x - start.x) * part, y: start.y + (end.y - start.y) * part });
    }
    await this.page.locator("lusoria-board .targets .meant").waitFor({ state: "attached" });
    await touch("touchEnd");
    await cdp.detach();
  }

  /** The steps of the turn that is being built here. @returns {Promise<{die?: number, from: string, to: string}[]>} */
  steps() {
    return this.page.evaluate(() => /** @type {any} */ (document.querySelector("lusoria-match")).turn.steps);
  }

  /** Waits until this many steps of the turn have been made here, and the server has judged them. @param {number} count */
  async built(count) {
    await this.page.waitForFunction((count) => {
      const { turn } = /** @type {any} */ (document.querySelector("lusoria-match")) ?? {};
      return turn?.legal && turn.steps.length === count;
    }, count);
  }

  /** Waits until an event has arrived. @param {number} seq */
  async reached(seq) {
    await this.page.waitForFunction(
      (seq) => /** @type {any} */ (document.querySelector("lusoria-match"))?.live.moment.seq >= seq, seq);
  }

  /** The position that the board shows. @returns {Promise<any>} */
  shown() {
    return this.page.evaluate(() => {
      const match = /** @type {any} */ (document.querySelector("lusoria-match"));
      return match.renderRoot.querySelector("lusoria-board").position;
    });
  }

  /** The accessible name of a place. @param {string} place @returns {Promise<string>} */
  named(place) {
    return this.page.locator(`lusoria-board .places rect[data-place="${place}"]`).getAttribute("aria-label");
  }

  /** A button of the page. @param {string | RegExp} name */
  button(name) {
    return this.page.locator(".bar").getByRole("button", { name, exact: typeof name === "string" });
  }

  /** An enabled button of the page. @param {string} name */
  able(name) {
    return this.page.locator(".bar button:enabled").and(this.button(name));
  }

  /** The message shown for a while. */
  get word() {
    return this.page.locator(".told .word");
  }
}
