// Notifications: what the service worker shows and where they lead, and turning them on and off on a device.

import assert from "node:assert/strict";
import AxeBuilder from "@axe-core/playwright";
import { FAST } from "../support/browser.js";
import { PushServer, pushing, until, working } from "../support/push.js";
import { Stage } from "../support/stage.js";
import { Table } from "../support/table.js";
import { test } from "../support/test.js";

// A server that does not know its own URL is not asked about push messages.
const stage = new Stage({ prepare: () => stage.server.callByName(), full: true });

const RULES = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"];

/** A match that nobody here plays. */
const OTHER = "0190a6c2-7b1e-7cc3-98c4-dc0c0c07398f";

/** A person whose browser shows notifications and receives push messages. @param {import("node:test").TestContext} t @param {import("../support/stage.js").How} [how] */
async function told(t, how) {
  const visitor = await stage.visitor(t, how);
  await visitor.person.context.grantPermissions(["notifications"], { origin: stage.server.address });
  await visitor.goto("/");
  return { ...visitor, push: await pushing(visitor.person) };
}

/** Turns notifications on. @param {{page: import("playwright-core").Page, goto: (path: string) => Promise<unknown>}} visitor */
async function turnOn({ page, goto }) {
  await goto("/account");
  await page.getByRole("button", { name: "Turn on notifications on this device", exact: true }).click();
  await page.getByText("Notifications are now on for this device.").waitFor();
}

test("a push message is shown in its language, and the latest about a match replaces the previous one", async (t) => {
  const { push } = await told(t);
  for (const [pushed, expected] of [
    [
      { kind: "your_turn", match: OTHER, game: "tavla", opponent: "Zeno", waiting: 1, language: "en" },
      { title: "Your turn against Zeno", body: "Tavla", tag: `match:${OTHER}`, lang: "en" },
    ],
    [
      { kind: "your_turn", match: OTHER, game: "tavla", opponent: "Zeno", waiting: 3, language: "fr" },
      { title: "À vous de jouer contre Zeno", body: "Tavla · 3 rencontres vous attendent", tag: `match:${OTHER}`, lang: "fr" },
    ],
    [
      { kind: "challenge", challenge: "c1", from: "Theodora", game: "tablut", language: "en" },
      { title: "Theodora challenges you", body: "Tablut", tag: "challenge:c1", lang: "en" },
    ],
    [
      { kind: "seek", match: "m2", opponent: "Zeno", game: "scripta", language: "fr" },
      { title: "Votre rencontre contre Zeno commence", body: "Ludus XII scriptorum", tag: "match:m2", lang: "fr" },
    ],
    ["what is no JSON", { title: "Lusoria", body: "There is news for you.", tag: "", lang: "en" }],
    [
      { kind: "of a later server", match: "m3", language: "en" },
      { title: "Lusoria", body: "There is news for you.", tag: "match:m3", lang: "en" },
    ],
  ]) {
    await push.deliver(JSON.stringify(pushed).replace(/^"|"$/g, ""));
    const shown = await push.shown(expected.tag, expected.title);
    assert.deepEqual(shown, [expected], JSON.stringify(pushed));
  }
});

test("a visible match needs no notification, others are opened by it", async (t) => {
  const { id, guests } = await stage.match("tablut");
  const { person, page, push } = await told(t, { guest: guests[0] });
  await page.goto(`${stage.server.address}/match/${id}`);
  await new Table(page).ready();
  const turn = { kind: "your_turn", match: id, game: "tablut", opponent: "Zeno", waiting: 1, language: "en" };
  await push.deliver(JSON.stringify(turn));
  // A later message about another match is shown.
  await push.deliver(JSON.stringify({ ...turn, match: OTHER }));
  assert.equal((await push.shown(`match:${OTHER}`, "Your turn against Zeno")).length, 1);
  assert.deepEqual(await push.withTag(`match:${id}`), []);

  await page.goto(`${stage.server.address}/rules`);
  await push.deliver(JSON.stringify(turn));
  assert.equal((await push.shown(`match:${id}`, "Your turn against Zeno")).length, 1);
  assert.deepEqual(await push.click(`match:${id}`), [["opened", `/match/${id}`]]);
  assert.deepEqual(await push.withTag(`match:${id}`), [], "it is gone when it has been clicked");

  // A window with the match is focused; no new one opens.
  const other = await person.newPage();
  await other.goto(`${stage.server.address}/match/${id}`);
  await new Table(other).ready();
  await push.show({ tag: `match:${id}`, address: `/match/${id}` });
  assert.deepEqual(await push.click(`match:${id}`), [["focused", `/match/${id}`]]);
});

