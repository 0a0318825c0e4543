// Players and watchers over the WebSocket of Lusoria, as api.md describes it: each player has a socket and a guest of
// their own, and plays legal turns of zeno at random.

import { once } from "node:events";

import { WebSocket } from "ws";

import { turn } from "./zeno.js";

/** A series does not end within a run; a single game is followed by another one. */
export async function match(url, { send, received, random, points }) {
  const players = [await Player.connect(url, 1), await Player.connect(url, 2)];
  const hooks = { send, received, random };

  const sitDown = async () => {
    const id = await players[0].create({ game: "zeno", points });
    await players[1].ask("join", { match: id });
    for (const player of players) await player.watch(id, hooks);
    return id;
  };
  const playOn = async () => {
    for (;;) {
      for (const player of players) player.play();
      await Promise.all(players.map((player) => player.ended));
      await sitDown();
    }
  };

  return { id: await sitDown(), start: playOn };
}

export async function watcher(url, id, seen) {
  const watching = await Connection.open(url);
  await watching.ask("hello", {});
  await watching.ask("watch", { match: id });
  watching.socket.on("message", (text) => {
    if (text.includes('"type":"turned"')) seen();
  });
}

/** Requests with their answers, and events. */
class Connection {
  asked = new Map();
  nextId = 1;

  static async open(url, ...of) {
    const opened = new this(...of);
    opened.socket = new WebSocket(`${url.replace("http", "ws")}/api/v1/socket`);
    opened.socket.on("message", (text) => opened.take(text));
    opened.socket.on("close", (code) => {
      throw new Error(`closed with ${code}`);
    });
    await once(opened.socket, "open");
    return opened;
  }

  ask(op, fields) {
    const id = this.nextId++;
    this.socket.send(JSON.stringify({ id, op, ...fields }));
    return new Promise((resolve) => this.asked.set(id, resolve));
  }

  take(text) {
    // Events are read by players only.
    if (!text.subarray(0, 6).includes('{"re":')) return this.event(text);
    const { re, ok, error } = JSON.parse(text);
    if (error) throw new Error(`refused: ${JSON.stringify(error)}`);
    this.asked.get(re)(ok);
    this.asked.delete(re);
  }

  event() {}
}

class Player extends Connection {
  constructor(seat) {
    super();
    this.seat = seat;
  }

  static async connect(url, seat) {
    const headers = { "content-type": "application/json" };
    const guest = await fetch(`${url}/api/v1/guests`, { method: "POST", headers, body: "{}" });
    const player = await Player.open(url, seat);
    await player.ask("hello", { token: (await guest.json()).token });
    return player;
  }

  async create(body) {
    return (await this.ask("http", { method: "POST", path: "/api/v1/matches", body })).match.id;
  }

  async watch(id, hooks) {
    const { snapshot: match } = await this.ask("watch", { match: id });
    Object.assign(this, { id, hooks, position: match.position, toPlay: match.to_play });
    this.ended = new Promise((resolve) => (this.end = resolve));
  }

  event(text) {
    const event = JSON.parse(text);
    if (event.match !== this.id) return;
    this.position = event.position ?? this.position;
    if (event.type === "turned" && event.seat !== this.seat) this.hooks.received();
    if (event.type === "thrown") {
      this.toPlay = event;
      this.play();
    }
    if (event.type === "match_ended") this.end();
  }

  /** Plays, if it is their turn and they have one. */
  play() {
    const { seat, side, seq, dice } = this.toPlay;
    if (seat !== this.seat) return;
    const steps = turn(this.position, side, dice, this.hooks.random);
    if (steps.length > 0) this.hooks.send(() => this.ask("turn", { match: this.id, seq, steps }));
  }
}
