/** Random programs, written as Xdebug does and read back: nothing may be lost, moved or counted twice. */
import { describe, expect, test } from 'bun:test';
import { type Call, summarise } from '../support/calls.ts';
import { differences } from '../support/compare.ts';
import { generateFibers } from '../support/fibers.ts';
import { byReturn, generate, interleave, postOrder, type Shape } from '../support/generate.ts';
import { readNaively } from '../support/naive-reader.ts';
import { Random } from '../support/random.ts';
import { latin1, readBytes } from '../support/read.ts';
import { DIALECTS, type Dialect, writeProfile, XDEBUG_3 } from '../support/write-profile.ts';

const SMALL: Shape = {
  size: 120,
  functions: 12,
  depth: 12,
  width: 12,
  roots: 1,
  events: 2,
  sameNames: true,
  signed: false,
  longest: 100_000,
  tiny: 0.4,
};

/** Reads what the invocations are written as, and compares with them and with the slow reader. */
function check(
  records: readonly Call[],
  roots: readonly Call[],
  events: number,
  dialect: Dialect,
  seed: number,
): void {
  const text = writeProfile(records, events, dialect);
  const profile = readBytes(latin1(text));
  const generated = summarise(roots, events, 0);
  const naive = readNaively(text);
  const context = { seed, fidelity: profile.fidelity, unmatched: naive.unmatched };
  expect({ ...context, slow: summarise(naive.roots, events, 0) }).toEqual({
    seed,
    fidelity: 'exact',
    unmatched: 0,
    slow: generated,
  });
  expect({ seed, differences: differences(profile, generated).slice(0, 3) }).toEqual({
    seed,
    differences: [],
  });
}

const shapes: readonly (readonly [what: string, shape: Partial<Shape>, seeds: number])[] = [
  ['a few functions, so that most calls recurse', { functions: 3 }, 40],
  ['one function only', { functions: 1, size: 60 }, 5],
  ['many functions', { functions: 200, size: 400 }, 20],
  ['several roots', { roots: 5 }, 20],
  ['only roots', { roots: 300, depth: 1, size: 300 }, 3],
  ['thousands of siblings', { width: 3000, depth: 3, size: 4000, functions: 4 }, 3],
  ['hundreds of different children', { width: 600, depth: 4, size: 3000, functions: 400 }, 5],
  [
    'more than 16 different children, merged again and again',
    { width: 60, depth: 6, size: 1500, functions: 45 },
    10,
  ],
  ['deep', { depth: 3000, width: 1, size: 3000, functions: 50 }, 3],
  ['times of some 10 ns: most are rounded away', { longest: 40 }, 15],
  ['times of hours', { longest: 1e13, size: 40 }, 10],
  ['one event', { events: 1 }, 10],
  ['three events', { events: 3 }, 10],
  ['names that are one in each file', { sameNames: false }, 5],
];

describe('random programs of Xdebug 3', () => {
  for (const [what, change, seeds] of shapes) {
    test(`${what} (${seeds} seeds)`, () => {
      for (let seed = 1; seed <= seeds; seed++) {
        const shape = { ...SMALL, ...change };
        const roots = generate(new Random(seed), shape);
        check(postOrder(roots), roots, shape.events, XDEBUG_3, seed);
      }
    });
  }
});

describe('random programs of other versions', () => {
  for (const [what, dialect] of Object.entries(DIALECTS)) {
    test(`${what} (10 seeds)`, () => {
      for (let seed = 1; seed <= 10; seed++) {
        const shape = { ...SMALL, sameNames: dialect.cfl, roots: 1 + (seed % 3) };
        const roots = generate(new Random(seed), shape);
        check(postOrder(roots), roots, shape.events, dialect, seed);
      }
    });
  }
});

describe('fibers: stacks whose records stand between those of others', () => {
  for (const fibers of [2, 3, 6, 20]) {
    test(`${fibers} stacks (10 seeds)`, () => {
      for (let seed = 1; seed <= 10; seed++) {
        const random = new Random(seed);
        // Long times, so that two invocations of one function differ in cost, which is what tells them apart.
        const shape = { ...SMALL, roots: fibers, size: 60 * fibers, longest: 1e12, tiny: 0 };
        const roots = generate(random, shape);
        const records = interleave(random, roots);
        check(records, byReturn(roots), shape.events, XDEBUG_3, seed);
      }
    });
  }
});

describe('programs with fibers: start, suspend, resume, finish, forget', () => {
  /** The slow reader takes the nearest record only, so it is no judge where calls are alike. */
  const run = (seeds: number, shape: { steps: number; functions: number; tiny: number }): void => {
    for (let seed = 1; seed <= seeds; seed++) {
      const { roots, records } = generateFibers(new Random(seed), shape);
      const profile = readBytes(latin1(writeProfile(records, 1, XDEBUG_3)));
      const found = differences(profile, summarise(roots, 1, 0)).slice(0, 3);
      expect({ seed, fidelity: profile.fidelity, found }).toEqual({
        seed,
        fidelity: 'exact',
        found: [],
      });
    }
  };
  for (const functions of [3, 30]) {
    test(`${functions} functions, each call of some 100 us (20 seeds)`, () => {
      run(20, { steps: 200, functions, tiny: 0 });
      run(5, { steps: 2000, functions, tiny: 0 });
    });
  }

  test('many calls of 0 to 30 ns, in other fibers as well (20 seeds)', () => {
    run(20, { steps: 200, functions: 30, tiny: 0.8 });
  });

  test('most calls alike in function, line and cost: whose they are may be mixed up, but none is lost (20 seeds)', () => {
    const certain = /^(total|calls|roots|functions|invocations|number of|(range of )?self (?!of))/;
    for (let seed = 1; seed <= 20; seed++) {
      const random = new Random(seed);
      const { roots, records } = generateFibers(random, { steps: 1000, functions: 3, tiny: 0.8 });
      const profile = readBytes(latin1(writeProfile(records, 1, XDEBUG_3)));
      const found = differences(profile, summarise(roots, 1, 0)).filter((text) =>
        certain.test(text),
      );
      expect({ seed, found }).toEqual({ seed, found: [] });
      expect(profile.warnings.filter((text) => text.includes('no record'))).toEqual([]);
      const exchanged = profile.warnings.some((text) => text.includes('of another fiber'));
      expect({ seed, fidelity: profile.fidelity }).toEqual({
        seed,
        fidelity: exchanged ? 'partial' : 'exact',
      });
    }
  });
});

test('the generator gives the same program for the same seed', () => {
  const text = (seed: number): string =>
    writeProfile(postOrder(generate(new Random(seed), SMALL)), 2, XDEBUG_3);
  expect(text(7)).toBe(text(7));
  expect(text(7)).not.toBe(text(8));
});
