// biome-ignore-all lint/style/noNonNullAssertion: each index is below a length that the test sets
/** Many distributions in one table: values added, tables merged. */
import { describe, expect, test } from 'bun:test';
import { BUCKETS, bucketOf, Distributions } from '../../src/profile/distribution.ts';
import { factsOf } from '../support/facts.ts';
import { Random } from '../support/random.ts';

/** A table with the values of one thing added in their order. */
function tableOf(buckets: number, thing: number, ...values: number[]): Distributions {
  const table = new Distributions(buckets);
  for (const value of values) table.add(thing, value);
  return table;
}

describe('Distributions', () => {
  // 15 and less have a bucket each; 20 and 21 share 18, 32 to 35 share 24, 1000 is in 63.
  const rows: readonly [
    what: string,
    values: number[],
    range: [min: number, max: number, first: number],
    filled: [bucket: number, count: number][],
  ][] = [
    ['one value', [20], [20, 20, 20], [[18, 1]]],
    ['one value of 0', [0], [0, 0, 0], [[0, 1]]],
    ['one value below 0', [-3], [-3, -3, -3], [[0, 1]]],
    [
      'a second that is more',
      [7, 20],
      [7, 20, 7],
      [
        [7, 1],
        [18, 1],
      ],
    ],
    [
      'a second that is less',
      [20, 7],
      [7, 20, 20],
      [
        [7, 1],
        [18, 1],
      ],
    ],
    ['a second that is the same', [7, 7], [7, 7, 7], [[7, 2]]],
    ['a second in the same bucket', [21, 20], [20, 21, 21], [[18, 2]]],
    [
      'a second below 0',
      [5, -1],
      [-1, 5, 5],
      [
        [0, 1],
        [5, 1],
      ],
    ],
    [
      'five',
      [33, 7, 1000, 7, 35],
      [7, 1000, 33],
      [
        [7, 2],
        [24, 2],
        [63, 1],
      ],
    ],
  ];
  for (const [what, values, [min, max, first], filled] of rows) {
    test(what, () => {
      expect(factsOf(tableOf(BUCKETS, 3, ...values), 3)).toEqual({
        count: values.length,
        range: { min, max, first },
        filled,
      });
    });
  }

  test('a thing without a value has none, beside one that has many', () => {
    const table = tableOf(BUCKETS, 3, 5, 6, 7);
    expect(factsOf(table, 2)).toEqual({ count: 0, range: null, filled: [] });
    const empty = [...table.histogram(2)];
    expect([empty.length, empty.every((count) => count === 0)]).toEqual([BUCKETS, true]);
  });

  test('the first is set apart: it says nothing about how the values are spread', () => {
    // Of inclusive times the first is that of the invocation that returned first, which is known only later.
    const table = tableOf(BUCKETS, 0, 7);
    table.setFirst(0, 1000);
    const one = { count: 1, range: { min: 7, max: 7, first: 1000 }, filled: [[7, 1]] };
    expect(factsOf(table, 0)).toEqual(one as never);
    table.add(0, 9);
    table.add(0, 9);
    const three = {
      count: 3,
      range: { min: 7, max: 9, first: 1000 },
      filled: [
        [7, 1],
        [9, 2],
      ],
    };
    expect(factsOf(table, 0)).toEqual(three as never);
  });

  test('values beyond the last bucket fall into it, and are exact as extremes', () => {
    // Ten buckets are for 0 to 8, and for 9 and more.
    const single = tableOf(10, 0, 1e9);
    expect([...single.histogram(0)]).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
    const table = tableOf(10, 0, 500, 8, 9, 1e9, 10);
    expect(factsOf(table, 0)).toEqual({
      count: 5,
      range: { min: 8, max: 1e9, first: 500 },
      filled: [
        [8, 1],
        [9, 4],
      ],
    });
  });

  test('a histogram is a copy, of one value and of many', () => {
    const table = tableOf(BUCKETS, 0, 5);
    table.histogram(0).fill(9);
    expect(factsOf(table, 0)?.filled).toEqual([[5, 1]]);
    table.add(0, 5);
    table.histogram(0).fill(9);
    expect(factsOf(table, 0)?.filled).toEqual([[5, 2]]);
  });

  describe('merge', () => {
    const merged: readonly [
      what: string,
      target: number[],
      source: number[],
      range: [min: number, max: number, first: number] | null,
      filled: [bucket: number, count: number][],
    ][] = [
      ['none to none', [], [], null, []],
      ['one to none', [], [20], [20, 20, 20], [[18, 1]]],
      [
        'many to none',
        [],
        [20, 7, 7],
        [7, 20, 20],
        [
          [7, 2],
          [18, 1],
        ],
      ],
      ['none to one', [20], [], [20, 20, 20], [[18, 1]]],
      [
        'one to one',
        [20],
        [7],
        [7, 20, 20],
        [
          [7, 1],
          [18, 1],
        ],
      ],
      [
        'many to one',
        [10],
        [20, 7, 7],
        [7, 20, 10],
        [
          [7, 2],
          [10, 1],
          [18, 1],
        ],
      ],
      [
        'none to many',
        [20, 7, 7],
        [],
        [7, 20, 20],
        [
          [7, 2],
          [18, 1],
        ],
      ],
      [
        'one to many',
        [20, 7, 7],
        [1],
        [1, 20, 20],
        [
          [1, 1],
          [7, 2],
          [18, 1],
        ],
      ],
      [
        'many to many',
        [20, 7, 7],
        [7, 21, -4, 33],
        [-4, 33, 20],
        [
          [0, 1],
          [7, 3],
          [18, 2],
          [24, 1],
        ],
      ],
    ];
    for (const [what, mine, theirs, range, filled] of merged) {
      const facts = (): ReturnType<typeof factsOf> => ({
        count: mine.length + theirs.length,
        range: range === null ? null : { min: range[0], max: range[1], first: range[2] },
        filled,
      });

      test(what, () => {
        const target = tableOf(BUCKETS, 4, ...mine);
        target.add(5, 3); // the next row belongs to another
        target.add(5, 3);
        const source = tableOf(BUCKETS, 9, ...theirs);
        const before = factsOf(source, 9);
        target.merge(4, source, 9);
        expect(factsOf(target, 4)).toEqual(facts());
        expect(factsOf(target, 5)?.filled).toEqual([[3, 2]]);
        expect(factsOf(source, 9)).toEqual(before);
      });

      test(`${what}, then one more value to either: the other does not see it`, () => {
        const target = tableOf(BUCKETS, 4, ...mine);
        const source = tableOf(BUCKETS, 9, ...theirs);
        target.merge(4, source, 9);
        source.add(9, 500);
        expect(factsOf(target, 4)).toEqual(facts());
        const before = factsOf(source, 9);
        target.add(4, 600);
        expect(factsOf(target, 4)?.count).toBe(mine.length + theirs.length + 1);
        expect(target.most(4)).toBe(600);
        expect(target.histogram(4)[bucketOf(600)]).toBe(1);
        expect(factsOf(source, 9)).toEqual(before);
      });
    }

    test('a first that was set apart goes along', () => {
      const source = tableOf(BUCKETS, 0, 7, 9);
      source.setFirst(0, 8);
      const target = new Distributions(BUCKETS);
      target.merge(0, source, 0);
      expect(factsOf(target, 0)?.range).toEqual({ min: 7, max: 9, first: 8 });
    });

    test('of two things of one table', () => {
      const table = tableOf(BUCKETS, 0, 7, 9);
      table.add(1, 1);
      table.merge(1, table, 0);
      expect(factsOf(table, 1)).toEqual({
        count: 3,
        range: { min: 1, max: 9, first: 1 },
        filled: [
          [1, 1],
          [7, 1],
          [9, 1],
        ],
      });
      expect(factsOf(table, 0)?.count).toBe(2);
    });

    test('thousands of them, each with buckets of its own', () => {
      const source = tableOf(BUCKETS, 0, 7, 9);
      const target = new Distributions(BUCKETS);
      for (let thing = 2999; thing >= 0; thing--) target.merge(thing, source, 0);
      target.merge(1500, source, 0);
      for (let thing = 0; thing < 3000; thing++) {
        const times = thing === 1500 ? 2 : 1;
        expect({ thing, ...factsOf(target, thing) }).toEqual({
          thing,
          count: 2 * times,
          range: { min: 7, max: 9, first: 7 },
          filled: [
            [7, times],
            [9, times],
          ],
        });
      }
    });
  });

  test('thousands of things, in any order, with 1 to 4 values each', () => {
    const table = new Distributions(BUCKETS);
    const things = 3000;
    for (let round = 0; round < 4; round++) {
      // 1777 has no divisor in common with 3000: every thing comes once a round.
      for (let i = 0; i < things; i++) {
        const thing = (i * 1777) % things;
        if (round <= thing % 4) table.add(thing, thing + round);
      }
    }
    for (let thing = 0; thing < things; thing++) {
      const count = (thing % 4) + 1;
      expect([
        table.count(thing),
        table.least(thing),
        table.most(thing),
        table.first(thing),
      ]).toEqual([count, thing, thing + count - 1, thing]);
      const wanted = new Array<number>(BUCKETS).fill(0);
      for (let n = 0; n < count; n++) wanted[bucketOf(thing + n)]! += 1;
      expect([...table.histogram(thing)]).toEqual(wanted);
    }
  });

  test('adding and merging at random is the same as keeping the values', () => {
    for (let seed = 1; seed <= 10; seed++) {
      const random = new Random(seed);
      const tables = [new Distributions(40), new Distributions(40)] as const;
      const kept = tables.map(() => new Map<number, number[]>());
      const valuesOf = (side: number, thing: number): number[] => kept[side]!.get(thing) ?? [];
      for (let step = 0; step < 3000; step++) {
        const side = random.below(2);
        const thing = random.below(400);
        if (random.chance(0.8)) {
          const value = random.below(200) - 10;
          tables[side]!.add(thing, value);
          kept[side]!.set(thing, [...valuesOf(side, thing), value]);
        } else {
          const from = random.below(2);
          let source = random.below(400);
          if (from === side && source === thing) source = (source + 1) % 400;
          // Grows only as far as a thing that has values.
          if (valuesOf(from, source).length === 0) continue;
          tables[side]!.merge(thing, tables[from]!, source);
          kept[side]!.set(thing, [...valuesOf(side, thing), ...valuesOf(from, source)]);
        }
      }
      for (const [side, table] of tables.entries()) {
        for (const [thing, values] of kept[side]!) {
          const counts = new Map<number, number>();
          for (const value of values) {
            const bucket = Math.min(bucketOf(value), 39);
            counts.set(bucket, (counts.get(bucket) ?? 0) + 1);
          }
          expect({ seed, side, thing, facts: factsOf(table, thing) }).toEqual({
            seed,
            side,
            thing,
            facts: {
              count: values.length,
              range: {
                min: values.reduce((a, b) => Math.min(a, b)),
                max: values.reduce((a, b) => Math.max(a, b)),
                first: values[0]!,
              },
              filled: [...counts].sort(([a], [b]) => a - b),
            },
          });
        }
      }
    }
  });
});
