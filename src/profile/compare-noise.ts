// biome-ignore-all lint/style/noNonNullAssertion: every index is below a length checked beside it

/** With fewer runs on a side than this, nothing is known of how runs differ. */
export const RUNS_FOR_NOISE = 3;

/**
 * How many standard errors two medians have to differ by. High, because a spread that is taken from a handful of runs
 * is itself uncertain: with five a side, runs of one program differ by more than this in less than one of 100 cases.
 */
const STANDARD_ERRORS = 4;
/**
 * Runs that scatter by more than this part of their median were disturbed by something, mostly for several of them in a
 * row. Then a set of runs may be all slow by chance, and it takes more to tell two sets apart.
 */
const DISTURBED_PART = 0.05;
const STANDARD_ERRORS_DISTURBED = 6;

/** The middle of some values, of an even number of them the middle of the two; 0 of none. */
export function medianOf(values: readonly number[]): number {
  return quantile(
    values.toSorted((a, b) => a - b),
    0.5,
  );
}

/**
 * The standard deviation of some runs, from the middle half of them, so that one run that was disturbed does not count.
 * The range between the quartiles of few values is narrower than that of many, which is made up for.
 */
export function spreadOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = quantile(sorted, 0.75) - quantile(sorted, 0.25);
  // 1.349 standard deviations of many values; the rest is within 7 % of the expectation for 3 values and more.
  return middle / (1.349 * (1 - 1.25 / Math.max(sorted.length, 2)));
}

/** By how much the medians of two sets of runs of one program may well differ. */
export function floorOf(baseline: readonly number[], candidate: readonly number[]): number {
  let variance = 0;
  let errors = STANDARD_ERRORS;
  for (const runs of [baseline, candidate]) {
    const spread = spreadOf(runs);
    // The variance of a median is about pi/2 times that of a mean.
    variance += ((Math.PI / 2) * spread ** 2) / Math.max(runs.length, 1);
    if (spread > DISTURBED_PART * Math.abs(medianOf(runs))) errors = STANDARD_ERRORS_DISTURBED;
  }
  return errors * Math.sqrt(variance);
}

function quantile(sorted: readonly number[], part: number): number {
  if (sorted.length === 0) return 0;
  const at = (sorted.length - 1) * part;
  const below = sorted[Math.floor(at)]!;
  const above = sorted[Math.ceil(at)]!;
  return below + (above - below) * (at - Math.floor(at));
}
