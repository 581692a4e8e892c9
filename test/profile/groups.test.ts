/** Functions in groups: which group, and what groups cost. */
import { describe, expect, test } from 'bun:test';
import { commonRoot, directoryOf, relativeTo } from '../../src/profile/directories.ts';
import { groupProfile } from '../../src/profile/group-profile.ts';
import { GROUPINGS } from '../../src/profile/groups.ts';
import { classOf, namespaceOf } from '../../src/profile/name-parts.ts';
import { read } from '../support/read.ts';
import { record, timed, timedAndSized } from '../support/text.ts';

describe('class and namespace of a name', () => {
  const rows: readonly [name: string, inClass: string, namespace: string][] = [
    ['Shop\\Kernel->run', 'Shop\\Kernel', 'Shop'],
    ['Shop\\Cart\\Cart::make', 'Shop\\Cart\\Cart', 'Shop\\Cart'],
    ['Kernel->run', 'Kernel', '(global)'],
    ['Shop\\price', '(functions)', 'Shop'],
    ['price', '(functions)', '(global)'],
    ['Shop\\Cart->Shop\\{closure:/srv/Cart.php:27-27}', 'Shop\\Cart', 'Shop'],
    ['Shop\\Cart::{closure:/srv/Cart.php:27-27}', 'Shop\\Cart', 'Shop'],
    ['Shop\\{closure:/srv/a.php:1-2}', '(functions)', 'Shop'],
    ['{closure:/srv/a.php:1-2}', '(functions)', '(global)'],
    ['{closure:C:\\srv\\a.php:1-2}', '(functions)', '(global)'],
    ['Shop\\{closure:C:\\srv\\a.php:1-2}', '(functions)', 'Shop'],
    // PHP 8.4 names the function that a closure stands in.
    ['{closure:Shop\\Cart::total():27}', '(functions)', '(global)'],
    ['Shop\\Cart->{closure:Shop\\Cart::total():27}', 'Shop\\Cart', 'Shop'],
    ['{anonymous-class:/srv/a.php:3-9}->m', '{anonymous-class:/srv/a.php:3-9}', '(global)'],
    ['{anonymous-class:C:\\a.php:3-9}->m', '{anonymous-class:C:\\a.php:3-9}', '(global)'],
    ['class@anonymous::m', 'class@anonymous', '(global)'],
    ['Shop\\Base@anonymous::m', 'Shop\\Base@anonymous', 'Shop'],
    ['php::strlen', '(PHP functions)', 'php'],
    ['php::PDO->query', 'PDO', 'php'],
    ['php::Dom\\HTMLDocument::createFromString', 'Dom\\HTMLDocument', 'php'],
    ['php::call_user_func_array:{/srv/a->b.php:24}', '(PHP functions)', 'php'],
    ['include::/srv/a->b.php', '(included files)', '(included files)'],
    ['require_once::/srv/a.php', '(included files)', '(included files)'],
    ['eval', '(eval)', '(eval)'],
    ['{main}', '{main}', '{main}'],
    ['->', '(functions)', '(global)'],
    ['', '(functions)', '(global)'],
  ];
  for (const [name, inClass, namespace] of rows) {
    test(`${name || 'no name'}: ${inClass}, ${namespace}`, () => {
      expect([classOf(name), namespaceOf(name)]).toEqual([inClass, namespace]);
    });
  }
});

describe('directories', () => {
  const rows: readonly [file: string, directory: string][] = [
    ['/srv/app/a.php', '/srv/app'],
    ['/a.php', '/'],
    ["/srv/app/a.php(20) : eval()'d code", '/srv/app'],
    ['C:\\app\\src\\a.php', 'C:\\app\\src'],
    ['C:\\app/src\\a.php', 'C:\\app/src'],
    ['C:\\a.php', 'C:\\'],
    ['\\\\host\\share\\a.php', '\\\\host\\share'],
    // A control character, as it is shown: no directory.
    ['/srv/a\\x1B.php', '/srv'],
    ['phar:///usr/bin/box.phar/src/a.php', 'phar:///usr/bin/box.phar/src'],
    ['php:internal', 'php:internal'],
    ['Command line code', '(no directory)'],
    ['', '(no directory)'],
  ];
  for (const [file, directory] of rows) {
    test(`${file || 'no file'}: ${directory}`, () => expect(directoryOf(file)).toBe(directory));
  }

  const roots: readonly [directories: string[], root: string | null, relative: string[]][] = [
    [['/srv/app/src', '/srv/app/lib/x', '/srv/app'], '/srv/app', ['src', 'lib/x', '.']],
    [['/srv/app1', '/srv/app2'], '/srv', ['app1', 'app2']],
    [['/srv/app', '/usr/share'], null, ['/srv/app', '/usr/share']],
    [['/srv', '/'], null, ['/srv', '/']],
    [
      ['/srv/app', 'php:internal', '(no directory)'],
      '/srv/app',
      ['.', 'php:internal', '(no directory)'],
    ],
    [['C:\\app\\a', 'C:\\app\\b\\c'], 'C:\\app', ['a', 'b\\c']],
    [['C:\\app', 'C:\\lib'], null, ['C:\\app', 'C:\\lib']],
    [['php:internal'], null, ['php:internal']],
    [[], null, []],
  ];
  for (const [directories, root, relative] of roots) {
    test(`root of ${directories.join(', ') || 'none'}: ${root}`, () => {
      expect(commonRoot(directories)).toBe(root);
      expect(directories.map((directory) => relativeTo(root, directory))).toEqual(relative);
    });
  }
});

