// Push without a push service: the browser's debugger delivers messages to the real service worker, and subscriptions,
// for which browsers need a service on the internet, are faked.

import { WITHIN_MS } from "./browser.js";

/** @typedef {import("./browser.js").Person} Person */
/** @typedef {import("playwright-core").Page} Page */
/** @typedef {{id: string, host: string, created_at: number, current?: boolean, token?: string, body?: any}} Subscription */

/** Waits for a condition that only a request can check. @param {() => Promise<boolean>} what */
export async function until(what) {
  const late = Date.now() + WITHIN_MS;
  while (!(await what())) {
    if (Date.now() > late) throw new Error(`condition not met after ${WITHIN_MS} ms: ${what}`);
    // This process may itself have to respond to the browser: let it.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Waits until the service worker of a page is active. @param {Page} page */
export const working = (page) =>
  until(() => page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    return registration?.active?.state === "activated";
  }));

/** Push messages to a person's service worker, and the notifications it shows. @param {Person} person with a page of the server */
export async function pushing(person) {
  const { page, context, origin } = person;
  const cdp = await context.newCDPSession(page);
  const registered = new Promise((resolve) =>
    cdp.on("ServiceWorker.workerVersionUpdated", ({ versions }) => {
      const active = versions.find(({ status }) => status === "activated");
      if (active) resolve(active.registrationId);
    }));
  await cdp.send("ServiceWorker.enable");
  const registrationId = await registered;
  const worker = async () => context.serviceWorkers()[0] ?? context.waitForEvent("serviceworker");
  // A browser that lists notifications while one is being shown takes that one for closed: record when they have been
  // shown.
  await (await worker()).evaluate(() => {
    const scope = /** @type {any} */ (self);
    const { registration } = scope;
    const show = registration.showNotification.bind(registration);
    scope.done = [];
    registration.showNotification = async (/** @type {string} */ title, /** @type {NotificationOptions} */ options) => {
      await show(title, options);
      scope.done.push([options.tag, title]);
    };
  });
  const withTag = async (/** @type {string} */ tag) => (await worker()).evaluate(async (tag) => {
    const all = await /** @type {any} */ (self).registration.getNotifications();
    return all.filter((/** @type {Notification} */ shown) => shown.tag === tag)
      .map((/** @type {Notification} */ { title, body, tag, lang }) => ({ title, body, tag, lang }));
  }, tag);

  return {
    /** Delivers a push message; the browser does not report when it was handled. @param {string} data */
    deliver: (data) => cdp.send("ServiceWorker.deliverPushMessage", { origin, registrationId, data }),

    /**
     * The notifications with a tag, as soon as one with this title has been shown.
     * @param {string} tag @param {string} title
     */
    shown: async (tag, title) => {
      await until(async () => (await worker()).evaluate(([tag, title]) =>
        /** @type {any} */ (self).done.some((/** @type {string[]} */ [ofTag, ofTitle]) => ofTag === tag && ofTitle === title),
      [tag, title]));
      return withTag(tag);
    },

    /** The notifications with a tag. @param {string} tag */
    withTag,

    /** Shows one. @param {{tag: string, address: string}} what */
    show: async ({ tag, address }) => (await worker()).evaluate(({ tag, address }) =>
      /** @type {any} */ (self).registration.showNotification("Shown", { tag, data: { address } }), { tag, address }),

    /**
     * Clicks on the notification with a tag. Only a real click lets a worker open or focus a window: records what it
     * would have done.
     * @param {string} tag
     * @returns {Promise<[string, string][]>}
     */
    click: async (tag) => (await worker()).evaluate(async (tag) => {
      const scope = /** @type {any} */ (self);
      const done = /** @type {[string, string][]} */ ([]);
      const path = (/** @type {string} */ address) => new URL(address, scope.location).pathname;
      scope.clients.openWindow = async (/** @type {string} */ address) => void done.push(["opened", path(address)]);
      scope.WindowClient.prototype.focus = async function () {
        done.push(["focused", path(this.url)]);
      };
      const [notification] = await scope.registration.getNotifications({ tag });
      const event = new scope.NotificationEvent("notificationclick", { notification });
      /** @type {Promise<unknown>[]} */
      const waitedFor = [];
      event.waitUntil = (/** @type {Promise<unknown>} */ promise) => waitedFor.push(promise);
      scope.dispatchEvent(event);
      await Promise.all(waitedFor);
      return done;
    }, tag),
  };
}

