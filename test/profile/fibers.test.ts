/** Programs with fibers, record by record: which of two alike belongs to whom. */
import { describe, expect, test } from 'bun:test';
import { read } from '../support/read.ts';
import { record, timed } from '../support/text.ts';

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
