/** Verdicts on real runs of programs and of their repaired forms, and the rules behind them by hand. */
import { beforeAll, describe, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { openProfile } from '../../src/cachegrind/open.ts';
import { type Comparison, compareProfiles } from '../../src/profile/compare.ts';
import { floorOf, medianOf, reachOf, spreadOf } from '../../src/profile/compare-noise.ts';
import { type Snapshot, snapshotOf } from '../../src/profile/compare-snapshot.ts';
import type { TotalRow } from '../../src/profile/compare-totals.ts';
import { judge } from '../../src/profile/compare-verdict.ts';
import { fixtures, fixturesFolder } from '../support/files.ts';
import { Random } from '../support/random.ts';

const PROGRAMS = ['shop', 'shop-fixed', 'catalog', 'catalog-fixed'];
const folder = join(fixturesFolder, 'runs');
const runs = new Map<string, Snapshot[]>();

async function snapshot(path: string): Promise<Snapshot> {
  return snapshotOf(await openProfile(path));
}

beforeAll(async () => {
  for (const program of PROGRAMS) {
    const files = readdirSync(folder).filter((file) =>
      new RegExp(`^${program}-\\d+\\.`).test(file),
    );
    const snapshots: Snapshot[] = [];
    for (const file of files) snapshots.push(await snapshot(join(folder, file)));
    runs.set(program, snapshots);
  }
});

function compare(
  baseline: readonly Snapshot[],
  candidate: readonly Snapshot[],
  topN = 10,
): Comparison {
  return compareProfiles(baseline, candidate, { topN, sortBy: 'self', sameFiles: false });
}

/** Two sets of `size` different runs: of one program, or of the same numbers of two. */
function draw(
  seed: number,
  size: number,
  [one, other]: readonly [string, string],
): [Snapshot[], Snapshot[]] {
  const random = new Random(seed);
  const order = Array.from({ length: 10 }, (_, i) => ({ i, key: random.below(1_000_000) }))
    .sort((a, b) => a.key - b.key)
    .map(({ i }) => i);
  const pick = (program: string, places: readonly number[]): Snapshot[] =>
    places.flatMap((i) => runs.get(program)?.[i] ?? []);
  return [pick(one, order.slice(0, size)), pick(other, order.slice(size, 2 * size))];
}

const DRAWS = Array.from({ length: 10 }, (_, i) => 1 + i);

test('there are ten runs of each program', () => {
  expect(PROGRAMS.map((program) => runs.get(program)?.length)).toEqual([10, 10, 10, 10]);
});

describe('five runs against five others', () => {
  for (const program of PROGRAMS) {
    test(`${program} against itself is neutral on ten draws, and hardly a function is beyond the noise`, () => {
      for (const seed of DRAWS) {
        const { judgement, functions } = compare(...draw(seed, 5, [program, program]));
        expect(judgement.verdict).toBe('neutral');
        expect(functions.added.total + functions.removed.total).toBe(0);
        expect(functions.changed.beyondNoise).toBeLessThan(functions.changed.total / 10);
      }
    });
  }
  const repaired: [string, string, number, number][] = [
    ['shop', 'shop-fixed', 51, 4],
    ['catalog', 'catalog-fixed', 1796, 1297],
  ];
  for (const [before, after, many, few] of repaired) {
    test(`${after} is an improvement of ${before} on ten draws, and the other way round a regression`, () => {
      for (const seed of DRAWS) {
        const [baseline, candidate] = draw(seed, 5, [before, after]);
        expect(compare(baseline, candidate).judgement).toMatchObject({
          verdict: 'improved',
          ground: 'time',
        });
        expect(compare(candidate, baseline).judgement).toMatchObject({
          verdict: 'regressed',
          ground: 'time',
        });
      }
    });

    test(`one run of ${before} against one of ${after}: time is uncertain, counts speak`, () => {
      for (const seed of DRAWS) {
        const [baseline, candidate] = draw(seed, 1, [before, after]);
        const there = compare(baseline, candidate);
        expect(there.timeKnown).toBe(false);
        expect(there.judgement).toMatchObject({ verdict: 'improved', ground: 'outside_calls' });
        expect(compare(candidate, baseline).judgement).toMatchObject({
          verdict: 'regressed',
          ground: 'outside_calls',
        });
      }
    });

    test(`${before}: the function that is called less often is listed first, with its counts`, () => {
      const [baseline, candidate] = draw(1, 5, [before, after]);
      const [first] = compare(baseline, candidate).functions.changed.rows;
      // usleep in the shop, PDOStatement->execute in the catalogue: see "Counts by hand" of the fixtures. The runs have 500
      // products: 15 + 500 + 750 inserts, and 16 + 15 + 500 queries, of which 16 + 15 + 1 are left.
      expect(first).toMatchObject({
        calls: { baseline: many, candidate: few, difference: few - many },
        noise: false,
      });
    });
  }

  test('what was added is named, a closure that moved is not', () => {
    const [baseline, candidate] = draw(2, 5, ['shop', 'shop-fixed']);
    const { added, removed, changed } = compare(baseline, candidate, 1000).functions;
    expect(added.rows.map(({ name }) => name.replace(/:\/.*/, ''))).toEqual([
      'Shop\\Catalog\\ProductListing::Shop\\Catalog\\{closure',
      'php::array_column',
    ]);
    expect(removed.total).toBe(0);
    const moved = changed.rows.filter((row) => row.baseline_name !== undefined);
    expect(moved).toHaveLength(1);
    expect(moved[0]?.baseline_name).toEndWith('ProductListing.php:35-35}');
    expect(moved[0]?.name).toEndWith('ProductListing.php:37-37}');
  });

  test('one slow run hides no change and makes none', () => {
    const slow = (run: Snapshot): Snapshot => ({
      ...run,
      total: run.total.map((cost) => cost * 3),
      self: run.self.map((cost) => cost * 3),
    });
    const [baseline, candidate] = draw(3, 5, ['catalog', 'catalog-fixed']);
    const disturbed = candidate.map((run, i) => (i === 0 ? slow(run) : run));
    expect(compare(baseline, disturbed).judgement.verdict).toBe('improved');
    const [one, other] = draw(4, 5, ['shop', 'shop']);
    expect(
      compare(
        one,
        other.map((run, i) => (i === 0 ? slow(run) : run)),
      ).judgement.verdict,
    ).toBe('neutral');
  });

  test('a run of the repaired shop at the pace of the other one hides nothing', () => {
    for (const seed of DRAWS) {
      const [baseline, candidate] = draw(seed, 5, ['shop', 'shop-fixed']);
      const median = medianOf(baseline.map(({ total }) => total[0] ?? 0));
      const mixed = candidate.map((run, i) =>
        i === 0
          ? { ...run, total: Float64Array.from(run.total, (cost, e) => (e === 0 ? median : cost)) }
          : run,
      );
      expect(compare(baseline, mixed).judgement).toMatchObject({
        verdict: 'improved',
        ground: 'time',
      });
    }
  });
});

describe('noise by hand', () => {
  test('sets reach to each other from their medians, less the strays of eight runs and more', () => {
    // (5 - 2 + 10 - 8) / 0.9, whichever comes first.
    expect(reachOf([1, 2, 5], [12, 10, 8])).toBeCloseTo(5 / 0.9, 10);
    expect(reachOf([12, 10, 8], [1, 2, 5])).toBeCloseTo(5 / 0.9, 10);
    // The 9 is left out, of eight runs with median 1.
    expect(reachOf([1, 1, 1, 1, 1, 1, 2, 9], [10, 10, 10])).toBeCloseTo(1 / 0.9, 10);
  });
  test('medians of odd and even numbers of values', () => {
    expect(medianOf([3, 1, 2])).toBe(2);
    expect(medianOf([4, 1, 3, 2])).toBe(2.5);
    expect(medianOf([])).toBe(0);
  });
  test('the spread is that of the middle half', () => {
    // Quartiles of 5 values are the second and the fourth: 12 - 10; 1.349 x (1 - 1.25 / 5) = 1.01175.
    expect(spreadOf([9, 10, 11, 12, 1000])).toBeCloseTo(2 / 1.01175, 10);
    expect(spreadOf([5, 5, 5])).toBe(0);
  });
  test('the floor is four standard errors of a difference of medians', () => {
    // Spread 0.02 / (1.349 x (1 - 1.25 / 3)) = 0.0254157 on both sides: 4 x 0.0254157 x sqrt(2 x pi / 2 / 3) = 0.104034.
    expect(floorOf([4, 4.02, 4.04], [5.04, 5, 5.02])).toBeCloseTo(0.104034, 5);
    expect(floorOf([7, 7, 7], [7, 7, 7])).toBe(0);
  });
  test('it is six where the runs of a side scatter by more than a twentieth', () => {
    // Spread 4 / 1.01175 = 3.95355 of the one side, 0 of the other: 6 x 3.95355 x sqrt(pi / 2 / 5) = 13.2960.
    expect(floorOf([30, 38, 40, 42, 90], [40, 40, 40, 40, 40])).toBeCloseTo(13.296, 3);
  });
});

describe('the verdict on totals', () => {
  const row = (
    kind: TotalRow['kind'],
    key: string,
    baseline: number,
    candidate: number,
    noise = 0,
  ): TotalRow => ({
    kind,
    key,
    unit: null,
    baseline,
    candidate,
    difference: candidate - baseline,
    percent: null,
    noise,
    significant: Math.abs(candidate - baseline) > noise,
  });
  const KNOWN = true;
  const UNKNOWN = false;
  // time [baseline, candidate, noise], calls, database calls, HTTP calls
  type Pair = [number, number];
  const rows: [string, boolean, [number, number, number], Pair, Pair, Pair, string][] = [
    ['faster', KNOWN, [100, 90, 3], [50, 50], [9, 9], [0, 0], 'improved time'],
    [
      'slower, with fewer queries',
      KNOWN,
      [100, 120, 3],
      [50, 40],
      [9, 1],
      [0, 0],
      'regressed time',
    ],
    ['within the noise', KNOWN, [100, 98, 3], [50, 50], [9, 9], [0, 0], 'neutral no_difference'],
    [
      'within it, fewer queries',
      KNOWN,
      [100, 98, 3],
      [50, 40],
      [9, 1],
      [0, 0],
      'improved outside_calls',
    ],
    [
      'within it, more queries',
      KNOWN,
      [100, 98, 3],
      [50, 60],
      [9, 19],
      [0, 0],
      'regressed outside_calls',
    ],
    [
      'within it, two queries less',
      KNOWN,
      [100, 98, 3],
      [50, 48],
      [4, 2],
      [0, 0],
      'neutral no_difference',
    ],
    [
      'within it, 3 of 100 less',
      KNOWN,
      [100, 98, 3],
      [500, 490],
      [100, 97],
      [0, 0],
      'neutral no_difference',
    ],
    ['within it, mixed', KNOWN, [100, 98, 3], [50, 50], [9, 1], [1, 9], 'neutral no_difference'],
    [
      'within it, more calls',
      KNOWN,
      [100, 98, 3],
      [50, 90],
      [9, 9],
      [0, 0],
      'neutral no_difference',
    ],
    [
      'very noisy, more calls',
      KNOWN,
      [100, 110, 40],
      [50, 90],
      [9, 9],
      [0, 0],
      'inconclusive noise',
    ],
    [
      'very noisy, far apart, same calls',
      KNOWN,
      [100, 130, 40],
      [50, 50],
      [9, 9],
      [0, 0],
      'inconclusive noise',
    ],
    [
      'very noisy, same calls',
      KNOWN,
      [100, 110, 40],
      [50, 50],
      [9, 9],
      [0, 0],
      'neutral no_difference',
    ],
    ['one run, near', UNKNOWN, [100, 105, 10], [50, 50], [9, 9], [0, 0], 'neutral no_difference'],
    ['one run, far', UNKNOWN, [100, 130, 13], [50, 50], [9, 9], [0, 0], 'inconclusive noise'],
    [
      'one run, fewer queries',
      UNKNOWN,
      [100, 99, 10],
      [50, 50],
      [9, 1],
      [0, 0],
      'improved outside_calls',
    ],
    [
      'one run, a bit slower',
      UNKNOWN,
      [100, 130, 13],
      [50, 50],
      [9, 1],
      [0, 0],
      'improved outside_calls',
    ],
    [
      'one run, far slower',
      UNKNOWN,
      [100, 200, 20],
      [50, 50],
      [9, 1],
      [0, 0],
      'inconclusive contradiction',
    ],
    [
      'one run, mixed',
      UNKNOWN,
      [100, 99, 10],
      [50, 50],
      [9, 1],
      [1, 9],
      'inconclusive contradiction',
    ],
    ['one run, fewer calls', UNKNOWN, [100, 99, 10], [50, 40], [9, 9], [0, 0], 'improved calls'],
    ['one run, more calls', UNKNOWN, [100, 99, 10], [50, 60], [9, 9], [0, 0], 'regressed calls'],
    [
      'one run, nearly the same calls',
      UNKNOWN,
      [100, 99, 10],
      [50, 51],
      [9, 9],
      [0, 0],
      'neutral no_difference',
    ],
    [
      'queries before all calls',
      UNKNOWN,
      [100, 99, 10],
      [50, 60],
      [9, 1],
      [0, 0],
      'improved outside_calls',
    ],
    ['all is 0', UNKNOWN, [0, 0, 0], [0, 0], [0, 0], [0, 0], 'neutral no_difference'],
  ];
  for (const [what, known, time, calls, database, http, verdict] of rows) {
    test(what, () => {
      const event = row('cost', 'time', ...time);
      const totals = [
        event,
        row('count', 'calls', ...calls),
        row('count', 'calls_database', ...database),
        row('count', 'calls_http', ...http),
      ];
      const judged = judge(totals, event, known);
      expect(`${judged.verdict} ${judged.ground}`).toBe(verdict);
    });
  }
});

describe('on every fixture', () => {
  const names = [...fixtures.keys()];
  for (const [i, name] of names.entries()) {
    test(`${name} against itself: no difference in any figure`, async () => {
      const run = await snapshot(fixtures.get(name) ?? '');
      const { functions, totals } = compare([run], [run]);
      expect(functions.added.total + functions.removed.total + functions.changed.total).toBe(0);
      expect(functions.unchanged).toBe(run.functions.length);
      expect(totals.every(({ difference, significant }) => difference === 0 && !significant)).toBe(
        true,
      );
    });

    const other = names[(i + 1) % names.length] ?? '';
    test(`${name} against ${other}: differences of functions add up to that of the totals`, async () => {
      const before = await snapshot(fixtures.get(name) ?? '');
      const after = await snapshot(fixtures.get(other) ?? '');
      const { functions, totals, events } = compare([before], [after]);
      const { added, removed, changed, unchanged } = functions;
      expect(changed.total + unchanged + added.total).toBe(after.functions.length);
      expect(changed.total + unchanged + removed.total).toBe(before.functions.length);
      for (const { key } of events) {
        const sum = (changed.self[key] ?? 0) + (added.self[key] ?? 0) - (removed.self[key] ?? 0);
        const total = totals.find((row) => row.kind === 'cost' && row.key === key);
        expect(sum).toBeCloseTo(total?.difference ?? Number.NaN, 6);
      }
    });
  }
});
