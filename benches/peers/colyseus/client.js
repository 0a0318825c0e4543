// Players and watchers with the SDK of Colyseus.

import { Client } from "@colyseus/sdk";

export async function match(url, { send, received }) {
  const client = new Client(url);
  const first = await client.create("match", {});
  const players = [first, await client.joinById(first.roomId, {})];
  for (const [seat, player] of players.entries()) {
    player.onStateChange(() => {});
    player.onMessage("turned", (turn) => {
      if (turn.seat === seat) return;
      received();
      send(() => player.send("turn"));
    });
  }
  return { id: first.roomId, start: () => send(() => first.send("turn")) };
}

export async function watcher(url, id, seen) {
  const room = await new Client(url).joinById(id, { watches: true });
  room.onStateChange(() => {});
  room.onMessage("turned", seen);
}
