// Players and watchers who speak the protocol of boardgame.io over Socket.IO, without its client's own copy of the
// game: that would only make the load heavier.

import { io } from "socket.io-client";

import { game } from "./game.js";

export async function match(url, { send, received }) {
  const api = `${url}/games/${game.name}`;
  const { matchID: id } = await post(`${api}/create`, { numPlayers: 2 });
  const players = [];
  let first;
  for (const playerID of ["0", "1"]) {
    const body = { playerID, playerName: playerID };
    const { playerCredentials: credentials } = await post(`${api}/${id}/join`, body);
    const player = connect(url);
    const turn = (state) => {
      const action = { type: "MAKE_MOVE", payload: { type: "turn", args: [], playerID, credentials } };
      player.emit("update", action, state._stateID, id, playerID);
    };
    player.on("update", (_, state) => {
      if (state.ctx.currentPlayer !== playerID) return;
      received();
      send(() => turn(state));
    });
    const state = await synchronised(player, id, playerID, credentials);
    if (state.ctx.currentPlayer === playerID) first = () => turn(state);
    players.push(player);
  }
  return { id, start: () => send(first) };
}

export async function watcher(url, id, seen) {
  const socket = connect(url);
  socket.on("update", seen);
  await synchronised(socket, id, null);
}

function connect(url) {
  return io(`${url}/${game.name}`, { transports: ["websocket"], forceNew: true });
}

/** The state of a match, from when on its updates come, too. */
function synchronised(socket, id, playerID, credentials) {
  return new Promise((resolve) => {
    socket.once("sync", (_, { state }) => resolve(state));
    socket.emit("sync", id, playerID, credentials, 2);
  });
}

async function post(url, body) {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  return answer.json();
}
