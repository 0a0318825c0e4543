// A record from a file: checked, and replayed turn by turn.

import assert from "node:assert/strict";
import { Stage } from "../support/stage.js";
import { test } from "../support/test.js";

const stage = new Stage();

/** A match of some turns that was resigned. @param {string} game @param {number} turns */
async function ended(game, turns) {
  const { id, guests } = await stage.match(game);
  for (let turn = 0; turn < turns; turn += 1) await stage.playOne(id, guests);
  await stage.server.ask("POST", `/matches/${id}/resign`, {}, guests[0].token);
  return id;
}

/** @param {string} name @param {string} text */
const fileOf = (name, text) => ({ name, mimeType: "text/plain", buffer: Buffer.from(text) });

test("a record is downloaded as text, checked and replayed; the faults of another one are shown", async (t) => {
  const id = await ended("tavla", 6);
  const { person, page } = await stage.at(t, id);
  await page.getByRole("complementary").getByRole("button", { name: "Share" }).click();
  const text = await page.evaluate(
    async (href) => (await fetch(href ?? "")).text(),
    await page.getByRole("link", { name: "As text" }).getAttribute("href"),
  );
  assert.ok(text.startsWith('[Format "lusoria-text-1"]\n[Game "tavla"]\n'), text);

  person.expecting.push(/422/);
  await person.goto("/");
  await page.getByRole("link", { name: "Replay a record" }).click();
  const file = page.locator("input[type=file]");
  await file.setInputFiles(fileOf("match.txt", text));
  await page.getByText("Everything in it follows from the rules and the dice.").waitFor();
  const turns = page.locator("lusoria-turns button");
  assert.ok((await turns.count()) >= 6);
  await page.getByRole("button", { name: "Last", exact: true }).or(page.locator("lusoria-replay button").last()).first().click();
  const shown = () => page.evaluate(() => /** @type {any} */ (document.querySelector("lusoria-record-page")).shown);
  const last = await shown();
  await page.locator("lusoria-replay button").nth(1).click();
  assert.ok((await shown()) < last);
  await turns.first().click();
  assert.equal(await page.locator("lusoria-turns [aria-current]").count(), 1);
  const shows = (/** @type {number} */ seq) =>
    page.waitForFunction((seq) => /** @type {any} */ (document.querySelector("lusoria-record-page")).shown === seq, seq);
  await page.keyboard.press("End");
  await shows(last);
  await page.keyboard.press("Home");
  const begin = await shown();
  assert.ok(begin < last);
  await page.locator("lusoria-board").hover();
  await page.mouse.wheel(0, 100);
  await page.waitForFunction((begin) => /** @type {any} */ (document.querySelector("lusoria-record-page")).shown > begin, begin);
  await page.keyboard.press("ArrowLeft");
  await shows(begin);

  const line = text.split("\n").findIndex((line) => line.startsWith("3. "));
  const illegal = text.split("\n").with(line, text.split("\n")[line].replace(/: .* \+/, ": 24/23 24/23 24/23 +"));
  await file.setInputFiles(fileOf("false.txt", illegal.join("\n")));
  await page.getByText("This cannot be read as a record.").waitFor();
  await page.getByText(new RegExp(`^line ${line + 1}: `)).waitFor();

  const record = await stage.server.ask("GET", `/matches/${id}/record`);
  const thrown = record.events.find(({ type }) => type === "thrown");
  thrown.dice[0] = (thrown.dice[0] % 6) + 1;
  await file.setInputFiles(fileOf("forged.json", JSON.stringify(record)));
  await page.getByText("This record is not valid.").waitFor();
  await page.getByText(new RegExp(`^Event ${thrown.seq}: dice: expected`)).waitFor();
});
