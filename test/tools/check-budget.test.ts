import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { formatMs } from '../../src/report/format.ts';
import { checkBudget as tool } from '../../src/tools/check-budget.ts';
import { modelText } from '../../src/tools/text.ts';
import { BY_HAND, call, expectedOf, fixtures, TemporaryFiles } from './files.ts';

interface Result {
  readonly warnings: readonly string[];
  readonly passed: boolean;
  readonly passed_total: number;
  readonly failed_total: number;
  readonly total: number;
  readonly baseline: { path: string; fidelity: string } | null;
  readonly results: readonly {
    readonly source: string;
    readonly line: number;
    readonly text: string;
    readonly passed: boolean;
    readonly measured: number;
    readonly limit: number;
    readonly unit: string | null;
    readonly matched: number | null;
    readonly baseline?: number;
    readonly note?: string;
  }[];
}

const files = new TemporaryFiles();
afterAll(() => files.remove());

async function byHand(args: Record<string, unknown>): Promise<Result> {
  const file_path = await files.write('cachegrind.out.hand', BY_HAND);
  return await call('check_budget', { file_path, ...args });
}

/** What is shown of the error. */
async function refused(args: Record<string, unknown>): Promise<string> {
  const error: unknown = await byHand(args).catch((thrown: unknown) => thrown);
  return (error as { text: string }).text;
}

const shop = join(fixtures, 'shop.cachegrind.gz');
const fixed = join(fixtures, 'shop-fixed.cachegrind.gz');

describe('a verdict', () => {
  test('every line has its figures; one that fails fails the whole', async () => {
    const result = await byHand({ budgets: ['time < 5ms', 'calls(PDO->query) <= 3'] });
    expect(result).toMatchObject({
      passed: false,
      passed_total: 1,
      failed_total: 1,
      total: 2,
      baseline: null,
      results: [
        {
          source: 'budgets',
          line: 1,
          text: 'time < 5ms',
          passed: true,
          metric: 'time',
          operator: '<',
          measured: 4.1,
          limit: 5,
          unit: 'ms',
          matched: null,
          margin: 0.9,
        },
        { line: 2, passed: false, measured: 4, limit: 3, unit: 'calls', matched: 1, margin: -1 },
      ],
    });
    expect(result.results[0]).not.toHaveProperty('baseline');
    expect(tool.passed?.(result as never)).toBe(false);
  });

  test('all pass', async () => {
    const result = await byHand({ budgets: ['time < 5ms'] });
    expect(result.passed).toBe(true);
    expect(tool.passed?.(result as never)).toBe(true);
  });

  test('a profile without functions keeps no budget: it is refused', async () => {
    const text = 'version: 1\ncreator: xdebug 3.2.0\nevents: Time_(10ns)\n\nsummary: 0\n';
    const file_path = await files.write('cachegrind.out.nothing', text);
    const asked = call('check_budget', { file_path, budgets: ['time < 1ms'] });
    await expect(asked).rejects.toThrow('holds no function');
  });

  test('a name that no function has is not passed over in silence', async () => {
    const { warnings, results } = await byHand({ budgets: ['calls(PDO->qurey) <= 3'] });
    expect(results[0]).toMatchObject({ passed: true, measured: 0, matched: 0 });
    expect(results[0]?.note).toContain('No function matches PDO->qurey');
    expect(warnings[0]).toContain('calls(PDO->qurey) <= 3');
  });

  test('a profile that was cut is said to be one', async () => {
    const file_path = await files.write('cachegrind.out.cut', BY_HAND.slice(0, -60));
    const { warnings } = await call<Result>('check_budget', { file_path, budgets: ['time < 5ms'] });
    expect(warnings[0]).toContain('a line that passed may not pass for the whole');
  });

  test('the shop against its repaired form, and the other way round', async () => {
    const budgets = [
      'calls(*) <= baseline',
      'calls(Shop\\Database\\Connection->query) <= baseline * 2',
    ];
    const args = { budgets, file_path: shop, baseline: fixed };
    const worse = await call<Result>('check_budget', args);
    // 48 queries and 3 others against one and 3 others.
    expect(worse.results[1]).toMatchObject({ passed: false, measured: 51, baseline: 4, limit: 8 });
    expect([worse.passed, worse.failed_total]).toEqual([false, 2]);
    expect(worse.baseline).toMatchObject({ path: fixed, fidelity: 'exact' });
    const better = await call<Result>('check_budget', {
      ...args,
      file_path: fixed,
      baseline: shop,
    });
    expect(better.passed).toBe(true);
  });

  test('the text says the same', async () => {
    const result = await call<Result>('check_budget', {
      file_path: shop,
      baseline: fixed,
      budgets: ['self(Shop\\*) < 1%', 'memory_peak < 64MB', 'time < baseline'],
    });
    const text = modelText(tool, result as never);
    expect(text).toContain('Failed: 2 of 3 lines');
    expect(text).toContain('577,928 bytes\t-\t< 64,000,000 bytes');
    const wall = async (name: string): Promise<string> => {
      const { sections } = await expectedOf(name);
      return formatMs((sections[0]?.summary?.[0] ?? 0) / 100_000);
    };
    const repaired = await wall('shop-fixed');
    expect(text).toContain(`FAIL\t${await wall('shop')} ms\t${repaired} ms\t< ${repaired} ms`);
  });
});

