// biome-ignore-all lint/style/noNonNullAssertion: columns by thing, read only below their count
/** What is known of the single values of one thing (a function, a call site), as plain values. */
import type { Distributions } from '../../src/profile/distribution.ts';

/** Filled buckets as [bucket, count]. */
type Filled = [bucket: number, count: number][];

/** Rows are made as things appear, so one that is beyond the columns has no value, as one within them that is 0. */
export function countOf(facts: Distributions, thing: number): number {
  return facts.count(thing);
}

/** Extremes and the first value. */
export function rangeOf(
  facts: Distributions | null,
  thing: number,
): { min: number; max: number; first: number } {
  if (facts === null || countOf(facts, thing) === 0) throw new Error(`no values of ${thing}`);
  return { min: facts.least(thing), max: facts.most(thing), first: facts.first(thing) };
}

export function filledOf(facts: Distributions | null, thing: number): Filled {
  if (facts === null || countOf(facts, thing) === 0) return [];
  return [...facts.histogram(thing)]
    .map((count, bucket): [number, number] => [bucket, count])
    .filter(([, count]) => count !== 0);
}

/** All of it; null where the file adds invocations up. */
export function factsOf(
  facts: Distributions | null,
  thing: number,
): { count: number; range: ReturnType<typeof rangeOf> | null; filled: Filled } | null {
  if (facts === null) return null;
  const count = countOf(facts, thing);
  return {
    count,
    range: count === 0 ? null : rangeOf(facts, thing),
    filled: filledOf(facts, thing),
  };
}
