// Takes the screenshots of docs/pictures: every page and every board, on a phone, a tablet and a desktop. `npm run
// pictures` takes all of them, `npm run pictures tv kiosk` only those whose names begin so.

import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Person, launch } from "./support/browser.js";
import { endTv } from "./support/home.js";
import { Server } from "./support/server.js";

const FOLDER = join(import.meta.dirname, "../../docs/pictures");
const SIZES = [[360, 740], [820, 1180], [1440, 900]];
const GAMES = ["zeno", "scripta", "tabula", "tavla", "tablut"];
const QUALITY = 55;
/** The number of turns in a running match. */
const TURNS = 16;
const TURNS_TABLUT = 7;
/** The prefixes of the names to take. */
const WANTED = process.argv.slice(2);

const server = await Server.start();
const browser = await launch();
const ask = server.ask.bind(server);

/** @param {string} name */
const guest = (name) => ask("POST", "/guests", { name });

/** A match some turns after its beginning. @param {string} game @param {number} turns @param {object} [terms] */
async function match(game, turns, terms = {}) {
  const guests = [await guest("Agathias"), await guest("Theodora")];
  const side = game === "tablut" ? "attackers" : "white";
  const { match: made } = await ask("POST", "/matches", { game, side, ...terms }, guests[0].token);
  await ask("POST", `/matches/${made.id}/join`, {}, guests[1].token);
  await play(made.id, guests, turns);
  const { to_play: toPlay, players } = await ask("GET", `/matches/${made.id}`);
  return { id: made.id, guests, mover: toPlay && guests.find(({ id }) => id === players[toPlay.seat].id) };
}

/** Plays some turns. @param {string} match its id @param {{id: string, token: string}[]} guests @param {number} turns */
async function play(match, guests, turns) {
  for (let turn = 0; turn < turns; turn += 1) {
    const { to_play: toPlay, players } = await ask("GET", `/matches/${match}`);
    if (!toPlay) break;
    const { token } = guests.find(({ id }) => id === players[toPlay.seat].id);
    const steps = [];
    for (;;) {
      const legal = await ask("POST", `/matches/${match}/legal`, { steps }, token);
      if (legal.complete) break;
      steps.push(legal.steps[(turn * 7 + steps.length * 3) % legal.steps.length]);
    }
    await ask("POST", `/matches/${match}/turn`, { seq: toPlay.seq, steps }, token);
  }
}

/** Chooses a game at a kiosk, and plays some turns. @param {Page} page */
async function playAtTable(page) {
  await page.getByRole("button", { name: /^Zeno/ }).click();
  await page.locator("lusoria-kiosk-table lusoria-board .places rect").first().waitFor({ state: "attached" });
  const { match, guest } = await page.evaluate(() => ({
    match: document.querySelector("lusoria-kiosk").table.live.id,
    guest: JSON.parse(localStorage.getItem("lusoria.guest")),
  }));
  await play(match, [guest], TURNS);
  const { to_play: toPlay } = await ask("GET", `/matches/${match}`);
  await page.waitForFunction((seq) => {
    const { turn, pace } = document.querySelector("lusoria-kiosk").table;
    return turn.seq === seq && !pace.isBehind && (turn.legal || turn.isCovered);
  }, toPlay.seq);
  // The earlier turns are no longer announced.
  await page.evaluate(() => document.querySelector("lusoria-kiosk").table.saying.hush());
}

/** @typedef {import("playwright-core").Page} Page */

/**
 * The pictures: the name, the address, the players who are connected to the match meanwhile, and the steps before.
 * @typedef {{name: string, path: string, guest?: object, theme?: string, players?: {id: string, guests: object[]}, does?: (page: Page) => Promise<unknown>}} Scene
 */

