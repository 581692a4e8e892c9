// biome-ignore-all lint/style/noNonNullAssertion: every index is below a length checked beside it
import { grown } from './arrays.ts';

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

/**
 * One distribution for each of many things (functions, call sites), with its extremes and the first value exactly. The
 * buckets of a thing are made at its second value: half of the functions of a program run once.
 */
export class Distributions {
  private readonly buckets: number;
  /** Values added, by thing. */
  count = new Uint32Array(256);
  least = new Float64Array(256);
  most = new Float64Array(256);
  first = new Float64Array(256);
  /** Where the buckets of a thing begin in `counts`, in rows of `buckets`; valid from the second value on. */
  private row = new Int32Array(256);
  private counts: Uint32Array<ArrayBuffer>;
  private rows = 0;

  /** `buckets`: how many of BUCKETS; values beyond fall into the last. */
  constructor(buckets: number) {
    this.buckets = buckets;
    this.counts = new Uint32Array(64 * buckets);
  }

  add(thing: number, value: number): void {
    if (thing >= this.count.length) this.grow(thing + 1);
    const count = ++this.count[thing]!;
    if (count === 1) {
      this.least[thing] = this.most[thing] = this.first[thing] = value;
      return;
    }
    if (count === 2) {
      // The only value so far is the least and the most; the first may have been set to another since.
      const at = this.addRow(thing);
      this.counts[at + this.bucket(this.least[thing]!)] = 1;
    }
    if (value < this.least[thing]!) this.least[thing] = value;
    else if (value > this.most[thing]!) this.most[thing] = value;
    this.counts[this.row[thing]! * this.buckets + this.bucket(value)]! += 1;
  }

  /** Adds all values of a thing of another table with as many buckets. */
  merge(thing: number, from: Distributions, source: number): void {
    const added = from.count[source]!;
    if (added === 0) return;
    if (thing >= this.count.length) this.grow(thing + 1);
    const before = this.count[thing]!;
    const values = from.histogram(source);
    const sums = this.histogram(thing).map((count, i) => count + values[i]!);
    if (before === 0) this.first[thing] = from.first[source]!;
    this.least[thing] = Math.min(before === 0 ? Infinity : this.least[thing]!, from.least[source]!);
    this.most[thing] = Math.max(before === 0 ? -Infinity : this.most[thing]!, from.most[source]!);
    this.count[thing] = before + added;
    if (before + added === 1) return;
    const at = before > 1 ? this.row[thing]! * this.buckets : this.addRow(thing);
    this.counts.set(sums, at);
  }

  /** How many values fell into each bucket. */
  histogram(thing: number): Uint32Array {
    const at = this.row[thing]! * this.buckets;
    if (this.count[thing]! > 1) return this.counts.slice(at, at + this.buckets);
    const single = new Uint32Array(this.buckets);
    if (this.count[thing] === 1) single[this.bucket(this.least[thing]!)] = 1;
    return single;
  }

  private bucket(value: number): number {
    const bucket = bucketOf(value);
    return bucket < this.buckets ? bucket : this.buckets - 1;
  }

  /** Where the buckets of the thing begin from now on. */
  private addRow(thing: number): number {
    const row = this.rows++;
    this.row[thing] = row;
    this.counts = grown(this.counts, this.rows * this.buckets);
    return row * this.buckets;
  }

  private grow(things: number): void {
    this.count = grown(this.count, things);
    const capacity = this.count.length;
    this.least = grown(this.least, capacity);
    this.most = grown(this.most, capacity);
    this.first = grown(this.first, capacity);
    this.row = grown(this.row, capacity);
  }
}
