// What players call out when they throw two dice (the traditional words).

const NAMES = ["yek", "dou", "ceh", "tchoar", "pench", "cheche"];
const DOUBLES = ["habyek", "doubara", "douceh", "derjeh", "doubech", "doucheche"];
/** As they are called beside another number. */
const MIXED = ["yek", "dou", "ceh", "jouhar", "benj", "chech"];

/**
 * A throw of two dice in words: "jouhar ou yek", "doubara".
 * @param {number[]} dice two, from 1 to 6
 */
export function throwCall(dice) {
  const [high, low] = [...dice].sort((a, b) => b - a);
  if (high === low) return DOUBLES[high - 1];
  if (high === 6 && low === 5) return "chech bech";
  return `${MIXED[high - 1]} ou ${MIXED[low - 1]}`;
}

/** What a single die is called: the opening throw. @param {number} die */
export const dieCall = (die) => NAMES[die - 1];
