// Lighthouse's scores of the page: `npm run lighthouse`, against a server that it starts (LUSORIA names its binary, a
// release for scores that count). Fails if a document scores less than it should. Times depend on the machine: nothing
// else should run on it meanwhile. `--runs 5` measures more often than usual, `--report FOLDER` keeps Lighthouse's own
// reports, `--only match` measures one document, `--url URL` a running server.

import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import lighthouse, { desktopConfig, generateReport } from "lighthouse";
import { launch } from "./support/browser.js";
import { Server } from "./support/server.js";

/** How often a run is attempted. */
const TRIES = 3;

/** Of several runs, the one with the median time counts. */
const RUNS = "3";

/** The score that each document must reach, in hundredths. Times are those of Lighthouse's simulated slow phone. */
const OTHERS_MIN = { accessibility: 100, "best-practices": 100, seo: 100 };
const DEVICES = {
  desktop: { config: desktopConfig, min: { performance: 95, ...OTHERS_MIN } },
  phone: { config: undefined, min: { performance: 90, ...OTHERS_MIN } },
};

/** The times to report, by Lighthouse's names. */
const TIMES = {
  "first-contentful-paint": "FCP",
  "largest-contentful-paint": "LCP",
  "total-blocking-time": "TBT",
  "cumulative-layout-shift": "CLS",
  "speed-index": "SI",
};

const { values: options } = parseArgs({
  options: {
    runs: { type: "string", default: RUNS },
    report: { type: "string" },
    only: { type: "string" },
    url: { type: "string" },
  },
});

/** Finds a free port for the browser. */
const PORT = 9222 + (process.pid % 1000);

const server = options.url ? Object.assign(new Server(), { address: options.url }) : await Server.start();
const browser = await launch({ flags: [`--remote-debugging-port=${PORT}`], full: true });

/** A listed match in its middle, as strangers see it. @returns {Promise<string>} its id */
async function match() {
  const guests = [await server.ask("POST", "/guests", { name: "Agathias" }), await server.ask("POST", "/guests", { name: "Zeno" })];
  const { match } = await server.ask("POST", "/matches", { game: "tabula", clock: { kind: "none" } }, guests[0].token);
  await server.ask("POST", `/matches/${match.id}/join`, {}, guests[1].token);
  for (let turn = 0; turn < 6; turn += 1) {
    const { to_play: toPlay, players } = await server.ask("GET", `/matches/${match.id}`);
    const { token } = guests.find((guest) => guest.id === players[toPlay.seat].id);
    const steps = [];
    for (;;) {
      const legal = await server.ask("POST", `/matches/${match.id}/legal`, { steps }, token);
      if (legal.complete) break;
      steps.push(legal.steps[0]);
    }
    await server.ask("POST", `/matches/${match.id}/turn`, { seq: toPlay.seq, steps }, token);
  }
  return match.id;
}

/** The result with the median performance. @param {any[]} results */
const middle = (results) =>
  results.sort((a, b) => a.lhr.categories.performance.score - b.lhr.categories.performance.score)[results.length >> 1];

/**
 * Lighthouse's result for a document. Sometimes it misses the beginning of its recording, and reports that: it is run
 * again.
 * @param {string} url @param {string[]} categories @param {any} config
 */
async function judged(url, categories, config) {
  for (let tries = 1; ; tries += 1) {
    const result = await lighthouse(url, { port: PORT, onlyCategories: categories, logLevel: "silent" }, config);
    const fault = result ? result.lhr.runtimeError : { code: "", message: "it says nothing" };
    if (!fault) return result;
    assert.ok(fault.code === "NO_NAVSTART" && tries < TRIES, `Lighthouse cannot load ${url}: ${fault.message}`);
  }
}

/** The audits that lower a score. @param {any} lhr @param {string} category */
const faults = (lhr, category) =>
  lhr.categories[category].auditRefs
    .filter(({ id, weight }) => weight > 0 && (lhr.audits[id].score ?? 1) < 1)
    .map(({ id }) => `${id}${lhr.audits[id].displayValue ? ` (${lhr.audits[id].displayValue})` : ""}`);

let failures = 0;
try {
  const documents = { home: "/", match: `/match/${await match()}`, rules: "/rules/tabula" };
  const wanted = Object.entries(documents).filter(([name]) => !options.only || options.only === name);
  assert.ok(wanted.length > 0, `there is no document ${options.only}`);
  for (const [name, path] of wanted) {
    for (const [device, { config, min }] of Object.entries(DEVICES)) {
      const results = [];
      for (let run = 0; run < Number(options.runs); run += 1) {
        results.push(await judged(server.address + path, Object.keys(min), config));
      }
      const { lhr } = middle(results);
      const scores = Object.entries(min).map(([category, least]) => {
        const score = Math.round(lhr.categories[category].score * 100);
        return { category, score, isLess: score < least, least };
      });
      const times = Object.entries(TIMES).map(([id, short]) => `${short} ${lhr.audits[id].displayValue}`);
      const requests = lhr.audits["network-requests"].details.items.length;
      console.log(`${name}, ${device}: ${scores.map(({ category, score }) => `${category} ${score}`).join(", ")}`);
      console.log(`  ${times.join(", ")}, ${requests} requests`);
      for (const { category, least } of scores.filter(({ isLess }) => isLess)) {
        failures += 1;
        console.error(`  ${category} must be ${least}: ${faults(lhr, category).join(", ")}`);
      }
      if (options.report) {
        await mkdir(options.report, { recursive: true });
        await writeFile(join(options.report, `${name}-${device}.html`), generateReport(lhr, "html"));
        await writeFile(join(options.report, `${name}-${device}.json`), generateReport(lhr, "json"));
      }
    }
  }
} finally {
  await browser.close();
  if (!options.url) await server.end();
}
process.exitCode = failures > 0 ? 1 : 0;
