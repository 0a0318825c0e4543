// Two people take a turn back: one asks, the other one answers.

import assert from "node:assert/strict";
import { FAST } from "../support/browser.js";
import { Stage } from "../support/stage.js";
import { test } from "../support/test.js";

const stage = new Stage();

test("a turn of Zeno is asked back with the keyboard, refused, asked back later, and allowed on a phone", async (t) => {
  const { id, guests } = await stage.match("zeno", { side: "white" });
  const own = () => stage.server.ask("GET", `/matches/${id}`, undefined, guests[0].token);
  /** Plays until it is a seat's turn and the first player has played another turn: others may pass. */
  const playTo = async (/** @type {number} */ seat, /** @type {number | undefined} */ earlier) => {
    for (;;) {
      const { may_take_back: last, to_play: toPlay } = await own();
      if (toPlay.seat === seat && last !== undefined && last !== earlier) return last;
      await stage.playOne(id, guests);
    }
  };
  const first = await playTo(2, undefined);
  const one = await stage.at(t, id, { guest: guests[0], preferences: FAST });
  const context = { viewport: { width: 360, height: 740 } };
  const other = await stage.at(t, id, { guest: guests[1], preferences: FAST, context });
  const beside = one.page.getByRole("complementary");
  const ask = async () => {
    await one.page.getByRole("dialog", { name: "Ask to take back" }).waitFor();
    const question = beside.locator("lusoria-dialog");
    await question.getByText("you both know them").waitFor();
    await question.getByRole("button", { name: "Ask to take back" }).click();
  };
  await one.page.keyboard.press("b");
  await ask();
  await beside.getByText("Zeno has not answered your request yet.").waitFor();
  const told = other.page.locator(".told");
  await told.getByText("asks to take the last turn back").waitFor();
  await told.getByRole("button", { name: "Do not allow it" }).click();
  await told.getByText("You do not let the turn be taken back.").waitFor();
  await beside.getByText("You have already asked for this turn.").waitFor();

  // The next turn, after the opponent has played, too.
  const last = await playTo(1, first);
  const { turns } = await own();
  const events = await stage.events(id);
  const { answers } = events.find((/** @type {any} */ { seq }) => seq === last);
  const { dice } = events.find((/** @type {any} */ { seq }) => seq === answers);
  await beside.getByRole("button", { name: "Ask to take back" }).click();
  await ask();
  await told.getByRole("button", { name: "Let it be taken back" }).click();
  await other.page.getByRole("dialog", { name: "Let it be taken back" }).waitFor();
  const sure = told.locator("lusoria-dialog");
  await sure.getByText("you both know the throws already seen").waitFor();
  await sure.getByRole("button", { name: "Let it be taken back" }).click();
  for (const { page } of [one, other]) {
    await page.waitForFunction(() => document.querySelector("lusoria-match").live.moment.takebacks === 1);
  }
  const after = await stage.snapshot(id);
  assert.deepEqual([after.to_play.seat, after.to_play.dice, after.turns < turns], [1, dice, true]);
  assert.ok((await one.page.locator(".taken-back").count()) > 0, "the turn stays in the list");
  await beside.getByText("with takebacks").waitFor();
  // Nothing stands in the way of the next turn.
  await stage.playOne(id, guests);
  assert.equal((await stage.snapshot(id)).turns, after.turns + 1);
});
