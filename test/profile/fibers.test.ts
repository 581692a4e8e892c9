/** Programs with fibers, record by record: which of two alike belongs to whom. */
import { describe, expect, test } from 'bun:test';
import { factsOf, rangeOf } from '../support/facts.ts';
import { read } from '../support/read.ts';
import { record, timed, timedAndSized } from '../support/text.ts';

/** Ids: files 1 php:internal, 2 /a.php; functions as they come. */
const START = 'php::Fiber->start';
const RESUME = 'php::Fiber->resume';
const SUSPEND = 'php::Fiber::suspend';
const fileOf = (name: string): string => (name.startsWith('php::') ? 'php:internal' : '/a.php');

/** Records as [name, self, ...calls as [name, cost]], in the order of the file. */
type Line = readonly [
  name: string,
  self: number,
  ...calls: (readonly [name: string, cost: number])[],
];

function profileOf(lines: readonly Line[]): string {
  return timed(
    lines
      .map(([name, self, ...calls]) =>
        record(
          fileOf(name),
          name,
          1,
          self,
          calls.map(([callee, cost]) => [fileOf(callee), callee, 2, cost]),
        ),
      )
      .join(''),
  );
}

/**
 * {main} starts a fiber that calls `before` and suspends; {main} calls `between`; it resumes the fiber, which calls
 * `after` and ends. What waits goes on counting: suspend lasts as long as `between`, start as long as `before`.
 */
const once = (before: Line, between: Line, after: Line): Line[] => {
  const cost = ([, self]: Line): number => self;
  const call = (line: Line): [string, number] => [line[0], cost(line)];
  const suspended = cost(between) + 30;
  return [
    before,
    [START, cost(before) + 50],
    between,
    [SUSPEND, suspended],
    after,
    ['body', 5, call(before), [SUSPEND, suspended], call(after)],
    [RESUME, cost(after) + 60],
    ['{main}', 7, [START, cost(before) + 50], call(between), [RESUME, cost(after) + 60]],
  ];
};

describe('one fiber, suspended once', () => {
  test('calls of different functions', () => {
    const view = read(profileOf(once(['a', 10], ['b', 20], ['c', 40])));
    expect(view.fidelity).toBe('exact');
    expect(view.treeText).toEqual([
      'body x1 5/105', // 5 + 10 + (20 + 30) + 40
      '  a x1 10/10',
      '  php::Fiber::suspend x1 50/50',
      '  c x1 40/40',
      '{main} x1 7/187', // 7 + (10 + 50) + 20 + (40 + 60)
      '  php::Fiber->start x1 60/60',
      '  b x1 20/20',
      '  php::Fiber->resume x1 100/100',
    ]);
    expect(view.profile.roots).toBe(2);
  });

  test('calls of one function that cost differently', () => {
    const view = read(profileOf(once(['a', 10], ['a', 20], ['a', 40])));
    expect(view.fidelity).toBe('exact');
    expect(view.treeText).toEqual([
      'body x1 5/105',
      '  a x2 50/50', // 10 + 40
      '  php::Fiber::suspend x1 50/50',
      '{main} x1 7/187',
      '  php::Fiber->start x1 60/60',
      '  a x1 20/20',
      '  php::Fiber->resume x1 100/100',
    ]);
  });

  test('calls of one function that cost the same', () => {
    // What stands directly below the record of start, resume or throw is what the fiber did before it suspended;
    // what stands directly below that of suspend is what the resumer did before it resumed.
    const view = read(profileOf(once(['a', 10], ['a', 10], ['a', 10])));
    expect(view.fidelity).toBe('exact');
    expect(view.profile.roots).toBe(2);
    expect(view.invocations('a')).toBe(3);
    expect(view.edge('body', 'a')).toEqual([[2, 2, 20]]);
    expect(view.edge('{main}', 'a')).toEqual([[2, 1, 10]]);
    expect(view.treeText.filter((line) => / a x/.test(line))).toEqual([
      '  a x2 20/20',
      '  a x1 10/10',
    ]);
  });

  test('calls that differ by less than rounding, but in what is below them', () => {
    // Both `a` cost 10 in all; that of {main} calls leaf.
    const lines = once(['a', 10], ['a', 10], ['c', 40]);
    lines.splice(2, 1, ['leaf', 4], ['a', 6, ['leaf', 4]]);
    const view = read(profileOf(lines));
    expect(view.fidelity).toBe('exact');
    expect(view.treeText).toEqual([
      'body x1 5/95',
      '  a x1 10/10',
      '  php::Fiber::suspend x1 40/40',
      '  c x1 40/40',
      '{main} x1 7/177',
      '  php::Fiber->start x1 60/60',
      '  a x1 6/10',
      '    leaf x1 4/4',
      '  php::Fiber->resume x1 100/100',
    ]);
  });
});

