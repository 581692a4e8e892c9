/** Shown costs, shares, names that are looked up, and what is said beside the numbers. */
import { describe, expect, test } from 'bun:test';
import { baseOf, costsOf, overlaps, percentOf, shown } from '../../src/profile/costs.ts';
import { kindOf } from '../../src/profile/kinds.ts';
import { findFunctions } from '../../src/profile/lookup-functions.ts';
import type { CostEvent, Profile } from '../../src/profile/profile.ts';
import { errorOf, read } from '../support/read.ts';
import { record, TIME_HEAD, timed, timedAndSized } from '../support/text.ts';

const TEN_NS: CostEvent = { key: 'time', name: 'Time_(10ns)', unit: 'ms', perUnit: 100_000 };
const BYTES: CostEvent = { key: 'memory', name: 'Memory_(bytes)', unit: 'bytes', perUnit: 1 };

describe('shown costs', () => {
  const rows: readonly [raw: number, ms: string][] = [
    [0, '0'],
    [1, '0.00001'], // the unit of the file
    [42_100, '0.421'],
    [42_000, '0.42'],
    [300_000, '3'],
    [100_001, '1.00001'],
    [123_456_789, '1234.56789'],
    [705_032_704, '7050.32704'],
    [-300, '-0.003'],
  ];
  for (const [raw, ms] of rows) {
    test(`${raw} times 10 ns are ${ms} ms`, () => expect(String(shown(TEN_NS, raw))).toBe(ms));
  }

  test('each value up to 20 s reads back as the same raw value', () => {
    for (let raw = 0; raw < 2_000_000_000; raw += 999_983) {
      expect(Math.round(Number(String(shown(TEN_NS, raw))) * 100_000)).toBe(raw);
    }
  });

  test('a row of a column, by event', () => {
    expect(costsOf([TEN_NS, BYTES], Float64Array.of(1, 2, 42_100, 192), 1)).toEqual({
      time: 0.421,
      memory: 192,
    });
  });
});

describe('shares', () => {
  const rows: readonly [part: number, base: number, percent: number][] = [
    [0, 0, 0],
    [5, 0, 0],
    [0, 5, 0],
    [1, 3, 33.33],
    [2, 3, 66.67],
    [5, 5, 100],
    [12_290, 6300, 195.08],
    [-1, 4, -25],
    [1, 1_000_000, 0],
  ];
  for (const [part, base, percent] of rows) {
    test(`${part} of ${base} is ${percent} %`, () => expect(percentOf(part, base)).toBe(percent));
  }

  const program = (...names: string[]): string =>
    names.map((name, i) => record('(1) /a.php', `(${i + 1}) ${name}`, 1, 1000)).join('');

  test('the base is the sum of self costs', () => {
    const { profile } = read(timed(program('f', 'g'), 1000));
    expect(overlaps(profile)).toBe(false);
    expect(baseOf(profile, 0)).toBe(2000);
  });

  test('with fibers it is the wall time', () => {
    const { profile } = read(timed(program('f', 'php::Fiber->start'), 1000));
    expect(overlaps(profile)).toBe(true);
    expect(baseOf(profile, 0)).toBe(1000);
  });

  test('with fibers that cost nothing twice it is not', () => {
    const { profile } = read(timed(program('f', 'php::Fiber->start'), 1990));
    expect(overlaps(profile)).toBe(false); // 2000 is not more than 1990 by a hundredth
    expect(baseOf(profile, 0)).toBe(2000);
  });

  test('with fibers and no summary it is the sum', () => {
    const { profile } = read(TIME_HEAD + program('f', 'php::Fiber->start'));
    expect(baseOf(profile, 0)).toBe(2000);
  });

  test('of memory it is always the sum of growth, never the peak', () => {
    const text = timedAndSized(
      record('(1) /a.php', '(1) f', 1, '1000 64') +
        record('(1)', '(2) php::Fiber->start', 1, '1000 32'),
      '1000 400000',
    );
    expect(baseOf(read(text).profile, 1)).toBe(96);
  });
});

