/** The language of budget lines: what is understood, what is refused and where, and what is measured. */
import { describe, expect, test } from 'bun:test';
import { openProfile } from '../../src/cachegrind/open.ts';
import { type BudgetCheck, checkBudgets } from '../../src/profile/budget.ts';
import type { Budget, BudgetProblem } from '../../src/profile/budget-language.ts';
import { budgetLine } from '../../src/profile/budget-line.ts';
import { isBlank, parseBudget } from '../../src/profile/budget-parser.ts';
import { meansFunction } from '../../src/profile/name-pattern.ts';
import type { Profile } from '../../src/profile/profile.ts';
import { fixtures } from '../support/files.ts';
import { read } from '../support/read.ts';
import { foreign, record, timed } from '../support/text.ts';
import { BY_HAND } from '../tools/files.ts';

function parsed(line: string): Budget {
  const found = parseBudget(line);
  if ('message' in found) throw new Error(`${line}: ${found.message}`);
  return found;
}

function checkBudget(
  budget: Budget,
  profile: Profile,
  baseline: Profile | null,
): BudgetCheck | BudgetProblem {
  const [found] = checkBudgets([budget], profile, baseline);
  if (found === undefined) throw new Error('no result');
  return found;
}

function checked(line: string, profile: Profile, baseline: Profile | null = null) {
  const found = checkBudget(parsed(line), profile, baseline);
  if ('message' in found) throw new Error(`${line}: ${found.message}`);
  return found;
}

function problemOf(line: string, profile: Profile, baseline: Profile | null = null) {
  const found = checkBudget(parsed(line), profile, baseline);
  if (!('message' in found)) throw new Error(`no problem: ${line}`);
  return found;
}

/** find and {main} take 1.80 and 1.00 ms of 4.00 ms themselves, each of 4 queries 0.30; wall time is 4.10. */
const { profile: byHand } = read(BY_HAND);

describe('the limit, in the unit that is shown', () => {
  const rows: readonly [line: string, limit: number, unit: string | null][] = [
    ['time < 250ms', 250, 'ms'],
    ['time<250ms', 250, 'ms'],
    ['  time  <  250  ms  ', 250, 'ms'],
    ['time < 250ms # a comment', 250, 'ms'],
    ['time < .5s', 500, 'ms'],
    ['time < 0.0007s', 0.7, 'ms'],
    ['time < 421us', 0.421, 'ms'],
    ['time < 421\u00b5s', 0.421, 'ms'],
    ['time < 421\u03bcs', 0.421, 'ms'],
    ['time < 70ns', 0.00007, 'ms'],
    ['memory_peak < 10B', 10, 'bytes'],
    ['memory_peak < 64kB', 64_000, 'bytes'],
    ['memory_peak < 64KB', 64_000, 'bytes'],
    ['memory_peak < 64MB', 64_000_000, 'bytes'],
    ['memory_peak < 1GB', 1_000_000_000, 'bytes'],
    ['memory_peak < 64KiB', 65_536, 'bytes'],
    ['memory_peak < 64MiB', 67_108_864, 'bytes'],
    ['memory_peak < 1GiB', 1_073_741_824, 'bytes'],
    ['calls(*) < 20', 20, 'calls'],
    ['functions(*) < 20', 20, 'functions'],
    ['self(*) < 30%', 30, '%'],
    ['self(*) < 10% * 1.1', 11, '%'],
    ['self(*) < 0', 0, 'ms'],
    ['time < 1ms + 2ms * 3', 7, 'ms'],
    ['time < (1ms + 2ms) * 3', 9, 'ms'],
    ['time < 10ms - 2ms - 3ms', 5, 'ms'],
    ['time < 12ms / 2 / 3', 2, 'ms'],
    ['time < 2 * 3ms', 6, 'ms'],
    ['calls(*) < 2 + 3 * 4', 14, 'calls'],
  ];
  for (const [line, limit, unit] of rows) {
    test(line, () => {
      const found = checked(line, byHand);
      expect([found.limit, found.unit]).toEqual([limit, unit]);
    });
  }
});

