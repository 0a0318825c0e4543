#!/usr/bin/env node
// Lusoria and other servers for games in turns, one after the other under the same load on this machine.
//
//     cargo build --release --package lusoria
//     node benches/peers/run.js [--rounds 3] [--matches 100] [--watchers 500] [--seconds 10] [PEER…]
//
// A peer is named as its folder; without any all of them run. Prints each run, and at the end the table for
// docs/performance.md. Needs Linux and Node.js 20. LUSORIA names another binary; TMPDIR must be on a disk.

import { execFileSync, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, statfsSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createHistogram } from "node:perf_hooks";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";

const HERE = dirname(fileURLToPath(import.meta.url));
const TARGET = process.env.CARGO_TARGET_DIR ?? join(HERE, "../../target");
const LUSORIA = process.env.LUSORIA ?? join(TARGET, "release/lusoria");
const TMPFS = 0x01021994;
const TICKS_PER_S = 100;

const LUSORIA_FLAGS = ["--listen", "127.0.0.1:0", "--log", "error", "--guest-requests-per-s", "1000000",
  "--guest-burst", "1000000", "--address-requests-per-s", "1000000", "--address-burst", "1000000",
  "--new-guests-per-hour", "1000000", "--unfinished-matches", "10000", "--connections", "60000",
  "--connections-per-address", "60000", "--sockets-per-address", "60000"];

const PEERS = {
  "Lusoria, series": { peer: "lusoria", points: 99 },
  "Lusoria, single games": { peer: "lusoria", points: 1 },
  "Colyseus": { peer: "colyseus", package: "@colyseus/core" },
  "boardgame.io": { peer: "boardgame.io", package: "boardgame.io" },
  "Socket.IO": { peer: "socket.io", package: "socket.io" },
  "a bare echo of ws": { peer: "ws", package: "ws" },
};

const OPTIONS = {
  rounds: { type: "string", default: "3" },
  matches: { type: "string", default: "100" },
  watchers: { type: "string", default: "500" },
  seconds: { type: "string", default: "10" },
  "warm-up": { type: "string", default: "3" },
  threads: { type: "string", default: "2" },
  seed: { type: "string", default: String(randomInt(1, 1_000_000)) },
};

const { values, positionals: CHOSEN } = parseArgs({ options: OPTIONS, allowPositionals: true });
const numbers = Object.keys(OPTIONS).map((name) => Number(values[name]));
const [ROUNDS, MATCHES, WATCHERS, SECONDS, WARM_UP, THREADS, SEED] = numbers;

// An exit stops the server and removes its folder.
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));
await main();

async function main() {
  if (statfsSync(tmpdir()).type === TMPFS) throw new Error("TMPDIR is in memory, where a sync costs nothing");
  install();
  console.log(machine());
  const names = Object.keys(PEERS).filter((name) => CHOSEN.length === 0 || CHOSEN.includes(PEERS[name].peer));
  const runs = new Map(names.map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const name of names) {
      const run = { played: await measure(PEERS[name], MATCHES, 0) };
      // A single game ends before its watchers have seen enough of it.
      if (PEERS[name].points !== 1 && WATCHERS > 0) run.watched = await measure(PEERS[name], 1, WATCHERS);
      runs.get(name).push(run);
      console.log(`round ${round + 1}, ${name}: ${shown(run)}`);
    }
  }
  console.log(table(runs));
}

function install() {
  const [wanted, installed] = ["package-lock.json", "node_modules/.package-lock.json"].map((name) => join(HERE, name));
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(wanted).mtimeMs) return;
  execFileSync("npm", ["ci"], { cwd: HERE, stdio: "inherit" });
}

function machine() {
  const lusoria = execFileSync(LUSORIA, ["--version"], { encoding: "utf8" }).trim();
  const packages = Object.values(PEERS).flatMap(({ package: name }) => (name ? [`${name} ${version(name)}`] : []));
  const programs = [lusoria, ...packages, `Node.js ${process.version}`].join(", ");
  return `${cpus().length} cores (${cpus()[0].model}), load average ${loadavg()[0].toFixed(1)}; ${programs}; `
    + `${THREADS} threads of load, --seed ${SEED}`;
}

function version(name) {
  return JSON.parse(readFileSync(join(HERE, "node_modules", name, "package.json"), "utf8")).version;
}