describe('a baseline that holds several profiles', () => {
  const append = join(fixtures, 'append.cachegrind');
  const check = (args: Record<string, unknown>): Promise<Result> =>
    call('check_budget', { budgets: ['calls(*) == baseline'], file_path: append, ...args });

  test('is all of them added up', async () => {
    const { results, warnings } = await check({ section: 1, baseline: shop });
    const { calls, roots = 0 } = await expectedOf('shop');
    expect(results[0]?.baseline).toBe(calls + roots);
    expect(warnings.join(' ')).not.toContain('same file');
    const all = await check({ file_path: shop, baseline: append });
    const sum = await expectedOf('append');
    expect(all.results[0]?.baseline).toBe(sum.calls + (sum.roots ?? 0));
  });

  test('is the same section, if it is the same file, however it is named, and that is said', async () => {
    // A link is made beside a file of the test, which makes their folder.
    const link = join(dirname(await files.write('linked', '')), 'linked.cachegrind');
    await symlink(append, link);
    for (const baseline of [append, join(fixtures, '../fixtures/append.cachegrind'), link]) {
      const { results, warnings, passed } = await check({ section: 1, baseline });
      expect([passed, results[0]?.measured]).toEqual([true, results[0]?.baseline]);
      expect(warnings.join(' ')).toContain('Baseline: it is the same file');
    }
  });

  test('is the section that is asked for', async () => {
    const first = await check({ section: 1, baseline: append, baseline_section: 2 });
    const second = await check({ section: 2, baseline: append, baseline_section: 1 });
    expect(first.results[0]?.baseline).toBe(second.results[0]?.measured);
    expect(second.results[0]?.baseline).toBe(first.results[0]?.measured);
    expect(first.warnings.join(' ')).not.toContain('same file');
    const other = await check({ file_path: shop, baseline: append, baseline_section: 1 });
    expect(other.results[0]?.baseline).toBe(first.results[0]?.measured);
  });

  test('is refused without a file, and with a section that is not there', async () => {
    const alone = check({ budgets: ['time < 5ms'], baseline_section: 1 });
    await expect(alone).rejects.toThrow('baseline_section is given without a baseline');
    await expect(check({ baseline: append, baseline_section: 99 })).rejects.toThrow('99');
  });
});

describe('where lines come from', () => {
  test('a file: comments and blank lines are passed over, lines are counted', async () => {
    const budget_file = await files.write(
      'budget.txt',
      '\uFEFF# the shop\r\n\r\ntime < 5ms\r\n\tcalls(*) > 1 # all\r\n',
    );
    const { results } = await byHand({ budget_file });
    expect(results.map(({ source, line, text }) => [source, line, text])).toEqual([
      [budget_file, 3, 'time < 5ms'],
      [budget_file, 4, 'calls(*) > 1 # all'],
    ]);
  });

  test('both, and several lines in one text', async () => {
    const budget_file = await files.write('one.txt', 'functions(*) == 3');
    const { results } = await byHand({ budget_file, budgets: ['time < 5ms\ntime > 1ms', '# no'] });
    expect(results.map(({ source, line }) => [source, line])).toEqual([
      ['budgets', 1],
      ['budgets', 2],
      [budget_file, 1],
    ]);
  });

  test('a hundred results are listed, those that failed first, and all are counted', async () => {
    const budgets = Array.from({ length: 1000 }, (_, i) => `calls(*) ${i === 999 ? '>' : '<'} 10`);
    const { results, total, passed_total, failed_total, warnings } = await byHand({ budgets });
    expect([results.length, total, passed_total, failed_total]).toEqual([100, 1000, 999, 1]);
    expect(results[0]).toMatchObject({ line: 1000, passed: false });
    expect(warnings[0]).toContain('100 of 1,000 lines are listed');
  });

  test('names as they are shown: with control characters escaped', async () => {
    const text = BY_HAND.replaceAll('App\\Repo->find', 'a\u001bb');
    const file_path = await files.write('cachegrind.out.escape', text);
    for (const name of ['a\u001bb', 'a\\x1Bb']) {
      const budgets = [`calls(${name}) == 4`];
      const result = await call<Result>('check_budget', { file_path, budgets });
      expect(result.results[0]).toMatchObject({ passed: true, text: 'calls(a\\x1Bb) == 4' });
    }
  });
});

