// Faults in a record's dice.

/**
 * A fault. `code` is one of those with a text in web/text (dice.fault.…), `params` the text's parameters.
 * @typedef {object} Fault
 * @property {string} code
 * @property {Record<string, string | number>} params
 */

/** The most faults that are kept: a wrong seed makes every throw wrong. */
const KEPT_MAX = 100;

/** The faults found until now. */
export class Faults {
  constructor() {
    /** @type {Fault[]} */
    this.kept = [];
    /** How many more faults there are. */
    this.more = 0;
  }

  /** @param {string} code @param {Record<string, string | number>} [params] */
  add(code, params = {}) {
    if (this.kept.length < KEPT_MAX) this.kept.push({ code, params });
    else this.more += 1;
  }

  /** First the faults of the record as a whole, then those of its events, in their order. */
  inOrder() {
    return this.kept.toSorted((a, b) => Number(a.params.seq ?? 0) - Number(b.params.seq ?? 0));
  }

  get any() {
    return this.kept.length > 0;
  }
}
