// What can be wrong with a record's dice.

/**
 * Something that is wrong. `code` is one of those for which web/text has words
 * (dice.fault.…), `params` what the words are filled with.
 * @typedef {object} Fault
 * @property {string} code
 * @property {Record<string, string | number>} params
 */

/** How many faults are kept: a wrong seed makes every throw wrong. */
const KEPT_MAX = 100;

/** The faults found so far. */
export class Faults {
  constructor() {
    /** @type {Fault[]} */
    this.kept = [];
    /** How many more there are. */
    this.more = 0;
  }

  /** @param {string} code @param {Record<string, string | number>} [params] */
  add(code, params = {}) {
    if (this.kept.length < KEPT_MAX) this.kept.push({ code, params });
    else this.more += 1;
  }

  /** What is wrong of all first, then what is wrong with the events, as they happened. */
  inOrder() {
    return this.kept.toSorted((a, b) => Number(a.params.seq ?? 0) - Number(b.params.seq ?? 0));
  }

  get any() {
    return this.kept.length > 0;
  }
}
