// Turns thrown dice into dice to play.

/** The width of the badge beside equal dice, in dice, with its gap. */
const USES = 0.62;

/** The width of dice in a row, in dice. @param {number[]} dice as thrown */
export const roomOf = (dice) => dice.length + (new Set(dice).size < dice.length ? USES : 0);

/**
 * The values of the dice to play, in the order of `states`: as thrown, with equal dice together at the place of the
 * first, and with the extra uses of a double.
 * @param {number[]} dice
 * @param {number} count the number of dice to play
 * @returns {number[]}
 */
export function spread(dice, count) {
  const values = [...new Set(dice)];
  const more = count - dice.length;
  return values.flatMap((value) => {
    const times = dice.filter((die) => die === value).length;
    return Array(times > 1 ? times + more : times).fill(value);
  });
}