/** @returns {Promise<Scene[]>} */
async function scenes() {
  const host = await guest("Agathias");
  const invited = await ask("POST", "/matches", { game: "zeno", admission: "invitation" }, host.token);
  await ask("POST", "/matches", { game: "tavla" }, (await guest("Zeno")).token);
  const played = await Promise.all(GAMES.map((game) => match(game, game === "tablut" ? TURNS_TABLUT : TURNS)));
  const over = await match("tabula", 12);
  await ask("POST", `/matches/${over.id}/resign`, {}, over.guests[0].token);
  const { head } = await ask("GET", `/matches/${over.id}`);
  const learner = await guest("Agathias");
  const against = await ask("POST", "/matches", { game: "tavla", side: "white", opponent: { computer: 3 } }, learner.token);
  const board = (/** @type {Page} */ page) =>
    page.locator("lusoria-board .places rect").first().waitFor({ state: "attached" });
  return [
    { name: "home", path: "/", guest: host, does: (page) => page.locator("lusoria-card[kind=live]").nth(4).waitFor() },
    { name: "home-dark", path: "/", guest: host, theme: "dark", does: (page) => page.locator("lusoria-card[kind=live]").nth(4).waitFor() },
    { name: "start", path: "/#zeno", does: (page) => page.locator("lusoria-start .ways").waitFor() },
    { name: "levels", path: "/", does: async (page) => {
      await page.getByRole("button", { name: "Play the computer at Tabula" }).click();
      await page.getByRole("button", { name: /^Master/ }).waitFor();
    } },
    { name: "computer", path: `/match/${against.match.id}`, guest: learner, does: async (page) => {
      await page.getByRole("button", { name: "Hint" }).click();
      await page.locator(".advice").waitFor({ timeout: 120_000 });
    } },
    { name: "preferences", path: "/", does: (page) => page.getByRole("button", { name: "Preferences" }).click() },
    { name: "join", path: `/join#${invited.invitation.code}`, does: (page) => page.getByRole("button", { name: "Join the match" }).waitFor() },
    { name: "invitation", path: `/match/${invited.match.id}`, guest: host, does: async (page) => {
      await page.getByRole("button", { name: "Create a new link" }).click();
      await page.getByRole("img", { name: "QR code of the link" }).waitFor();
    } },
    ...played.map(({ id, mover }, nth) => ({
      name: `match-${GAMES[nth]}`, path: `/match/${id}`, guest: mover, does: async (page) => {
        await board(page);
        await page.waitForFunction(() => document.querySelector("lusoria-match").turn.legal);
        // Shows the targets of the selected piece.
        await page.evaluate(() => {
          const { renderRoot } = document.querySelector("lusoria-match").renderRoot.querySelector("lusoria-board");
          const [first] = [...renderRoot.querySelectorAll(".places rect[aria-disabled=false]")];
          first?.dispatchEvent(new MouseEvent("click", { bubbles: true, composed: true }));
        });
      },
    })),
    { name: "match-zeno-dark", path: `/match/${played[0].id}`, guest: played[0].mover, theme: "dark", does: board },
    { name: "replay", path: `/match/${over.id}?at=${head - 4}`, does: board },
    { name: "ended", path: `/match/${over.id}`, guest: over.guests[0], does: board },
    { name: "analysis", path: `/match/${over.id}`, does: async (page) => {
      await page.locator(".bar").getByRole("button", { name: "Analysis" }).click();
      await page.locator("lusoria-chart svg:visible").first().waitFor({ timeout: 120_000 });
      await page.locator("lusoria-analysis progress").first().waitFor({ state: "detached", timeout: 120_000 });
    } },
    { name: "dice", path: `/match/${over.id}/dice`, does: (page) => page.getByText("The dice of this match are genuine.").waitFor() },
    ...GAMES.map((game) => ({ name: `learn-${game}`, path: `/learn/${game}`, does: board })),
    { name: "tv", path: "/tv", does: async (page) => {
      for (const game of GAMES) {
        await page.locator(`lusoria-channel[game=${game}] lusoria-miniature svg use`).first().waitFor({ state: "attached" });
      }
    } },
    { name: "tv-zeno", path: "/tv/zeno", players: played[0], does: async (page) => {
      await board(page);
      await page.waitForFunction(() => Object.values(document.querySelector("lusoria-tv").screen.live.here).every(Boolean));
    } },
    { name: "kiosk", path: "/kiosk", does: (page) => page.getByRole("button", { name: /^Zeno/ }).and(page.locator(":enabled")).waitFor() },
    { name: "kiosk-zeno", path: "/kiosk", does: playAtTable },
    { name: "rules", path: "/rules" },
    { name: "rules-zeno", path: "/rules/zeno" },
  ];
}

/** @param {Scene} scene @param {number} width @param {number} height */
async function take({ name, path, guest, theme = "light", players, does }, width, height) {
  const others = [];
  for (const one of players?.guests ?? []) {
    const other = await Person.at(browser, server.address, { guest: one, preferences: { sounds: false, throwing: "auto" } });
    others.push(other);
    await other.goto(`/match/${players.id}`);
  }
  const preferences = { theme, motion: "none", sounds: false, throwing: "auto" };
  const person = await Person.at(browser, server.address, {
    guest, preferences, context: { viewport: { width, height }, reducedMotion: "reduce" } });
  await endTv(person.page, server);
  await person.goto(path);
  await person.page.locator("lusoria-head header, lusoria-kiosk main").waitFor();
  await does?.(person.page);
  await person.page.waitForLoadState("networkidle");
  await person.page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  const cdp = await person.context.newCDPSession(person.page);
  const { data } = await cdp.send("Page.captureScreenshot", { format: "webp", quality: QUALITY });
  await writeFile(join(FOLDER, `${name}-${width}x${height}.webp`), Buffer.from(data, "base64"));
  for (const one of [person, ...others]) await one.leave();
}

/** @param {Scene} scene */
const isWanted = ({ name }) => WANTED.length === 0 || WANTED.some((beginning) => name.startsWith(beginning));

try {
  if (WANTED.length === 0) await rm(FOLDER, { recursive: true, force: true });
  await mkdir(FOLDER, { recursive: true });
  const wanted = (await scenes()).filter(isWanted);
  for (const scene of wanted) for (const [width, height] of SIZES) await take(scene, width, height);
} finally {
  await browser.close();
  await server.end();
}
