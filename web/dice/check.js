// Checks the dice of a record against the scheme.

import { Faults } from "./faults.js";
import { isHash, shapeFault } from "./read.js";
import { GAMES_MAX, earlier, keyOf, lotOf, seedHash, throwOf } from "./scheme.js";
import { walk } from "./walk.js";

/** @typedef {import("./faults.js").Fault} Fault */
/** @typedef {import("./read.js").Loose} Loose */
/** @typedef {import("./walk.js").Seed} Seed */
/** @typedef {import("./walk.js").Thrown} Thrown */
/** @typedef {import("./walk.js").Walked} Walked */

/**
 * What this device kept before the first throw.
 * @typedef {{seed?: unknown, commitment?: unknown}} Kept
 */

/** @typedef {Thrown & {drawn?: import("./scheme.js").Drawn, fits?: boolean}} CheckedThrow */

/**
 * @typedef {object} CheckedGame
 * @property {number} number
 * @property {boolean} ended
 * @property {string | undefined} secret once it is published
 * @property {boolean | undefined} holds whether the secret leads to the commitment
 * @property {{seat: 1 | 2, recorded: 1 | 2, input: string, byte: number, fits: boolean} | undefined} lot
 * the drawing of White's seat, if it was drawn
 * @property {1 | 2} white
 * @property {CheckedThrow[]} throws
 */

/** @typedef {Seed & {hashFits?: boolean}} CheckedSeed */

/**
 * @typedef {object} Verdict
 * @property {"true" | "false" | "open" | "nothing" | "unreadable"} result `open`: everything checked holds, but a
 *   secret is not published yet; `nothing`: there is nothing to check
 * @property {Fault[]} faults
 * @property {number} faultsMore
 * @property {string} match
 * @property {string} game
 * @property {string} commitment
 * @property {{1?: CheckedSeed, 2?: CheckedSeed}} seeds
 * @property {boolean} brought whether a player brought a seed
 * @property {{commitment?: boolean, seed?: boolean}} kept whether the data on this device agrees, where there is any
 * @property {CheckedGame[]} games
 * @property {number} throws how many are recorded
 * @property {number} checked how many could be computed
 */

/** Throws that are computed in parallel. */
const BATCH = 64;

/** The most games whose wrong secret is compared with those of the other games. */
const SOUGHT_MAX = 3;

/**
 * Checks a record. Returns a verdict for any input.
 * @param {unknown} record
 * @param {Kept | null} [kept]
 * @returns {Promise<Verdict>}
 */
export async function check(record, kept = null) {
  const shape = shapeFault(record);
  if (shape) return unreadable(shape);
  const sound = /** @type {Loose} */ (record);
  const faults = new Faults();
  const { games, seeds, over } = walk(sound, faults);
  compareSeeds(sound, seeds, faults);
  const promised = await checkHashes(seeds, faults);
  const checking = new Checking(sound, promised, faults);
  const judged = await checking.all(games);
  checkStray(sound, games, faults);
  const agrees = compareKept(kept, sound.dice.commitment, promised, faults);
  const throws = judged.flatMap((game) => game.throws);
  const open = judged.some((game) => !game.ended) || (!over && judged.length === 0);
  const something = throws.length > 0 || judged.some((game) => game.lot);
  return {
    result: faults.any ? "false" : open ? "open" : something ? "true" : "nothing",
    faults: faults.inOrder(),
    faultsMore: faults.more,
    match: sound.match,
    game: sound.game,
    commitment: sound.dice.commitment,
    seeds: promised,
    brought: [promised[1], promised[2]].some((seed) => seed?.kind === "brought"),
    kept: agrees,
    games: judged,
    throws: throws.length,
    checked: throws.filter((thrown) => thrown.drawn).length,
  };
}

/** The verdict on something that is no record. @param {Fault} fault @returns {Verdict} */
export const unreadable = (fault) => ({
  result: "unreadable",
  faults: [fault],
  faultsMore: 0,
  match: "",
  game: "",
  commitment: "",
  seeds: {},
  brought: false,
  kept: {},
  games: [],
  throws: 0,
  checked: 0,
});

/**
 * Compares the seeds outside the events with those in the events.
 * @param {Loose} record
 * @param {{1?: Seed, 2?: Seed}} seeds
 * @param {Faults} faults
 */
function compareSeeds(record, seeds, faults) {
  for (const seat of /** @type {const} */ ([1, 2])) {
    const framed = record.dice.seeds[seat];
    const known = seeds[seat];
    if (!known && framed === undefined) continue;
    const same = framed?.seed === known?.seed && (framed?.kind === "drawn") === (known?.kind === "drawn");
    if (!same) faults.add("seed_differs", { seat });
  }
}

/** @param {{1?: Seed, 2?: Seed}} seeds @param {Faults} faults */
async function checkHashes(seeds, faults) {
  /** @type {{1?: CheckedSeed, 2?: CheckedSeed}} */
  const checked = {};
  for (const seat of /** @type {const} */ ([1, 2])) {
    const known = seeds[seat];
    if (!known) continue;
    checked[seat] = { ...known };
    if (known.hash === undefined || known.seed === undefined) continue;
    const hashFits = (await seedHash(known.seed)) === known.hash;
    checked[seat].hashFits = hashFits;
    if (!hashFits) faults.add("seed_hash", { seat });
  }
  return checked;
}

