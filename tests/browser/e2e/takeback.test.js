// Two people take a turn back: one asks, the other one answers.

import assert from "node:assert/strict";
import { FAST } from "../support/browser.js";
import { Stage } from "../support/stage.js";
import { test } from "../support/test.js";

const stage = new Stage();

test("a turn is asked back with the keyboard, refused, and asked back later; the answers are given on a phone", async (t) => {
  const { id, guests } = await stage.match("tablut");
  for (let turn = 0; turn < 3; turn += 1) await stage.playOne(id, guests);
  const one = await stage.at(t, id, { guest: guests[0], preferences: FAST });
  const context = { viewport: { width: 360, height: 740 } };
  const other = await stage.at(t, id, { guest: guests[1], preferences: FAST, context });

  const beside = one.page.getByRole("complementary");
  const ask = async () => {
    await one.page.getByRole("dialog", { name: "Ask to take back" }).waitFor();
    const question = beside.locator("lusoria-dialog");
    await question.getByText("Ask Zeno to let you take your last move back?").waitFor();
    await question.getByRole("button", { name: "Ask to take back" }).click();
  };
  await one.page.keyboard.press("b");
  await ask();
  await beside.getByText("Zeno has not answered your request yet.").waitFor();
  const told = other.page.locator(".told");
  await told.getByText("Agathias asks to take the last turn back.").waitFor();
  await told.getByRole("button", { name: "Decline" }).click();
  await told.getByText("You do not let the turn be taken back.").waitFor();
  await beside.getByText("You have already asked for this turn.").waitFor();

  // The next turn, after the opponent has played, too.
  await stage.playOne(id, guests);
  const before = await stage.snapshot(id);
  for (let turn = 0; turn < 2; turn += 1) await stage.playOne(id, guests);
  await beside.getByRole("button", { name: "Ask to take back" }).click();
  await ask();
  await told.getByRole("button", { name: "Allow it" }).click();
  await other.page.getByRole("dialog", { name: "Allow it" }).waitFor();
  const sure = told.locator("lusoria-dialog");
  await sure.getByText("the match is marked “with takebacks”").waitFor();
  await sure.getByRole("button", { name: "Allow it" }).click();
  for (const { page } of [one, other]) {
    await page.waitForFunction(() => document.querySelector("lusoria-match").live.moment.takebacks === 1);
  }
  await told.getByText("Agathias takes the last turn back.").waitFor();
  const after = await stage.snapshot(id);
  assert.deepEqual([after.position, after.turns, after.to_play.seat], [before.position, 4, 1]);
  await beside.getByText("(taken back)").first().waitFor({ state: "attached" });
  await beside.getByText("with takebacks").waitFor();
  await stage.playOne(id, guests);
  await one.page.waitForFunction(() => document.querySelector("lusoria-match").live.moment.toPlay.seat === 2);
});
