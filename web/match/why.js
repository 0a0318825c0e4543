// Explains why a piece cannot go: tries the steps that the player may have meant, and collects the refusals.

import { Problem } from "../api/rest.js";

/** @typedef {import("../game/moves.js").Step} Step */

/**
 * The reasons, each once.
 * @param {(step: Step) => Promise<unknown>} tries asks the server to play the step
 * @param {number[]} left the remaining dice; none in a game without dice
 * @param {string} from the mover's name of the place
 * @param {string} [to] its target; by default the places that the dice lead to
 * @returns {Promise<Problem[]>}
 */
export async function reasonsWhy(tries, left, from, to) {
  /** @type {Map<string, Problem>} */
  const reasons = new Map();
  const dice = new Set(left);
  for (const die of dice.size > 0 ? dice : [undefined]) {
    const refused = (/** @type {string} */ target) => refusal(tries, die === undefined ? { from, to: target } : { die, from, to: target });
    const problem = await refused(to ?? "off");
    const leads = to === undefined && problem?.reason?.code === "wrong_target";
    const expected = /** @type {any} */ (problem?.reason?.params)?.expected;
    const told = leads ? await refused(expected) : problem;
    if (told) reasons.set(told.message, told);
  }
  return [...reasons.values()];
}

/** @param {(step: Step) => Promise<unknown>} tries @param {Step} step */
async function refusal(tries, step) {
  try {
    await tries(step);
    return undefined;
  } catch (why) {
    return why instanceof Problem ? why : undefined;
  }
}
