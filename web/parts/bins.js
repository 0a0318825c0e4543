// Groups numbers into bins that are wide enough to see.

/** @typedef {{value: number, count: number}} CountOf */
/** @typedef {{from: number, to: number, count: number}} Bin both ends are included */

/** Widths that are easy to reckon with. */
const WIDTHS = [1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1_000, 2_000, 5_000];

/**
 * Bins of equal width, at most `most`, including empty ones between others.
 * @param {CountOf[]} histogram in ascending order
 * @param {number} most
 * @returns {Bin[]}
 */
export function binned(histogram, most) {
  if (histogram.length === 0) return [];
  const [first, last] = [histogram[0].value, histogram[histogram.length - 1].value];
  const binOf = (/** @type {number} */ value, /** @type {number} */ width) => Math.floor(value / width);
  const fits = (/** @type {number} */ width) => binOf(last, width) - binOf(first, width) < most;
  const width = WIDTHS.find(fits) ?? Math.ceil((last + 1) / most);
  const from = binOf(first, width);
  const bins = Array.from({ length: binOf(last, width) - from + 1 }, (_, index) => ({
    from: (from + index) * width,
    to: (from + index + 1) * width - 1,
    count: 0,
  }));
  for (const { value, count } of histogram) bins[binOf(value, width) - from].count += count;
  return bins;
}
