// NDJSON over HTTP: lines are read whole, however they are cut; a silent stream has ended.

import assert from "node:assert/strict";
import { test } from "node:test";
import { stream } from "../../../web/api/stream.js";

const settled = () => new Promise((resolve) => setImmediate(resolve));

/**
 * Reads a fake server's stream.
 * @param {import("node:test").TestContext} t @param {ResponseInit} [how]
 */
function reading(t, how) {
  /** @type {ReadableStreamDefaultController<Uint8Array>} */
  let sent;
  let isLeft = false;
  const body = new ReadableStream({ start: (controller) => void (sent = controller), cancel: () => void (isLeft = true) });
  /** @type {any[]} */
  const asked = [];
  t.mock.method(globalThis, "fetch", async (/** @type {string} */ address, /** @type {RequestInit} */ request) => {
    asked.push([address, request.headers]);
    return how?.status ? new Response('{"code": "too_many_requests"}', how) : new Response(body);
  });
  /** @type {any[]} */
  const told = [];
  const left = new AbortController();
  const ended = stream("/tv", (line) => told.push(line), left.signal);
  const send = async (/** @type {string | Uint8Array} */ text) => {
    sent.enqueue(typeof text === "string" ? new TextEncoder().encode(text) : text);
    await settled();
  };
  return { asked, ended, left, send, told, end: () => sent.close(), fail: () => sent.error(new TypeError("network error")), isLeft: () => isLeft };
}

test("it requests NDJSON, and reads each line as it arrives", async (t) => {
  const { asked, ended, send, told, end } = reading(t);
  await settled();
  assert.deepEqual(asked, [["/api/v1/tv", { accept: "application/x-ndjson" }]]);
  await send('{"a": 1}\n{"a"');
  assert.deepEqual(told, [{ a: 1 }]);
  await send(": 2}\n\n\n");
  assert.deepEqual(told, [{ a: 1 }, { a: 2 }]);
  end();
  await ended;
});

test("a character that is cut in two is read whole", async (t) => {
  const { send, told, end, ended } = reading(t);
  const bytes = new TextEncoder().encode('{"name": "Ζήνων"}\n');
  await settled();
  await send(bytes.slice(0, 11));
  await send(bytes.slice(11));
  assert.deepEqual(told, [{ name: "Ζήνων" }]);
  end();
  await ended;
});

test("a broken stream has ended", async (t) => {
  const { fail, ended } = reading(t);
  await settled();
  fail();
  await ended;
});

test("a stream that is silent for longer than the server ever is has ended", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { ended, isLeft, send } = reading(t);
  await settled();
  t.mock.timers.tick(44_000);
  await send("\n");
  t.mock.timers.tick(44_999);
  await settled();
  assert.equal(isLeft(), false);
  t.mock.timers.tick(1);
  await ended;
  assert.equal(isLeft(), true);
});

test("an invalid line is treated as no response", async (t) => {
  const { ended, isLeft, send } = reading(t);
  const refused = assert.rejects(ended, { code: "offline" });
  await settled();
  await send("<html>\n");
  await refused;
  assert.equal(isLeft(), true, "nothing more is read");
});

test("a refusal says how long to wait", async (t) => {
  const { ended } = reading(t, { status: 429, headers: { "retry-after": "7" } });
  await assert.rejects(ended, { code: "too_many_requests", retryAfterS: 7 });
});
