// Reads a record from any source: reports what is wrong with it and never throws.

import { factsOf } from "../game/games.js";
import { SCHEME } from "./scheme.js";

/** @typedef {import("./faults.js").Fault} Fault */
/** @typedef {Record<string, any>} Loose an object of unknown shape */

/** The longest file that is read: a match of a thousand turns takes a tenth of it. */
export const FILE_MAX = 10_000_000;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const HASH = /^[0-9a-f]{64}$/;
const SEED = /^[\x20-\x7b\x7d\x7e]{1,64}$/;

/** The number of dice in a throw of a game. @param {unknown} game @returns {number | undefined} */
export const diceOf = (game) => factsOf(game).dice;

/** @param {unknown} value @returns {value is string} */
export const isHash = (value) => typeof value === "string" && HASH.test(value);

/**
 * Whether a value is a seed: 1 to 64 printable characters of ASCII without "|".
 * @param {unknown} value
 * @returns {value is string}
 */
export const isSeed = (value) => typeof value === "string" && SEED.test(value);

/** @param {unknown} value @returns {value is number} */
export const isDie = (value) => isCount(value) && value >= 1 && value <= 6;

/** @param {unknown} value @returns {value is number} */
export const isCount = (value) => Number.isSafeInteger(value) && Number(value) >= 0;

/** @param {unknown} value @returns {value is 1 | 2} */
export const isSeat = (value) => value === 1 || value === 2;

/** @param {unknown} value @returns {value is Loose} */
export const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Reads a record from the text of a file.
 * @param {string} text
 * @returns {{record: unknown, fault?: undefined} | {record?: undefined, fault: Fault}}
 */
export function parse(text) {
  if (text.length > FILE_MAX) return { fault: { code: "too_big", params: { megabytes: FILE_MAX / 1e6 } } };
  try {
    return { record: JSON.parse(text) };
  } catch {
    return { fault: { code: "not_json", params: {} } };
  }
}

/**
 * Why a value is not the record of a match whose dice can be checked; none if it is one.
 * @param {unknown} record
 * @returns {Fault | undefined}
 */
export function shapeFault(record) {
  if (!isObject(record) || record.format !== "lusoria-record-1") return { code: "not_a_record", params: {} };
  const { match, game, dice, events } = record;
  if (isObject(dice) && typeof dice.scheme === "string" && dice.scheme !== SCHEME) {
    return { code: "other_scheme", params: { scheme: dice.scheme.slice(0, 64) } };
  }
  /** @type {[string, boolean][]} */
  const parts = [
    ["match", typeof match === "string" && UUID.test(match)],
    ["game", diceOf(game) !== undefined],
    ["dice", isObject(dice)],
    ["dice.scheme", dice?.scheme === SCHEME],
    ["dice.commitment", isHash(dice?.commitment)],
    ["dice.secrets", isObject(dice?.secrets)],
    ["dice.seeds", isObject(dice?.seeds)],
    ["events", Array.isArray(events) && events.every(isObject)],
  ];
  const broken = parts.find(([, sound]) => !sound);
  return broken && { code: "malformed", params: { part: broken[0] } };
}
