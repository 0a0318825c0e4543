// A response that is read line by line: NDJSON over HTTP.

import { Problem, send } from "./rest.js";

/** The server sends an empty line every 15 seconds: a stream that is silent for longer is dead. */
const SILENCE_MS = 45_000;

/**
 * Reads a stream until it ends, is silent for too long, or is aborted.
 * @param {string} path below /api/v1
 * @param {(line: any) => void} told receives each line, parsed
 * @param {AbortSignal} signal aborts it
 * @returns {Promise<void>} at its end, for whatever reason
 * @throws {Problem} if the server refuses; `offline` if it cannot be reached or a line cannot be parsed
 */
export async function stream(path, told, signal) {
  const answer = await send(path, { headers: { accept: "application/x-ndjson" }, signal, cache: "no-store" });
  const reader = /** @type {ReadableStream<Uint8Array>} */ (answer.body).getReader();
  const leave = () => void reader.cancel().catch(() => {});
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const silence = setTimeout(leave, SILENCE_MS);
      const { done, value } = await reader.read().catch(cutOff).finally(() => clearTimeout(silence));
      if (done || signal.aborted) return;
      const lines = (rest + decoder.decode(value, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) if (line.trim() !== "") told(read(line));
    }
  } finally {
    leave();
  }
}

/** A broken stream has ended. @returns {{done: true, value: undefined}} */
const cutOff = () => ({ done: true, value: undefined });

/** @param {string} line */
function read(line) {
  try {
    return JSON.parse(line);
  } catch {
    // A proxy has responded instead of the server.
    throw new Problem({ code: "offline" });
  }
}
