// Continuing on another device, and signing devices out.

import assert from "node:assert/strict";
import { Stage } from "../support/stage.js";
import { test } from "../support/test.js";

const stage = new Stage();

/** The browser's own message for a response 401. */
const REFUSED = [/the server responded with a status of 401/];

/** The code on a person's page of devices. @param {import("playwright-core").Page} page */
async function makeCode(page) {
  await page.getByRole("button", { name: "Create a code" }).click();
  return (await page.locator("lusoria-device-code code").textContent()).trim();
}

/** The text of the focused element. @param {import("playwright-core").Page} page */
const focused = (page) => page.evaluate(() => {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  return element?.textContent;
});

test("a person continues on another device by its link, and each lists the other", async (t) => {
  const { id, guests: [guest] } = await stage.match("tablut");
  const first = await stage.visitor(t, { guest });
  await first.goto("/");
  await first.page.getByRole("button", { name: /^Your name/ }).click();
  await first.page.getByRole("link", { name: "My devices" }).click();
  const code = await makeCode(first.page);
  await first.page.getByRole("img", { name: "The link as a QR code" }).waitFor();
  assert.match(await first.page.getByRole("timer").textContent(), /(10:00|9:\d\d)/);
  assert.equal(await first.page.getByLabel("The link for the other device").inputValue(),
    `${stage.server.address}/devices#${code}`);

  const second = await stage.visitor(t);
  await second.goto(`/devices#${code}`);
  await second.page.getByRole("heading", { name: "Sign in here?" }).waitFor();
  const name = second.page.getByLabel("Name of this device in your list");
  assert.match(await name.inputValue(), /^Chrome/);
  await name.fill("Tablet in the kitchen");
  await second.page.getByRole("button", { name: "Sign in" }).click();
  await second.page.getByText("This device now plays as Agathias.").waitFor();
  assert.equal(new URL(second.page.url()).hash, "", "the code is gone from the address");

  await first.page.getByText("you are now signed in on “Tablet in the kitchen”").waitFor();
  assert.equal(await first.page.locator("lusoria-sessions li").count(), 2);
  const told = await second.page.locator("lusoria-sessions li").allTextContents();
  assert.ok(told[0].includes("Tablet in the kitchen") && told[0].includes("(this device)"), told[0]);
  assert.ok(told[1].includes("Unnamed device") && told[1].includes("in the last two hours"), told[1]);

  await second.goto(`/match/${id}`);
  await second.page.locator("lusoria-board .places rect[tabindex]").first().waitFor({ state: "attached" });
});

test("a device that is signed out says so, and starts afresh", async (t) => {
  const { id, guests: [guest] } = await stage.match("tablut");
  const { code } = await stage.server.ask("POST", "/me/device-code", {}, guest.token);
  const phone = await stage.server.ask("POST", "/device-codes/spend", { code, device: "Phone" });
  const lost = await stage.at(t, id, { guest: { id: guest.id, name: guest.name, token: phone.token } });
  lost.person.expecting.push(...REFUSED);
  const { page, goto } = await stage.visitor(t, { guest });
  await goto("/devices");
  await page.getByRole("button", { name: "Sign out “Phone”" }).click();
  await page.getByRole("group", { name: /Sign out “Phone”\?/ }).getByRole("button", { name: "Sign out" }).click();
  await page.getByText("“Phone” has been signed out.").waitFor();
  assert.equal(await page.locator("lusoria-sessions li").count(), 1);

  // Wait for the server's next check of the session.
  await lost.page.getByText("This device has been signed out: it no longer plays as Agathias.").waitFor({ timeout: 60_000 });
  await lost.page.getByRole("button", { name: "Start afresh" }).click();
  await lost.page.getByText("This device has been signed out").waitFor({ state: "detached" });
  assert.equal(await lost.page.evaluate(() => localStorage.getItem("lusoria.guest")), null);
});