describe('looking up functions', () => {
  const names = [
    'Shop\\Cart->total',
    'Shop\\Cart::make',
    'total',
    'TOTAL',
    'php::strlen',
    'strlen',
    '{main}',
    'caf\xc3\xa9',
  ];
  const profile: Profile = read(
    timed(
      names.map((name, i) => record('(1) /a.php', `(${i + 1}) ${name}`, 1, 1)).join('') +
        record('(2) /b.php', '(7)', 1, 1) +
        record('(1)', '(9) {closure:/a.php:1-2}', 1, 1),
    ),
  ).profile;
  const rows: readonly [asked: string, match: 'exact' | 'contains', found: string[]][] = [
    ['total', 'exact', ['total']],
    ['TOTAL', 'exact', ['TOTAL']],
    ['Total', 'exact', ['total', 'TOTAL']],
    ['Shop\\Cart->total', 'exact', ['Shop\\Cart->total']],
    ['Shop\\Cart::total', 'exact', ['Shop\\Cart->total']],
    ['\\shop\\cart::TOTAL', 'exact', ['Shop\\Cart->total']],
    ['Shop\\Cart->make', 'exact', ['Shop\\Cart::make']],
    ['strlen', 'exact', ['strlen']],
    ['php->strlen', 'exact', ['php::strlen']],
    ['{main}', 'exact', ['{main}', '{main}']], // in two files
    ['cart', 'contains', ['Shop\\Cart->total', 'Shop\\Cart::make']],
    ['Cart::', 'contains', ['Shop\\Cart->total', 'Shop\\Cart::make']],
    ['strle', 'contains', ['php::strlen', 'strlen']],
    ['CLOSURE', 'contains', ['{closure:/a.php:1-2}']],
    ['CAF\u00c9', 'exact', ['caf\u00e9']],
  ];
  for (const [asked, match, found] of rows) {
    test(`${asked} finds ${found.join(' and ')}`, () => {
      const result = findFunctions(profile, asked);
      expect(result.match).toBe(match);
      expect(result.functions.map((fn) => profile.functions.nameOf(fn))).toEqual(found);
    });
  }

  const missing: readonly [asked: string, closest: string][] = [
    ['Shop\\Crat->total', 'Shop\\Cart->total'],
    ['php::strlem', 'php::strlen'],
    ['toatl', 'total'],
  ];
  for (const [asked, closest] of missing) {
    test(`${asked} is in no profile, and ${closest} is proposed first`, () => {
      const error = errorOf(() => findFunctions(profile, asked));
      expect(error.code).toBe('no_such_function');
      expect(error.message).toContain(asked);
      expect(error.hint).toContain(`The closest names are: ${closest}`);
    });
  }

  for (const asked of ['', '\\', ' ']) {
    test(`"${asked}" finds nothing rather than everything`, () => {
      expect(errorOf(() => findFunctions(profile, asked)).code).toBe('no_such_function');
    });
  }

  test('in an empty profile nothing is proposed', () => {
    const error = errorOf(() => findFunctions(read(TIME_HEAD).profile, 'f'));
    expect(error.hint).toMatch(/^No name in it is like this one.*find_functions.*analyze_profile/);
  });
});

describe('kinds', () => {
  const rows: readonly [name: string, kind: string][] = [
    ['{main}', 'main'],
    ['eval', 'eval'],
    ['php::strlen', 'internal'],
    ['php::PDO->query', 'internal'],
    ['include::/a.php', 'include'],
    ['require_once::/a.php', 'include'],
    ['include_onces::x', 'user'],
    ['{closure:/a.php:1-2}', 'closure'],
    ['App\\{closure:/a.php:1-2}', 'closure'],
    ['{closure}', 'closure'],
    ['Shop\\Cart->total', 'user'],
    ['evaluate', 'user'],
  ];
  for (const [name, kind] of rows)
    test(`${name}: ${kind}`, () => expect(kindOf(name)).toBe(kind as never));
});

describe('remarks', () => {
  const f = (cost: number | string): string => record('(1) /a.php', '(1) f', 1, cost);
  const X2 = TIME_HEAD.replace('xdebug 3.4.7', 'xdebug 2.9.8').replace('Time_(10ns)', 'Time');
  const rows: readonly [what: string, text: string, remarks: RegExp[]][] = [
    ['nothing to say', timed(f(1000), 1000), []],
    ['less self than wall time, but under 1 ms', timed(f(1000), 100_000), []],
    [
      'less by more than 1 ms and a hundredth',
      timed(f(500_000), 700_000),
      [/less than the wall time .*\(5 ms against 7 ms\).*PHP starting/],
    ],
    ['less by more than 1 ms, but under a hundredth', timed(f(99_500_000), 100_000_000), []],
    [
      'less in a damaged file',
      `${timed(f(500_000), 700_000)}rubbish\n`,
      [/in what is missing of the file/],
    ],
    [
      'more self than the summary says',
      timed(f(1200), 1000),
      [/more than the summary line says \(0.012 ms against 0.01 ms\)/],
    ],
    ['more by under a hundredth', timed(f(1009), 1000), []],
    [
      'fibers',
      timed(f(1000) + record('(1)', '(2) php::Fiber->start', 1, 1000), 1000),
      [/0.02 ms against 0.01 ms\): fibers ran.*may pass 100 %/],
    ],
    ['no unit', `events: Time\nfl=a\nfn=f\n1 5\n`, [/does not state the unit of Time/]],
    ['microseconds', `${X2}${f(5000)}\nsummary: 9000\n`, [/\(5 ms against 9 ms\)/]],
    ['Windows', timed(f(1000), 1000).replace('/srv/a.php', 'C:\\srv\\a.php'), [/Windows.*42.9 s/]],
    [
      'Windows and Xdebug 2',
      `${X2.replace('/srv/a.php', 'C:\\srv\\a.php')}${f(1000)}\nsummary: 1000\n`,
      [],
    ],
    ['beyond 2^53', timed(f('9007199254740993')), [/more than the summary/, /beyond 2\^53/]],
    ['other events than time', 'events: Ir\nfl=a\nfn=f\n1 5\n', []],
  ];
  for (const [what, text, remarks] of rows) {
    test(what, () => {
      const view = read(text);
      const said = view.warnings.filter((warning) => !view.profile.warnings.includes(warning));
      expect(said).toEqual(remarks.map((remark) => expect.stringMatching(remark)));
    });
  }

  test('of many sections five are named', () => {
    const view = read(
      Array.from({ length: 7 }, (_, i) =>
        timed(f(10), 10).replace('/srv/a.php', `/srv/${i}.php`),
      ).join(''),
    );
    expect(view.warnings).toEqual([
      expect.stringMatching(/holds 7 profiles \(1: \/srv\/0.php; .*5: \/srv\/4.php; and so on\)/),
    ]);
  });
});
