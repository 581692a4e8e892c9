// biome-ignore-all lint/style/noNonNullAssertion: every index is below a length checked beside it
import { bucketStart, type Distributions } from './distribution.ts';

/**
 * The value below which `part` (0 to 1) of a thing's values lie, in raw units; 0 where there are none. Exact for values
 * below 16 and at both ends, otherwise the middle of a bucket, which is off by less than 6.25 %.
 */
export function percentileOf(distributions: Distributions, thing: number, part: number): number {
  const count = distributions.count(thing);
  if (count === 0) return 0;
  const least = distributions.least(thing);
  const most = distributions.most(thing);
  // Nearest rank: the smallest value that has at least this many values up to it.
  const rank = Math.max(1, Math.ceil(part * count));
  if (rank === 1) return least;
  if (rank === count) return most;
  const histogram = distributions.histogram(thing);
  let before = 0;
  for (let bucket = 0; bucket < histogram.length; bucket++) {
    before += histogram[bucket]!;
    if (before < rank) continue;
    const start = bucketStart(bucket);
    const middle = (start + bucketStart(bucket + 1) - 1) / 2;
    return Math.min(Math.max(middle, least), most);
  }
  return most;
}
