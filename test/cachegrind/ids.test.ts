/** Ids of files and functions, and which file a callee is in. */
import { describe, expect, test } from 'bun:test';
import { functionsOf, read } from '../support/read.ts';
import { foreign, record, timed } from '../support/text.ts';

describe('ids', () => {
  const rows: readonly [what: string, text: string, functions: string[]][] = [
    [
      'may be defined in any order: (2) before (1), which Xdebug reserves for php:internal',
      record('(2) /a.php', '(2) f', 1, 10) + record('(1) php:internal', '(1) php::time', 1, 5),
      ['/a.php f 10', 'php:internal php::time 5'],
    ],
    [
      'of files and of functions have nothing to do with each other',
      record('(1) /a.php', '(1) f', 1, 10) + record('(2) /b.php', '(2) g', 1, 5),
      ['/a.php f 10', '/b.php g 5'],
    ],
    [
      'of a function mean a name only: under two files they are two functions',
      record('(1) /a.php', '(1) run', 1, 10) +
        record('(2) /b.php', '(1)', 1, 5) +
        record('(1)', '(1)', 1, 1),
      ['/a.php run 11', '/b.php run 5'],
    ],
    [
      'may be defined by cfn= first',
      // g is called by the record above its own: as in a file whose order is another one.
      record('(1) /a.php', '(1) f', 1, 10, [['(2) /b.php', '(7) g', 3, 5]]) +
        record('(2)', '(7)', 1, 5),
      ['/a.php f 10', '/b.php g 5'],
    ],
    [
      'may be defined again with the same name',
      record('(1) /a.php', '(1) f', 1, 10) + record('(1) /a.php', '(1) f', 1, 5),
      ['/a.php f 15'],
    ],
    [
      'of a function mean what they were last defined as, from there on',
      record('(1) /a.php', '(1) f', 1, 10) +
        record('(1)', '(1) g', 1, 5) +
        record('(1)', '(1)', 1, 2),
      ['/a.php f 10', '/a.php g 7'],
    ],
    [
      'of a file mean what they were last defined as, from there on',
      record('(1) /a.php', '(1) f', 1, 10) +
        record('(1) /b.php', '(1)', 1, 5) +
        record('(1)', '(1)', 1, 2),
      ['/a.php f 10', '/b.php f 7'],
    ],
    [
      'two of one name are one function',
      record('(1) /a.php', '(1) f', 1, 10) + record('(2) /a.php', '(2) f', 1, 5),
      ['/a.php f 15'],
    ],
    [
      'may have one blank, several, a tab or nothing before the name',
      record('(1) /a.php', '(1)f', 1, 1) +
        record('(1)', '(2)   g', 1, 2) +
        record('(1)', '(3)\th', 1, 3) +
        record('  (1)', ' (2)', 1, 4),
      ['/a.php f 1', '/a.php g 6', '/a.php h 3'],
    ],
    [
      'may have leading zeros',
      record('(01) /a.php', '(007) f', 1, 1) + record('(1)', '(7)', 1, 2),
      ['/a.php f 3'],
    ],
    [
      'may be 0, or far from each other',
      record('(0) /a.php', '(0) f', 1, 1) + record('(70000) /b.php', '(16777215) g', 1, 2),
      ['/a.php f 1', '/b.php g 2'],
    ],
    [
      'are digits in parentheses at the very start, everything else is a plain name',
      record("/srv/x.php(20) : eval()'d code", '(below main)', 1, 1) +
        record('/a.php', '()', 1, 2) +
        record('/a.php', '(12a) b', 1, 3) +
        record('/a.php', '(12', 1, 4) +
        record('/a.php', 'f(7)', 1, 5),
      [
        "/srv/x.php(20) : eval()'d code (below main) 1",
        '/a.php () 2',
        '/a.php (12a) b 3',
        '/a.php (12 4',
        '/a.php f(7) 5',
      ],
    ],
    [
      'may be missing altogether: plain names, as Xdebug wrote them up to 2.2',
      record('/a.php', 'f', 1, 1) +
        record('/b.php', 'f', 1, 2) +
        record('/a.php', 'f', 1, 4, [['/b.php', 'f', 9, 2]]),
      ['/a.php f 5', '/b.php f 2'],
    ],
    [
      'on jfi= and jfn= define as well',
      'fl=(1) /a.c\nfn=(1) f\njfi=(2) /b.h\njfn=(2) g\njump=1 5\n3\n1 10\n\nfl=(2)\nfn=(2)\n4 5\n',
      ['/a.c f 10', '/b.h g 5'],
    ],
  ];
  for (const [what, body, functions] of rows) {
    test(what, () => expect(functionsOf(timed(body)).toSorted()).toEqual(functions.toSorted()));
  }

  test('an id that nothing defines is shown as such, with the line, and is no other function', () => {
    const view = read(
      timed(
        record('(1) /a.php', '(9)', 1, 10) +
          record('(8)', '(1) f', 1, 5) +
          record('(1)', '(9)', 1, 2),
      ),
    );
    expect(view.names).toEqual(['(9)', 'f']);
    expect(view.self('(9)')).toEqual([12]);
    expect(view.file('f')).toBe('(8)');
    expect(view.fidelity).toBe('partial');
    // Lines 1 to 8 are the header; then fl, fn (10), cost, blank, fl (13).
    expect(view.profile.warnings).toEqual([
      expect.stringMatching(/^line 10: a function id is used that nothing defines/),
      expect.stringMatching(/^line 13: a file id is used that nothing defines/),
    ]);
  });

  test('an undefined id that is defined later becomes that function from there on', () => {
    const view = read(
      timed(
        record('(1) /a.php', '(9)', 1, 10) +
          record('(1)', '(9) f', 1, 5) +
          record('(1)', '(9)', 1, 2),
      ),
    );
    expect([view.self('(9)'), view.self('f')]).toEqual([[10], [7]]);
  });

  for (const id of ['16777216', '99999999', '4294967295', '4294967297', '9007199254740991']) {
    test(`(${id}) is an id like any other, and asks for no memory`, () => {
      const view = read(
        timed(
          record(`(${id}) /a.php`, `(${id}) f`, 1, 10) +
            record(`(${id})`, '(1) {main}', 1, 5, [[`(${id})`, `(${id})`, 3, 10]]),
          15,
        ),
      );
      expect(view.treeText).toEqual(['{main} x1 5/15', '  f x1 10/10']);
      expect(view.file('f')).toBe('/a.php');
      expect(view.warnings).toEqual([]);
    });
  }

  const bad = ['(99999999999999999999) g', ''];
  for (const fn of bad) {
    const text = timed(`${record('(1) /a.php', '(1) f', 1, 10)}fl=(1)\nfn=${fn}\n1 5\n`);

    test(`fn=${fn} is damage, with its line, and asks for no memory`, () => {
      const view = read(text);
      expect(view.names).toEqual(['f']);
      expect(view.fidelity).toBe('partial');
      expect(view.profile.warnings[0]).toMatch(
        /^line 14: a name is missing, or its id is no number/,
      );
    });

    test(`costs below fn=${fn} belong to no function`, () => {
      expect(read(text).lines).toEqual(['f:1 10']);
    });
  }

  test('Xdebug writes fn= behind each fl=: without it costs belong to no function', () => {
    const view = read(timed(`${record('(1) /a.php', '(1) f', 1, 10)}fl=(2) /b.php\n1 5\n`));
    expect(view.lines).toEqual(['f:1 10']);
    expect(view.fidelity).toBe('partial');
  });
});

