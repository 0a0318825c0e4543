// Compares the dice of a match with fair dice.

/** @typedef {import("./check.js").CheckedGame} CheckedGame */

/**
 * The dice of a player.
 * @typedef {object} Fall
 * @property {number[]} faces how often each of 1 to 6 came
 * @property {number} dice the number of dice
 * @property {number} throws throws for a turn; an opening throw has one die each
 * @property {number} pairs throws with exactly two dice alike
 * @property {number} triples
 * @property {number} average the mean of a die; 0 without dice
 */

/** The mean of a fair die. */
export const AVERAGE = 3.5;

/** The fewest dice for the chi-squared test: five expected of each face. */
export const ENOUGH = 30;

/** The share of throws in which exactly two, or three, dice are alike. @param {number} dice in a throw */
export const alike = (dice) =>
  dice === 3 ? { pairs: 15 / 36, triples: 1 / 36 } : { pairs: dice === 2 ? 1 / 6 : 0, triples: 0 };

/**
 * The dice of each seat, and those of both.
 * @param {CheckedGame[]} games
 * @returns {{1: Fall, 2: Fall, both: Fall}}
 */
export function falls(games) {
  const one = new Counting();
  const two = new Counting();
  for (const game of games) {
    for (const thrown of game.throws) {
      if (thrown.again) continue;
      if (thrown.kind === "turn") {
        (thrown.seat === 1 ? one : two).thrown(thrown.dice);
        continue;
      }
      const [white, black] = thrown.dice;
      one.die(game.white === 1 ? white : black);
      two.die(game.white === 1 ? black : white);
    }
  }
  return { 1: one.fall(), 2: two.fall(), both: one.with(two).fall() };
}

class Counting {
  faces = [0, 0, 0, 0, 0, 0];
  throws = 0;
  pairs = 0;
  triples = 0;

  /** @param {number} face */
  die(face) {
    this.faces[face - 1] += 1;
  }

  /** @param {number[]} dice */
  thrown(dice) {
    dice.forEach((face) => this.die(face));
    this.throws += 1;
    const different = new Set(dice).size;
    if (dice.length === 3 && different === 1) this.triples += 1;
    else if (different < dice.length) this.pairs += 1;
  }

  /** @param {Counting} other */
  with(other) {
    const both = new Counting();
    both.faces = this.faces.map((count, face) => count + other.faces[face]);
    both.throws = this.throws + other.throws;
    both.pairs = this.pairs + other.pairs;
    both.triples = this.triples + other.triples;
    return both;
  }

  /** @returns {Fall} */
  fall() {
    const { faces, throws, pairs, triples } = this;
    const dice = faces.reduce((sum, count) => sum + count, 0);
    const pips = faces.reduce((sum, count, face) => sum + count * (face + 1), 0);
    return { faces, dice, throws, pairs, triples, average: dice ? pips / dice : 0 };
  }
}

/**
 * The p-value of the chi-squared test on the six faces: the probability that fair dice fall as unevenly as these, or
 * more; none if there are too few dice.
 * @param {number[]} faces
 */
export function chance(faces) {
  const dice = faces.reduce((sum, count) => sum + count, 0);
  if (dice < ENOUGH) return undefined;
  const expected = dice / 6;
  return beyond(faces.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0));
}

/** The probability that chi-squared with five degrees of freedom is at least this great. @param {number} x */
const beyond = (x) =>
  erfc(Math.sqrt(x / 2)) + Math.sqrt((2 * x) / Math.PI) * Math.exp(-x / 2) * (1 + x / 3);

/** The complementary error function to one part in ten million. @param {number} x at least 0 */
function erfc(x) {
  const t = 1 / (1 + x / 2);
  const terms = [
    -1.26551223, 1.00002368, 0.37409196, 0.09678418, -0.18628806, 0.27886807, -1.13520398, 1.48851587,
    -0.82215223, 0.17087277,
  ];
  return t * Math.exp(-x * x + terms.reduceRight((sum, term) => sum * t + term, 0));
}
