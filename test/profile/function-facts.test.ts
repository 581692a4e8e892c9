/** Facts about one function: spread over invocations, lines, recursion, callers and callees. */
import { describe, expect, test } from 'bun:test';
import { BUCKETS, Distributions } from '../../src/profile/distribution.ts';
import { type FunctionFacts, functionFacts } from '../../src/profile/function-facts.ts';
import { type InvocationTimes, invocationTimes } from '../../src/profile/invocation-times.ts';
import { read } from '../support/read.ts';
import { foreign, record, timed, timedAndSized } from '../support/text.ts';

function spread(values: readonly number[], perUnit = 1): InvocationTimes | null {
  const times = new Distributions(BUCKETS);
  for (const value of values) times.add(0, value);
  const sum = values.reduce((all, value) => all + value, 0);
  return invocationTimes(times, 0, sum, perUnit);
}

describe('the spread over invocations', () => {
  test('of a function without invocations is not known', () => expect(spread([])).toBeNull());

  test('of one invocation is that one, and there is no rest', () => {
    expect(spread([4711], 100_000)).toEqual({
      count: 1,
      min: 0.04711,
      median: 0.04711,
      p95: 0.04711,
      p99: 0.04711,
      max: 0.04711,
      mean: 0.04711,
      first: 0.04711,
      rest_mean: null,
      buckets: [{ from: 0.04711, to: 0.04711, count: 1 }],
    });
  });

  test('of small values is exact', () => {
    // 1 to 10, the first the slowest: rank 5 of 10, ranks 10 and 10.
    expect(spread([10, 1, 2, 3, 4, 5, 6, 7, 8, 9])).toEqual({
      count: 10,
      min: 1,
      median: 5,
      p95: 10,
      p99: 10,
      max: 10,
      mean: 5.5,
      first: 10,
      rest_mean: 5,
      // Doublings: 1, 2 to 3, 4 to 7, 8 to 10.
      buckets: [
        { from: 1, to: 2, count: 1 },
        { from: 2, to: 4, count: 2 },
        { from: 4, to: 8, count: 4 },
        { from: 8, to: 10, count: 3 },
      ],
    });
  });

  test('tells two kinds of invocations apart in its buckets, and leaves out what is empty', () => {
    const times = spread([
      ...new Array<number>(90).fill(100),
      ...new Array<number>(10).fill(100_000),
    ]);
    // 100 is in 64 to 127, the 7th doubling; 100000 in 65536 to 131071, the 17th: 11 of them, two at a time.
    expect(times?.buckets).toEqual([
      { from: 100, to: 256, count: 90 },
      { from: 65_536, to: 100_000, count: 10 },
    ]);
    expect(times?.mean).toBe(10_090);
  });

  test('over nine doublings has two of them in a bucket', () => {
    expect(spread([1, 2, 4, 256])?.buckets).toEqual([
      { from: 1, to: 4, count: 2 },
      { from: 4, to: 16, count: 1 },
      { from: 256, to: 256, count: 1 },
    ]);
    expect(spread([1, 2, 4, 128])?.buckets.length).toBe(4);
  });

  test('of zeros is zero', () => {
    expect(spread([0, 0, 0])).toMatchObject({
      count: 3,
      min: 0,
      median: 0,
      max: 0,
      rest_mean: 0,
      buckets: [{ from: 0, to: 0, count: 3 }],
    });
  });

  test('of clocks that stepped back begins below zero', () => {
    expect(spread([-5, 3])).toMatchObject({
      min: -5,
      max: 3,
      mean: -1,
      buckets: [
        { from: -5, to: 1, count: 1 },
        { from: 2, to: 3, count: 1 },
      ],
    });
  });

  test('of days has its extremes although they share a bucket', () => {
    const [short, long] = [2 ** 41, 2 ** 45];
    expect(spread([short, long, short])).toMatchObject({
      min: short,
      max: long,
      buckets: [{ from: short, to: long, count: 3 }],
    });
  });
});

function facts(text: string, name: string, rows = { lines: 10, edges: 5 }): FunctionFacts {
  const view = read(text);
  const [found] = functionFacts(view.profile, [view.fn(name)], rows);
  if (found === undefined) throw new Error('no facts');
  return found;
}

/**
 * f(2) calls f(1) and g, f(1) calls g; {main} calls f(2) from line 3 and g twice from line 4. Own costs: g 10 and 20 in
 * f, 30 and 40 in {main}; f(1) 100, f(2) 1000; {main} 5. Memory: what is written.
 */
const RECURSIVE = timedAndSized(
  [
    record('(1) /app/g.php', '(1) g', 7, '10 8'),
    record('(2) /app/f.php', '(2) f', 1, '100 0', [['(1)', '(1)', 2, '10 8']]),
    record('(1)', '(1)', 7, '20 0'),
    record('(2)', '(2)', 1, '1000 16', [
      ['(2)', '(2)', 3, '110 8'],
      ['(1)', '(1)', 4, '20 0'],
    ]),
    record('(1)', '(1)', 7, '30 0'),
    record('(1)', '(1)', 7, '40 24'),
    record('(3) /app/main.php', '(3) {main}', 1, '5 100', [
      ['(2)', '(2)', 3, '1130 24'],
      ['(1)', '(1)', 4, '30 0'],
      ['(1)', '(1)', 4, '40 24'],
    ]),
  ].join(''),
  '1205 900',
);

