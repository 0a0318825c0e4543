// The service worker: shows notifications while no page is open, and an offline document when the server cannot be
// reached. It handles no other request, and caches only that document and its files.
//
// The server writes the release into this file, so that each release replaces the worker and its document.

/** @typedef {Record<string, Record<string, string | Record<string, string>>>} Messages */
/** @typedef {{title: string, body: string, tag: string, address: string}} Shown */

/**
 * A push message. Its fields depend on the kind.
 * @typedef {object} Pushed
 * @property {string} [kind]
 * @property {string} [match] the match's id
 * @property {string} [challenge] the challenge's id
 * @property {string} [game]
 * @property {string} [tournament] the tournament's id
 * @property {string} [name] the tournament's name
 * @property {string | null} [opponent] a name
 * @property {string | null} [from] a name
 * @property {number} [waiting] how many matches wait for the person
 * @property {string} [language]
 */

/** @typedef {Event & {addRoutes?: (rules: object[]) => Promise<void>}} RoutableEvent */

const scope = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

/** The folder of the release's files. */
const ASSETS = "{{assets}}";

/** The offline document. */
const OFFLINE = "/offline";

/** The address of the document's files: nothing else uses it, so that other requests can be ignored. */
const KEPT = `${OFFLINE}${ASSETS}`;

const CACHES = "lusoria.offline.";
const CACHE = CACHES + ASSETS;

/** The statuses of a proxy whose server is down. */
const GONE = [502, 503, 504];

const USUAL_LANGUAGE = "en";

/** The message if the texts are missing. */
const BARE = "Lusoria";

scope.addEventListener("install", (event) => {
  event.waitUntil(install(event));
});

/** @param {RoutableEvent} event */
async function install(event) {
  await keepDocument();
  // Browsers with static routes do not even start this worker.
  const direct = ["/api/*", "/assets/*"].map((pathname) => ({ condition: { urlPattern: { pathname } }, source: "network" }));
  await event.addRoutes?.(direct).catch(() => {});
  // No page depends on its state.
  await scope.skipWaiting();
}

scope.addEventListener("activate", (event) => {
  event.waitUntil(activate());
});

async function activate() {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith(CACHES) && name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
  // The document is requested while the worker starts.
  await scope.registration.navigationPreload?.enable();
}

// --- the offline document --------------------------------

/** Caches the offline document, its files, and the texts of every language. */
async function keepDocument() {
  const answer = await whole(OFFLINE);
  const text = await answer.text();
  const [, assets] = /="(\/assets\/[^/"]+)\//.exec(text) ?? [];
  if (assets === undefined) throw new Error(`${OFFLINE} names no files`);
  const named = [...text.matchAll(/="(\/assets\/[^"]+)"/g)].map(([, address]) => address);
  const [, languages] = /data-languages="([^"]*)"/.exec(text) ?? ["", USUAL_LANGUAGE];
  const texts = languages.split(" ").map((language) => `${assets}/text/${language}.json`);
  const cache = await caches.open(CACHE);
  const files = [...new Set([...named, ...texts])].filter((address) => !address.endsWith(".png"));
  await Promise.all(
    files.map(async (address) => {
      const file = await whole(address);
      await cache.put(address.replace(assets, KEPT), copied(file, await file.blob()));
    }),
  );
  // Resources at hand need not be preloaded.
  const kept = text.replaceAll(`"${assets}/`, `"${KEPT}/`).replace(/<link rel="preload"[^>]*>/g, "");
  await cache.put(OFFLINE, copied(answer, kept));
}

/**
 * A response to be cached under another address: modules resolve their imports against the response's URL, and a
 * response made by a script has the request's URL.
 * @param {Response} answer @param {BodyInit} body
 */
function copied({ headers }, body) {
  const copied = ["content-type", "content-security-policy"].flatMap((name) => {
    const value = headers.get(name);
    return value === null ? [] : [/** @type {[string, string]} */ ([name, value])];
  });
  return new Response(body, { headers: copied });
}

/** @param {string} address */
async function whole(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return answer;
}

scope.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.mode === "navigate" && request.method === "GET") event.respondWith(navigate(event));
  else if (origin === location.origin && pathname.startsWith(`${KEPT}/`)) event.respondWith(kept(pathname));
});

/** The server's response; if there is none, the offline document. @param {FetchEvent} event */
async function navigate(event) {
  try {
    const answer = (await event.preloadResponse) ?? (await fetch(event.request));
    return GONE.includes(answer.status) ? ((await caches.match(OFFLINE)) ?? answer) : answer;
  } catch (why) {
    const document = await caches.match(OFFLINE);
    if (document) return document;
    throw why;
  }
}

/** A file of the offline document. @param {string} pathname */
const kept = async (pathname) => (await caches.match(pathname)) ?? fetch(pathname.replace(OFFLINE, ""));

// --- notifications ------------------------------------------------------------------------------

scope.addEventListener("push", (event) => {
  event.waitUntil(push(event.data));
});

