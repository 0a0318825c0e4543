// A room for a match: throws three dice, says who is next, and tells everybody. The state is synchronised as Colyseus
// does by default, twenty times a second.

import { randomInt } from "node:crypto";
import { createServer } from "node:http";

import { Room, Server } from "@colyseus/core";
import { schema } from "@colyseus/schema";
import { WebSocketTransport } from "@colyseus/ws-transport";

const State = schema({ turns: "uint32", next: "uint8", dice: ["uint8"] });

class Match extends Room {
  maxClients = 10_000;
  players = [];

  onCreate() {
    this.state = new State();
    Object.assign(this.state, { turns: 0, next: 0, dice: [0, 0, 0] });
    this.onMessage("turn", (client) => {
      const seat = this.state.next;
      if (this.players[seat] !== client.sessionId) return;
      this.state.turns += 1;
      this.state.next = 1 - seat;
      const dice = Array.from({ length: 3 }, () => randomInt(1, 7));
      this.state.dice = dice;
      this.broadcast("turned", { turn: this.state.turns, seat, dice });
    });
  }

  onJoin(client, { watches }) {
    if (!watches) this.players.push(client.sessionId);
  }
}

const http = createServer();
const server = new Server({ transport: new WebSocketTransport({ server: http }), greet: false });
server.define("match", Match);
await server.listen(0, "127.0.0.1");
console.log(`listens on http://127.0.0.1:${http.address().port}`);
