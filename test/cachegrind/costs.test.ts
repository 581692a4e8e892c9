/** Costs and counts of calls. */
import { describe, expect, test } from 'bun:test';
import { read } from '../support/read.ts';
import { foreign, record, TIME_HEAD, timed, timedAndSized } from '../support/text.ts';

describe('costs', () => {
  test('fewer than events: the rest is 0', () => {
    const view = read(foreign('fl=/a.c\nfn=f\n1 5\n2\n3 1 2\n4 1 2 3\n', 'line', 'A B C'));
    expect(view.lines).toEqual(['f:1 5 0 0', 'f:2 0 0 0', 'f:3 1 2 0', 'f:4 1 2 3']);
    expect(view.total).toEqual([7, 4, 3]);
    expect(view.warnings).toEqual([]);
  });

  test('fewer than events on a call', () => {
    const view = read(
      foreign('fl=/a.c\nfn=f\n1 5\ncfn=g\ncalls=1 1\n2 7\nfn=g\n1 7\n', 'line', 'A B'),
    );
    expect(view.calls).toEqual(['f:2 g x1 7 0']);
  });

  test('more than events: what is beyond them is not counted, and said', () => {
    const view = read(
      timed(`${record('(1) /a.php', '(1) f', 1, '10 64')}${record('(1)', '(1)', 1, 5)}`),
    );
    expect(view.total).toEqual([15]);
    expect(view.profile.warnings).toEqual([expect.stringMatching(/^line 11: more costs than/)]);
  });

  test('negative memory keeps its sign on own lines and on calls', () => {
    const view = read(
      timedAndSized(
        record('(1) /a.php', '(1) grow', 1, '10 2000000') +
          record('(1)', '(2) shrink', 1, '20 -1999800') +
          record('(1)', '(3) {main}', 1, '5 300', [
            ['(1)', '(1)', 3, '10 2000000'],
            ['(1)', '(2)', 4, '20 -1999800'],
          ]),
      ),
    );
    expect(view.total).toEqual([35, 500]); // 300 + 2000000 - 1999800
    expect(view.inclusive('{main}')).toEqual([35, 500]);
    expect(view.calls).toEqual(['{main}:3 grow x1 10 2000000', '{main}:4 shrink x1 20 -1999800']);
  });

  test('memory that is written as 0 where it shrank does not add up: inclusive is what the caller paid', () => {
    // shrink freed 100: 0. {main}: own 0 (it freed, too), the calls of both 0.
    const view = read(
      timedAndSized(
        record('(1) /a.php', '(1) grow', 1, '10 100') +
          record('(1)', '(2) both', 1, '5 0', [['(1)', '(1)', 3, '10 100']]) +
          record('(1)', '(3) {main}', 1, '5 0', [['(1)', '(2)', 4, '15 0']]),
      ),
    );
    expect(view.treeText).toEqual([
      '{main} x1 5,0/20,0',
      '  both x1 5,0/15,0',
      '    grow x1 10,100/10,100',
    ]);
    expect(view.total).toEqual([20, 100]);
    expect(view.fidelity).toBe('exact');
  });

  const values: readonly [what: string, written: string, read: number, inexact: boolean][] = [
    ['0', '0', 0, false],
    ['9 digits', '999999999', 999_999_999, false],
    ['10 digits', '4294968296', 4_294_968_296, false],
    ['2^53 - 1', '9007199254740991', Number.MAX_SAFE_INTEGER, true],
    ['2^52', '4503599627370496', 2 ** 52, false],
    ['2^63, a negative number printed as unsigned', '9223372036854775808', -(2 ** 63), true],
    ['2^64 - 1', '18446744073709551615', -1, false],
    ['2^64 - 512', '18446744073709551104', -512, false],
  ];
  for (const [what, written, value, inexact] of values) {
    test(`memory of ${what}`, () => {
      const view = read(timedAndSized(record('(1) /a.php', '(1) f', 1, `1 ${written}`)));
      expect(view.self('f')).toEqual([1, value]);
      expect(view.profile.inexact).toBe(inexact);
    });
  }

  for (const huge of [
    '100000000000000000000000',
    '-100000000000000000000000',
    '9999999999999999999999999',
  ]) {
    test(`a cost of ${huge} is damage, never infinite`, () => {
      const view = read(timed(record('(1) /a.php', '(1) f', 1, 7) + record('(1)', '(1)', 1, huge)));
      expect(view.total).toEqual([7]);
      expect(view.fidelity).toBe('partial');
      expect(view.profile.warnings).toEqual([
        expect.stringMatching(/^line 15: a cost is no number/),
      ]);
    });
  }

  test('where the only cost has 25 digits, nothing is left', () => {
    const view = read(
      timedAndSized(record('/a.php', '{main}', 1, '9999999999999999999999999 0'), '12 0'),
    );
    expect([view.names, view.total, view.summary]).toEqual([[], [0, 0], [12, 0]]);
    expect(view.fidelity).toBe('partial');
    expect(view.profile.warnings).toEqual([expect.stringMatching(/^line 11: a cost is no number/)]);
  });

  test('a summary beyond all bounds is damage, never infinite', () => {
    const view = read(
      timed(record('(1) /a.php', '(1) f', 1, 7)).replace(
        'summary: 0',
        `summary: 1${'0'.repeat(23)}`,
      ),
    );
    expect(view.summary).toBeNull();
  });

  test('sums beyond 2^53 are said to be inexact', () => {
    const big = String(2 ** 52 - 1);
    const body = (times: number): string => record('(1) /a.php', '(1) f', 1, big).repeat(times);
    expect(read(timed(body(2))).profile.inexact).toBe(false); // 2^53 - 2
    const view = read(timed(body(3)));
    expect(view.profile.inexact).toBe(true);
    expect(view.warnings).toContainEqual(expect.stringMatching(/beyond 2\^53/));
  });

  test('sums of both signs that cancel out after digits were lost are said to be inexact, not a defect', () => {
    const [up, down] = [String(2 ** 52 - 1), String(-(2 ** 52) + 2)];
    const of = (name: string, cost: string): string =>
      record('(1) /a.php', name, 1, cost).repeat(5);
    const view = read(timed(of('(1) f', up) + of('(2) g', down)));
    expect(view.profile.inexact).toBe(true);
    expect(view.warnings).toContainEqual(expect.stringMatching(/beyond 2\^53/));
  });

  test('a time just below 2^32 is said to be a negative one of a 32-bit clock', () => {
    const view = read(
      timed(
        record('(1) /a.php', '(1) f', 1, 2 ** 32 - 3) + record('(1)', '(1)', 1, 2 ** 32 - 200_000),
      ),
    );
    expect(view.profile.warnings).toEqual([
      expect.stringMatching(/^line 11: a time just below 2\^32/),
    ]);
    expect(view.fidelity).toBe('exact');
    expect(view.total).toEqual([2 ** 33 - 200_003]);
  });

  test('all zero: no share is NaN, nothing is missing', () => {
    const view = read(
      timed(
        record('(1) /a.php', '(1) f', 1, 0) +
          record('(1)', '(2) {main}', 1, 0, [['(1)', '(1)', 3, 0]]),
      ),
    );
    expect(view.total).toEqual([0]);
    expect(view.treeText).toEqual(['{main} x1 0/0', '  f x1 0/0']);
    expect(view.warnings).toEqual([]);
  });

  test('a function of no cost is a function, with its calls', () => {
    const view = read(
      timed(
        record('(1) /a.php', '(1) noop', 9, 0) +
          record('(1)', '(2) {main}', 1, 7, [['(1)', '(1)', 0, 0]]),
      ),
    );
    expect(view.names).toEqual(['noop', '{main}']);
    expect(view.edge('{main}', 'noop')).toEqual([[0, 1, 0]]);
    expect(view.invocations('noop')).toBe(1);
  });

  test('several own lines of one record are one invocation', () => {
    const view = read(timed(`fl=(1) /a.php\nfn=(1) f\n3 1\n4 2\n3 4\n\n`));
    expect(view.lines).toEqual(['f:3 5', 'f:4 2']);
    expect(view.invocations('f')).toBe(1);
    expect(view.self('f')).toEqual([7]);
  });

  test('own lines may stand behind calls', () => {
    const view = read(
      timed(
        `${record('(1) /a.php', '(1) g', 1, 5)}fl=(1)\nfn=(2) f\n3 1\ncfl=(1)\ncfn=(1)\ncalls=1 0 0\n4 5\n6 2\n`,
      ),
    );
    expect(view.treeText).toEqual(['f x1 3/8', '  g x1 5/5']);
  });
});