test("notifications are on after one click, and off after another", async (t) => {
  const guest = await stage.guest("Agathias");
  const server = new PushServer();
  const { person, page, goto } = await stage.visitor(t, { guest });
  await server.answer(person);
  server.subscriptions.push({ id: "elsewhere", host: "updates.push.services.mozilla.com", created_at: Date.now(), token: guest.token });
  await goto("/account");
  await page.locator("lusoria-notifications").waitFor();
  await page.getByText("Firefox, since").waitFor();
  assert.deepEqual(await server.permissionsAsked(page), 0, "only a click asks for the permission");
  await page.getByRole("button", { name: "Turn on notifications on this device", exact: true }).press("Enter");
  await page.getByText("Notifications are now on for this device.").waitFor();
  const [, own] = server.subscriptions;
  assert.equal(own.token, guest.token);
  assert.equal(own.body.language, "en");
  assert.ok(own.body.endpoint.startsWith("https://push.example/") && own.body.keys.p256dh && own.body.keys.auth);

  await page.reload();
  await page.getByRole("button", { name: "Turn off notifications on this device" }).click();
  await page.getByText("Notifications are off for this device.").waitFor();
  assert.deepEqual(server.subscriptions.map(({ id }) => id), ["elsewhere"]);
  await page.getByRole("button", { name: /^Remove Firefox, notified since/ }).click();
  await page.getByText("Firefox is no longer notified.").waitFor();
  assert.deepEqual(server.subscriptions, []);
});

test("notifications turned off during the registration stay off", async (t) => {
  const guest = await stage.guest("Agathias");
  const server = new PushServer();
  const { person, page, goto } = await stage.visitor(t, { guest });
  await server.answer(person);
  await turnOn({ page, goto });
  await page.evaluate(() => {
    const told = JSON.parse(localStorage.getItem("lusoria.told") ?? "");
    localStorage.setItem("lusoria.told", JSON.stringify({ ...told, language: "fr" }));
  });
  let release = () => {};
  server.held = new Promise((resolve) => (release = resolve));
  const renewal = page.waitForRequest((request) => request.method() === "PUT");
  await page.reload();
  await renewal;
  await page.getByRole("button", { name: "Turn off notifications on this device" }).click();
  release();
  await page.getByText("Notifications are off for this device.").waitFor();
  assert.equal(await page.evaluate(() => localStorage.getItem("test.subscription")), null);
  assert.deepEqual(server.subscriptions, []);
});

test("the next page registers a subscription that the browser has replaced", async (t) => {
  const guest = await stage.guest("Agathias");
  const server = new PushServer();
  const { person, page, goto } = await stage.visitor(t, { guest });
  await server.answer(person);
  await turnOn({ page, goto });
  const [before] = server.subscriptions.map(({ body }) => body.endpoint);
  await server.replace(page);
  const renewed = page.waitForResponse((answer) => answer.request().method() === "PUT");
  await goto("/rules");
  await renewed;
  const endpoints = server.subscriptions.map(({ body }) => body.endpoint);
  assert.equal(endpoints.length, 2);
  assert.notEqual(endpoints[1], before);
});

test("the subscription ends with the session", async (t) => {
  const guest = await stage.guest("Agathias");
  const server = new PushServer();
  const { person, page, goto } = await stage.visitor(t, { guest });
  await server.answer(person);
  await turnOn({ page, goto });
  await goto("/devices");
  await page.getByRole("button", { name: /^Sign out/ }).click();
  await page.getByRole("group").getByRole("button", { name: "Sign out" }).click();
  await page.waitForFunction(() => localStorage.getItem("lusoria.guest") === null);
  await page.waitForFunction(() => localStorage.getItem("lusoria.told") === null);
  await until(() => page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    return (await registration?.pushManager.getSubscription()) === null;
  }));
});

