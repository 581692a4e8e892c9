/** Cycles and inclusive cost where a file knows only sums per caller and callee: small graphs, by hand. */
import { describe, expect, test } from 'bun:test';
import { CallSites } from '../../src/profile/call-sites.ts';
import { cyclesOf } from '../../src/profile/cycles.ts';
import { bucketStart } from '../../src/profile/distribution.ts';
import { inclusiveOfEdges } from '../../src/profile/inclusive.ts';
import { RecordBuffer } from '../../src/profile/record.ts';
import { factsOf } from '../support/facts.ts';
import { read } from '../support/read.ts';
import { foreign } from '../support/text.ts';

type Edge = readonly [caller: number, callee: number, cost: number];

function sitesOf(edges: readonly Edge[]): CallSites {
  const sites = new CallSites(1);
  for (const [caller, callee, cost] of edges) {
    const record = new RecordBuffer(1);
    record.callFunction[0] = callee;
    record.callCount[0] = 1;
    record.callCost[0] = cost;
    record.callRows = 1;
    sites.addRecord(caller, record);
  }
  return sites;
}

const graphs: readonly {
  readonly what: string;
  readonly self: readonly number[];
  readonly edges: readonly Edge[];
  /** Functions of one cycle share a letter. */
  readonly cycles: string;
  readonly inclusive: readonly number[];
  readonly inCycle: number;
}[] = [
  {
    what: 'nothing called',
    self: [5, 7],
    edges: [],
    cycles: 'ab',
    inclusive: [5, 7],
    inCycle: 0,
  },
  {
    what: 'a chain: what the callers say, and self and calls for the first',
    self: [1, 2, 4],
    edges: [
      [0, 1, 6],
      [1, 2, 4],
    ],
    cycles: 'abc',
    inclusive: [7, 6, 4],
    inCycle: 0,
  },
  {
    what: 'a diamond: both callers count',
    self: [1, 2, 3, 10],
    // 3 costs 4 from 1 and 6 from 2.
    edges: [
      [0, 1, 6],
      [0, 2, 9],
      [1, 3, 4],
      [2, 3, 6],
    ],
    cycles: 'abcd',
    inclusive: [16, 6, 9, 10],
    inCycle: 0,
  },
  {
    what: 'self recursion: calls of itself count nothing',
    self: [1, 30],
    edges: [
      [0, 1, 30],
      [1, 1, 45],
    ],
    cycles: 'ab',
    inclusive: [31, 30],
    inCycle: 0,
  },
  {
    what: 'self recursion that nobody entered',
    self: [30],
    edges: [[0, 0, 45]],
    cycles: 'a',
    inclusive: [30],
    inCycle: 0,
  },
  {
    what: 'two that call each other: their own, and what leaves the cycle',
    self: [1, 20, 30, 5],
    // 0 enters at 1; 2 calls 3 out of the cycle.
    edges: [
      [0, 1, 55],
      [1, 2, 40],
      [2, 1, 15],
      [2, 3, 5],
    ],
    cycles: 'abbc',
    inclusive: [56, 20, 35, 5],
    inCycle: 2,
  },
  {
    what: 'a cycle of three with two entries',
    self: [1, 10, 20, 30],
    edges: [
      [0, 1, 60],
      [0, 3, 60],
      [1, 2, 50],
      [2, 3, 30],
      [3, 1, 10],
    ],
    cycles: 'abbb',
    inclusive: [121, 10, 20, 30],
    inCycle: 3,
  },
  {
    what: 'two cycles, one below the other',
    self: [1, 2, 3, 4],
    edges: [
      [0, 1, 9],
      [1, 0, 3],
      [1, 2, 7],
      [2, 3, 4],
      [3, 2, 2],
    ],
    cycles: 'aabb',
    inclusive: [1, 9, 3, 4],
    inCycle: 4,
  },
  {
    what: 'apart from each other',
    self: [1, 2, 3, 4],
    edges: [
      [0, 1, 2],
      [2, 3, 4],
    ],
    cycles: 'abcd',
    inclusive: [3, 2, 7, 4],
    inCycle: 0,
  },
];

