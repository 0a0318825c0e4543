// The one socket of a page: how it reconnects.

import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { Connection } from "../../../web/api/socket.js";

/** The sockets that were opened. @type {FakeSocket[]} */
let sockets = [];

class FakeSocket extends EventTarget {
  static OPEN = 1;
  readyState = 1;
  sent = [];
  constructor() {
    super();
    sockets.push(this);
  }
  send(text) {
    this.sent.push(JSON.parse(text));
  }
  close() {
    this.readyState = 3;
  }
  /** Opens it, and sends the hello. */
  async greet(history = "one") {
    this.dispatchEvent(new Event("open"));
    await this.answer("hello", { server_time: 0, history });
  }
  /** Responds to the last request. @param {string} op @param {object} ok */
  async answer(op, ok) {
    await this.say(op, { ok });
  }
  /** Refuses the last request. @param {string} op @param {string} code */
  async refuse(op, code) {
    await this.say(op, { error: { code } });
  }
  /** @param {string} op @param {object} said */
  async say(op, said) {
    const { id } = this.sent.findLast((asked) => asked.op === op);
    this.dispatchEvent(new MessageEvent("message", { data: JSON.stringify({ re: id, ...said }) }));
    await settled();
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve));
const device = new EventTarget();
globalThis.addEventListener = device.addEventListener.bind(device);
globalThis.document = Object.assign(new EventTarget(), { visibilityState: "visible" });
globalThis.location = { protocol: "http:", host: "here" };
globalThis.WebSocket = FakeSocket;

/** @type {Connection} */
let connection;
/** The token. @type {string | null} */
let token;

beforeEach(() => {
  sockets = [];
  token = null;
  connection = new Connection(() => token);
});

afterEach(() => connection.close());

/** @param {import("node:test").TestContext} context */
function atNoTime(context) {
  context.mock.timers.enable({ apis: ["setTimeout", "Date"] });
}

test("a reader starts from a snapshot, and then resumes", async (context) => {
  atNoTime(context);
  const heard = [];
  let since;
  connection.watch("m", {
    since: () => since,
    onSnapshot: ({ head }) => heard.push(`snapshot ${(since = head)}`),
    onEvent: ({ seq }) => heard.push(`event ${(since = seq)}`),
    onResumed: () => heard.push("resumed"),
  });
  connection.open();
  await sockets[0].greet();
  await sockets[0].answer("watch", { snapshot: { head: 5 } });
  sockets[0].dispatchEvent(new MessageEvent("message", { data: JSON.stringify({ match: "m", seq: 6 }) }));
  sockets[0].dispatchEvent(new Event("close"));
  context.mock.timers.tick(500);
  await sockets[1].greet();
  assert.equal(sockets[1].sent.at(-1).since, 6);
  await sockets[1].answer("watch", { head: 6 });
  assert.deepEqual(heard, ["snapshot 5", "event 6", "resumed"]);
});

test("the pauses grow while there is no response", (context) => {
  atNoTime(context);
  context.mock.method(Math, "random", () => 1);
  connection.open();
  const pauses = [];
  for (let n = 0; n < 8; n += 1) {
    sockets.at(-1).dispatchEvent(new Event("close"));
    pauses.push(connection.retryAt - Date.now());
    context.mock.timers.tick(pauses[n]);
  }
  assert.deepEqual(pauses, [500, 1_000, 2_000, 4_000, 8_000, 16_000, 20_000, 20_000]);
});

test("after sleep, a connection that was silent for too long is dead, and reconnects at once", async (context) => {
  atNoTime(context);
  connection.open();
  await sockets[0].greet();
  document.dispatchEvent(new Event("visibilitychange"));
  assert.equal(sockets.length, 1, "the line is good");
  context.mock.timers.setTime(Date.now() + 30_000);
  document.dispatchEvent(new Event("visibilitychange"));
  assert.equal(sockets.length, 2);
  assert.equal(connection.line, "connecting");
});

test("a new name does not close the connection, another guest does", async () => {
  token = "a";
  connection.open();
  await sockets[0].greet();
  connection.reopen();
  assert.equal(sockets.length, 1);
  token = "b";
  connection.reopen();
  await sockets[1].greet();
  assert.equal(sockets[1].sent[0].token, "b");
});

test("a request on a connection that breaks fails as offline", async () => {
  connection.open();
  await sockets[0].greet();
  const asked = connection.ask("turn", {});
  sockets[0].dispatchEvent(new Event("close"));
  await assert.rejects(asked, { code: "offline" });
  await assert.rejects(connection.ask("turn", {}), { code: "offline" });
});

test("nothing is resumed if the journals were restored in between", async (context) => {
  atNoTime(context);
  const heard = [];
  connection.addEventListener("rewritten", () => heard.push("rewritten"));
  connection.watch("m", { since: () => 6, onSnapshot() {}, onEvent() {}, onResumed: () => heard.push("resumed") });
  connection.open();
  await sockets[0].greet();
  await sockets[0].answer("watch", { head: 6 });
  sockets[0].dispatchEvent(new Event("close"));
  context.mock.timers.tick(500);
  await sockets[1].greet("another");
  assert.deepEqual(heard, ["resumed", "rewritten"]);
  assert.equal(connection.line, "closed");
  assert.ok(sockets[1].sent.every(({ op }) => op !== "watch"), "what it knows is not asked for");
});

test("nothing is resumed if there are fewer events than the reader has", async () => {
  const heard = [];
  connection.addEventListener("rewritten", () => heard.push("rewritten"));
  connection.watch("m", { since: () => 6, onSnapshot() {}, onEvent() {}, onRefused: () => heard.push("refused") });
  connection.open();
  await sockets[0].greet();
  await sockets[0].refuse("watch", "ahead_of_journal");
  assert.deepEqual(heard, ["rewritten"]);
});
