// Synchronises the preferences of this device with those of the account. The last change of a preference wins.
//
// A guest without an account has preferences in the browser alone. When a device signs in, the account's preferences
// apply there; those that the account does not have yet are sent to it, and changes that the person makes during the
// request win.

import { Problem, ask } from "../api/rest.js";
import { chooseLanguage, chosenLanguage } from "../text/text.js";
import { PREFERRED_AS, guest, identity } from "./identity.js";
import { allPreferred, changedHere, preferAll, preferences } from "./preferences.js";

/** @typedef {Record<string, string>} Values Values by the names of the preferences, as the API has them */

/** The language of the page: it is stored separately, and applies from the next page load. */
const LANGUAGE = "language";

/** How long to collect changes before they are sent. */
const TOGETHER_MS = 300;

/** The pause before a retry, unless the server says. */
const RETRY_S = 5;

/**
 * Computes what to send to the account, and what to apply here.
 * @param {Values} here the preferences of this device
 * @param {Values} theirs the preferences of the account
 * @param {Values | undefined} known those of the account when last loaded; none the first time
 * @param {ReadonlySet<string>} [changed] the person's changes here since then
 * @returns {{sent: Values, taken: Values}}
 */
export function differences(here, theirs, known, changed = new Set()) {
  /** @type {Values} */
  const sent = {};
  /** @type {Values} */
  const taken = {};
  for (const [name, value] of Object.entries(here)) {
    const [kept, before] = [theirs[name], known?.[name]];
    if (kept === value) continue;
    const isNewer = changed.has(name) || (known && before !== undefined && before !== value);
    if (kept === undefined || isNewer) sent[name] = value;
    else taken[name] = kept;
  }
  if (here[LANGUAGE] === undefined && theirs[LANGUAGE] !== undefined) taken[LANGUAGE] = theirs[LANGUAGE];
  return { sent, taken };
}

/** The account's preferences when last loaded. Discarded when the guest changes. @returns {Values | undefined} */
function readKnown() {
  try {
    return JSON.parse(localStorage.getItem(PREFERRED_AS) ?? "null") ?? undefined;
  } catch {
    return undefined;
  }
}

/** The preferences of this device. @returns {Values} */
function here() {
  const language = chosenLanguage();
  return { ...allPreferred(), ...(language === null ? {} : { [LANGUAGE]: language }) };
}

/** @param {Values} taken */
function take(taken) {
  const { [LANGUAGE]: language, ...others } = taken;
  if (language !== undefined) chooseLanguage(language);
  if (Object.keys(others).length > 0) preferAll(others);
}

/** @type {Promise<void> | undefined} */
let running;
let isAskedAgain = false;
let timer = 0;

/** Synchronises with the account. */
async function agree() {
  const asker = guest();
  if (!asker?.handle) return;
  const { token } = asker;
  let { preferences: theirs } = await ask("GET", "/me/preferences", { token });
  if (guest()?.token !== token) return;
  const { sent, taken } = differences(here(), theirs, readKnown(), changedHere);
  take(taken);
  if (Object.keys(sent).length > 0) {
    ({ preferences: theirs } = await ask("PATCH", "/me/preferences", { body: { preferences: sent }, token }));
  }
  if (guest()?.token !== token) return;
  localStorage.setItem(PREFERRED_AS, JSON.stringify(theirs));
  // Changes made in the meantime differ from what is known now.
  changedHere.clear();
}

/** Synchronises, and repeats it after changes in the meantime. */
function begin() {
  if (running) {
    isAskedAgain = true;
    return;
  }
  running = agree().catch(later).finally(() => {
    running = undefined;
    if (isAskedAgain) soon();
    isAskedAgain = false;
  });
}

/** @param {number} [afterMs] */
function soon(afterMs = TOGETHER_MS) {
  clearTimeout(timer);
  timer = window.setTimeout(begin, afterMs);
}

/** If the server is overloaded, it is done later; other failures wait for the next change or page. @param {unknown} why */
function later(why) {
  if (!(why instanceof Problem)) throw why;
  if (why.mayPass && why.code !== "offline") soon((why.retryAfterS ?? RETRY_S) * 1_000);
}

/** Begins, and continues while the page is open. */
export function lookAfterPreferences() {
  let who = guest()?.id;
  let handle = guest()?.handle;
  identity.addEventListener("change", () => {
    const now = guest();
    if (now?.id === who && now?.handle === handle) return;
    // Earlier changes were not meant for this account.
    if (now?.id !== who) changedHere.clear();
    [who, handle] = [now?.id, now?.handle];
    begin();
  });
  preferences.addEventListener("change", () => {
    const known = readKnown();
    const isNew = Object.entries(here()).some(([name, value]) => known?.[name] !== value);
    if (isNew && document.visibilityState === "visible") soon();
  });
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") soon();
  });
  begin();
}