describe('graphs by hand', () => {
  for (const { what, self, edges, cycles, inclusive, inCycle } of graphs) {
    test(what, () => {
      const sites = sitesOf(edges);
      const component = [...cyclesOf(sites, self.length)];
      const letters = component.map((number) => component.indexOf(number));
      const wanted = [...cycles].map((letter) => cycles.indexOf(letter));
      expect(letters).toEqual(wanted);
      const result = inclusiveOfEdges(sites, Float64Array.from(self), self.length, 1);
      expect([...result.inclusive]).toEqual([...inclusive]);
      expect(result.inCycle.length).toBe(inCycle);
    });
  }

  test('a cycle of 100,000 functions needs no stack', () => {
    const n = 100_000;
    const edges = Array.from({ length: n }, (_, i): Edge => [i, (i + 1) % n, 1]);
    const component = cyclesOf(sitesOf(edges), n);
    expect(component.every((number) => number === component[0])).toBe(true);
  });

  test('a chain of 100,000 functions is no cycle', () => {
    const n = 100_000;
    const edges = Array.from({ length: n - 1 }, (_, i): Edge => [i, i + 1, 1]);
    expect(new Set(cyclesOf(sitesOf(edges), n)).size).toBe(n);
  });
});

describe('files that add calls up', () => {
  test('a cycle is said, and inclusive is self and what leaves it', () => {
    const view = read(
      foreign(
        'fl=a.c\nfn=main\n1 1\ncfn=even\ncalls=2 5\n2 55\n\nfn=even\n5 20\ncfn=odd\ncalls=3 8\n6 40\n\nfn=odd\n8 30\ncfn=even\ncalls=3 5\n9 15\ncfn=leaf\ncalls=4 11\n9 5\n\nfn=leaf\n11 5\n',
      ),
    );
    expect(view.fidelity).toBe('aggregated');
    expect(view.inclusive('even')).toEqual([20]);
    expect(view.inclusive('odd')).toEqual([35]);
    expect(view.inclusive('main')).toEqual([56]);
    expect(view.invocations('even')).toBe(5); // 2 + 3
    expect(view.warnings).toEqual([
      expect.stringMatching(/^2 functions call themselves through others \(even, odd\)/),
    ]);
  });

  test('facts about single invocations are not there, instead of wrong', () => {
    // More functions and call sites than columns have room for in the beginning.
    const calls = Array.from({ length: 600 }, (_, i) => `cfn=g${i}\ncalls=2 5\n2 5\n`);
    const { functions, sites } = read(foreign(`fl=a.c\nfn=f\n1 1\n${calls.join('')}`)).profile;
    expect(functions.size).toBe(601);
    expect(sites.size).toBe(600);
    expect([functions.selfTimes, functions.inclusiveTimes]).toEqual([null, null]);
    expect(sites.perInvocation).toBeNull();
  });
});

/** Call sites of `caller`, which calls 1 from line 5; for each invocation, how often. */
function sitesFrom(caller: number, ...invocations: number[]): CallSites {
  const sites = new CallSites(1);
  for (const calls of invocations) {
    const record = new RecordBuffer(1);
    for (let i = 0; i < calls; i++) {
      record.reserve();
      record.callFunction[i] = 1;
      record.callLine[i] = 5;
      record.callCount[i] = 1;
      record.callCost[i] = 2;
    }
    record.callRows = calls;
    sites.addRecord(caller, record);
  }
  return sites;
}

