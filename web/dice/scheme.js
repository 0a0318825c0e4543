// The dice scheme lusoria-dice-v1: secrets, throws and the drawing of sides, computed with WebCrypto.
//
// Game g uses the secret s[g]. Hashed g times, s[g] gives s[0], the commitment that was published before the first
// throw.

/**
 * The public data of one game's dice.
 * @typedef {object} Public
 * @property {string} match its id
 * @property {number} game its number in the match, from 1
 * @property {[string, string]} seeds of seats 1 and 2
 */

/**
 * A throw of the scheme.
 * @typedef {object} Drawn
 * @property {number[]} dice in the order drawn
 * @property {string} input the input of the first HMAC block; the later ones end in |1, |2 …
 * @property {number[]} bytes all bytes read, skipped ones included
 */

/** The scheme's name, which is also the label of its throws. */
export const SCHEME = "lusoria-dice-v1";

/** The greatest number of a game: a chain has no more secrets. */
export const GAMES_MAX = 1024;

const LOT_LABEL = "lusoria-lot-v1";

/** The greatest multiple of six in a byte: bytes from there on are skipped. */
const SKIPPED_FROM = 252;

const text = new TextEncoder();

/** Whether this browser can compute hashes here: only on pages from a secure origin. */
export const computes = () => globalThis.crypto?.subtle !== undefined;

/** Encodes bytes as hexadecimal digits. @param {Iterable<number>} bytes */
export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** Decodes hexadecimal digits. @param {string} digits an even number of them */
export const unhex = (digits) =>
  Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

/** @param {Uint8Array<ArrayBuffer>} bytes */
export const sha256 = async (bytes) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));

/** The hash that commits a seat to its seed. @param {string} seed */
export const seedHash = async (seed) => hex(await sha256(text.encode(seed)));

/**
 * The secret of an earlier game, from that of a later one.
 * @param {string} secret in hexadecimal
 * @param {number} games how many games earlier
 */
export async function earlier(secret, games) {
  let bytes = unhex(secret);
  for (let game = 0; game < games; game++) bytes = await sha256(bytes);
  return hex(bytes);
}

/** A secret as a key. @param {string} secret in hexadecimal */
export const keyOf = (secret) =>
  crypto.subtle.importKey("raw", unhex(secret), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);

/**
 * Throw `index` (from 0) of a game.
 * @param {CryptoKey} key the game's secret
 * @param {Public} about
 * @param {number} index
 * @param {number} count the number of dice
 * @returns {Promise<Drawn>}
 */
export async function throwOf(key, about, index, count) {
  const input = inputOf(SCHEME, about, index);
  const dice = [];
  const bytes = [];
  for (let block = 0; dice.length < count; block++) {
    for (const byte of await blockOf(key, input, block)) {
      if (dice.length === count) break;
      bytes.push(byte);
      if (byte < SKIPPED_FROM) dice.push((byte % 6) + 1);
    }
  }
  return { dice, input: `${input}0`, bytes };
}

/**
 * Draws the seat that takes White (in a tafl game: the king).
 * @param {CryptoKey} key
 * @param {Public} about
 * @returns {Promise<{seat: 1 | 2, input: string, byte: number}>}
 */
export async function lotOf(key, about) {
  const input = inputOf(LOT_LABEL, about, 0);
  const [byte] = await blockOf(key, input, 0);
  return { seat: byte % 2 === 0 ? 1 : 2, input: `${input}0`, byte };
}

/** @param {string} label @param {Public} about @param {number} index */
const inputOf = (label, { match, game, seeds }, index) =>
  `${label}|${match}|${game}|${seeds[0]}|${seeds[1]}|${index}|`;

/** @param {CryptoKey} key @param {string} input @param {number} block */
const blockOf = async (key, input, block) =>
  new Uint8Array(await crypto.subtle.sign("HMAC", key, text.encode(input + block)));