describe('files of a callee', () => {
  test('cfl= holds for one call only', () => {
    // g is in /b.php; h, without a file of its own, is in that of its caller.
    const view = read(
      foreign(
        'fl=/a.c\nfn=f\n1 10\ncfl=/b.c\ncfn=g\ncalls=1 5\n2 20\ncfn=h\ncalls=1 6\n3 30\n\nfl=/b.c\nfn=g\n5 20\n\nfl=/a.c\nfn=h\n6 30\n',
      ),
    );
    expect([view.file('g'), view.file('h')]).toEqual(['/b.c', '/a.c']);
    expect(view.names).toEqual(['f', 'g', 'h']);
    expect(view.inclusive('f')).toEqual([60]);
  });

  test('cfi= is the older spelling of cfl=', () => {
    const view = read(
      foreign('fl=/a.c\nfn=f\n1 10\ncfi=/b.c\ncfn=g\ncalls=1 5\n2 20\n\nfl=/b.c\nfn=g\n5 20\n'),
    );
    expect(view.file('g')).toBe('/b.c');
    expect(view.calls).toEqual(['f:2 g x1 20']);
  });

  test('a callee without a file is the function of that name that has costs', () => {
    const view = read(
      timed(
        'fl=/lib.php\nfn=size\n3 5\n\nfl=/a.php\nfn={main}\n1 10\ncfn=size\ncalls=1 0 0\n7 5\n\n',
      ),
    );
    expect(view.names).toEqual(['size', '{main}']);
    expect(view.file('size')).toBe('/lib.php');
    expect(view.treeText).toEqual(['{main} x1 10/15', '  size x1 5/5']);
  });

  test('and where there are two of the name, the one whose record is claimed', () => {
    // Both files have a size(); {main} calls first that of /b.php (7), then that of /a.php (5).
    const view = read(
      timed(
        'fl=/b.php\nfn=size\n3 7\n\nfl=/a.php\nfn=size\n3 5\n\nfl=/a.php\nfn={main}\n1 10\ncfn=size\ncalls=1 0 0\n7 7\ncfn=size\ncalls=1 0 0\n8 5\n\n',
      ),
    );
    expect(view.inclusive('size', '/b.php')).toEqual([7]);
    expect(view.inclusive('size', '/a.php')).toEqual([5]);
    expect(view.fidelity).toBe('exact');
    const { sites, functions } = view.profile;
    const callees = [...sites.callee.slice(0, sites.size)].map((fn) => functions.fileOf(fn));
    expect(callees).toEqual(['/b.php', '/a.php']);
  });

  test('a callee without a file may be of the same name as its caller, in another file', () => {
    // load() of /y.php calls load() of /x.php: two functions, no recursion. Xdebug 2.0 writes no cfl=.
    const view = read(
      `version: 0.9.6\ncmd: /srv/a.php\npart: 1\n\nevents: Time\n\nfl=/srv/x.php\nfn=load\n5 10\n\nfl=/srv/y.php\nfn=load\n6 20\ncfn=load\ncalls=1 0 0\n7 10\n\nfl=/srv/a.php\nfn={main}\n\nsummary: 130\n\n0 100\ncfn=load\ncalls=1 0 0\n4 30\n\n`,
    );
    const { profile } = view;
    expect(view.names).toEqual(['load', 'load', '{main}']);
    expect(view.treeText).toEqual(['{main} x1 100/130', '  load x1 20/30', '    load x1 10/10']);
    expect(view.inclusive('load', '/srv/x.php')).toEqual([10]);
    expect(view.inclusive('load', '/srv/y.php')).toEqual([30]); // 20 + 10
    expect(view.inclusive('{main}')).toEqual([130]); // 100 + 30
    expect([
      view.invocations('load', '/srv/x.php'),
      view.invocations('load', '/srv/y.php'),
      profile.roots,
    ]).toEqual([1, 1, 1]);
    const { sites, functions } = profile;
    const found = Array.from({ length: sites.size }, (_, row) => [
      functions.fileOf(sites.caller[row] ?? -1),
      sites.line[row],
      functions.fileOf(sites.callee[row] ?? -1),
      sites.calls[row],
      sites.cost[row],
    ]);
    expect(found).toEqual([
      ['/srv/y.php', 7, '/srv/x.php', 1, 10],
      ['/srv/a.php', 4, '/srv/y.php', 1, 30],
    ]);
    expect(view.fidelity).toBe('exact');
  });

  test('fi= and fe= move costs to another file, not the function, and not the next fn=', () => {
    const view = read(
      foreign(
        'fl=/a.c\nfn=f\n1 10\nfi=/inlined.h\n9 4\nfe=/a.c\n2 1\nfi=/inlined.h\n9 2\nfn=g\n5 3\n',
      ),
    );
    expect(view.names).toEqual(['f', 'g']);
    expect([view.self('f'), view.self('g')]).toEqual([[17], [3]]); // 10 + 4 + 1 + 2
    expect(view.file('g')).toBe('/a.c');
  });

  test('ob= and cob= are no part of a function', () => {
    const view = read(
      foreign(
        'ob=(1) /bin/a\nfl=(1) /a.c\nfn=(1) f\n1 10\ncob=(2) /lib/z.so\ncfl=(2) /z.c\ncfn=(2) g\ncalls=4 1\n2 20\n\nob=(2)\nfl=(2)\nfn=(2)\n1 20\n',
      ),
    );
    expect(view.names).toEqual(['f', 'g']);
    expect(view.calls).toEqual(['f:2 g x4 20']);
    expect(view.inclusive('f')).toEqual([30]);
  });
});
