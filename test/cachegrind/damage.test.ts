/** Damaged lines: what is left out, how it is said, and that everything else stays right. */
import { describe, expect, test } from 'bun:test';
import { errorOf, latin1, read, readBytes } from '../support/read.ts';
import { record, TIME_HEAD, timed, timedAndSized } from '../support/text.ts';

/** Eight lines of header; four of leaf; then fl=, fn=, the own cost of {main} on line 15, the call on 16 to 19. */
const LEAF = record('(1) /a.php', '(1) leaf', 1, 10);
const MAIN_HEAD = 'fl=(1)\nfn=(2) {main}\n1 5\n';
const CALL = 'cfl=(1)\ncfn=(1)\ncalls=1 0 0\n2 10\n';
const WHOLE = timed(`${LEAF}${MAIN_HEAD}${CALL}`);

describe('damaged lines', () => {
  const rows: readonly [
    what: string,
    body: string,
    expected: { lines: string[]; calls: string[]; warning: RegExp },
  ][] = [
    [
      'a letter in a cost',
      `${LEAF}${MAIN_HEAD}3 1o0\n${CALL}`,
      {
        lines: ['leaf:1 10', '{main}:1 5'],
        calls: ['{main}:2 leaf x1 10'],
        warning: /^line 16: a cost is no number/,
      },
    ],
    [
      'a letter in the cost of a call: neither call nor own cost',
      `${LEAF}${MAIN_HEAD}${CALL.replace('2 10', '2 1x')}4 2\n`,
      {
        lines: ['leaf:1 10', '{main}:1 5', '{main}:4 2'],
        calls: [],
        warning: /^line 19: a cost is no number/,
      },
    ],
    [
      'a line of words',
      `${LEAF}${MAIN_HEAD}PHP Warning:  Undefined variable $x\n${CALL}`,
      {
        lines: ['leaf:1 10', '{main}:1 5'],
        calls: ['{main}:2 leaf x1 10'],
        warning: /^line 16: not understood/,
      },
    ],
    [
      'an unknown key',
      `${LEAF}${MAIN_HEAD}cfx=(1)\n${CALL}`,
      {
        lines: ['leaf:1 10', '{main}:1 5'],
        calls: ['{main}:2 leaf x1 10'],
        warning: /^line 16: not understood/,
      },
    ],
    [
      'a line of equals signs that separates nothing',
      `${LEAF}${MAIN_HEAD}==== SOMETHING ELSE ====\n${CALL}`,
      {
        lines: ['leaf:1 10', '{main}:1 5'],
        calls: ['{main}:2 leaf x1 10'],
        warning: /^line 16: not understood/,
      },
    ],
    [
      'a call without a cost line at the end of a record',
      `${LEAF}${MAIN_HEAD}${CALL}cfl=(1)\ncfn=(1)\ncalls=1 0 0\n\n${record('(1)', '(1)', 1, 3)}`,
      {
        lines: ['leaf:1 13', '{main}:1 5'],
        calls: ['{main}:2 leaf x1 10'],
        warning: /: a call without a cost line/,
      },
    ],
    [
      'a call of nothing',
      `${LEAF}${MAIN_HEAD}${CALL}calls=1 0 0\n3 4\n`,
      {
        lines: ['leaf:1 10', '{main}:1 5'],
        calls: ['{main}:2 leaf x1 10'],
        warning: /^line 20: a call of nothing/,
      },
    ],
    [
      'a summary that is no number',
      `${LEAF}${MAIN_HEAD}${CALL}\nsummary: 1x\n`,
      {
        lines: ['leaf:1 10', '{main}:1 5'],
        calls: ['{main}:2 leaf x1 10'],
        warning: /^line 21: a cost is no number/,
      },
    ],
  ];
  for (const [what, body, { lines, calls, warning }] of rows) {
    test(what, () => {
      const view = read(timed(body));
      expect(view.lines).toEqual(lines);
      expect(view.calls).toEqual(calls);
      expect(view.profile.warnings).toContainEqual(expect.stringMatching(warning));
      expect(view.fidelity).toBe('partial');
    });
  }

  test('a call without a cost line before another call does not lose that one', () => {
    const view = read(timed(`${LEAF}${MAIN_HEAD}cfl=(1)\ncfn=(1)\ncalls=1 0 0\n${CALL}`));
    expect(view.calls).toEqual(['{main}:2 leaf x1 10']);
    // The call begins on line 16; its cost line is missing behind line 18.
    expect(view.profile.warnings).toEqual([
      expect.stringMatching(/^line 1[89]: a call without a cost line/),
    ]);
  });

  test('without damage nothing is said', () => {
    const view = read(WHOLE.replace('summary: 0', 'summary: 15'));
    expect(view.warnings).toEqual([]);
    expect(view.treeText).toEqual(['{main} x1 5/15', '  leaf x1 10/10']);
  });

  test('many lines of one kind are one warning: five are named, the rest counted', () => {
    const view = read(timed(LEAF + MAIN_HEAD + '3 x\n'.repeat(1000)));
    const [warning] = view.profile.warnings;
    expect(warning).toMatch(/^lines 16, 17, 18, 19, 20 and 995 more: a cost is no number/);
    expect(view.profile.warnings.length).toBe(1);
  });

  test('text of damaged lines is not repeated', () => {
    const view = read(timed(`${LEAF}${MAIN_HEAD}password=hunter2 \x1b[31m\n${CALL}`));
    expect(JSON.stringify(view.warnings)).not.toMatch(/hunter2|password|\\u001b|\\x1b/i);
  });
});