/**
 * The behaviour of a browser and a server with subscriptions.
 * @typedef {object} Pretended
 * @property {boolean} [pushes] whether the server pushes
 * @property {"default" | "granted" | "denied"} [permission] the permission at the start
 * @property {"default" | "granted" | "denied"} [answer] the person's answer to the browser
 * @property {boolean} [fails] whether the push service refuses
 * @property {boolean} [lacks] whether the browser has no push at all
 */

/** The fake API for subscriptions, and the fake push service. */
export class PushServer {
  /** @param {Pretended} [how] */
  constructor({ pushes = true, permission = "default", answer = "granted", fails = false, lacks = false } = {}) {
    this.pushes = pushes;
    this.browser = { permission, answer, fails, lacks };
    /** @type {Subscription[]} */
    this.subscriptions = [];
    /** The number of subscriptions made. */
    this.made = 0;
    /** Subscribing waits for this promise. @type {Promise<void>} */
    this.held = Promise.resolve();
  }

  /** Responds to a person's pages. @param {Person} person */
  async answer({ context }) {
    await context.addInitScript(pretend, this.browser);
    await context.route("**/api/v1/push", (route) =>
      this.pushes
        ? route.fulfill({ json: { key: `BA${"A".repeat(85)}` } })
        : route.fulfill({ status: 409, json: { code: "no_push", title: "The server does not push" } }));
    await context.route(/\/api\/v1\/me\/push-subscriptions/, async (route) => {
      const request = route.request();
      const token = request.headers().authorization?.replace("Bearer ", "");
      const own = this.subscriptions.filter((subscription) => subscription.token === token);
      switch (request.method()) {
        case "PUT": {
          await this.held;
          const body = request.postDataJSON();
          const made = { id: `s${(this.made += 1)}`, host: new URL(body.endpoint).host, created_at: Date.now(), current: true };
          this.subscriptions = this.subscriptions.filter((known) => known.body?.endpoint !== body.endpoint);
          this.subscriptions.push({ ...made, token, body });
          return route.fulfill({ json: made });
        }
        case "DELETE": {
          const id = request.url().split("/").pop();
          this.subscriptions = this.subscriptions.filter((subscription) => subscription.id !== id);
          return route.fulfill({ status: 204 });
        }
        default:
          return route.fulfill({ json: { subscriptions: own.map(({ id, host, created_at, current = false }) => ({ id, host, created_at, current })) } });
      }
    });
  }

  /** How often the browser has asked the person for the permission. @param {Page} page @returns {Promise<number>} */
  permissionsAsked = (page) => page.evaluate(() => /** @type {any} */ (window).permissionsAsked);

  /** The push service revokes a subscription, and the browser makes another. @param {Page} page */
  replace = (page) => page.evaluate(() => localStorage.setItem("test.subscription", "https://push.example/2"));
}

/** Runs in the page, before its scripts. @param {{permission: string, answer: string, fails: boolean, lacks: boolean}} how */
function pretend({ permission, answer, fails, lacks }) {
  const KEPT_AS = "test.subscription";
  const PERMITTED_AS = "test.permission";
  const STUCK_AS = "test.stuck";
  const scope = /** @type {any} */ (window);
  scope.permissionsAsked = 0;
  if (lacks) {
    delete scope.PushManager;
    return;
  }
  Object.defineProperty(Notification, "permission", { get: () => localStorage.getItem(PERMITTED_AS) ?? permission });
  Notification.requestPermission = async () => {
    scope.permissionsAsked += 1;
    localStorage.setItem(PERMITTED_AS, answer);
    return /** @type {NotificationPermission} */ (answer);
  };
  const key = Uint8Array.from({ length: 65 }, (_, at) => (at === 0 ? 4 : 0)).buffer;
  const subscription = (/** @type {string} */ endpoint) => ({
    endpoint,
    options: { applicationServerKey: key },
    toJSON: () => ({ endpoint, expirationTime: null, keys: { p256dh: "p", auth: "a" } }),
    unsubscribe: async () => {
      if (localStorage.getItem(STUCK_AS) !== null) {
        localStorage.setItem(STUCK_AS, "tried");
        throw new DOMException("push service error", "AbortError");
      }
      localStorage.removeItem(KEPT_AS);
      return true;
    },
  });
  Object.assign(PushManager.prototype, {
    getSubscription: async () => {
      const endpoint = localStorage.getItem(KEPT_AS);
      return endpoint === null ? null : subscription(endpoint);
    },
    subscribe: async () => {
      if (fails) throw new DOMException("push service error", "AbortError");
      localStorage.setItem(KEPT_AS, "https://push.example/1");
      return subscription("https://push.example/1");
    },
  });
}
