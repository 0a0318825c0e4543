// What the tests of a file stand on: one server, one browser, and people who leave after each test.

import { after, before } from "node:test";
import { Person, launch } from "./browser.js";
import { Server } from "./server.js";
import { Table } from "./table.js";

/** @typedef {import("node:test").TestContext} TestContext */
/** @typedef {{preferences?: object, guest?: object | null, context?: import("playwright-core").BrowserContextOptions}} How */

/** Of all accounts that are made here. */
export const PASSWORD = "three rolls of the dice";

export class Stage {
  /** @type {Server} */
  server;
  /** @type {import("playwright-core").Browser} */
  browser;

  /** For all tests of a file. @param {() => Promise<unknown>} [prepare] what they find on the server */
  constructor(prepare = async () => {}) {
    before(async () => {
      this.server = await Server.start();
      await prepare();
      this.browser = await launch();
    });
    after(async () => {
      await this.browser?.close();
      await this.server?.end();
    });
  }

  /** Kills the server, until it is started again or the test ends. @param {TestContext} t */
  async killed(t) {
    t.after(() => this.server.isRunning || this.server.again());
    await this.server.kill();
  }

  /** Somebody, until the test ends. @param {TestContext} t @param {How} [how] */
  async person(t, how) {
    const person = await Person.at(this.browser, this.server.address, how);
    t.after(() => person.leave());
    return person;
  }

  /** Somebody with a page, until the test ends. @param {TestContext} t @param {How} [how] */
  async visitor(t, how) {
    const person = await this.person(t, how);
    return { person, page: person.page, goto: (/** @type {string} */ path) => person.goto(path) };
  }

  /** A guest of the server. @param {string} name */
  async guest(name) {
    const guest = await this.server.ask("POST", "/guests", { name });
    return { id: guest.id, name: guest.name, token: guest.token };
  }

  /** Somebody with an account. @param {string} name @param {string} handle */
  async account(name, handle) {
    const guest = await this.guest(name);
    await this.server.ask("POST", "/me/account", { handle, password: PASSWORD }, guest.token);
    return { ...guest, handle };
  }

  /**
   * A match that the first of two ends by giving it up.
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
   * A match between two guests who are nowhere yet; the first has the side that is named first.
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

  /** Somebody at the page of a match. @param {TestContext} t @param {string} id @param {How} [how] */
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
