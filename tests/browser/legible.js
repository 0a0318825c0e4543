// Renders dice as seen from afar: `node legible.js FOLDER` takes sixty, of all games, at three screen sizes, light and
// dark, played and not, scaled to a third. Read `dice.png` by eye; `dice.json` has the values.

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Person, launch } from "./support/browser.js";
import { Random, SEED } from "./support/random.js";
import { Server } from "./support/server.js";

const FOLDER = process.argv[2] ?? "legible";
const SIZES = [[390, 844], [1440, 900], [2560, 1440]];
const DICE = { zeno: 3, scripta: 2, tabula: 3, tavla: 2 };
const STATES = ["ready", "played", "unplayable"];
const AROUND_PX = 30;

const server = await Server.start();
const browser = await launch();
const random = new Random();
console.log(`SEED=${SEED}`);
const told = [];
const shots = [];
await mkdir(FOLDER, { recursive: true });
try {
  for (const [game, count] of Object.entries(DICE)) {
    const guest = await server.ask("POST", "/guests", { name: "Agathias" });
    const { match } = await server.ask("POST", "/matches", { game, admission: "both_seats" }, guest.token);
    for (const [width, height] of SIZES) {
      for (const theme of ["light", "dark"]) {
        const preferences = { theme, motion: "none", sounds: false, throwing: "auto" };
        const person = await Person.at(browser, server.address, { guest, preferences, context: { viewport: { width, height } } });
        await person.goto(`/match/${match.id}`);
        const thrown = person.page.locator("lusoria-board lusoria-dice");
        await thrown.locator(".faces svg").first().waitFor();
        await person.page.waitForLoadState("networkidle");
        const dice = Array.from({ length: count }, () => random.pick([1, 2, 3, 4, 5, 6]));
        const side = random.pick(["white", "black"]);
        const states = [...new Set(dice)].flatMap((value) => {
          const state = random.pick(STATES);
          const count = dice.filter((die) => die === value).length;
          return Array(count > 1 ? 2 * count : 1).fill(state);
        });
        await thrown.evaluate((element, shown) => Object.assign(element, shown).updateComplete, { dice, states, side });
        const { x, y, width: w, height: h } = await thrown.boundingBox();
        const clip = { x: x - AROUND_PX, y: y - AROUND_PX, width: w + 2 * AROUND_PX, height: h + 2 * AROUND_PX };
        shots.push((await person.page.screenshot({ clip })).toString("base64"));
        told.push({ game, width, theme, side, dice, states });
        await person.leave();
      }
    }
  }
  await writeFile(join(FOLDER, "dice.json"), told.map((each) => JSON.stringify(each)).join("\n"));
  const page = await browser.newPage({ viewport: { width: 560, height: 400 } });
  await page.setContent(shots.map((shot) => `<img src="data:image/png;base64,${shot}" style="zoom: 0.33333">`).join("\n"));
  await page.screenshot({ path: join(FOLDER, "dice.png"), fullPage: true });
} finally {
  await browser.close();
  await server.end();
}
