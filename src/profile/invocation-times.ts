// biome-ignore-all lint/style/noNonNullAssertion: every index is below a length checked beside it
import type { Distributions } from './distribution.ts';
import { percentileOf } from './percentile.ts';

/** Buckets shown of one distribution, at most. */
const SHOWN_BUCKETS = 8;

/** How a cost is spread over the single invocations of a function, in the unit of the event. */
export interface InvocationTimes {
  /** Invocations. */
  readonly count: number;
  readonly min: number;
  /** Percentiles are read from a histogram: off by less than 6.25 %. */
  readonly median: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
  readonly mean: number;
  /** Of the first invocation to return. */
  readonly first: number;
  /** Mean of all others; null where there are none. */
  readonly rest_mean: number | null;
  /** From the fastest to the slowest, those that hold any. */
  readonly buckets: TimeBucket[];
}

interface TimeBucket {
  readonly from: number;
  /** Exclusive, but of the last bucket, where it is the maximum. */
  readonly to: number;
  readonly count: number;
}

/**
 * The distribution of one function. `sum`: of all its invocations, raw; `perUnit`: raw units to a shown one. null for
 * a function without a recorded invocation.
 */
export function invocationTimes(
  times: Distributions,
  fn: number,
  sum: number,
  perUnit: number,
): InvocationTimes | null {
  const count = times.count(fn);
  if (count === 0) return null;
  const first = times.first(fn);
  const percentile = (part: number): number => percentileOf(times, fn, part) / perUnit;
  return {
    count,
    min: times.least(fn) / perUnit,
    median: percentile(0.5),
    p95: percentile(0.95),
    p99: percentile(0.99),
    max: times.most(fn) / perUnit,
    mean: sum / count / perUnit,
    first: first / perUnit,
    rest_mean: count === 1 ? null : (sum - first) / (count - 1) / perUnit,
    buckets: wideBuckets(times, fn).map(({ from, to, count: values }) => ({
      from: from / perUnit,
      to: to / perUnit,
      count: values,
    })),
  };
}

/** The buckets put together by doublings of the value, as many in each as it takes to have few of them. */
function wideBuckets(times: Distributions, fn: number): TimeBucket[] {
  const histogram = times.histogram(fn);
  const lowest = doublingOf(histogram.findIndex((count) => count > 0));
  const highest = doublingOf(histogram.findLastIndex((count) => count > 0));
  const step = Math.ceil((highest - lowest + 1) / SHOWN_BUCKETS);
  const counts = new Float64Array(SHOWN_BUCKETS);
  for (let bucket = 0; bucket < histogram.length; bucket++) {
    const count = histogram[bucket]!;
    if (count > 0) counts[Math.floor((doublingOf(bucket) - lowest) / step)]! += count;
  }
  const wide = Array.from(counts, (count, index) => ({
    from: startOf(lowest + index * step),
    to: startOf(lowest + (index + 1) * step),
    count,
  })).filter(({ count }) => count > 0);
  const last = wide.length - 1;
  return wide.map(({ from, to, count }, index) => ({
    from: index === 0 ? times.least(fn) : from,
    to: index === last ? times.most(fn) : to,
    count,
  }));
}

/** 0 for the value 0, 1 for 1, 2 for 2 and 3, 3 for 4 to 7: eight buckets to a doubling from there on. */
function doublingOf(bucket: number): number {
  return bucket < 8 ? 32 - Math.clz32(bucket) : (bucket >>> 3) + 3;
}

/** Smallest value of a doubling. */
function startOf(doubling: number): number {
  return doubling === 0 ? 0 : 2 ** (doubling - 1);
}
