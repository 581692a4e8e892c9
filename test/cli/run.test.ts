import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { version } from '../../src/base/version.ts';
import { parseCommandLine } from '../../src/cli/command-line.ts';
import type { Output } from '../../src/cli/output.ts';
import { type CommandScope, runCommand } from '../../src/cli/run.ts';
import { tools } from '../../src/tools/index.ts';
import { call, context, fixtures } from '../tools/files.ts';

class Written implements Output {
  text = '';
  readonly width: number | undefined;
  constructor(width?: number) {
    this.width = width;
  }
  write(text: string): Promise<void> {
    this.text += text;
    return Promise.resolve();
  }
}

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(argv: readonly string[], scope: Partial<CommandScope> = {}): Promise<Outcome> {
  const command = parseCommandLine(argv);
  if (command.kind === 'serve') throw new Error('nothing to run');
  const stdout = new Written();
  const stderr = new Written();
  const code = await runCommand(command, { context, stdout, stderr, ...scope });
  return { code, stdout: stdout.text, stderr: stderr.text };
}

const shop = join(fixtures, 'shop.cachegrind.gz');
const fixed = join(fixtures, 'shop-fixed.cachegrind.gz');
const QUERY = 'Shop\\Database\\Connection->query';

describe('--json prints exactly the structure', () => {
  const cases: readonly [readonly string[], string, Record<string, unknown>][] = [
    [['analyze', shop, '-n', '3'], 'analyze_profile', { file_path: shop, top_n: 3 }],
    [['callers', shop, QUERY], 'get_callers', { file_path: shop, function_name: QUERY }],
    [['callees', shop, '{main}'], 'get_callees', { file_path: shop, function_name: '{main}' }],
    [['list', fixtures, '--read-gzip'], 'list_profiles', { directory: fixtures, read_gzip: true }],
    [['diagnose', shop], 'diagnose_profile', { file_path: shop }],
    [
      ['tree', shop, QUERY, '--min-percent', '0.1', '-n', '5'],
      'get_call_tree',
      { file_path: shop, root: QUERY, min_percent: 0.1, limit: 5 },
    ],
    [['tree', shop, '3'], 'get_call_tree', { file_path: shop, root: 3 }],
    [['paths', shop, '--by', 'self'], 'get_hot_paths', { file_path: shop, by: 'self' }],
    [['function', shop, QUERY], 'get_function', { file_path: shop, function_name: QUERY }],
    [['find', shop, 'Shop\\*'], 'find_functions', { file_path: shop, query: 'Shop\\*' }],
    [['find', shop, '--kind', 'main'], 'find_functions', { file_path: shop, kind: 'main' }],
    [['group', shop, '--by', 'category'], 'group_profile', { file_path: shop, by: 'category' }],
    [['repeated', shop, '--min-calls=5'], 'find_repeated_calls', { file_path: shop, min_calls: 5 }],
    [
      ['predict', shop, `batch:${QUERY}`, 'speed_up:{main}:1.5'],
      'predict_impact',
      {
        file_path: shop,
        changes: [
          { function_name: QUERY, change: 'batch' },
          { function_name: '{main}', change: 'speed_up', factor: 1.5 },
        ],
      },
    ],
    [['compare', shop, fixed], 'compare_profiles', { baseline: shop, candidate: fixed }],
    [
      ['compare', fixed, '--baseline', shop, '--baseline', shop],
      'compare_profiles',
      { baseline: [shop, shop], candidate: fixed },
    ],
    [
      ['check', shop, 'calls(*) > 1', 'time < 10s'],
      'check_budget',
      { file_path: shop, budgets: ['calls(*) > 1', 'time < 10s'] },
    ],
    [['explain', 'PDO->query'], 'explain_function', { function_name: 'PDO->query' }],
  ];

  test('of every tool', () => {
    expect(new Set(cases.map(([, tool]) => tool))).toEqual(new Set(tools.map(({ name }) => name)));
  });

  for (const [argv, tool, args] of cases) {
    test(argv.join(' ').replaceAll(fixtures, ''), async () => {
      const { code, stdout, stderr } = await run([...argv, '--json']);
      expect([code, stderr]).toEqual([0, '']);
      const printed = JSON.parse(stdout);
      expect(printed).toEqual(await call(tool, args));
      expect(stdout).toBe(`${JSON.stringify(printed, undefined, 2)}\n`);
    });
  }
});

