/**
 * Distributions with a fixed number of buckets whose width grows with the value: eight to each doubling, so a
 * value read back from its bucket is off by less than 6.25 %. Values below 16 have a bucket each.
 */

const PER_DOUBLING_BITS = 3;
const PER_DOUBLING = 1 << PER_DOUBLING_BITS;
/** Values from 2^40 up (three hours in units of 10 ns) share the last bucket; extremes are kept exactly elsewhere. */
const DOUBLINGS = 40;

export const BUCKETS = PER_DOUBLING * (DOUBLINGS - PER_DOUBLING_BITS + 1);

/** The bucket of a value; what is not above 0 (old clocks step back) falls into the first. */
export function bucketOf(value: number): number {
  if (value < PER_DOUBLING) return value > 0 ? value | 0 : 0;
  if (value < 0x80000000) return bucketOfInt(value | 0);
  const bucket = bucketOfInt(Math.min(value / 0x1000000, 0x7fffffff) | 0) + 24 * PER_DOUBLING;
  return bucket < BUCKETS ? bucket : BUCKETS - 1;
}

function bucketOfInt(value: number): number {
  const shift = 31 - Math.clz32(value) - PER_DOUBLING_BITS;
  return (shift << PER_DOUBLING_BITS) + (value >>> shift);
}

/** Smallest value of a bucket. */
export function bucketStart(bucket: number): number {
  if (bucket < 2 * PER_DOUBLING) return bucket;
  const shift = (bucket >>> PER_DOUBLING_BITS) - 1;
  return ((bucket & (PER_DOUBLING - 1)) + PER_DOUBLING) * 2 ** shift;
}