/**
 * {main} 100 -> A->run 200 -> B->go 300 -> A->back 400 -> B->go 500 and strlen 50; {main} -> A->run once more, 10 alone.
 * In units of 10 ns.
 */
const NESTED = timed(
  [
    record('(2) /app/B.php', '(2) B->go', 3, 500),
    record('(1) php:internal', '(1) php::strlen', 4, 50),
    record('(3) /app/A.php', '(3) A->back', 9, 400, [
      ['(2)', '(2)', 10, 500],
      ['(1)', '(1)', 11, 50],
    ]),
    record('(2)', '(2)', 3, 300, [['(3)', '(3)', 5, 950]]),
    record('(3)', '(4) A->run', 1, 200, [['(2)', '(2)', 2, 1250]]),
    record('(3)', '(4)', 1, 10),
    record('(4) /app/vendor/x/y/main.php', '(5) {main}', 1, 100, [
      ['(3)', '(4)', 1, 1450],
      ['(3)', '(4)', 2, 10],
    ]),
  ].join(''),
  1560,
);

describe('costs of groups', () => {
  const grouped = (by: (typeof GROUPINGS)[number], topN = 20) =>
    groupProfile(read(NESTED).profile, { by, topN });

  test('self costs of all functions, inclusive costs once for each way in', () => {
    const { groups, base, event, total, other, root } = grouped('class');
    expect({ base, event, total, other, root }).toEqual({
      base: 0.0156,
      event: 'time',
      total: 4,
      other: null,
      root: null,
    });
    expect(
      groups.map((group) => [
        group.name,
        group.functions,
        group.calls,
        group.self['time'],
        group.self_percent,
        group.inclusive?.['time'],
        group.inclusive_percent,
        group.heaviest,
      ]),
    ).toEqual([
      // 300 + 500 of 1560; entered once, as the second B->go stands within the first: 1250.
      ['B', 1, 2, 0.008, 51.28, 0.0125, 80.13, 'B->go'],
      // 200 + 10 + 400; A->back stands within A->run: 1450 + 10.
      ['A', 2, 3, 0.0061, 39.1, 0.0146, 93.59, 'A->back'],
      ['{main}', 1, 1, 0.001, 6.41, 0.0156, 100, '{main}'],
      ['(PHP functions)', 1, 1, 0.0005, 3.21, 0.0005, 3.21, 'php::strlen'],
    ]);
  });

  test('what top_n leaves out is added up', () => {
    const { groups, other, total } = grouped('class', 1);
    expect(groups.map(({ name }) => name)).toEqual(['B']);
    expect(total).toBe(4);
    // 610 + 100 + 50 of 1560.
    expect(other).toEqual({
      groups: 3,
      functions: 4,
      calls: 5,
      self: { time: 0.0076 },
      self_percent: 48.72,
    });
  });

  const names: readonly [by: (typeof GROUPINGS)[number], groups: string[], root: string | null][] =
    [
      ['package', ['application', 'x/y', 'php'], null],
      ['namespace', ['(global)', '{main}', 'php'], null],
      ['file', ['/app/B.php', '/app/A.php', '/app/vendor/x/y/main.php', 'php:internal'], null],
      ['directory', ['.', 'vendor/x/y', 'php:internal'], '/app'],
      ['kind', ['user', 'main', 'internal'], null],
      ['category', ['own_code', 'library', 'php'], null],
    ];
  for (const [by, expected, root] of names) {
    test(`by ${by}: ${expected.join(', ')}`, () => {
      const { groups, ...rest } = grouped(by);
      expect(groups.map(({ name }) => name)).toEqual(expected);
      expect(rest.root).toBe(root);
    });
  }

  test('own code, libraries and PHP are told apart whatever the groups are', () => {
    const shares = ['own', 'library', 'php'].map((origin, i) => ({
      origin,
      functions: [3, 1, 1][i],
      calls: [5, 1, 1][i],
      self: { time: [0.0141, 0.001, 0.0005][i] },
      self_percent: [90.38, 6.41, 3.21][i],
    }));
    for (const by of GROUPINGS) expect(grouped(by).origins).toEqual(shares as never);
  });

  test('an empty profile has no groups', () => {
    const { groups, other, total, base } = groupProfile(read(timed('')).profile, {
      by: 'package',
      topN: 20,
    });
    expect([groups, other, total, base]).toEqual([[], null, 0, 0]);
  });

  test('costs that are all 0 have shares of 0', () => {
    const body = record('(1) /a.php', '(1) f', 1, '0 0');
    const { groups } = groupProfile(read(timedAndSized(body)).profile, { by: 'file', topN: 20 });
    expect(groups[0]).toMatchObject({ self_percent: 0, inclusive_percent: 0, calls: 1 });
  });
});