test("when the guest changes, the previous guest gets no more notifications", async (t) => {
  const [guest, other] = [await stage.guest("Agathias"), await stage.guest("Zeno")];
  const server = new PushServer();
  const { person, page, goto } = await stage.visitor(t);
  await person.context.grantPermissions(["notifications"], { origin: stage.server.address });
  await server.answer(person);
  await goto("/record");
  await page.evaluate((guest) => localStorage.setItem("lusoria.guest", JSON.stringify(guest)), guest);
  await turnOn({ page, goto });
  assert.deepEqual(server.subscriptions.map(({ token }) => token), [guest.token]);
  await working(page);
  await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    await registration.showNotification("Your turn", { tag: "match:of Agathias" });
  });

  await page.evaluate(([guest, other]) => {
    localStorage.setItem("lusoria.left", JSON.stringify([guest]));
    localStorage.setItem("lusoria.guest", JSON.stringify(other));
  }, [guest, other]);
  await goto("/rules");
  await page.waitForFunction(() => localStorage.getItem("lusoria.told") === null);
  await until(async () => server.subscriptions.length === 0);
  assert.equal(await page.evaluate(() => localStorage.getItem("test.subscription")), null);
  await until(() => page.evaluate(async () =>
    (await (await navigator.serviceWorker.getRegistration())?.getNotifications())?.length === 0));
});

test("a subscription that could not be ended is ended by the next page", async (t) => {
  const [guest, other] = [await stage.guest("Agathias"), await stage.guest("Zeno")];
  const server = new PushServer();
  const { person, page, goto } = await stage.visitor(t);
  await server.answer(person);
  await goto("/record");
  await page.evaluate((guest) => localStorage.setItem("lusoria.guest", JSON.stringify(guest)), guest);
  await turnOn({ page, goto });
  await page.evaluate((other) => {
    localStorage.setItem("lusoria.guest", JSON.stringify(other));
    localStorage.setItem("test.stuck", "1");
  }, other);
  await goto("/rules");
  await page.waitForFunction(() => localStorage.getItem("test.stuck") === "tried");
  assert.notEqual(await page.evaluate(() => localStorage.getItem("lusoria.told")), null);
  await page.evaluate(() => localStorage.removeItem("test.stuck"));
  await goto("/record");
  await page.waitForFunction(() => localStorage.getItem("lusoria.told") === null);
  assert.equal(await page.evaluate(() => localStorage.getItem("test.subscription")), null);
});

for (const [name, how, expected] of /** @type {const} */ ([
  ["a server that does not push", { pushes: false }, "This server sends no notifications"],
  ["a browser that was told no", { permission: "denied" }, "Your browser blocks notifications"],
  ["a person who says no when they are asked", { answer: "denied" }, "Your browser blocks notifications"],
  ["a person who does not answer", { answer: "default" }, "Your browser has no permission to show notifications"],
  ["a push service that is gone", { fails: true }, "its push service did not answer"],
  ["a browser without push", { lacks: true }, "This browser cannot show notifications here."],
  ["an iPhone whose home screen has no such page", { lacks: true, iPhone: true }, "add Lusoria to the Home Screen first"],
])) {
  test(`the page says why there are no notifications: ${name}`, async (t) => {
    const guest = await stage.guest("Agathias");
    const server = new PushServer(how);
    const userAgent = "iPhone" in how ? "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Safari/604.1" : undefined;
    const { person, page, goto } = await stage.visitor(t, { guest, context: { userAgent } });
    person.expecting.push(/the server responded with a status of 409/);
    await server.answer(person);
    await goto("/account");
    const section = page.locator("lusoria-notifications");
    if ("answer" in how || "fails" in how) {
      await section.getByRole("button", { name: "Turn on notifications on this device", exact: true }).click();
    }
    await section.getByText(expected).waitFor();
    assert.deepEqual(server.subscriptions, []);
  });
}