describe('rounding', () => {
  test('a call line may differ from the own sum of the callee by a unit for each of its lines', () => {
    // mid: 5 + 11 + 11 = 27 by its own account, 29 by that of its caller: three lines, each off by less than one.
    const view = read(
      timed(
        record('(1) /a.php', '(1) leaf', 1, 11) +
          record('(1)', '(1)', 1, 11) +
          record('(1)', '(2) mid', 1, 5, [
            ['(1)', '(1)', 3, 11],
            ['(1)', '(1)', 3, 11],
          ]) +
          record('(1)', '(3) {main}', 1, 1, [['(1)', '(2)', 4, 29]]),
      ),
    );
    expect(view.fidelity).toBe('exact');
    expect(view.inclusive('mid')).toEqual([29]);
    expect(view.inclusive('{main}')).toEqual([30]); // 1 + 29
    expect(view.total).toEqual([28]); // 11 + 11 + 5 + 1
  });
});

describe('counts of calls', () => {
  test('others than 1 make the file a sum: no tree, and the counts are kept', () => {
    const view = read(foreign('fl=/a.c\nfn=f\n1 100\ncfn=g\ncalls=250 5\n9 900\n\nfn=g\n5 900\n'));
    expect(view.fidelity).toBe('aggregated');
    expect(view.profile.tree).toBeNull();
    expect(view.calls).toEqual(['f:9 g x250 900']);
    expect(view.invocations('g')).toBe(250);
    expect(view.invocations('f')).toBe(1); // nobody calls it
    expect(view.inclusive('f')).toEqual([1000]);
    expect(view.profile.roots).toBe(1);
  });

  for (const target of ['0 0', '20', '+3', '-7', '*', '0x4010 20', '* *', '', '+1 -1 5']) {
    test(`a target of "${target}" is passed over`, () => {
      const view = read(
        foreign(`fl=/a.c\nfn=f\n20 100\ncfn=g\ncalls=2 ${target}\n+1 9\nfn=g\n5 9\n`),
      );
      expect(view.calls).toEqual(['f:21 g x2 9']);
    });
  }

  for (const count of ['-5', '0', 'x', '1x', '', '1.5']) {
    test(`Xdebug 3 writes one call a line, so a count of "${count}" is damage, and the call is left out`, () => {
      const view = read(
        timed(
          `${record('(1) /a.php', '(1) g', 1, 5)}fl=(1)\nfn=(2) f\n1 10\ncfl=(1)\ncfn=(1)\ncalls=${count} 0 0\n4 5\n6 2\n`,
        ),
      );
      expect(view.calls).toEqual([]);
      expect(view.lines).toEqual(['g:1 5', 'f:1 10', 'f:6 2']); // the cost of the call is no cost of f
      expect(view.fidelity).toBe('partial');
      // 8 + 4 + fl, fn, cost, cfl, cfn, calls: line 18.
      expect(view.profile.warnings).toContainEqual(expect.stringMatching(/^line 18: a call count/));
    });
  }

  test('Xdebug 3 never adds calls up: where that is done, the counts hold, the tree is lost, and it is said', () => {
    const view = read(
      timed(
        `${record('(1) /a.php', '(1) g', 1, 900)}fl=(1)\nfn=(2) {main}\n1 5\ncfl=(1)\ncfn=(1)\ncalls=250 0 0\n4 900\n`,
      ),
    );
    expect(view.calls).toEqual(['{main}:4 g x250 900']);
    expect(view.inclusive('{main}')).toEqual([905]);
    expect(view.invocations('g')).toBe(250);
    expect(view.invocations('{main}')).toBe(1);
    expect([view.profile.calls, view.profile.roots]).toEqual([250, 1]);
    expect(view.profile.tree).toBeNull();
    expect(view.fidelity).toBe('aggregated');
    expect(view.profile.warnings).toContainEqual(
      expect.stringMatching(/^line 18: calls are added/),
    );
  });

  test('callgrind writes calls=0 for a call that began before this dump: its cost counts', () => {
    // As of `callgrind --dump-every-bb`: `main` was called in the part before.
    const view = read(
      foreign('fl=/a.c\nfn=start\n0 3\ncfn=main\ncalls=0 5\n0 40\n\nfn=main\n5 40\n'),
    );
    expect(view.inclusive('start')).toEqual([43]);
    expect(view.inclusive('main')).toEqual([40]);
    expect(view.edge('start', 'main')).toEqual([[0, 0, 40]]);
    expect(view.warnings).toEqual([]);
  });
});

test('calls=0 with ids, a summary in front and totals behind, as callgrind 3.19 writes it', () => {
  const view = read(
    'version: 1\ncreator: callgrind-3.19.0\npositions: line\nevents: Ir\nsummary: 30\n\nfl=(1) a.c\nfn=(1) main\n3 10\ncfn=(2) f\ncalls=0 7 \n4 20\n\nfn=(2)\n7 20\n\ntotals: 30\n',
  );
  expect(view.edge('main', 'f')).toEqual([[4, 0, 20]]);
  expect(view.inclusive('main')).toEqual([30]); // 10 + 20
  expect(view.inclusive('f')).toEqual([20]);
  expect(view.total).toEqual([30]);
  expect(view.warnings).toEqual([]);
});

test('cost lines before any function are damage', () => {
  const view = read(`${TIME_HEAD}3 5\n${record('(1) /a.php', '(1) f', 1, 10)}summary: 10\n`);
  expect(view.total).toEqual([10]);
  expect(view.profile.warnings).toEqual([
    expect.stringMatching(/^line 9: a cost outside any function/),
  ]);
});
