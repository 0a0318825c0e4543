// Notifications on this device about what waits for the person: its subscription to Web Push. The server ties it to the
// session of the device; it ends with that.

import { Problem, ask } from "../api/rest.js";
import { currentLanguage } from "../text/text.js";
import { showCount } from "./badge.js";
import { bytesOf } from "./base64url.js";
import { isInstalled } from "./device.js";
import { guest, identity, left, token } from "./identity.js";
import { TOLD_AS, hasWorkers, register } from "./worker.js";

/** @typedef {import("../api/wire").components["schemas"]["PushSubscription"]} Subscription A subscription in the API */

/**
 * The stored data of this device's subscription: its id on the server, its guest, its endpoint, its language, and when
 * the server was last informed.
 * @typedef {{id: string, guest: string, endpoint: string, language: string, at: number}} Told
 */

/**
 * - `unsupported`: the browser has no push messages here;
 * - `install`: it has them once the page has been added to the home screen;
 * - `none`: the server does not send push messages;
 * - `denied`: the person has denied the browser's permission;
 * - `off` and `on`: what the person has chosen.
 * @typedef {"unsupported" | "install" | "none" | "denied" | "off" | "on"} State
 */

/** The longest time until a subscription is renewed that the server has lost, or whose key has changed. */
const TOLD_ANEW_AFTER_MS = 24 * 3_600_000;

/** What happens in turn waits for what hangs no longer than this. */
const TURN_MAX_MS = 30_000;

/** The person does not want to be asked on this device. */
const UNASKED_AS = "lusoria.untold";

/** Push services by their hosts, and the browsers that use them. */
const SERVICES = /** @type {const} */ ([
  [/(^|\.)push\.services\.mozilla\.com$/, "Firefox"],
  [/(^|\.)push\.apple\.com$/, "Safari"],
  [/(^|\.)notify\.windows\.com$/, "Edge"],
  [/(^|\.)googleapis\.com$/, "Chrome"],
]);

/** Reports every change made by this page: event `change`. */
export const notifications = new EventTarget();

const changed = () => notifications.dispatchEvent(new Event("change"));

/** @returns {Told | null} */
function told() {
  try {
    return JSON.parse(localStorage.getItem(TOLD_AS) ?? "null");
  } catch {
    return null;
  }
}

/** The state of this device. @returns {Promise<State>} @throws {Problem} if the server could not be reached */
export async function state() {
  if (!hasWorkers() || !("PushManager" in window) || !("Notification" in window)) {
    return isApple() && !isInstalled() ? "install" : "unsupported";
  }
  if ((await serverKey()) === undefined) return "none";
  if (Notification.permission === "denied") return "denied";
  const kept = told();
  if (kept === null || kept.guest !== guest()?.id) return "off";
  const subscription = await (await register()).pushManager.getSubscription();
  return subscription?.endpoint === kept.endpoint ? "on" : "off";
}

/** Browsers on iPhones and iPads; new iPads claim to be Macs. */
const isApple = () =>
  /\b(iPhone|iPad|iPod)\b/.test(navigator.userAgent) || (/\bMacintosh\b/.test(navigator.userAgent) && navigator.maxTouchPoints > 1);

/**
 * Whether the server knows its own URL, without which it does not push: only then are its links absolute. Avoids a
 * request that would fail, which browsers log as an error.
 */
const knowsItsAddress = () =>
  /^https?:/.test(document.querySelector('meta[property="og:image"]')?.getAttribute("content") ?? "");

/** The public key of subscriptions; none if the server does not push. @returns {Promise<string | undefined>} @throws {Problem} */
async function serverKey() {
  if (!knowsItsAddress()) return undefined;
  try {
    return (await ask("GET", "/push")).key;
  } catch (why) {
    if (why instanceof Problem && ["no_push", "not_found"].includes(why.code)) return undefined;
    throw why;
  }
}

/**
 * Turns notifications on. Asks for the browser's permission, so it must be called from a click.
 * @returns {Promise<boolean>} whether the permission was granted
 * @throws {Problem} if the server refuses, or (code `push_service`) the push service does
 */
export async function turnOn() {
  if ((await Notification.requestPermission()) !== "granted") return false;
  await inTurn(tellServer);
  lookAfter();
  changed();
  return true;
}

/** Turns notifications off. */
export const turnOff = () =>
  inTurn(async () => {
    const kept = told();
    await quiet();
    // The push service rejects further messages: the server would notice by itself.
    if (kept) await remove(kept.id).catch(() => {});
  });

/**
 * Ends the subscription in this browser, as when the session has ended here. Removes the stored data last: after a
 * failure, the next page tries again.
 */
