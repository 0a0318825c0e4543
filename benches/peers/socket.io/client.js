// Players and watchers with the client of Socket.IO.

import { randomUUID } from "node:crypto";

import { io } from "socket.io-client";

export async function match(url, { send, received }) {
  const id = randomUUID();
  const players = [await join(url, id, false), await join(url, id, false)];
  for (const [seat, player] of players.entries()) {
    player.on("turned", (turn) => {
      if (turn.seat === seat) return;
      received();
      send(() => player.emit("turn", id));
    });
  }
  return { id, start: () => send(() => players[0].emit("turn", id)) };
}

export async function watcher(url, id, seen) {
  (await join(url, id, true)).on("turned", seen);
}

async function join(url, id, watches) {
  const socket = io(url, { transports: ["websocket"], forceNew: true });
  await socket.emitWithAck("join", id, watches);
  return socket;
}
