// Chromium, and people who use it: each in a context of their own. Records every message of the console and every
// request to another server.

import assert from "node:assert/strict";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { launched } from "./chromium.js";

/** A folder for screenshots at the end of each test, to find a fault. */
const SHOTS = process.env.SHOTS;

const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync", "--mute-audio"];

/** The general timeout: the machine may be slow. */
export const WITHIN_MS = 60_000;

/** How often a page is polled for a condition. */
const POLLING_MS = 40;

/** The preferences of people who play fast. */
export const FAST = { throwing: "auto", clicks: "two", confirming: "auto", forced: "auto", pace: "none", sounds: false, motion: "none" };

/**
 * @param {{flags?: string[], full?: boolean}} [how] more flags; whether to use the full browser
 * @returns {Promise<import("playwright-core").Browser>}
 */
export const launch = ({ flags = [], full = false } = {}) =>
  chromium.launch({ ...launched({ full }), args: [...FLAGS, ...flags] });

/** A person with their own browser context. */
export class Person {
  /**
   * @param {import("playwright-core").Browser} browser
   * @param {string} origin
   * @param {{preferences?: object, guest?: object | null, context?: import("playwright-core").BrowserContextOptions}} [how]
   */
  static async at(browser, origin, { preferences = {}, guest = null, context = {} } = {}) {
    const person = new Person();
    person.origin = origin;
    person.context = await browser.newContext({ locale: "en-GB", viewport: { width: 1100, height: 760 }, ...context });
    await person.context.addInitScript(({ preferences, guest }) => {
      // Frames that are refused, or not loaded yet, have none.
      try {
        void localStorage;
      } catch {
        return;
      }
      localStorage.getItem("lusoria.preferences")
        ?? localStorage.setItem("lusoria.preferences", JSON.stringify(preferences));
      if (guest) localStorage.getItem("lusoria.guest") ?? localStorage.setItem("lusoria.guest", JSON.stringify(guest));
    }, { preferences, guest });
    person.context.setDefaultTimeout(WITHIN_MS);
    person.complaints = [];
    person.page = await person.newPage();
    return person;
  }

  /** Opens a page. */
  async newPage() {
    const page = await this.context.newPage();
    // With the usual polling in each frame, a waiting page would render sixty times a second.
    const waitForFunction = page.waitForFunction.bind(page);
    page.waitForFunction = /** @type {any} */ ((/** @type {any} */ what, /** @type {any} */ argument, /** @type {any} */ how) =>
      waitForFunction(what, argument, { polling: POLLING_MS, ...how }));
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type()) && !this.isExpected(message.text())) {
        this.complaints.push(message.text());
      }
    });
    page.on("pageerror", (error) => this.complaints.push(String(error.stack ?? error)));
    page.on("request", (request) => {
      const url = new URL(request.url());
      const own = new URL(this.origin);
      const isOwn = [own.host, ...this.others].includes(url.host) || ["data:", "blob:"].includes(url.protocol);
      if (!isOwn) this.complaints.push(`a request to ${url}`);
    });
    return page;
  }

  /** Ignores the browser's messages while the server is down. */
  expecting = /** @type {RegExp[]} */ ([]);

  /** The hosts of other sites that the person visits. */
  others = /** @type {string[]} */ ([]);

  /** @param {string} text */
  isExpected(text) {
    return this.expecting.some((pattern) => pattern.test(text));
  }

  /** @param {string} path */
  goto(path) {
    return this.page.goto(this.origin + path);
  }

  /** Closes the context. Returns the page's complaints. */
  async leave() {
    if (SHOTS) await this.page.screenshot({ path: join(SHOTS, `${Date.now()}.png`) }).catch(() => {});
    await this.context.close();
    assert.deepEqual(this.complaints, [], "the console is silent, and nothing is asked of anybody else");
  }
}