export async function quiet() {
  const kept = told();
  const registration = await navigator.serviceWorker?.getRegistration();
  const subscription = await registration?.pushManager?.getSubscription();
  await subscription?.unsubscribe();
  // The notifications shown were for that guest only.
  for (const shown of (await registration?.getNotifications()) ?? []) shown.close();
  showCount(0);
  localStorage.removeItem(TOLD_AS);
  changed();
  const before = left().find(({ id }) => id === kept?.guest);
  if (kept && before) await ask("DELETE", `/me/push-subscriptions/${kept.id}`, { token: before.token }).catch(() => {});
}

/** The devices with notifications. @returns {Promise<Subscription[]>} @throws {Problem} */
export const subscriptions = async () => (await ask("GET", "/me/push-subscriptions", { token: token() })).subscriptions;

/** Turns off the notifications of a device. @param {string} id that of its subscription @throws {Problem} */
export const remove = (id) => ask("DELETE", `/me/push-subscriptions/${id}`, { token: token() });

/** The browser that uses a push service, by its name; else the service. @param {string} host */
export const serviceName = (host) => SERVICES.find(([pattern]) => pattern.test(host))?.[1] ?? host;

/** Whether the page may offer notifications unasked. */
export async function mayOffer() {
  return localStorage.getItem(UNASKED_AS) === null && (await state()) === "off";
}

/** Stops offering notifications on this device. */
export const offerNoMore = () => localStorage.setItem(UNASKED_AS, "1");

// --- keeping the subscription -------------------------------------------------------------------------------

let isLookedAfter = false;

/** The guest of the last registration in this page. @type {string | null} */
let toldFor = null;

/** Resolves when everything that was begun has ended. @type {Promise<unknown>} */
let last = Promise.resolve();

/**
 * Turning on, turning off and renewing run one after the other: a renewal under way would otherwise undo turning off.
 * @template T @param {() => Promise<T>} step @returns {Promise<T>}
 */
function inTurn(step) {
  const done = last.then(step);
  const late = new Promise((resolve) => setTimeout(resolve, TURN_MAX_MS));
  last = Promise.race([done, late]).catch(() => {});
  return done;
}

/** From now on, renews the subscription when that is due, and ends it when the guest changes. */
export function lookAfter() {
  if (isLookedAfter) return;
  isLookedAfter = true;
  toldFor = token();
  identity.addEventListener("change", renew);
  navigator.serviceWorker.addEventListener("message", ({ data }) => data?.kind === "subscription_changed" && renew());
  renew();
}

/** Registers the subscription again if something has changed since, or after a long time. */
export const renew = () =>
  inTurn(() => renewNow().catch((why) => (why instanceof Problem && why.code === "no_push" ? quiet() : undefined)))
    // After a failure, the next page tries again.
    .catch(() => {});

async function renewNow() {
  const kept = told();
  if (kept === null) return;
  if (kept.guest !== guest()?.id || Notification.permission !== "granted") return quiet();
  const subscription = await (await register()).pushManager.getSubscription();
  const isSame =
    subscription?.endpoint === kept.endpoint && kept.language === currentLanguage() && toldFor === token();
  if (isSame && Date.now() - kept.at < TOLD_ANEW_AFTER_MS) return;
  await tellServer();
}

/** Subscribes, and registers the subscription with the server. */
async function tellServer() {
  const key = await serverKey();
  if (key === undefined) throw new Problem({ code: "no_push" });
  const known = guest();
  const subscription = await subscribed(key);
  const language = currentLanguage();
  const body = { ...subscription.toJSON(), language };
  const { id } = await ask("PUT", "/me/push-subscriptions", { body, token: known?.token });
  // The guest may have changed in the meantime: the new one did not ask for it.
  if (known === null || guest()?.id !== known.id) return quiet();
  toldFor = known.token;
  /** @type {Told} */
  const now = { id, guest: known.id, endpoint: subscription.endpoint, language, at: Date.now() };
  localStorage.setItem(TOLD_AS, JSON.stringify(now));
}

/** The subscription for this key: the existing one, or a new one. @param {string} key @returns {Promise<PushSubscription>} @throws {Problem} */
async function subscribed(key) {
  await register();
  const { pushManager } = await navigator.serviceWorker.ready;
  const bytes = bytesOf(key);
  const known = await pushManager.getSubscription();
  const knownKey = known?.options?.applicationServerKey;
  if (known && knownKey && sameBytes(new Uint8Array(knownKey), bytes)) return known;
  await known?.unsubscribe();
  try {
    return await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes });
  } catch (why) {
    if (why instanceof DOMException) throw new Problem({ code: "push_service" });
    throw why;
  }
}

/** @param {Uint8Array} a @param {Uint8Array} b */
const sameBytes = (a, b) => a.length === b.length && a.every((byte, at) => byte === b[at]);
