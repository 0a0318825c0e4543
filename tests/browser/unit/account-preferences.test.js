// Synchronising the preferences of an account and a device.

import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.addEventListener ??= /** @type {any} */ (() => {});
globalThis.localStorage ??= /** @type {any} */ ({ getItem: () => null, setItem() {}, removeItem() {} });
globalThis.document ??= /** @type {any} */ ({ documentElement: { dataset: {}, lang: "en" }, addEventListener() {} });
const { differences } = await import("../../../web/player/account-preferences.js");
const { allPreferred, preferAll, preferred } = await import("../../../web/player/preferences.js");

const here = { board: "wood", sounds: "true" };

test("preferences that the account does not have are sent to it", () => {
  assert.deepEqual(differences(here, {}, undefined), { sent: here, taken: {} });
});

test("the account's preferences apply on a device that asks for the first time", () => {
  const theirs = { board: "stone", sounds: "true", later: "1" };
  assert.deepEqual(differences(here, theirs, undefined), { sent: {}, taken: { board: "stone" } });
});

test("changes made here are sent, and changes made elsewhere apply here", () => {
  const known = { board: "stone", sounds: "true" };
  assert.deepEqual(differences(here, known, known), { sent: { board: "wood" }, taken: {} });
  assert.deepEqual(differences(here, { board: "stone", sounds: "false" }, known),
    { sent: { board: "wood" }, taken: { sounds: "false" } });
  assert.deepEqual(differences(here, here, known), { sent: {}, taken: {} });
});

test("changes during the first request win, even if they equal the account's old value", () => {
  const theirs = { board: "stone", sounds: "false" };
  assert.deepEqual(differences(here, theirs, undefined, new Set(["board"])),
    { sent: { board: "wood" }, taken: { sounds: "false" } });
  const known = { board: "wood", sounds: "true" };
  assert.deepEqual(differences(here, theirs, known, new Set(["board", "sounds"])), { sent: here, taken: {} });
  assert.deepEqual(differences(here, here, known, new Set(["board"])), { sent: {}, taken: {} });
});

test("a language chosen elsewhere applies, and one chosen here is sent", () => {
  assert.deepEqual(differences(here, { ...here, language: "fr" }, here), { sent: {}, taken: { language: "fr" } });
  assert.deepEqual(differences({ ...here, language: "fr" }, here, here), { sent: { language: "fr" }, taken: {} });
});

test("preferences become text and are restored", () => {
  const all = allPreferred();
  assert.ok(Object.values(all).every((value) => typeof value === "string"));
  assert.equal(all.sounds, "true");
  preferAll({ ...all, sounds: "false", theme: "dark", "of another release": "1" });
  assert.deepEqual([preferred("sounds"), preferred("theme")], [false, "dark"]);
  assert.equal(allPreferred()["of another release"], undefined);
  preferAll({ sounds: "neither" });
  assert.equal(preferred("sounds"), true, "what cannot be read is the default");
});