test("after a turn in a correspondence match notifications are offered, once, until the person declines", async (t) => {
  const server = new PushServer();
  const { id, guests } = await stage.match("tablut", { clock: { kind: "days", days: 3 } });
  const { person, page, goto } = await stage.visitor(t, { guest: guests[0], preferences: FAST });
  await server.answer(person);
  await goto(`/match/${id}`);
  const table = await new Table(page).ready();
  await table.moves();
  const offer = page.getByRole("region", { name: "Notifications" });
  assert.equal(await offer.count(), 0, "nobody is asked before they have played");
  const board = await page.locator("lusoria-board").boundingBox();
  await table.move({ from: "d1", to: "c1", dice: [] });
  await offer.waitFor();
  assert.deepEqual(await page.locator("lusoria-board").boundingBox(), board, "it leaves the board as it is");
  const over = await offer.boundingBox();
  assert.ok(board && over && over.y >= board.y && over.y + over.height <= board.y + board.height, "it covers no clock");
  const { violations } = await new AxeBuilder({ page }).withTags(RULES).analyze();
  assert.deepEqual(violations.map(({ id, nodes }) => [id, nodes.map(({ target }) => target.flat().join(" "))]), []);
  await offer.getByRole("button", { name: "No, thank you" }).click();
  await offer.waitFor({ state: "detached" });

  await stage.playOne(id, [guests[1]]);
  await page.reload();
  const again = await new Table(page).ready();
  await again.moves();
  // Before it offers anything, the page checks whether the person has refused.
  await page.evaluate(() => {
    const { getItem } = Storage.prototype;
    Storage.prototype.getItem = function look(name) {
      if (name === "lusoria.untold") window.hasLooked = true;
      return getItem.call(this, name);
    };
  });
  await again.move({ from: "f1", to: "g1", dice: [] });
  await page.waitForFunction(() => document.querySelector("lusoria-match").live.moment.last?.notation === "f1-g1");
  await page.waitForFunction(() => window.hasLooked);
  await page.evaluate(() => new Promise((done) => requestIdleCallback(done, { timeout: 1_000 })));
  assert.equal(await offer.count(), 0);
});

test("the offer turns them on", async (t) => {
  const server = new PushServer();
  const { id, guests } = await stage.match("tablut", { clock: { kind: "days", days: 3 } });
  const { person, page, goto } = await stage.visitor(t, { guest: guests[0], preferences: FAST });
  await server.answer(person);
  await goto(`/match/${id}`);
  const table = await new Table(page).ready();
  await table.moves();
  await table.move({ from: "d1", to: "c1", dice: [] });
  await page.getByRole("button", { name: "Yes, notify me" }).click();
  await page.getByText("Notifications are now on for this device.").waitFor();
  assert.equal(server.subscriptions.length, 1);
});

test("waiting matches are shown in the title and on the icon, on home and in the match, until they are played", async (t) => {
  const { id, guests } = await stage.match("tablut");
  const { person, page, goto } = await stage.visitor(t, { guest: guests[0], preferences: FAST });
  await person.context.addInitScript(() => {
    const badges = /** @type {any[]} */ (/** @type {any} */ (window).badges = []);
    Object.assign(navigator, {
      setAppBadge: async (/** @type {number} */ count) => badges.push(count),
      clearAppBadge: async () => badges.push(0),
    });
  });
  const icon = () => page.locator('link[rel="icon"]').getAttribute("href").then((href) => href?.split("/").pop());
  const badge = () => page.evaluate(() => /** @type {any} */ (window).badges.at(-1));
  await goto("/");
  await page.waitForFunction(() => document.title.startsWith("(1) "));
  assert.deepEqual([await icon(), await badge()], ["icon-turn.svg", 1]);

  await goto(`/match/${id}`);
  const table = await new Table(page).ready();
  await table.moves();
  assert.equal(await page.title(), "Your turn – Tablut: Agathias – Zeno");
  assert.equal(await icon(), "icon-turn.svg");
  await table.move({ from: "d1", to: "c1", dice: [] });
  await page.waitForFunction(() => document.title === "Tablut: Agathias – Zeno");
  assert.equal(await icon(), "icon.svg");

  await goto("/");
  await page.getByRole("region", { name: "Your matches" }).getByRole("link", { name: "Tablut" }).waitFor();
  assert.doesNotMatch(await page.title(), /^\(/);
  assert.deepEqual([await icon(), await badge()], ["icon.svg", 0]);
});

test("everyone can use it", async (t) => {
  const guest = await stage.guest("Agathias");
  const server = new PushServer();
  const context = { viewport: { width: 320, height: 568 }, reducedMotion: /** @type {const} */ ("reduce") };
  const { person, page, goto } = await stage.visitor(t, { guest, context });
  await server.answer(person);
  server.subscriptions.push({ id: "elsewhere", host: "updates.push.services.mozilla.com", created_at: Date.now(), token: guest.token });
  await goto("/account");
  await page.getByText("Firefox, since").waitFor();
  for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
    await page.emulateMedia({ colorScheme });
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    const { violations } = await new AxeBuilder({ page }).withTags(RULES).analyze();
    assert.deepEqual(violations.map(({ id, nodes }) => [id, nodes.map(({ target }) => target.flat().join(" "))]), []);
  }
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0, "nothing scrolls sideways");
});
