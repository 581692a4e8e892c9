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
/**
 * Two sets of runs are apart where the gap between them is more than this part of what their medians differ by. Without
 * it, the one run at the other pace that happens to be a bit beyond the range of the other side would make them so.
 */
const GAP_PART = 0.1;
/** Of so many runs one may lie at the other pace; of fewer it may as well be that this is one of the program's paces. */
const RUNS_FOR_STRAY = 8;

/** Whether the noise is known from runs; else that of time is assumed. */
export function noiseIsKnown(baseline: readonly unknown[], candidate: readonly unknown[]): boolean {
  return Math.min(baseline.length, candidate.length) >= RUNS_FOR_NOISE;
}

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

/**
 * How far the medians of two sets may differ with the sets still not apart: how far the runs of each reach from its median
 * towards the other. An outlier that lies away from the other side makes no difference to it.
 */
export function reachOf(baseline: readonly number[], candidate: readonly number[]): number {
  const [one, other] = [baseline, candidate].map((runs) => runs.toSorted((a, b) => a - b)) as [
    number[],
    number[],
  ];
  const up = medianOf(other) >= medianOf(one);
  const [lower, upper] = up ? [one, other] : [other, one];
  const strays = (runs: readonly number[]): number => Math.floor(runs.length / RUNS_FOR_STRAY);
  const highest = lower[lower.length - 1 - strays(lower)] ?? 0;
  const lowest = upper[strays(upper)] ?? 0;
  return (highest - medianOf(lower) + medianOf(upper) - lowest) / (1 - GAP_PART);
}

function quantile(sorted: readonly number[], part: number): number {
  if (sorted.length === 0) return 0;
  const at = (sorted.length - 1) * part;
  const below = sorted[Math.floor(at)]!;
  const above = sorted[Math.ceil(at)]!;
  return below + (above - below) * (at - Math.floor(at));
}