/** `f` costs 700 and is called once by {main}, which costs 200: one line each, as Xdebug writes it. */
const F = 'fl=/a.php\nfn=f\n3 700 0\n\n';
const CALLER = 'fl=/a.php\nfn={main}\n1 200 0\n';
const CALL_OF_F = 'cfl=/a.php\ncfn=f\ncalls=1 0 0\n4 700 0\n';
const BOTH = ['{main} x1 200,0/900,0', '  f x1 700,0/700,0'];

describe('what Xdebug always writes: a line that is lost or changed without a trace of its own is noticed', () => {
  test('as it should be', () => {
    const view = read(timedAndSized(F + CALLER + CALL_OF_F, '950 0'));
    expect(view.treeText).toEqual(BOTH);
    expect(view.profile.warnings).toEqual([]);
    expect(view.fidelity).toBe('exact');
  });

  // Lines 1 to 8 are the header, f is 9 to 11, {main} begins on 13, its own cost stands on 15, the call on 16 to 19.
  const rows: readonly [
    what: string,
    body: string,
    expected: { tree: string[]; calls: string[]; warning: RegExp },
  ][] = [
    [
      'digits of a cost: the caller says 700, the record 7',
      F.replace('3 700', '3 7') + CALLER + CALL_OF_F,
      {
        tree: ['{main} x1 200,0/900,0', '  f x1 7,0/700,0'], // inclusive is what the caller paid
        calls: ['{main}:4 f x1 700 0'],
        warning: /^1 call has another cost than the record of the callee/,
      },
    ],
    [
      'the line "calls=": what follows is no own cost',
      F + CALLER + CALL_OF_F.replace('calls=1 0 0\n', ''),
      {
        tree: ['f x1 700,0/700,0', '{main} x1 200,0/200,0'],
        calls: [],
        warning: /^line 18: a cost behind a callee without its "calls=" line/,
      },
    ],
    [
      'a line of own cost that stands twice',
      `${F}${CALLER}1 200 0\n${CALL_OF_F}`,
      {
        tree: ['{main} x1 400,0/1100,0', '  f x1 700,0/700,0'], // 200 + 200 + 700
        calls: ['{main}:4 f x1 700 0'],
        warning: /^line 22: the record that ends here has not one line of own cost/, // at the summary
      },
    ],
    [
      'the line of own cost',
      F + CALLER.replace('1 200 0\n', '') + CALL_OF_F,
      {
        tree: ['{main} x1 0,0/700,0', '  f x1 700,0/700,0'],
        calls: ['{main}:4 f x1 700 0'],
        warning: /^line 20: the record that ends here has not one line of own cost/,
      },
    ],
    [
      'the second column of a cost',
      F.replace('700 0', '700') + CALLER + CALL_OF_F,
      {
        tree: BOTH,
        calls: ['{main}:4 f x1 700 0'],
        warning: /^line 11: fewer costs than the events line names/,
      },
    ],
    [
      'the second column of the cost of a call',
      F + CALLER + CALL_OF_F.replace('700 0', '700'),
      {
        tree: BOTH,
        calls: ['{main}:4 f x1 700 0'],
        warning: /^line 19: fewer costs than the events line names/,
      },
    ],
  ];
  for (const [what, body, { tree, calls, warning }] of rows) {
    test(what, () => {
      const view = read(timedAndSized(body, '950 0'));
      expect(view.treeText).toEqual(tree);
      expect(view.calls).toEqual(calls);
      expect(view.profile.warnings).toEqual([expect.stringMatching(warning)]);
      expect(view.fidelity).toBe('partial');
    });
  }
});