test('a fiber that is never resumed is closed behind {main}, as a root', () => {
  const view = read(
    profileOf([
      ['a', 10],
      [START, 60],
      ['{main}', 7, [START, 60]],
      [SUSPEND, 500],
      ['body', 5, ['a', 10], [SUSPEND, 500]],
    ]),
  );
  expect(view.fidelity).toBe('exact');
  expect(view.treeText).toEqual([
    '{main} x1 7/67',
    '  php::Fiber->start x1 60/60',
    'body x1 5/515',
    '  a x1 10/10',
    '  php::Fiber::suspend x1 500/500',
  ]);
});

test('a fiber that never suspends', () => {
  const view = read(
    profileOf([
      ['a', 10],
      ['body', 5, ['a', 10]],
      [START, 40],
      ['a', 10],
      ['{main}', 7, [START, 40], ['a', 10]],
    ]),
  );
  expect(view.fidelity).toBe('exact');
  expect(view.treeText).toEqual([
    'body x1 5/15',
    '  a x1 10/10',
    '{main} x1 7/57',
    '  php::Fiber->start x1 40/40',
    '  a x1 10/10',
  ]);
});

/**
 * What Xdebug 3.2.0 with PHP 8.2 wrote, costs and order as they were, of
 *
 *     function leaf(){ return abs(-1); }
 *     function task($n){ leaf(); Fiber::suspend($n); leaf(); leaf(); Fiber::suspend($n); return leaf(); }
 *     $a=new Fiber('task'); $b=new Fiber('task'); $a->start(1); $b->start(2);
 *     $a->resume(); $b->resume(); $a->resume(); $b->resume();
 */
