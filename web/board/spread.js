// How thrown dice become dice to play.

/** What the number of uses beside dice of a kind takes, in dice with what lies between them. */
const USES = 0.62;

/** How much room dice take beside each other, in dice. @param {number[]} dice as thrown */
export const roomOf = (dice) => dice.length + (new Set(dice).size < dice.length ? USES : 0);

/**
 * The values of the dice to play, in the order of `states`: as thrown, those of a kind together
 * at the place of the first, which also get what a double is worth more.
 * @param {number[]} dice
 * @param {number} count how many there are to play
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