describe('what cannot be checked', () => {
  test('all wrong lines at once, each with its place and a caret below it', async () => {
    const budget_file = await files.write('bad.txt', '# c\ntime < 5ms\nself(f) < 3parsecs\n');
    expect(
      await refused({ budgets: ['time < 250', 'calls(*) < 5', 'memory_peak = 1B'], budget_file }),
    ).toBe(`3 of 5 budget lines cannot be checked, so none was
budgets, line 1, column 8: time needs a limit with a unit: s, ms, us, ns
  time < 250
         ^
budgets, line 3, column 13: write == for equal, <= or >= for at most or at least
  memory_peak = 1B
              ^
${budget_file}, line 3, column 12: no unit is called "parsecs": time is in s, ms, us, ns, memory in B, kB, MB, GB, KiB, MiB, GiB, a share of the total in %
  self(f) < 3parsecs
             ^
A line is METRIC OPERATOR LIMIT: time < 250ms, calls(PDO->query) <= 20, self(App\\*) < 30%, memory_peak < 64MB, calls(*) < baseline * 1.05.`);
  });

  test('a long line is shown around the place', async () => {
    const text = await refused({ budgets: [`calls(${'x'.repeat(200)}) < 5 , ${'9'.repeat(99)}`] });
    const [, , line = '', caret = ''] = text.split('\n');
    expect(line.length).toBeLessThan(110);
    expect(line[caret.indexOf('^')]).toBe(',');
  });

  test('twenty problems are listed, the others counted', async () => {
    const text = await refused({ budgets: Array.from({ length: 1000 }, () => 'time < 1') });
    expect(text.match(/column/g)?.length).toBe(20);
    expect(text).toContain('and 980 more');
  });

  test('what the profile does not have, with the place', async () => {
    const text = await refused({ budgets: ['time < 5ms', 'self(*) < 3 raw'] });
    expect(text).toContain('budgets, line 2, column 11: the file states its unit');
  });

  test('a file that is no budget: nothing of it is shown', async () => {
    const budget_file = await files.write('secrets', 'password: hunter2\ntime hunter2\n');
    const text = await refused({ budget_file });
    expect(text).toContain('line 1, column 1: this is no budget line');
    expect(text).toContain('line 2, column');
    expect(text).not.toContain('hunter');
  });

  const rows: readonly [what: string, args: () => Promise<object> | object, text: string][] = [
    ['no line', () => ({}), 'neither budgets nor budget_file is given'],
    ['an empty list', () => ({ budgets: [] }), 'no budget is given'],
    ['only comments', () => ({ budgets: ['# time < 5ms', ''] }), 'no budget is given'],
    ['a baseline that is not given', () => ({ budgets: ['time < baseline'] }), 'no baseline'],
    [
      'a baseline that is not there',
      () => ({ budgets: ['time < baseline'], baseline: '/nowhere/cachegrind.out.1' }),
      '/nowhere/cachegrind.out.1: there is no such file',
    ],
    ['a file that is not there', () => ({ budget_file: '/nowhere/b' }), 'there is no such file'],
    ['a folder', () => ({ budget_file: fixtures }), 'this is a directory'],
    ['a device', () => ({ budget_file: '/dev/zero' }), 'a pipe, a socket or a device'],
    ['a compressed file', () => ({ budget_file: shop }), 'is no text (UTF-8)'],
    [
      'a file with a NUL',
      async () => ({ budget_file: await files.write('nul', 'time < 5ms\0') }),
      'is no text (UTF-8)',
    ],
    [
      'a large file',
      async () => ({ budget_file: await files.write('large', ' '.repeat(4_000_001)) }),
      '4,000,001 bytes',
    ],
    [
      'too many lines',
      async () => ({ budget_file: await files.write('many', 'time < 5ms\n'.repeat(1001)) }),
      'there are 1,001 budget lines; at most 1,000',
    ],
    [
      'a line that is too long',
      () => ({ budgets: [`time < 5ms${' '.repeat(995)}`] }),
      'the line has 1,005 characters, more than 1,000',
    ],
  ];
  for (const [what, args, text] of rows) {
    test(what, async () => expect(await refused({ ...(await args()) })).toContain(text));
  }

  // root may read everything.
  const isRoot = process.getuid?.() === 0;
  const unreadable = `a budget file that may not be read${isRoot ? ' (skipped: root may read everything)' : ''}`;
  test.skipIf(isRoot)(unreadable, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'xdebug-mcp-'));
    const budget_file = join(folder, 'b');
    await Bun.write(budget_file, 'time < 5ms', { mode: 0o000 });
    expect(await refused({ budget_file })).toContain('may not read the file');
    await rm(folder, { recursive: true });
  });
});