/** @param {Loose} record @param {Walked[]} games @param {Faults} faults */
function checkStray(record, games, faults) {
  const ended = new Set(games.filter((game) => game.ended).map((game) => String(game.number)));
  for (const number of Object.keys(record.dice.secrets)) {
    if (!ended.has(number)) faults.add("secret_stray", { game: number.slice(0, 20) });
  }
}

/**
 * @param {Kept | null} kept
 * @param {string} commitment
 * @param {{1?: CheckedSeed, 2?: CheckedSeed}} seeds
 * @param {Faults} faults
 */
function compareKept(kept, commitment, seeds, faults) {
  /** @type {{commitment?: boolean, seed?: boolean}} */
  const agrees = {};
  if (isHash(kept?.commitment)) {
    agrees.commitment = kept.commitment === commitment;
    if (!agrees.commitment) faults.add("kept_commitment");
  }
  const told = [seeds[1], seeds[2]].filter((seed) => seed !== undefined);
  if (typeof kept?.seed === "string" && told.every((seed) => seed.seed !== undefined) && told.length === 2) {
    agrees.seed = told.some((seed) => seed.kind === "brought" && seed.seed === kept.seed);
    if (!agrees.seed) faults.add("kept_seed");
  }
  return agrees;
}

/** Checks the games of a record one after the other. */
class Checking {
  /** @param {Loose} record @param {{1?: CheckedSeed, 2?: CheckedSeed}} seeds @param {Faults} faults */
  constructor(record, seeds, faults) {
    this.record = record;
    this.faults = faults;
    const one = seeds[1]?.seed;
    const two = seeds[2]?.seed;
    /** @type {[string, string] | undefined} */
    this.seeds = one !== undefined && two !== undefined ? [one, two] : undefined;
    /** The last secret that leads to the commitment: all later ones are hashed down to it. */
    this.trusted = { game: 0, secret: record.dice.commitment };
    this.sought = 0;
  }

  /** @param {Walked[]} games */
  async all(games) {
    const judged = [];
    for (const game of games) judged.push(await this.one(game));
    return judged;
  }

  /** @param {Walked} game @returns {Promise<CheckedGame>} */
  async one(game) {
    const { number, ended, white } = game;
    const secret = this.secretOf(game);
    const holds = secret === undefined ? undefined : await this.holds(number, secret);
    /** @type {CheckedGame} */
    const checked = { number, ended, white, secret, holds, lot: undefined, throws: game.throws };
    if (secret === undefined || !this.seeds) return checked;
    const key = await keyOf(secret);
    const about = { match: this.record.match, game: number, seeds: this.seeds };
    if (number === 1 && this.record.side === "lot") {
      const { seat, input, byte } = await lotOf(key, about);
      checked.lot = { seat, recorded: white, input, byte, fits: seat === white };
      if (seat !== white) this.faults.add("lot", { expected: seat, found: white });
    }
    checked.throws = [];
    for (let from = 0; from < game.throws.length; from += BATCH) {
      const batch = game.throws.slice(from, from + BATCH);
      const drawn = await Promise.all(
        batch.map((thrown) => throwOf(key, about, thrown.index, thrown.dice.length)),
      );
      batch.forEach((thrown, at) => checked.throws.push(this.compare(number, thrown, drawn[at])));
    }
    return checked;
  }

  /** @param {number} game @param {Thrown} thrown @param {import("./scheme.js").Drawn} drawn */
  compare(game, thrown, drawn) {
    const fits = thrown.dice.every((die, at) => die === drawn.dice[at]);
    if (!fits) {
      this.faults.add("throw", {
        game,
        seq: thrown.seq,
        throw: thrown.index + 1,
        recorded: thrown.dice.join(" "),
        expected: drawn.dice.join(" "),
      });
    }
    return { ...thrown, drawn, fits };
  }

  /** The secret of a game, if it is published and well-formed. @param {Walked} game */
  secretOf({ number, ended, secret }) {
    if (!ended) return undefined;
    if (!isHash(secret)) {
      this.faults.add("secret_missing", { game: number });
      return undefined;
    }
    if (this.record.dice.secrets[number] !== secret) this.faults.add("secret_differs", { game: number });
    return secret;
  }

  /** Whether a secret leads to the commitment. @param {number} game @param {string} secret */
  async holds(game, secret) {
    if (game > GAMES_MAX) {
      this.faults.add("game_beyond", { game, most: GAMES_MAX });
      return false;
    }
    const { trusted } = this;
    if ((await earlier(secret, game - trusted.game)) === trusted.secret) {
      this.trusted = { game, secret };
      return true;
    }
    const other = await this.belongsTo(secret);
    if (other) this.faults.add("secret_of_other", { game, other });
    else this.faults.add("secret_chain", { game });
    return false;
  }

  /** The game to which a secret belongs, if it is of this match. @param {string} secret */
  async belongsTo(secret) {
    if (this.sought++ >= SOUGHT_MAX) return undefined;
    let at = secret;
    for (let game = 0; game <= GAMES_MAX; game++) {
      if (at === this.record.dice.commitment) return game;
      at = await earlier(at, 1);
    }
    return undefined;
  }
}

