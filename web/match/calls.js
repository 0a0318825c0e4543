// The traditional calls for throws of two dice.

const NAMES = ["yek", "dou", "ceh", "tchoar", "pench", "cheche"];
const DOUBLES = ["habyek", "doubara", "douceh", "derjeh", "doubech", "doucheche"];
/** The names of numbers beside another number. */
const MIXED = ["yek", "dou", "ceh", "jouhar", "benj", "chech"];

/**
 * The call of a throw of two dice: "jouhar ou yek", "doubara".
 * @param {number[]} dice two, from 1 to 6
 */
export function throwCall(dice) {
  const [high, low] = [...dice].sort((a, b) => b - a);
  if (high === low) return DOUBLES[high - 1];
  if (high === 6 && low === 5) return "chech bech";
  return `${MIXED[high - 1]} ou ${MIXED[low - 1]}`;
}

/** The name of a single die, for the opening throw. @param {number} die */
export const dieCall = (die) => NAMES[die - 1];
