// biome-ignore-all lint/style/noNonNullAssertion: every index is below a length checked beside it
import { bucketOf, bucketStart } from './distribution.ts';
import { percentileOf } from './percentile.ts';
import type { Profile } from './profile.ts';

/** A line from which single invocations of the caller made many calls of the same function. */
export interface RepeatingSite {
  /** Row of `profile.sites`. */
  readonly site: number;
  /** Invocations of the caller that called from here at all. */
  readonly invocations: number;
  /** Of these, the ones that made at least as many calls as was asked for. */
  readonly repeating: number;
  /** Calls made by the repeating ones. */
  readonly repeatedCalls: number;
  /** Calls made by one invocation: most, and median of those that called from here. */
  readonly most: number;
  readonly median: number;
}

/** Calls spread over many invocations are no loop: at least this part has to come from the repeating ones. */
const REPEATED_PART = 0.5;

/**
 * The call sites where one invocation of the caller made at least `minCalls` calls, in most of the calls made there.
 * Empty for aggregated files, which do not tell single invocations.
 */
export function repeatingSites({ sites }: Profile, minCalls: number): RepeatingSite[] {
  const { perInvocation } = sites;
  if (perInvocation === null) return [];
  const found: RepeatingSite[] = [];
  for (let site = 0; site < sites.size; site++) {
    const most = perInvocation.most(site);
    if (most < minCalls) continue;
    const { repeating, repeatedCalls } = repeatedAt(perInvocation.histogram(site), {
      calls: sites.calls[site]!,
      most,
      minCalls,
    });
    if (repeatedCalls < sites.calls[site]! * REPEATED_PART) continue;
    found.push({
      site,
      invocations: perInvocation.count(site),
      repeating,
      repeatedCalls,
      most,
      median: percentileOf(perInvocation, site, 0.5),
    });
  }
  return found;
}

/**
 * Counted are the buckets that lie above `minCalls` as a whole, and the one of the most calls. Exact up to 16; above,
 * invocations in the same bucket as `minCalls` are not counted, so that repetition is never overstated.
 */
function repeatedAt(
  histogram: Uint32Array,
  { calls, most, minCalls }: { calls: number; most: number; minCalls: number },
): { repeating: number; repeatedCalls: number } {
  const last = Math.min(bucketOf(most), histogram.length - 1);
  let repeating = 0;
  let otherCalls = 0;
  for (let bucket = 0; bucket <= last; bucket++) {
    const count = histogram[bucket]!;
    if (count === 0) continue;
    if (bucketStart(bucket) >= minCalls || bucket === last) repeating += count;
    // The greatest value of the bucket: what others made is not understated.
    else otherCalls += count * (bucketStart(bucket + 1) - 1);
  }
  return { repeating, repeatedCalls: Math.max(calls - otherCalls, most) };
}