/** @param {PushMessageData | null} data */
async function push(data) {
  const pushed = read(data);
  const { match, tournament, waiting, language = USUAL_LANGUAGE } = pushed;
  if (waiting !== undefined) await badge(waiting);
  // Those who see the match or the tournament need no notification.
  const seen = [match && `/match/${match}`, tournament && `/tournament/${tournament}`];
  if ((await windows()).some((open) => open.visibilityState === "visible" && seen.some((address) => address && isAt(open, address)))) return;
  const { title, body, tag, address } = told(pushed, await messages(language), language);
  const options = {
    body,
    tag,
    // A replacement of an earlier notification must alert again.
    renotify: tag !== "",
    lang: language,
    icon: `${ASSETS}/style/icon-192.png`,
    badge: `${ASSETS}/style/icon-badge.png`,
    data: { address },
  };
  await scope.registration.showNotification(title, options);
}

/** @param {PushMessageData | null} data @returns {Pushed} */
function read(data) {
  try {
    return data?.json() ?? {};
  } catch {
    return {};
  }
}

/** Sets the number of waiting matches on the app's icon. @param {number} count */
async function badge(count) {
  const { navigator } = /** @type {any} */ (scope);
  // Optional: not every system supports it.
  await navigator.setAppBadge?.(count).catch(() => {});
}

/** The text of a notification, and its link. @param {Pushed} pushed @param {Messages} texts @param {string} language @returns {Shown} */
function told({ kind, match, challenge, tournament, name = BARE, game = "", opponent, from, waiting = 1 }, texts, language) {
  const say = (/** @type {string} */ key, /** @type {Record<string, string | number>} */ params = {}) =>
    text(texts.notify?.[`push.${key}`], params, language);
  const body = text(texts.games?.[game], {}, language) || game;
  switch (kind) {
    case "your_turn": {
      const title = opponent ? say("turn", { name: opponent }) : say("turn.bare");
      const more = waiting > 1 ? say("waiting", { count: waiting }) : "";
      return { title: title || BARE, body: [body, more].filter(Boolean).join(" · "), ...ofMatch(match) };
    }
    case "challenge":
      return { title: (from && say("challenge", { name: from })) || BARE, body, tag: `challenge:${challenge}`, address: "/" };
    case "seek":
      return { title: (opponent && say("seek", { name: opponent })) || BARE, body, ...ofMatch(match) };
    case "tournament_call": {
      const title = opponent ? say("tournament", { name: opponent }) : say("tournament.bare");
      const address = match ? `/match/${match}` : `/tournament/${tournament}`;
      return { title: title || BARE, body: [name, body].filter(Boolean).join(" · "), tag: `tournament:${tournament}`, address };
    }
    case "tournament_ended":
      return { title: say("tournament.over", { name }) || BARE, body, tag: `tournament:${tournament}`, address: `/tournament/${tournament}` };
    default:
      // A server newer than this worker may send other kinds.
      return { title: BARE, body: say("news"), ...ofMatch(match) };
  }
}

/** The tag of a match: a new notification replaces the previous one. @param {string | undefined} match */
const ofMatch = (match) => (match === undefined ? { tag: "", address: "/" } : { tag: `match:${match}`, address: `/match/${match}` });

/** @param {string | Record<string, string> | undefined} message @param {Record<string, string | number>} params @param {string} language */
function text(message, params, language) {
  if (message === undefined) return "";
  const form = typeof message === "string" ? message : (message[new Intl.PluralRules(language).select(Number(params.count))] ?? message.other);
  return form.replace(/\{(\w+)\}/g, (all, name) => String(params[name] ?? all));
}

/** The texts of a language. @param {string} language @returns {Promise<Messages>} */
async function messages(language) {
  for (const name of [language, USUAL_LANGUAGE]) {
    try {
      const answer = await kept(`${KEPT}/text/${encodeURIComponent(name)}.json`);
      if (answer.ok) return await answer.json();
    } catch {
      // The next one may exist.
    }
  }
  return {};
}

scope.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data?.address ?? "/"));
});

/** Opens a page: in the window that shows it, or a new one. @param {string} address */
async function open(address) {
  const found = (await windows()).find((window) => isAt(window, address));
  await (found ? found.focus() : scope.clients.openWindow(address));
}

const windows = () => scope.clients.matchAll({ type: "window", includeUncontrolled: true });

/** @param {WindowClient} window @param {string} address */
const isAt = (window, address) => new URL(window.url).pathname === address;

scope.addEventListener("pushsubscriptionchange", (event) => {
  const change = /** @type {ExtendableEvent & {oldSubscription?: PushSubscription, newSubscription?: PushSubscription}} */ (event);
  change.waitUntil(subscribeAgain(change));
});

/**
 * The browser has revoked a subscription: creates another. Only a page knows the token for the server: open pages are
 * asked to do it, others check when they are opened.
 * @param {{oldSubscription?: PushSubscription, newSubscription?: PushSubscription}} change
 */
async function subscribeAgain({ oldSubscription, newSubscription }) {
  if (!newSubscription && oldSubscription) await scope.registration.pushManager.subscribe(oldSubscription.options);
  for (const window of await windows()) window.postMessage({ kind: "subscription_changed" });
}