describe('what is measured, by hand', () => {
  const rows: readonly [line: string, measured: number, matched: number | null][] = [
    ['time < 1s', 4.1, null],
    ['memory_peak < 1B', 400_000, null],
    ['calls(PDO->query) < 1', 4, 1],
    ['calls(php::PDO->query) < 1', 4, 1],
    ['calls(pdo::*) < 1', 4, 1],
    // Every function's invocations, that of {main} too.
    ['calls(*) < 1', 9, 3],
    ['calls({main}) < 1', 1, 1],
    ['self(App\\*) < 1ms', 1.8, 1],
    ['self(App\\*) < 1%', 45, 1],
    ['self(\\app\\repo::find) < 1ms', 1.8, 1],
    ['inclusive(App\\*) < 1ms', 3, 1],
    // Queries are within find, so that they count once.
    ['inclusive(*o*) < 1ms', 3, 2],
    ['inclusive(*) < 1%', 100, 3],
    ['memory(App\\*) < 1B', 80, 1],
    ['memory(*) < 1B', 992, 3],
    ['functions(*->*) < 1', 2, 2],
    ['functions(PDO->????y) < 1', 1, 1],
    ['functions(*?{main}) < 1', 0, 0],
    ['calls(PDO->exec) == 0', 0, 0],
    ['inclusive(nothing*) == 0', 0, 0],
  ];
  for (const [line, measured, matched] of rows) {
    test(line, () => {
      const found = checked(line, byHand);
      expect([found.measured, found.matched]).toEqual([measured, matched]);
      expect(found.note.includes('No function matches')).toBe(matched === 0);
    });
  }
});

describe('passes and how far it is from the limit', () => {
  const rows: readonly [line: string, passed: boolean, margin: number][] = [
    ['time < 4.1ms', false, 0],
    ['time <= 4.1ms', true, 0],
    ['time < 4.10001ms', true, 0.00001],
    ['time > 4.1ms', false, 0],
    ['time >= 4.1ms', true, 0],
    ['time > 4ms', true, 0.1],
    ['time == 4.1ms', true, 0],
    ['time == 4100us', true, 0],
    ['time == 0.0041s', true, 0],
    ['time == 4.10001ms', false, -0.00001],
    ['time != 4.1ms', false, 0],
    ['time != 4ms', true, 0.1],
    ['calls(PDO->query) <= 3', false, -1],
    ['calls(PDO->query) <= 10 / 3', false, -0.666667],
    ['self(App\\*) < 45%', false, 0],
    ['self(App\\*) <= 45%', true, 0],
    ['self(App\\*) == 45%', true, 0],
  ];
  for (const [line, passed, margin] of rows) {
    test(line, () => {
      const found = checked(line, byHand);
      expect([found.passed, found.margin]).toEqual([passed, margin]);
    });
  }
});

describe('the baseline', () => {
  // 0.00010 ms, two invocations of f.
  const { profile: before } = read(
    timed(
      record('(1) /a.php', '(2) f', 5, 3) +
        record('(1)', '(2)', 5, 3) +
        record('(1)', '(1) {main}', 1, 4, [
          ['(1)', '(2)', 2, 3],
          ['(1)', '(2)', 2, 3],
        ]),
      10,
    ),
  );
  const { profile: after } = read(
    timed(
      record('(1) /a.php', '(2) f', 5, 3) +
        record('(1)', '(1) {main}', 1, 6, [['(1)', '(2)', 2, 3]]),
      9,
    ),
  );
  const rows: readonly [line: string, measured: number, limit: number, baseline: number][] = [
    ['calls(f) < baseline', 1, 2, 2],
    ['calls(f) < baseline * 1.05', 1, 2.1, 2],
    ['calls(f) <= baseline - 1', 1, 1, 2],
    ['calls(f) <= 8 / baseline', 1, 4, 2],
    ['time < baseline * 1.05', 0.00009, 0.000105, 0.0001],
    ['time < baseline + 10ns', 0.00009, 0.00011, 0.0001],
    ['self(f) < baseline / 2', 0.00003, 0.00003, 0.00006],
    ['inclusive(*) < baseline', 0.00009, 0.0001, 0.0001],
  ];
  for (const [line, measured, limit, baseline] of rows) {
    test(line, () => {
      expect(checked(line, after, before)).toMatchObject({ measured, limit, baseline });
    });
  }

  test('is not given for lines that do not name it', () => {
    expect(checked('calls(f) < 3', after, before).baseline).toBeNull();
  });

  test('a division by what is 0 there is a problem, not a limit', () => {
    expect(problemOf('calls(g) < 8 / baseline', after, before).message).toContain('divides by 0');
  });

  test('has to be there, and in the same unit', () => {
    expect(problemOf('calls(f) < baseline', after).message).toContain('no baseline');
    const { profile: other } = read(foreign('fn=f\n1 5\n'));
    expect(problemOf('self(f) < baseline', after, other).message).toContain('another unit');
  });
});