describe('totals of other producers are the sum of their lines', () => {
  const text = (head: string, tail: string, event = 'Ir'): string =>
    `version: 1\npositions: line\nevents: ${event}\n${head}\nfl=a.c\nfn=main\n3 100\n${tail}`;
  const rows: readonly [what: string, text: string, line: number | undefined][] = [
    ['cut at a line end: the summary in the header says more', text('summary: 11700\n', ''), 8],
    ['lines are lost: totals say more', text('summary: 11700\n', '\ntotals: 11700\n'), 10],
    ['totals alone say more', text('', '\ntotals: 101\n'), 9],
    ['totals say less', text('', '\ntotals: 99\n'), 9],
    ['all say the same', text('summary: 100\n', '\ntotals: 100\n'), undefined],
    ['the summary is the same', text('summary: 100\n', ''), undefined],
    ['the summary is 1 % more', text('summary: 101\n', ''), undefined], // 100 / 101 = 99.01 %
    ['the summary is 2 % more', text('summary: 102\n', ''), 8],
    ['nothing is said', text('', ''), undefined],
    // Of time a summary is what passed on the clock.
    ['a summary of time', text('summary: 11700\n', '', 'Time'), undefined],
  ];
  for (const [what, profile, line] of rows) {
    test(what, () => {
      const view = read(profile);
      expect(view.total).toEqual([100]);
      const said = new RegExp(`^line ${line}: the lines .* do not add up to its totals`);
      const warnings = line === undefined ? [] : [expect.stringMatching(said)];
      expect(view.profile.warnings).toEqual(warnings);
      expect(view.fidelity).toBe(line === undefined ? 'exact' : 'partial');
    });
  }
});

describe('lost records', () => {
  test('a call whose record is missing keeps its cost in the caller, and is said', () => {
    const view = read(
      timed(record('(1) /a.php', '(2) {main}', 1, 5, [['(1)', '(1) leaf', 2, 10]]), 15),
    );
    expect(view.treeText).toEqual(['{main} x1 5/15']);
    expect(view.inclusive('{main}')).toEqual([15]);
    expect(view.self('leaf')).toEqual([0]);
    expect(view.inclusive('leaf')).toEqual([10]); // what its caller says
    expect(view.total).toEqual([5]);
    expect(view.fidelity).toBe('partial');
    expect(view.profile.warnings).toEqual([expect.stringMatching(/^1 calls? ha/)]);
  });

  test('one lost record does not lose those around it', () => {
    // {main} calls a, b, c; the record of b is lost.
    const a = record('(1) /a.php', '(1) a', 1, 10);
    const c = record('(1)', '(3) c', 1, 30);
    const view = read(
      timed(
        a +
          c +
          record('(1)', '(4) {main}', 1, 5, [
            ['(1)', '(1)', 2, 10],
            ['(1)', '(2) b', 3, 20],
            ['(1)', '(3)', 4, 30],
          ]),
      ),
    );
    expect(view.treeText).toEqual(['{main} x1 5/65', '  a x1 10/10', '  c x1 30/30']);
    expect(view.profile.roots).toBe(1);
  });

  test('a record too many becomes a root and disturbs no other', () => {
    const view = read(timed(LEAF + record('(1)', '(3) stray', 1, 99) + MAIN_HEAD + CALL));
    expect(view.treeText.toSorted()).toEqual([
      '  leaf x1 10/10',
      'stray x1 99/99',
      '{main} x1 5/15',
    ]);
    expect(view.profile.roots).toBe(2);
  });

  test('a call goes to the record of its cost, not to the nearest of the function', () => {
    // Two leaf: 10 belongs to {main}, 77 to nobody.
    const view = read(timed(LEAF + record('(1)', '(1)', 1, 77) + MAIN_HEAD + CALL));
    expect(view.treeText.toSorted()).toEqual([
      '  leaf x1 10/10',
      'leaf x1 77/77',
      '{main} x1 5/15',
    ]);
  });

  test('a record without costs is none', () => {
    const view = read(timed(`fl=(1) /a.php\nfn=(1) empty\n\n${record('(1)', '(2) f', 1, 10)}`));
    expect(view.names).toEqual(['f']);
  });
});

