/** No share, saving or gain is more than the whole, in any profile: the fixtures, and random programs that call themselves. */
import { describe, expect, test } from 'bun:test';
import { openProfile } from '../../src/cachegrind/open.ts';
import { overlaps } from '../../src/profile/costs.ts';
import { diagnose } from '../../src/profile/diagnose.ts';
import type { Profile } from '../../src/profile/profile.ts';
import { repeatedCalls } from '../../src/profile/repeated-calls.ts';
import { fixtures } from '../support/files.ts';
import { generate, postOrder } from '../support/generate.ts';
import { Random } from '../support/random.ts';
import { latin1, readBytes } from '../support/read.ts';
import { writeProfile, XDEBUG_3 } from '../support/write-profile.ts';

/** Xdebug rounds each call on its own: a little over 100 % is what the file says. */
const WHOLE = 101;

function sharesOf(profile: Profile): number[] {
  const loops = profile.tree === null ? [] : repeatedCalls(profile, { minCalls: 2, minPercent: 0 });
  return [
    ...loops.flatMap(({ row }) => [row.percent, row.saving_percent, row.trips?.percent ?? 0]),
    ...diagnose(profile).flatMap(({ share, gain, evidence }) => [
      share,
      gain?.percent ?? 0,
      ...evidence.map(({ percent }) => percent),
    ]),
  ];
}

function check(profile: Profile): number {
  const shares = sharesOf(profile);
  expect(shares.filter((share) => !(share >= 0 && share <= WHOLE))).toEqual([]);
  return shares.length;
}

describe('shares of the fixtures', () => {
  for (const [name, path] of fixtures) {
    test(name, async () => {
      const profile = await openProfile(path);
      // Where fibers ran, shares are of the wall time and may pass it, which the answer says.
      if (overlaps(profile)) expect(sharesOf(profile).length).toBeGreaterThan(0);
      else check(profile);
    });
  }
});

test('shares of random programs that call themselves', () => {
  let seen = 0;
  for (let seed = 1; seed <= 100; seed++) {
    const roots = generate(new Random(seed), {
      size: 300,
      functions: 1 + (seed % 6),
      depth: 3 + (seed % 12),
      width: 8,
      roots: 1,
      events: 2,
      sameNames: false,
      signed: false,
      longest: 5_000,
      tiny: 0,
    });
    const records = postOrder(roots);
    for (const [order, call] of records.entries()) call.order = order;
    seen += check(readBytes(latin1(writeProfile(records, 2, XDEBUG_3))));
  }
  expect(seen).toBeGreaterThan(500);
});
