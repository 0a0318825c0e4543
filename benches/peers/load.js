// A thread of the load: plays matches, or watches one. A turn counts when its player's opponent has it, and at each
// watcher.

import { createHistogram, performance } from "node:perf_hooks";
import { parentPort, workerData } from "node:worker_threads";

const { peer, url, plays, watches, id, points, seed } = workerData;
const client = await import(`./${peer}/client.js`);
const latencyUs = createHistogram();
const matches = [];
let isCounted = false;
let startedAt = 0;
let deliveries = 0;

for (let number = 0; number < plays; number += 1) matches.push(await match(number));
for (let number = 0; number < watches; number += 1) {
  await client.watcher(url, id, () => {
    if (isCounted) deliveries += 1;
  });
}

parentPort.on("message", (stage) => {
  if (stage === "start") for (const { start } of matches) start();
  if (stage === "count") {
    isCounted = true;
    startedAt = performance.now();
  }
  if (stage === "stop") {
    isCounted = false;
    const seconds = (performance.now() - startedAt) / 1_000;
    const idle = matches.filter(({ turns }) => turns === 0).length;
    parentPort.postMessage({ latencyUs, turns: latencyUs.count, deliveries, seconds, idle });
  }
});
parentPort.postMessage(matches.map((each) => each.id));

async function match(number) {
  const counts = { turns: 0 };
  let sentAt = 0;
  const { id, start } = await client.match(url, {
    points,
    random: randomFrom(seed + number),
    send: (turn) => {
      sentAt = performance.now();
      turn();
    },
    received: () => {
      if (!isCounted) return;
      counts.turns += 1;
      latencyUs.record(Math.max(1, Math.round((performance.now() - sentAt) * 1_000)));
    },
  });
  return Object.assign(counts, { id, start });
}

/** Numbers from 0 to 1 (mulberry32), the same for the same seed. */
function randomFrom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