test("a device keeps its previous guest, and can return to them", async (t) => {
  const [own, other] = [await stage.guest("Zeno"), await stage.guest("Agathias")];
  const { code } = await stage.server.ask("POST", "/me/device-code", {}, other.token);
  const { page, goto } = await stage.visitor(t, { guest: own });
  await goto("/devices");
  await page.getByText("You are Zeno on this device.").waitFor();
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("Enter a code.").waitFor();
  await page.getByLabel("Code or link").fill(`https://example.org/devices#${code}`);
  await page.keyboard.press("Enter");
  await page.getByText("This device now plays as Agathias.").waitFor();
  await page.getByRole("button", { name: "Switch back to Zeno" }).click();
  await page.getByText("This device now plays as Zeno.").waitFor();
  await page.getByRole("button", { name: "Switch back to Agathias" }).waitFor();
});

test("a used code is refused in plain words", async (t) => {
  const guest = await stage.guest("Agathias");
  const { code } = await stage.server.ask("POST", "/me/device-code", {}, guest.token);
  await stage.server.ask("POST", "/device-codes/spend", { code });
  const { person, page, goto } = await stage.visitor(t);
  person.expecting.push(/the server responded with a status of 404/);
  await goto(`/devices#${code}`);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("This code is no longer valid").waitFor();
  assert.equal(await page.evaluate(() => localStorage.getItem("lusoria.guest")), null);
});

test("all other devices are signed out by the keyboard alone", async (t) => {
  const guest = await stage.guest("Agathias");
  for (const device of ["One", "Two"]) {
    const { code } = await stage.server.ask("POST", "/me/device-code", {}, guest.token);
    await stage.server.ask("POST", "/device-codes/spend", { code, device });
  }
  const { page, goto } = await stage.visitor(t, { guest });
  await goto("/devices");
  const others = page.getByRole("button", { name: "Sign out all other devices" });
  await others.press("Enter");
  // The focus has moved to the question.
  await page.getByRole("group", { name: "Sign out 2 other devices?" }).waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  assert.equal(await focused(page), await others.textContent(), "cancelled: it has gone back");
  await page.keyboard.press("Enter");
  await page.getByRole("group", { name: "Sign out 2 other devices?" }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByText("All other devices have been signed out.").waitFor();
  assert.equal(await focused(page), "Where you are signed in");
  assert.equal(await page.locator("lusoria-sessions li").count(), 1);
});

test("a new code is announced and focused; it goes with the devices that are signed out", async (t) => {
  const guest = await stage.guest("Agathias");
  const { code } = await stage.server.ask("POST", "/me/device-code", {}, guest.token);
  await stage.server.ask("POST", "/device-codes/spend", { code, device: "Phone" });
  const { page, goto } = await stage.visitor(t, { guest });
  await goto("/devices");
  await page.getByRole("button", { name: "Create a code" }).press("Enter");
  await page.getByText("A code has been created. It is valid for 10 minutes.").waitFor();
  const block = page.getByRole("group", { name: "A code for another device" });
  await block.waitFor();
  assert.ok(await block.evaluate((element) => element.getRootNode().activeElement === element));
  await page.getByRole("button", { name: "Sign out “Phone”" }).click();
  await page.getByRole("group", { name: /Sign out “Phone”\?/ }).getByRole("button", { name: "Sign out" }).click();
  await page.getByText("“Phone” has been signed out.").waitFor();
  await block.waitFor({ state: "detached" });
});

test("signing out the only device needs a confirmation", async (t) => {
  const guest = await stage.guest("Agathias");
  const { page, goto } = await stage.visitor(t, { guest });
  await goto("/devices");
  const out = page.getByRole("button", { name: "Sign out “Unnamed device”" });
  await out.press("Enter");
  const asked = page.getByRole("group", { name: /not signed in anywhere else: nobody can ever play as Agathias again/ });
  await asked.waitFor();
  await page.keyboard.press("Enter");
  await asked.waitFor({ state: "detached" });
  assert.equal((await page.evaluate(() => JSON.parse(localStorage.getItem("lusoria.guest")))).id, guest.id);
  await out.press("Enter");
  await asked.getByRole("button", { name: "Sign out" }).click();
  await page.getByText("“Unnamed device” has been signed out.").waitFor();
  assert.equal(await page.evaluate(() => localStorage.getItem("lusoria.guest")), null);
});
