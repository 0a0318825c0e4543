// The fixtures of a test file: a server, a browser, and people who leave after each test. Files share the server and
// the browser, unless they stop the server, count everything on it, or need the full browser.

import { launch, Person } from "./browser.js";
import { Server } from "./server.js";
import { Table } from "./table.js";
import { after, before } from "./test.js";

/** @typedef {import("node:test").TestContext} TestContext */
/** @typedef {{preferences?: object, guest?: object | null, context?: import("playwright-core").BrowserContextOptions}} How */

/** The password of all accounts made here. */
export const PASSWORD = "three rolls of the dice";

/** A resource that exists while a file uses it. @template T */
class Shared {
  users = 0;

  /** @param {() => Promise<T>} start @param {(it: T) => Promise<unknown>} end */
  constructor(start, end) {
    this.start = start;
    this.end = end;
  }

  /** @returns {Promise<T>} */
  take() {
    this.users += 1;
    this.it ??= this.start();
    return this.it;
  }

  /** The last user stops it. */
  async leave() {
    this.users -= 1;
    if (this.users > 0) return;
    const it = this.it;
    this.it = undefined;
    // A resource that failed to start has reported why.
    await it?.then(this.end, () => {});
  }
}

const sharedServer = new Shared(() => Server.start(), (server) => server.end());
const sharedBrowser = new Shared(launch, (browser) => browser.close());

export class Stage {
  /** @type {Server} */
  server;
  /** @type {import("playwright-core").Browser} */
  browser;

  /**
   * The fixtures for all tests of a file.
   * @param {object} [needs]
   * @param {() => Promise<unknown>} [needs.prepare] prepares the server, which is then the file's own
   * @param {boolean} [needs.alone] whether the file has its own server
   * @param {boolean} [needs.full] whether the file has its own full browser
   */
  constructor({ prepare, alone = prepare !== undefined, full = false } = {}) {
    const server = alone ? new Shared(() => Server.start(), (own) => own.end()) : sharedServer;
    const browser = full ? new Shared(() => launch({ full }), (own) => own.close()) : sharedBrowser;
    before(async () => {
      [this.server, this.browser] = await Promise.all([server.take(), browser.take()]);
      await prepare?.();
    });
    after(() => Promise.all([browser.leave(), server.leave()]));
    this.isShared = !alone;
  }

  /** Kills the server, until it is started again or the test ends. @param {TestContext} t */
  async killed(t) {
    if (this.isShared) throw new Error("a file that stops the server needs one of its own: new Stage({ alone: true })");
    t.after(() => this.server.isRunning || this.server.again());
    await this.server.kill();
  }

  /** A person, until the test ends. @param {TestContext} t @param {How} [how] */
  async person(t, how) {
    const person = await Person.at(this.browser, this.server.address, how);
    t.after(() => person.leave());
    return person;
  }

  /** A person with a page, until the test ends. @param {TestContext} t @param {How} [how] */
  async visitor(t, how) {
    const person = await this.person(t, how);
    return { person, page: person.page, goto: (/** @type {string} */ path) => person.goto(path) };
  }

  /** A guest of the server. @param {string} name */
  async guest(name) {
    const guest = await this.server.ask("POST", "/guests", { name });
    return { id: guest.id, name: guest.name, token: guest.token };
  }

  /** A person with an account. @param {string} name @param {string} handle */
  async account(name, handle) {
    const guest = await this.guest(name);
    await this.server.ask("POST", "/me/account", { handle, password: PASSWORD }, guest.token);
    return { ...guest, handle };
  }

  /**
   * A match that the first of two resigns.
   * @param {string} game @param {{token: string}} loser @param {{token: string}} winner @param {object} [terms]
   * @returns {Promise<string>} its id
   */
  async lost(game, loser, winner, terms = {}) {
    const body = { game, side: game === "tablut" ? "attackers" : "white", clock: { kind: "none" }, ...terms };
    const { match, invitation } = await this.server.ask("POST", "/matches", body, loser.token);
    if (invitation) await this.server.ask("POST", "/invitations/spend", { code: invitation.code }, winner.token);
    else await this.server.ask("POST", `/matches/${match.id}/join`, {}, winner.token);
    await this.server.ask("POST", `/matches/${match.id}/resign`, { scope: "match" }, loser.token);
    return match.id;
  }

  /**
   * A match between two guests without pages; the first has the side that is named first.
   * @param {string} game @param {object} [terms]
   */
  async match(game, terms = {}) {
    const guests = [await this.guest("Agathias"), await this.guest("Zeno")];
    const side = game === "tablut" ? "attackers" : "white";
    const body = { game, side, clock: { kind: "none" }, ...terms };
    const { match } = await this.server.ask("POST", "/matches", body, guests[0].token);
    await this.server.ask("POST", `/matches/${match.id}/join`, {}, guests[1].token);
    return { id: match.id, guests };
  }

  /** A guest with both sides of a match. @param {string} game @param {object} [terms] */
  async alone(game, terms = {}) {
    const guest = await this.guest("Agathias");
    const body = { game, admission: "both_seats", ...terms };
    const { match } = await this.server.ask("POST", "/matches", body, guest.token);
    return { id: match.id, guest };
  }

  /** A person at the page of a match. @param {TestContext} t @param {string} id @param {How} [how] */
  async at(t, id, how) {
    const person = await this.person(t, how);
    await person.goto(`/match/${id}`);
    const table = await new Table(person.page).ready();
    return { person, page: person.page, table };
  }

  /** The events of a match. @param {string} id @returns {Promise<any[]>} */
  async events(id) {
    return (await this.server.ask("GET", `/matches/${id}/events?since=0&limit=200`)).events;
  }

  /** A snapshot of a match. @param {string} id @returns {Promise<any>} */
  snapshot(id) {
    return this.server.ask("GET", `/matches/${id}`);
  }

  /** Plays the first legal turn of the player to move, without a page. @param {string} id @param {{id: string, token: string}[]} guests */
  async playOne(id, guests) {
    const { to_play: toPlay, players } = await this.snapshot(id);
    const { token } = guests.find((guest) => guest.id === players[toPlay.seat].id);
    /** @type {any[]} */
    const steps = [];
    for (;;) {
      const legal = await this.server.ask("POST", `/matches/${id}/legal`, { steps }, token);
      if (legal.complete) break;
      steps.push(legal.steps[0]);
    }
    return this.server.ask("POST", `/matches/${id}/turn`, { seq: toPlay.seq, steps }, token);
  }
}