describe('lines that cannot be understood: what, and in which column', () => {
  const rows: readonly [line: string, column: number, message: string][] = [
    ['< 250ms', 1, 'expected a metric, not "<"'],
    ['tiem < 250ms', 1, 'expected a metric, not "tiem"'],
    ['Time < 250ms', 1, 'expected a metric, not "Time"'],
    ['constructor < 1', 1, 'expected a metric, not "constructor"'],
    ['time', 5, 'not the end of the line'],
    ['time 250ms', 6, 'expected < <= > >= == or !=, not "2"'],
    ['time = 250ms', 6, 'write == for equal, <= or >= for at most or at least'],
    ['time < ', 8, 'expected a number or baseline, not the end of the line'],
    ['time < ms', 8, 'expected a number or baseline, not "ms"'],
    ['time < -5ms', 8, 'expected a number or baseline, not "-"'],
    ['time < 250', 8, 'needs a limit with a unit: s, ms, us, ns'],
    ['time < 250MB', 8, 'cannot be compared with bytes'],
    ['time < 250Ms', 11, 'no unit is called "Ms"'],
    ['time < 10%', 8, 'compare with the baseline'],
    ['time < 1,000ms', 9, 'not set apart by commas'],
    ['time < 250ms 3', 14, 'expected + - * / or the end of the line, not "3"'],
    ['time < 250ms; self(a) < 1s', 13, 'the end of the line, not ";"'],
    ['time < 1ms + 1', 12, 'a time and a number cannot be added'],
    ['time < 1ms * 1ms', 12, 'one of them must be a number'],
    ['time < 1 / 1ms', 10, 'divide by a number'],
    ['time < 1ms / 0', 12, 'divided by 0'],
    ['time < (1ms + 2ms', 8, 'this parenthesis is not closed'],
    ['time < 1ms)', 11, 'not ")"'],
    ['time < baseline + 5%', 17, '% is of the total'],
    ['time < baseline * baseline', 17, 'one of them must be a number'],
    ['time < base', 8, 'not "base"'],
    [`time < ${'9'.repeat(400)}ms`, 8, 'too large'],
    [`time < ${'('.repeat(60)}1ms`, 58, 'more than 50 deep'],
    ['time(f) < 1ms', 5, 'takes no function'],
    ['memory_peak < 64', 15, 'needs a limit with a unit: B, kB'],
    ['memory_peak < 5ms', 15, 'cannot be compared with a time'],
    ['self < 3ms', 6, 'self needs a function: self(NAME)'],
    ['self() < 3ms', 6, 'name a function'],
    ['self("") < 3ms', 6, 'name a function'],
    ['self(f < 3ms', 5, 'this parenthesis is not closed'],
    ['self("f) < 3ms', 6, 'this quote is not closed'],
    ['self("f" g) < 3ms', 10, 'expected ) after the name, not "g"'],
    ['self("f"', 5, 'this parenthesis is not closed'],
    ['calls(f) < 5%', 12, 'has no share of the time'],
    ['calls(f) < 5ms', 12, 'it is a number without a unit'],
    ['self(f) < 5 raw + 1ms', 17, 'cannot be added'],
    ['time < \u{1f600}', 8, 'not "\u{1f600}"'],
  ];
  for (const [line, column, message] of rows) {
    test(line.slice(0, 40), () => {
      expect(parseBudget(line)).toEqual({ column, message: expect.stringContaining(message) });
    });
  }

  test('any text gives an answer: budgets cut anywhere, and with any character put in', () => {
    const line = 'inclusive("a b"(x) <= (baseline * 1.05 + 3ms) / 2 # c';
    for (let at = 0; at <= line.length; at++) {
      for (const put of ['', '(', ')', '"', '*', '%', '9', ' ', '#', '<', 'x', '\\', '.', ',']) {
        for (const text of [line.slice(0, at) + put, line.slice(0, at) + put + line.slice(at)]) {
          if (isBlank(text)) continue;
          const found = parseBudget(text);
          if (!('message' in found)) continue;
          expect(found.column).toBeGreaterThanOrEqual(1);
          expect(found.column).toBeLessThanOrEqual(text.length + 1);
        }
      }
    }
  });
});

