// How thrown dice become dice to play.

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
