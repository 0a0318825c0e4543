// Rooms of Socket.IO: who joins first plays with the second, and all others watch.

import { randomInt } from "node:crypto";
import { createServer } from "node:http";

import { Server } from "socket.io";

const http = createServer();
const matches = new Map();

new Server(http, { serveClient: false }).on("connection", (socket) => {
  socket.on("join", (id, watches, joined) => {
    if (!matches.has(id)) matches.set(id, { turns: 0, next: 0, players: [] });
    if (!watches) matches.get(id).players.push(socket);
    socket.join(id);
    joined();
  });
  socket.on("turn", (id) => {
    const match = matches.get(id);
    const seat = match.next;
    if (match.players[seat] !== socket) return;
    match.turns += 1;
    match.next = 1 - seat;
    const dice = Array.from({ length: 3 }, () => randomInt(1, 7));
    socket.nsp.to(id).emit("turned", { turn: match.turns, seat, dice });
  });
});

http.listen(0, "127.0.0.1", () => console.log(`listens on http://127.0.0.1:${http.address().port}`));
