/** Programs whose time varies between two paces while they do the same work: no change may be made of that. */
import { describe, expect, test } from 'bun:test';
import { type Comparison, compareProfiles } from '../../src/profile/compare.ts';
import type { Snapshot } from '../../src/profile/compare-snapshot.ts';
import { Random } from '../support/random.ts';

function compare(baseline: readonly Snapshot[], candidate: readonly Snapshot[]): Comparison {
  return compareProfiles(baseline, candidate, { topN: 10, sortBy: 'self', sameFiles: false });
}

describe('a program that runs at two paces', () => {
  /** One function that takes so many milliseconds, in runs that call as much as is said. */
  const timed = (ms: readonly number[], more: Partial<Snapshot> = {}): Snapshot[] =>
    ms.map((time) => {
      const cost = Float64Array.of(Math.round(time * 100_000));
      return {
        command: '/srv/app/index.php',
        creator: 'xdebug 3.4.0 (PHP 8.4.1)',
        fidelity: 'exact',
        events: [{ key: 'time', name: 'Time_(10ns)', unit: 'ms', perUnit: 100_000 }],
        mainEvent: 0,
        functions: [{ name: '{main}', file: '/srv/app/index.php' }],
        invocations: Float64Array.of(1),
        self: cost,
        inclusive: cost,
        total: cost,
        summary: cost,
        calls: 40,
        outside: { database: 10, http: 0, filesystem: 0, wait: 0 },
        overlaps: false,
        ...more,
      };
    });
  const queries = (database: number): Partial<Snapshot> => ({
    outside: { database, http: 0, filesystem: 0, wait: 0 },
  });
  const SLOW = [64.26, 66.9, 67.5, 67.9, 68.54];
  const FAST = [50.1, 50.3, 50.32, 50.5];
  type Runs = [ms: number[], more?: Partial<Snapshot>];
  const rows: [what: string, Runs, Runs, verdict: string, overlap: boolean][] = [
    ['one run at the other pace', [[67.31, ...FAST]], [SLOW], 'inconclusive noise', true],
    ['a candidate at it', [[50, ...FAST]], [[...SLOW.slice(1), 50.4]], 'inconclusive noise', true],
    // 50.7 is beyond the range of the baseline by 0.2 ms; medians differ by 17.
    ['beyond by little', [[50, ...FAST]], [[...SLOW.slice(1), 50.7]], 'inconclusive noise', true],
    ['no run at it', [[50, ...FAST]], [SLOW], 'regressed time', false],
    [
      'an outlier away from the other side',
      [[50, ...FAST]],
      [[...SLOW.slice(1), 200]],
      'regressed time',
      false,
    ],
    [
      'one on the slow side, faster',
      [[200, ...SLOW.slice(1)]],
      [[50, ...FAST]],
      'improved time',
      false,
    ],
    [
      'medians near',
      [[100, 100.2, 100.4, 100.6, 107]],
      [[104.8, 105, 105.2, 105.4, 106]],
      'neutral no_difference',
      true,
    ],
    ['calls say why', [[67.31, ...FAST]], [SLOW, { calls: 60 }], 'regressed time', false],
    ['queries say why', [SLOW, queries(20)], [[67.31, ...FAST]], 'improved time', false],
    ['a few calls do not', [[67.31, ...FAST]], [SLOW, { calls: 41 }], 'inconclusive noise', true],
    [
      'counts to the other side do not',
      [[67.31, ...FAST]],
      [SLOW, queries(1)],
      'improved outside_calls',
      true,
    ],
    // One run of eight and more may be a stray.
    ['one of eight', [[67.31, ...FAST, ...FAST]], [[...SLOW, ...SLOW]], 'regressed time', false],
    [
      'two of ten',
      [[67.31, 67, ...FAST, ...FAST]],
      [[...SLOW, ...SLOW]],
      'inconclusive noise',
      true,
    ],
  ];
  for (const [what, before, after, verdict, overlap] of rows) {
    test(what, () => {
      const result = compare(timed(...before), timed(...after));
      expect(`${result.judgement.verdict} ${result.judgement.ground}`).toBe(verdict);
      expect(result.overlap).toBe(overlap);
    });
  }

  test('noise and functions say the same as the verdict', () => {
    const { totals, functions } = compare(timed([67.31, ...FAST]), timed(SLOW));
    // Medians 50.32 and 67.5; (67.31 - 50.32 + 67.5 - 64.26) / 0.9 = 22.47778.
    for (const key of ['time', 'wall_time']) {
      expect(totals.find((row) => row.key === key)).toMatchObject({
        baseline: 50.32,
        candidate: 67.5,
        noise: 22.47778,
        significant: false,
      });
    }
    expect(functions.changed).toMatchObject({ total: 1, beyondNoise: 0, rows: [{ noise: true }] });
  });

  for (const size of [5, 7, 10, 20]) {
    for (const width of [0.5, 2, 5]) {
      test(`${size} runs a side that vary by ${width} ms: of 1000 draws hardly one is called a change`, () => {
        const random = new Random(100 * size + width);
        const run = (): number =>
          (random.below(2) === 0 ? 50 : 67) + (width * random.below(1000)) / 1000;
        const set = (): Snapshot[] => timed(Array.from({ length: size }, run));
        let changes = 0;
        for (let i = 0; i < 1000; i++) {
          const { verdict } = compare(set(), set()).judgement;
          if (verdict === 'improved' || verdict === 'regressed') changes += 1;
        }
        expect(changes).toBeLessThanOrEqual(10);
      });
    }
  }

  test('a fifth more time at one pace is found in nearly all draws, with no count to say why', () => {
    const random = new Random(7);
    const set = (pace: number): Snapshot[] =>
      timed(Array.from({ length: 5 }, () => pace * (1 + (0.04 * random.below(1000)) / 1000)));
    let found = 0;
    for (let i = 0; i < 1000; i++) {
      if (compare(set(50), set(60)).judgement.verdict === 'regressed') found += 1;
    }
    expect(found).toBeGreaterThanOrEqual(990);
  });
});
