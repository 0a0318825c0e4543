// Players and watchers over bare WebSockets.

import { once } from "node:events";
import { randomUUID } from "node:crypto";

import { WebSocket } from "ws";

export async function match(url, { send, received }) {
  const id = randomUUID();
  const players = [await connect(url, id), await connect(url, id)];
  for (const [seat, player] of players.entries()) {
    const turn = JSON.stringify({ seat });
    player.on("message", (message) => {
      if (JSON.parse(message).seat === seat) return;
      received();
      send(() => player.send(turn));
    });
  }
  return { id, start: () => send(() => players[0].send('{"seat":0}')) };
}

export async function watcher(url, id, seen) {
  (await connect(url, id)).on("message", seen);
}

async function connect(url, id) {
  const socket = new WebSocket(`${url.replace("http", "ws")}/${id}`);
  await once(socket, "open");
  return socket;
}
