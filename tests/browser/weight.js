// What a browser loads before a document of each kind can be used, in compressed bytes: `node weight.js URL` with the
// address of a running server, on which it creates a guest and a match.

import { get } from "node:http";

const server = new URL(process.argv[2] ?? "http://127.0.0.1:8080");

/** @param {string} path @param {object} body @param {string} [token] */
async function ask(path, body, token) {
  const headers = { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) };
  const answer = await fetch(new URL(`/api/v1${path}`, server), { method: "POST", headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer.json();
}

const { token } = await ask("/guests", {});
const { match } = await ask("/matches", { game: "zeno", admission: "both_seats" }, token);
const { match: listed } = await ask("/matches", { game: "zeno" }, token);

/** Every kind of document, by its name. */
const documents = {
  home: "/",
  match: `/match/${match.id}`,
  "match in a frame": `/embed/match/${listed.id}`,
  kiosk: "/kiosk",
  "dice of a match": `/match/${match.id}/dice`,
  dice: "/dice",
  record: "/record",
  invitation: "/join",
  devices: "/devices",
  account: "/account",
  "sign in": "/sign-in",
  players: "/players",
  "a player": "/player/zeno",
  leaderboards: "/leaderboards",
  tournaments: "/tournaments",
  "new tournament": "/tournaments/new",
  tournament: `/tournament/${match.id}`,
  "tournament, wall": `/tournament/${match.id}/wall`,
  TV: "/tv",
  "a channel": "/tv/zeno",
  "a channel in a frame": "/embed/tv/zeno",
  offline: "/offline",
  "first turns": "/learn/zeno",
  editor: "/editor/zeno",
  rules: "/rules/zeno",
  about: "/about",
};

/** The longest wait for a page, even on a phone. */
const MAX_BYTES = 200 * 1024;

/** The materials on a board of the dice games with the default style. */
const MATERIALS = ["walnut", "counters"];

/** @typedef {{kind: string, sent: Buffer}} Answer */

/** @param {string} path @param {string} accepted @returns {Promise<Answer>} */
const load = (path, accepted) =>
  new Promise((resolve, reject) => {
    get(new URL(path, server), { headers: { "accept-encoding": accepted } }, (answer) => {
      if (answer.statusCode !== 200) return reject(new Error(`${path}: ${answer.statusCode}`));
      const parts = [];
      answer.on("data", (part) => parts.push(part));
      answer.on("error", reject);
      answer.on("end", () => {
        resolve({ kind: (answer.headers["content-type"] ?? "").split(";")[0], sent: Buffer.concat(parts) });
      });
    }).on("error", reject);
  });

/** The files named in a document's head, and those that style sheets name. @param {string} path */
async function named(path) {
  const document = (await load(path, "identity")).sent.toString();
  const found = new Set([path]);
  // Only adding the page to a home screen loads its icon.
  const loaded = document.replace(/<link rel="apple-touch-icon"[^>]*>/, "");
  for (const [, asset] of loaded.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)) found.add(asset);
  for (const asset of found) {
    if (!asset.endsWith(".css")) continue;
    const style = (await load(asset, "identity")).sent.toString();
    for (const [, file] of style.matchAll(/@import\s+(?:url\()?["']?([^"')]+)/g)) {
      found.add(new URL(file, new URL(asset, server)).pathname);
    }
  }
  // Documents begin with the long texts about the games.
  const starts = (/** @type {string[]} */ ...pages) => pages.some((page) => document.includes(`/bundles/pages-${page}.js"`));
  if (starts("home", "join", "player")) found.add("/api/v1/games");
  if (starts("match", "learn", "editor", "embed")) found.add("/api/v1/games/zeno");
  if (/^\/(match|embed\/match|learn|editor)\/[^/]+$/.test(path)) {
    const [, assets] = /(\/assets\/[^/]+)\//.exec(document) ?? [];
    for (const name of MATERIALS) found.add(`${assets}/style/materials/${name}.webp`);
  }
  return [...found];
}

const groups = {
  document: "text/html",
  modules: "text/javascript",
  styles: "text/css",
  data: "application/json",
};

/** @param {number} bytes */
const shown = (bytes) => (bytes / 1024).toFixed(1).padStart(9);

const heads = ["files", ...Object.keys(groups), "pictures", "in all"];
console.log(`${"KiB, packed".padEnd(16)}${heads.map((head) => head.padStart(9)).join("")}`);
for (const [name, path] of Object.entries(documents)) {
  const files = await named(path);
  const loaded = await Promise.all(files.map((file) => load(file, "gzip")));
  const total = (/** @type {Answer[]} */ answers) => answers.reduce((sum, { sent }) => sum + sent.length, 0);
  const of = Object.values(groups).map((kind) => total(loaded.filter((answer) => answer.kind === kind)));
  const rest = total(loaded) - of.reduce((sum, bytes) => sum + bytes, 0);
  const columns = [...of, rest, total(loaded)].map(shown).join("");
  console.log(`${name.padEnd(16)}${String(files.length).padStart(9)}${columns}`);
  if (total(loaded) > MAX_BYTES) {
    console.error(`${name} loads ${total(loaded)} bytes at first, more than ${MAX_BYTES}`);
    process.exitCode = 1;
  }
}