describe('two fibers that take turns, as PHP ran them', () => {
  const CONSTRUCT = 'php::Fiber->__construct';
  /** On which line of the program it is called, which is also where PHP's own functions have their cost. */
  const calledOn: Record<string, number> = { 'php::abs': 2, leaf: 3, [SUSPEND]: 3 };
  const ownLine: Record<string, number> = { leaf: 2, task: 3, '{main}': 1 };
  const mem = (time: number): string => `${time} 16400`;
  const cost = (self: number | string): string => (typeof self === 'string' ? self : `${self} 0`);
  const written = (
    name: string,
    self: number | string,
    ...calls: [name: string, cost: number | string][]
  ): string =>
    record(
      fileOf(name),
      name,
      ownLine[name] ?? calledOn[name] ?? 4,
      cost(self),
      calls.map(([callee, paid]) => [fileOf(callee), callee, calledOn[callee] ?? 4, cost(paid)]),
    );
  const leaf = (self: number, abs: number): string =>
    written('php::abs', abs) + written('leaf', self, ['php::abs', abs]);

  const view = read(
    timedAndSized(
      written(CONSTRUCT, 918) +
        written(CONSTRUCT, 14) +
        leaf(478, 70) + // a: 548
        written(START, mem(5014)) +
        leaf(63, 11) + // b: 74
        written(START, mem(2462)) +
        written(SUSPEND, mem(2742)) +
        leaf(43, 6) + // a: 49
        leaf(33, 6) + // a: 39
        written(RESUME, 310) +
        written(SUSPEND, 507) +
        leaf(29, 8) + // b: 37
        leaf(27, 4) + // b: 31
        written(RESUME, 217) +
        written(SUSPEND, 349) +
        leaf(53, 4) + // a: 57
        written(
          'task',
          786,
          ['leaf', 548],
          [SUSPEND, mem(2742)],
          ['leaf', 49],
          ['leaf', 39],
          [SUSPEND, 349],
          ['leaf', 57],
        ) +
        written(RESUME, 1209) +
        written(SUSPEND, 1334) +
        leaf(42, 6) + // b: 48
        written(
          'task',
          310,
          ['leaf', 74],
          [SUSPEND, 507],
          ['leaf', 37],
          ['leaf', 31],
          [SUSPEND, 1334],
          ['leaf', 48],
        ) +
        written(RESUME, 1167) +
        written(
          '{main}',
          '3267 640',
          [CONSTRUCT, 918],
          [CONSTRUCT, 14],
          [START, mem(5014)],
          [START, mem(2462)],
          [RESUME, 310],
          [RESUME, 217],
          [RESUME, 1209],
          [RESUME, 1167],
        ),
      '21007 430072',
    ),
  );

  test('each record belongs to one call', () => {
    expect(view.fidelity).toBe('exact');
    expect(view.profile.warnings).toEqual([]);
    expect(view.profile.calls).toBe(28); // 8 of {main}, 6 in each task, one in each of 8 leaf
    expect([view.profile.tree?.size, view.profile.roots]).toEqual([8, 3]);
    expect(view.treeText).toEqual([
      // 1096 = 786 + 310, and 883 + 4932 below
      'task x2 1096,0/6911,16400',
      '  leaf x8 768,0/883,0', // 478 + 63 + 43 + 33 + 29 + 27 + 53 + 42, and 115
      '    php::abs x8 115,0/115,0', // 70 + 11 + 6 + 6 + 8 + 4 + 4 + 6
      '  php::Fiber::suspend x4 4932,16400/4932,16400', // 2742 + 507 + 349 + 1334
      '{main} x1 3267,640/14578,33440', // 3267 + 932 + 7476 + 2903, and 640 + 32800
      '  php::Fiber->__construct x2 932,0/932,0', // 918 + 14
      '  php::Fiber->start x2 7476,32800/7476,32800', // 5014 + 2462
      '  php::Fiber->resume x4 2903,0/2903,0', // 310 + 217 + 1209 + 1167
    ]);
    expect(view.total).toEqual([21_489, 49_840]); // 6911 + 14578, and 16400 + 33440
  });

  test('single invocations: a ends before b', () => {
    const { functions, sites } = view.profile;
    const task = view.fn('task');
    // a: 786 + 548 + 2742 + 49 + 39 + 349 + 57; b: 310 + 74 + 507 + 37 + 31 + 1334 + 48
    expect(rangeOf(functions.inclusiveTimes, task)).toEqual({ min: 2341, max: 4570, first: 4570 });
    expect(rangeOf(functions.selfTimes, task)).toEqual({ min: 310, max: 786, first: 786 });
    // Both call leaf() 4 times, and suspend twice.
    const perTask = Array.from({ length: sites.size }, (_, row) => row)
      .filter((row) => sites.caller[row] === task)
      .map((row) => factsOf(sites.perInvocation, row)?.filled);
    expect(perTask).toEqual([[[4, 2]], [[2, 2]]]);
  });

  test('what waits goes on counting, and that is said', () => {
    expect(view.warnings).toEqual([
      expect.stringMatching(
        /more than the wall time \(0.21489 ms against 0.21007 ms\): fibers ran/,
      ),
    ]);
  });
});
