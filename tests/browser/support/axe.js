// Checks the accessibility of a page with axe.

import AxeBuilder from "@axe-core/playwright";
import assert from "node:assert/strict";

/** @typedef {import("playwright-core").Page} Page */
/** @typedef {import("./stage.js").Stage} Stage */

const RULES = { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"] };

/** The rules about colours: all others give the same result in each theme. */
const RULES_OF_COLOURS = { type: "rule", values: ["color-contrast", "link-in-text-block"] };

/** The narrowest screen (WCAG 2.1, 1.4.10). */
const NARROWEST_PX = 320;

/**
 * Waits until a page has rendered, with colours that no longer change. Polls frame by frame: a transition's promise
 * never resolves if its element is removed.
 * @param {Page} page
 */
const drawn = (page) =>
  page.evaluate(async () => {
    const frame = () => new Promise((drawn) => requestAnimationFrame(drawn));
    const isChanging = (/** @type {Document | ShadowRoot} */ root) =>
      root.getAnimations().some((change) => change instanceof CSSTransition && change.playState === "running") ||
      [...root.querySelectorAll("*")].some(({ shadowRoot }) => shadowRoot !== null && isChanging(shadowRoot));
    await frame();
    do await frame();
    while (isChanging(document));
  });

/**
 * Checks a page without frames: with frames, axe would check each separately and need another page to merge the
 * results. Rules without a finding are not listed. Both would cost as much time as the rules.
 * @param {Page} page @param {string} what @param {import("axe-core").RunOnly} [runOnly]
 */
export async function judge(page, what, runOnly = RULES) {
  const axe = new AxeBuilder({ page }).options({ runOnly, resultTypes: ["violations"] }).setLegacyMode();
  const { violations } = await axe.analyze();
  const told = violations.map(({ id, help, nodes }) =>
    `${id} (${help}): ${nodes.map(({ target, failureSummary }) => `${target.flat().join(" ")}: ${failureSummary}`).join("; ")}`);
  assert.deepEqual(told, [], what);
}

/** Checks a page as it is, in both themes. @param {Page} page @param {string} what */
export async function judgeBothThemes(page, what) {
  for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await drawn(page);
    await judge(page, `${what} ${colorScheme}`, colorScheme === "light" ? RULES : RULES_OF_COLOURS);
  }
}

/**
 * Opens a page in both themes.
 * @param {Stage} stage @param {import("node:test").TestContext} t @param {string} path
 * @param {import("./stage.js").How} [how] @param {(page: Page) => Promise<unknown>} [does]
 */
export async function inBothThemes(stage, t, path, how = {}, does = async () => {}) {
  // Colours that are still changing would be judged half-way.
  const context = { ...how.context, reducedMotion: "reduce" };
  const { page, goto } = await stage.visitor(t, { ...how, context });
  await goto(path);
  await page.locator("lusoria-head header").waitFor();
  await does(page);
  await judgeBothThemes(page, path);
}

/** Nothing scrolls sideways on the narrowest screen. @param {Page} page @param {string} what */
export async function fitsNarrowest(page, what) {
  await page.setViewportSize({ width: NARROWEST_PX, height: 568 });
  // Styles that depend on the width apply in the next frame.
  await drawn(page);
  const tooWide = await page.evaluate((narrowest) => {
    if (document.documentElement.scrollWidth <= narrowest) return [];
    /** @type {string[]} */
    const found = [];
    const look = (/** @type {Document | ShadowRoot} */ root) => {
      for (const element of root.querySelectorAll("*")) {
        const { left, right } = element.getBoundingClientRect();
        const name = `${element.localName} ${element.className} ${element.textContent?.trim().slice(0, 40)}`;
        if (right > narrowest && left < right) found.push(`${name}: ${Math.round(left)} to ${Math.round(right)}`);
        if (element.shadowRoot) look(element.shadowRoot);
      }
    };
    look(document);
    return found;
  }, NARROWEST_PX);
  assert.deepEqual(tooWide, [], `${what} on a screen of ${NARROWEST_PX} px`);
}
