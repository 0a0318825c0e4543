// Whether this device tells the person, by a notification of its browser, what waits for them: its subscription to
// Web Push. The server knows it together with the session of the device; it ends with that.

import { Problem, ask } from "../api/rest.js";
import { currentLanguage } from "../text/text.js";
import { showCount } from "./badge.js";
import { bytesOf } from "./base64url.js";
import { isInstalled } from "./device.js";
import { guest, identity, left, token } from "./identity.js";
import { TOLD_AS, hasWorkers, register } from "./worker.js";

/** @typedef {import("../api/wire").components["schemas"]["PushSubscription"]} Subscription as the server tells of it */

/**
 * What is kept on this device of its own subscription: under which id the server has it, who is told, where the
 * push service takes what is for it, in which language, and when the server was told last.
 * @typedef {{id: string, guest: string, endpoint: string, language: string, at: number}} Told
 */

/**
 * - `unsupported`: the browser cannot do it here;
 * - `install`: it can where the page has been added to the home screen;
 * - `none`: the server does not do it;
 * - `denied`: the person has forbidden it to the browser;
 * - `off` and `on`: what the person has chosen.
 * @typedef {"unsupported" | "install" | "none" | "denied" | "off" | "on"} State
 */

/** What the server has lost, or another key of it, is found after this time at the latest. */
const TOLD_ANEW_AFTER_MS = 24 * 3_600_000;

/** What happens in turn waits for what hangs no longer than this. */
const TURN_MAX_MS = 30_000;

/** The person does not want to be asked on this device. */
const UNASKED_AS = "lusoria.untold";

/** Push services by their hosts: whose browser takes what they deliver. */
const SERVICES = /** @type {const} */ ([
  [/(^|\.)push\.services\.mozilla\.com$/, "Firefox"],
  [/(^|\.)push\.apple\.com$/, "Safari"],
  [/(^|\.)notify\.windows\.com$/, "Edge"],
  [/(^|\.)googleapis\.com$/, "Chrome"],
]);

/** Tells of every change that is made by this page: event `change`. */
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

/** How this device stands. @returns {Promise<State>} @throws {Problem} if the server could not be asked */
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

/** Browsers on iPhones and iPads, which say of newer iPads that they are Macs. */
const isApple = () =>
  /\b(iPhone|iPad|iPod)\b/.test(navigator.userAgent) || (/\bMacintosh\b/.test(navigator.userAgent) && navigator.maxTouchPoints > 1);

/**
 * Whether the server knows its own address, without which it does not push: it tells others of whole addresses then.
 * A server that has to refuse is not asked: browsers show that as an error.
 */
const knowsItsAddress = () =>
  /^https?:/.test(document.querySelector('meta[property="og:image"]')?.getAttribute("content") ?? "");

/** The key that subscriptions are made for; none if the server does not push. @returns {Promise<string | undefined>} @throws {Problem} */
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
 * Begins to tell. Asks for the browser's permission, so only a click may lead here.
 * @returns {Promise<boolean>} whether the permission was given
 * @throws {Problem} if the server refuses, or (code `push_service`) what delivers to the browser
 */
export async function turnOn() {
  if ((await Notification.requestPermission()) !== "granted") return false;
  await inTurn(tellServer);
  lookAfter();
  changed();
  return true;
}

/** No longer tells. */
export const turnOff = () =>
  inTurn(async () => {
    const kept = told();
    await quiet();
    // The push service takes nothing more for it: the server would find out by itself.
    if (kept) await remove(kept.id).catch(() => {});
  });

/**
 * Ends the subscription in this browser, as when the session has ended here. What was kept of it goes last: if
 * something fails, the next page tries again.
 */
export async function quiet() {
  const kept = told();
  const registration = await navigator.serviceWorker?.getRegistration();
  const subscription = await registration?.pushManager?.getSubscription();
  await subscription?.unsubscribe();
  // What was shown was for them alone.
  for (const shown of (await registration?.getNotifications()) ?? []) shown.close();
  showCount(0);
  localStorage.removeItem(TOLD_AS);
  changed();
  const before = left().find(({ id }) => id === kept?.guest);
  if (kept && before) await ask("DELETE", `/me/push-subscriptions/${kept.id}`, { token: before.token }).catch(() => {});
}

/** The devices on which the person is told. @returns {Promise<Subscription[]>} @throws {Problem} */
export const subscriptions = async () => (await ask("GET", "/me/push-subscriptions", { token: token() })).subscriptions;

/** A device is no longer told. @param {string} id that of its subscription @throws {Problem} */
export const remove = (id) => ask("DELETE", `/me/push-subscriptions/${id}`, { token: token() });

/** What the browser may be called whose push service that is; else the service. @param {string} host */
export const serviceName = (host) => SERVICES.find(([pattern]) => pattern.test(host))?.[1] ?? host;

/** Whether the person may be asked, without having looked for it, whether they want to be told. */
export async function mayOffer() {
  return localStorage.getItem(UNASKED_AS) === null && (await state()) === "off";
}

/** They do not want to be asked again on this device. */
export const offerNoMore = () => localStorage.setItem(UNASKED_AS, "1");

// --- staying told -------------------------------------------------------------------------------

let isLookedAfter = false;

/** For whom the server was told last in this page. @type {string | null} */
let toldFor = null;

/** Ends when everything that was begun has ended. @type {Promise<unknown>} */
let last = Promise.resolve();

/**
 * Turning on, turning off and renewing happen one after the other: a renewal under way would turn on again what has
 * been turned off meanwhile.
 * @template T @param {() => Promise<T>} step @returns {Promise<T>}
 */
function inTurn(step) {
  const done = last.then(step);
  const late = new Promise((resolve) => setTimeout(resolve, TURN_MAX_MS));
  last = Promise.race([done, late]).catch(() => {});
  return done;
}

/** From now on: renews the subscription when that is due, and ends it when somebody else is here. */
export function lookAfter() {
  if (isLookedAfter) return;
  isLookedAfter = true;
  toldFor = token();
  identity.addEventListener("change", renew);
  navigator.serviceWorker.addEventListener("message", ({ data }) => data?.kind === "subscription_changed" && renew());
  renew();
}

/** Tells the server anew if something has changed since, or long ago. */
export const renew = () =>
  inTurn(() => renewNow().catch((why) => (why instanceof Problem && why.code === "no_push" ? quiet() : undefined)))
    // What failed now is tried again by the next page.
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

/** Subscribes, and tells the server where. */
async function tellServer() {
  const key = await serverKey();
  if (key === undefined) throw new Problem({ code: "no_push" });
  const known = guest();
  const subscription = await subscribed(key);
  const language = currentLanguage();
  const body = { ...subscription.toJSON(), language };
  const { id } = await ask("PUT", "/me/push-subscriptions", { body, token: known?.token });
  // Somebody else may have come meanwhile: they did not ask for it.
  if (known === null || guest()?.id !== known.id) return quiet();
  toldFor = known.token;
  /** @type {Told} */
  const now = { id, guest: known.id, endpoint: subscription.endpoint, language, at: Date.now() };
  localStorage.setItem(TOLD_AS, JSON.stringify(now));
}

/** The subscription for this key: that which there is, or a new one. @param {string} key @returns {Promise<PushSubscription>} @throws {Problem} */
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
