import assert from "node:assert/strict";
import { test } from "node:test";

import { earlier, keyOf, lotOf, seedHash, throwOf } from "../../../web/dice/scheme.js";
import { bytesOf, vectors } from "./dice-records.js";

const about = (game) => ({ match: vectors.match, game, seeds: [vectors.seed1, vectors.seed2] });

test("the chain leads from the last secret to the commitment", async () => {
  const second = await earlier(vectors.s1024, 1022);
  assert.equal(second, vectors.s2);
  assert.equal(await earlier(second, 1), vectors.s1);
  assert.equal(await earlier(vectors.s1, 1), vectors.s0);
});

test("the hash of a seed commits to it", async () => {
  assert.equal(await seedHash(vectors.seed1), vectors.seed1_hash);
});

test("every known throw is recomputed", async () => {
  for (const { game, i, dice } of [...vectors.throws, vectors.long_throw]) {
    const key = await keyOf(vectors[`s${game}`]);
    assert.deepEqual((await throwOf(key, about(game), i, dice.length)).dice, dice);
  }
});

test("a throw has its input and the bytes that were read", async () => {
  const { dice, input, bytes } = await throwOf(await keyOf(vectors.s1), about(1), 0, 3);
  assert.equal(input, `lusoria-dice-v1|${vectors.match}|1|${vectors.seed1}|${vectors.seed2}|0|0`);
  assert.deepEqual(bytes.map((byte) => (byte % 6) + 1), dice);
});

test("bytes of 252 and above are skipped", async () => {
  const seeds = [vectors.seed1, vectors.seed2];
  const first = (index) => bytesOf("lusoria-dice-v1", vectors.match, 1, seeds, index).next().value;
  const skipping = Array.from({ length: 1000 }, (_, index) => index).find((index) => first(index) >= 252);
  assert.notEqual(skipping, undefined, "four of 256 bytes are skipped");
  const { dice, bytes } = await throwOf(await keyOf(vectors.s1), about(1), skipping, 2);
  assert.ok(bytes[0] >= 252 && bytes.length > 2);
  assert.deepEqual(bytes.filter((byte) => byte < 252).map((byte) => (byte % 6) + 1), dice);
});

test("the drawing of sides gives the known result", async () => {
  const { seat, byte } = await lotOf(await keyOf(vectors.s1), about(1));
  assert.deepEqual([byte, seat], [vectors.lot_game_1.byte, 2]);
});
