// Compares the texts of all languages, and the keys that the page uses: `node texts.js`.

import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const web = join(dirname(fileURLToPath(import.meta.url)), "../../web");

/** The other languages are translated from this one. */
const FIRST = "en";

/** The titles of documents that the server writes, by the keys of the page's titles. */
const TITLES = {
  account: "account.title",
  devices: "devices.title",
  editor: "editor.document",
  dice: "dice.document",
  home: "home.title",
  join: "join.title",
  leaderboard: "leaderboards.document",
  leaderboards: "leaderboards.title",
  learn: "learn.document",
  offline: "offline.title",
  players: "players.title",
  record: "record.document",
  tournaments: "tournaments.title",
  "tournament-form": "tournaments.form.title",
  "sign-in": "signIn.title",
  channel: "tv.document",
  tv: "tv.document.all",
};

/** The suffix that the server adds to titles without it. */
const NAME = "Lusoria";

/** @typedef {string | Record<string, string>} Message */

const wrong = [];

/** Duplicate keys in the same object of a JSON text: one of them would be lost. @param {string} text */
function doubles(text) {
  const found = [];
  const open = [];
  for (const [token, key, colon] of text.matchAll(/"((?:[^"\\]|\\.)*)"\s*(:)?|[{}]/g)) {
    if (token === "{") open.push(new Set());
    else if (token === "}") open.pop();
    else if (colon && open.at(-1).has(key)) found.push(key);
    else if (colon) open.at(-1).add(key);
  }
  return found;
}

/** The messages of a language by their keys. @param {string} language @returns {Promise<Map<string, Message>>} */
async function messages(language) {
  const found = new Map();
  for (const folder of ["text", "pages"]) {
    const text = await readFile(join(web, folder, `${language}.json`), "utf8");
    for (const key of doubles(text)) wrong.push(`${language}: "${key}" occurs twice`);
    for (const [section, inside] of Object.entries(JSON.parse(text))) {
      if (typeof inside === "string") found.set(section, inside);
      else for (const [name, message] of Object.entries(inside)) found.set(`${section}.${name}`, message);
    }
  }
  return found;
}

/** The texts of a message: one, or one for each form of a plural. @param {Message} message */
const forms = (message) => (typeof message === "string" ? [message] : Object.values(message));

/** The placeholders. @param {Message} message */
const places = (message) =>
  [...new Set(forms(message).flatMap((text) => text.match(/\{\w+\}/g) ?? []))].sort().join(" ");

/** @param {string} language @param {Map<string, Message>} texts @param {Map<string, Message>} first */
function compare(language, texts, first) {
  for (const key of first.keys()) if (!texts.has(key)) wrong.push(`${language}: ${key} is missing`);
  for (const [key, message] of texts) {
    const other = first.get(key);
    if (other === undefined) wrong.push(`${language}: ${key} is not in ${FIRST}`);
    else if (places(message) !== places(other)) {
      wrong.push(`${language}: ${key} has the placeholders ${places(message) || "none"}, in ${FIRST} ${places(other) || "none"}`);
    }
    if (forms(message).some((text) => typeof text !== "string" || text.trim() === "")) {
      wrong.push(`${language}: ${key} is empty`);
    }
    if (typeof message !== "string" && message.other === undefined) {
      wrong.push(`${language}: ${key} has no form "other"`);
    }
  }
}

/** The page's own modules. */
async function modules() {
  const names = await readdir(web, { recursive: true });
  return names.filter((name) => name.endsWith(".js") && !/^vendor[/\\]/.test(name));
}

/** A document must keep the title that the server wrote. @param {string} language @param {Map<string, Message>} texts */
async function compareTitles(language, texts) {
  const documents = JSON.parse(await readFile(join(web, "documents", `${language}.json`), "utf8"));
  for (const [document, key] of Object.entries(TITLES)) {
    const { title } = documents[document];
    const whole = title.includes(NAME) ? title : `${title} – ${NAME}`;
    if (texts.get(key) !== whole) wrong.push(`${language}: ${key} is "${texts.get(key)}", the document "${whole}"`);
  }
}

const languages = (await readdir(join(web, "text")))
  .filter((name) => name.endsWith(".json"))
  .map((name) => name.slice(0, -".json".length));
const first = await messages(FIRST);
for (const language of languages) {
  const texts = language === FIRST ? first : await messages(language);
  compare(language, texts, first);
  await compareTitles(language, texts);
}

let asked = 0;
for (const name of await modules()) {
  const text = await readFile(join(web, name), "utf8");
  for (const [, key] of text.matchAll(/\bt\(\s*"([^"]+)"/g)) {
    asked += 1;
    if (!first.has(key)) wrong.push(`${name} uses ${key}, which is not defined`);
  }
}

if (wrong.length > 0) {
  console.error(`web/text:\n  ${wrong.join("\n  ")}`);
  process.exit(1);
}
console.log(`web/text: ${first.size} texts in ${languages.join(", ")}; ${asked} uses, all defined`);
