// Valid records for the tests of the dice, made with Node's own hashes, not with the page's.

import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";

export const vectors = JSON.parse(readFileSync(new URL("./dice-v1.json", import.meta.url), "utf8"));

const COUNT = { zeno: 3, tavla: 2, scripta: 2, tabula: 3, tablut: 0 };
const SIDES = { tablut: ["defenders", "attackers"] };

const sha256 = (bytes) => createHash("sha256").update(bytes).digest();

/** s[g] of the vectors' chain. */
export function secretOf(game) {
  let secret = Buffer.from(vectors.s1024, "hex");
  for (let at = 1024; at > game; at--) secret = sha256(secret);
  return secret.toString("hex");
}

export function* bytesOf(label, match, game, seeds, index) {
  for (let block = 0; ; block++) {
    const text = [label, match, game, ...seeds, index, block].join("|");
    yield* createHmac("sha256", Buffer.from(secretOf(game), "hex")).update(text).digest();
  }
}

export function diceOf(match, game, seeds, index, count) {
  const dice = [];
  for (const byte of bytesOf("lusoria-dice-v1", match, game, seeds, index)) {
    if (dice.length === count) break;
    if (byte < 252) dice.push((byte % 6) + 1);
  }
  return dice;
}

const stepOf = (die) => ({ die, from: "1", to: "2" });

/** The record of a valid match: this many turns in each game, the last unfinished if wanted. */
export function recordOf({
  game = "zeno",
  turns = [4],
  open = false,
  side = "lot",
  seeds = [vectors.seed1, vectors.seed2],
  kinds = ["committed", "brought"],
  match = vectors.match,
} = {}) {
  const [whites, blacks] = SIDES[game] ?? ["white", "black"];
  const count = COUNT[game];
  const events = [];
  const secrets = {};
  const add = (type, more) => {
    const seq = events.length + 1;
    events.push({ match, seq, at: 1_000 + seq, type, ...more });
  };
  const seedOf = (seat) => {
    const seed = seeds[seat - 1];
    const kind = kinds[seat - 1];
    return kind === "committed" ? { kind, seed_hash: sha256(seed).toString("hex") } : { kind, seed };
  };
  add("created", { game, side, commitment: vectors.s0, seed: seedOf(1) });
  add("joined", { seed: seedOf(2) });
  if (kinds[0] === "committed") add("seed_revealed", { seat: 1, seed: seeds[0] });
  const first = bytesOf("lusoria-lot-v1", match, 1, seeds, 0).next().value % 2 === 0 ? 1 : 2;
  turns.forEach((many, at) => {
    const number = at + 1;
    const white = (first + at) % 2 === 1 ? 1 : 2;
    const seatOf = (name) => (name === whites ? white : 3 - white);
    add("game_started", { game_number: number, sides: { [white]: whites, [3 - white]: blacks } });
    let index = 0;
    let mover = whites;
    let waiting;
    if (game === "tavla") {
      do {
        waiting = diceOf(match, number, seeds, index, 2);
        const [one, two] = waiting;
        const begins = one === two ? undefined : one > two ? whites : blacks;
        add("opening_thrown", { throw: index++, white: one, black: two, begins });
        mover = begins;
      } while (!mover);
    }
    for (let turn = 0; turn < many; turn++) {
      const seat = seatOf(mover);
      if (!waiting && count > 0) {
        waiting = diceOf(match, number, seeds, index, count);
        add("thrown", { seat, side: mover, throw: index++, dice: waiting });
      }
      if (turn % 3 === 2 && count > 0) add("passed", { seat, side: mover });
      else add("turned", { seat, side: mover, steps: (waiting ?? []).map(stepOf) });
      waiting = undefined;
      mover = mover === whites ? blacks : whites;
    }
    if (open && number === turns.length) return;
    secrets[number] = secretOf(number);
    add("game_ended", { game_number: number, secret: secrets[number], reason: "resigned" });
  });
  if (!open) add("match_ended", { result: "won", winner_seat: 1 });
  const known = seeds.map((seed, at) => ({ kind: kinds[at] === "drawn" ? "drawn" : "brought", seed }));
  const published = { commitment: vectors.s0, secrets, seeds: { 1: known[0], 2: known[1] } };
  const dice = { scheme: "lusoria-dice-v1", ...published };
  const result = open ? undefined : { result: "won", winner_seat: 1 };
  return { format: "lusoria-record-1", match, game, side, points: turns.length, dice, events, result };
}
