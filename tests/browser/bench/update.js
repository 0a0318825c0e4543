// Measures what a first visit to a match loads, and the script time of a board update on a slow device: `npm run
// bench`. It reports numbers, and fails on none.

import { setTimeout as sleep } from "node:timers/promises";
import { Person, launch } from "../support/browser.js";
import { Server } from "../support/server.js";
import { Table } from "../support/table.js";

/** How much slower than this machine the simulated device is. */
const SLOWER = 4;

/** Events that are measured, after some to warm up. */
const UPDATES = 40;
const WARM_UP = 6;

/** The update is over after so many samples with at most this time: then only clocks tick. */
const QUIET = 3;
const QUIET_MS = 60;
const STILL_MS = 0.5;

const GAMES = ["zeno", "tabula", "tablut"];

const server = await Server.start();
const browser = await launch();

/** Two guests at a match. @param {string} game */
async function begin(game) {
  const guests = [await server.ask("POST", "/guests", {}), await server.ask("POST", "/guests", {})];
  const { match } = await server.ask("POST", "/matches", { game, points: 9 }, guests[0].token);
  await server.ask("POST", `/matches/${match.id}/join`, {}, guests[1].token);
  return { id: match.id, guests };
}

/** Plays the first legal turn. @param {{id: string, guests: any[]}} match */
async function playOne({ id, guests }) {
  const { to_play: toPlay, players } = await server.ask("GET", `/matches/${id}`);
  const { token } = guests.find((guest) => guest.id === players[toPlay.seat].id);
  const steps = [];
  for (;;) {
    const legal = await server.ask("POST", `/matches/${id}/legal`, { steps }, token);
    if (legal.complete) break;
    steps.push(legal.steps[0]);
  }
  await server.ask("POST", `/matches/${id}/turn`, { seq: toPlay.seq, steps }, token);
}

/** The size of a first visit, in compressed bytes. */
async function firstLoad() {
  const { id } = await begin("zeno");
  const person = await Person.at(browser, server.address);
  const cdp = await person.context.newCDPSession(person.page);
  const kinds = new Map();
  const sizes = new Map();
  cdp.on("Network.responseReceived", ({ requestId, type }) => kinds.set(requestId, type));
  cdp.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => sizes.set(requestId, encodedDataLength));
  await cdp.send("Network.enable");
  await person.goto(`/match/${id}`);
  await new Table(person.page).ready();
  await person.page.waitForLoadState("networkidle");
  await person.context.close();
  const groups = new Map();
  for (const [id, size] of sizes) {
    const kind = kinds.get(id) ?? "Other";
    const { count = 0, bytes = 0 } = groups.get(kind) ?? {};
    groups.set(kind, { count: count + 1, bytes: bytes + size });
  }
  return groups;
}

/** The script time for each turn of other players, in milliseconds. @param {string} game */
async function updates(game) {
  const match = await begin(game);
  const person = await Person.at(browser, server.address, {
    preferences: { sounds: false }, context: { viewport: { width: 360, height: 740 } } });
  await person.goto(`/match/${match.id}`);
  await new Table(person.page).ready();
  const cdp = await person.context.newCDPSession(person.page);
  await cdp.send("Performance.enable");
  await cdp.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
  // Asked from outside: waiting inside the page would itself be script.
  const script = async () => {
    const { metrics } = await cdp.send("Performance.getMetrics");
    return 1_000 * metrics.find(({ name }) => name === "ScriptDuration").value;
  };
  const taken = [];
  for (let turn = 0; turn < WARM_UP + UPDATES; turn += 1) {
    const before = await script();
    await playOne(match);
    const after = await settled(script, before);
    if (turn >= WARM_UP) taken.push(after - before);
  }
  await person.context.close();
  return taken.sort((a, b) => a - b);
}

/** The script time once it no longer grows. @param {() => Promise<number>} script @param {number} before */
async function settled(script, before) {
  let last = before;
  for (let quiet = 0; quiet < QUIET; quiet += 1) {
    await sleep(QUIET_MS);
    const now = await script();
    if (now - last > STILL_MS || now - before < STILL_MS) quiet = -1;
    last = now;
  }
  return last;
}

/** @param {number[]} sorted @param {number} part */
const quantile = (sorted, part) => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))].toFixed(1);

try {
  const groups = await firstLoad();
  const all = [...groups.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  console.log("First load of a match page, compressed, including headers:\n");
  console.log("| what | requests | bytes |\n| --- | ---: | ---: |");
  for (const [kind, { count, bytes }] of groups) console.log(`| ${kind} | ${count} | ${bytes} |`);
  console.log(`| all | ${[...groups.values()].reduce((sum, { count }) => sum + count, 0)} | ${all} |\n`);
  console.log(`Script of a board update at ${SLOWER}× CPU slow-down, ${UPDATES} turns of other players each:\n`);
  console.log("| game | median ms | p95 ms |\n| --- | ---: | ---: |");
  for (const game of GAMES) {
    const taken = await updates(game);
    console.log(`| ${game} | ${quantile(taken, 0.5)} | ${quantile(taken, 0.95)} |`);
  }
} finally {
  await browser.close();
  await server.end();
}