/** What a server of its own does with so many matches, the first of which has so many watchers. */
async function measure({ peer, points }, matches, watchers) {
  const folder = mkdtempSync(join(tmpdir(), "peers-"));
  const server = start(peer, folder);
  const workers = [];
  const clean = () => {
    server.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  };
  process.once("exit", clean);
  const url = await address(server);

  // A thread that fails ends the program: nothing listens to its error.
  const open = async (data) => {
    const worker = new Worker(join(HERE, "load.js"), { workerData: { peer, url, points, ...data } });
    workers.push(worker);
    return (await once(worker, "message"))[0];
  };
  const tell = (stage) => workers.forEach((worker) => worker.postMessage(stage));

  const players = split(matches).map((plays, share) => open({ plays, watches: 0, seed: SEED + share * matches }));
  const ids = await Promise.all(players);
  await Promise.all(split(watchers).map((watches) => open({ plays: 0, watches, id: ids[0][0] })));
  tell("start");
  await sleep(WARM_UP * 1_000);
  const [serverBefore, loadBefore] = [cpuUs(server.pid), process.cpuUsage()];
  tell("count");
  await sleep(SECONDS * 1_000);
  const serverUs = cpuUs(server.pid) - serverBefore;
  const load = process.cpuUsage(loadBefore);
  const results = Promise.all(workers.map((worker) => once(worker, "message")));
  tell("stop");
  const counted = (await results).flat();

  await Promise.all(workers.map((worker) => worker.terminate()));
  server.removeAllListeners("exit");
  const ended = once(server, "exit");
  clean();
  process.off("exit", clean);
  await ended;
  return summary(counted, serverUs, load.user + load.system);
}

function start(peer, folder) {
  const [program, ...flags] = peer === "lusoria"
    ? [LUSORIA, "serve", "--database", join(folder, "lusoria.db"), ...LUSORIA_FLAGS]
    : [process.execPath, join(HERE, peer, "server.js")];
  const env = { ...process.env, NODE_ENV: "production" };
  const server = spawn(program, flags, { cwd: folder, env, stdio: ["ignore", "pipe", "inherit"] });
  server.once("exit", (code) => {
    throw new Error(`the server of ${peer} ended: ${code}`);
  });
  return server;
}

/** Where it listens, as it says itself. */
async function address(server) {
  for await (const line of createInterface({ input: server.stdout })) {
    const found = /listens on (\S+)/.exec(line);
    if (found) return found[1];
  }
}

/** A number in about equal shares, none of them 0. */
function split(number) {
  const shares = Array.from({ length: THREADS }, (_, share) => Math.floor((number + share) / THREADS));
  return shares.filter((share) => share > 0);
}

/** The processor time that a process has taken, in microseconds. */
function cpuUs(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  return (Number(fields[11]) + Number(fields[12])) * (1_000_000 / TICKS_PER_S);
}

function summary(counted, serverUs, loadUs) {
  const sum = (figure) => counted.reduce((all, one) => all + figure(one), 0);
  const latencyUs = createHistogram();
  for (const one of counted) if (one.turns > 0) latencyUs.add(one.latencyUs);
  const idle = sum((one) => one.idle);
  if (idle > 0) throw new Error(`${idle} matches stood still`);
  return {
    turnsPerS: sum((one) => one.turns / one.seconds),
    p50Ms: latencyUs.percentile(50) / 1_000,
    p99Ms: latencyUs.percentile(99) / 1_000,
    turnUs: serverUs / sum((one) => one.turns),
    deliveriesPerS: sum((one) => one.deliveries / one.seconds),
    deliveryUs: serverUs / sum((one) => one.deliveries),
    serverCores: serverUs / (SECONDS * 1_000_000),
    loadCores: loadUs / (SECONDS * 1_000_000),
  };
}

function shown({ played, watched }) {
  const latencies = `p50 ${played.p50Ms.toFixed(1)} ms, p99 ${played.p99Ms.toFixed(1)} ms`;
  const turns = `${whole(played.turnsPerS)} turns/s, ${latencies}, `
    + `${whole(played.turnUs)} µs a turn (cores: ${cores(played)})`;
  if (!watched) return turns;
  return `${turns}; watched ${whole(watched.turnsPerS)} turns/s, ${whole(watched.deliveriesPerS)} deliveries/s, `
    + `${watched.deliveryUs.toFixed(1)} µs each (cores: ${cores(watched)})`;
}

/** Each figure of every round, as Markdown. */
function table(runs) {
  const columns = [
    ["turns a second", ({ played }) => whole(played.turnsPerS)],
    ["p50, ms", ({ played }) => played.p50Ms.toFixed(1)],
    ["p99, ms", ({ played }) => played.p99Ms.toFixed(1)],
    ["server, µs a turn", ({ played }) => whole(played.turnUs)],
    ["cores: server + load", ({ played }) => cores(played)],
    ["deliveries a second", ({ watched }) => watched && whole(watched.deliveriesPerS)],
    ["server, µs a delivery", ({ watched }) => watched && watched.deliveryUs.toFixed(1)],
    ["cores: server + load", ({ watched }) => watched && cores(watched)],
  ];
  const cell = (of, figure) => of.map(figure).filter(Boolean).join(", ");
  const rows = [...runs].map(([name, of]) => [name, ...columns.map(([, figure]) => cell(of, figure))]);
  const head = [["", ...columns.map(([title]) => title)], ["---", ...columns.map(() => "---:")]];
  return [...head, ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function cores({ serverCores, loadCores }) {
  return `${serverCores.toFixed(1)} + ${loadCores.toFixed(1)}`;
}

function whole(number) {
  return Math.round(number).toLocaleString("en");
}