describe('a recursive function', () => {
  const f = facts(RECURSIVE, 'f');

  test('counts its depth, and its inclusive cost once', () => {
    expect(f).toMatchObject({
      calls: 2,
      root_invocations: 0,
      recursion_depth: 2,
      self: { time: 0.011, memory: 16 },
      inclusive: { time: 0.0113, memory: 24 },
      // 1100 and 1130 of 1205.
      self_percent: 91.29,
      inclusive_percent: 93.78,
    });
  });

  test('has the spread of inner invocations too', () => {
    expect(f.inclusive_times).toMatchObject({
      count: 2,
      min: 0.0011,
      max: 0.0113,
      mean: 0.0062,
      // The inner one returns first.
      first: 0.0011,
      rest_mean: 0.0113,
    });
    expect(f.self_times).toMatchObject({ count: 2, min: 0.001, max: 0.01, mean: 0.0055 });
  });

  test('has the mean allocation growth of all its invocations', () => {
    expect(f.memory).toEqual({ self: 16, inclusive: 24, self_mean: 8, inclusive_mean: 16 });
  });

  test('has its own cost and that of calls by line', () => {
    expect(f.lines).toEqual({
      rows: [
        {
          line: 1,
          self: { time: 0.011, memory: 16 },
          calls: 0,
          called: { time: 0, memory: 0 },
          percent: 91.29,
          callee: null,
        },
        {
          line: 3,
          self: { time: 0, memory: 0 },
          calls: 1,
          called: { time: 0.0011, memory: 8 },
          percent: 9.13,
          callee: 'f',
        },
        {
          line: 4,
          self: { time: 0, memory: 0 },
          calls: 1,
          called: { time: 0.0002, memory: 0 },
          percent: 1.66,
          callee: 'g',
        },
        {
          line: 2,
          self: { time: 0, memory: 0 },
          calls: 1,
          called: { time: 0.0001, memory: 8 },
          percent: 0.83,
          callee: 'g',
        },
      ],
      total: 4,
      other: null,
    });
  });
});

describe('callers and callees in short', () => {
  test('with the most calls of one invocation from one line', () => {
    const { callers, recursion_depth } = facts(RECURSIVE, 'g');
    expect(recursion_depth).toBe(1);
    expect(callers).toEqual({
      rows: [
        {
          name: '{main}',
          file: '/app/main.php',
          calls: 2,
          inclusive: { time: 0.0007, memory: 24 },
          percent: 5.81,
          lines: [4],
          lines_total: 1,
          most_per_invocation: 2,
        },
        {
          name: 'f',
          file: '/app/f.php',
          calls: 2,
          inclusive: { time: 0.0003, memory: 8 },
          percent: 2.49,
          // 20 on line 4, 10 on line 2.
          lines: [4, 2],
          lines_total: 2,
          most_per_invocation: 1,
        },
      ],
      total: 2,
      other: null,
    });
  });

  test('what is left out is added up', () => {
    const { callers, callees, lines } = facts(RECURSIVE, '{main}', { lines: 1, edges: 1 });
    expect(callers).toEqual({ rows: [], total: 0, other: null });
    expect(callees.rows.map(({ name }) => name)).toEqual(['f']);
    expect(callees.other).toEqual({
      functions: 1,
      calls: 2,
      inclusive: { time: 0.0007, memory: 24 },
    });
    expect(lines.rows.map(({ line }) => line)).toEqual([3]);
    // Line 1 has 5 itself, line 4 70 of calls.
    expect(lines.other).toEqual({
      lines: 2,
      self: { time: 0.00005, memory: 100 },
      calls: 2,
      called: { time: 0.0007, memory: 24 },
    });
  });
});

test('a line has the callee that costs the most there', () => {
  const body = [
    record('(1) /a.php', '(1) f', 1, 5),
    record('(1)', '(2) g', 1, 70),
    record('(1)', '(3) h', 1, 6),
    record('(1)', '(4) {main}', 1, 1, [
      ['(1)', '(1)', 9, 5],
      ['(1)', '(2)', 9, 70],
      ['(1)', '(3)', 9, 6],
    ]),
  ];
  const { lines } = facts(timed(body.join('')), '{main}');
  expect(lines.rows.map(({ line, calls, callee }) => [line, calls, callee])).toEqual([
    [9, 3, 'g'],
    [1, 0, null],
  ]);
});

describe('what a file does not tell is null', () => {
  test('memory where none is recorded', () => {
    expect(facts(timed(record('(1) /a.php', '(1) f', 1, 7)), 'f')).toMatchObject({
      memory: null,
      root_invocations: 1,
      callers: { rows: [], total: 0 },
    });
  });

  test('single invocations in aggregated files', () => {
    const text = foreign('fl=a.c\nfn=f\n1 10\ncfn=g\ncalls=3 0\n2 30\n\nfn=g\n5 30\n');
    const f = facts(text, 'f');
    expect(f).toMatchObject({
      inclusive_times: null,
      self_times: null,
      recursion_depth: null,
      inclusive: { cost: 40 },
    });
    expect(f.callees.rows).toMatchObject([{ name: 'g', calls: 3, most_per_invocation: null }]);
    expect(f.lines.rows.map(({ line, percent }) => [line, percent])).toEqual([
      [2, 75],
      [1, 25],
    ]);
  });
});