test('blank lines and comments ask for nothing', () => {
  expect(['', '  ', '# a', '  # a', ' time', 'x#'].map(isBlank)).toEqual([
    ...[true, true, true, true],
    ...[false, false],
  ]);
});

describe('patterns', () => {
  const rows: readonly [line: string, pattern: string][] = [
    ['calls(f) < 1', 'f'],
    ['calls( f ) < 1', 'f'],
    ['calls(App\\*) < 1', 'App\\*'],
    ['calls(a b) < 1', 'a b'],
    ['calls(x(3) y) < 1', 'x(3) y'],
    ['calls({closure:/a b.php:1-2}) < 1', '{closure:/a b.php:1-2}'],
    ['calls(a, b) < 1', 'a, b'],
    ['calls("a)") < 1', 'a)'],
    ["calls('a)') < 1", 'a)'],
    ['calls( "a" ) < 1', 'a'],
    ['calls("a""b") < 1', 'a"b'],
    ['calls("a\'b") < 1', "a'b"],
    ['calls(" a ") < 1', ' a '],
    ['calls("#") < 1', '#'],
    ['calls(a"b) < 1', 'a"b'],
  ];
  for (const [line, pattern] of rows) {
    test(line, () => expect(parsed(line).pattern).toBe(pattern));
  }
});

describe('a profile that does not have what is asked for', () => {
  const { profile: aggregated } = read(
    foreign('fn=main\n1 5\ncfn=f\ncalls=3 1\n2 9\n\nfn=f\n1 9\n'),
  );
  const { profile: timeless } = read(timed(record('(1) /a.php', '(1) {main}', 1, 6)));
  const rows: readonly [line: string, profile: Profile, message: string][] = [
    ['time < 1ms', aggregated, 'no time is recorded in this file, only cost'],
    ['memory_peak < 1B', aggregated, 'memory is not recorded in this file, only cost'],
    ['memory(f) < 1B', aggregated, 'memory is not recorded'],
    ['memory(f) < 1B', timeless, 'memory is not recorded in this file, only time'],
    ['self(f) < 1ms', aggregated, 'does not state the unit of Cost'],
    ['inclusive(*) < 90%', aggregated, '2 functions match, and this file has no call tree'],
    ['self(f) < 3 raw', byHand, 'the file states its unit: give the limit in ms'],
  ];
  for (const [line, profile, message] of rows) {
    test(`${line}: ${message}`, () => {
      expect(problemOf(line, profile)).toEqual({
        column: line.search(/\d/) + 1,
        message: expect.stringContaining(message),
      });
    });
  }

  test('what an aggregated file has is measured', () => {
    expect(checked('calls(f) <= 3', aggregated)).toMatchObject({ passed: true, measured: 3 });
    expect(checked('inclusive(f) < 9 raw', aggregated)).toMatchObject({
      passed: false,
      unit: null,
    });
    expect(checked('self(f) < 70%', aggregated).measured).toBe(64.29); // 9 of 14
  });

  test('without a wall time, time is the sum of self times, and that is said', () => {
    const found = checked('time < 1ms', timeless);
    expect([found.measured, found.note]).toEqual([
      0.00006,
      'The file has no wall time, or 0, so this is the sum of self times.',
    ]);
  });
});

