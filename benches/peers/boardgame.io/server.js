// The server of boardgame.io as its tutorial starts it, with matches in memory.

import boardgame from "boardgame.io/dist/cjs/server.js";

import { game } from "./game.js";

const server = boardgame.Server({ games: [game], origins: [/.*/] });
const { appServer } = await server.run({ port: { port: 0, host: "127.0.0.1" } });
console.log(`listens on http://127.0.0.1:${appServer.address().port}`);
