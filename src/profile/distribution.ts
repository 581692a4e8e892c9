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

/** Where the exact figures of a thing stand in `heads`, HEAD a thing. */
const COUNT = 0;
const LEAST = 1;
const MOST = 2;
const FIRST = 3;
const HEAD = 4;

/**
 * One distribution for each of many things (functions, call sites), with its extremes and the first value exactly. The
 * buckets of a thing are made at its second value: half of the functions of a program run once. Values are added more
 * than twice for each record, so the exact figures of a thing lie together.
 */
export class Distributions {
  private readonly buckets: number;
  private heads = new Float64Array(256 * HEAD);
  /** Where the buckets of a thing begin in `counts`; valid from the second value on. */
  private start = new Int32Array(256);
  private counts: Uint32Array<ArrayBuffer>;
  private used = 0;

  /** `buckets`: how many of BUCKETS; values beyond fall into the last. */
  constructor(buckets: number) {
    this.buckets = buckets;
    this.counts = new Uint32Array(64 * buckets);
  }

  /** Values added. */
  count(thing: number): number {
    return this.heads[thing * HEAD + COUNT] ?? 0;
  }

  /** The extremes and the first value; 0 where there is none. */
  least(thing: number): number {
    return this.heads[thing * HEAD + LEAST] ?? 0;
  }
  most(thing: number): number {
    return this.heads[thing * HEAD + MOST] ?? 0;
  }
  first(thing: number): number {
    return this.heads[thing * HEAD + FIRST] ?? 0;
  }

  add(thing: number, value: number): void {
    const at = thing * HEAD;
    if (at >= this.heads.length) this.grow(thing + 1);
    const heads = this.heads;
    const count = heads[at + COUNT]! + 1;
    heads[at + COUNT] = count;
    if (count <= 2 && this.begin(thing, count, value)) return;
    if (value < heads[at + LEAST]!) heads[at + LEAST] = value;
    else if (value > heads[at + MOST]!) heads[at + MOST] = value;
    let bucket = bucketOf(value);
    if (bucket >= this.buckets) bucket = this.buckets - 1;
    this.counts[this.start[thing]! + bucket]! += 1;
  }

  /** Makes another of the values added before the first one. */
  setFirst(thing: number, value: number): void {
    this.heads[thing * HEAD + FIRST] = value;
  }

  /** Adds all values of a thing of another table with as many buckets. */
  merge(thing: number, from: Distributions, source: number): void {
    const added = from.count(source);
    if (added === 0) return;
    const at = thing * HEAD;
    if (at >= this.heads.length) this.grow(thing + 1);
    const { heads } = this;
    const before = this.count(thing);
    const values = from.histogram(source);
    const sums = this.histogram(thing).map((count, i) => count + values[i]!);
    if (before === 0) heads[at + FIRST] = from.first(source);
    heads[at + LEAST] = Math.min(before === 0 ? Infinity : this.least(thing), from.least(source));
    heads[at + MOST] = Math.max(before === 0 ? -Infinity : this.most(thing), from.most(source));
    heads[at + COUNT] = before + added;
    if (before + added === 1) return;
    const start = before > 1 ? this.start[thing]! : this.addBuckets(thing);
    this.counts.set(sums, start);
  }

  /** How many values fell into each bucket. */
  histogram(thing: number): Uint32Array {
    const start = this.start[thing] ?? 0;
    if (this.count(thing) > 1) return this.counts.slice(start, start + this.buckets);
    const single = new Uint32Array(this.buckets);
    if (this.count(thing) === 1) single[this.bucket(this.least(thing))] = 1;
    return single;
  }

  /** The first value is only noted, and true returned; at the second one the first gets its bucket. */
  private begin(thing: number, count: number, value: number): boolean {
    const at = thing * HEAD;
    if (count === 1) {
      this.heads.fill(value, at + LEAST, at + HEAD);
      return true;
    }
    // So far it is the least and the most; the first may have been set to another since.
    const start = this.addBuckets(thing);
    this.counts[start + this.bucket(this.heads[at + LEAST]!)] = 1;
    return false;
  }

  private bucket(value: number): number {
    return Math.min(bucketOf(value), this.buckets - 1);
  }

  /** Where the buckets of the thing begin from now on. */
  private addBuckets(thing: number): number {
    const start = this.used;
    this.start[thing] = start;
    this.used += this.buckets;
    this.counts = grown(this.counts, this.used);
    return start;
  }

  private grow(things: number): void {
    this.heads = grown(this.heads, things * HEAD);
    this.start = grown(this.start, this.heads.length / HEAD);
  }
}
