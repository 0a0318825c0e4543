// A bare echo: whatever comes goes back and on to all others on the same path.

import { WebSocketServer } from "ws";

const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
const rooms = new Map();

server.on("connection", (socket, { url }) => {
  if (!rooms.has(url)) rooms.set(url, new Set());
  const room = rooms.get(url).add(socket);
  socket.on("message", (message) => {
    for (const each of room) each.send(message, { binary: false });
  });
});
server.on("listening", () => console.log(`listens on http://127.0.0.1:${server.address().port}`));