describe('exit codes', () => {
  test('0: help, version, an answer', async () => {
    expect(await run(['--version'])).toEqual({
      code: 0,
      stdout: `xdebug-mcp ${version}\n`,
      stderr: '',
    });
    const help = await run(['--help']);
    expect([help.code, help.stderr]).toEqual([0, '']);
    const answer = await run(['analyze', shop]);
    expect([answer.code, answer.stderr]).toEqual([0, '']);
    expect(answer.stdout).toContain(QUERY);
  });

  test('1: what the tool cannot do, on stderr', async () => {
    const missing = join(fixtures, 'no-such-file');
    const { code, stdout, stderr } = await run(['analyze', missing]);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(missing);
    const name = await run(['callers', shop, 'conection->qery']);
    expect([name.code, name.stdout]).toEqual([1, '']);
    expect(name.stderr).toContain(QUERY);
  });

  test('1: a budget that is not kept, with the whole answer on stdout', async () => {
    const kept = await run(['check', shop, 'calls(*) > 1']);
    expect([kept.code, kept.stderr]).toEqual([0, '']);
    for (const json of [[], ['--json']]) {
      const { code, stdout, stderr } = await run(['check', shop, 'calls(*) < 1', ...json]);
      expect([code, stderr]).toEqual([1, '']);
      expect(stdout).toContain('calls(*) < 1');
      expect(stdout).toContain(json.length === 0 ? '4,313' : '4313');
    }
  });

  test('1: a regression, with the whole answer on stdout', async () => {
    const better = await run(['compare', shop, fixed]);
    expect([better.code, better.stderr]).toEqual([0, '']);
    const { code, stdout, stderr } = await run(['compare', fixed, shop]);
    expect([code, stderr]).toEqual([1, '']);
    expect(stdout).toContain('regressed');
  });

  test('2: wrong usage, on stderr', async () => {
    const { code, stdout, stderr } = await run(['analyze']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('xdebug-mcp analyze --help');
  });

  test('1: a defect says that it is one', async () => {
    const openProfile = (): never => {
      throw new TypeError('surprise');
    };
    const { code, stderr } = await run(['analyze', shop], { context: { openProfile } });
    expect(code).toBe(1);
    expect(stderr).toContain('internal error');
    expect(stderr).toContain('surprise');
  });

  test('1: an answer that cannot be written', async () => {
    const full: Output = {
      width: undefined,
      write: () => Promise.reject(Object.assign(new Error('ENOSPC: full'), { syscall: 'write' })),
    };
    const { code, stderr } = await run(['analyze', shop], { stdout: full });
    expect([code, stderr]).toEqual([1, 'xdebug-mcp: ENOSPC: full\n']);
  });
});

describe('the text', () => {
  /** Everything that a reader could want to know of the structure. */
  const facts = [
    shop,
    '/srv/app/shop.php',
    'xdebug 3.2.0',
    'exact',
    'Time_(10ns)',
    'allocation growth',
    'peak memory',
    'wall time',
    '5 of 105 functions',
    '4,312 calls',
    '1 root ',
  ];
  test('has the facts of the structure', async () => {
    const { stdout } = await run(['analyze', shop, '-n', '5']);
    for (const fact of facts) expect(stdout).toContain(fact);
    const { functions } = await call<{ functions: { name: string; file: string }[] }>(
      'analyze_profile',
      { file_path: shop, top_n: 5 },
    );
    for (const { name, file } of functions) {
      expect(stdout).toContain(name);
      expect(stdout).toContain(file);
    }
  });

  test('fits into the terminal', async () => {
    for (const width of [80, 100, 140]) {
      const stdout = new Written(width);
      await run(['analyze', shop, '-n', '50'], { stdout });
      const lines = stdout.text.split('\n');
      expect(lines.filter((line) => line.length > width)).toEqual([]);
    }
  });

  test('lists the lines of a call that has several', async () => {
    const file = join(fixtures, 'recursion.cachegrind');
    const { stdout } = await run(['callees', file, 'outer']);
    expect(stdout).toMatch(/ 2 lines {2}inner /);
    // outer calls inner once from each of two lines in each of its four invocations.
    expect(stdout.match(/^ +4 .* 3[26]$/gm)?.length).toBe(2);
  });

  test('lists the sections of a file that holds several', async () => {
    const file = join(fixtures, 'append.cachegrind');
    const { stdout } = await run(['analyze', file, '--section', '3']);
    expect(stdout).toContain('3 profiles in the file');
    expect(stdout.match(/^ +\d +(yes|no) .*append\.php$/gm)?.length).toBe(3);
  });
});
