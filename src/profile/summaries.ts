// biome-ignore-all lint/style/noNonNullAssertion: every index is below a length checked beside it
import type { CostEvent, Section } from './profile.ts';

/** Wall times of several profiles add up, peaks of memory do not. */
export function joinSummaries(
  a: Float64Array,
  b: Float64Array,
  events: readonly CostEvent[],
): Float64Array {
  return a.map((value, e) => {
    return events[e]!.key === 'memory' ? Math.max(value, b[e]!) : value + b[e]!;
  });
}

/** The summary of several sections; null unless each has one. */
export function summaryOf(
  sections: readonly Section[],
  events: readonly CostEvent[],
): Float64Array | null {
  let whole: Float64Array | null = null;
  for (const { summary } of sections) {
    if (summary === null) return null;
    whole = whole === null ? summary.slice() : joinSummaries(whole, summary, events);
  }
  return whole;
}