describe('killed', () => {
  test('no summary: what had not returned is missing, what it called has no caller', () => {
    const view = read(TIME_HEAD + LEAF + LEAF);
    expect(view.fidelity).toBe('partial');
    expect(view.summary).toBeNull();
    expect(view.treeText).toEqual(['leaf x2 20/20']);
    expect(view.profile.roots).toBe(2);
    expect(view.warnings).toEqual([
      expect.stringMatching(/no summary line.*killed or is still running/),
    ]);
  });

  test('only the header: no functions, and the command is known', () => {
    const view = read(TIME_HEAD);
    expect(view.names).toEqual([]);
    expect(view.profile.command).toBe('/srv/a.php');
    expect(view.total).toEqual([0]);
    expect(view.fidelity).toBe('partial');
    expect(view.profile.tree?.size).toBe(0);
  });

  const heads: readonly [what: string, text: string, cut: number | undefined][] = [
    ['in a line', 'version: 1\ncreator: xdebug 3.4.7 (PHP 8.3.14)\ncmd: /srv/a.p', 3],
    ['at a line end', 'version: 1\ncreator: xdebug 3.4.7 (PHP 8.3.14)\n', undefined],
    ['before the last line', TIME_HEAD.slice(0, TIME_HEAD.indexOf('events:')), undefined],
    ['in the last line', TIME_HEAD.trimEnd(), 7],
  ];
  for (const [what, text, cut] of heads) {
    test(`the header is cut ${what}: nothing is recorded, and that is said`, () => {
      const view = read(text);
      expect([view.names, view.total, view.treeText]).toEqual([[], [], []]);
      expect(view.profile.roots).toBe(0);
      expect(view.fidelity).toBe('partial');
      const cutLine = expect.stringMatching(new RegExp(`^line ${cut}: the end of the file is cut`));
      expect(view.profile.warnings).toEqual([
        expect.stringMatching(/^Only a part of the header is in the file/),
        ...(cut === undefined ? [] : [cutLine]),
        expect.stringMatching(/no summary line.*killed or is still running/),
      ]);
    });
  }

  test('why the content ended early is said', () => {
    const profile = readBytes(latin1(WHOLE), { cut: 'The disk was full.' });
    expect(profile.fidelity).toBe('partial');
    expect(profile.warnings).toEqual(['The disk was full.']);
  });

  test('other producers write no summary, so that is no damage', () => {
    expect(read('events: Cost\nfl=/a\nfn=f\n1 5\n').fidelity).toBe('exact');
  });
});

describe('files that hold no profile', () => {
  test('costs before any events: line, with the line', () => {
    const error = errorOf(() =>
      read('version: 1\ncreator: xdebug 3.4.7\nfl=(1) /a.php\nfn=(1) f\n1 10\n'),
    );
    expect(error).toMatchObject({ code: 'no_events', position: { line: 5 } });
  });

  for (const [what, text] of [
    ['an empty events: line', 'events:\nfl=(1) /a.php\nfn=(1) f\n1 10\n'],
    ['one with blanks', 'events: \t \nfl=(1) /a.php\nfn=(1) f\n1 10\n'],
    ['one before plain names and more numbers', 'events:\n\nfl=a\nfn=f\n1 2 3\n'],
  ]) {
    test(`${what}: the error names its line`, () => {
      const error = errorOf(() => read(`version: 1\ncreator: xdebug 3.4.7\n${text}`));
      expect(error).toMatchObject({ code: 'no_events', position: { line: 3 } });
    });
  }

  const headless: readonly [what: string, text: string, code: string][] = [
    ['nothing', '', 'empty_file'],
    ['blank lines', '\n\n \n', 'not_a_profile'],
    ['numbers', '1 2 3\n', 'not_a_profile'],
    ['words', 'hello world\n', 'not_a_profile'],
    ['words without a line end', 'hello world', 'not_a_profile'],
    ['a version only', 'version: 1\n', 'not_a_profile'],
    ['records only', 'fl=(1) /a.php\nfn=(1) f\n', 'not_a_profile'],
    ['a comment only', '# callgrind format\n', 'not_a_profile'],
    ['an unknown key first', 'colour: green\nevents: Time\n', 'not_a_profile'],
  ];
  for (const [what, text, code] of headless) {
    test(`${what}: ${code}`, () => {
      for (const chunk of [1, 1000]) {
        const error = errorOf(() => readBytes(latin1(text), { chunk }));
        expect({ chunk, code: error.code }).toEqual({ chunk, code: code as never });
      }
    });
  }
});
