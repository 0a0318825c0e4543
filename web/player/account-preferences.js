// Keeps what is preferred here and what is kept with the account the same. The last change of a preference wins.
//
// A guest without an account keeps theirs in the browser alone. The first time that a device plays for an account, what
// the account prefers holds there; what nobody has told the account yet is taken along, and what the person changes
// while it is asked holds.

import { Problem, ask } from "../api/rest.js";
import { chooseLanguage, chosenLanguage } from "../text/text.js";
import { PREFERRED_AS, guest, identity } from "./identity.js";
import { allPreferred, changedHere, preferAll, preferences } from "./preferences.js";

/** @typedef {Record<string, string>} Values by the names of the preferences, as the server keeps them */

/** The language of the page: it is kept beside the other preferences, and changes with the next page. */
const LANGUAGE = "language";

/** So long is waited for more changes before they are sent. */
const TOGETHER_MS = 300;

/** How soon is asked again when the server does not say. */
const RETRY_S = 5;

/**
 * What is to be sent to the account, and what is to hold here.
 * @param {Values} here what is preferred on this device
 * @param {Values} theirs what the account has
 * @param {Values | undefined} known what it had when it was last asked; none if this device asks for the first time
 * @param {ReadonlySet<string>} [changed] what the person has changed here since then
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

/** What the account had when it was last asked. It is forgotten when somebody else is here. @returns {Values | undefined} */
function readKnown() {
  try {
    return JSON.parse(localStorage.getItem(PREFERRED_AS) ?? "null") ?? undefined;
  } catch {
    return undefined;
  }
}

/** What is preferred on this device. @returns {Values} */
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

/** Asks what the account prefers, and makes both the same. */
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
  // What has changed again meanwhile differs from what is known now.
  changedHere.clear();
}

/** Does so, once more if something has changed meanwhile. */
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

/** What the server cannot do just now is done later; the rest with the next change, or by the next page. @param {unknown} why */
function later(why) {
  if (!(why instanceof Problem)) throw why;
  if (why.mayPass && why.code !== "offline") soon((why.retryAfterS ?? RETRY_S) * 1_000);
}

/** Begins, and goes on for as long as the page is open. */
export function lookAfterPreferences() {
  let who = guest()?.id;
  let handle = guest()?.handle;
  identity.addEventListener("change", () => {
    const now = guest();
    if (now?.id === who && now?.handle === handle) return;
    // What was changed before was not meant for them.
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