describe('a ready line', () => {
  test('says what it keeps, in the unit of the metric', () => {
    expect(budgetLine('calls', 'PDO->query', 20)).toBe('calls(PDO->query) <= 20');
    expect(budgetLine('self', 'App\\f', 1.5)).toBe('self(App\\f) <= 1.5ms');
    expect(budgetLine('memory', 'f', 4096)).toBe('memory(f) <= 4096B');
    expect(budgetLine('time', '', 250)).toBe('time <= 250ms');
    expect(budgetLine('self', 'f', 17, 'raw')).toBe('self(f) <= 17 raw');
    expect(budgetLine('self', 'f', 1e-5)).toBe('self(f) <= 0.00001ms');
    expect(budgetLine('memory', 'f', 1e15)).toBe('memory(f) <= 1000000000000000B');
  });

  const names = [
    'f',
    '{main}',
    'App\\Repo->find',
    '{closure:/a b.php:1-2}',
    'x(3) y',
    'a)b',
    '(',
    ' a ',
    '"',
    "it's",
    '"quoted"',
    '# no comment',
    'a#b',
    'a, b',
    'a < 3',
    'a*b',
    '*',
    '\\x1B[1m',
    'caf\u00e9',
    '\u540d\u524d',
    "include::/srv/a.php(3) : eval()'d code",
    `{closure:/${'very/long/'.repeat(300)}a.php:1-2}`,
  ];
  for (const name of names) {
    test(`means the function it is made for: ${name.slice(0, 40)}`, () => {
      const line = budgetLine('calls', name, 3);
      expect(line.length).toBeLessThanOrEqual(1000);
      expect(meansFunction(parsed(line).pattern ?? '')(name)).toBe(true);
    });
  }

  for (const [name, path] of fixtures) {
    test(`of every function of ${name} passes at what it measures, and no lower`, async () => {
      const profile = await openProfile(path);
      const { functions, functionIds, invocations } = profile;
      const names = [...functionIds].map((fn) => functions.nameOf(fn));
      const folded = names.map((each) => each.toLowerCase().replaceAll('->', '::'));
      for (const [i, fn] of functionIds.entries()) {
        // Names that several functions have are measured together.
        if (folded.indexOf(folded[i] ?? '') !== folded.lastIndexOf(folded[i] ?? '')) continue;
        const calls = invocations[fn] ?? 0;
        const line = (limit: number): string => budgetLine('calls', names[i] ?? '', limit);
        const at = checked(line(calls), profile);
        expect([names[i], at.measured, at.matched, at.passed]).toEqual([names[i], calls, 1, true]);
        expect(checked(line(calls - 0.5), profile).passed).toBe(false);
      }
    });
  }
});

describe('a damaged file that lacks the records of functions', () => {
  // {main} calls L\gone for 10 and L\run for 27, that calls helper for 22, which calls L\gone for 20.
  const { profile } = read(
    timed(
      record('(1) /a.php', '(1) helper', 5, 2, [['(1)', '(2) L\\gone', 6, 20]]) +
        record('(1)', '(3) L\\run', 5, 5, [['(1)', '(1)', 6, 22]]) +
        record('(1)', '(4) {main}', 1, 4, [
          ['(1)', '(2)', 3, 10],
          ['(1)', '(3)', 4, 27],
        ]),
      41,
    ),
  );
  const rows: readonly [pattern: string, raw: number, noted: boolean][] = [
    ['L\\gone', 30, false],
    ['L\\run', 27, false],
    // The 20 are part of the 27: helper runs below L\run only. Of the tree alone it would be less than L\gone.
    ['L\\*', 37, true],
    // Of helper 22, and the 10 of {main}.
    ['*e*', 32, true],
    ['*', 41, false],
  ];
  for (const [pattern, raw, noted] of rows) {
    test(`inclusive(${pattern})`, () => {
      const found = checked(`inclusive(${pattern}) < 1ms`, profile);
      expect(Math.round(found.measured * 1e5)).toBe(raw);
      expect(found.note.includes('records are missing')).toBe(noted);
    });
  }
});

describe('figures are those of analyze_profile, on every fixture', () => {
  for (const [name, path] of fixtures) {
    test(name, async () => {
      const profile = await openProfile(path);
      const { events, mainEvent, total, invocations, functionIds } = profile;
      const perUnit = events[mainEvent]?.perUnit ?? 1;
      expect(checked('self(*) < 1%', profile).measured).toBeGreaterThanOrEqual(100);
      expect(checked('self(*) >= baseline', profile, profile)).toMatchObject({
        passed: true,
        measured: (total[mainEvent] ?? 0) / perUnit,
        matched: functionIds.length,
      });
      const calls = [...functionIds].reduce((sum, fn) => sum + (invocations[fn] ?? 0), 0);
      expect(checked('calls(*) < 1', profile).measured).toBe(calls);
      expect(calls).toBe(profile.calls + profile.roots);
    });
  }
});