describe('call sites', () => {
  test('users, most, and how calls are spread over the invocations of the caller', () => {
    const sites = new CallSites(1);
    // Three invocations of 0 call 1 from line 5: 3 times, once, and 20 times; from line 6 one of them calls once.
    for (const calls of [[5, 5, 5], [5, 6], new Array<number>(20).fill(5)]) {
      const record = new RecordBuffer(1);
      for (const line of calls) {
        record.reserve();
        record.callFunction[record.callRows] = 1;
        record.callLine[record.callRows] = line;
        record.callCount[record.callRows] = 1;
        record.callCost[record.callRows++] = 2;
      }
      sites.addRecord(0, record);
    }
    expect([sites.size, ...sites.line.slice(0, 2)]).toEqual([2, 5, 6]);
    expect([sites.calls[0], sites.cost[0]]).toEqual([24, 48]);
    expect(factsOf(sites.perInvocation, 0)).toEqual({
      count: 3,
      range: { min: 1, max: 20, first: 3 },
      filled: [
        [1, 1],
        [3, 1],
        [18, 1],
      ], // 20 is in the bucket of 20 and 21: 16 + (20 - 16) / 2
    });
    expect(bucketStart(18)).toBe(20);
    expect([sites.calls[1], sites.cost[1]]).toEqual([1, 2]);
    expect(factsOf(sites.perInvocation, 1)).toEqual({
      count: 1,
      range: { min: 1, max: 1, first: 1 },
      filled: [[1, 1]],
    });
  });

  const rows: readonly [
    what: string,
    mine: number[],
    theirs: number[],
    range: [min: number, max: number, first: number],
    filled: [bucket: number, count: number][],
  ][] = [
    ['new', [], [3], [3, 3, 3], [[3, 1]]],
    [
      'new, of many',
      [],
      [3, 20, 3],
      [3, 20, 3],
      [
        [3, 2],
        [18, 1],
      ],
    ],
    [
      'of one to one of one',
      [2],
      [3],
      [2, 3, 2],
      [
        [2, 1],
        [3, 1],
      ],
    ],
    [
      'of one to one of many',
      [2, 4],
      [1],
      [1, 4, 2],
      [
        [1, 1],
        [2, 1],
        [4, 1],
      ],
    ],
    [
      'of many to one of one',
      [2],
      [3, 1],
      [1, 3, 2],
      [
        [1, 1],
        [2, 1],
        [3, 1],
      ],
    ],
    [
      'of many to one of many',
      [2, 4],
      [4, 1],
      [1, 4, 2],
      [
        [1, 1],
        [2, 1],
        [4, 2],
      ],
    ],
  ];
  for (const [what, mine, theirs, [min, max, first], filled] of rows) {
    test(`a row given to another caller: ${what}`, () => {
      const sites = sitesFrom(7, ...mine);
      const from = sitesFrom(3, ...theirs);
      sites.addRow(7, 1, from, 0);
      const calls = [...mine, ...theirs].reduce((a, b) => a + b);
      expect([sites.size, sites.caller[0], sites.line[0], sites.callee[0]]).toEqual([1, 7, 5, 1]);
      expect([sites.calls[0], sites.cost[0]]).toEqual([calls, 2 * calls]); // 2 each
      expect(factsOf(sites.perInvocation, 0)).toEqual({
        count: mine.length + theirs.length,
        range: { min, max, first },
        filled,
      });
    });
  }

  test('a row given to another callee is another row', () => {
    const sites = sitesFrom(7, 2);
    sites.addRow(7, 9, sitesFrom(3, 4, 4), 0);
    expect([sites.size, sites.callee[1], sites.calls[1], sites.cost[1]]).toEqual([2, 9, 8, 16]);
    expect(factsOf(sites.perInvocation, 0)?.filled).toEqual([[2, 1]]);
    expect(factsOf(sites.perInvocation, 1)?.filled).toEqual([[4, 2]]);
  });

  test('hundreds of rows given to a new table', () => {
    const sites = new CallSites(1);
    const from = sitesFrom(3, 4, 4);
    for (let caller = 0; caller < 700; caller++) sites.addRow(caller, 1, from, 0);
    expect(sites.size).toBe(700);
    for (let row = 0; row < 700; row++) {
      expect([sites.caller[row], sites.calls[row], sites.cost[row]]).toEqual([row, 8, 16]);
      expect(factsOf(sites.perInvocation, row)?.filled).toEqual([[4, 2]]);
    }
  });

  test('a row given on where single invocations are not told: calls and cost', () => {
    const from = sitesFrom(3, 4, 4);
    from.dropInvocationFacts();
    const sites = sitesFrom(7, 2);
    sites.dropInvocationFacts();
    sites.addRow(7, 1, from, 0);
    expect([sites.calls[0], sites.cost[0], sites.perInvocation]).toEqual([10, 20, null]);
  });
});
