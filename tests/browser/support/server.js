// The real server as a process of its own, on a free port and with a database in a temporary folder.

import { execFile, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";

const BINARY = process.env.LUSORIA ?? join(import.meta.dirname, "../../../target/debug/lusoria");
const STARTS_WITHIN_MS = 30_000;

/** How often a request is repeated while the server is busy. */
const ASKED_MAX = 10;

/** Limits are not tested here. */
const UNLIMITED = ["--guest-requests-per-s", "100000", "--guest-burst", "100000", "--address-requests-per-s", "100000",
  "--address-burst", "100000", "--new-guests-per-hour", "100000"];

/** A server that can be stopped and started again at the same address. */
export class Server {
  /** @param {string[]} [flags] */
  static async start(flags = []) {
    const server = new Server();
    server.folder = await mkdtemp(join(tmpdir(), "lusoria-browser-"));
    server.flags = flags;
    server.port = 0;
    await server.again();
    return server;
  }

  /** Restarts it at the same address. */
  async again() {
    const args = ["serve", "--listen", `127.0.0.1:${this.port}`, "--database", join(this.folder, "lusoria.db"),
      "--log", "error", ...UNLIMITED, ...this.flags];
    const child = spawn(BINARY, args, { stdio: ["ignore", "pipe", "inherit"] });
    this.child = child;
    const lines = createInterface({ input: child.stdout });
    this.address = await new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error("the server did not start in time")), STARTS_WITHIN_MS).unref();
      child.once("exit", (code) => reject(new Error(`the server exited: ${code}`)));
      child.once("error", reject);
      lines.once("line", (line) => {
        clearTimeout(late);
        resolve(line.replace("lusoria listens on ", "").trim());
      });
    });
    this.port = Number(new URL(this.address).port);
  }

  /**
   * From now on browsers use a host name: without one there are no passkeys. Restarts the server for that, at the same
   * port.
   */
  async callByName() {
    await this.kill();
    const address = `http://localhost:${this.port}`;
    this.flags = [...this.flags, "--public-url", address];
    await this.again();
    this.address = address;
  }

  /** Runs `lusoria admin`. @param {string[]} args @returns {Promise<any>} its output */
  async admin(...args) {
    const all = ["admin", "--database", join(this.folder, "lusoria.db"), "--json", ...args];
    return JSON.parse((await promisify(execFile)(BINARY, all)).stdout);
  }

  /** Whether it is running. */
  get isRunning() {
    return this.child !== undefined && this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Kills it, like a power failure. */
  async kill() {
    const { child } = this;
    if (!this.isRunning) return;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await ended;
  }

  /** Stops it for ever. */
  async end() {
    await this.kill();
    await rm(this.folder, { recursive: true, force: true });
  }

  /**
   * Sends a request to the API; repeats it while the server is too busy. On a busy machine, hashing the passwords of a
   * few accounts is enough for that.
   * @param {string} method @param {string} path @param {any} [body] @param {string} [token]
   */
  async ask(method, path, body, token) {
    const headers = { "content-type": "application/json", ...(token ? { authorization: `Bearer ${token}` } : {}) };
    const send = () => fetch(`${this.address}/api/v1${path}`, { method, headers, body: JSON.stringify(body) });
    let answer = await send();
    for (let times = 1; answer.status === 503 && times < ASKED_MAX; times += 1) {
      const { retry_after_s: seconds } = await answer.json();
      await new Promise((resolve) => setTimeout(resolve, (seconds ?? 1) * 1_000));
      answer = await send();
    }
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  }
}
